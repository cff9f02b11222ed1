//! Asks a source about many points: one each millisecond.

use std::path::Path;

use ironbird_kernel::{Parameter, Time};
use ironbird_test_rig::{Rig, Setting, text};

/// The instant at which a point is asked about.
pub fn instant(index: usize) -> Time {
    Time::from_ps(1_000_000_000 * index as u64)
}

/// A source and its parameters.
#[derive(Clone)]
pub struct Source<'a> {
    pub of: &'a str,
    pub settings: Vec<Setting<'a>>,
}

impl<'a> Source<'a> {
    pub fn new(of: &'a str, settings: &[Setting<'a>]) -> Self {
        Source { of, settings: settings.to_vec() }
    }

    pub fn file(of: &'a str, file: &Path, origin: [f64; 2]) -> Self {
        let settings = [
            ("file", text(&file.to_string_lossy())),
            ("origin.latitude", Parameter::Real(origin[0])),
            ("origin.longitude", Parameter::Real(origin[1])),
        ];
        Source::new(of, &settings)
    }

    pub fn with(&self, name: &'a str, value: Parameter) -> Self {
        let mut source = self.clone();
        source.settings.push((name, value));
        source
    }

    fn rig(&self, at: &str, positions: &[[f64; 3]], velocities: &[[f64; 3]]) -> Rig {
        let mut rig = Rig::of(&[ironbird_environment::register]);
        rig.add("source", self.of, &self.settings);
        // Points are anywhere, also on land.
        let anywhere = [("aground", text("ignore"))];
        rig.add("at", at, if at == "sea-bed.at" { &anywhere } else { &[] });
        rig.bind("at.source", "source");
        for (name, values) in [("position", positions), ("velocity", velocities)] {
            let script: Vec<_> = values.iter().enumerate().map(|(i, v)| (instant(i), *v)).collect();
            if !script.is_empty() {
                rig.script(name, &script);
                rig.link(&format!("{name}.out"), &format!("at.{name}"));
            }
        }
        rig
    }

    /// Velocity and acceleration of the water at points.
    pub fn currents(&self, positions: &[[f64; 3]], velocities: &[[f64; 3]]) -> Vec<[[f64; 3]; 2]> {
        let rig = self.rig("sea-current.at", positions, velocities);
        let until = instant(positions.len() - 1);
        let run = rig.run(until, &["at.current", "at.current_acceleration"]);
        let current = run.samples::<[f64; 3]>("at.current");
        let acceleration = run.samples::<[f64; 3]>("at.current_acceleration");
        let at = |samples: &[(Time, [f64; 3])], index| value_at(samples, instant(index));
        (0..positions.len()).map(|i| [at(&current, i), at(&acceleration, i)]).collect()
    }

    /// Depth, slope and height at points.
    pub fn beds(&self, positions: &[[f64; 3]]) -> Vec<(f64, [f64; 2], f64)> {
        let rig = self.rig("sea-bed.at", positions, &[]);
        let until = instant(positions.len() - 1);
        let run = rig.run(until, &["at.depth", "at.slope", "at.height"]);
        let depth = run.samples::<f64>("at.depth");
        let slope = run.samples::<[f64; 2]>("at.slope");
        let height = run.samples::<f64>("at.height");
        let all = 0..positions.len();
        all.map(|i| {
            let now = instant(i);
            (value_at(&depth, now), value_at(&slope, now), value_at(&height, now))
        })
        .collect()
    }

    /// Why the run ends at a point.
    pub fn failure(&self, at: &str, position: [f64; 3], until: Time) -> String {
        self.rig(at, &[position], &[]).failure(until)
    }

    /// Why the source cannot be made.
    pub fn refusal(&self) -> String {
        Rig::of(&[ironbird_environment::register]).refusal(self.of, &self.settings)
    }
}

/// The value of a signal at an instant; a signal may be recorded only where it changes.
fn value_at<T: Copy>(samples: &[(Time, T)], now: Time) -> T {
    let after = samples.partition_point(|(time, _)| *time <= now);
    samples[after - 1].1
}
