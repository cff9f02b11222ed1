//! From lanes that were detected, one after the other, to what the controller is to do.
//!
//! ```text
//! y⁻ = y + u ψ h                  ψ⁻ = ψ + (r - u κ) h                between two steps, h apart
//! y  = y⁻ + w (y_seen - y⁻)       ψ  = ψ⁻ + w (ψ_seen - ψ⁻)           w = 1 - e^(-h / filter)
//!
//! plan: y - target,  ψ,  κ + κ' u preview
//! ```
//!
//! u and r are speed and yaw rate of the vehicle, κ and κ' are filtered alike. The prediction keeps the filter
//! from lagging behind a vehicle that moves across its lane. Preview makes up for the time that the
//! wheels take to turn.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};
use serde::{Deserialize, Serialize};

use super::messages::{LanePlan, LaneSeen};

/// Plans the way along a lane: filters what was detected, and looks ahead for the curvature.
///
/// While no lane is detected it goes on with what the vehicle's own motion makes of the last one, for the
/// time `patience`; afterwards there is no plan.
#[derive(Component)]
#[component(type = "lane.planner", periodic, rate = "50 Hz")]
pub struct LanePlanner {
    /// Time constant of the filter; 0 for none.
    #[parameter(unit = "s", default = 0.03, min = 0)]
    filter: f64,
    /// How far ahead the curvature is taken, as a time at the present speed.
    #[parameter(unit = "s", default = 0.06, min = 0)]
    preview: f64,
    /// Where to drive: to starboard of the middle of the lane.
    #[parameter(unit = "m", default = 0.0)]
    target: f64,
    /// How long there is a plan without a lane.
    #[parameter(unit = "s", default = 0.5, min = 0)]
    patience: f64,
    /// The lane that was detected.
    #[input(unit = "offset: m, heading: rad, curvature: 1/m, curvature_growth: 1/m^2")]
    lane: SignalIn<LaneSeen>,
    /// Speed of the vehicle.
    #[input(unit = "m/s")]
    speed: SignalIn<f64>,
    /// Yaw rate of the vehicle, positive to starboard.
    #[input(unit = "rad/s")]
    yaw_rate: SignalIn<f64>,
    /// What the controller is to do.
    #[output(
        unit = "offset: m, heading: rad, curvature: 1/m",
        initial = LanePlan::default()
    )]
    plan: SignalOut<LanePlan>,
    belief: Option<Belief>,
}

/// The lane as the planner believes it to be.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Belief {
    offset: f64,
    heading: f64,
    curvature: f64,
    growth: f64,
    at: Time,
    /// When a lane was detected last.
    seen: Time,
}

impl Belief {
    /// What the motion of the vehicle has made of it.
    fn moved(self, now: Time, speed: f64, yaw_rate: f64) -> Belief {
        let elapsed = (now - self.at).as_secs_f64();
        Belief {
            offset: self.offset + speed * self.heading * elapsed,
            heading: self.heading + (yaw_rate - speed * self.curvature) * elapsed,
            curvature: self.curvature + self.growth * speed * elapsed,
            at: now,
            ..self
        }
    }

    fn corrected(self, lane: &LaneSeen, weight: f64) -> Belief {
        let towards = |believed: f64, seen: f64| believed + weight * (seen - believed);
        Belief {
            offset: towards(self.offset, lane.offset),
            heading: towards(self.heading, lane.heading),
            curvature: towards(self.curvature, lane.curvature),
            growth: towards(self.growth, lane.curvature_growth),
            seen: self.at,
            ..self
        }
    }

    fn new(lane: &LaneSeen, now: Time) -> Belief {
        Belief {
            offset: lane.offset,
            heading: lane.heading,
            curvature: lane.curvature,
            growth: lane.curvature_growth,
            at: now,
            seen: now,
        }
    }
}

impl LanePlanner {
    fn believe(&self, now: Time, lane: &LaneSeen, speed: f64, yaw_rate: f64) -> Option<Belief> {
        let Some(before) = self.belief else {
            return lane.valid.then(|| Belief::new(lane, now));
        };
        let moved = before.moved(now, speed, yaw_rate);
        if lane.valid {
            let elapsed = (now - before.at).as_secs_f64();
            let weight = if self.filter > 0.0 { -libm::expm1(-elapsed / self.filter) } else { 1.0 };
            return Some(moved.corrected(lane, weight));
        }
        ((now - before.seen).as_secs_f64() <= self.patience).then_some(moved)
    }
}

impl Periodic for LanePlanner {
    fn step(&mut self, step: &mut Step<'_>) {
        let lane = *step.signal(self.lane);
        let (speed, yaw_rate) = (*step.signal(self.speed), *step.signal(self.yaw_rate));
        self.belief = self.believe(step.now(), &lane, speed, yaw_rate);
        let plan = self.belief.map_or_else(LanePlan::default, |belief| LanePlan {
            offset: belief.offset - self.target,
            heading: belief.heading,
            curvature: belief.curvature + belief.growth * speed * self.preview,
            valid: true,
        });
        step.write(self.plan, plan);
    }
}
