//! What moves.

use serde::{Deserialize, Serialize};

use super::Placed;

/// What kind of thing moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum BodyKind {
    Multirotor,
    Aircraft,
    Underwater,
    Rover,
    Car,
    CartPole,
    #[default]
    Object,
}

/// Something that moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Body {
    /// What to call it.
    pub name: String,
    /// What it is.
    pub kind: BodyKind,
    /// How it moves.
    pub motion: Motion,
    /// The body of the component that it is a part of, such as the cart of a pole; empty if it is none.
    pub part_of: String,
    /// The parameter that names the input at which it gets the motion that it shows: it looks like the body that moves
    /// so, which is not drawn once more.
    pub follows: Option<String>,
    /// Length, width and height.
    pub size: [f64; 3],
    /// Its shapes.
    pub shapes: Vec<Placed>,
    /// Its rotors.
    pub rotors: Vec<Rotor>,
    /// Its control surfaces.
    pub surfaces: Vec<ControlSurface>,
    /// Its wheels.
    pub wheels: Vec<Wheel>,
    /// The wind around it: to the north, to the east, downwards, in m/s.
    pub wind: Option<[Reading; 3]>,
    /// Its sensors with beams.
    pub sensors: Vec<Beams>,
}

/// The outputs of the component that say how a body moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Motion {
    /// One, of values with `position` and `attitude`.
    Whole(String),
    /// Several, of which each says a part.
    Parts {
        /// Who says what.
        parts: Vec<MotionPart>,
        /// The place as far as nobody says it.
        rest: [f64; 3],
    },
}

impl Default for Motion {
    fn default() -> Self {
        Motion::Whole(String::new())
    }
}

impl Motion {
    /// The outputs, each once.
    pub fn outputs(&self) -> Vec<&str> {
        match self {
            Motion::Whole(port) => vec![port],
            Motion::Parts { parts, .. } => {
                let mut ports: Vec<&str> = parts.iter().map(|part| part.port.as_str()).collect();
                ports.sort_unstable();
                ports.dedup();
                ports
            }
        }
    }
}

/// An output that says a part of a motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionPart {
    /// What it says.
    pub is: Coordinate,
    /// The output.
    pub port: String,
    /// The number in its values; empty where they are one number.
    pub leaf: String,
    /// What the number is multiplied by.
    pub times: f64,
}

impl MotionPart {
    /// An output of one number that says this.
    pub fn new(is: Coordinate, port: &str) -> Self {
        MotionPart { is, port: port.into(), leaf: String::new(), times: 1.0 }
    }
}

/// A number of a place or an attitude. An attitude is a quaternion, or roll, pitch and yaw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Coordinate {
    North,
    East,
    Down,
    W,
    X,
    Y,
    Z,
    Roll,
    Pitch,
    Yaw,
}

/// Where a number is read that changes while a run goes on. `leaf` is its place in a value; empty where that is one
/// number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reading {
    /// At an output of the component.
    #[allow(missing_docs)]
    Output { port: String, leaf: String },
    /// At what is linked to an input of the component.
    #[allow(missing_docs)]
    Input { port: String, leaf: String },
    /// At an output of any component: what the others become once the system is known.
    #[allow(missing_docs)]
    At { component: String, port: String, leaf: String },
}

impl Reading {
    /// An output of one number.
    pub fn output(port: &str) -> Self {
        Reading::Output { port: port.into(), leaf: String::new() }
    }

    /// What is linked to an input of one number.
    pub fn input(port: &str) -> Self {
        Reading::Input { port: port.into(), leaf: String::new() }
    }

    /// The same with another name of the port, if it is one of the component.
    #[must_use]
    pub fn renamed(self, rename: impl FnOnce(&str) -> String) -> Self {
        match self {
            Reading::Output { port, leaf } => Reading::Output { port: rename(&port), leaf },
            Reading::Input { port, leaf } => Reading::Input { port: rename(&port), leaf },
            other => other,
        }
    }
}

/// A rotor of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rotor {
    /// Its hub.
    pub position: [f64; 3],
    /// Its radius; 0 where it is not known.
    pub radius: f64,
    /// 1 where it turns clockwise seen from above, otherwise -1.
    pub turns: i8,
    /// Its speed in rad/s.
    pub speed: Option<Reading>,
}

/// A surface that moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlSurface {
    /// `elevator`, `aileron`, `rudder` or `fin`.
    pub name: String,
    /// Its deflection in rad.
    pub deflection: Reading,
}

/// A wheel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wheel {
    /// Its hub.
    pub position: [f64; 3],
    /// Its radius.
    pub radius: f64,
    /// How far it is turned to starboard in rad, if it is steered.
    pub steer: Option<Reading>,
}

/// A sensor that looks along rays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beams {
    /// Its name.
    pub name: String,
    /// Where it is on the body.
    pub position: [f64; 3],
    /// The rays in the frame of the body, each of length 1.
    pub directions: Vec<[f64; 3]>,
    /// How far it sees.
    pub most: f64,
    /// The output that shows the distances.
    pub distances: String,
}

impl Body {
    /// Gives all ports of the component other names.
    pub fn rename_ports(&mut self, rename: impl Fn(&str) -> String) {
        self.readings(|reading| *reading = reading.clone().renamed(&rename));
    }

    /// Shows all readings of the body to somebody who may change them.
    pub fn readings(&mut self, mut see: impl FnMut(&mut Reading)) {
        let rotors = self.rotors.iter_mut().filter_map(|rotor| rotor.speed.as_mut());
        let surfaces = self.surfaces.iter_mut().map(|surface| &mut surface.deflection);
        let wheels = self.wheels.iter_mut().filter_map(|wheel| wheel.steer.as_mut());
        let wind = self.wind.iter_mut().flatten();
        rotors.chain(surfaces).chain(wheels).chain(wind).for_each(&mut see);
    }
}
