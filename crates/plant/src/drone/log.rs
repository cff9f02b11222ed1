//! A drone that moves as a log says.

use std::path::PathBuf;

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalOut, Start, Step, Time};
use ironbird_kinematics::{Motion, Origin};
use serde::{Deserialize, Serialize};

use super::heading::Heading;
use super::logged_track::LoggedTrack;

/// A drone that moves as a log says: smoothly through all its places and attitudes.
///
/// The log is a CSV file with the columns `time` in s; `north`, `east` and `down` in m, or `latitude` and
/// `longitude` in deg with `depth` in m below the ellipsoid; and `roll`, `pitch` and `yaw` in deg. Without
/// these three the drone points along its velocity. Times need no grid; the first line is the start of
/// the run, unless some of the log is skipped. After the last line the drone stands where it is at once,
/// and `finished` is true.
#[derive(Component)]
#[component(
    type = "drone.log",
    periodic,
    rate = "1 kHz",
    start = Self::begin,
    check = Self::check,
    changed = Self::prepare
)]
pub struct DroneLog {
    /// The log.
    #[parameter]
    file: PathBuf,
    /// Columns with other names or units than expected: "t_us as time: us, Heading as yaw: rad".
    #[parameter(default = "", fixed)]
    columns: String,
    /// Longest time between two lines.
    #[parameter(unit = "s", default = 5.0, above = 0, fixed)]
    max_gap: f64,
    /// How much of the log is skipped.
    #[parameter(unit = "s", default = 0.0, min = 0, fixed)]
    skip: f64,
    #[group]
    origin: Origin,
    /// How it moves.
    #[output(
        unit = "position: m, velocity: m/s, acceleration: m/s^2, attitude: 1, angular_velocity: rad/s, distance: m",
        frame = "ned, angular_velocity: body"
    )]
    motion: SignalOut<Motion>,
    /// Whether the log has come to its end.
    #[output]
    finished: SignalOut<bool>,
    /// The line of the log that was passed last.
    mark: usize,
    heading: Heading,
    has_finished: bool,
    begun: Time,
    way: Way,
    #[skip]
    track: LoggedTrack,
}

/// The way made good, by the trapezoidal rule between steps.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Way {
    distance: f64,
    /// The time of the log and the speed at the last step.
    last: Option<(f64, f64)>,
}

impl Way {
    fn made(&mut self, time: f64, speed: f64) -> f64 {
        if let Some((then, before)) = self.last.replace((time, speed)) {
            self.distance += 0.5 * (before + speed) * (time - then);
        }
        self.distance
    }
}

impl DroneLog {
    fn read(&self) -> Result<LoggedTrack, String> {
        LoggedTrack::read(&self.file, &self.columns, &self.origin.plane(), self.max_gap)
            .map_err(|error| error.in_file(&self.file))
    }

    fn check(&self) -> Result<(), String> {
        let (end, skip) = (self.read()?.end(), self.skip);
        if skip < end {
            return Ok(());
        }
        Err(format!("{}: \"skip\" is {skip} s, but the log lasts {end} s", self.file.display()))
    }

    /// A file that has vanished since it was checked leaves an empty track, with which a step fails.
    fn prepare(&mut self) {
        self.track = self.read().unwrap_or_default();
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.begun = start.now();
        match self.at(start.now()) {
            Some(motion) => start.write(self.motion, motion),
            None => start.fail(self.vanished()),
        }
    }

    fn vanished(&self) -> String {
        format!("{}: the log cannot be read any more", self.file.display())
    }

    fn at(&mut self, now: Time) -> Option<Motion> {
        let track = &self.track;
        if track.is_empty() {
            return None;
        }
        let time = now.since(self.begun).as_secs_f64() + self.skip;
        let (end, over) = (track.end(), time >= track.end());
        let time = time.min(end);
        track.seek(&mut self.mark, time);
        let [position, velocity, acceleration] = track.place(self.mark, time);
        let (attitude, turning) = match track.attitude(self.mark, time) {
            Some((attitude, turning)) => (attitude, turning.into()),
            None => {
                self.heading.follow(velocity, acceleration);
                (self.heading.attitude, self.heading.turning)
            }
        };
        let distance = self.way.made(time, velocity.xy().norm());
        let still = |vector: [f64; 3]| if over { [0.0; 3] } else { vector };
        self.has_finished = over;
        Some(Motion {
            position: position.into(),
            velocity: still(velocity.into()),
            acceleration: still(acceleration.into()),
            attitude,
            angular_velocity: still(turning),
            distance,
        })
    }
}

impl Periodic for DroneLog {
    fn step(&mut self, step: &mut Step<'_>) {
        let was_finished = self.has_finished;
        match self.at(step.now()) {
            Some(motion) => step.write(self.motion, motion),
            None => return step.fail(self.vanished()),
        }
        if self.has_finished != was_finished {
            step.write(self.finished, true);
        }
    }
}
