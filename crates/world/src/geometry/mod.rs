//! Shapes of bodies and of the ground, and where they touch.
//!
//! | file | holds |
//! |---|---|
//! | `form.rs` | shapes, their sizes, what the collision library makes of them |
//! | `collider.rs` | a shape with a place on a body and a surface |
//! | `plane.rs` | where a shape touches a plane: in closed form, since most vehicles rest on one |
//! | `touch.rs` | where two shapes touch |
//! | `fixed.rs` | everything that does not move |
//! | `convert.rs` | vectors of one library as those of the other |

mod collider;
pub(crate) mod convert;
mod fixed;
mod form;
mod plane;
mod touch;

pub use collider::{Collider, Surface};
pub(crate) use fixed::DEEPEST;
pub use fixed::{Fixed, Ground, Hit};
pub use form::{Form, FormError, Heights};
pub(crate) use touch::{Touch, touches};
