//! Line-of-sight guidance along the way-points of a mission, with an integral against currents.
//!
//! ```text
//!        way-point          e: cross-track error, to starboard of the leg
//!          ●                γ: course of the leg
//!          │ ╲ look-ahead
//!          │  ╲             ψ_w = γ - atan((e + σ E) / Δ)
//!          │   ╲            E'  = Δ e / ((e + σ E)² + Δ²)
//!          │─e──▲
//! ```
//!
//! E. Børhaug, A. Pavlov, K. Y. Pettersen, "Integral LOS control for path following of underactuated
//! marine surface vessels in the presence of constant ocean currents", 47th IEEE Conference on Decision
//! and Control, 2008. In a current across the leg E settles where atan(σ E / Δ) is the crab angle. Near
//! the leg, at speed U, the error follows s² + (U/Δ) s + U σ/Δ² = 0: aperiodic for σ <= U/4.
//!
//! At a turn by α the integral is taken along as E cos α: what pushed to starboard pushes to port on the
//! way back.

use std::sync::Arc;

use ironbird_component::Component;
use ironbird_kernel::{Periodic, QueryIn, SignalIn, SignalOut, Start, Step, Time};
use ironbird_kinematics::{Level, Mission, Waypoint};

use super::set_points::SetPoints;
use crate::track::Track;

/// Guides a vehicle along the way-points of a mission: straight legs, a heading that leads back to the
/// leg, and an integral that finds the crab angle in a current.
///
/// The first leg leads from where the vehicle is to the first way-point. A way-point is passed within
/// `acceptance` of it, or abeam of it. Between two way-points the depth changes evenly; a way-point with
/// a height above the sea bed asks for that height all along its leg. After the last way-point the speed
/// is zero, heading and depth stay.
#[derive(Component)]
#[component(type = "guidance.line-of-sight", periodic, rate = "10 Hz", start = Self::begin)]
pub struct LineOfSight {
    /// Distance along the leg at which it aims.
    #[parameter(unit = "m", default = 10.0, above = 0)]
    look_ahead: f64,
    /// Gain of the integral of the cross-track error, sigma; 0 m/s for none. A quarter of the speed or
    /// less does not overshoot.
    #[parameter(unit = "m/s", default = 0.3, min = 0)]
    integral_gain: f64,
    /// A way-point is passed within this horizontal distance.
    #[parameter(unit = "m", default = 3.0, min = 0)]
    acceptance: f64,
    /// The mission.
    #[query]
    mission: QueryIn<(), Arc<Mission>>,
    /// Position.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// What an autopilot is to hold.
    #[output(
        unit = "heading: rad, depth: m, height: m, speed: m/s",
        initial = SetPoints::default()
    )]
    set_points: SignalOut<SetPoints>,
    /// Distance from the leg, positive to its starboard.
    #[output(unit = "m", initial = 0.0)]
    cross_track: SignalOut<f64>,
    /// Number of the way-point that it goes to, from 0.
    #[output(initial = 0)]
    waypoint: SignalOut<u32>,
    /// Whether all way-points are passed.
    #[output(initial = false)]
    finished: SignalOut<bool>,
    /// The way-point that it goes to.
    target: usize,
    /// Where the first leg begins, once that is known.
    origin: Option<[f64; 2]>,
    /// Direction of the leg: cosine and sine of its course.
    direction: [f64; 2],
    /// E
    integral: f64,
    last: Time,
}

impl LineOfSight {
    fn begin(&mut self, start: &mut Start<'_>) {
        self.last = start.now();
        let mission = start.ask(self.mission, &());
        if mission.waypoints.is_empty() {
            return start.fail("the mission has no way-points: it needs at least one");
        }
        for (number, waypoint) in mission.waypoints.iter().enumerate() {
            if let Some(reason) = unusable(waypoint) {
                return start.fail(format!("way-point {number} of the mission {reason}"));
            }
        }
    }

    /// The leg to the present way-point.
    fn leg(&self, waypoints: &[Waypoint], position: [f64; 3]) -> Option<Track> {
        let from = match self.target.checked_sub(1) {
            Some(previous) => waypoints[previous].place().into(),
            None => self.origin?,
        };
        Track::new(from, waypoints[self.target].place().into(), position)
    }

    /// Passes way-points, until there is a leg to follow or none is left.
    fn next_leg(&mut self, waypoints: &[Waypoint], position: [f64; 3]) -> Option<Track> {
        while self.target < waypoints.len() {
            let leg = self.leg(waypoints, position);
            if leg.is_some_and(|leg| leg.left() > self.acceptance && leg.along < leg.length) {
                return leg;
            }
            self.target += 1;
        }
        None
    }

    /// The heading that leads to the leg and along it; keeps the integral.
    fn heading(&mut self, leg: &Track, elapsed: f64) -> f64 {
        let [cosine, sine] = self.direction;
        if [cosine, sine] != leg.direction {
            self.integral *= cosine * leg.direction[0] + sine * leg.direction[1];
            self.direction = leg.direction;
        }
        let (ahead, error) = (self.look_ahead, leg.across);
        let off = error + self.integral_gain * self.integral;
        self.integral += elapsed * ahead * error / (off * off + ahead * ahead);
        let off = error + self.integral_gain * self.integral;
        let [cosine, sine] = leg.direction;
        // The direction (ahead, -off) along and across the leg, turned to north and east.
        libm::atan2(ahead * sine - off * cosine, ahead * cosine + off * sine)
    }

    /// The way-point behind, or the first one.
    fn behind<'a>(&self, waypoints: &'a [Waypoint]) -> &'a Waypoint {
        &waypoints[self.target.saturating_sub(1)]
    }

    /// The level at this place of the leg: from that of the way-point behind to that of the next.
    fn level(&self, waypoints: &[Waypoint], leg: &Track) -> f64 {
        let (from, to) = (self.behind(waypoints).level, waypoints[self.target].level);
        from + leg.part() * (to - from)
    }
}

/// What is wrong with a way-point.
fn unusable(waypoint: &Waypoint) -> Option<String> {
    let Waypoint { north, east, level, speed, .. } = waypoint;
    let place = [*north, *east, *level];
    if !place.iter().all(|x| x.is_finite()) {
        return Some(format!("is at {place:?} m: it must be at numbers"));
    }
    let is_wrong = !(*speed > 0.0 && speed.is_finite());
    is_wrong.then(|| format!("has a speed of {speed} m/s: it must be above 0 m/s"))
}

impl Periodic for LineOfSight {
    fn step(&mut self, step: &mut Step<'_>) {
        let position = *step.signal(self.position);
        if !position.iter().all(|x| x.is_finite()) {
            return step
                .fail(format!("the input \"position\" is {position:?}: it must be numbers"));
        }
        let mission = step.ask(self.mission, &());
        let waypoints = &mission.waypoints[..];
        let Some(last) = waypoints.last() else {
            return step.fail("the mission has no way-points: it needs at least one");
        };
        self.origin.get_or_insert([position[0], position[1]]);
        let elapsed = (step.now() - self.last).as_secs_f64();
        self.last = step.now();
        let by_height = mission.level == Level::Height;
        let at = |level: f64| match by_height {
            true => SetPoints { height: level, by_height, valid: true, ..SetPoints::default() },
            false => SetPoints { depth: level, valid: true, ..SetPoints::default() },
        };
        let (wanted, across) = match self.next_leg(waypoints, position) {
            Some(leg) => {
                let heading = self.heading(&leg, elapsed);
                let speed = self.behind(waypoints).speed;
                let wanted = SetPoints { heading, speed, ..at(self.level(waypoints, &leg)) };
                (wanted, leg.across)
            }
            None => {
                let heading = libm::atan2(self.direction[1], self.direction[0]);
                (SetPoints { heading, ..at(last.level) }, 0.0)
            }
        };
        step.write(self.set_points, wanted);
        step.write(self.cross_track, across);
        step.write(self.waypoint, u32::try_from(self.target).unwrap_or(u32::MAX));
        step.write(self.finished, self.target >= waypoints.len());
    }
}
