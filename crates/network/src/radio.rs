//! `network.radio`: Ethernet frames over the air.

use std::collections::VecDeque;
use std::sync::Arc;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Interface, Kind, LeafUnits,
    Made, Parameters, Place, PortDescription, Settings, ValueType,
};
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, LoadError, Model, Outputs, Parameter,
    ParameterError, PortKind, Ports, RandomIn, SaveError, SignalIn, SignalOut, Start, StateReader,
    StateWriter, Time,
};
use serde::{Deserialize, Serialize};

use crate::EthernetFrame;
use crate::held::Held;
use crate::propagation::{Propagation, SILENCE, distance, travel_time};
use crate::turns::Turns;
use crate::wire::BitRate;

const DOC: &str = "\
A radio that two stations or more share: what one sends, all others hear, if it is strong enough where they are.

The radio is half duplex, by time division: the stations send in turn, each in windows of its own, beginning with \
station 0 at time 0. A frame that does not fit into what is left of a window waits for the next one. It goes over the \
air with `overhead` bytes around it. How strong it arrives follows from the distance, the link budget and fading; a \
frame with a wrong bit is lost, and is not sent again.

`station[0].position` is where a station is, in metres; without it, a station is at the origin. Positions are read \
whenever a frame is given to the radio.";

#[derive(Parameters)]
struct RadioParameters {
    /// How many stations there are.
    #[parameter(default = 2, min = 2, max = 1024, fixed)]
    stations: u32,
    /// Bits per second over the air.
    #[parameter(unit = "bit/s", default = 1e6, min = 1, max = 1e10)]
    bandwidth: f64,
    /// How long a station may send before it is the turn of the next one.
    #[parameter(unit = "s", default = 20e-3, min = 1e-9, max = 3600)]
    window: f64,
    /// The end of a window that stays free.
    #[parameter(unit = "s", default = 100e-6, min = 0, max = 3600)]
    guard: f64,
    /// Bytes that go over the air around each frame: preamble, header, check sequence.
    #[parameter(unit = "B", default = 24.0, min = 0, max = 65_536)]
    overhead: f64,
    /// Frames that may wait at a station; the newest is dropped.
    #[parameter(default = 50, min = 1, max = 1e9)]
    queue: u64,
    /// The way through the air.
    #[group]
    air: Propagation,
}

impl RadioParameters {
    fn turns(&self) -> Turns {
        let time = |seconds| Duration::from_secs_f64_ceil(seconds).unwrap_or(Duration::ZERO);
        Turns { stations: self.stations.into(), window: time(self.window), guard: time(self.guard) }
    }

    /// Bytes over the air, and how long they take.
    fn on_air(&self, frame: usize) -> (u64, Duration) {
        let bytes = frame as u64 + self.overhead as u64;
        (bytes, BitRate::new(self.bandwidth).time(bytes))
    }

    /// Why the longest frame would never be sent.
    fn too_narrow(&self) -> Option<String> {
        const LONGEST: usize = 1514;
        let (bytes, takes) = self.on_air(LONGEST);
        (!self.turns().fits(takes)).then(|| {
            format!(
                "a frame of {LONGEST} bytes ({bytes} over the air) takes {takes} at this bandwidth; with the guard \
                 time it must fit into the window of {} s",
                self.window
            )
        })
    }
}

/// The type `network.radio`.
pub(crate) struct RadioType {
    description: Description,
}

impl RadioType {
    pub fn new() -> Self {
        let mut description = Description::new("network.radio", Kind::EventDriven, DOC);
        description.parameters = RadioParameters::describe();
        RadioType { description }
    }
}

impl ComponentType for RadioType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let parameters = RadioParameters::read(&Given::new(settings, place))?;
        if let Some(why) = parameters.too_narrow() {
            return Err(InstantiateError::of("window", why));
        }
        let interface = Arc::new(interface(parameters.stations));
        Ok(Made::event_driven(Radio::new(parameters)).with_interface(interface))
    }
}

fn interface(stations: u32) -> Interface {
    let frames = ValueType::of::<EthernetFrame>();
    let metres: LeafUnits = "m".parse().unwrap_or_else(|_| LeafUnits::plain());
    let mut ports = Vec::new();
    for number in 0..stations {
        let name = |part: &str| format!("station[{number}].{part}");
        let position = ValueType::of::<[f64; 3]>();
        let position = PortDescription::input(&name("position"), PortKind::Signal, position);
        let send = PortDescription::input(&name("send"), PortKind::Event, frames).waking();
        let received = PortDescription::output(&name("received"), PortKind::Event, frames);
        let rssi = PortDescription::output(&name("rssi"), PortKind::Signal, ValueType::of::<f64>());
        let counter = |part: &str, doc: &str| {
            PortDescription::output(&name(part), PortKind::Signal, ValueType::of::<u64>()).doc(doc)
        };
        ports.extend([
            send.doc("Frames from who is there."),
            position.units(metres.clone()).frame("ned").optional().doc("Where the station is."),
            received.doc("Frames for who is there."),
            rssi.doc("Strength of the last frame that was received, in dBm; -200 before."),
            counter("sent", "Frames that this station has sent."),
            counter("delivered", "Frames of others that this station has received."),
            counter("lost", "Frames of others that this station has not received."),
            counter("dropped", "Frames of this station that found its queue full."),
        ]);
    }
    Interface { ports, ..Interface::default() }
}

#[derive(Clone, Copy, Default)]
struct Handles {
    send: EventIn<EthernetFrame>,
    position: SignalIn<[f64; 3]>,
    received: EventOut<EthernetFrame>,
    rssi: SignalOut<f64>,
    counters: [SignalOut<u64>; 4],
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Station {
    position: [f64; 3],
    waiting: VecDeque<Held>,
    /// When its last frame is over.
    free: Time,
    rssi: f64,
    sent: u64,
    delivered: u64,
    lost: u64,
    dropped: u64,
}

/// A frame on its way to one station.
#[derive(Debug, Serialize, Deserialize)]
struct Flight {
    arrives: Time,
    to: usize,
    strength: f64,
    frame: Held,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    stations: Vec<Station>,
    /// Sorted by arrival.
    flights: VecDeque<Flight>,
    /// The last transition, and whether it changed what the outputs show.
    now: Time,
    has_news: bool,
}

struct Radio {
    parameters: RadioParameters,
    handles: Vec<Handles>,
    fate: RandomIn,
    state: State,
}

impl Radio {
    fn new(parameters: RadioParameters) -> Self {
        let stations = (0..parameters.stations)
            .map(|_| Station { rssi: SILENCE, ..Station::default() })
            .collect();
        let state = State { stations, ..State::default() };
        Radio { parameters, handles: Vec::new(), fate: RandomIn::default(), state }
    }

    /// When the first frame of a station begins.
    fn begins(&self, number: usize) -> Time {
        let station = &self.state.stations[number];
        let Some(Held(first)) = station.waiting.front() else { return Time::NEVER };
        let (_, takes) = self.parameters.on_air(first.bytes.len());
        let earliest = station.free.max(self.state.now);
        self.parameters.turns().begin(number as u64, earliest, takes)
    }

    /// Sends what may begin now.
    fn go_on(&mut self, context: &mut Context<'_>) {
        let now = context.now();
        self.state.now = now;
        for number in 0..self.state.stations.len() {
            while self.begins(number) <= now {
                let Some(Held(frame)) = self.state.stations[number].waiting.pop_front() else {
                    break;
                };
                self.send(context, number, frame);
            }
        }
    }

    fn send(&mut self, context: &mut Context<'_>, from: usize, frame: EthernetFrame) {
        let (bytes, takes) = self.parameters.on_air(frame.bytes.len());
        let State { stations, flights, .. } = &mut self.state;
        let ends = context.now() + takes;
        let place = stations[from].position;
        stations[from].free = ends;
        stations[from].sent += 1;
        for (to, station) in stations.iter_mut().enumerate().filter(|(to, _)| *to != from) {
            let metres = distance(place, station.position);
            let reception = self.parameters.air.receive(metres, bytes, context.random(self.fate));
            if !reception.is_right {
                station.lost += 1;
                continue;
            }
            let arrives = ends + travel_time(metres);
            let (strength, frame) = (reception.strength, Held(frame.clone()));
            let at = flights.partition_point(|flight| flight.arrives <= arrives);
            flights.insert(at, Flight { arrives, to, strength, frame });
        }
        self.state.has_news = true;
    }
}

impl Model for Radio {
    fn ports(&mut self, ports: &mut Ports) {
        self.handles = (0..self.parameters.stations)
            .map(|number| {
                let name = |part: &str| format!("station[{number}].{part}");
                Handles {
                    send: ports.event_in(&name("send")),
                    position: ports.signal_in_or(&name("position"), [0.0; 3]),
                    received: ports.event_out(&name("received")),
                    rssi: ports.signal_out(&name("rssi"), SILENCE),
                    counters: ["sent", "delivered", "lost", "dropped"]
                        .map(|part| ports.signal_out(&name(part), 0)),
                }
            })
            .collect();
        self.fate = ports.random("fate");
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        self.state.now = start.now();
        for (station, handles) in self.state.stations.iter_mut().zip(&self.handles) {
            station.position = *start.signal(handles.position);
        }
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        self.parameters.set(name, &value)?;
        match self.parameters.too_narrow() {
            None => Ok(()),
            Some(expected) => Err(ParameterError::Invalid { name: name.into(), value, expected }),
        }
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

impl Atomic for Radio {
    fn time_advance(&self) -> Duration {
        if self.state.has_news {
            return Duration::ZERO;
        }
        let arrives = self.state.flights.front().map_or(Time::NEVER, |flight| flight.arrives);
        let begins = (0..self.state.stations.len()).map(|number| self.begins(number));
        match begins.fold(arrives, Time::min) {
            Time::NEVER => Duration::FOREVER,
            due => due.since(self.state.now),
        }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let State { stations, flights, .. } = &mut self.state;
        while flights.front().is_some_and(|flight| flight.arrives <= out.now()) {
            if let Some(Flight { to, strength, frame: Held(frame), .. }) = flights.pop_front() {
                stations[to].rssi = strength;
                stations[to].delivered += 1;
                out.send(self.handles[to].received, frame);
            }
        }
        for (handles, station) in self.handles.iter().zip(stations) {
            out.write(handles.rssi, station.rssi);
            let counts = [station.sent, station.delivered, station.lost, station.dropped];
            for (port, count) in handles.counters.into_iter().zip(counts) {
                out.write(port, count);
            }
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.state.has_news = false;
        self.go_on(context);
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for (station, handles) in self.state.stations.iter_mut().zip(&self.handles) {
            station.position = *inputs.signal(handles.position);
            for frame in inputs.events(handles.send) {
                let (_, takes) = self.parameters.on_air(frame.bytes.len());
                let has_room = (station.waiting.len() as u64) < self.parameters.queue;
                if has_room && self.parameters.turns().fits(takes) {
                    station.waiting.push_back(Held(frame.clone()));
                } else {
                    station.dropped += 1;
                    self.state.has_news = true;
                }
            }
        }
        self.go_on(context);
    }
}
