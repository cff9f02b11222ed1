//! Lateral guidance along a leg by the nonlinear L1 law.
//!
//! ```text
//!      ●───────────────────┬───────●─────────►● leg       L1 = ζ T V / π
//!                          │y    ╱  reference point       η  = η₁ + η₂
//!                          │  ╱ L1                        η₁ = -asin(y / L1), within 45 degrees
//!                          ▲╱ η₁ + course of the leg      η₂ = course of the leg - course of the vehicle
//!                         ╱ V                             a  = 4 ζ² V² / L1 · sin η
//! ```
//!
//! S. Park, J. Deyst, J. P. How, "A New Nonlinear Guidance Logic for Trajectory Tracking", AIAA Guidance,
//! Navigation, and Control Conference, 2004: an acceleration towards a point of the path at the
//! distance L1 ahead. ArduPilot (*Plane: Navigation Tuning*) sets it by period T and damping ζ: near the
//! leg y'' + 2ζω y' + ω² y = 0 with ω = 2π/T, at every speed. V is the velocity over ground, so that a
//! steady wind leaves no error.
//!
//! Far from the leg η₁ stays at 45 degrees, which is the angle of capture. A vehicle far before the
//! start, more than 135 degrees off the leg's direction, goes to the start first. η counts up to 90
//! degrees, beyond which the turn is as tight as it gets.

use std::f64::consts::{FRAC_1_PI, FRAC_1_SQRT_2, FRAC_PI_2, PI};

use ironbird_component::{Choice, Component};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};
use ironbird_kinematics::{Leg, STANDARD_GRAVITY};

use super::level_demand::not_a_leg;
use super::seen::{LastStep, not_a_number};
use crate::autopilot::wrapped;
use crate::track::Track;

/// Beyond this angle towards the leg, 5 degrees, the integral of the cross-track error rests.
const INTEGRATES_WITHIN: f64 = 5.0 / 180.0 * PI;
/// What the integral may hold, in rad.
const INTEGRAL_LIMIT: f64 = 0.1;
/// Beyond this angle behind, a turn to either side is as long; it goes on to the side where it began.
const EITHER_SIDE: f64 = 0.9 * PI;
/// How long it goes on beyond the end of a leg before it turns back, in s.
const BEYOND: f64 = 3.0;

/// What is done beyond the end of a leg.
#[derive(Clone, Copy, Debug, Default, PartialEq, Choice)]
enum PastEnd {
    /// The leg goes on.
    #[default]
    GoOn,
    /// It turns back to the end of the leg, 3 s after it was passed.
    Return,
}

/// Guides an aircraft along a leg: the L1 law with the period and damping of ArduPilot. The demanded
/// bank gives the lateral acceleration in a coordinated turn.
///
/// While the leg is not valid the wings are level. What follows beyond the end of the leg is up to
/// `past_end`, but the owner of the route hands out the next leg before, as a rule.
///
/// The defaults suit a UAV of 2 kg and 1.27 m span at 17 m/s (Ultra Stick 25e).
#[derive(Component)]
#[component(type = "control.l1", periodic, rate = "50 Hz")]
pub struct L1Guidance {
    /// Period T of the tracking of the leg (NAVL1_PERIOD).
    #[parameter(unit = "s", default = 12.0, above = 0)]
    period: f64,
    /// Damping of the tracking of the leg (NAVL1_DAMPING).
    #[parameter(default = 0.75, above = 0)]
    damping: f64,
    /// Gain of the integral of the angle towards the leg, which takes away what a roll that is not
    /// quite level leaves (NAVL1_XTRACK_I); 0 for none.
    #[parameter(unit = "1/s", default = 0.02, min = 0)]
    cross_track_integral: f64,
    /// Shortest L1 distance, for slow flight over ground.
    #[parameter(unit = "m", default = 5.0, above = 0)]
    lowest_distance: f64,
    /// Largest demanded roll (ROLL_LIMIT_DEG).
    #[parameter(unit = "deg", default = 45.0, above = 0, below = 90)]
    roll_limit: f64,
    /// Beyond the end of a leg: `go-on` along it, or `return` to its end.
    #[parameter(default = PastEnd::GoOn)]
    past_end: PastEnd,
    /// Position.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// Velocity over ground.
    #[input(unit = "m/s", frame = "ned")]
    velocity: SignalIn<[f64; 3]>,
    /// The leg to follow.
    #[input(unit = "from: m, to: m, speed: m/s", frame = "ned")]
    leg: SignalIn<Leg>,
    /// The roll angle to hold, positive to starboard.
    #[output(unit = "rad", initial = 0.0)]
    roll: SignalOut<f64>,
    /// The lateral acceleration that it stands for, before the limit of the roll.
    #[output(unit = "m/s^2", initial = 0.0)]
    lateral_acceleration: SignalOut<f64>,
    /// Distance from the leg, positive to its starboard.
    #[output(unit = "m", initial = 0.0)]
    cross_track: SignalOut<f64>,
    /// The last η.
    angle: f64,
    integral: f64,
    last: LastStep,
}

/// The angle from one horizontal vector to another, positive to starboard.
fn angle_between(from: [f64; 2], to: [f64; 2]) -> f64 {
    libm::atan2(from[0] * to[1] - from[1] * to[0], from[0] * to[0] + from[1] * to[1])
}

impl L1Guidance {
    /// η for a leg, and the distance from it.
    fn angle(
        &mut self,
        leg: &Leg,
        position: [f64; 3],
        velocity: [f64; 2],
        distance: f64,
        elapsed: f64,
    ) -> (f64, f64) {
        let (from, to) = ([leg.from[0], leg.from[1]], [leg.to[0], leg.to[1]]);
        let here = [position[0], position[1]];
        let towards = |goal: [f64; 2]| [goal[0] - here[0], goal[1] - here[1]];
        let Some(track) = Track::new(from, to, position) else {
            return (angle_between(velocity, towards(to)), 0.0);
        };
        let from_start = libm::hypot(here[0] - from[0], here[1] - from[1]);
        if from_start > distance && track.along < -FRAC_1_SQRT_2 * from_start {
            return (angle_between(velocity, towards(from)), track.across);
        }
        let ground_speed = libm::hypot(velocity[0], velocity[1]);
        let beyond = track.along - track.length;
        if self.past_end == PastEnd::Return && beyond > BEYOND * ground_speed {
            return (angle_between(velocity, towards(to)), track.across);
        }
        let sine = (track.across / distance).clamp(-FRAC_1_SQRT_2, FRAC_1_SQRT_2);
        let back = -libm::asin(sine);
        if self.cross_track_integral == 0.0 {
            self.integral = 0.0;
        } else if back.abs() < INTEGRATES_WITHIN {
            let grown = self.integral + self.cross_track_integral * back * elapsed;
            self.integral = grown.clamp(-INTEGRAL_LIMIT, INTEGRAL_LIMIT);
        }
        let along = angle_between(velocity, track.direction);
        (back + self.integral + along, track.across)
    }

    /// The acceleration towards the leg, and the distance from it.
    fn guide(
        &mut self,
        leg: &Leg,
        position: [f64; 3],
        velocity: [f64; 2],
        elapsed: f64,
    ) -> (f64, f64) {
        let speed = libm::hypot(velocity[0], velocity[1]);
        let distance = (FRAC_1_PI * self.damping * self.period * speed).max(self.lowest_distance);
        let (angle, across) = self.angle(leg, position, velocity, distance, elapsed);
        let angle = wrapped(angle);
        let undecided = angle.abs() > EITHER_SIDE && self.angle.abs() > EITHER_SIDE;
        if !(undecided && angle * self.angle < 0.0) {
            self.angle = angle;
        }
        let sine = libm::sin(self.angle.clamp(-FRAC_PI_2, FRAC_PI_2));
        (4.0 * self.damping * self.damping * speed * speed / distance * sine, across)
    }
}

impl Periodic for L1Guidance {
    fn step(&mut self, step: &mut Step<'_>) {
        let (position, velocity) = (*step.signal(self.position), *step.signal(self.velocity));
        let leg = *step.signal(self.leg);
        if let Some(wrong) = not_a_number(&[("position", &position), ("velocity", &velocity)]) {
            return step.fail(wrong);
        }
        if let Some(wrong) = not_a_leg(&leg) {
            return step.fail(wrong);
        }
        let elapsed = self.last.elapsed(step.now());
        let (acceleration, across) = match leg.valid {
            true => self.guide(&leg, position, [velocity[0], velocity[1]], elapsed),
            false => (0.0, 0.0),
        };
        let limit = self.roll_limit.to_radians();
        let roll = libm::atan(acceleration / STANDARD_GRAVITY).clamp(-limit, limit);
        step.write(self.roll, roll);
        step.write(self.lateral_acceleration, acceleration);
        step.write(self.cross_track, across);
    }
}
