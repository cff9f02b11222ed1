//! PHYSICAL (protocol 4): sensors and actuators of a device in a physical simulation, and the host that uses them.
//!
//! The messages of G. Mohr, *Modular Full-System Simulation for Cyber-Physical Systems*, 2025, Listings 3 to 5, with
//! the fields, sizes and offsets printed there:
//!
//! | direction | message | fields |
//! |---|---|---|
//! | both | introduction | device u32 @0, sensors u32 @4, actuators u32 @8 |
//! | to host | sensor capabilities 0x40 | request u64 @0, device u32 @8, metric u32 @12, sensor u32 @16, factor u32 @20, highest frequency in Hz u32 @24, push available u8 @28 |
//! | to host | actuator capabilities 0x41 | request u64 @0, device u32 @8, kind u32 @12, actuator u32 @16, least i32 @20, most i32 @24, *factor u32 @28* |
//! | to host | sensor read 0x42 | request u64 @0, device u32 @8, metric u32 @12, sensor u32 @16, values 1 to 7 i32 @20, value 8 i32 @56 |
//! | to host | *refusal 0x43* | request u64 @0, device u32 @8, metric u32 @12, sensor u32 @16, reason u32 @20, limit u32 @24 |
//! | to physics | sensor configuration 0x60 | request u64 @0, device u32 @8, metric u32 @12, sensor u32 @16, push u8 @20, frequency in Hz u32 @24, *factor u32 @28* |
//! | to physics | sensor read request 0x61 | request u64 @0, device u32 @8, metric u32 @12, sensor u32 @16 |
//! | to physics | actuator write 0x62 | request u64 @0, device u32 @8, kind u32 @12, actuator u32 @16, values as in a sensor read |
//!
//! What the thesis does not print is our choice: the protocol's number, the types, and what is set in italics. A peer
//! that leaves those bytes zero means by it: an actuator's factor of 1; a sensor's factor as announced. Value 8 lies
//! behind the time stamp, in bytes that the base does not use.

use super::{Expected, FIELDS, Fields, LayoutError, Tail, Upper, fields, length, put, take};

/// Bytes of a slot: no message has a payload.
pub const ELEN: u64 = 64;
/// Bytes of an introduction.
pub const INTRO: usize = 12;
/// Values of a reading or of a write.
pub const VALUES: usize = 8;

const TO_HOST: &str = "PHYSICAL from physics to host";
const TO_PHYSICS: &str = "PHYSICAL from host to physics";

/// What either side says first: which device it is about, and what it has or expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intro {
    /// The device.
    pub device: u32,
    /// How many sensors it has.
    pub sensors: u32,
    /// How many actuators it has.
    pub actuators: u32,
}

impl Intro {
    /// Its bytes.
    pub fn encode(&self) -> [u8; INTRO] {
        let mut bytes = [0; INTRO];
        put(&mut bytes, 0, self.device.to_le_bytes());
        put(&mut bytes, 4, self.sensors.to_le_bytes());
        put(&mut bytes, 8, self.actuators.to_le_bytes());
        bytes
    }

    /// Reads one.
    ///
    /// # Errors
    /// If there are more or fewer bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, LayoutError> {
        let what = "the introduction of PHYSICAL";
        if bytes.len() != INTRO {
            return Err(length(what, Expected::Exactly(INTRO), bytes));
        }
        let word = |at| Ok(u32::from_le_bytes(take(bytes, at, what)?));
        Ok(Self { device: word(0)?, sensors: word(4)?, actuators: word(8)? })
    }
}

/// Which part of which device a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Comes back in the answer.
    pub request: u64,
    /// The device.
    pub device: u32,
    /// What a sensor measures, or of which kind an actuator is.
    pub kind: u32,
    /// The number of the sensor or actuator.
    pub number: u32,
}

/// Values of a reading or of a write, each times its factor.
pub type Values = [i32; VALUES];

/// Why a configuration is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no such sensor: 1.
    NoSuchSensor,
    /// The frequency is above the highest, or zero: 2; the limit is the highest.
    Frequency,
    /// Readings of this sensor are not pushed: 3.
    NoPush,
    /// The factor is not possible: 4.
    Factor,
}

impl Reason {
    fn code(self) -> u32 {
        match self {
            Self::NoSuchSensor => 1,
            Self::Frequency => 2,
            Self::NoPush => 3,
            Self::Factor => 4,
        }
    }

    fn of(code: u32) -> Result<Self, LayoutError> {
        Ok(match code {
            1 => Self::NoSuchSensor,
            2 => Self::Frequency,
            3 => Self::NoPush,
            4 => Self::Factor,
            _ => {
                let field = "the reason of a refusal";
                return Err(LayoutError::Value { field, found: code.into() });
            }
        })
    }
}

/// From the physical simulation to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToHost {
    /// 0x40
    SensorCapabilities {
        /// The sensor.
        part: Part,
        /// What values are multiplied by.
        factor: u32,
        /// In Hz.
        highest_frequency: u32,
        /// Whether readings can come without being asked for.
        push_available: bool,
    },
    /// 0x41
    ActuatorCapabilities {
        /// The actuator.
        part: Part,
        /// The least value, times the factor.
        least: i32,
        /// The greatest value, times the factor.
        most: i32,
        /// What values are multiplied by; zero means one.
        factor: u32,
    },
    /// 0x42
    SensorRead {
        /// The sensor.
        part: Part,
        /// What it reads.
        values: Values,
    },
    /// 0x43
    Refusal {
        /// The sensor as it was named.
        part: Part,
        /// Why.
        reason: Reason,
        /// What would have been possible at most, where that is a number.
        limit: u32,
    },
}

/// From the host to the physical simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToPhysics {
    /// 0x60
    SensorConfiguration {
        /// The sensor.
        part: Part,
        /// Whether readings are to come without being asked for.
        push: bool,
        /// How often, in Hz.
        frequency: u32,
        /// Another factor than was announced; zero where there is no need for one.
        factor: u32,
    },
    /// 0x61
    SensorReadRequest {
        /// The sensor.
        part: Part,
    },
    /// 0x62
    ActuatorWrite {
        /// The actuator.
        part: Part,
        /// What it is to do.
        values: Values,
    },
}

fn put_part(bytes: &mut Fields, part: &Part) {
    put(bytes, 0, part.request.to_le_bytes());
    put(bytes, 8, part.device.to_le_bytes());
    put(bytes, 12, part.kind.to_le_bytes());
    put(bytes, 16, part.number.to_le_bytes());
}

fn put_values(bytes: &mut Fields, values: &Values) {
    for (n, value) in values[..VALUES - 1].iter().enumerate() {
        put(bytes, 20 + 4 * n, value.to_le_bytes());
    }
}

fn tail_of(values: &Values) -> Tail {
    let mut tail = Tail::default();
    put(&mut tail, 0, values[VALUES - 1].to_le_bytes());
    tail
}

/// What stands in a header.
struct Reader<'a> {
    bytes: &'a Fields,
    tail: &'a Tail,
    layer: &'static str,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> Result<u32, LayoutError> {
        Ok(u32::from_le_bytes(take(self.bytes, at, self.layer)?))
    }

    fn signed(&self, at: usize) -> Result<i32, LayoutError> {
        Ok(i32::from_le_bytes(take(self.bytes, at, self.layer)?))
    }

    fn truth(&self, at: usize, field: &'static str) -> Result<bool, LayoutError> {
        match self.bytes[at] {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(LayoutError::Value { field, found: found.into() }),
        }
    }

    fn part(&self) -> Result<Part, LayoutError> {
        Ok(Part {
            request: u64::from_le_bytes(take(self.bytes, 0, self.layer)?),
            device: self.word(8)?,
            kind: self.word(12)?,
            number: self.word(16)?,
        })
    }

    fn values(&self) -> Result<Values, LayoutError> {
        let mut values = Values::default();
        for (n, value) in values[..VALUES - 1].iter_mut().enumerate() {
            *value = self.signed(20 + 4 * n)?;
        }
        values[VALUES - 1] = i32::from_le_bytes(take(self.tail, 0, self.layer)?);
        Ok(values)
    }
}

impl Upper for ToHost {
    fn kind(&self) -> u8 {
        match self {
            Self::SensorCapabilities { .. } => 0x40,
            Self::ActuatorCapabilities { .. } => 0x41,
            Self::SensorRead { .. } => 0x42,
            Self::Refusal { .. } => 0x43,
        }
    }

    fn encode(&self) -> Fields {
        let mut bytes = [0; FIELDS];
        match self {
            Self::SensorCapabilities { part, factor, highest_frequency, push_available } => {
                put_part(&mut bytes, part);
                put(&mut bytes, 20, factor.to_le_bytes());
                put(&mut bytes, 24, highest_frequency.to_le_bytes());
                put(&mut bytes, 28, [u8::from(*push_available)]);
            }
            Self::ActuatorCapabilities { part, least, most, factor } => {
                put_part(&mut bytes, part);
                put(&mut bytes, 20, least.to_le_bytes());
                put(&mut bytes, 24, most.to_le_bytes());
                put(&mut bytes, 28, factor.to_le_bytes());
            }
            Self::SensorRead { part, values } => {
                put_part(&mut bytes, part);
                put_values(&mut bytes, values);
            }
            Self::Refusal { part, reason, limit } => {
                put_part(&mut bytes, part);
                put(&mut bytes, 20, reason.code().to_le_bytes());
                put(&mut bytes, 24, limit.to_le_bytes());
            }
        }
        bytes
    }

    fn tail(&self) -> Tail {
        match self {
            Self::SensorRead { values, .. } => tail_of(values),
            _ => Tail::default(),
        }
    }

    fn decode(kind: u8, bytes: &[u8], tail: &Tail) -> Result<Self, LayoutError> {
        let bytes = &fields(bytes, TO_HOST)?;
        let reader = Reader { bytes, tail, layer: TO_HOST };
        let part = reader.part()?;
        Ok(match kind {
            0x40 => Self::SensorCapabilities {
                part,
                factor: reader.word(20)?,
                highest_frequency: reader.word(24)?,
                push_available: reader.truth(28, "push_available")?,
            },
            0x41 => Self::ActuatorCapabilities {
                part,
                least: reader.signed(20)?,
                most: reader.signed(24)?,
                factor: reader.word(28)?,
            },
            0x42 => Self::SensorRead { part, values: reader.values()? },
            0x43 => {
                let reason = Reason::of(reader.word(20)?)?;
                Self::Refusal { part, reason, limit: reader.word(24)? }
            }
            found => return Err(LayoutError::Type { layer: TO_HOST, found }),
        })
    }

    fn payload_len(&self) -> Option<usize> {
        Some(0)
    }
}

impl Upper for ToPhysics {
    fn kind(&self) -> u8 {
        match self {
            Self::SensorConfiguration { .. } => 0x60,
            Self::SensorReadRequest { .. } => 0x61,
            Self::ActuatorWrite { .. } => 0x62,
        }
    }

    fn encode(&self) -> Fields {
        let mut bytes = [0; FIELDS];
        match self {
            Self::SensorConfiguration { part, push, frequency, factor } => {
                put_part(&mut bytes, part);
                put(&mut bytes, 20, [u8::from(*push)]);
                put(&mut bytes, 24, frequency.to_le_bytes());
                put(&mut bytes, 28, factor.to_le_bytes());
            }
            Self::SensorReadRequest { part } => put_part(&mut bytes, part),
            Self::ActuatorWrite { part, values } => {
                put_part(&mut bytes, part);
                put_values(&mut bytes, values);
            }
        }
        bytes
    }

    fn tail(&self) -> Tail {
        match self {
            Self::ActuatorWrite { values, .. } => tail_of(values),
            _ => Tail::default(),
        }
    }

    fn decode(kind: u8, bytes: &[u8], tail: &Tail) -> Result<Self, LayoutError> {
        let bytes = &fields(bytes, TO_PHYSICS)?;
        let reader = Reader { bytes, tail, layer: TO_PHYSICS };
        let part = reader.part()?;
        Ok(match kind {
            0x60 => Self::SensorConfiguration {
                part,
                push: reader.truth(20, "push_enabled")?,
                frequency: reader.word(24)?,
                factor: reader.word(28)?,
            },
            0x61 => Self::SensorReadRequest { part },
            0x62 => Self::ActuatorWrite { part, values: reader.values()? },
            found => return Err(LayoutError::Type { layer: TO_PHYSICS, found }),
        })
    }

    fn payload_len(&self) -> Option<usize> {
        Some(0)
    }
}
