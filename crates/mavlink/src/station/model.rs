//! The ground station as a model.

use std::collections::BTreeMap;

use ironbird_component::Parameters;
use ironbird_devices::SerialByte;
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, LoadError, Model, Outputs, Parameter,
    ParameterError, Payload, Ports, SaveError, SignalOut, Start, StateReader, StateWriter, Time,
};
use ironbird_kinematics::TangentPlane;
use ironbird_network::EthernetFrame;
use mavlink::dialects::common::{HEARTBEAT_DATA, MavAutopilot, MavModeFlag, MavState, MavType};
use mavlink::{MavHeader, Message};
use serde::{Deserialize, Serialize};

use super::StationParameters;
use super::arguments::{Answer, Verdict};
use super::lines::{Lines, Route, Sender};
use super::outputs::{Failure, StatusText, VehicleOutputs};
use super::services::{Asked, Does, Service, Ticket};
use crate::exchange::{
    Command, Doing, End, Job, Lane, Order, Patience, SetParameter, Target, Upload,
};
use crate::mission::{Plan, e7, from_home};
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

    /// A job has ended.
    fn end(&mut self, vehicle: usize, about: &About, end: End) {
        let (verdict, result, why) = match end {
            End::Accepted => (Verdict::Accepted, 0, String::new()),
            End::Denied(result) => {
                (Verdict::Denied, result, format!("denied with result {result}"))
            }
            End::TimedOut if self.state.vehicles[vehicle].route.is_none() => {
                (Verdict::TimedOut, 0, "the vehicle was never heard".into())
            }
            End::TimedOut => (
                Verdict::TimedOut,
                0,
                format!("no answer to {} attempts", self.parameters.attempts),
            ),
        };
        self.close(vehicle, about, Answer { verdict, result }, &why);
    }

    /// Tells those who want to know how it ended.
    fn close(&mut self, number: usize, about: &About, answer: Answer, why: &str) {
        self.state.has_news = true;
        if answer.verdict != Verdict::Accepted {
            let vehicle = &mut self.state.vehicles[number];
            vehicle.failures += 1;
            vehicle.is_new = true;
            let text = Payload::new(format!("{}: {why}", about.name).into_bytes());
            self.leaving.failures.push((number, Failure { result: answer.result, text }));
        }
        let Some(id) = about.request else { return };
        let Some(request) = self.state.requests.get_mut(&id) else { return };
        if answer.verdict != Verdict::Accepted {
            (request.verdict, request.result) = (answer.verdict, answer.result);
        }
        request.left -= 1;
        if request.left == 0 {
            let answer = Answer { verdict: request.verdict, result: request.result };
            self.leaving.answers.push((request.ticket, answer));
            self.state.requests.remove(&id);
        }
    }

    /// The vehicles that a number means; why there are none.
    fn meant(&self, vehicle: Option<i32>) -> Result<Vec<usize>, String> {
        let count = self.state.vehicles.len();
        match vehicle {
            None => Ok(vec![0]),
            Some(-1) => Ok((0..count).collect()),
            Some(number) => match usize::try_from(number).ok().filter(|number| *number < count) {
                Some(number) => Ok(vec![number]),
                None => Err(format!(
                    "there is no vehicle {number}: they are counted from 0 to {}, and -1 stands for all",
                    count - 1
                )),
            },
        }
    }

    /// A service was called.
    fn take(&mut self, context: &mut Context<'_>, (ticket, vehicle, numbers): Asked) {
        let Service { name, does, .. } = &self.services[ticket.service];
        let (name, does) = (name.clone(), *does);
        let meant = match self.meant(vehicle) {
            Ok(meant) => meant,
            Err(why) => return context.fail(format!("{name}: {why}")),
        };
        let id = self.state.numbered;
        self.state.numbered += 1;
        let verdict = Verdict::Accepted;
        self.state.requests.insert(id, Request { ticket, left: meant.len(), verdict, result: 0 });
        for number in meant {
            let about = About { name: name.clone(), request: Some(id) };
            match self.job(number, does, numbers) {
                Ok(job) => self.state.vehicles[number].lane(&job).add(job, about),
                Err(why) => {
                    let answer = Answer { verdict: Verdict::Refused, result: 0 };
                    self.close(number, &about, answer, why);
                }
            }
        }
    }

    /// What a service means for a vehicle; why it cannot be done.
    fn job(&self, vehicle: usize, does: Does, numbers: [f64; 3]) -> Result<Job, &'static str> {
        const NO_HOME: &str = "the home of the vehicle is not known yet";
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err("a number is not finite");
        }
        let home = self.state.vehicles[vehicle].known.home();
        let [first, second, third] = numbers;
        let order = match does {
            Does::Arm => Order::Arm,
            Does::Disarm => Order::Disarm,
            Does::Land => Order::Land,
            Does::ReturnToLaunch => Order::ReturnToLaunch,
            Does::StartMission => Order::StartMission,
            Does::SetMode(number) => Order::SetMode { number },
            Does::TakeOff => Order::TakeOff { altitude: first as f32 },
            Does::GoTo => {
                let [latitude, longitude] = [first, second].map(|angle| e7(angle.to_degrees()));
                Order::GoTo { latitude, longitude, altitude: third as f32 }
            }
            Does::GoToOffset => {
                let plane = TangentPlane::at(home.ok_or(NO_HOME)?);
                let (latitude, longitude) = from_home(&plane, first, second);
                Order::GoTo { latitude, longitude, altitude: third as f32 }
            }
            Does::SetMessageRate => {
                // An interval of 0 would ask for the default rate; -1 asks for none.
                let interval = if second > 0.0 { (1e6 / second) as f32 } else { -1.0 };
                Order::MessageInterval { message: first as u32, interval }
            }
            Does::Upload(number) => {
                let items = self.plans[number].resolve(home).ok_or(NO_HOME)?;
                return Ok(Job::Upload(Upload::new(items)));
            }
        };
        Ok(Job::Command(Command(order)))
    }

    /// Does what is due.
    fn go_on(&mut self, context: &mut Context<'_>) {
        let now = context.now();
        for (vehicle, parameter, value) in std::mem::take(&mut self.state.settings) {
            match self.meant(Some(vehicle)) {
                Ok(meant) => {
                    for number in meant {
                        let name = parameter.clone();
                        let about = About { name: format!("set-parameter {name}"), request: None };
                        let job = Job::SetParameter(SetParameter { name, value });
                        self.state.vehicles[number].lane(&job).add(job, about);
                    }
                }
                Err(why) => context.fail(format!("set-parameter: {why}")),
            }
        }
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
