//! Articulated bodies in a world: links on joints, with all that acts on them.
//!
//! ```text
//! JointedPlan ── Tree, LinkActors ──► Jointed ── fly ──► BodyState (motion of the first link, numbers of the joints)
//!                                        │                    ▲
//!                                        └─ open, close ──────┘  a step with contact: velocities, impulses, places
//! ```
//!
//! A step in which nothing touches is one of the fourth-order method; where a joint is too stiff for that it is
//! semi-implicit (see [`Dynamics`]). Which of the two is chosen depends on the body and the length of the step alone.
//!
//! | file | holds |
//! |---|---|
//! | `actor.rs` | what acts on links: [`LinkActor`] |
//! | `mechanics.rs` | a body that moves |
//! | `contact.rs` | the same during a step with contact |
//! | `air.rs` | lifting surfaces, wind, damping of motion |
//! | `rotor.rs` | rotors and thrusters that are part of their carrier |
//! | `controller.rs` | what turns joints by command |
//! | `water.rs` | buoyancy and resistance of links under water |

mod actor;
mod air;
mod contact;
mod controller;
mod mechanics;
mod rotor;
mod water;

pub use actor::{Law, LinkActor, Links, Loads};
pub use air::{LiftingSurface, MotionDecay, Weightless, WindDrag, WingSurface};
pub use controller::{DrivenJoint, Goal, JointController};
pub use mechanics::JointedPlan;
pub(crate) use mechanics::{Jointed, LinkSeen};
pub use rotor::{RotorOnLink, ThrusterOnLink};
pub use water::{Floating, Resistance};

#[cfg(doc)]
use crate::joints::Dynamics;
