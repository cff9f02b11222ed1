//! `network.switch`: a learning switch.

mod addresses;

use std::collections::VecDeque;
use std::sync::Arc;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Interface, Kind, Made,
    Parameters, Place, PortDescription, Settings, ValueType,
};
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, LoadError, Model, Outputs, Parameter,
    ParameterError, PortKind, Ports, SaveError, SignalOut, StateReader, StateWriter, Time,
};
use serde::{Deserialize, Serialize};

use crate::EthernetFrame;
use crate::held::Held;
use crate::transmitter::{Queue, Transmitter};
use crate::wire::BitRate;
use addresses::{Address, Addresses, is_group};

const DOC: &str = "\
A switch that learns who is where.

A frame that comes in at `port[0].in` is looked at when all of it is there, and goes out at the port behind which its \
destination was heard last. Frames for somebody unknown, for groups and for all go out at all other ports. Each port \
sends at the bandwidth and has a queue of its own; what does not fit is dropped. A frame takes the line for its \
preamble (8 bytes), its bytes (at least 60), its check sequence (4) and the pause behind it (12).

Frames of fewer than 14 bytes have no addresses and are not forwarded.";

#[derive(Parameters)]
struct SwitchParameters {
    /// How many ports there are.
    #[parameter(default = 4, min = 2, max = 1024, fixed)]
    ports: u32,
    /// Bits per second that a port sends; 0: no limit.
    #[parameter(unit = "bit/s", default = 100e6, min = 0, max = 1e12)]
    bandwidth: f64,
    /// From the last bit that comes in to the queue of the port where the frame goes out.
    #[parameter(unit = "s", default = 5e-6, min = 0, max = 3600)]
    latency: f64,
    /// How long an address is known after it was heard.
    #[parameter(unit = "s", default = 300.0, min = 0, max = 1e6)]
    ageing: f64,
    /// How many addresses are known at most; the one that was silent the longest is forgotten first.
    #[parameter(default = 1024, min = 0, max = 1e6)]
    addresses: u32,
    /// What waits at each port.
    #[group]
    queue: Queue,
}

/// The type `network.switch`.
pub(crate) struct SwitchType {
    description: Description,
}

impl SwitchType {
    pub fn new() -> Self {
        let mut description = Description::new("network.switch", Kind::EventDriven, DOC);
        description.parameters = SwitchParameters::describe();
        SwitchType { description }
    }
}

impl ComponentType for SwitchType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let parameters = SwitchParameters::read(&Given::new(settings, place))?;
        let interface = Arc::new(interface(parameters.ports));
        Ok(Made::event_driven(Switch::new(parameters)).with_interface(interface))
    }
}

fn interface(ports: u32) -> Interface {
    let (frames, count) = (ValueType::of::<EthernetFrame>(), ValueType::of::<u64>());
    let mut list = Vec::new();
    for number in 0..ports {
        let name = |part: &str| format!("port[{number}].{part}");
        let received = PortDescription::input(&name("in"), PortKind::Event, frames).waking();
        let sent = PortDescription::output(&name("out"), PortKind::Event, frames);
        let counter = |part: &str| PortDescription::output(&name(part), PortKind::Signal, count);
        list.push(received.doc("Frames from who is there."));
        list.push(sent.doc("Frames for who is there."));
        list.push(counter("received").doc("Frames that came in."));
        list.push(counter("sent").doc("Frames whose sending has begun."));
        list.push(counter("dropped").doc("Frames that found the queue of this port full."));
    }
    let whole = |name: &str| PortDescription::output(name, PortKind::Signal, count);
    list.push(whole("flooded").doc("Frames that went out at all other ports."));
    list.push(whole("known").doc("Addresses in the table."));
    Interface { ports: list, ..Interface::default() }
}

/// The handles of one port.
#[derive(Clone, Copy)]
struct Handles {
    received: EventIn<EthernetFrame>,
    sent: EventOut<EthernetFrame>,
    count_received: SignalOut<u64>,
    count_sent: SignalOut<u64>,
    count_dropped: SignalOut<u64>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Port {
    line: Transmitter,
    /// Frames that have begun, and when their last bit is out.
    leaving: VecDeque<(Time, Held)>,
    received: u64,
    sent: u64,
    dropped: u64,
}

impl Port {
    fn due(&self) -> Time {
        let left = self.leaving.front().map_or(Time::NEVER, |(left, _)| *left);
        self.line.due().min(left)
    }
}

#[derive(Default, Serialize, Deserialize)]
struct State {
    ports: Vec<Port>,
    addresses: Addresses,
    /// Frames on their way through: until when, and from which port.
    inside: VecDeque<(Time, u32, Held)>,
    flooded: u64,
    /// The last transition, and whether it changed what the outputs show.
    now: Time,
    has_news: bool,
}

struct Switch {
    parameters: SwitchParameters,
    handles: Vec<Handles>,
    flooded: SignalOut<u64>,
    known: SignalOut<u64>,
    state: State,
}

impl Switch {
    fn new(parameters: SwitchParameters) -> Self {
        let ports = (0..parameters.ports).map(|_| Port::default()).collect();
        let state = State { ports, ..State::default() };
        let (flooded, known) = (SignalOut::default(), SignalOut::default());
        Switch { parameters, handles: Vec::new(), flooded, known, state }
    }

    /// Puts a frame into the queues of the ports where it goes out.
    fn forward(&mut self, now: Time, from: u32, frame: &EthernetFrame) {
        let Some((destination, source)) = addresses_of(frame) else { return };
        let (state, parameters) = (&mut self.state, &self.parameters);
        state.addresses.learn(source, from, now, parameters.addresses as usize);
        let age = Duration::from_secs_f64_ceil(parameters.ageing).unwrap_or(Duration::ZERO);
        let single =
            (!is_group(destination)).then(|| state.addresses.find(destination, now, age)).flatten();
        state.flooded += u64::from(single.is_none());
        for (number, port) in (0..).zip(&mut state.ports) {
            let is_meant = single.is_none_or(|single| single == number);
            if is_meant && number != from && !port.line.offer(frame, &parameters.queue, now) {
                port.dropped += 1;
            }
        }
        state.has_news = true;
    }

    /// Does what is due: frames get through, frames begin to be sent.
    fn go_on(&mut self, now: Time) {
        while self.state.inside.front().is_some_and(|(until, ..)| *until <= now) {
            if let Some((_, from, Held(frame))) = self.state.inside.pop_front() {
                self.forward(now, from, &frame);
            }
        }
        let rate = BitRate::new(self.parameters.bandwidth);
        for port in &mut self.state.ports {
            while let Some(departure) = port.line.begin(rate, now) {
                port.leaving.push_back((departure.left, Held(departure.frame)));
                port.sent += 1;
                self.state.has_news = true;
            }
        }
        self.state.now = now;
    }
}

/// Destination and source of a frame, if it is long enough to have them.
fn addresses_of(frame: &EthernetFrame) -> Option<(Address, Address)> {
    let header: &[u8; 14] = frame.bytes.first_chunk()?;
    let (destination, source) = (header[..6].try_into().ok()?, header[6..12].try_into().ok()?);
    Some((destination, source))
}

impl Model for Switch {
    fn ports(&mut self, ports: &mut Ports) {
        self.handles = (0..self.parameters.ports)
            .map(|number| {
                let name = |part: &str| format!("port[{number}].{part}");
                Handles {
                    received: ports.event_in(&name("in")),
                    sent: ports.event_out(&name("out")),
                    count_received: ports.signal_out(&name("received"), 0),
                    count_sent: ports.signal_out(&name("sent"), 0),
                    count_dropped: ports.signal_out(&name("dropped"), 0),
                }
            })
            .collect();
        self.flooded = ports.signal_out("flooded", 0);
        self.known = ports.signal_out("known", 0);
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        self.parameters.set(name, &value)
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        self.parameters.save(state)?;
        state.put(&self.state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.parameters.load(state)?;
        self.state = state.get()?;
        Ok(())
    }
}

impl Atomic for Switch {
    fn time_advance(&self) -> Duration {
        let state = &self.state;
        if state.has_news {
            return Duration::ZERO;
        }
        let through = state.inside.front().map_or(Time::NEVER, |(until, ..)| *until);
        match state.ports.iter().map(Port::due).fold(through, Time::min) {
            Time::NEVER => Duration::FOREVER,
            due => due.since(state.now),
        }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let now = out.now();
        for (handles, port) in self.handles.iter().zip(&mut self.state.ports) {
            while port.leaving.front().is_some_and(|(left, _)| *left <= now) {
                if let Some((_, Held(frame))) = port.leaving.pop_front() {
                    out.send(handles.sent, frame);
                }
            }
            out.write(handles.count_received, port.received);
            out.write(handles.count_sent, port.sent);
            out.write(handles.count_dropped, port.dropped);
        }
        out.write(self.flooded, self.state.flooded);
        out.write(self.known, self.state.addresses.len() as u64);
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.state.has_news = false;
        self.go_on(context.now());
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        let now = context.now();
        let latency = Duration::from_secs_f64_ceil(self.parameters.latency);
        let until = now + latency.unwrap_or(Duration::ZERO);
        for (number, handles) in (0..).zip(&self.handles) {
            for frame in inputs.events(handles.received) {
                // A latency that became shorter lets nobody overtake.
                let last = self.state.inside.back().map_or(until, |(last, ..)| *last);
                self.state.inside.push_back((until.max(last), number, Held(frame.clone())));
                self.state.ports[number as usize].received += 1;
                self.state.has_news = true;
            }
        }
        self.go_on(now);
    }
}
