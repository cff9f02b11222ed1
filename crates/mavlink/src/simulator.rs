//! What a simulator and an autopilot say to each other: the messages HIL_*, in their units and axes
//! (<https://mavlink.io/en/messages/common.html>).
//!
//! | message | to | carries |
//! |---|---|---|
//! | HIL_SENSOR | autopilot | body axes forward, right, down: m/s², rad/s, gauss; hPa, m, °C; which of them are new |
//! | HIL_GPS | autopilot | degrees · 10⁷, mm, cm/s north, east and down |
//! | HIL_STATE_QUATERNION | autopilot | the truth, to be logged |
//! | HIL_ACTUATOR_CONTROLS | simulator | 16 controls from -1 to 1, whether it is armed |

use ironbird_kinematics::{Attitude, Geodetic, STANDARD_GRAVITY};
use mavlink::dialects::common::{
    GpsFixType, HIL_GPS_DATA, HIL_SENSOR_DATA, HIL_STATE_QUATERNION_DATA, HilActuatorControlsFlags,
    HilSensorUpdatedFlags, MavModeFlag,
};

use crate::mission::e7;
use crate::stream::MavMessage;

/// Controls of HIL_ACTUATOR_CONTROLS.
pub const CONTROLS: usize = 16;

const GAUSS_PER_TESLA: f64 = 1e4;
const PASCALS_PER_HECTOPASCAL: f64 = 100.0;
const ZERO_CELSIUS: f64 = 273.15;

/// What sensors read at an instant; those that are not there are not new.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sensors {
    /// Microseconds.
    pub time: u64,
    /// What the accelerometer feels, in m/s², body axes.
    pub specific_force: Option<[f64; 3]>,
    /// In rad/s, body axes.
    pub angular_velocity: Option<[f64; 3]>,
    /// In T, body axes.
    pub magnetic_field: Option<[f64; 3]>,
    /// Pressure of the air in Pa, and its temperature in K.
    pub air: Option<(f64, f64)>,
    /// What a Pitot tube measures, in Pa.
    pub differential_pressure: Option<f64>,
}

/// A fix of a satellite receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SatelliteFix {
    /// Microseconds.
    pub time: u64,
    /// Where it is.
    pub place: Geodetic,
    /// North, east and down in m/s.
    pub velocity: [f64; 3],
    /// How far it may be wrong, to the side and in height, in m.
    pub accuracy: [f64; 2],
    /// Satellites in view; fewer than 4 make no fix in three dimensions, fewer than 3 none.
    pub satellites: u8,
}

/// How a vehicle really moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Truth {
    /// Microseconds.
    pub time: u64,
    /// From body axes to north, east, down.
    pub attitude: Attitude,
    /// In rad/s, body axes.
    pub angular_velocity: [f64; 3],
    /// What an accelerometer feels, in m/s², body axes.
    pub specific_force: [f64; 3],
    /// Where it is.
    pub place: Geodetic,
    /// North, east and down in m/s.
    pub velocity: [f64; 3],
}

/// What an autopilot wants of its motors and servos.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuators {
    /// Microseconds: of the sensors that it answers, where it runs in lockstep.
    pub time: u64,
    /// Motors from 0 to 1, others from -1 to 1.
    pub controls: [f32; CONTROLS],
    /// Whether motors may run.
    pub is_armed: bool,
    /// Whether its clock is that of the sensors.
    pub is_lockstep: bool,
}

/// Metres of the standard atmosphere at which there is a pressure (in Pa): (T₀/L) (1 - (p/p₀)^(R L/g)).
fn pressure_altitude(pressure: f64) -> f64 {
    const ALTITUDE: f64 = 44_330.77;
    const EXPONENT: f64 = 0.190_263;
    const AT_SEA: f64 = 101_325.0;
    ALTITUDE * (1.0 - libm::pow(pressure / AT_SEA, EXPONENT))
}

/// What stands in f32 fields where nothing is read.
fn floats(values: Option<[f64; 3]>, factor: f64) -> [f32; 3] {
    values.unwrap_or_default().map(|value| (factor * value) as f32)
}

/// Hundredths, as far as the type of the field goes.
fn hundredths(value: f64) -> i16 {
    (100.0 * value).round() as i16
}

impl Sensors {
    /// HIL_SENSOR. A sensor counts as new if all of its bits are set.
    pub fn message(&self) -> MavMessage {
        type New = HilSensorUpdatedFlags;
        const ACCELEROMETER: u32 = 0x0007;
        const GYROSCOPE: u32 = 0x0038;
        const MAGNETOMETER: u32 = 0x01C0;
        const BAROMETER: u32 = 0x1A00;
        const PITOT: u32 = 0x0400;
        let parts = [
            (self.specific_force.is_some(), ACCELEROMETER),
            (self.angular_velocity.is_some(), GYROSCOPE),
            (self.magnetic_field.is_some(), MAGNETOMETER),
            (self.air.is_some(), BAROMETER),
            (self.differential_pressure.is_some(), PITOT),
        ];
        let new = parts.iter().filter(|(is_new, _)| *is_new).fold(0, |all, (_, bits)| all | bits);
        let [xacc, yacc, zacc] = floats(self.specific_force, 1.0);
        let [xgyro, ygyro, zgyro] = floats(self.angular_velocity, 1.0);
        let [xmag, ymag, zmag] = floats(self.magnetic_field, GAUSS_PER_TESLA);
        let (pressure, altitude, temperature) = match self.air {
            Some((pressure, temperature)) => (
                pressure / PASCALS_PER_HECTOPASCAL,
                pressure_altitude(pressure),
                temperature - ZERO_CELSIUS,
            ),
            None => (0.0, 0.0, 0.0),
        };
        let differential = self.differential_pressure.unwrap_or(0.0) / PASCALS_PER_HECTOPASCAL;
        MavMessage::HIL_SENSOR(HIL_SENSOR_DATA {
            time_usec: self.time,
            xacc,
            yacc,
            zacc,
            xgyro,
            ygyro,
            zgyro,
            xmag,
            ymag,
            zmag,
            abs_pressure: pressure as f32,
            diff_pressure: differential as f32,
            pressure_alt: altitude as f32,
            temperature: temperature as f32,
            fields_updated: New::from_bits_retain(new),
        })
    }
}

impl SatelliteFix {
    /// HIL_GPS.
    pub fn message(&self) -> MavMessage {
        /// The course over ground is not known to who is slower, in m/s.
        const SLOWEST: f64 = 0.5;
        const UNKNOWN: u16 = u16::MAX;
        let [north, east, down] = self.velocity;
        let speed = libm::hypot(north, east);
        let course = libm::atan2(east, north).to_degrees();
        let course = if course < 0.0 { course + 360.0 } else { course };
        let fix = match self.satellites {
            0..=2 => GpsFixType::GPS_FIX_TYPE_NO_FIX,
            3 => GpsFixType::GPS_FIX_TYPE_2D_FIX,
            _ => GpsFixType::GPS_FIX_TYPE_3D_FIX,
        };
        let [eph, epv] = self.accuracy.map(|metres| (100.0 * metres).round() as u16);
        MavMessage::HIL_GPS(HIL_GPS_DATA {
            time_usec: self.time,
            lat: e7(self.place.latitude.to_degrees()),
            lon: e7(self.place.longitude.to_degrees()),
            alt: (1e3 * self.place.height).round() as i32,
            eph,
            epv,
            vel: (100.0 * speed).round() as u16,
            vn: hundredths(north),
            ve: hundredths(east),
            vd: hundredths(down),
            cog: if speed < SLOWEST { UNKNOWN } else { (100.0 * course).round() as u16 % 36_000 },
            fix_type: fix as u8,
            satellites_visible: self.satellites,
        })
    }
}

impl Truth {
    /// HIL_STATE_QUATERNION; the air stands still.
    pub fn message(&self) -> MavMessage {
        let Attitude { w, x, y, z } = self.attitude;
        let [rollspeed, pitchspeed, yawspeed] = floats(Some(self.angular_velocity), 1.0);
        let [vx, vy, vz] = self.velocity.map(hundredths);
        let [north, east, down] = self.velocity;
        let airspeed = (100.0 * libm::sqrt(north * north + east * east + down * down)).round();
        let [xacc, yacc, zacc] =
            self.specific_force.map(|force| (1e3 * force / STANDARD_GRAVITY).round() as i16);
        MavMessage::HIL_STATE_QUATERNION(HIL_STATE_QUATERNION_DATA {
            time_usec: self.time,
            attitude_quaternion: [w, x, y, z].map(|number| number as f32),
            rollspeed,
            pitchspeed,
            yawspeed,
            lat: e7(self.place.latitude.to_degrees()),
            lon: e7(self.place.longitude.to_degrees()),
            alt: (1e3 * self.place.height).round() as i32,
            vx,
            vy,
            vz,
            ind_airspeed: airspeed as u16,
            true_airspeed: airspeed as u16,
            xacc,
            yacc,
            zacc,
        })
    }
}

impl Actuators {
    /// Reads HIL_ACTUATOR_CONTROLS; other messages are none.
    pub fn read(message: &MavMessage) -> Option<Self> {
        let MavMessage::HIL_ACTUATOR_CONTROLS(data) = message else { return None };
        let lockstep = HilActuatorControlsFlags::HIL_ACTUATOR_CONTROLS_FLAGS_LOCKSTEP;
        Some(Actuators {
            time: data.time_usec,
            controls: data.controls,
            is_armed: data.mode.contains(MavModeFlag::MAV_MODE_FLAG_SAFETY_ARMED),
            is_lockstep: data.flags.contains(lockstep),
        })
    }
}
