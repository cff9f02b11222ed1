//! The sticks that a person moves, scaled to what vehicles take.
//!
//! Each axis is the parameter, which a person changes while the run goes on, plus what a model of a person does (`hand`).
//! A dead band b and an exponential part e make it gentle about its middle:
//!
//! ```text
//! x = parameter + hand                       within -1 and 1
//! d = sgn(x) max(0, |x| - b) / (1 - b)
//! y = (1 - e) d + e d³
//! ```
//!
//! With y written as the name of the axis, and ψ the heading that is wanted:
//!
//! ```text
//! tilting    φ = most_tilt · roll       θ = -most_tilt · pitch       T/W = 1 + (most_thrust - 1) throttle
//! turning    ψ' = most_turn · yaw
//! moving     v_n = most_speed (pitch cos ψ - roll sin ψ)     v_e = most_speed (pitch sin ψ + roll cos ψ)
//!            v_d = -most_climb · throttle
//! driving    v = most_speed · throttle       a = most_acceleration · throttle       δ = most_steering · yaw
//! diving     z' = most_climb · pitch,  z ≥ 0
//! ```
//!
//! While the component stands still, heading and depth do too.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step, Time};

use crate::autopilot::wrapped;

/// Sticks that a person moves: in the browser with a gamepad or keys, in a scenario with `set`.
///
/// Roll is positive to the right, pitch forward (the nose goes down), yaw to the right, throttle up. All are at rest in
/// their middle. The outputs of the same names are the sticks after dead band and expo; the others are scaled so that
/// they can be linked to the set points of a vehicle.
// A page that drives this type takes each changeable number with a closed range for an axis, so only the four axes may
// be that.
#[derive(Component)]
#[component(type = "person.sticks", periodic, rate = "50 Hz", start = Self::begin)]
pub struct Sticks {
    /// Roll stick, to the right.
    #[parameter(default = 0.0, min = -1, max = 1)]
    roll: f64,
    /// Pitch stick, forward.
    #[parameter(default = 0.0, min = -1, max = 1)]
    pitch: f64,
    /// Yaw stick, to the right.
    #[parameter(default = 0.0, min = -1, max = 1)]
    yaw: f64,
    /// Throttle stick, up.
    #[parameter(default = 0.0, min = -1, max = 1)]
    throttle: f64,
    /// The switch that arms motors.
    #[parameter(default = false)]
    arms: bool,
    /// The part about the middle in which a stick does nothing.
    #[parameter(default = 0.0, min = 0, below = 1, fixed)]
    dead_band: f64,
    /// The part of a stick that grows with its third power: 0 is straight, 1 hardly moves near the middle.
    #[parameter(default = 0.0, min = 0, max = 1, fixed)]
    expo: f64,
    /// Tilt at full roll or pitch.
    #[parameter(unit = "deg", default = 25.0, above = 0, below = 90)]
    most_tilt: f64,
    /// Thrust over weight at full throttle; it is 1 in the middle.
    #[parameter(default = 1.5, min = 1)]
    most_thrust: f64,
    /// How fast the wanted heading turns at full yaw.
    #[parameter(unit = "deg/s", default = 60.0, above = 0)]
    most_turn: f64,
    /// Speed at full pitch or roll of what flies, at full throttle of what drives or dives.
    #[parameter(unit = "m/s", default = 4.0, above = 0)]
    most_speed: f64,
    /// How fast it climbs at full throttle; how fast the wanted depth grows at full pitch.
    #[parameter(unit = "m/s", default = 2.0, above = 0)]
    most_climb: f64,
    /// Acceleration at full throttle.
    #[parameter(unit = "m/s^2", default = 3.0, above = 0)]
    most_acceleration: f64,
    /// Angle of the steered wheels at full yaw.
    #[parameter(unit = "deg", default = 30.0, above = 0, below = 90)]
    most_steering: f64,
    /// The wanted heading at the start, from north to east.
    #[parameter(unit = "deg", default = 0.0, fixed)]
    initial_heading: f64,
    /// The wanted depth at the start.
    #[parameter(unit = "m", default = 0.0, min = 0, fixed)]
    initial_depth: f64,
    /// Roll stick of somebody else who holds it too.
    #[input(name = "hand.roll", default = 0.0)]
    hand_roll: SignalIn<f64>,
    /// Pitch stick of somebody else who holds it too.
    #[input(name = "hand.pitch", default = 0.0)]
    hand_pitch: SignalIn<f64>,
    /// Yaw stick of somebody else who holds it too.
    #[input(name = "hand.yaw", default = 0.0)]
    hand_yaw: SignalIn<f64>,
    /// Throttle stick of somebody else who holds it too.
    #[input(name = "hand.throttle", default = 0.0)]
    hand_throttle: SignalIn<f64>,
    /// Roll stick, from -1 to 1 on the right.
    #[output(name = "roll", initial = 0.0)]
    roll_stick: SignalOut<f64>,
    /// Pitch stick, from -1 to 1 in front.
    #[output(name = "pitch", initial = 0.0)]
    pitch_stick: SignalOut<f64>,
    /// Yaw stick, from -1 to 1 on the right.
    #[output(name = "yaw", initial = 0.0)]
    yaw_stick: SignalOut<f64>,
    /// Throttle stick, from -1 to 1 on top.
    #[output(name = "throttle", initial = 0.0)]
    throttle_stick: SignalOut<f64>,
    /// Throttle from 0, closed, to 1; 0.5 in the middle.
    #[output(initial = 0.5)]
    opening: SignalOut<f64>,
    /// The switch that arms motors.
    #[output(initial = false)]
    arm: SignalOut<bool>,
    /// Wanted roll: starboard down.
    #[output(unit = "rad", initial = 0.0)]
    roll_angle: SignalOut<f64>,
    /// Wanted pitch: nose up, so the stick forward is negative.
    #[output(unit = "rad", initial = 0.0)]
    pitch_angle: SignalOut<f64>,
    /// Wanted thrust over weight.
    #[output(initial = 1.0)]
    thrust: SignalOut<f64>,
    /// Wanted heading, from north to east, between -π and π.
    #[output(unit = "rad", initial = 0.0)]
    heading: SignalOut<f64>,
    /// Wanted velocity to the north.
    #[output(unit = "m/s", initial = 0.0)]
    velocity_north: SignalOut<f64>,
    /// Wanted velocity to the east.
    #[output(unit = "m/s", initial = 0.0)]
    velocity_east: SignalOut<f64>,
    /// Wanted velocity downwards.
    #[output(unit = "m/s", initial = 0.0)]
    velocity_down: SignalOut<f64>,
    /// Wanted speed forward.
    #[output(unit = "m/s", initial = 0.0)]
    speed: SignalOut<f64>,
    /// Wanted acceleration forward.
    #[output(unit = "m/s^2", initial = 0.0)]
    acceleration: SignalOut<f64>,
    /// Wanted angle of the steered wheels, positive to starboard.
    #[output(unit = "rad", initial = 0.0)]
    steering: SignalOut<f64>,
    /// Wanted depth.
    #[output(unit = "m", initial = 0.0)]
    depth: SignalOut<f64>,
    wanted_heading: f64,
    wanted_depth: f64,
    /// The last step: its number, its time, and how yaw and pitch were held since.
    last: Option<(u64, Time, [f64; 2])>,
}

impl Sticks {
    fn begin(&mut self, start: &mut Start<'_>) {
        self.wanted_heading = wrapped(self.initial_heading.to_radians());
        self.wanted_depth = self.initial_depth;
        start.write(self.heading, self.wanted_heading);
        start.write(self.depth, self.wanted_depth);
    }

    /// A stick after dead band and expo.
    fn shaped(&self, held: f64) -> f64 {
        let held = held.clamp(-1.0, 1.0);
        let beyond = (held.abs() - self.dead_band).max(0.0) / (1.0 - self.dead_band);
        let curved = (1.0 - self.expo) * beyond + self.expo * beyond * beyond * beyond;
        curved.copysign(held)
    }

    /// Turns the heading and changes the depth for the time since the last step.
    fn go_on(&mut self, step: &Step<'_>, yaw: f64, pitch: f64) {
        if let Some((tick, time, [turning, diving])) = self.last
            && tick + 1 == step.tick()
        {
            let elapsed = (step.now() - time).as_secs_f64();
            let turned = self.most_turn.to_radians() * turning * elapsed;
            self.wanted_heading = wrapped(self.wanted_heading + turned);
            let deeper = self.most_climb * diving * elapsed;
            self.wanted_depth = (self.wanted_depth + deeper).max(0.0);
        }
        self.last = Some((step.tick(), step.now(), [yaw, pitch]));
    }
}

impl Periodic for Sticks {
    fn step(&mut self, step: &mut Step<'_>) {
        let roll = self.shaped(self.roll + step.signal(self.hand_roll));
        let pitch = self.shaped(self.pitch + step.signal(self.hand_pitch));
        let yaw = self.shaped(self.yaw + step.signal(self.hand_yaw));
        let throttle = self.shaped(self.throttle + step.signal(self.hand_throttle));
        self.go_on(step, yaw, pitch);

        step.write(self.roll_stick, roll);
        step.write(self.pitch_stick, pitch);
        step.write(self.yaw_stick, yaw);
        step.write(self.throttle_stick, throttle);
        step.write(self.opening, 0.5 + 0.5 * throttle);
        step.write(self.arm, self.arms);

        let tilt = self.most_tilt.to_radians();
        step.write(self.roll_angle, tilt * roll);
        step.write(self.pitch_angle, -tilt * pitch);
        step.write(self.thrust, 1.0 + (self.most_thrust - 1.0) * throttle);
        step.write(self.heading, self.wanted_heading);

        let (sine, cosine) = libm::sincos(self.wanted_heading);
        step.write(self.velocity_north, self.most_speed * (pitch * cosine - roll * sine));
        step.write(self.velocity_east, self.most_speed * (pitch * sine + roll * cosine));
        step.write(self.velocity_down, -self.most_climb * throttle);

        step.write(self.speed, self.most_speed * throttle);
        step.write(self.acceleration, self.most_acceleration * throttle);
        step.write(self.steering, self.most_steering.to_radians() * yaw);
        step.write(self.depth, self.wanted_depth);
    }
}
