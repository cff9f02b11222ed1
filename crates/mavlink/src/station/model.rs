//! The ground station as a model.

mod orders;

use std::collections::BTreeMap;

use ironbird_component::Parameters;
use ironbird_devices::SerialByte;
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, LoadError, Model, Outputs, Parameter,
    ParameterError, Payload, Ports, SaveError, SignalOut, Start, StateReader, StateWriter, Time,
};
use ironbird_network::EthernetFrame;
use mavlink::dialects::common::{HEARTBEAT_DATA, MavAutopilot, MavModeFlag, MavState, MavType};
use mavlink::{MavHeader, Message};
use serde::{Deserialize, Serialize};

use super::StationParameters;
use super::arguments::{Answer, Verdict};
use super::lines::{Lines, Route, Sender};
use super::outputs::{Failure, StatusText, VehicleOutputs};
use super::services::{Service, Ticket};
use crate::exchange::{Doing, Job, Lane, Patience, Target};
use crate::mission::Plan;
use crate::stream::MavMessage;
use crate::vehicle::Known;

/// The time since the last heartbeat is shown this often; every tenth time a heartbeat is sent.
const TICK: Duration = Duration::from_ms(100);
const TICKS_PER_HEARTBEAT: u64 = 10;

/// The component of a vehicle that gets orders: its autopilot.
const AUTOPILOT: u8 = 1;

/// What belongs to a job: how users call it, and the request that it is part of.
#[derive(Debug, Serialize, Deserialize)]
struct About {
    name: String,
    request: Option<u64>,
}

/// A request of a service: of one vehicle or of all.
#[derive(Debug, Serialize, Deserialize)]
struct Request {
    ticket: Ticket,
    /// Vehicles whose answer is still to come.
    left: usize,
    /// What the worst answer was.
    verdict: Verdict,
    result: u8,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Vehicle {
    known: Known,
    /// Where it was heard last.
    route: Option<Route>,
    commands: Lane<About>,
    uploads: Lane<About>,
    parameters: Lane<About>,
    failures: u64,
    /// Whether what is shown of it has changed.
    is_new: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    vehicles: Vec<Vehicle>,
    lines: Lines,
    requests: BTreeMap<u64, Request>,
    /// How many requests there were.
    numbered: u64,
    /// Parameters of vehicles that are to be set: the vehicle or -1, the name, the value.
    settings: Vec<(i32, String, f32)>,
    start: Time,
    ticks: u64,
    /// The last transition, and when a job is due.
    now: Time,
    jobs_due: Time,
    has_news: bool,
}

/// What leaves in this instant; nothing of it is ever saved.
#[derive(Default)]
struct Leaving {
    answers: Vec<(Ticket, Answer)>,
    texts: Vec<(usize, StatusText)>,
    failures: Vec<(usize, Failure)>,
}

pub(super) struct Station {
    parameters: StationParameters,
    sender: Sender,
    plans: Vec<Plan>,
    services: Vec<Service>,
    frames_in: EventIn<EthernetFrame>,
    serial_in: EventIn<SerialByte>,
    frames_out: EventOut<EthernetFrame>,
    serial_out: EventOut<SerialByte>,
    wrong_checks: SignalOut<u64>,
    outputs: Vec<VehicleOutputs>,
    state: State,
    leaving: Leaving,
}

impl Station {
    pub fn new(
        parameters: StationParameters,
        sender: Sender,
        plans: Vec<Plan>,
        services: Vec<Service>,
    ) -> Self {
        let vehicles = (0..parameters.vehicles).map(|_| Vehicle::default()).collect();
        Station {
            parameters,
            sender,
            plans,
            services,
            frames_in: EventIn::default(),
            serial_in: EventIn::default(),
            frames_out: EventOut::default(),
            serial_out: EventOut::default(),
            wrong_checks: SignalOut::default(),
            outputs: Vec::new(),
            state: State { vehicles, ..State::default() },
            leaving: Leaving::default(),
        }
    }

    fn patience(&self) -> Patience {
        let timeout = Duration::from_secs_f64_ceil(self.parameters.timeout);
        Patience {
            timeout: timeout.unwrap_or(Duration::EPSILON),
            attempts: self.parameters.attempts,
        }
    }

    /// A message has come.
    fn hear(&mut self, now: Time, route: Route, header: MavHeader, message: &MavMessage) {
        let first = u32::from(self.parameters.first_system);
        let number = header.system_id.checked_sub(first).map(|number| number as usize);
        let Some((number, vehicle)) =
            number.and_then(|number| Some((number, self.state.vehicles.get_mut(number)?)))
        else {
            return;
        };
        vehicle.known.count(header.component_id, header.sequence);
        vehicle.route = Some(route);
        vehicle.is_new = true;
        self.state.has_news = true;
        self.state.lines.open(route);
        if let Some(said) = vehicle.known.hear(now, message) {
            let text = Payload::new(said.text.into_bytes());
            self.leaving.texts.push((number, StatusText { severity: said.severity, text }));
        }
        let is_for_us =
            message.target_system_id().is_none_or(|id| id == 0 || id == self.sender.system);
        if !is_for_us {
            return;
        }
        let patience = self.patience();
        let vehicle = &mut self.state.vehicles[number];
        let lanes = [&mut vehicle.commands, &mut vehicle.uploads, &mut vehicle.parameters];
        let ended: Vec<_> =
            lanes.into_iter().filter_map(|lane| lane.hear(now, message, patience)).collect();
        for (about, end) in ended {
            self.end(number, &about, end);
        }
    }

    /// Does what is due.
    fn go_on(&mut self, context: &mut Context<'_>) {
        let now = context.now();
        self.take_settings(context);
        let patience = self.patience();
        self.state.jobs_due = Time::NEVER;
        for number in 0..self.state.vehicles.len() {
            // The number of a system has 8 bits, and this was checked.
            let system = self.parameters.first_system + number as u8;
            let target = Target { system, component: AUTOPILOT };
            for lane in 0..Vehicle::LANES {
                loop {
                    let vehicle = &mut self.state.vehicles[number];
                    let route = vehicle.route;
                    match vehicle.lanes()[lane].go_on(now, target, patience) {
                        Doing::Waits(due) => {
                            self.state.jobs_due = self.state.jobs_due.min(due);
                            break;
                        }
                        Doing::Sends(message) => {
                            if let Some(route) = route {
                                self.state.lines.send(&self.sender, now, route, &message);
                            }
                        }
                        Doing::Ended(about, end) => self.end(number, &about, end),
                    }
                }
            }
        }
        self.state.has_news |= self.state.lines.has_frames();
        self.state.now = now;
    }

    /// What happens ten times a second.
    fn tick(&mut self, now: Time) {
        if self.state.ticks.is_multiple_of(TICKS_PER_HEARTBEAT) {
            let heartbeat = MavMessage::HEARTBEAT(HEARTBEAT_DATA {
                custom_mode: 0,
                mavtype: MavType::MAV_TYPE_GCS,
                autopilot: MavAutopilot::MAV_AUTOPILOT_INVALID,
                base_mode: MavModeFlag::empty(),
                system_status: MavState::MAV_STATE_ACTIVE,
                mavlink_version: 3,
            });
            for route in self.state.lines.routes() {
                self.state.lines.send(&self.sender, now, route, &heartbeat);
            }
        }
        self.state.ticks += 1;
        self.state.vehicles.iter_mut().for_each(|vehicle| vehicle.is_new = true);
        self.state.has_news = true;
    }

    fn tick_due(&self) -> Time {
        let since = TICK.as_ps().saturating_mul(self.state.ticks);
        self.state.start + Duration::from_ps(since)
    }
}

impl Vehicle {
    const LANES: usize = 3;

    fn lanes(&mut self) -> [&mut Lane<About>; Self::LANES] {
        [&mut self.parameters, &mut self.uploads, &mut self.commands]
    }

    fn lane(&mut self, job: &Job) -> &mut Lane<About> {
        match job {
            Job::Command(_) => &mut self.commands,
            Job::Upload(_) => &mut self.uploads,
            Job::SetParameter(_) => &mut self.parameters,
        }
    }
}

impl Model for Station {
    fn ports(&mut self, ports: &mut Ports) {
        self.frames_in = ports.event_in("frames_in");
        self.serial_in = ports.event_in("serial_in");
        self.frames_out = ports.event_out("frames_out");
        self.serial_out = ports.event_out("serial_out");
        self.wrong_checks = ports.signal_out("wrong_checks", 0);
        let count = self.state.vehicles.len();
        self.outputs =
            (0..count).map(|number| VehicleOutputs::declare(ports, number, count)).collect();
        self.services.iter_mut().for_each(|service| service.declare(ports));
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        (self.state.start, self.state.now) = (start.now(), start.now());
        self.state.jobs_due = Time::NEVER;
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        if let (true, Some(expected)) =
            (name == "parameter", as_text(&value).and_then(StationParameters::wrong_name))
        {
            return Err(ParameterError::Invalid { name: name.into(), value, expected });
        }
        self.parameters.set(name, &value)?;
        if name == "value" {
            let StationParameters { vehicle, parameter, value, .. } = &self.parameters;
            self.state.settings.push((*vehicle, parameter.clone(), *value as f32));
            self.state.has_news = true;
        }
        Ok(())
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

fn as_text(value: &Parameter) -> Option<&str> {
    match value {
        Parameter::Text(text) => Some(text),
        _ => None,
    }
}

impl Atomic for Station {
    fn time_advance(&self) -> Duration {
        if self.state.has_news {
            return Duration::ZERO;
        }
        let due = self.tick_due().min(self.state.jobs_due).min(self.state.lines.byte_due());
        due.since(self.state.now)
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let State { vehicles, lines, start, .. } = &mut self.state;
        for frame in lines.take_frames() {
            out.send(self.frames_out, frame);
        }
        if let Some(byte) = lines.take_byte(&self.sender, out.now()) {
            out.send(self.serial_out, byte);
        }
        for (ticket, answer) in self.leaving.answers.drain(..) {
            self.services[ticket.service].answer(out, ticket, answer);
        }
        for (vehicle, text) in self.leaving.texts.drain(..) {
            out.send(self.outputs[vehicle].status_text, text);
        }
        for (vehicle, failure) in self.leaving.failures.drain(..) {
            out.send(self.outputs[vehicle].command_failed, failure);
        }
        let mut is_new = false;
        for (ports, vehicle) in self.outputs.iter().zip(vehicles) {
            if std::mem::take(&mut vehicle.is_new) {
                ports.write(out, &vehicle.known, *start, vehicle.failures);
                is_new = true;
            }
        }
        if is_new {
            let wrong = lines.counts().iter().map(|counts| counts.wrong_checks).sum();
            out.write(self.wrong_checks, wrong);
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.state.has_news = false;
        if self.tick_due() <= context.now() {
            self.tick(context.now());
        }
        self.go_on(context);
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        let now = context.now();
        for frame in inputs.events(self.frames_in) {
            if let Some((route, messages)) = self.state.lines.hear_frame(&self.sender, frame) {
                for (header, message) in messages {
                    self.hear(now, route, header, &message);
                }
            }
        }
        for byte in inputs.events(self.serial_in) {
            for (header, message) in self.state.lines.hear_byte(&self.sender, *byte) {
                self.hear(now, Route::Serial, header, &message);
            }
        }
        for number in 0..self.services.len() {
            for asked in self.services[number].requests(inputs, number) {
                self.take(context, asked);
            }
        }
        self.go_on(context);
    }
}
