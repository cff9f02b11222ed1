//! `simbricks.physical-world`: a device of our world, used by an emulator elsewhere.
//!
//! A reading for time t shows what the inputs hold at t when everything has settled: the component takes what is due,
//! lets the others have their steps of that instant, and answers a picosecond later with the time stamp of t. So a world
//! that steps at t is read as it is at t.

use std::sync::Arc;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Interface, Made, Place,
    PortDescription, Settings,
};
use ironbird_kernel::{Inputs, Outputs, Ports, SignalOut, Start};
use ironbird_simbricks::Message;
use ironbird_simbricks::layout::physical::{ToHost, ToPhysics, VALUES};
use ironbird_simbricks::physical::{
    Actuator, ActuatorKind, Device, Metric, Nature, PhysicalError, Physics, Sensor, ServedLink,
    agree_with_peer, disagreement,
};

use super::parts::{Part, read, refuse_twice};
use super::saturation::Saturation;
use super::signals::{Input, Numbers, describe, describe_actuator};
use super::{device_parameters, read_device, truth};
use crate::line::{Greeting, Line, Trouble};
use crate::linked::{Linked, Talk, common_ports};
use crate::parameters;

const DOC: &str = "\
A device of this experiment's world, used by an emulator in another simulator.

Its inputs are what the sensors of the device measure, its outputs what the actuators were told. Sensors are written \
\"angular_velocity, altitude highest 100 Hz factor 1000, temperature polled\": what is measured, how often it can be read \
(10 kHz where that is not said), by which factor its values are multiplied, and whether readings come only when they are \
asked for. Actuators are written \"rotor_speed x4 from 0 to 1000 rad/s as motor\": what they are told, and within which \
range. One component is one device; several devices of one world are several components.";

const SATURATED: &str =
    "Whether a value of a sensor was beyond what its factor allows and was cut.";

/// The type `simbricks.physical-world`.
pub(crate) struct WorldSideType {
    description: Description,
}

impl WorldSideType {
    pub fn new() -> Self {
        let own = device_parameters(
            "What is measured, separated by commas; each is an input.",
            "What can be told, separated by commas; each is an output.",
        );
        WorldSideType { description: parameters::description("simbricks.physical-world", DOC, own) }
    }
}

impl ComponentType for WorldSideType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let given = Given::new(settings, place);
        let (number, sensors, actuators) = read_device(&given, &self.description)?;
        let sensors: Vec<Part<Metric>> = read(&sensors, &["highest", "factor", "polled"])
            .map_err(|why| InstantiateError::of("sensors", why))?;
        let actuators: Vec<Part<ActuatorKind>> = read(&actuators, &["from", "factor"])
            .map_err(|why| InstantiateError::of("actuators", why))?;
        let names = |of: &[Part<Metric>]| of.iter().map(|part| part.name.clone()).collect();
        let (inputs, outputs): (Vec<String>, Vec<String>) =
            (names(&sensors), actuators.iter().map(|part| part.name.clone()).collect());
        refuse_twice(inputs.iter().map(String::as_str), &[])
            .map_err(|why| InstantiateError::of("sensors", why))?;
        refuse_twice(outputs.iter().map(String::as_str), &["saturated", "ended"])
            .map_err(|why| InstantiateError::of("actuators", why))?;
        let device = Device {
            number,
            sensors: sensors.iter().map(sensor).collect(),
            actuators: actuators.iter().map(actuator).collect(),
        };
        let physics = Physics::new(device.clone())
            .map_err(|error| InstantiateError::of("actuators", error))?;
        let layer = |name| ServedLink::link(name, &device);
        let plan = parameters::plan(&given, &self.description, layer)?;
        let described = sensors
            .iter()
            .map(|part| describe(PortDescription::input, &part.name, part.kind).waking());
        let told = actuators
            .iter()
            .map(|part| describe_actuator(PortDescription::output, &part.name, part.kind));
        let ports =
            described.chain(told).chain([truth("saturated", SATURATED)]).chain(common_ports());
        let interface = Interface { ports: ports.collect(), ..Interface::default() };
        let talk = WorldSide {
            world: World {
                readings: vec![[0.0; VALUES]; inputs.len()],
                told: vec![None; outputs.len()],
            },
            physics,
            requests: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            saturated: None,
            saturation: Saturation::default(),
            sensor_names: inputs,
            actuator_names: outputs,
        };
        Ok(Made::event_driven(Linked::new(plan, talk)).with_interface(Arc::new(interface)))
    }
}

fn sensor(part: &Part<Metric>) -> Sensor {
    let usual = Sensor::new(part.kind, part.number);
    Sensor {
        factor: part.factor.unwrap_or(usual.factor),
        highest_frequency: part.highest.unwrap_or(usual.highest_frequency),
        push_available: !part.polled,
        ..usual
    }
}

fn actuator(part: &Part<ActuatorKind>) -> Actuator {
    let usual = match part.kind {
        ActuatorKind::PulseWidth => (1000.0, 2000.0),
        ActuatorKind::Share => (-1.0, 1.0),
        ActuatorKind::RotorSpeed => (0.0, 10_000.0),
        ActuatorKind::Angle => (-std::f64::consts::PI, std::f64::consts::PI),
    };
    Actuator {
        kind: part.kind,
        number: part.number,
        factor: part.factor.unwrap_or(part.kind.factor()),
        range: part.range.unwrap_or(usual),
    }
}

/// What the inputs hold, and what is to be shown.
struct World {
    readings: Vec<Numbers>,
    told: Vec<Option<f64>>,
}

impl Nature for World {
    fn read(&mut self, sensor: usize, _: u64) -> Numbers {
        self.readings[sensor]
    }

    fn write(&mut self, actuator: usize, values: Numbers, _: u64) {
        self.told[actuator] = Some(values[0]);
    }
}

/// The world's side of one device.
struct WorldSide {
    physics: Physics,
    world: World,
    /// Readings that were asked for, and when.
    requests: Vec<(u64, ToPhysics)>,
    inputs: Vec<Input>,
    outputs: Vec<SignalOut<f64>>,
    saturated: Option<SignalOut<bool>>,
    saturation: Saturation,
    sensor_names: Vec<String>,
    actuator_names: Vec<String>,
}

impl WorldSide {
    /// Does what a message says; sends what is answered.
    fn answer(&mut self, now: u64, message: ToPhysics, line: &mut Line) -> Result<(), Trouble> {
        let answer = self.physics.receive(now, message, &mut self.world);
        let answer = answer.map_err(|error| disagreement(line.endpoint(), error))?;
        if let Some(answer) = answer {
            line.send(now, &answer, &[])?;
            if let ToHost::Refusal { part, reason, limit } = answer {
                let error = PhysicalError::Refused { number: part.number, reason, limit };
                return Err(disagreement(line.endpoint(), error).into());
            }
        }
        Ok(())
    }
}

impl Talk for WorldSide {
    type Content = ToPhysics;

    fn ports(&mut self, ports: &mut Ports) {
        let device = self.physics.device();
        for (sensor, name) in device.sensors.iter().zip(&self.sensor_names) {
            self.inputs.push(Input::declare(ports, name, sensor.metric));
        }
        for (actuator, name) in device.actuators.iter().zip(&self.actuator_names) {
            let (low, high) = actuator.range;
            self.outputs.push(ports.signal_out(name, 0.0_f64.clamp(low, high)));
        }
        self.saturated = Some(ports.signal_out("saturated", false));
    }

    fn start(&mut self, start: &Start<'_>) {
        for (reading, input) in self.world.readings.iter_mut().zip(&self.inputs) {
            *reading = input.at_start(start);
        }
    }

    fn greeting(&self) -> Greeting {
        let (intro, first) = (self.physics.device().intro(), self.physics.capabilities());
        Box::new(move |line| {
            agree_with_peer(line.endpoint(), intro)?;
            first.iter().try_for_each(|message| line.send(0, message, &[]))
        })
    }

    fn collect(&mut self, inputs: &Inputs<'_>) {
        for (reading, input) in self.world.readings.iter_mut().zip(&self.inputs) {
            *reading = input.get(inputs);
        }
    }

    /// Sends the readings of before `now`.
    fn speak(&mut self, now: u64, line: &mut Line) -> Result<(), Trouble> {
        let Some(settled) = now.checked_sub(1) else { return Ok(()) };
        if self.next() > now {
            return Ok(());
        }
        for (asked, request) in std::mem::take(&mut self.requests) {
            self.answer(asked.max(settled), request, line)?;
        }
        let mut due = Vec::new();
        self.physics.push(settled, &mut self.world, |message| due.push(message));
        due.iter().try_for_each(|message| line.send(settled, message, &[]))?;
        for sensor in self.physics.take_cut() {
            self.saturation.tell(line.endpoint().name(), &self.sensor_names[sensor]);
        }
        Ok(())
    }

    fn read(message: &Message<'_>) -> Result<ToPhysics, Trouble> {
        Ok(message.upper()?)
    }

    fn take(&mut self, now: u64, message: ToPhysics, line: &mut Line) -> Result<(), Trouble> {
        if matches!(message, ToPhysics::SensorReadRequest { .. }) {
            self.requests.push((now, message));
            return Ok(());
        }
        self.answer(now, message, line)
    }

    fn next(&self) -> u64 {
        let push = self.physics.next_push().saturating_add(1);
        match self.requests.first() {
            Some((asked, _)) => push.min(asked + 1),
            None => push,
        }
    }

    fn has_news(&self) -> bool {
        self.world.told.iter().any(Option::is_some) || self.saturation.has_news()
    }

    fn show(&mut self, out: &mut Outputs<'_>) {
        for (told, output) in self.world.told.iter_mut().zip(&self.outputs) {
            if let Some(value) = told.take() {
                out.write(*output, value);
            }
        }
        if let Some(saturated) = self.saturated
            && self.saturation.take_news()
        {
            out.write(saturated, true);
        }
    }
}
