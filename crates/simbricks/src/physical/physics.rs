//! The side of the physical simulation.

use super::fixed_point::{from_wire, to_wire};
use super::{ActuatorKind, Metric, PhysicalError};
use crate::layout::physical::{Intro, Part, Reason, ToHost, ToPhysics, VALUES, Values};

/// A sensor that a device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sensor {
    /// What it measures.
    pub metric: Metric,
    /// Its number among sensors of this metric.
    pub number: u32,
    /// What its values are multiplied by.
    pub factor: u32,
    /// How often it can be read, in Hz.
    pub highest_frequency: u32,
    /// Whether its readings can come without being asked for.
    pub push_available: bool,
}

impl Sensor {
    /// With the usual factor; pushed at up to 10 kHz.
    pub fn new(metric: Metric, number: u32) -> Self {
        let factor = metric.factor();
        Sensor { metric, number, factor, highest_frequency: 10_000, push_available: true }
    }
}

/// An actuator that a device has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuator {
    /// What it is told.
    pub kind: ActuatorKind,
    /// Its number among actuators of this kind.
    pub number: u32,
    /// What values are multiplied by.
    pub factor: u32,
    /// The least and the greatest value.
    pub range: (f64, f64),
}

/// What a physical simulation offers of one device.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Its number.
    pub number: u32,
    /// Its sensors.
    pub sensors: Vec<Sensor>,
    /// Its actuators.
    pub actuators: Vec<Actuator>,
}

impl Device {
    /// How it introduces itself.
    pub fn intro(&self) -> Intro {
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let (sensors, actuators) = (count(self.sensors.len()), count(self.actuators.len()));
        Intro { device: self.number, sensors, actuators }
    }

    fn check(&self) -> Result<(), PhysicalError> {
        for (at, sensor) in self.sensors.iter().enumerate() {
            let (what, number, kind) = ("sensor", sensor.number, sensor.metric.id());
            if sensor.factor == 0 {
                return Err(PhysicalError::NoFactor { what, number });
            }
            let same = |other: &Sensor| (other.metric, other.number) == (sensor.metric, number);
            if self.sensors[..at].iter().any(same) {
                return Err(PhysicalError::Twice { what, number, kind });
            }
        }
        for (at, actuator) in self.actuators.iter().enumerate() {
            let (what, number, kind) = ("actuator", actuator.number, actuator.kind.id());
            if actuator.factor == 0 {
                return Err(PhysicalError::NoFactor { what, number });
            }
            let same = |other: &Actuator| (other.kind, other.number) == (actuator.kind, number);
            if self.actuators[..at].iter().any(same) {
                return Err(PhysicalError::Twice { what, number, kind });
            }
            let [least, most] = actuator.ends();
            if least > most || actuator.range.0.is_nan() || actuator.range.1.is_nan() {
                return Err(PhysicalError::Range { number, least, most });
            }
        }
        Ok(())
    }
}

impl Actuator {
    fn ends(&self) -> [i32; 2] {
        [self.range.0, self.range.1].map(|end| to_wire(end, self.factor).number)
    }
}

/// What is measured and moved.
pub trait Nature {
    /// What sensor `sensor` of the device (by its place in the list) reads at `now`, in picoseconds.
    fn read(&mut self, sensor: usize, now: u64) -> [f64; VALUES];

    /// Actuator `actuator` of the device (by its place in the list) is told this at `now`.
    fn write(&mut self, actuator: usize, values: [f64; VALUES], now: u64);
}

/// How a sensor is read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    Unknown,
    Polled,
    /// So many times a second; reading `tick` is next.
    Pushed {
        frequency: u32,
        tick: u64,
    },
}

/// The side of the physical simulation, for one device.
#[derive(Debug)]
pub struct Physics {
    device: Device,
    manners: Vec<Manner>,
    /// Sensors of which a value did not fit.
    cut: Vec<bool>,
}

/// Reading `tick` of a sensor that is read `frequency` times a second is due then, in picoseconds.
pub fn due(frequency: u32, tick: u64) -> u64 {
    let exact = (u128::from(tick) * 1_000_000_000_000).div_ceil(u128::from(frequency.max(1)));
    u64::try_from(exact).unwrap_or(u64::MAX)
}

impl Physics {
    /// For a device.
    ///
    /// # Errors
    /// If sensors or actuators are there twice, have no factor or no range.
    pub fn new(device: Device) -> Result<Self, PhysicalError> {
        device.check()?;
        let count = device.sensors.len();
        Ok(Physics { device, manners: vec![Manner::Unknown; count], cut: vec![false; count] })
    }

    /// What it offers.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// What is said first after the introductions: of every sensor, then of every actuator.
    pub fn capabilities(&self) -> Vec<ToHost> {
        let device = self.device.number;
        let sensors = self.device.sensors.iter().map(|sensor| ToHost::SensorCapabilities {
            part: Part { request: 0, device, kind: sensor.metric.id(), number: sensor.number },
            factor: sensor.factor,
            highest_frequency: sensor.highest_frequency,
            push_available: sensor.push_available,
        });
        let actuators = self.device.actuators.iter().map(|actuator| {
            let (kind, number) = (actuator.kind.id(), actuator.number);
            let [least, most] = actuator.ends();
            let part = Part { request: 0, device, kind, number };
            ToHost::ActuatorCapabilities { part, least, most, factor: actuator.factor }
        });
        let mut all: Vec<_> = sensors.chain(actuators).collect();
        for (request, message) in all.iter_mut().enumerate() {
            if let ToHost::SensorCapabilities { part, .. }
            | ToHost::ActuatorCapabilities { part, .. } = message
            {
                part.request = request as u64;
            }
        }
        all
    }

    /// Whether the host has said how it uses every sensor.
    pub fn is_configured(&self) -> bool {
        !self.manners.contains(&Manner::Unknown)
    }

    /// When a reading is to be pushed next, in picoseconds; never where none is.
    pub fn next_push(&self) -> u64 {
        let next = self.manners.iter().map(|manner| match manner {
            Manner::Pushed { frequency, tick } => due(*frequency, *tick),
            _ => u64::MAX,
        });
        next.min().unwrap_or(u64::MAX)
    }

    /// Sensors, by their place in the list, of which a value did not fit since this was last asked.
    pub fn take_cut(&mut self) -> Vec<usize> {
        let found = self.cut.iter().enumerate().filter(|(_, cut)| **cut).map(|(at, _)| at);
        let found = found.collect();
        self.cut.fill(false);
        found
    }

    /// Readings that are to be pushed at `now`, in the order of the sensors.
    pub fn push(&mut self, now: u64, nature: &mut dyn Nature, mut send: impl FnMut(ToHost)) {
        for at in 0..self.manners.len() {
            while let Manner::Pushed { frequency, tick } = self.manners[at]
                && due(frequency, tick) <= now
            {
                self.manners[at] = Manner::Pushed { frequency, tick: tick + 1 };
                send(self.reading(at, tick, now, nature));
            }
        }
    }

    /// Takes a message of the host; what is answered.
    ///
    /// # Errors
    /// If it is about another device, or about an actuator or a sensor to be read that there is not.
    pub fn receive(
        &mut self,
        now: u64,
        message: ToPhysics,
        nature: &mut dyn Nature,
    ) -> Result<Option<ToHost>, PhysicalError> {
        let (ToPhysics::SensorConfiguration { part, .. }
        | ToPhysics::SensorReadRequest { part }
        | ToPhysics::ActuatorWrite { part, .. }) = message;
        let Part { request, device, kind, number } = part;
        if device != self.device.number {
            let expected = self.device.number;
            return Err(PhysicalError::WrongDevice { expected, found: device });
        }
        let is_it = |sensor: &Sensor| (sensor.metric.id(), sensor.number) == (kind, number);
        let sensor = self.device.sensors.iter().position(is_it);
        match message {
            ToPhysics::SensorConfiguration { push, frequency, factor, .. } => {
                Ok(self.configure(now, part, sensor, push.then_some(frequency), factor))
            }
            ToPhysics::SensorReadRequest { .. } => {
                let missing = PhysicalError::NoSuch { what: "sensor", number, kind };
                let at = sensor.ok_or(missing)?;
                if self.manners[at] == Manner::Unknown {
                    return Err(PhysicalError::TooEarly { number });
                }
                Ok(Some(self.reading(at, request, now, nature)))
            }
            ToPhysics::ActuatorWrite { values, .. } => {
                let is_it = |a: &Actuator| (a.kind.id(), a.number) == (kind, number);
                let missing = PhysicalError::NoSuch { what: "actuator", number, kind };
                let at = self.device.actuators.iter().position(is_it).ok_or(missing)?;
                let actuator = &self.device.actuators[at];
                let [least, most] = actuator.ends();
                let told = values.map(|value| from_wire(value.clamp(least, most), actuator.factor));
                nature.write(at, told, now);
                Ok(None)
            }
        }
    }

    /// Takes over how a sensor is to be read, or refuses.
    fn configure(
        &mut self,
        now: u64,
        part: Part,
        sensor: Option<usize>,
        frequency: Option<u32>,
        factor: u32,
    ) -> Option<ToHost> {
        let refuse = |reason, limit| Some(ToHost::Refusal { part, reason, limit });
        let Some(at) = sensor else { return refuse(Reason::NoSuchSensor, 0) };
        let Sensor { highest_frequency, push_available, .. } = self.device.sensors[at];
        let manner = match frequency {
            None => Manner::Polled,
            Some(_) if !push_available => return refuse(Reason::NoPush, 0),
            Some(frequency) if frequency == 0 || frequency > highest_frequency => {
                return refuse(Reason::Frequency, highest_frequency);
            }
            Some(frequency) => {
                // Readings come at multiples of the period since the start, from the next on.
                let elapsed = u128::from(now) * u128::from(frequency);
                let tick = elapsed.div_ceil(1_000_000_000_000) as u64;
                Manner::Pushed { frequency, tick }
            }
        };
        if factor != 0 {
            self.device.sensors[at].factor = factor;
        }
        self.manners[at] = manner;
        None
    }

    fn reading(&mut self, at: usize, request: u64, now: u64, nature: &mut dyn Nature) -> ToHost {
        let Sensor { metric, number, factor, .. } = self.device.sensors[at];
        let truth = nature.read(at, now);
        let mut values = Values::default();
        for (value, truth) in values.iter_mut().zip(truth).take(metric.values()) {
            let wire = to_wire(truth, factor);
            *value = wire.number;
            self.cut[at] |= wire.is_cut;
        }
        let part = Part { request, device: self.device.number, kind: metric.id(), number };
        ToHost::SensorRead { part, values }
    }
}
