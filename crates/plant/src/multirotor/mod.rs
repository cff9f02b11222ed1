//! Multirotors: any number of rotors on a rigid body.
//!
//! ```text
//!   commands ──► drive ──► motors ──► rotors: thrust, torque, drag, ground effect ──► wrench
//!   voltage ──────▲                       ▲ wind, density, height, rain
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `rotor.rs` | one rotor: its equations and numbers; rings of them |
//! | `drive.rs` | what a command means: speed, throttle, switched voltage |
//! | `warming.rs` | how motors slow down as they grow warm |
//! | `forces.rs` | [`Multirotor`], the vehicle as forces |
//! | `four.rs` | the same for four that are alike, where air does not matter: the short way |
//! | `ground_effect.rs` | how thrust grows near the ground |
//! | `rain.rs` | the momentum of drops |
//! | `file.rs`, `adjust.rs` | how a multirotor is read, and changed by fits |
//! | `component.rs`, `model.rs` | `plant.multirotor`, alone in still or moving air |
//! | `propeller.rs` | propellers and motors from thrust stands |

mod adjust;
mod component;
mod drive;
mod file;
mod forces;
mod four;
mod ground_effect;
mod model;
pub mod propeller;
pub mod rain;
mod rotor;
mod warming;

pub use component::MultirotorType;
pub use drive::{Drive, FULL_PWM};
pub use forces::{MOST_ROTORS, Multirotor, MultirotorParts};
pub use ground_effect::ground_effect;
pub use rotor::{Rotor, Turns};
pub use warming::Warming;
