//! Stops and speed limits of joints, held by impulses.
//!
//! A joint that reaches a stop is stopped there without rebound, as by a blow: an impulse p in the joint changes all
//! velocities by M⁻¹ eᵢ p, so that the base feels it, too. Where several stops act at once, the impulses that keep
//! every speed in its interval and only push off their stops are found by projected Gauss-Seidel iteration:
//!
//! ```text
//! lowᵢ ≤ qᵢ' ≤ highᵢ        pᵢ ≥ 0 where it holds the lower end, ≤ 0 the upper, 0 in between
//! ```
//!
//! Stiff springs would need steps far below 1 ms; an impulse without rebound takes energy at any step. After a step of
//! the fourth order a joint that has passed its stop by that step's motion is put back on it: it loses the speed, and
//! with it the potential energy that it gained on the way.

use super::dynamics::Dynamics;
use super::law::JointLaw;
use super::state::TreeState;
use super::tree::{Freedom, Tree};

/// Rounds of the iteration at most; a single stop needs one.
const MOST_ROUNDS: usize = 500;

/// Room for the impulses.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    /// Links whose joints have stops.
    links: Vec<usize>,
    impulses: Vec<f64>,
    /// M⁻¹ eᵢ of each, and whether it is there.
    responses: Vec<f64>,
    known: Vec<bool>,
}

impl Stops {
    pub fn new(tree: &Tree) -> Self {
        let stopped = |index: &usize| {
            matches!(tree.links[*index].freedom, Freedom::Axis(_))
                && tree.links[*index].law.has_stops()
        };
        let links: Vec<usize> = (1..tree.links.len()).filter(stopped).collect();
        Stops {
            impulses: vec![0.0; links.len()],
            responses: vec![0.0; links.len() * tree.dofs()],
            known: vec![false; links.len()],
            links,
        }
    }
}

/// The speeds that a joint may have: at a stop, none beyond it; `ahead` seconds before one, what reaches it then.
fn allowed(law: &JointLaw, position: f64, ahead: f64) -> (f64, f64) {
    let room = |distance: f64| {
        if ahead > 0.0 {
            distance.max(0.0) / ahead
        } else if distance > 0.0 {
            f64::INFINITY
        } else {
            0.0
        }
    };
    let low = -room(position - law.lower);
    let high = room(law.upper - position);
    (low.max(-law.speed), high.min(law.speed))
}

impl Dynamics {
    /// Takes from the velocities what would drive joints beyond their stops within `ahead` seconds, or, with 0, puts
    /// joints that are beyond a stop back on it and takes the speed that drives them there.
    pub fn hold_stops(&mut self, state: &mut TreeState, ahead: f64) {
        if ahead == 0.0 {
            for &link in &self.stops.links {
                let link = &self.tree.links[link];
                let position = &mut state.positions[link.position];
                *position = position.clamp(link.law.lower, link.law.upper);
            }
        }
        let violated = |&index: &usize| {
            let link = &self.tree.links[index];
            let speed = state.velocities[link.dof];
            let (low, high) = allowed(&link.law, state.positions[link.position], ahead);
            self.loads.prescribed[index].is_none() && (speed < low || speed > high)
        };
        if !self.stops.links.iter().any(violated) {
            return;
        }
        self.motions.place(&self.tree, state);
        if self.factorise(ahead).is_none() {
            return;
        }
        self.stops.impulses.fill(0.0);
        self.stops.known.fill(false);
        for _ in 0..MOST_ROUNDS {
            if !self.sweep_stops(state, ahead) {
                break;
            }
        }
    }

    /// One round over all stops; says whether any speed was still out of its interval.
    fn sweep_stops(&mut self, state: &mut TreeState, ahead: f64) -> bool {
        let size = self.tree.dofs();
        let mut changed = false;
        for number in 0..self.stops.links.len() {
            let link = self.stops.links[number];
            if self.loads.prescribed[link].is_some() {
                continue;
            }
            let (dof, law) = (self.tree.links[link].dof, &self.tree.links[link].law);
            let speed = state.velocities[dof];
            let (low, high) = allowed(law, state.positions[self.tree.links[link].position], ahead);
            let held = self.stops.impulses[number];
            let out = if speed < low || held > 0.0 {
                low - speed
            } else if speed > high || held < 0.0 {
                high - speed
            } else {
                continue;
            };
            let own = self.tree.base_dofs() + dof;
            let response = &mut self.stops.responses[number * size..(number + 1) * size];
            if !self.stops.known[number] {
                response.fill(0.0);
                response[own] = 1.0;
                self.matrix.solve(response);
                self.stops.known[number] = true;
            }
            let mut impulse = out / response[own];
            // A stop that has pushed may push less, not pull.
            if held > 0.0 {
                impulse = impulse.max(-held);
            } else if held < 0.0 {
                impulse = impulse.min(-held);
            }
            self.stops.impulses[number] += impulse;
            state.push(&self.tree, response, impulse);
            changed |= (impulse * response[own]).abs() > 1e-12 * (1.0 + speed.abs());
        }
        changed
    }
}
