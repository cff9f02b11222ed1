//! The impulses that keep a group of bodies apart during one step.
//!
//! Velocities of a body are a short vector u: six numbers of a rigid body (velocity of the centre of mass and angular
//! velocity, both in the body), more with joints. With u¹ the velocities at the end of the step if nothing touched, a
//! point of contact with normal n, tangents t, gap g, friction μ:
//!
//! ```text
//! u = u¹ + Σ M⁻¹ Jᵀ λ
//! λn ≥ 0,   Jn u ≥ target,   λn (Jn u - target) = 0
//! |λt| ≤ μ λn,   Jt u = 0 where it sticks, λt against Jt u at full length where it slides
//! ```
//!
//! | contact | target |
//! |---|---|
//! | g > 0, not reached in this step | -g / h: they may come as close as to touch |
//! | g ≤ 0 | 0, and what takes β of the overlap back |
//! | reached at time c = -g / v⁰ with speed v⁰ < 0 | -e (v⁰ + a c) + a (h - c): reflected, and on for the rest of the step |
//!
//! a = Jn (u¹ - u⁰) / h. Solved by Gauss-Seidel iteration in the order of the contacts, each made right by itself
//! (`friction.rs`), from the impulses of the step before (J. J. Moreau, *Unilateral contact and dry friction in finite freedom dynamics*, 1988; E. Catto, *Iterative
//! dynamics with temporal coherence*, 2005). Iteration ends by a rule that looks at this group alone.

use nalgebra::Vector3;

use super::friction;

/// Iterations at most.
const MOST_ITERATIONS: usize = 200;
/// Impulses that change by less than this, of the largest, are final.
const PRECISION: f64 = 1e-9;
/// Part of an overlap that is taken back in a step, and the fastest that this may be, in m/s.
const RECOVERY: f64 = 0.2;
const FASTEST_RECOVERY: f64 = 0.5;
/// Slower approaches than this do not bounce, in m/s.
pub(super) const SLOWEST_BOUNCE: f64 = 0.02;

/// One side of a contact: the numbers of u from `first` on, and where the rows of J and M⁻¹Jᵀ are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub first: usize,
    pub count: usize,
}

/// What is known of a contact before the rows are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub gap: f64,
    pub friction: f64,
    pub restitution: f64,
    /// Impulses of the step before, along n and the two tangents.
    pub warm: [f64; 3],
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// Where its coefficients begin: for each side J, then M⁻¹Jᵀ.
    start: usize,
    /// 1 / (J M⁻¹ Jᵀ)
    softness: f64,
    impulse: f64,
    target: f64,
}

#[derive(Clone, Copy, Debug)]
struct Contact {
    sides: [Option<Side>; 2],
    friction: f64,
    rows: [Row; 3],
    /// How the two tangents give way: Jt M⁻¹ Jtᵀ, its elements 11, 12 and 22.
    across: [f64; 3],
}

/// Buffers for one group after the other.
#[derive(Default)]
pub(super) struct Solver {
    /// u⁰, u¹ and, in the end, u.
    pub before: Vec<f64>,
    pub velocities: Vec<f64>,
    coefficients: Vec<f64>,
    contacts: Vec<Contact>,
    /// The approach at the beginning of the step, if the contact is an impact; and when.
    pub impacts: Vec<Option<f64>>,
}

impl Solver {
    pub fn clear(&mut self) {
        self.before.clear();
        self.velocities.clear();
        self.coefficients.clear();
        self.contacts.clear();
        self.impacts.clear();
    }

    /// Adds the velocities of a body: before and after the step.
    pub fn add_mover(&mut self, before: &[f64], after: &[f64]) -> Side {
        let first = self.velocities.len();
        self.before.extend_from_slice(before);
        self.velocities.extend_from_slice(after);
        Side { first, count: before.len() }
    }

    /// Adds a contact. `rows` fills, for a direction number (0: normal, 1 and 2: tangents) and a side (0: first,
    /// 1: second), J and M⁻¹Jᵀ.
    pub fn add_contact(
        &mut self,
        sides: [Option<Side>; 2],
        point: &Point,
        h: f64,
        mut rows: impl FnMut(usize, usize, &mut [f64], &mut [f64]),
    ) {
        let made = [0, 1, 2].map(|direction| {
            let start = self.coefficients.len();
            let mut resistance = 0.0;
            for (number, side) in sides.iter().enumerate() {
                let Some(side) = side else { continue };
                let at = self.coefficients.len();
                self.coefficients.resize(at + 2 * side.count, 0.0);
                let (jacobian, response) = self.coefficients[at..].split_at_mut(side.count);
                rows(direction, number, jacobian, response);
                resistance += dot(jacobian, response);
            }
            let softness = if resistance > 0.0 { 1.0 / resistance } else { 0.0 };
            Row { start, softness, impulse: point.warm[direction], target: 0.0 }
        });
        let mut contact = Contact { sides, friction: point.friction, rows: made, across: [0.0; 3] };
        contact.across = [(1, 1), (1, 2), (2, 2)].map(|(a, b)| self.yields(&contact, a, b));
        let (target, impact) = self.target(&contact, point, h);
        contact.rows[0].target = target;
        self.impacts.push(impact);
        self.contacts.push(contact);
    }

    /// The least normal velocity after the step, and the time of the impact if it is one.
    fn target(&self, contact: &Contact, point: &Point, h: f64) -> (f64, Option<f64>) {
        let approach = self.along(contact, 0, &self.before);
        let free = self.along(contact, 0, &self.velocities);
        let reached = point.gap.max(0.0) <= -approach * h;
        if reached && approach < -SLOWEST_BOUNCE {
            let acceleration = (free - approach) / h;
            let at = point.gap.max(0.0) / -approach;
            let rebound = -point.restitution * (approach + acceleration * at);
            let target =
                if rebound > SLOWEST_BOUNCE { rebound + acceleration * (h - at) } else { 0.0 };
            return (target, Some(at));
        }
        if point.gap > 0.0 {
            (-point.gap / h, None)
        } else {
            ((-RECOVERY * point.gap / h).min(FASTEST_RECOVERY), None)
        }
    }

    /// How fast an impulse along row `b` makes row `a`: Ja M⁻¹ Jbᵀ.
    fn yields(&self, contact: &Contact, a: usize, b: usize) -> f64 {
        let (mut at, mut other) = (contact.rows[a].start, contact.rows[b].start);
        let mut sum = 0.0;
        for side in contact.sides.iter().flatten() {
            let response = &self.coefficients[other + side.count..other + 2 * side.count];
            sum += dot(&self.coefficients[at..at + side.count], response);
            (at, other) = (at + 2 * side.count, other + 2 * side.count);
        }
        sum
    }

    /// J u of a row.
    #[inline]
    fn along(&self, contact: &Contact, row: usize, velocities: &[f64]) -> f64 {
        let mut at = contact.rows[row].start;
        let mut sum = 0.0;
        for side in contact.sides.iter().flatten() {
            let own = &velocities[side.first..side.first + side.count];
            sum += dot(&self.coefficients[at..at + side.count], own);
            at += 2 * side.count;
        }
        sum
    }

    /// u += M⁻¹Jᵀ λ
    #[inline]
    fn push(&mut self, contact: usize, row: usize, impulse: f64) {
        if impulse == 0.0 {
            return;
        }
        let Contact { sides, rows, .. } = &self.contacts[contact];
        let mut at = rows[row].start;
        for side in sides.iter().flatten() {
            let response = &self.coefficients[at + side.count..at + 2 * side.count];
            let own = &mut self.velocities[side.first..side.first + side.count];
            for (velocity, response) in own.iter_mut().zip(response) {
                *velocity += response * impulse;
            }
            at += 2 * side.count;
        }
    }

    /// Finds the impulses; `velocities` are then those after the step.
    pub fn solve(&mut self) {
        for contact in 0..self.contacts.len() {
            for row in 0..3 {
                self.push(contact, row, self.contacts[contact].rows[row].impulse);
            }
        }
        for _ in 0..MOST_ITERATIONS {
            let (mut change, mut largest) = (0.0_f64, 0.0_f64);
            for number in 0..self.contacts.len() {
                let (changed, size) = self.improve(number);
                change = change.max(changed);
                largest = largest.max(size);
            }
            if change <= PRECISION * largest {
                break;
            }
        }
    }

    /// One contact made right; how much its impulses changed, and how large they are.
    fn improve(&mut self, number: usize) -> (f64, f64) {
        let contact = self.contacts[number];
        let normal = &contact.rows[0];
        let error = self.along(&contact, 0, &self.velocities) - normal.target;
        let impulse = (normal.impulse - error * normal.softness).max(0.0);
        let change = impulse - normal.impulse;
        self.contacts[number].rows[0].impulse = impulse;
        self.push(number, 0, change);
        let mut changed = change.abs();

        let limit = contact.friction * impulse;
        let old = [contact.rows[1].impulse, contact.rows[2].impulse];
        let slip = [1, 2].map(|tangent| self.along(&contact, tangent, &self.velocities));
        let wanted = friction::impulse(contact.across, old, slip, limit);
        for tangent in 0..2 {
            let change = wanted[tangent] - old[tangent];
            self.contacts[number].rows[1 + tangent].impulse = wanted[tangent];
            self.push(number, 1 + tangent, change);
            changed = changed.max(change.abs());
        }
        (changed, impulse)
    }

    /// The impulses of a contact along n and the tangents.
    pub fn impulse(&self, contact: usize) -> [f64; 3] {
        self.contacts[contact].rows.map(|row| row.impulse)
    }
}

#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    if let (&[a0, a1, a2, a3, a4, a5], &[b0, b1, b2, b3, b4, b5]) = (a, b) {
        return (a0 * b0 + a1 * b1 + a2 * b2) + (a3 * b3 + a4 * b4 + a5 * b5);
    }
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The row of a rigid body: a force along `way` (in the body) at `arm` from its centre of mass.
#[inline]
pub(super) fn rigid_row(way: &Vector3<f64>, arm: &Vector3<f64>, jacobian: &mut [f64]) {
    let moment = arm.cross(way);
    jacobian[..3].copy_from_slice(way.as_slice());
    jacobian[3..].copy_from_slice(moment.as_slice());
}
