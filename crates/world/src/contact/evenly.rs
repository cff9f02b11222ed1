//! Bodies that slide on more points than are needed to carry them bear on these evenly.
//!
//! How a table with four legs stands on them is not decided by its balance: any multiple of (1, -1, 1, -1) may be added to
//! their loads. As long as it stands that does not matter. Where it slides and turns, friction goes with the loads, and
//! an iteration would let them depend on the steps before. Of all loads λ that push with the same force and moment those
//! are taken whose squares sum up to least, as of legs that give way alike:
//!
//! ```text
//! λ* = Qᵀ Q λ,    Q an orthonormal base of the six rows of (n, r × n)
//! ```
//!
//! No load becomes negative: who has none left is left out.

use nalgebra::Vector3;

/// A load on a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// The number of its contact.
    pub contact: usize,
    pub point: Vector3<f64>,
    pub normal: Vector3<f64>,
    pub size: f64,
}

/// Rows that are explained by the others to this part, by length, are left out.
const RANK: f64 = 1e-6;

/// Spreads loads of one body on another evenly; by how much the largest change is, against the largest load.
pub(super) fn spread(loads: &mut [Load]) -> f64 {
    let before: Vec<f64> = loads.iter().map(|load| load.size).collect();
    let mut within: Vec<usize> = (0..loads.len()).collect();
    while within.len() > 2 {
        let even = evened(loads, &within);
        // As far as no load becomes negative.
        let (mut part, mut lost) = (1.0, None);
        for (at, &number) in within.iter().enumerate() {
            let size = loads[number].size;
            if even[at] < 0.0 && size < part * (size - even[at]) {
                (part, lost) = (size / (size - even[at]), Some(at));
            }
        }
        for (at, &number) in within.iter().enumerate() {
            loads[number].size += part * (even[at] - loads[number].size);
        }
        let Some(lost) = lost else { break };
        loads[within.remove(lost)].size = 0.0;
    }
    let largest = before.iter().copied().fold(0.0, f64::max);
    let changes = loads.iter().zip(&before).map(|(load, before)| (load.size - before).abs());
    if largest > 0.0 { changes.fold(0.0, f64::max) / largest } else { 0.0 }
}

/// Qᵀ Q λ of some of the loads.
fn evened(loads: &[Load], within: &[usize]) -> Vec<f64> {
    let middle = within.iter().fold(Vector3::zeros(), |sum, &number| sum + loads[number].point);
    let middle = middle / within.len() as f64;
    let arms: Vec<Vector3<f64>> =
        within.iter().map(|&number| loads[number].point - middle).collect();
    let reach = arms.iter().map(|arm| arm.norm()).fold(0.0, f64::max);
    let mut bases: Vec<Vec<f64>> = Vec::with_capacity(6);
    let mut even = vec![0.0; within.len()];
    for row in 0..6 {
        let mut base: Vec<f64> = within
            .iter()
            .zip(&arms)
            .map(|(&number, arm)| {
                let normal = &loads[number].normal;
                if row < 3 { normal[row] } else { arm.cross(normal)[row - 3] / reach }
            })
            .collect();
        for other in &bases {
            let share: f64 = base.iter().zip(other).map(|(a, b)| a * b).sum();
            base.iter_mut().zip(other).for_each(|(a, b)| *a -= share * b);
        }
        let norm = base.iter().map(|a| a * a).sum::<f64>().sqrt();
        // A row of length one for every point has the root of their number.
        if norm.is_nan() || norm <= RANK {
            continue;
        }
        base.iter_mut().for_each(|a| *a /= norm);
        let share: f64 = base.iter().zip(within).map(|(a, &number)| a * loads[number].size).sum();
        even.iter_mut().zip(&base).for_each(|(even, a)| *even += share * a);
        bases.push(base);
    }
    even
}
