//! The impulses that keep a group of bodies apart: during a part of a step, or in an impact.
//!
//! Velocities of a body are a short vector u: six numbers of a rigid body (velocity of the centre of mass and angular
//! velocity: north, east, down), more with joints. With u¹ the velocities if nothing touched, a point of contact with
//! normal n, tangents t, friction μ:
//!
//! ```text
//! u = u¹ + Σ M⁻¹ Jᵀ λ
//! λn ≥ λmin,   Jn u ≥ target,   (λn - λmin) (Jn u - target) = 0
//! |λt| ≤ μ λn,   Jt u = target where it sticks,   λt = -μ λn s / |s| with s = Jt u - target where it slides
//! ```
//!
//! Solved by Gauss-Seidel iteration in the order of the contacts, each made right by itself (`friction.rs`), from the
//! impulses that are given (J. J. Moreau, *Unilateral contact and dry friction in finite freedom dynamics*, 1988;
//! E. Catto, *Iterative dynamics with temporal coherence*, 2005). Iteration ends by a rule that looks at this group
//! alone.

use super::acceleration::Acceleration;
use super::friction;
use super::rows::{Contact, Row, Side, dot};

/// So many iterations are not accelerated.
const PLAIN_ITERATIONS: usize = 20;
/// Impulses after a leap are larger by this factor at most.
const LARGEST_LEAP: f64 = 10.0;
/// Final are impulses that change speeds by less than this, of the largest.
const ROUNDING: f64 = 256.0 * f64::EPSILON;

/// How exactly impulses are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Iterations at most.
    most: usize,
    /// Impulses that change by less than this, of the largest, are final.
    precision: f64,
}

impl Effort {
    /// In a part of a step: what is left is put right in the next ones.
    pub const PART: Self = Effort { most: 60, precision: 1e-9 };
    /// In an impact: what is left stays.
    pub const IMPACT: Self = Effort { most: 100, precision: 1e-11 };
}

/// Buffers for one group after the other.
#[derive(Default)]
pub(super) struct Solver {
    /// u at the beginning, and u¹, then u.
    pub before: Vec<f64>,
    pub velocities: Vec<f64>,
    coefficients: Vec<f64>,
    pub(super) contacts: Vec<Contact>,
    /// Those that take part, in order.
    pub(super) chosen: Vec<usize>,
    leaps: Leaps,
    /// The best velocities and impulses of those that do not settle.
    kept: (Vec<f64>, Vec<[f64; 3]>),
}

/// Impulses before and after an iteration, to leap ahead from there.
#[derive(Default)]
struct Leaps {
    before: Vec<f64>,
    after: Vec<f64>,
    weights: Vec<f64>,
    acceleration: Acceleration,
}

impl Solver {
    pub fn clear(&mut self) {
        self.before.clear();
        self.velocities.clear();
        self.coefficients.clear();
        self.contacts.clear();
        self.chosen.clear();
    }

    /// Adds the velocities of a body: at the beginning, and at the end if nothing touched.
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
        friction: f64,
        mut rows: impl FnMut(usize, usize, &mut [f64], &mut [f64]),
    ) {
        let mut made = [Row { start: 0, impulse: 0.0, target: 0.0 }; 3];
        for (direction, row) in made.iter_mut().enumerate() {
            row.start = self.coefficients.len();
            for (number, side) in sides.iter().enumerate() {
                let Some(side) = side else { continue };
                let at = self.coefficients.len();
                self.coefficients.resize(at + 2 * side.count, 0.0);
                let (jacobian, response) = self.coefficients[at..].split_at_mut(side.count);
                rows(direction, number, jacobian, response);
            }
        }
        let (yielding, across) = (0.0, [0.0; 3]);
        let mut contact = Contact { sides, friction, rows: made, yielding, across, least: 0.0 };
        contact.yielding = self.yields(&contact, 0, 0);
        let across = |a: usize, b: usize| self.yields(&contact, a, b);
        contact.across = [across(1, 1), across(1, 2), across(2, 2)];
        self.contacts.push(contact);
    }

    /// How fast an impulse along row `b` makes row `a`: Ja M⁻¹ Jbᵀ.
    #[inline]
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

    /// The most that an impulse across a contact moves it.
    pub fn loosest(&self, contact: usize) -> f64 {
        let [a, _, c] = self.contacts[contact].across;
        a + c
    }

    /// Jn M⁻¹ Jnᵀ of a contact: how fast an impulse makes it; zero where nothing gives way.
    pub fn yielding(&self, contact: usize) -> f64 {
        self.contacts[contact].yielding
    }

    /// J u of a contact at the beginning.
    #[inline]
    pub fn begun(&self, contact: usize) -> [f64; 3] {
        self.speeds(contact, &self.before)
    }

    /// J u of a contact at the end, as far as that is known.
    #[inline]
    pub fn ended(&self, contact: usize) -> [f64; 3] {
        self.speeds(contact, &self.velocities)
    }

    /// J u of a contact.
    #[inline]
    pub fn speeds(&self, contact: usize, velocities: &[f64]) -> [f64; 3] {
        let contact = &self.contacts[contact];
        [0, 1, 2].map(|row| contact.along(row, &self.coefficients, velocities))
    }

    /// u += M⁻¹Jᵀ λ
    #[inline]
    fn push(&mut self, contact: usize, row: usize, impulse: f64) {
        let Solver { contacts, coefficients, velocities, .. } = self;
        contacts[contact].push(row, impulse, coefficients, velocities);
    }

    /// The same to any u.
    #[inline]
    pub fn add(&self, contact: usize, row: usize, impulse: f64, velocities: &mut [f64]) {
        self.contacts[contact].push(row, impulse, &self.coefficients, velocities);
    }

    /// Lets a contact take part, with its targets, and the impulses to begin with.
    pub fn choose(&mut self, contact: usize, targets: [f64; 3], impulses: [f64; 3], least: f64) {
        self.chosen.push(contact);
        self.contacts[contact].least = least;
        for row in 0..3 {
            self.contacts[contact].rows[row].target = targets[row];
            self.contacts[contact].rows[row].impulse = impulses[row];
            self.push(contact, row, impulses[row]);
        }
    }

    /// No contact takes part any more; velocities stay as they are.
    pub fn choose_none(&mut self) {
        for number in self.chosen.drain(..) {
            self.contacts[number].rows.iter_mut().for_each(|row| row.impulse = 0.0);
        }
    }

    /// Finds the impulses; `velocities` are then those at the end. Whether they are final.
    pub fn solve(&mut self, effort: Effort) -> bool {
        let fastest =
            self.velocities.iter().fold(0.0_f64, |fastest, speed| fastest.max(speed.abs()));
        let rounding = ROUNDING * fastest;
        let mut best = f64::INFINITY;
        for iteration in 0..effort.most {
            // The last leap is looked at as well, and may be taken back.
            let fast = (PLAIN_ITERATIONS..=effort.most - PLAIN_ITERATIONS).contains(&iteration);
            if fast {
                self.read(iteration == PLAIN_ITERATIONS);
            }
            let (mut change, mut largest, mut rounded) = (0.0_f64, 0.0_f64, true);
            for at in 0..self.chosen.len() {
                let (changed, size) = self.improve(self.chosen[at]);
                change = change.max(changed);
                largest = largest.max(size);
                rounded &= changed * self.contacts[self.chosen[at]].yielding <= rounding;
            }
            if rounded || change <= effort.precision * largest {
                return true;
            }
            if iteration + 1 >= PLAIN_ITERATIONS && change < best {
                best = change;
                self.keep();
            }
            if fast {
                self.leap(iteration + PLAIN_ITERATIONS == effort.most);
            }
        }
        // Nothing was kept where velocities are no longer numbers.
        if best < f64::INFINITY {
            self.take_kept();
        }
        if self.makes_energy() {
            self.relax();
        }
        false
    }

    /// Keeps velocities and impulses.
    fn keep(&mut self) {
        let Solver { velocities, contacts, chosen, kept: (speeds, impulses), .. } = self;
        speeds.clone_from(velocities);
        impulses.clear();
        impulses.extend(chosen.iter().map(|&contact| contacts[contact].impulses()));
    }

    fn take_kept(&mut self) {
        let Solver { velocities, contacts, chosen, kept: (speeds, impulses), .. } = self;
        velocities.clone_from(speeds);
        for (&contact, &impulse) in chosen.iter().zip(&*impulses) {
            contacts[contact].set_impulses(impulse);
        }
    }

    /// Takes down the impulses before an iteration that is to be accelerated.
    fn read(&mut self, first: bool) {
        let Solver { contacts, chosen, leaps, .. } = self;
        leaps.before.clear();
        for &contact in chosen.iter() {
            leaps.before.extend(contacts[contact].rows.iter().map(|row| row.impulse));
        }
        if first {
            leaps.acceleration.reset();
            leaps.weights.clear();
            for &contact in chosen.iter() {
                let Contact { yielding, across: [a, _, c], .. } = &contacts[contact];
                leaps.weights.extend([yielding, a, c].map(|yielding| yielding.sqrt()));
            }
        }
    }

    /// Leaps ahead after it; after the `last` one not any more.
    fn leap(&mut self, last: bool) {
        let mut leaps = std::mem::take(&mut self.leaps);
        leaps.after.clear();
        for &contact in &self.chosen {
            leaps.after.extend(self.contacts[contact].rows.iter().map(|row| row.impulse));
        }
        leaps.acceleration.advance(&mut leaps.before, &leaps.after, &leaps.weights, last);
        // Where points all but coincide a leap may lead anywhere, and what it adds and takes away drowns the velocities.
        let size = |impulses: &[f64]| impulses.iter().fold(0.0_f64, |most, i| most.max(i.abs()));
        if size(&leaps.before) > LARGEST_LEAP * size(&leaps.after) {
            leaps.acceleration.reset();
            self.leaps = leaps;
            return;
        }
        for (at, numbers) in leaps.before.chunks_exact(3).enumerate() {
            self.give(self.chosen[at], [numbers[0], numbers[1], numbers[2]]);
        }
        self.leaps = leaps;
    }

    /// One contact made right; how much its impulses changed, and how large they are.
    #[inline]
    fn improve(&mut self, number: usize) -> (f64, f64) {
        let Solver { contacts, coefficients, velocities, .. } = self;
        let contact = &mut contacts[number];
        if contact.yielding <= 0.0 {
            return (0.0, 0.0);
        }
        let [normal, first, second] = contact.rows;
        let error = contact.along(0, coefficients, velocities) - normal.target;
        let impulse = (normal.impulse - error / contact.yielding).max(contact.least);
        let change = impulse - normal.impulse;
        contact.rows[0].impulse = impulse;
        contact.push(0, change, coefficients, velocities);
        let mut changed = change.abs();

        let limit = contact.friction * impulse;
        let old = [first.impulse, second.impulse];
        let slip = [
            contact.along(1, coefficients, velocities) - first.target,
            contact.along(2, coefficients, velocities) - second.target,
        ];
        let wanted = friction::impulse(contact.across, old, slip, limit);
        for tangent in 0..2 {
            let change = wanted[tangent] - old[tangent];
            contact.rows[1 + tangent].impulse = wanted[tangent];
            contact.push(1 + tangent, change, coefficients, velocities);
            changed = changed.max(change.abs());
        }
        (changed, impulse)
    }

    /// The impulses of a contact along n and the tangents.
    pub fn impulse(&self, contact: usize) -> [f64; 3] {
        self.contacts[contact].impulses()
    }

    pub fn set_impulse(&mut self, contact: usize, impulse: [f64; 3]) {
        self.contacts[contact].set_impulses(impulse);
    }

    /// Whether a contact pushes, or would if the others pushed less.
    pub fn bears(&self, contact: usize) -> bool {
        let own = &self.contacts[contact];
        let Row { impulse, target, .. } = own.rows[0];
        self.chosen.contains(&contact)
            && (impulse > 0.0 || own.along(0, &self.coefficients, &self.velocities) - target < 1e-9)
    }

    /// Gives a contact another normal impulse, and as much more or less friction.
    pub fn load(&mut self, contact: usize, impulse: f64) {
        let old = self.impulse(contact);
        let factor = if old[0] > 0.0 { impulse / old[0] } else { 0.0 };
        self.give(contact, [impulse, factor * old[1], factor * old[2]]);
    }

    /// Gives a contact other impulses, and the bodies what these change.
    pub fn give(&mut self, contact: usize, impulses: [f64; 3]) {
        let old = self.impulse(contact);
        self.set_impulse(contact, impulses);
        for row in 0..3 {
            self.push(contact, row, impulses[row] - old[row]);
        }
    }

    /// Whether a contact holds less than friction could.
    pub fn sticks(&self, contact: usize) -> bool {
        let Contact { friction, rows: [normal, first, second], .. } = &self.contacts[contact];
        let size = (first.impulse * first.impulse + second.impulse * second.impulse).sqrt();
        size < friction * normal.impulse * (1.0 - 1e-9)
    }
}
