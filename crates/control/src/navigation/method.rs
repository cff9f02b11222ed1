//! How a vehicle navigates, and which samples are new to it.

use ironbird_component::Choice;
use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

/// How to navigate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice, Serialize, Deserialize)]
pub enum Method {
    /// The last fix of the satellite receiver.
    Gps,
    /// Attitude from the gyroscope, velocity from the DVL.
    #[default]
    #[choice(name = "dvl-gyro")]
    DvlGyro,
    /// Attitude from the gyroscope, velocity and place from the accelerometer.
    Inertial,
    /// All sensors, by an error-state Kalman filter.
    Kalman,
}

/// The last sample of a sensor that was used.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Last(Option<Time>);

impl Last {
    /// Whether a sample is a new one. What claims to be of the future, or is older than the last one,
    /// is not.
    #[inline]
    pub fn is_news(&mut self, now: Time, taken: Time, valid: bool) -> bool {
        let news = valid && taken <= now && self.0.is_none_or(|last| taken > last);
        if news {
            self.0 = Some(taken);
        }
        news
    }

    /// When it was taken; the start where there was none.
    #[inline]
    pub fn time(&self) -> Time {
        self.0.unwrap_or(Time::ZERO)
    }
}
