//! A sea current from a log: a CSV file with a line for every time.

use std::path::PathBuf;

use ironbird_component::{Answers, Choice, InstantiateError, Parameters};
use ironbird_kernel::Time;
use ironbird_tables::log::{ColumnMap, LogStart, TimeUnit, read_file};

use super::from_file::{FromFile, Outside, blame_file};
use super::question::{CurrentAnswer, SeaCurrent, SeaPoint, SeaUnknown};

/// The parameters of `sea-current.log`.
#[derive(Clone, Debug, Parameters)]
pub struct LogCurrentParameters {
    /// The log, a CSV file with a header.
    #[parameter]
    pub file: PathBuf,
    /// The column that holds the time since the start of the run.
    #[parameter(default = "time_s".to_owned(), fixed)]
    pub time: String,
    /// Its unit.
    #[parameter(default = LogTimeUnit::Seconds, fixed)]
    pub time_unit: LogTimeUnit,
    /// What the two columns hold: the velocity northwards and eastwards, or the speed and the direction
    /// towards which the water flows, in degrees clockwise from north.
    #[parameter(default = LogColumns::NorthEast, fixed)]
    pub holds: LogColumns,
    /// The columns, as in "u, v". Velocities and speeds are in m/s.
    #[parameter(default = "north, east".to_owned(), fixed)]
    pub columns: String,
    /// What happens before the first and after the last line: `fail` ends the run, `hold` takes the
    /// velocity of that line.
    #[parameter(default = Outside::Fail, fixed)]
    pub outside: Outside,
}

/// Unit of a column of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
#[allow(missing_docs)]
pub enum LogTimeUnit {
    #[default]
    #[choice(name = "s")]
    Seconds,
    #[choice(name = "ms")]
    Milliseconds,
    #[choice(name = "us")]
    Microseconds,
    #[choice(name = "ns")]
    Nanoseconds,
}

/// What the columns of a log of the sea current hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum LogColumns {
    /// Velocity northwards and eastwards.
    #[default]
    NorthEast,
    /// Speed and direction.
    SpeedDirection,
}

/// Velocities over time.
pub(super) struct LogCurrent {
    times: Vec<Time>,
    /// Northwards and eastwards.
    velocities: Vec<[f64; 2]>,
    hold: bool,
}

impl FromFile for LogCurrentParameters {
    const TYPE: &'static str = "sea-current.log";
    const DOC: &'static str = "\
A sea current from a log: a CSV file with a header and a line for every time.

Velocities follow straight lines from line to line, also where the log holds speed and direction. They \
are the same everywhere.";
    type Answer = CurrentAnswer;
    type Source = LogCurrent;

    fn open(&self) -> Result<LogCurrent, InstantiateError> {
        let names: Vec<&str> = self.columns.split(',').map(str::trim).collect();
        let [first, second] = names[..] else {
            let message = "it must name two columns, as in \"north, east\"";
            return Err(InstantiateError::of("columns", message));
        };
        let map = ColumnMap {
            time_column: self.time.clone(),
            time_unit: match self.time_unit {
                LogTimeUnit::Seconds => TimeUnit::Seconds,
                LogTimeUnit::Milliseconds => TimeUnit::Milliseconds,
                LogTimeUnit::Microseconds => TimeUnit::Microseconds,
                LogTimeUnit::Nanoseconds => TimeUnit::Nanoseconds,
            },
            start: LogStart::Zero,
            columns: [first, second].map(|name| (name.to_owned(), name.to_owned())).into(),
        };
        let series = read_file(&self.file, &map)
            .map_err(|error| InstantiateError::of(map.blamed(&error), error.in_file(&self.file)))?;
        let [first_series, second_series] = &series[..] else {
            return Err(blame_file(&self.file, "it has no two columns"));
        };
        let mut log = LogCurrent {
            times: Vec::with_capacity(first_series.samples.len()),
            velocities: Vec::with_capacity(first_series.samples.len()),
            hold: self.outside == Outside::Hold,
        };
        let mut others = second_series.samples.iter();
        for &(time, x) in &first_series.samples {
            let y = others.next().filter(|(other, _)| *other == time).map(|(_, y)| *y);
            let Some(y) = y.filter(|y| y.is_finite() && x.is_finite()) else {
                let message =
                    format!("at {time} there is not a number in both {first} and {second}");
                return Err(blame_file(&self.file, message));
            };
            log.times.push(time);
            log.velocities.push(match self.holds {
                LogColumns::NorthEast => [x, y],
                LogColumns::SpeedDirection => {
                    let (sine, cosine) = libm::sincos(y.to_radians());
                    [x * cosine, x * sine]
                }
            });
        }
        if let Some((time, _)) = others.next() {
            let message = format!("at {time} there is not a number in both {first} and {second}");
            return Err(blame_file(&self.file, message));
        }
        if log.times.is_empty() {
            return Err(blame_file(&self.file, "it has no lines with numbers"));
        }
        Ok(log)
    }
}

impl Answers<SeaPoint, CurrentAnswer> for LogCurrent {
    fn answer(&self, now: Time, _: &SeaPoint) -> CurrentAnswer {
        let after = self.times.partition_point(|time| *time <= now);
        let last = self.times.len() - 1;
        let inside = after > 0 && now <= self.times[last];
        if !(inside || self.hold) {
            return Err(Box::new(SeaUnknown {
                reason: format!("its log covers {} to {}", self.times[0], self.times[last]),
                degrees: None,
                advice: "end the run earlier, or give its source outside = \"hold\"",
            }));
        }
        let at = |[north, east]: [f64; 2]| [north, east, 0.0];
        if after == 0 || after > last {
            let held = if after == 0 { 0 } else { last };
            let velocity = at(self.velocities[held]);
            return Ok(SeaCurrent { velocity, acceleration: [0.0; 3] });
        }
        // Two lines of the same time are a jump; the later one holds, and `after` is later than both.
        let [from, to] = [self.velocities[after - 1], self.velocities[after]];
        let start = self.times[after - 1];
        let span = self.times[after].since(start).as_secs_f64();
        let passed = now.since(start).as_secs_f64();
        let rate = [(to[0] - from[0]) / span, (to[1] - from[1]) / span];
        Ok(SeaCurrent {
            velocity: at([from[0] + passed * rate[0], from[1] + passed * rate[1]]),
            acceleration: at(rate),
        })
    }
}
