//! `betaflight.link`: the simulator link of Betaflight's SITL program.
//!
//! ```text
//! world ──► state, 144 bytes, UDP 9003 ──►
//! pilot ──► sticks, 40 bytes, UDP 9004 ──►  Betaflight
//! world ◄── motors, 16 bytes, UDP 9002 ◄──
//!           MSP, TCP 5761 ◄──►
//! ```
//!
//! All packets are structs of C, little-endian. The state is 18 doubles: time (s), angular velocity (rad/s), what the
//! accelerometer feels (m/s²), attitude (w, x, y, z), velocity (m/s; east, north, up), place (longitude, latitude in
//! degrees, height in m), pressure (Pa). Sticks are a double with the time and 16 u16 from 1000 to 2000. Motors are four
//! floats from 0 to 1, front right, rear left, front left, rear right.
//!
//! Betaflight's body axes are forward, left, up. It turns the angular velocity and the attitude from forward, right, down
//! and north, east, down itself; of the acceleration it changes all signs.

use ironbird_component::Component;
use ironbird_kernel::{EventIn, EventOut, Payload, Periodic, SignalIn, SignalOut, Step};
use ironbird_kinematics::{Attitude, Geodetic};

use super::msp::{self, Answers, Status};
use crate::{Datagram, StreamBytes};

/// Where the program hears the state, and the sticks.
const STATE_PORT: u16 = 9003;
const STICKS_PORT: u16 = 9004;
/// Bytes of a packet of state.
const STATE_LENGTH: usize = 18 * 8;
/// Bytes of a packet of motors.
const MOTORS_LENGTH: usize = 16;

/// Ticks of 1 kHz between two packets of sticks, and between two questions for the state of the autopilot.
const STICKS_EVERY: u64 = 20;
const ASKED_EVERY: u64 = 100;

/// When sticks begin: a packet that comes while the program still starts is taken for the sign of another receiver, and
/// then it never hears the pilot.
const STICKS_FROM: u64 = 1_000;
/// When the autopilot is set up: modes by switches first, then the accelerometer.
const MODES_AT: u64 = 1_000;
const CALIBRATION_AT: u64 = 2_000;

/// Modes by their numbers, and the switches (auxiliary channels) that set them.
const ARM: (u8, u8) = (0, 0);
const ANGLE: (u8, u8) = (1, 1);
/// A switch is on from 1700 to 2100; a step of MSP is 25, from 900 on.
const ON_FROM: u8 = ((1700 - 900_u16) / 25) as u8;
const ON_TO: u8 = ((2100 - 900_u16) / 25) as u8;

/// The simulator link of Betaflight.
///
/// It sends the state of a multirotor and the sticks of a pilot, and shows the speeds of the motors. Link `state`, `sticks`
/// and `motors` to the datagrams of a `host.native` (`udp local 9003`, `udp local 9004`, `udp remote 9002`), `msp_out` and
/// `msp_in` to its connection (`tcp listen 5761`).
///
/// In the first seconds it sets the autopilot up over MSP, as a user would with a configurator: the first switch arms,
/// the second one keeps it level (angle mode); and it calibrates the accelerometer, for which the vehicle must stand
/// still and level until 7 s. Nothing is stored.
#[derive(Component)]
#[component(type = "betaflight.link", periodic, rate = "1 kHz")]
pub struct BetaflightLink {
    /// Speed of a motor at full throttle.
    #[parameter(unit = "rad/s", default = 1000.0, above = 0)]
    full_speed: f64,
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
    /// True place, for the satellite receiver.
    #[input(
        unit = "latitude: rad, longitude: rad, height: m",
        frame = "geodetic",
        default = Geodetic::default()
    )]
    place: SignalIn<Geodetic>,
    /// Pressure of the air.
    #[input(unit = "Pa", default = 101_325.0)]
    pressure: SignalIn<f64>,
    /// Stick to the right, from -1 to 1.
    #[input(default = 0.0)]
    roll: SignalIn<f64>,
    /// Stick forward, from -1 to 1: the nose goes down.
    #[input(default = 0.0)]
    pitch: SignalIn<f64>,
    /// Stick to the right, from -1 to 1: the nose goes right.
    #[input(default = 0.0)]
    yaw: SignalIn<f64>,
    /// Throttle from 0 to 1.
    #[input(default = 0.0)]
    throttle: SignalIn<f64>,
    /// The switch that arms.
    #[input(default = false)]
    arm: SignalIn<bool>,
    /// The switch for the mode that keeps it level.
    #[input(default = true)]
    level: SignalIn<bool>,
    /// Packets of motors from the program.
    #[input]
    motors: EventIn<Datagram>,
    /// What the program says over MSP.
    #[input]
    msp_in: EventIn<StreamBytes>,
    /// Packets of state to the program.
    #[output]
    state: EventOut<Datagram>,
    /// Packets of sticks to the program.
    #[output]
    sticks: EventOut<Datagram>,
    /// What is said to the program over MSP.
    #[output]
    msp_out: EventOut<StreamBytes>,
    /// Speed of the motor at the front right.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_1: SignalOut<f64>,
    /// Speed of the motor at the rear left.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_2: SignalOut<f64>,
    /// Speed of the motor at the front left.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_3: SignalOut<f64>,
    /// Speed of the motor at the rear right.
    #[output(unit = "rad/s", initial = 0.0)]
    motor_4: SignalOut<f64>,
    /// Whether the autopilot says that it is armed.
    #[output(initial = false)]
    armed: SignalOut<bool>,
    /// Why it cannot be armed, as it says: a bit for each reason.
    #[output(initial = 0)]
    arming_prevented: SignalOut<u32>,
    /// Packets of motors so far.
    #[output(initial = 0)]
    packets: SignalOut<u64>,
    heard: u64,
    answers: Answers,
}

/// A stick from -1 to 1 as a channel.
fn channel(stick: f64) -> u16 {
    (1500.0 + 500.0 * stick.clamp(-1.0, 1.0)).round() as u16
}

fn switch(on: bool) -> u16 {
    if on { 2000 } else { 1000 }
}

/// The four numbers of a packet of motors.
fn speeds(bytes: &[u8]) -> Option<[f64; 4]> {
    let bytes: &[u8; MOTORS_LENGTH] = bytes.try_into().ok()?;
    let (floats, _) = bytes.as_chunks::<4>();
    Some(std::array::from_fn(|i| f64::from(f32::from_le_bytes(floats[i]))))
}

impl BetaflightLink {
    fn state_packet(&self, step: &Step<'_>) -> Vec<u8> {
        let [p, q, r] = *step.signal(self.angular_velocity);
        let [fx, fy, fz] = *step.signal(self.specific_force);
        let Attitude { w, x, y, z } = *step.signal(self.attitude);
        let [north, east, down] = *step.signal(self.velocity);
        let Geodetic { latitude, longitude, height } = *step.signal(self.place);
        let time = [step.now().as_secs_f64()];
        let numbers: [&[f64]; 7] = [
            &time,
            &[p, q, r],
            // Forward, left, up is (fx, -fy, -fz); the program changes all signs.
            &[-fx, fy, fz],
            &[w, x, y, z],
            &[east, north, -down],
            &[longitude.to_degrees(), latitude.to_degrees(), height],
            &[*step.signal(self.pressure)],
        ];
        let mut packet = Vec::with_capacity(STATE_LENGTH);
        for number in numbers.into_iter().flatten() {
            packet.extend_from_slice(&number.to_le_bytes());
        }
        packet
    }

    fn sticks_packet(&self, step: &Step<'_>) -> Vec<u8> {
        let mut channels = [1000_u16; 16];
        channels[0] = channel(*step.signal(self.roll));
        channels[1] = channel(*step.signal(self.pitch));
        channels[2] = channel(2.0 * step.signal(self.throttle) - 1.0);
        channels[3] = channel(*step.signal(self.yaw));
        channels[4] = switch(*step.signal(self.arm));
        channels[5] = switch(*step.signal(self.level));
        let time = step.now().as_secs_f64().to_le_bytes();
        time.into_iter().chain(channels.iter().flat_map(|channel| channel.to_le_bytes())).collect()
    }

    /// What is said over MSP at a tick.
    fn requests(tick: u64) -> Vec<u8> {
        let mode = |place: u8, (mode, switch): (u8, u8)| {
            msp::request(msp::SET_MODE_RANGE, &[place, mode, switch, ON_FROM, ON_TO])
        };
        let mut said = Vec::new();
        match tick {
            MODES_AT => said.extend([mode(0, ARM), mode(1, ANGLE)].into_iter().flatten().flatten()),
            CALIBRATION_AT => {
                said.extend(msp::request(msp::ACC_CALIBRATION, &[]).unwrap_or_default())
            }
            _ if tick > CALIBRATION_AT && tick.is_multiple_of(ASKED_EVERY) => {
                said.extend(msp::request(msp::STATUS_EX, &[]).unwrap_or_default());
            }
            _ => {}
        }
        said
    }

    fn hear_motors(&mut self, step: &mut Step<'_>) {
        let mut last = None;
        for packet in step.events(self.motors) {
            self.heard += 1;
            // The last one counts; one of another length is none.
            last = speeds(&packet.bytes).or(last);
        }
        let Some(speeds) = last else { return };
        let motors = [self.motor_1, self.motor_2, self.motor_3, self.motor_4];
        for (motor, speed) in motors.into_iter().zip(speeds) {
            let throttle = if speed.is_finite() { speed.clamp(0.0, 1.0) } else { 0.0 };
            step.write(motor, throttle * self.full_speed);
        }
        step.write(self.packets, self.heard);
    }

    fn hear_msp(&mut self, step: &mut Step<'_>) {
        for piece in step.events(self.msp_in) {
            self.answers.push(&piece.bytes);
        }
        while let Some((command, content)) = self.answers.next() {
            if command == msp::STATUS_EX
                && let Some(status) = Status::read(&content)
            {
                step.write(self.armed, status.armed);
                step.write(self.arming_prevented, status.arming_prevented);
            }
        }
    }
}

impl Periodic for BetaflightLink {
    fn step(&mut self, step: &mut Step<'_>) {
        self.hear_motors(step);
        self.hear_msp(step);
        let packet =
            |remote_port, bytes: Vec<u8>| Datagram { remote_port, bytes: Payload::new(bytes) };
        let state = packet(STATE_PORT, self.state_packet(step));
        step.send(self.state, state);
        if step.tick() >= STICKS_FROM && step.tick().is_multiple_of(STICKS_EVERY) {
            let sticks = packet(STICKS_PORT, self.sticks_packet(step));
            step.send(self.sticks, sticks);
        }
        let said = Self::requests(step.tick());
        if !said.is_empty() {
            step.send(self.msp_out, StreamBytes { bytes: Payload::new(said) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_of_motors_has_four_floats() {
        let bytes: Vec<u8> =
            [0.0_f32, 0.25, 0.5, 1.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(speeds(&bytes), Some([0.0, 0.25, 0.5, 1.0]));
        assert_eq!(speeds(&bytes[..15]), None);
    }

    #[test]
    fn sticks_are_channels_from_1000_to_2000() {
        assert_eq!([-2.0, -1.0, 0.0, 0.5, 1.0].map(channel), [1000, 1000, 1500, 1750, 2000]);
    }

    #[test]
    fn modes_are_set_once_then_the_state_is_asked_for() {
        assert_eq!(BetaflightLink::requests(MODES_AT).len(), 2 * 11);
        assert_eq!(BetaflightLink::requests(CALIBRATION_AT).len(), 6);
        assert_eq!(BetaflightLink::requests(3_000), msp::request(msp::STATUS_EX, &[]).unwrap());
        assert!(BetaflightLink::requests(3_001).is_empty());
    }
}
