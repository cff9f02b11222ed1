//! Contact: where bodies touch, impulses keep them apart.
//!
//! | file | holds |
//! |---|---|
//! | `solver.rs` | the impulses of one group of bodies that touch, for one step |
//! | `friction.rs` | the friction of one contact, given all else |
//! | `group.rs` | which bodies of an island touch in a step, and what becomes of them |

mod friction;
mod group;
mod solver;

use nalgebra::Vector3;

pub(crate) use group::{Groups, resolve};

/// Two directions across a normal: a function of the normal alone.
#[inline]
pub(crate) fn tangents(normal: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let other = if normal.x.abs() < 0.7 { Vector3::x() } else { Vector3::y() };
    let first = normal.cross(&other);
    let first = first / first.norm();
    (first, normal.cross(&first))
}
