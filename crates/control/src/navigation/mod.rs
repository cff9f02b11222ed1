//! Navigation: where a vehicle believes to be, from what its sensors say.
//!
//! | | from | what remains |
//! |---|---|---|
//! | `gps` | the satellite receiver | nothing under water |
//! | [`DeadReckoning`] | gyroscope and DVL | drift with the way made good |
//! | [`Strapdown`] | gyroscope and accelerometer | drift with the square of time and more |
//! | [`ErrorStateFilter`] | all of them, the barometer and the compass | what cannot be observed |
//!
//! They are plain structs that follow samples; [`NavigationFunction`] is the component around them.

mod attitude_track;
mod dead_reckoning;
mod estimate;
mod function;
mod history;
mod kalman;
mod method;
mod strapdown;

pub use attitude_track::AttitudeTrack;
pub use dead_reckoning::{DeadReckoning, LONGEST_LINE};
pub use estimate::{Estimate, Planet};
pub use function::NavigationFunction;
pub use kalman::{Assumptions, Covariance, ErrorStateFilter, KalmanParameters, STATES};
pub use method::Method;
pub use strapdown::Strapdown;
