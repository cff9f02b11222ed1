//! `px4.link`: the simulator link of PX4 (MAVLink over TCP, port 4560).
//!
//! ```text
//! world ──► HIL_SENSOR 250 Hz, HIL_GPS 10 Hz ──► PX4
//! world ◄── HIL_ACTUATOR_CONTROLS ◄─────────────┘
//! ```
//!
//! Body axes are forward, right, down, those of the Earth north, east, down. PX4 takes its clock from the sensors
//! (lockstep); both sides stand on one simulated clock, so that nobody waits for anybody: sensors are sent in time, and
//! answers come when they come.

mod answers;
mod noise;
mod schedule;

use ironbird_component::Component;
use ironbird_kernel::{
    EventIn, EventOut, Payload, Periodic, RandomIn, SignalIn, SignalOut, Step, Time,
};
use ironbird_kinematics::{Attitude, Geodetic};
use ironbird_mavlink::simulator::{CONTROLS, SatelliteFix, Sensors, Truth};
use ironbird_mavlink::{MavHeader, MavMessage, encode};

use self::answers::Answers;
use self::noise::{Noise, displaced, noisy, noisy_vector};
use self::schedule::Beat;
use super::motors::MotorParameters;
use crate::StreamBytes;

/// Who the simulator is among the components of the vehicle.
const SYSTEM: u8 = 1;
const COMPONENT: u8 = 51;

/// The simulator link of PX4.
///
/// It sends what the sensors of a vehicle read and shows what PX4 wants of its motors. Link `sent` to what a
/// `host.native` receives at its connection (`tcp connect 4560`), and `received` to what it sends there. It says nothing
/// before PX4 does, which it does as soon as it is connected.
///
/// Its rate should be that of the world. Rates of sensors are whole parts of it, and those of magnetometer, barometer and
/// Pitot tube of `sensor_rate`. PX4 answers at its `IMU_INTEG_RATE` at most.
///
/// A sensor that is turned off (`gps = false`) is lost: PX4 hears no more of it.
#[derive(Component)]
#[component(type = "px4.link", periodic, rate = "1 kHz")]
pub struct Px4Link {
    /// How often sensors are sent; accelerometer and gyroscope are new each time.
    #[parameter(unit = "Hz", default = 250.0, above = 0, max = 1e6, fixed)]
    sensor_rate: f64,
    /// How often the magnetometer is new.
    #[parameter(unit = "Hz", default = 62.5, min = 0, max = 1e6, fixed)]
    magnetometer_rate: f64,
    /// How often the barometer is new.
    #[parameter(unit = "Hz", default = 50.0, min = 0, max = 1e6, fixed)]
    barometer_rate: f64,
    /// How often the satellite receiver has a fix.
    #[parameter(unit = "Hz", default = 10.0, min = 0, max = 1e6, fixed)]
    gps_rate: f64,
    /// How often the true state is sent, which PX4 logs; 0: never.
    #[parameter(unit = "Hz", default = 0.0, min = 0, max = 1e6, fixed)]
    truth_rate: f64,
    /// Whether accelerometer and gyroscope work. PX4's clock goes on without them.
    #[parameter(default = true)]
    imu: bool,
    /// Whether the magnetometer works.
    #[parameter(default = true)]
    magnetometer: bool,
    /// Whether the barometer works.
    #[parameter(default = true)]
    barometer: bool,
    /// Whether the satellite receiver works.
    #[parameter(default = true)]
    gps: bool,
    /// Whether there is a Pitot tube, and it works; it is new as often as the barometer.
    #[parameter(default = false)]
    pitot: bool,
    /// Satellites in view; fewer than 4 make no fix in three dimensions.
    #[parameter(default = 12, max = 255)]
    satellites: u32,
    #[group]
    noise: Noise,
    #[group]
    motor: MotorParameters,
    /// True angular velocity.
    #[input(unit = "rad/s", frame = "body")]
    angular_velocity: SignalIn<[f64; 3]>,
    /// What an accelerometer feels.
    #[input(unit = "m/s^2", frame = "body")]
    specific_force: SignalIn<[f64; 3]>,
    /// True attitude, for the true state.
    #[input]
    attitude: SignalIn<Attitude>,
    /// True velocity.
    #[input(unit = "m/s", frame = "ned")]
    velocity: SignalIn<[f64; 3]>,
    /// True place, for the satellite receiver.
    #[input(unit = "latitude: rad, longitude: rad, height: m", frame = "geodetic")]
    place: SignalIn<Geodetic>,
    /// Magnetic field.
    #[input(unit = "T", frame = "body")]
    magnetic_field: SignalIn<[f64; 3]>,
    /// Pressure of the air.
    #[input(unit = "Pa", default = 101_325.0)]
    pressure: SignalIn<f64>,
    /// Temperature of the air.
    #[input(unit = "K", default = 288.15)]
    temperature: SignalIn<f64>,
    /// What the Pitot tube measures.
    #[input(unit = "Pa", default = 0.0)]
    differential_pressure: SignalIn<f64>,
    /// What PX4 says.
    #[input]
    received: EventIn<StreamBytes>,
    /// What is said to PX4.
    #[output]
    sent: EventOut<StreamBytes>,
    /// Speed of PX4's first motor; of four, that at the front right.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_1: SignalOut<f64>,
    /// Speed of the second motor; of four, that at the rear left.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_2: SignalOut<f64>,
    /// Speed of the third motor; of four, that at the front left.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_3: SignalOut<f64>,
    /// Speed of the fourth motor; of four, that at the rear right.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_4: SignalOut<f64>,
    /// Speed of the fifth motor.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_5: SignalOut<f64>,
    /// Speed of the sixth motor.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_6: SignalOut<f64>,
    /// Speed of the seventh motor.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_7: SignalOut<f64>,
    /// Speed of the eighth motor.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_8: SignalOut<f64>,
    /// All controls as PX4 sends them: motors from 0 to 1, others from -1 to 1.
    #[output(initial = [0.0; CONTROLS])]
    controls: SignalOut<[f64; CONTROLS]>,
    /// Whether PX4 lets the motors run.
    #[output(initial = false)]
    armed: SignalOut<bool>,
    /// Whether PX4 was built to take its clock from the sensors.
    #[output(initial = false)]
    lockstep: SignalOut<bool>,
    /// Whether PX4 has said anything.
    #[output(initial = false)]
    connected: SignalOut<bool>,
    /// Messages with sensors so far.
    #[output(initial = 0)]
    sensors: SignalOut<u64>,
    /// Answers so far.
    #[output(initial = 0)]
    answers: SignalOut<u64>,
    /// Messages with sensors that have no answer so far; the last one may still get it. PX4 does not answer before it has
    /// started.
    #[output(initial = 0)]
    unanswered: SignalOut<u64>,
    /// Messages of PX4 whose check sum was wrong.
    #[output(initial = 0)]
    wrong_checks: SignalOut<u64>,
    /// Bytes of PX4 that belonged to no message.
    #[output(initial = 0)]
    skipped: SignalOut<u64>,
    #[random]
    inertial_noise: RandomIn,
    #[random]
    magnetic_noise: RandomIn,
    #[random]
    pressure_noise: RandomIn,
    #[random]
    satellite_noise: RandomIn,
    heard: Answers,
    sensor_beat: Beat,
    magnetometer_beat: Beat,
    barometer_beat: Beat,
    gps_beat: Beat,
    truth_beat: Beat,
    sequence: u8,
    /// The step before this one.
    stepped: Option<u64>,
}

/// Simulated time as PX4 counts it; never 0, which it does not take for a time.
fn microseconds(now: Time) -> u64 {
    now.as_ps() / 1_000_000
}

impl Px4Link {
    fn hear(&mut self, step: &mut Step<'_>) {
        let pieces: Vec<_> = step.events(self.received).map(|piece| piece.bytes.clone()).collect();
        if pieces.is_empty() {
            return;
        }
        let mut newest = None;
        for piece in pieces {
            newest = self.heard.hear(&piece).or(newest);
        }
        let (wrong_checks, skipped) = self.heard.damage();
        step.write(self.connected, self.heard.is_connected);
        step.write(self.answers, self.heard.count);
        step.write(self.unanswered, self.heard.missing());
        step.write(self.wrong_checks, wrong_checks);
        step.write(self.skipped, skipped);
        let Some(actuators) = newest else { return };
        let controls = actuators.controls.map(f64::from);
        let motors = [
            self.motor_1,
            self.motor_2,
            self.motor_3,
            self.motor_4,
            self.motor_5,
            self.motor_6,
            self.motor_7,
            self.motor_8,
        ];
        let throttles = std::array::from_fn(|motor| actuators.is_armed.then(|| controls[motor]));
        self.motor.show(step, motors, throttles);
        step.write(self.controls, controls.map(|x| if x.is_finite() { x } else { 0.0 }));
        step.write(self.armed, actuators.is_armed);
        step.write(self.lockstep, actuators.is_lockstep);
    }

    fn sensors(&mut self, step: &mut Step<'_>) -> Sensors {
        let now = step.now();
        let magnetometer_is_new = self.magnetometer_beat.take(self.magnetometer_rate, now) > 0;
        let barometer_is_new = self.barometer_beat.take(self.barometer_rate, now) > 0;
        let force = *step.signal(self.specific_force);
        let turning = *step.signal(self.angular_velocity);
        let field = *step.signal(self.magnetic_field);
        let (pressure, temperature) = (*step.signal(self.pressure), *step.signal(self.temperature));
        let differential = *step.signal(self.differential_pressure);
        let random = step.random(self.inertial_noise);
        let force = noisy_vector(force, self.noise.accelerometer, random);
        let turning = noisy_vector(turning, self.noise.gyroscope, random);
        let random = step.random(self.magnetic_noise);
        let field = noisy_vector(field, self.noise.magnetometer, random);
        let random = step.random(self.pressure_noise);
        let pressure = noisy(pressure, self.noise.barometer, random);
        let differential = noisy(differential, self.noise.pitot, random);
        Sensors {
            time: microseconds(now),
            specific_force: self.imu.then_some(force),
            angular_velocity: self.imu.then_some(turning),
            magnetic_field: (self.magnetometer && magnetometer_is_new).then_some(field),
            air: (self.barometer && barometer_is_new).then_some((pressure, temperature)),
            differential_pressure: (self.pitot && barometer_is_new).then_some(differential),
        }
    }

    fn fix(&self, step: &mut Step<'_>) -> SatelliteFix {
        let (place, velocity) = (*step.signal(self.place), *step.signal(self.velocity));
        let time = microseconds(step.now());
        let random = step.random(self.satellite_noise);
        let Noise { gps_horizontal, gps_vertical, gps_velocity, .. } = self.noise;
        SatelliteFix {
            time,
            place: displaced(place, [gps_horizontal, gps_vertical], random),
            velocity: noisy_vector(velocity, gps_velocity, random),
            accuracy: [self.noise.gps_eph, self.noise.gps_epv],
            satellites: u8::try_from(self.satellites).unwrap_or(u8::MAX),
        }
    }

    fn truth(&self, step: &Step<'_>) -> Truth {
        Truth {
            time: microseconds(step.now()),
            attitude: *step.signal(self.attitude),
            angular_velocity: *step.signal(self.angular_velocity),
            specific_force: *step.signal(self.specific_force),
            place: *step.signal(self.place),
            velocity: *step.signal(self.velocity),
        }
    }

    fn put(&mut self, message: &MavMessage, bytes: &mut Vec<u8>) {
        let header = MavHeader {
            system_id: SYSTEM.into(),
            component_id: COMPONENT,
            sequence: self.sequence,
        };
        self.sequence = self.sequence.wrapping_add(1);
        bytes.extend(encode(header, message));
    }

    /// Whether the steps are too far apart for a rate.
    fn is_too_slow(&self, step: &Step<'_>, periods: u64) -> bool {
        periods > 1 && self.stepped.is_some_and(|before| before + 1 == step.tick())
    }
}

impl Periodic for Px4Link {
    fn step(&mut self, step: &mut Step<'_>) {
        self.hear(step);
        let now = step.now();
        let sensors_due = self.sensor_beat.take(self.sensor_rate, now);
        let fix_is_due = self.gps_beat.take(self.gps_rate, now) > 0;
        let truth_is_due = self.truth_beat.take(self.truth_rate, now) > 0;
        if self.is_too_slow(step, sensors_due) {
            step.fail(
                "`sensor_rate` is more than the rate of this component: give it a higher `rate`",
            );
        }
        self.stepped = Some(step.tick());
        if !self.heard.is_connected {
            return;
        }
        let mut bytes = Vec::new();
        if sensors_due > 0 {
            let sensors = self.sensors(step);
            self.heard.ask(sensors.time);
            self.put(&sensors.message(), &mut bytes);
            step.write(self.sensors, self.heard.sent);
            step.write(self.unanswered, self.heard.missing());
        }
        if fix_is_due && self.gps {
            let fix = self.fix(step);
            self.put(&fix.message(), &mut bytes);
        }
        if truth_is_due {
            let truth = self.truth(step);
            self.put(&truth.message(), &mut bytes);
        }
        if !bytes.is_empty() {
            step.send(self.sent, StreamBytes { bytes: Payload::new(bytes) });
        }
    }
}
