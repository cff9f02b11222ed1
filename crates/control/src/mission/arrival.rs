//! `mission.arrival`: when a vehicle is where it was sent, to the picosecond.
//!
//! ```text
//! z = (n - n_t)² + (e - e_t)² - r²        arrived: z falls through zero
//! ```

use ironbird_component::{Announced, Component, Followed, Held};
use ironbird_kernel::Time;
use ironbird_solvers::{Block, Direction, Edit, Number, Point, Watched};
use serde::{Deserialize, Serialize};

const NORTH: usize = 0;
const EAST: usize = 1;
const TARGET_NORTH: usize = 2;
const TARGET_EAST: usize = 3;
const TARGET: usize = 4;

const ARRIVED: usize = 0;

/// Says when a vehicle comes within `radius` of its target, at the exact time.
///
/// Each target is announced once: when the vehicle comes near it, or at once where it is near already.
/// `target` is the number of the target, and 0 while there is none, as `mission.path-planner` shows it.
#[derive(Component, Serialize, Deserialize)]
#[component(type = "mission.arrival", continuous)]
pub struct ArrivalWatch {
    /// Horizontal distance within which the target is reached.
    #[parameter(unit = "m", default = 10.0, above = 0)]
    radius: f64,
    /// North of the vehicle.
    #[input(index = NORTH, unit = "m")]
    north: Followed,
    /// East of the vehicle.
    #[input(index = EAST, unit = "m")]
    east: Followed,
    /// North of the target.
    #[input(index = TARGET_NORTH, unit = "m")]
    target_north: Held,
    /// East of the target.
    #[input(index = TARGET_EAST, unit = "m")]
    target_east: Held,
    /// Number of the target; 0 for none.
    #[input(index = TARGET)]
    target: Held,
    /// The target was reached.
    #[output(event = ARRIVED)]
    arrived: Announced,
    /// Number of the target that was reached last.
    reached: f64,
    /// Nothing is near before the first instant, so that what begins at its target arrives there.
    has_begun: bool,
}

impl Block for ArrivalWatch {
    fn states(&self) -> usize {
        0
    }

    fn inputs(&self) -> usize {
        5
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
        let north = at.u(NORTH) - at.u(TARGET_NORTH);
        let east = at.u(EAST) - at.u(TARGET_EAST);
        let target = at.u(TARGET).value();
        let beyond = north * north + east * east - self.radius * self.radius;
        let is_watched = self.has_begun && target > 0.0 && target != self.reached;
        if is_watched { beyond } else { N::constant(1.0) }
    }

    fn watches(&self, _: usize) -> Watched {
        Watched::Falling
    }

    fn on_crossing(&mut self, _: usize, _: Direction, edit: &mut Edit<'_>) {
        self.reached = edit.u(TARGET);
        edit.announce();
    }

    fn next_time_event(&self) -> Time {
        if self.has_begun { Time::NEVER } else { Time::ZERO }
    }

    fn on_time_event(&mut self, _: &mut Edit<'_>) {
        self.has_begun = true;
    }
}
