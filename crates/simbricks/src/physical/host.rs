//! The side of the host, which uses sensors and actuators of a device.

use super::fixed_point::{from_wire, to_wire};
use super::{ActuatorKind, Metric, PhysicalError, Sensor};
use crate::layout::physical::{Intro, Part, Reason, ToHost, ToPhysics, VALUES, Values};

/// How a host wishes to use a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// What it is to measure.
    pub metric: Metric,
    /// Its number among sensors of this metric.
    pub number: u32,
    /// How often its readings are to come, in Hz; where they are asked for, nothing.
    pub push: Option<u32>,
    /// What its values are to be multiplied by, where not by what is announced.
    pub factor: Option<u32>,
}

/// An actuator as it was announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// What it is told.
    pub kind: ActuatorKind,
    /// Its number among actuators of this kind.
    pub number: u32,
    /// What values are multiplied by.
    pub factor: u32,
    /// The least and the greatest value, times the factor.
    pub range: (i32, i32),
}

/// A reading of a sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The sensor's place among the wishes.
    pub sensor: usize,
    /// What was asked for, where it was: the request's number.
    pub request: u64,
    /// What it reads; as many as the metric has count.
    pub values: [f64; VALUES],
}

/// The side of the host, for one device.
#[derive(Debug)]
pub struct Host {
    device: u32,
    actuator_count: u32,
    wishes: Vec<Wish>,
    /// What was announced, in the order of the wishes.
    sensors: Vec<Option<Sensor>>,
    actuators: Vec<Offered>,
    next_request: u64,
}

impl Host {
    /// A host of a device with these sensors and so many actuators.
    pub fn new(device: u32, wishes: Vec<Wish>, actuator_count: u32) -> Self {
        let sensors = vec![None; wishes.len()];
        Host { device, actuator_count, wishes, sensors, actuators: Vec::new(), next_request: 0 }
    }

    /// How it introduces itself.
    pub fn intro(&self) -> Intro {
        let sensors = u32::try_from(self.wishes.len()).unwrap_or(u32::MAX);
        Intro { device: self.device, sensors, actuators: self.actuator_count }
    }

    /// Whether everything was announced.
    pub fn is_ready(&self) -> bool {
        self.sensors.iter().all(Option::is_some)
            && self.actuators.len() as u32 == self.actuator_count
    }

    /// The actuators announced so far.
    pub fn actuators(&self) -> &[Offered] {
        &self.actuators
    }

    /// Takes a message of the physical simulation: what is answered, and what was read.
    ///
    /// # Errors
    /// If it announces something that was not expected, cannot do what is wished, refuses, or speaks of something
    /// unknown.
    pub fn receive(
        &mut self,
        message: ToHost,
    ) -> Result<(Option<ToPhysics>, Option<Reading>), PhysicalError> {
        let (ToHost::SensorCapabilities { part, .. }
        | ToHost::ActuatorCapabilities { part, .. }
        | ToHost::SensorRead { part, .. }
        | ToHost::Refusal { part, .. }) = message;
        let Part { request, device, kind, number } = part;
        if device != self.device {
            return Err(PhysicalError::WrongDevice { expected: self.device, found: device });
        }
        let is_it = |wish: &Wish| (wish.metric.id(), wish.number) == (kind, number);
        let sensor = self.wishes.iter().position(is_it);
        let unknown = PhysicalError::NoSuch { what: "sensor", number, kind };
        match message {
            ToHost::SensorCapabilities { factor, highest_frequency, push_available, .. } => {
                let at = sensor.ok_or(unknown)?;
                let wish = self.wishes[at];
                let (what, metric) = ("sensor", wish.metric);
                if self.sensors[at].is_some() {
                    return Err(PhysicalError::Twice { what, number, kind });
                }
                if factor == 0 {
                    return Err(PhysicalError::NoFactor { what, number });
                }
                let refused = |reason, limit| Err(PhysicalError::Refused { number, reason, limit });
                match wish.push {
                    Some(_) if !push_available => return refused(Reason::NoPush, 0),
                    Some(frequency) if frequency == 0 || frequency > highest_frequency => {
                        return refused(Reason::Frequency, highest_frequency);
                    }
                    _ => {}
                }
                let used = wish.factor.filter(|factor| *factor != 0).unwrap_or(factor);
                self.sensors[at] = Some(Sensor {
                    metric,
                    number,
                    factor: used,
                    highest_frequency,
                    push_available,
                });
                let (push, frequency) = (wish.push.is_some(), wish.push.unwrap_or(0));
                let factor = wish.factor.unwrap_or(0);
                let answer = ToPhysics::SensorConfiguration { part, push, frequency, factor };
                Ok((Some(answer), None))
            }
            ToHost::ActuatorCapabilities { least, most, factor, .. } => {
                let what = "actuator";
                let known = ActuatorKind::of(kind);
                let kind_known = known.ok_or(PhysicalError::NoSuch { what, number, kind })?;
                let same = |other: &Offered| (other.kind, other.number) == (kind_known, number);
                if self.actuators.iter().any(same) {
                    return Err(PhysicalError::Twice { what, number, kind });
                }
                if least > most {
                    return Err(PhysicalError::Range { number, least, most });
                }
                let (factor, range) = (factor.max(1), (least, most));
                self.actuators.push(Offered { kind: kind_known, number, factor, range });
                Ok((None, None))
            }
            ToHost::SensorRead { values, .. } => {
                let at = sensor.ok_or(unknown)?;
                let known = self.sensors[at].ok_or(PhysicalError::TooEarly { number })?;
                let mut read = [0.0; VALUES];
                for (read, value) in read.iter_mut().zip(values).take(known.metric.values()) {
                    *read = from_wire(value, known.factor);
                }
                Ok((None, Some(Reading { sensor: at, request, values: read })))
            }
            ToHost::Refusal { reason, limit, .. } => {
                Err(PhysicalError::Refused { number, reason, limit })
            }
        }
    }

    /// Asks for a reading of a sensor, by its place among the wishes; with the request's number.
    ///
    /// # Errors
    /// If there is no such wish.
    pub fn request(&mut self, sensor: usize) -> Result<(u64, ToPhysics), PhysicalError> {
        let number = u32::try_from(sensor).unwrap_or(u32::MAX);
        let missing = PhysicalError::NoSuch { what: "sensor", number, kind: 0 };
        let wish = *self.wishes.get(sensor).ok_or(missing)?;
        let part = self.part(wish.metric.id(), wish.number);
        Ok((part.request, ToPhysics::SensorReadRequest { part }))
    }

    /// Tells an actuator, by its place in [`Host::actuators`], something; whether a value was beyond its range, so that
    /// the nearest end stands for it.
    ///
    /// # Errors
    /// If there is no such actuator.
    pub fn write(
        &mut self,
        actuator: usize,
        values: &[f64],
    ) -> Result<(ToPhysics, bool), PhysicalError> {
        let number = u32::try_from(actuator).unwrap_or(u32::MAX);
        let missing = PhysicalError::NoSuch { what: "actuator", number, kind: 0 };
        let Offered { kind, number, factor, range } =
            *self.actuators.get(actuator).ok_or(missing)?;
        let mut told = Values::default();
        let mut is_cut = false;
        for (told, value) in told.iter_mut().zip(values) {
            let wire = to_wire(*value, factor);
            *told = wire.number.clamp(range.0, range.1);
            is_cut |= wire.is_cut || *told != wire.number;
        }
        let part = self.part(kind.id(), number);
        Ok((ToPhysics::ActuatorWrite { part, values: told }, is_cut))
    }

    fn part(&mut self, kind: u32, number: u32) -> Part {
        let request = self.next_request;
        self.next_request += 1;
        Part { request, device: self.device, kind, number }
    }
}
