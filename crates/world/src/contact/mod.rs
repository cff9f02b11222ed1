//! Contact: where bodies touch, impulses keep them apart.
//!
//! | file | holds |
//! |---|---|
//! | `group.rs` | which bodies of an island touch in a step, directly or through others |
//! | `find.rs` | where they touch |
//! | `part.rs` | a step of such a group, cut where surfaces meet and where sliding ends |
//! | `opening.rs` | its contacts as a part begins |
//! | `events.rs` | what ends a part |
//! | `mover.rs` | one of its bodies |
//! | `turning.rs` | attitudes turned on |
//! | `impact.rs` | impacts |
//! | `energy.rs` | contact of one body gives it no energy |
//! | `overlap.rs` | bodies that overlap are moved apart |
//! | `solver.rs` | the impulses of all contacts of a group |
//! | `rows.rs` | what a push at a contact does |
//! | `acceleration.rs` | their iteration, accelerated |
//! | `relaxed.rs` | what never makes energy, where that does not settle |
//! | `evenly.rs` | loads that balance alone does not decide |
//! | `friction.rs` | the friction of one contact, given all else |

mod acceleration;
mod energy;
mod evenly;
mod events;
mod find;
mod friction;
mod group;
mod impact;
mod mover;
mod opening;
mod overlap;
mod part;
mod relaxed;
mod rows;
mod solver;
mod turning;

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
