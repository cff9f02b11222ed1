//! An Ultra Stick 25e as a rigid body with linear derivatives, to try the controllers on.
//!
//! Derivatives, mass and measures are those of the University of Minnesota's OpenFlight model (a file of
//! its flight data, AeroOpenFlight.xml). The thrust is a line through what its flight 75 shows: level at a
//! throttle of 0.68 and 17 m/s, 11 m/s of climb per throttle. No wind gradients, no stall.

use std::f64::consts::FRAC_PI_6;

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::{Attitude, STANDARD_GRAVITY};
use nalgebra::Vector3;

const MASS: f64 = 1.959;
const INERTIA: [f64; 3] = [0.07151, 0.08636, 0.15364];
const AREA: f64 = 0.3097;
const SPAN: f64 = 1.27;
const CHORD: f64 = 0.25;
const DENSITY: f64 = 1.225;
/// Servos: 33 rad/s; motor: 0.15 s. All answer 20 ms late.
const SERVO: f64 = 33.0;
const MOTOR: f64 = 1.0 / 0.15;
const LATE: usize = 4;

/// The aircraft, flying north at 17 m/s and 50 m in wind that is steady.
#[derive(Component)]
#[component(type = "test.ultra-stick", periodic, rate = "200 Hz", start = Self::begin)]
pub struct UltraStick {
    /// The wind: where the air moves to.
    #[parameter(default = [0.0; 3])]
    wind: [f64; 3],
    /// A rolling moment that is always there, as from a warped wing, over that of 1 rad of aileron.
    #[parameter(default = 0.0)]
    warp: f64,
    #[parameter(default = 50.0)]
    start_height: f64,
    #[input(unit = "rad", default = 0.0)]
    aileron: SignalIn<f64>,
    #[input(unit = "rad", default = -0.08)]
    elevator: SignalIn<f64>,
    #[input(unit = "rad", default = 0.0)]
    rudder: SignalIn<f64>,
    #[input(default = 0.66)]
    throttle: SignalIn<f64>,
    #[output(unit = "m", frame = "ned", initial = [0.0; 3])]
    position: SignalOut<[f64; 3]>,
    #[output(unit = "m/s", frame = "ned", initial = [17.0, 0.0, 0.0])]
    velocity: SignalOut<[f64; 3]>,
    #[output(initial = Attitude::default())]
    attitude: SignalOut<Attitude>,
    #[output(unit = "rad/s", frame = "body", initial = [0.0; 3])]
    angular_velocity: SignalOut<[f64; 3]>,
    #[output(unit = "m/s^2", frame = "body", initial = [0.0, 0.0, -9.81])]
    specific_force: SignalOut<[f64; 3]>,
    #[output(unit = "m/s", initial = 17.0)]
    airspeed: SignalOut<f64>,
    #[output(unit = "m", initial = 50.0)]
    height: SignalOut<f64>,
    #[output(unit = "m/s", initial = 0.0)]
    climb: SignalOut<f64>,
    #[output(unit = "rad", initial = 0.0)]
    roll: SignalOut<f64>,
    #[output(unit = "rad", initial = 0.0)]
    pitch: SignalOut<f64>,
    #[output(unit = "rad", initial = 0.0)]
    sideslip: SignalOut<f64>,
    place: Vector3<f64>,
    /// Over ground: north, east, down.
    speed: Vector3<f64>,
    turned: Attitude,
    rates: Vector3<f64>,
    /// Aileron, elevator, rudder, throttle as they are.
    effectors: [f64; 4],
    /// Commands on their way, the oldest at the number of the step modulo their count.
    commands: [[f64; 4]; LATE],
}

impl UltraStick {
    fn begin(&mut self, _: &mut Start<'_>) {
        self.turned = Attitude::from_euler(0.0, 0.053, 0.0);
        self.speed = Vector3::new(17.0, 0.0, 0.0) + Vector3::from(self.wind);
        self.place = Vector3::new(0.0, 0.0, -self.start_height);
        self.effectors = [0.0, -0.078, 0.0, 0.66];
        self.commands = [self.effectors; LATE];
    }

    /// Velocity through the air in the body, airspeed, angle of attack and sideslip.
    fn air(&self) -> (Vector3<f64>, [f64; 3]) {
        let through = self.turned.to_body(self.speed - Vector3::from(self.wind));
        let airspeed = through.norm();
        let attack = libm::atan2(through.z, through.x);
        let sideslip = libm::asin((through.y / airspeed).clamp(-1.0, 1.0));
        (through, [airspeed, attack, sideslip])
    }

    /// Specific force and angular acceleration in the body.
    fn loads(&self) -> [Vector3<f64>; 2] {
        let (_, [airspeed, attack, sideslip]) = self.air();
        let [aileron, elevator, rudder, throttle] = self.effectors;
        let pressure = 0.5 * DENSITY * airspeed * airspeed * AREA;
        let [p, q, r] = [SPAN, CHORD, SPAN].map(|length| length / (2.0 * airspeed));
        let (p, q, r) = (p * self.rates.x, q * self.rates.y, r * self.rates.z);
        let lift = 0.1068 + 4.58 * attack + 6.1639 * q + 0.0983 * elevator;
        let drag = 0.0434 + 0.0815 * (lift - 0.23) * (lift - 0.23) + 0.0303 * rudder.abs();
        let side = -0.4889 * sideslip - 0.0375 * p + 0.15 * r + 0.1913 * rudder;
        let (sine, cosine) = libm::sincos(attack);
        let thrust = (12.4 * (throttle - 0.45) - 0.35 * (airspeed - 17.0)).max(-1.0);
        let force = pressure
            * Vector3::new(lift * sine - drag * cosine, side, -lift * cosine - drag * sine)
            + Vector3::new(thrust, 0.0, 0.0);
        let rolls = -0.0545 * sideslip - 0.4496 * p
            + 0.1086 * r
            + 0.0115 * rudder
            + 2.0 * 0.0823 * (aileron + self.warp);
        let pitches = -0.0278 - 0.723 * attack - 13.5664 * q - 0.8488 * elevator;
        let yaws =
            0.0723 * sideslip + 0.118 * p - 0.1833 * r - 0.1811 * rudder - 2.0 * 0.0287 * aileron;
        let moment = pressure * Vector3::new(SPAN * rolls, CHORD * pitches, SPAN * yaws);
        let inertia = Vector3::from(INERTIA);
        let gyration = self.rates.cross(&inertia.component_mul(&self.rates));
        [force / MASS, (moment - gyration).component_div(&inertia)]
    }

    fn rate(&self) -> [Vector3<f64>; 2] {
        let [force, turns] = self.loads();
        let gravity = Vector3::new(0.0, 0.0, STANDARD_GRAVITY);
        [self.turned.to_ned(force) + gravity, turns]
    }

    /// Moves it on by the mean of two rates, which is Heun's method.
    fn go_on(&mut self, commands: [f64; 4], dt: f64) {
        let (speed, rates, turned) = (self.speed, self.rates, self.turned);
        let first = self.rate();
        self.place += dt * (speed + 0.5 * dt * first[0]);
        self.speed = speed + dt * first[0];
        self.rates = rates + dt * first[1];
        self.turned = turned.turned(dt * rates);
        let second = self.rate();
        self.turned = turned.turned(0.5 * dt * (rates + self.rates));
        self.speed = speed + 0.5 * dt * (first[0] + second[0]);
        self.rates = rates + 0.5 * dt * (first[1] + second[1]);
        for (n, command) in commands.into_iter().enumerate() {
            let quick = if n < 3 { SERVO } else { MOTOR };
            let limited = if n < 3 { command.clamp(-FRAC_PI_6, FRAC_PI_6) } else { command };
            self.effectors[n] += (limited - self.effectors[n]) * -libm::expm1(-quick * dt);
        }
    }
}

impl Periodic for UltraStick {
    fn step(&mut self, step: &mut Step<'_>) {
        let commands = [
            *step.signal(self.aileron),
            *step.signal(self.elevator),
            *step.signal(self.rudder),
            *step.signal(self.throttle),
        ];
        if step.tick() > 0 {
            let oldest = &mut self.commands[(step.tick() % LATE as u64) as usize];
            let due = std::mem::replace(oldest, commands);
            self.go_on(due, 0.005);
        }
        let (_, [airspeed, _, sideslip]) = self.air();
        let [roll, pitch, _] = self.turned.to_euler();
        step.write(self.position, self.place.into());
        step.write(self.velocity, self.speed.into());
        step.write(self.attitude, self.turned);
        step.write(self.angular_velocity, self.rates.into());
        step.write(self.specific_force, self.loads()[0].into());
        step.write(self.airspeed, airspeed);
        step.write(self.height, -self.place.z);
        step.write(self.climb, -self.speed.z);
        step.write(self.roll, roll);
        step.write(self.pitch, pitch);
        step.write(self.sideslip, sideslip);
    }
}
