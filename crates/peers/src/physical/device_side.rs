//! `simbricks.physical-device`: a device of a world elsewhere, used by our components.

use std::sync::Arc;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Interface, Made, Place,
    PortDescription, Settings,
};
use ironbird_environment::air::StandardAtmosphere;
use ironbird_kernel::{Inputs, Outputs, Ports, SignalIn, SignalOut};
use ironbird_simbricks::Message;
use ironbird_simbricks::layout::physical::{ToHost, VALUES};
use ironbird_simbricks::physical::{
    ActuatorKind, Host, Metric, UsedLink, Wish, agree_with_peer, disagreement, due,
};

use super::parts::{Part, read, refuse_twice};
use super::saturation::Saturation;
use super::signals::{Numbers, Output, describe, describe_actuator, mend};
use super::{device_parameters, read_device, truth};
use crate::line::{Greeting, Line, Trouble};
use crate::linked::{Linked, Talk, common_ports};
use crate::parameters;

const DOC: &str = "\
A device of a world that is in another simulator, used by the components of this experiment.

Its outputs are what its sensors read, its inputs what its actuators are told, whenever that is written. Sensors are \
written \"angular_velocity push 500 Hz, altitude poll 50 Hz factor 1000\": what is measured, whether readings come by \
themselves or are asked for, how often, and by which factor values are to be multiplied where not by that which the \
world announces. A world without air pressure still gives one: \"pressure from altitude\" is that of the standard \
atmosphere. Actuators are written \"rotor_speed x4 as motor\". Both sides must count the same sensors and actuators.";

const READY: &str = "Whether every sensor has been read.";
const SATURATED: &str = "Whether an actuator was told a value beyond its range, which was cut.";

/// The type `simbricks.physical-device`.
pub(crate) struct DeviceSideType {
    description: Description,
}

impl DeviceSideType {
    pub fn new() -> Self {
        let own = device_parameters(
            "What is measured, separated by commas; each is an output.",
            "What can be told, separated by commas; each is an input.",
        );
        DeviceSideType {
            description: parameters::description("simbricks.physical-device", DOC, own),
        }
    }
}

impl ComponentType for DeviceSideType {
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
        let wrong = |why| InstantiateError::of("sensors", why);
        let parts: Vec<Part<Metric>> =
            read(&sensors, &["push", "poll", "factor", "from"]).map_err(wrong)?;
        let sensors = shown(&parts).map_err(wrong)?;
        let actuators: Vec<Part<ActuatorKind>> =
            read(&actuators, &[]).map_err(|why| InstantiateError::of("actuators", why))?;
        let names = sensors.iter().map(|sensor| sensor.name.as_str());
        refuse_twice(names, &["ready", "saturated", "ended"]).map_err(wrong)?;
        refuse_twice(actuators.iter().map(|part| part.name.as_str()), &[])
            .map_err(|why| InstantiateError::of("actuators", why))?;
        let measured = || parts.iter().filter(|part| part.derived_from.is_none());
        let wishes = measured().map(|part| Wish {
            metric: part.kind,
            number: part.number,
            push: part.push,
            factor: part.factor,
        });
        let count = u32::try_from(actuators.len()).unwrap_or(u32::MAX);
        let host = Host::new(number, wishes.collect(), count);
        let layer = |name| UsedLink::link(name, &host);
        let plan = parameters::plan(&given, &self.description, layer)?;
        let outputs = sensors
            .iter()
            .map(|sensor| describe(PortDescription::output, &sensor.name, sensor.metric));
        let inputs = actuators.iter().map(|part| {
            describe_actuator(PortDescription::input, &part.name, part.kind).optional().waking()
        });
        let states = [truth("ready", READY), truth("saturated", SATURATED)];
        let ports = inputs.chain(outputs).chain(states).chain(common_ports()).collect();
        let interface = Interface { ports, ..Interface::default() };
        let talk = DeviceSide {
            host,
            polls: measured()
                .map(|part| part.poll.map(|frequency| Poll { frequency, tick: 0 }))
                .collect(),
            has_read: vec![false; measured().count()],
            readings: Vec::new(),
            sensors,
            actuators: actuators
                .into_iter()
                .map(|part| Commanded { part, input: None, offered: None, told: None })
                .collect(),
            air: StandardAtmosphere::default(),
            states: None,
            is_ready_shown: false,
            saturation: Saturation::default(),
        };
        Ok(Made::event_driven(Linked::new(plan, talk)).with_interface(Arc::new(interface)))
    }
}

/// An output that shows what a sensor reads, or what follows from it.
struct Shown {
    name: String,
    metric: Metric,
    /// The sensor, by its place among the wishes.
    sensor: usize,
    /// Which value of it is an altitude, of which the pressure is shown.
    altitude: Option<usize>,
    output: Option<Output>,
}

/// The outputs that these sensors have.
fn shown(parts: &[Part<Metric>]) -> Result<Vec<Shown>, String> {
    let measured: Vec<_> = parts.iter().filter(|part| part.derived_from.is_none()).collect();
    let mut taken = 0;
    parts
        .iter()
        .map(|part| {
            let (name, metric) = (part.name.clone(), part.kind);
            let Some(source) = &part.derived_from else {
                if part.push.is_none() && part.poll.is_none() {
                    return Err(format!(
                        "\"{name}\" is neither pushed nor polled: write \"push 100 Hz\" or \"poll 100 Hz\" behind it"
                    ));
                }
                taken += 1;
                return Ok(Shown { name, metric, sensor: taken - 1, altitude: None, output: None });
            };
            let sensor = measured.iter().position(|other| other.name == *source);
            let altitude = sensor.and_then(|sensor| match measured[sensor].kind {
                Metric::Altitude => Some(0),
                Metric::Position => Some(2),
                _ => None,
            });
            match (metric, sensor, altitude) {
                (Metric::Pressure, Some(sensor), Some(_)) => {
                    Ok(Shown { name, metric, sensor, altitude, output: None })
                }
                _ => Err(format!(
                    "\"{name}\" cannot come from \"{source}\": only pressure does, from an altitude or a position"
                )),
            }
        })
        .collect()
}

/// A sensor that is asked so many times a second.
struct Poll {
    frequency: u32,
    tick: u64,
}

/// An actuator.
struct Commanded {
    part: Part<ActuatorKind>,
    input: Option<SignalIn<f64>>,
    /// Its place among those that the world has.
    offered: Option<usize>,
    /// What it is to be told.
    told: Option<f64>,
}

/// The emulator's side of one device.
struct DeviceSide {
    host: Host,
    sensors: Vec<Shown>,
    polls: Vec<Option<Poll>>,
    has_read: Vec<bool>,
    /// What is to be shown, in the order in which it came.
    readings: Vec<(usize, Numbers)>,
    actuators: Vec<Commanded>,
    air: StandardAtmosphere,
    /// The outputs `ready` and `saturated`.
    states: Option<[SignalOut<bool>; 2]>,
    is_ready_shown: bool,
    saturation: Saturation,
}

impl DeviceSide {
    fn is_ready(&self) -> bool {
        self.host.is_ready() && !self.has_read.contains(&false)
    }

    /// Finds the actuators among those that the world has announced.
    fn find_actuators(&mut self, now: u64, line: &Line) -> Result<(), Trouble> {
        for actuator in &mut self.actuators {
            let (kind, number) = (actuator.part.kind, actuator.part.number);
            let offered = self.host.actuators().iter();
            let found = offered.enumerate().find(|(_, o)| (o.kind, o.number) == (kind, number));
            actuator.offered = found.map(|(at, _)| at);
            if found.is_none() {
                let (link, name) = (line.endpoint().name(), &actuator.part.name);
                return Err(Trouble(format!(
                    "link `{link}`: the peer has no actuator {} {number}, which is \"{name}\" here",
                    kind.name()
                )));
            }
        }
        // Who could not be asked before is asked from now on.
        for poll in self.polls.iter_mut().flatten() {
            let elapsed = u128::from(now) * u128::from(poll.frequency);
            poll.tick = elapsed.div_ceil(1_000_000_000_000) as u64;
        }
        Ok(())
    }
}

impl Talk for DeviceSide {
    type Content = ToHost;

    fn ports(&mut self, ports: &mut Ports) {
        for actuator in &mut self.actuators {
            actuator.input = Some(ports.waking_signal_in_or(&actuator.part.name, 0.0));
        }
        for sensor in &mut self.sensors {
            sensor.output = Some(Output::declare(ports, &sensor.name, sensor.metric));
        }
        self.states = Some(["ready", "saturated"].map(|name| ports.signal_out(name, false)));
    }

    fn greeting(&self) -> Greeting {
        let intro = self.host.intro();
        Box::new(move |line| agree_with_peer(line.endpoint(), intro))
    }

    fn collect(&mut self, inputs: &Inputs<'_>) {
        for actuator in &mut self.actuators {
            if let Some(input) = actuator.input
                && inputs.is_written(input)
            {
                actuator.told = Some(*inputs.signal(input));
            }
        }
    }

    fn speak(&mut self, now: u64, line: &mut Line) -> Result<(), Trouble> {
        if !self.host.is_ready() {
            return Ok(());
        }
        for actuator in &mut self.actuators {
            let (Some(offered), Some(value)) = (actuator.offered, actuator.told.take()) else {
                continue;
            };
            let told = self.host.write(offered, &[value]);
            let (message, is_cut) = told.map_err(|error| disagreement(line.endpoint(), error))?;
            line.send(now, &message, &[])?;
            if is_cut {
                self.saturation.tell(line.endpoint().name(), &actuator.part.name);
            }
        }
        for (sensor, poll) in self.polls.iter_mut().enumerate() {
            let Some(poll) = poll else { continue };
            while due(poll.frequency, poll.tick) <= now {
                poll.tick += 1;
                let asked = self.host.request(sensor);
                let (_, message) = asked.map_err(|error| disagreement(line.endpoint(), error))?;
                line.send(now, &message, &[])?;
            }
        }
        Ok(())
    }

    fn read(message: &Message<'_>) -> Result<ToHost, Trouble> {
        Ok(message.upper()?)
    }

    fn take(&mut self, now: u64, message: ToHost, line: &mut Line) -> Result<(), Trouble> {
        let was_ready = self.host.is_ready();
        let found = self.host.receive(message);
        let (answer, reading) = found.map_err(|error| disagreement(line.endpoint(), error))?;
        if let Some(answer) = answer {
            line.send(now, &answer, &[])?;
        }
        if !was_ready && self.host.is_ready() {
            self.find_actuators(now, line)?;
            self.speak(now, line)?;
        }
        let Some(reading) = reading else { return Ok(()) };
        let wrong = |why: String| Trouble(format!("link `{}`: {why}", line.endpoint().name()));
        let shown = self.sensors.iter().enumerate();
        for (at, shown) in shown.filter(|(_, shown)| shown.sensor == reading.sensor) {
            let values = match shown.altitude {
                None => mend(shown.metric, reading.values).map_err(wrong)?,
                Some(at) => {
                    let altitude = reading.values[at];
                    let air = self.air.at_geometric(altitude).ok_or_else(|| {
                        wrong(format!("the standard atmosphere has no pressure at {altitude} m"))
                    })?;
                    let mut values = [0.0; VALUES];
                    values[0] = air.pressure;
                    values
                }
            };
            self.readings.push((at, values));
        }
        self.has_read[reading.sensor] = true;
        Ok(())
    }

    fn next(&self) -> u64 {
        if !self.host.is_ready() {
            return u64::MAX;
        }
        let polls = self.polls.iter().flatten();
        polls.map(|poll| due(poll.frequency, poll.tick)).min().unwrap_or(u64::MAX)
    }

    fn has_news(&self) -> bool {
        let is_new = self.is_ready() != self.is_ready_shown;
        is_new || !self.readings.is_empty() || self.saturation.has_news()
    }

    fn show(&mut self, out: &mut Outputs<'_>) {
        for (at, values) in std::mem::take(&mut self.readings) {
            if let Some(output) = self.sensors[at].output {
                output.write(out, values);
            }
        }
        let Some([ready, saturated]) = self.states else { return };
        if self.is_ready() && !std::mem::replace(&mut self.is_ready_shown, true) {
            out.write(ready, true);
        }
        if self.saturation.take_news() {
            out.write(saturated, true);
        }
    }
}
