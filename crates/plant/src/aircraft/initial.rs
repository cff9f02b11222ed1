//! Where and how an aircraft starts.

use ironbird_component::Parameters;
use ironbird_kinematics::Attitude;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::file::Aircraft;
use super::trim::Wanted;
use super::{
    AILERON, CHARGE, DOWN, ELEVATOR, FIRST_SERVO, INPUTS, MOTOR_SPEED, NORTH, P, QW, RUDDER,
    STATES, THROTTLE, U,
};

/// Where and how an aircraft starts: in trimmed flight, or with every state as it is given.
#[derive(Clone, Debug, Default, PartialEq, Parameters, Serialize, Deserialize)]
pub struct Initial {
    /// Place: north, east, down.
    #[parameter(unit = "m", default = [0.0, 0.0, -100.0], fixed)]
    position: [f64; 3],
    /// Speed through the air of trimmed, straight flight; 0 m/s to start as `velocity`, `attitude`, `rates`
    /// and the others below say.
    #[parameter(unit = "m/s", default = 0.0, min = 0, fixed)]
    trim_airspeed: f64,
    /// Angle of the path of trimmed flight, upwards.
    #[parameter(unit = "deg", default = 0.0, min = -60, max = 60, fixed)]
    trim_path: f64,
    /// Heading of trimmed flight.
    #[parameter(unit = "deg", default = 0.0, fixed)]
    trim_heading: f64,
    /// Wind in which the aircraft flies at the start of trimmed flight: to the north, east, down.
    #[parameter(unit = "m/s", default = [0.0; 3], fixed)]
    trim_wind: [f64; 3],
    /// Whether the commands of trimmed flight are added to all commands: inputs of 0 then keep it.
    #[parameter(default = false, fixed)]
    about_trim: bool,
    /// Velocity over ground: north, east, down.
    #[parameter(unit = "m/s", default = [0.0; 3], fixed)]
    velocity: [f64; 3],
    /// Roll, pitch and yaw.
    #[parameter(unit = "rad", default = [0.0; 3], fixed)]
    attitude: [f64; 3],
    /// Angular velocity: roll, pitch and yaw rate.
    #[parameter(unit = "rad/s", default = [0.0; 3], fixed)]
    rates: [f64; 3],
    /// Deflections: aileron, elevator, rudder.
    #[parameter(unit = "rad", default = [0.0; 3], fixed)]
    deflections: [f64; 3],
    /// Speed of motor and propeller.
    #[parameter(unit = "rad/s", default = 0.0, min = 0, fixed)]
    motor_speed: f64,
    /// State of charge of the battery.
    #[parameter(default = 1.0, min = 0, max = 1, fixed)]
    charge: f64,
}

/// What the first instant is made of.
pub(super) struct Beginning {
    /// The states.
    pub states: [f64; STATES],
    /// Commands that are added to the inputs.
    pub commands: [f64; INPUTS],
}

impl Initial {
    /// The first instant of an aircraft.
    pub(super) fn of(&self, craft: &Aircraft, gravity: f64) -> Result<Beginning, String> {
        if self.trim_airspeed > 0.0 {
            return self.trimmed(craft, gravity);
        }
        if self.about_trim {
            return Err("\"initial.about_trim\" needs \"initial.trim_airspeed\"".into());
        }
        let [roll, pitch, yaw] = self.attitude;
        let attitude = Attitude::from_euler(roll, pitch, yaw);
        let velocity = attitude.to_body(Vector3::from(self.velocity));
        let [aileron, elevator, rudder] = self.deflections;
        let trim = super::Trim {
            deflections: [aileron, elevator, rudder, 0.0],
            motor_speed: self.motor_speed,
            velocity: velocity.into(),
            pitch,
            ..super::Trim::default()
        };
        for (position, limits) in craft.servo_positions(&trim).iter().zip(craft.servos.limits) {
            if !(limits.low - 1e-9..=limits.high + 1e-9).contains(position) {
                let (low, high) = (limits.low.to_degrees(), limits.high.to_degrees());
                return Err(format!(
                    "\"initial.deflections\" put a servo at {:.1} deg: it goes from {low:.1} deg to \
                     {high:.1} deg",
                    position.to_degrees()
                ));
            }
        }
        Ok(Beginning { states: self.states(craft, &trim, attitude), commands: [0.0; INPUTS] })
    }

    fn trimmed(&self, craft: &Aircraft, gravity: f64) -> Result<Beginning, String> {
        let wanted = Wanted {
            airspeed: self.trim_airspeed,
            height: -self.position[2],
            path_angle: self.trim_path.to_radians(),
            gravity,
            charge: self.charge,
        };
        let mut trim = craft.trim(&wanted).map_err(|error| error.to_string())?;
        let attitude = Attitude::from_euler(0.0, trim.pitch, self.trim_heading.to_radians());
        let drift = attitude.to_body(Vector3::from(self.trim_wind));
        trim.velocity = (Vector3::from(trim.velocity) + drift).into();
        let mut commands = [0.0; INPUTS];
        if self.about_trim {
            commands[AILERON] = trim.deflections[0];
            commands[ELEVATOR] = trim.deflections[1];
            commands[RUDDER] = trim.deflections[2];
            commands[THROTTLE] = trim.throttle;
        }
        let mut states = self.states(craft, &trim, attitude);
        states[P..P + 3].fill(0.0);
        Ok(Beginning { states, commands })
    }

    fn states(&self, craft: &Aircraft, trim: &super::Trim, attitude: Attitude) -> [f64; STATES] {
        let mut states = [0.0; STATES];
        states[NORTH..=DOWN].copy_from_slice(&self.position);
        states[U..U + 3].copy_from_slice(&trim.velocity);
        let Attitude { w, x, y, z } = attitude;
        states[QW..QW + 4].copy_from_slice(&[w, x, y, z]);
        states[P..P + 3].copy_from_slice(&self.rates);
        states[FIRST_SERVO..MOTOR_SPEED].copy_from_slice(&craft.servo_positions(trim));
        states[MOTOR_SPEED] = trim.motor_speed;
        states[CHARGE] = self.charge;
        states
    }
}
