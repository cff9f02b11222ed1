//! Hands out the legs of a mission one after the other.

use std::sync::Arc;

use ironbird_component::Component;
use ironbird_component::scenery::Scenery;
use ironbird_kernel::{EventOut, Periodic, QueryIn, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::{Leg, Mission};

use super::route::{Passing, Route};
use super::seen::not_a_number;

/// Shows the leg of a mission that is to be flown, and goes to the next when a way-point is passed:
/// within `acceptance` of it, or beyond the line through it across the leg.
///
/// The mission is asked for at the first step; its levels are coordinates down. The first leg begins
/// where the aircraft is then. The speed of a way-point holds from there to the next. After the last
/// way-point the last leg stays, and the aircraft goes on along it, unless `repeat` leads to the
/// first again.
#[derive(Component)]
#[component(
    type = "control.waypoint-sequencer",
    periodic,
    rate = "50 Hz",
    start = Self::begin,
    scenery = Self::scenery
)]
pub struct WaypointSequencer {
    /// A way-point is passed within this horizontal distance (WP_RADIUS).
    #[parameter(unit = "m", default = 30.0, min = 0)]
    acceptance: f64,
    /// Whether the mission is flown again and again.
    #[parameter(default = false)]
    repeat: bool,
    /// The mission.
    #[query]
    mission: QueryIn<(), Arc<Mission>>,
    /// Position.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// The leg to follow.
    #[output(unit = "from: m, to: m, speed: m/s", frame = "ned", initial = Leg::default())]
    leg: SignalOut<Leg>,
    /// Number of the way-point that it leads to, from 0.
    #[output(initial = 0)]
    waypoint: SignalOut<u32>,
    /// Whether all way-points are passed.
    #[output(initial = false)]
    finished: SignalOut<bool>,
    /// A way-point was passed: how many until now.
    #[output]
    passed: EventOut<u32>,
    route: Route,
}

impl WaypointSequencer {
    fn scenery(&self) -> Option<Scenery> {
        Some(Scenery { reach: Some(self.acceptance), ..Scenery::default() })
    }

    /// Refuses a mission that cannot be flown before the first instant.
    fn begin(&mut self, start: &mut Start<'_>) {
        let mission = start.ask(self.mission, &());
        if let Err(wrong) = begun(&mut Route::default(), &mission, [0.0; 3]) {
            start.fail(wrong);
        }
    }
}

fn begun(route: &mut Route, mission: &Mission, position: [f64; 3]) -> Result<(), String> {
    route.begin(Route::points_of(mission)?, position)
}

impl Periodic for WaypointSequencer {
    fn step(&mut self, step: &mut Step<'_>) {
        let position = *step.signal(self.position);
        if let Some(wrong) = not_a_number(&[("position", &position)]) {
            return step.fail(wrong);
        }
        if !self.route.has_begun() {
            let mission = step.ask(self.mission, &());
            if let Err(wrong) = begun(&mut self.route, &mission, position) {
                return step.fail(wrong);
            }
        }
        let before = self.route.passed();
        let passing = Passing { acceptance: self.acceptance, repeat: self.repeat };
        for number in 1..=self.route.advance(position, &passing) {
            step.send(self.passed, before.wrapping_add(number));
        }
        step.write(self.leg, self.route.leg());
        step.write(self.waypoint, self.route.target());
        step.write(self.finished, self.route.is_finished());
    }
}
