//! `pilot.angle`: a pilot who sees where a multirotor is, and moves the sticks of its transmitter.
//!
//! Height: v* = clamp((h* - h) / T, -sink, climb), throttle = hover + k (v* - v) + k / T_i ∫ (v* - v) dt.
//! Place: v* = clamp((p* - p) / T, ±speed), stick = g (v* - v) in the directions of the nose and of the right side.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};
use ironbird_kinematics::Attitude;

/// A pilot who flies a multirotor by its sticks, in a mode in which they tilt it.
///
/// He holds the height and the place that he is told; where he is told to hold a stick, he does that. On the ground,
/// with a height of 0, he closes the throttle.
#[derive(Component)]
#[component(type = "pilot.angle", periodic, rate = "50 Hz")]
pub struct AnglePilot {
    /// Whether he arms the motors.
    #[parameter(default = false)]
    arms: bool,
    /// The height that he wants above the origin; 0 and less: on the ground.
    #[parameter(unit = "m", default = 0.0)]
    height: f64,
    /// The place that he wants, north of the origin.
    #[parameter(unit = "m", default = 0.0)]
    north: f64,
    /// The place that he wants, east of the origin.
    #[parameter(unit = "m", default = 0.0)]
    east: f64,
    /// How he holds the roll stick; 0: he flies to his place.
    #[parameter(default = 0.0, min = -1, max = 1)]
    roll: f64,
    /// How he holds the yaw stick.
    #[parameter(default = 0.0, min = -1, max = 1)]
    yaw: f64,
    /// Throttle at which it hovers, as he remembers it.
    #[parameter(default = 0.5, min = 0, max = 1)]
    hover: f64,
    /// How fast he climbs at most.
    #[parameter(unit = "m/s", default = 1.5, above = 0)]
    climb: f64,
    /// How fast he sinks at most.
    #[parameter(unit = "m/s", default = 0.7, above = 0)]
    sink: f64,
    /// How fast he flies to a place at most.
    #[parameter(unit = "m/s", default = 2.0, above = 0)]
    speed: f64,
    /// In what time he wants to have come nearer to height and place.
    #[parameter(unit = "s", default = 1.0, above = 0)]
    haste: f64,
    /// Throttle per speed that is missing.
    #[parameter(unit = "s/m", default = 0.12, min = 0)]
    throttle_gain: f64,
    /// In what time he corrects the throttle at which it hovers.
    #[parameter(unit = "s", default = 2.0, above = 0)]
    patience: f64,
    /// Stick per speed that is missing.
    #[parameter(unit = "s/m", default = 0.15, min = 0)]
    stick_gain: f64,
    /// How far he moves the sticks at most to come to a place.
    #[parameter(default = 0.4, min = 0, max = 1)]
    stick_limit: f64,
    /// Where it is.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// How fast it is.
    #[input(unit = "m/s", frame = "ned")]
    velocity: SignalIn<[f64; 3]>,
    /// How it is turned.
    #[input]
    attitude: SignalIn<Attitude>,
    /// Roll stick, to the right.
    #[output(name = "roll", initial = 0.0)]
    roll_stick: SignalOut<f64>,
    /// Pitch stick, forward.
    #[output(name = "pitch", initial = 0.0)]
    pitch_stick: SignalOut<f64>,
    /// Yaw stick, to the right.
    #[output(name = "yaw", initial = 0.0)]
    yaw_stick: SignalOut<f64>,
    /// Throttle.
    #[output(name = "throttle", initial = 0.0)]
    throttle_stick: SignalOut<f64>,
    /// The switch that arms.
    #[output(name = "arm", initial = false)]
    arm_switch: SignalOut<bool>,
    /// What he has corrected of the throttle at which it hovers.
    corrected: f64,
    /// When he looked last, in s.
    looked: f64,
}

/// What he corrects of the throttle at most.
const MOST_CORRECTED: f64 = 0.3;
/// Below this height, told to land, he closes the throttle.
const ON_GROUND: f64 = 0.2;

impl AnglePilot {
    fn throttle(&mut self, span: f64, above: f64, rising: f64) -> f64 {
        let is_flying = self.arms && (self.height > 0.0 || above > ON_GROUND);
        if !is_flying {
            self.corrected = 0.0;
            return 0.0;
        }
        let wanted = ((self.height - above) / self.haste).clamp(-self.sink, self.climb);
        let missing = self.throttle_gain * (wanted - rising);
        let corrected = self.corrected + missing * span / self.patience;
        self.corrected = corrected.clamp(-MOST_CORRECTED, MOST_CORRECTED);
        (self.hover + self.corrected + missing).clamp(0.05, 1.0)
    }

    /// The sticks, forward and to the right, that lead to the place.
    fn lean(&self, position: [f64; 3], velocity: [f64; 3], heading: f64) -> (f64, f64) {
        let missing = |wanted: f64, is: f64, speed: f64| {
            ((wanted - is) / self.haste).clamp(-self.speed, self.speed) - speed
        };
        let north = missing(self.north, position[0], velocity[0]);
        let east = missing(self.east, position[1], velocity[1]);
        let (sin, cos) = (libm::sin(heading), libm::cos(heading));
        let limited = |x: f64| (self.stick_gain * x).clamp(-self.stick_limit, self.stick_limit);
        (limited(cos * north + sin * east), limited(cos * east - sin * north))
    }
}

impl Periodic for AnglePilot {
    fn step(&mut self, step: &mut Step<'_>) {
        let (position, velocity) = (*step.signal(self.position), *step.signal(self.velocity));
        let Attitude { w, x, y, z } = *step.signal(self.attitude);
        let heading = libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
        let now = step.now().as_secs_f64();
        let throttle = self.throttle(now - self.looked, -position[2], -velocity[2]);
        self.looked = now;
        let (forward, right) = if throttle > 0.0 && -position[2] > ON_GROUND {
            self.lean(position, velocity, heading)
        } else {
            (0.0, 0.0)
        };
        let roll = if self.roll == 0.0 { right } else { self.roll };
        step.write(self.roll_stick, roll);
        step.write(self.pitch_stick, forward);
        step.write(self.yaw_stick, self.yaw);
        step.write(self.throttle_stick, throttle);
        step.write(self.arm_switch, self.arms);
    }
}
