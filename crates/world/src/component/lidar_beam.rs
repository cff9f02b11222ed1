//! One beam of a lidar, for readers that want a number.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use super::measured::Scan;

/// Shows one beam of a lidar: the distance to what it meets.
///
/// Before the first distance it is `initial`, and it keeps its value while the beam meets nothing in the range of the
/// lidar; `valid` and `taken` say so. It looks at the scan of each of its steps.
#[derive(Component)]
#[component(type = "adapter.lidar-beam", periodic, rate = "1 kHz", adapter, start = Self::begin)]
pub(crate) struct LidarBeam {
    /// The column of the beam in the scan, from 0.
    #[parameter(fixed)]
    column: u32,
    /// Its row, from 0.
    #[parameter(default = 0, fixed)]
    row: u32,
    /// What is shown before the first distance.
    #[parameter(default = 0.0, unit = "m", fixed)]
    initial: f64,
    /// What the lidar sees.
    #[input(name = "in", unit = "nearest: m")]
    input: SignalIn<Scan>,
    /// The latest distance.
    #[output(name = "out", unit = "m")]
    output: SignalOut<f64>,
    /// Whether the beam meets something now: not before the first scan, and not where there is nothing.
    #[output]
    valid: SignalOut<bool>,
    /// When what is shown was measured; 0 before the first.
    #[output(unit = "s")]
    taken: SignalOut<f64>,
}

impl LidarBeam {
    fn begin(&mut self, start: &mut Start<'_>) {
        start.write(self.output, self.initial);
    }

    /// The distance in a scan; `None` if it has no such beam.
    fn distance(&self, scan: &Scan) -> Option<f64> {
        if self.row >= scan.rows || self.column >= scan.columns {
            return None;
        }
        let beam = self.row as usize * scan.columns as usize + self.column as usize;
        let number = scan.distances.get(4 * beam..4 * beam + 4)?.try_into().ok()?;
        Some(f64::from(f32::from_le_bytes(number)))
    }
}

impl Periodic for LidarBeam {
    fn step(&mut self, step: &mut Step<'_>) {
        let scan = step.signal(self.input);
        let taken = scan.taken.as_secs_f64();
        let (rows, columns) = (scan.rows, scan.columns);
        // Before the first scan there are no beams.
        let is_scan = columns > 0;
        let distance = if is_scan { self.distance(scan) } else { None };
        if is_scan && distance.is_none() {
            let (row, column) = (self.row, self.column);
            let reason = format!(
                "there is no beam in row {row}, column {column}: rows x columns of the lidar are {rows} x {columns}, \
                 counted from 0"
            );
            return step.fail(reason);
        }
        let distance = distance.filter(|distance| distance.is_finite());
        step.write(self.valid, distance.is_some());
        if let Some(distance) = distance {
            step.write(self.output, distance);
            step.write(self.taken, taken);
        }
    }
}
