//! `mission.detector`: when a vehicle comes near something hidden.

use ironbird_component::{Announced, Component, Followed};
use ironbird_kernel::Time;
use ironbird_solvers::{Block, Direction, Edit, Number, Point, Watched};
use serde::{Deserialize, Serialize};

const NORTH: usize = 0;
const EAST: usize = 1;

const FOUND: usize = 0;

/// Finds something hidden: says so, at the exact time, when the vehicle comes within `range` of it.
#[derive(Component, Serialize, Deserialize)]
#[component(type = "mission.detector", continuous)]
pub struct Detector {
    /// North and east of what is hidden.
    #[parameter(unit = "m")]
    hidden: [f64; 2],
    /// Horizontal distance from which it is seen.
    #[parameter(unit = "m", default = 30.0, above = 0)]
    range: f64,
    /// Whether it is found once only, or each time that the vehicle comes near.
    #[parameter(default = true)]
    once: bool,
    /// North of the vehicle.
    #[input(index = NORTH, unit = "m")]
    north: Followed,
    /// East of the vehicle.
    #[input(index = EAST, unit = "m")]
    east: Followed,
    /// It was found.
    #[output(event = FOUND)]
    found: Announced,
    was_found: bool,
    /// Nothing is near before the first instant, so that what begins near it finds it.
    has_begun: bool,
}

impl Block for Detector {
    fn states(&self) -> usize {
        0
    }

    fn inputs(&self) -> usize {
        2
    }

    fn initial(&self, _: usize) -> f64 {
        0.0
    }

    fn derivative<N: Number>(&self, _: usize, _: &impl Point<N>) -> N {
        N::constant(0.0)
    }

    fn crossings(&self) -> usize {
        1
    }

    fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        let (north, east) = (at.u(NORTH) - self.hidden[0], at.u(EAST) - self.hidden[1]);
        let beyond = north * north + east * east - self.range * self.range;
        let is_done = self.once && self.was_found;
        if self.has_begun && !is_done { beyond } else { N::constant(1.0) }
    }

    fn watches(&self, _: usize) -> Watched {
        Watched::Falling
    }

    fn on_crossing(&mut self, _: usize, _: Direction, edit: &mut Edit<'_>) {
        self.was_found = true;
        edit.announce();
    }

    fn next_time_event(&self) -> Time {
        if self.has_begun { Time::NEVER } else { Time::ZERO }
    }

    fn on_time_event(&mut self, _: &mut Edit<'_>) {
        self.has_begun = true;
    }
}
