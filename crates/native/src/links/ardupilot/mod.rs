//! `ardupilot.json-link`: the simulator link of ArduPilot's SITL programs (`--model JSON`, UDP port 9002).
//!
//! ```text
//! world ◄── servos: 40 or 72 bytes ◄── ArduPilot
//! world ──► state: a line of text ──►
//! ```
//!
//! ArduPilot sends its servos and waits; the answer carries the time of the physics, which is its clock, and its main loop
//! goes on. Barometer, compass and satellite receiver it makes itself of the state.

mod servos;
mod text;

use std::collections::VecDeque;

use ironbird_component::Component;
use ironbird_kernel::{
    Duration, EventIn, EventOut, Payload, Periodic, SignalIn, SignalOut, Step, Time,
};
use ironbird_kinematics::{Attitude, Geodetic};

use self::servos::{CHANNELS, Frames, Servos};
use self::text::{Physics, Position};
use super::motors::MotorParameters;
use crate::Datagram;

/// Pulses at which a motor stands still, and turns as fast as it can, in µs.
const LOW: f64 = 1000.0;
const HIGH: f64 = 2000.0;

/// The simulator link of ArduPilot.
///
/// It answers each packet of servos with the state of a vehicle, and shows the speeds of the motors. Link `servos` and
/// `state` to the datagrams of a `host.native` (`udp remote 9002`).
///
/// Its rate is that of the physics as ArduPilot sees it: a packet is answered at the next step, or `latency` after that,
/// with the state and the time of that instant. Set ArduPilot's `SIM_RATE_HZ` to the same rate; it must be 1.8 times its
/// loop rate at least. A packet that comes again is answered again.
///
/// Optional inputs that are not linked, and numbers that are none (`nan`), are left out.
#[derive(Component)]
#[component(type = "ardupilot.json-link", periodic, rate = "1 kHz")]
pub struct ArduPilotJsonLink {
    /// How long an answer takes, beside the wait for the next step.
    #[parameter(unit = "s", default = 0.0, min = 0, max = 1)]
    latency: f64,
    /// Whether the place is sent as latitude, longitude and altitude, the first of which is home; if not, as `position`.
    #[parameter(default = false, fixed)]
    geodetic: bool,
    /// Whether ArduPilot is told not to wait for real time. It then takes the attitude as it is told, too
    /// (AHRS_EKF_TYPE 10), unless its parameters say otherwise.
    #[parameter(default = false, fixed)]
    no_time_sync: bool,
    #[group]
    motor: MotorParameters,
    /// True angular velocity.
    #[input(unit = "rad/s", frame = "body")]
    angular_velocity: SignalIn<[f64; 3]>,
    /// What an accelerometer feels.
    #[input(unit = "m/s^2", frame = "body")]
    specific_force: SignalIn<[f64; 3]>,
    /// True attitude.
    #[input]
    attitude: SignalIn<Attitude>,
    /// True velocity.
    #[input(unit = "m/s", frame = "ned")]
    velocity: SignalIn<[f64; 3]>,
    /// True place, seen from home.
    #[input(unit = "m", frame = "ned", default = [0.0; 3])]
    position: SignalIn<[f64; 3]>,
    /// True place on the Earth.
    #[input(
        unit = "latitude: rad, longitude: rad, height: m",
        frame = "geodetic",
        default = Geodetic::default()
    )]
    place: SignalIn<Geodetic>,
    /// Wind: where the air moves to.
    #[input(unit = "m/s", frame = "ned", default = [f64::NAN; 3])]
    wind: SignalIn<[f64; 3]>,
    /// Airspeed.
    #[input(unit = "m/s", default = f64::NAN)]
    airspeed: SignalIn<f64>,
    /// Where the wind comes from as a wind vane feels it, clockwise from the nose.
    #[input(unit = "rad", default = f64::NAN)]
    vane_direction: SignalIn<f64>,
    /// Speed of the wind as the vane feels it.
    #[input(unit = "m/s", default = f64::NAN)]
    vane_speed: SignalIn<f64>,
    /// Distances that rangefinders measure.
    #[input(unit = "m", default = [f64::NAN; 6])]
    ranges: SignalIn<[f64; 6]>,
    /// Distance that the first rangefinder measures, in the place of the first of `ranges`.
    #[input(unit = "m", default = f64::NAN)]
    range: SignalIn<f64>,
    /// Channels of the remote control, from 1000 to 2000.
    #[input(unit = "us", default = [f64::NAN; 12])]
    channels: SignalIn<[f64; 12]>,
    /// Voltage of the battery.
    #[input(unit = "V", default = f64::NAN)]
    voltage: SignalIn<f64>,
    /// Current of the battery.
    #[input(unit = "A", default = f64::NAN)]
    current: SignalIn<f64>,
    /// Packets of servos from the program.
    #[input]
    servos: EventIn<Datagram>,
    /// Answers to the program.
    #[output]
    state: EventOut<Datagram>,
    /// Speed of ArduPilot's first motor; of four, that at the front right.
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
    /// Pulses of all channels; 0 where there was none yet.
    #[output(unit = "us", initial = [0.0; CHANNELS])]
    pulses: SignalOut<[f64; CHANNELS]>,
    /// How many steps of physics ArduPilot wants in a second.
    #[output(unit = "Hz", initial = 0.0)]
    frame_rate: SignalOut<f64>,
    /// Packets of servos so far.
    #[output(initial = 0)]
    packets: SignalOut<u64>,
    /// Packets that came again because no answer had come in time.
    #[output(initial = 0)]
    resent: SignalOut<u64>,
    /// Packets that never came, by their numbers.
    #[output(initial = 0)]
    missed: SignalOut<u64>,
    /// How often the numbers of packets began anew.
    #[output(initial = 0)]
    restarts: SignalOut<u64>,
    /// Datagrams that were no packets of servos.
    #[output(initial = 0)]
    refused: SignalOut<u64>,
    frames: Frames,
    unknown: u64,
    /// Where answers go, and when.
    due: VecDeque<(Time, u16)>,
}

/// A pulse as a throttle; with the lowest pulse, or none yet, a motor stands still.
fn throttle(pulse: u16) -> Option<f64> {
    let above = f64::from(pulse) - LOW;
    (above > 0.0).then_some(above / (HIGH - LOW))
}

impl ArduPilotJsonLink {
    fn hear(&mut self, step: &mut Step<'_>) {
        let heard: Vec<_> = step
            .events(self.servos)
            .map(|packet| (packet.remote_port, Servos::read(&packet.bytes)))
            .collect();
        if heard.is_empty() {
            return;
        }
        let last = heard.iter().filter_map(|(_, servos)| *servos).next_back();
        // Rounded up, so that no answer is early; a latency of this range is always one.
        let latency = Duration::from_secs_f64_ceil(self.latency).unwrap_or(Duration::ZERO);
        for (port, servos) in heard {
            match servos {
                Some(servos) => {
                    self.frames.count(servos.frame);
                    self.due.push_back((step.now() + latency, port));
                }
                None => self.unknown += 1,
            }
        }
        if let Some(servos) = last {
            self.show(step, &servos);
        }
        let Frames { packets, resent, missed, restarts, .. } = self.frames;
        for (port, count) in [
            (self.packets, packets),
            (self.resent, resent),
            (self.missed, missed),
            (self.restarts, restarts),
            (self.refused, self.unknown),
        ] {
            step.write(port, count);
        }
    }

    fn show(&self, step: &mut Step<'_>, servos: &Servos) {
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
        let throttles = std::array::from_fn(|motor| throttle(servos.pulses[motor]));
        self.motor.show(step, motors, throttles);
        step.write(self.pulses, servos.pulses.map(f64::from));
        step.write(self.frame_rate, servos.frame_rate.into());
    }

    fn physics(&self, step: &Step<'_>) -> Physics {
        let mut ranges = *step.signal(self.ranges);
        let range = *step.signal(self.range);
        if range.is_finite() {
            ranges[0] = range;
        }
        Physics {
            timestamp: step.now().as_secs_f64(),
            gyro: *step.signal(self.angular_velocity),
            accel_body: *step.signal(self.specific_force),
            position: match self.geodetic {
                true => Position::Geodetic(*step.signal(self.place)),
                false => Position::Local(*step.signal(self.position)),
            },
            attitude: *step.signal(self.attitude),
            velocity: *step.signal(self.velocity),
            wind: *step.signal(self.wind),
            airspeed: *step.signal(self.airspeed),
            wind_vane: [*step.signal(self.vane_direction), *step.signal(self.vane_speed)],
            ranges,
            channels: *step.signal(self.channels),
            battery: [*step.signal(self.voltage), *step.signal(self.current)],
            no_time_sync: self.no_time_sync,
        }
    }
}

impl Periodic for ArduPilotJsonLink {
    fn step(&mut self, step: &mut Step<'_>) {
        self.hear(step);
        while let Some((_, remote_port)) = self.due.pop_front_if(|(due, _)| *due <= step.now()) {
            let Some(text) = self.physics(step).text() else {
                return step.fail("the state of the vehicle is no longer made of finite numbers");
            };
            let bytes = Payload::new(text.into_bytes());
            step.send(self.state, Datagram { remote_port, bytes });
        }
    }
}
