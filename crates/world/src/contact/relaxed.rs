//! Impulses that never make energy, where the iteration of `solver.rs` does not settle: of bodies that are wedged.
//!
//! With friction that also parts the surfaces where they slide, by μ |s|, the impulses are the least of a convex
//! function (M. Anitescu, *Optimization-based simulation of nonsmooth rigid multibody dynamics*, 2006):
//!
//! ```text
//! λ = arg min ½ λᵀ W λ + λ · (J u¹ - target),    |λt| ≤ μ λn
//! ```
//!
//! Each step goes down its slope and back onto the cone of one contact, so the function falls from zero, and with it the
//! energy, however many steps are made.

use super::solver::Solver;

/// So many times all contacts are gone through.
const ROUNDS: usize = 200;
/// Impulses that are not final may give this part of what they take and give, or as much as with this speed, in m/s.
const GIVEN: f64 = 0.01;
const CREEP: f64 = 1e-6;

impl Solver {
    /// Whether the impulses give the bodies energy: λ · J (u⁰ + u) / 2 > 0.
    pub fn makes_energy(&self) -> bool {
        let (mut work, mut most) = (0.0, 0.0);
        for &contact in &self.chosen {
            let (begun, ended) = (self.begun(contact), self.ended(contact));
            for (row, impulse) in self.impulse(contact).into_iter().enumerate() {
                work += impulse * (begun[row] + ended[row]);
                most += impulse.abs() * (GIVEN * begun[row].abs() + CREEP);
            }
        }
        work > most
    }

    /// Finds impulses anew, from none.
    pub fn relax(&mut self) {
        for at in 0..self.chosen.len() {
            self.give(self.chosen[at], [0.0; 3]);
        }
        for _ in 0..ROUNDS {
            for at in 0..self.chosen.len() {
                let number = self.chosen[at];
                let contact = &self.contacts[number];
                let stiffest = contact.yielding + contact.across[0] + contact.across[2];
                if contact.yielding <= 0.0 {
                    continue;
                }
                let ended = self.ended(number);
                let along = [0, 1, 2].map(|row| {
                    let row_of = contact.rows[row];
                    row_of.impulse - (ended[row] - row_of.target) / stiffest
                });
                let impulse = onto_cone(along, contact.friction);
                self.give(number, impulse);
            }
        }
    }
}

/// The nearest impulse that friction allows.
fn onto_cone([normal, first, second]: [f64; 3], friction: f64) -> [f64; 3] {
    let across = (first * first + second * second).sqrt();
    if across <= friction * normal {
        return [normal, first, second];
    }
    let pressed = (normal + friction * across) / (1.0 + friction * friction);
    if pressed <= 0.0 {
        return [0.0; 3];
    }
    let part = friction * pressed / across;
    [pressed, first * part, second * part]
}
