//! What the services of a ground station are asked, and what they answer.

use ironbird_kernel::{DecodeError, LeafError, Scalar, Schema, Value, Wire, WireReader};
use serde::{Deserialize, Serialize};

/// How a request ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value, Serialize, Deserialize)]
pub enum Verdict {
    /// The vehicle does it.
    Accepted,
    /// The vehicle does not; the result says why.
    Denied,
    /// The vehicle has not answered.
    #[default]
    TimedOut,
    /// It was never sent: there is no such vehicle, or its home is not known.
    Refused,
}

/// What a service answers, when the vehicle has or time is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
pub struct Answer {
    /// How it ended.
    pub verdict: Verdict,
    /// The number of the `MAV_RESULT` (of a mission, the `MAV_MISSION_RESULT`) that denied it; 0 otherwise.
    pub result: u8,
}

/// How high.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct Altitude {
    /// Metres above home.
    pub altitude: f64,
}

/// Where, as seen from home.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct Offset {
    /// Metres north of home.
    pub north: f64,
    /// Metres east of home.
    pub east: f64,
    /// Metres above home.
    pub altitude: f64,
}

/// Where on the Earth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct Spot {
    /// In radians.
    pub latitude: f64,
    /// In radians.
    pub longitude: f64,
    /// Metres above home.
    pub altitude: f64,
}

/// How often a message is to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct MessageRate {
    /// The number of the message.
    pub message: u32,
    /// In hertz; 0: not at all.
    pub frequency: f64,
}

/// The argument of a service, as numbers.
pub(crate) trait Argument: Value {
    /// Its numbers; what is not there is 0.
    fn numbers(&self) -> [f64; 3];

    /// The vehicle that is meant; `None` where there is only one, -1 for all.
    fn vehicle(&self) -> Option<i32> {
        None
    }
}

impl Argument for () {
    fn numbers(&self) -> [f64; 3] {
        [0.0; 3]
    }
}

impl Argument for Altitude {
    fn numbers(&self) -> [f64; 3] {
        [self.altitude, 0.0, 0.0]
    }
}

impl Argument for Offset {
    fn numbers(&self) -> [f64; 3] {
        [self.north, self.east, self.altitude]
    }
}

impl Argument for Spot {
    fn numbers(&self) -> [f64; 3] {
        [self.latitude, self.longitude, self.altitude]
    }
}

impl Argument for MessageRate {
    fn numbers(&self) -> [f64; 3] {
        [f64::from(self.message), self.frequency, 0.0]
    }
}

/// An argument, and in front of its parts the number of the vehicle that is meant; -1 stands for all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForVehicle<A> {
    /// From 0.
    pub vehicle: i32,
    /// The rest.
    pub content: A,
}

impl<A: Value> Value for ForVehicle<A> {
    const LEAVES: usize = 1 + A::LEAVES;

    fn schema() -> Schema {
        let mut fields = vec![("vehicle".into(), i32::schema())];
        // The parts of the argument lie beside it, so that a call names them as it does for one vehicle.
        let name = match A::schema() {
            Schema::Struct { name, fields: parts } => {
                fields.extend(parts);
                name
            }
            other => {
                let name = other.to_string();
                fields.push(("value".into(), other));
                name
            }
        };
        Schema::Struct { name: format!("ForVehicle<{name}>"), fields }
    }

    fn encode(&self, wire: &mut Wire) {
        self.vehicle.encode(wire);
        self.content.encode(wire);
    }

    fn decode(wire: &mut WireReader<'_>) -> Result<Self, DecodeError> {
        Ok(ForVehicle { vehicle: i32::decode(wire)?, content: A::decode(wire)? })
    }

    fn leaf(&self, leaf: usize) -> Option<Scalar> {
        match leaf {
            0 => self.vehicle.leaf(0),
            other => self.content.leaf(other - 1),
        }
    }

    fn set_leaf(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError> {
        match leaf {
            0 => self.vehicle.set_leaf(0, value),
            other => self.content.set_leaf(other - 1, value),
        }
    }
}

impl<A: Argument> Argument for ForVehicle<A> {
    fn numbers(&self) -> [f64; 3] {
        self.content.numbers()
    }

    fn vehicle(&self) -> Option<i32> {
        Some(self.vehicle)
    }
}
