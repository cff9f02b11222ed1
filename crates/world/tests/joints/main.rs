//! Articulated bodies against analytic values and an independent balance of forces.

mod balance;
mod blades;
mod forces_in_joints;
mod free_bodies;
mod pendulums;
mod plans;
mod random_tree;
mod stops;

use nalgebra::Vector3;

/// Weight on Earth: down.
fn gravity() -> Vector3<f64> {
    Vector3::new(0.0, 0.0, 9.81)
}

/// Arithmetic-geometric mean: the complete elliptic integral K(k) is π/(2 agm(1, √(1 - k²))).
fn agm(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..40 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    a
}

/// The time at which a sampled value passes zero, between two steps of `h`.
fn crossing(time: f64, h: f64, before: f64, after: f64) -> f64 {
    time + h * before / (before - after)
}
