//! The pilot of multirotors, from where to go to the commands of motors.
//!
//! ```text
//! position ──► velocity ──► thrust vector ──► attitude ──► rates ──► mixer ──► motors
//!    P            PI           tilt limit       P (quaternion)  PI     roll, pitch, thrust before yaw
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `pilot.rs` | [`MultirotorPilot`], the inner loop |
//! | `gains.rs` | bandwidths that follow from the motors |
//! | `mixer.rs` | thrust and moments among rotors, within what they can |

mod gains;
mod mixer;
mod pilot;

pub use gains::Gains;
pub use mixer::{Demand, Mixer};
pub use pilot::{Mode, MultirotorPilot};
