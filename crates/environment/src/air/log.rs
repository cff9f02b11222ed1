//! A wind from a log.

use std::path::PathBuf;

use ironbird_component::{Choice, Component};
use ironbird_kernel::{Periodic, SignalOut, Start, Step, Time};
use ironbird_tables::TableError;
use ironbird_tables::table::{Quantity, Table};

/// A wind from a log: a CSV file with a header and a line for every time.
///
/// Columns: `time` in s, and `north`, `east` and, if it is there, `down` in m/s, where the air moves to;
/// or `speed` in m/s and `direction` in deg, where the wind comes from. Other names and units are told by
/// `columns`. Velocities follow straight lines from line to line.
#[derive(Component)]
#[component(
    type = "wind.log",
    periodic,
    rate = "50 Hz",
    start = Self::begin,
    check = Self::check,
    changed = Self::prepare
)]
pub struct WindLog {
    /// The log.
    #[parameter]
    file: PathBuf,
    /// Columns with other names or units: "t_ms as time: ms, W as speed: kn".
    #[parameter(default = "", fixed)]
    columns: String,
    /// What happens before the first and after the last line: `fail` ends the run, `hold` takes the wind
    /// of that line.
    #[parameter(default = BeyondLog::Fail, fixed)]
    outside: BeyondLog,
    /// How fast the air moves to the north.
    #[output(unit = "m/s", initial = 0.0)]
    north: SignalOut<f64>,
    /// To the east.
    #[output(unit = "m/s", initial = 0.0)]
    east: SignalOut<f64>,
    /// Down.
    #[output(unit = "m/s", initial = 0.0)]
    down: SignalOut<f64>,
    #[skip]
    log: Log,
}

/// What a log says before its first and after its last line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum BeyondLog {
    /// Nothing: the run ends.
    #[default]
    Fail,
    /// What that line says.
    Hold,
}

/// Velocities (m/s) over the seconds of the run.
#[derive(Default)]
struct Log {
    times: Vec<f64>,
    velocities: Vec<[f64; 3]>,
}

const QUANTITIES: [Quantity; 6] = [
    Quantity { name: "time", unit: "s" },
    Quantity { name: "north", unit: "m/s" },
    Quantity { name: "east", unit: "m/s" },
    Quantity { name: "down", unit: "m/s" },
    Quantity { name: "speed", unit: "m/s" },
    Quantity { name: "direction", unit: "deg" },
];

impl Log {
    fn read(table: &Table) -> Result<Self, TableError> {
        let times = table.need("time")?.to_vec();
        if times.is_empty() {
            return Err(table.wrong_header("it has no lines with numbers"));
        }
        for row in 1..times.len() {
            if times[row] <= times[row - 1] {
                let what = format!("{} s does not come after {} s", times[row], times[row - 1]);
                return Err(table.wrong_cell(row, "time", what));
            }
        }
        let velocities = if table.get("speed").is_some() && table.get("north").is_none() {
            let pairs = table.need("speed")?.iter().zip(table.need("direction")?);
            let moves = |(speed, from): (&f64, &f64)| {
                let (sine, cosine) = libm::sincos(*from);
                [-speed * cosine, -speed * sine, 0.0]
            };
            pairs.map(moves).collect()
        } else {
            let (north, east) = (table.need("north")?, table.need("east")?);
            let down = |row: usize| table.get("down").map_or(0.0, |down| down[row]);
            (0..times.len()).map(|row| [north[row], east[row], down(row)]).collect()
        };
        Ok(Log { times, velocities })
    }

    fn at(&self, now: f64, hold: bool) -> Option<[f64; 3]> {
        let (first, last) = (*self.times.first()?, *self.times.last()?);
        if !(hold || (first..=last).contains(&now)) {
            return None;
        }
        let after = self.times.partition_point(|time| *time <= now);
        if after == 0 || after == self.times.len() {
            return self.velocities.get(after.saturating_sub(1)).copied();
        }
        let [from, to] = [self.velocities[after - 1], self.velocities[after]];
        let [start, end] = [self.times[after - 1], self.times[after]];
        let share = (now - start) / (end - start);
        Some([0, 1, 2].map(|axis| from[axis] + share * (to[axis] - from[axis])))
    }
}

impl WindLog {
    fn read(&self) -> Result<Log, String> {
        let opened = ironbird_files::open_data(&self.file).map_err(TableError::from);
        opened
            .and_then(|file| Table::read(file, &self.columns, &QUANTITIES))
            .and_then(|table| Log::read(&table))
            .map_err(|error| error.in_file(&self.file))
    }

    fn check(&self) -> Result<(), String> {
        self.read().map(drop)
    }

    /// A file that has vanished since it was checked leaves an empty log, with which a step fails.
    fn prepare(&mut self) {
        self.log = self.read().unwrap_or_default();
    }

    fn wind(&self, now: Time) -> Result<[f64; 3], String> {
        let found = self.log.at(now.as_secs_f64(), self.outside == BeyondLog::Hold);
        found.ok_or_else(|| match (self.log.times.first(), self.log.times.last()) {
            (Some(first), Some(last)) => format!(
                "{}: the log covers {first} s to {last} s: end the run earlier, or give outside = \
                 \"hold\"",
                self.file.display()
            ),
            _ => format!("{}: the log cannot be read any more", self.file.display()),
        })
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        match self.wind(start.now()) {
            Ok([north, east, down]) => {
                start.write(self.north, north);
                start.write(self.east, east);
                start.write(self.down, down);
            }
            Err(reason) => start.fail(reason),
        }
    }
}

impl Periodic for WindLog {
    fn step(&mut self, step: &mut Step<'_>) {
        match self.wind(step.now()) {
            Ok([north, east, down]) => {
                step.write(self.north, north);
                step.write(self.east, east);
                step.write(self.down, down);
            }
            Err(reason) => step.fail(reason),
        }
    }
}
