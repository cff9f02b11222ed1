//! Fixed-wing aircraft.
//!
//! ```text
//!   commands ──► servos ──► air, propeller, gravity ──► rigid body ──► states
//!   wind, gusts ──────────────▲        battery
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `file.rs`, `propulsion_file.rs`, `servos_file.rs`, `table_file.rs` | how an aircraft is read |
//! | `coefficients.rs`, `table.rs` | sums of terms, tables with linear interpolation |
//! | `dynamics.rs`, `vector.rs`, `atmosphere.rs` | the equations of motion |
//! | `equations.rs` | the same for a solver: the derivative of each state |
//! | `propulsion.rs`, `servos.rs` | motor, propeller, battery; what moves the surfaces |
//! | `trim.rs`, `effort.rs` | steady flight, the modes about it, and what it costs |
//! | `initial.rs` | where and how it starts |
//! | `look.rs` | how it is drawn |
//! | `view.rs` | what others see of it |
//! | `vehicle.rs` | the same aircraft as forces, for a world |

mod atmosphere;
mod coefficients;
mod dynamics;
mod effort;
mod equations;
mod file;
mod initial;
mod look;
mod propulsion;
mod propulsion_file;
mod servos;
mod servos_file;
mod table;
mod table_file;
mod trim;
mod vector;
mod vehicle;
mod view;

use std::path::PathBuf;

use ironbird_component::scenery::{Body, Coordinate, Ground, Motion, MotionPart, Reading, Scenery};
use ironbird_component::{Component, Held, Shown};
use serde::{Deserialize, Serialize};

pub use effort::{BatteryUse, Effort};
pub use file::Aircraft as AircraftFile;
use initial::Initial;
use servos::SERVOS;
pub use trim::{Modes, Trim, TrimError, Wanted};
pub use vehicle::AircraftVehicle;
pub use view::AircraftView;

const NORTH: usize = 0;
const EAST: usize = 1;
const DOWN: usize = 2;
const U: usize = 3;
const V: usize = 4;
const W: usize = 5;
const QW: usize = 6;
const QX: usize = 7;
const QY: usize = 8;
const QZ: usize = 9;
const P: usize = 10;
const Q: usize = 11;
const R: usize = 12;
const FIRST_SERVO: usize = 13;
const MOTOR_SPEED: usize = FIRST_SERVO + SERVOS;
const CHARGE: usize = MOTOR_SPEED + 1;
const STATES: usize = CHARGE + 1;

const AILERON: usize = 0;
const ELEVATOR: usize = 1;
const RUDDER: usize = 2;
const FLAP: usize = 3;
const LEFT: usize = 4;
const RIGHT: usize = 5;
const THROTTLE: usize = 6;
const WIND: usize = 7;
const GUST: usize = 10;
const INPUTS: usize = 13;

/// A fixed-wing aircraft: a rigid body with six degrees of freedom over a flat Earth.
///
/// Mass, aerodynamic coefficients (tables over angle of attack, sideslip, deflections and rates), propeller,
/// motor, battery and servos come from a file. Positive aileron rolls to starboard, positive elevator
/// pitches the nose down, positive rudder turns it to port. The air is the standard atmosphere, `down = 0`
/// is the level of the sea.
#[derive(Component, Serialize, Deserialize)]
#[component(
    type = "plant.aircraft",
    continuous,
    check = Self::check,
    changed = Self::prepare,
    scenery = Self::scenery
)]
pub struct Aircraft {
    /// The aircraft file.
    #[parameter(fixed)]
    file: PathBuf,
    /// Parameters of the file with other values: "Cmq = -8.2, CLalpha = 4.6".
    #[parameter(default = "", fixed)]
    adjust: String,
    /// Acceleration of gravity.
    #[parameter(unit = "m/s^2", default = 9.80665, min = 0, fixed)]
    gravity: f64,
    /// Whether surfaces are at once where they are wanted, within their limits.
    #[parameter(default = false, fixed)]
    ideal_servos: bool,
    /// Whether it has propulsion; without, it is a glider with a propeller that does nothing.
    #[parameter(default = true, fixed)]
    propelled: bool,
    /// Whether the engine has failed: throttle does nothing, and the propeller turns in the wind.
    #[parameter(default = false)]
    engine_failed: bool,
    #[group]
    initial: Initial,
    /// Aileron that is wanted.
    #[input(index = AILERON, unit = "rad", default = 0.0)]
    aileron: Held,
    /// Elevator that is wanted.
    #[input(index = ELEVATOR, unit = "rad", default = 0.0)]
    elevator: Held,
    /// Rudder that is wanted.
    #[input(index = RUDDER, unit = "rad", default = 0.0)]
    rudder: Held,
    /// Flap that is wanted.
    #[input(index = FLAP, unit = "rad", default = 0.0)]
    flap: Held,
    /// Left ruddervator of a V-tail that is wanted beside elevator and rudder.
    #[input(index = LEFT, unit = "rad", default = 0.0)]
    ruddervator_left: Held,
    /// Right ruddervator of a V-tail that is wanted beside elevator and rudder.
    #[input(index = RIGHT, unit = "rad", default = 0.0)]
    ruddervator_right: Held,
    /// Throttle, from 0 to 1.
    #[input(index = THROTTLE, unit = "1", default = 0.0)]
    throttle: Held,
    /// Wind to the north.
    #[input(index = WIND, unit = "m/s", default = 0.0)]
    wind_north: Held,
    /// Wind to the east.
    #[input(index = WIND + 1, unit = "m/s", default = 0.0)]
    wind_east: Held,
    /// Wind downwards.
    #[input(index = WIND + 2, unit = "m/s", default = 0.0)]
    wind_down: Held,
    /// Angular velocity of the air about the forward axis.
    #[input(index = GUST, unit = "rad/s", default = 0.0)]
    gust_p: Held,
    /// Angular velocity of the air about the axis to starboard.
    #[input(index = GUST + 1, unit = "rad/s", default = 0.0)]
    gust_q: Held,
    /// Angular velocity of the air about the axis downwards.
    #[input(index = GUST + 2, unit = "rad/s", default = 0.0)]
    gust_r: Held,
    /// Place to the north.
    #[output(state = NORTH, unit = "m")]
    north: Shown,
    /// Place to the east.
    #[output(state = EAST, unit = "m")]
    east: Shown,
    /// Place downwards.
    #[output(state = DOWN, unit = "m")]
    down: Shown,
    /// Velocity over ground forward.
    #[output(state = U, unit = "m/s")]
    u: Shown,
    /// Velocity over ground to starboard.
    #[output(state = V, unit = "m/s")]
    v: Shown,
    /// Velocity over ground downwards in the body.
    #[output(state = W, unit = "m/s")]
    w: Shown,
    /// Attitude, w.
    #[output(state = QW)]
    qw: Shown,
    /// Attitude, x.
    #[output(state = QX)]
    qx: Shown,
    /// Attitude, y.
    #[output(state = QY)]
    qy: Shown,
    /// Attitude, z.
    #[output(state = QZ)]
    qz: Shown,
    /// Angular velocity about the forward axis.
    #[output(state = P, unit = "rad/s")]
    p: Shown,
    /// Angular velocity about the axis to starboard.
    #[output(state = Q, unit = "rad/s")]
    q: Shown,
    /// Angular velocity about the axis downwards.
    #[output(state = R, unit = "rad/s")]
    r: Shown,
    /// Position of the first servo: aileron.
    #[output(state = FIRST_SERVO, unit = "rad")]
    servo_aileron: Shown,
    /// Position of the second servo: elevator, or left ruddervator.
    #[output(state = FIRST_SERVO + 1, unit = "rad")]
    servo_elevator: Shown,
    /// Position of the third servo: rudder, or right ruddervator.
    #[output(state = FIRST_SERVO + 2, unit = "rad")]
    servo_rudder: Shown,
    /// Speed of motor and propeller.
    #[output(state = MOTOR_SPEED, unit = "rad/s")]
    motor_speed: Shown,
    /// State of charge of the battery: 1 when full.
    #[output(state = CHARGE, unit = "1")]
    charge: Shown,
    #[skip]
    #[serde(skip)]
    craft: AircraftFile,
    /// Commands that are added to the inputs.
    #[skip]
    #[serde(skip)]
    offset: [f64; INPUTS],
    #[skip]
    #[serde(skip)]
    start: [f64; STATES],
}

impl Aircraft {
    fn scenery(&self) -> Option<Scenery> {
        use Coordinate::{Down, East, North, W, X, Y, Z};
        let parts = [
            (North, "north"),
            (East, "east"),
            (Down, "down"),
            (W, "qw"),
            (X, "qx"),
            (Y, "qy"),
            (Z, "qz"),
        ];
        let parts = parts.map(|(is, port)| MotionPart::new(is, port)).to_vec();
        let names = look::Names {
            servos: ["servo_aileron", "servo_elevator", "servo_rudder"],
            motor_speed: "motor_speed",
        };
        let body = Body {
            motion: Motion::Parts { parts, rest: [0.0; 3] },
            wind: Some(["wind_north", "wind_east", "wind_down"].map(Reading::input)),
            ..look::body(&self.craft, &names)
        };
        let ground = Ground::Plane { down: 0.0 };
        Some(Scenery { ground, bodies: vec![body], ..Scenery::default() })
    }

    fn read(&self) -> Result<(AircraftFile, initial::Beginning), String> {
        let mut craft =
            AircraftFile::read(&self.file, &self.adjust).map_err(|error| error.to_string())?;
        if self.ideal_servos {
            craft.servos.time_constant = 0.0;
        }
        if !self.propelled {
            craft.airframe.propulsion.kind = propulsion::Kind::None;
        }
        let beginning = self.initial.of(&craft, self.gravity)?;
        Ok((craft, beginning))
    }

    /// All that the file and the start depend on is fixed: what was read once stays.
    fn is_read(&self) -> bool {
        self.craft.airframe.mass.mass > 0.0
    }

    fn check(&self) -> Result<(), String> {
        if self.is_read() { Ok(()) } else { self.read().map(|_| ()) }
    }

    /// A file that has vanished since it was checked leaves an aircraft without mass, whose
    /// acceleration is not a number.
    fn prepare(&mut self) {
        if self.is_read() {
            return;
        }
        if let Ok((craft, beginning)) = self.read() {
            self.craft = craft;
            self.start = beginning.states;
            self.offset = beginning.commands;
        }
    }
}
