//! A native computer that runs with the rest of the system.
//!
//! The program says at each of its stops when it would do something without input. Until then it is left alone: most
//! grants of time cost no exchange with it.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration as RealDuration, SystemTime};

use ironbird_kernel::{
    Advance, Context, Duration, Inputs, LoadError, Model, Outputs, Payload, Ports, RandomIn,
    RunAhead, SaveError, Start, StateReader, StateWriter, Time,
};
use ironbird_native_shim::protocol::{
    Children, Counters, Input, Output, Reason, Resume, Setup, Unsteady, Yield,
};

use super::conversation::Conversation;
use super::faults;
use super::parameters::{OnFault, Transport as By};
use super::ports::{AllPorts, Identity, Outgoing, Status};
use super::serial_line::SerialLine;
use super::transfers::{Begun, BusTiming, Transfers};
use super::wiring::{BusKind, LineKind, Wiring};
use crate::inside::{Inside, take_hold};
use crate::launch::{Plan, Program, Turn};
use crate::transport::{Line, Memory, Stream, Transport};
use crate::{Datagram, StreamBytes};

/// What a native computer is made of.
pub struct Design {
    /// What is started.
    pub plan: Plan,
    /// What it is told.
    pub setup: Setup,
    /// What its paths and sockets lead to.
    pub wiring: Wiring,
    /// How fast its buses are.
    pub timing: BusTiming,
    /// How it is talked to.
    pub transport: By,
    /// What a fault does.
    pub on_fault: OnFault,
    /// How often it shows its counters.
    pub status_every: Duration,
    /// How long it may compute.
    pub watchdog: RealDuration,
    /// What it says of itself.
    pub identity: Identity,
}

const NOT_HELD: &str = "`transport = \"in-process\"` is for one program of `ironbird run`: take the transport \"auto\", which gives \
                        the same bits";

/// A program that stands still, for as many copies as are asked for, and what the model knew then.
struct Frozen {
    conversation: Mutex<Conversation>,
    state: State,
}

/// Whoever holds it was ended in the middle of a sentence; what it says next tells.
fn locked(conversation: &Mutex<Conversation>) -> MutexGuard<'_, Conversation> {
    conversation.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A native computer and its ports.
pub struct NativeModel {
    design: Design,
    ports: Option<(AllPorts, RandomIn)>,
    /// Held while there may be helpers.
    turn: Option<Arc<Turn>>,
    /// The program, while it runs. Only a snapshot, which does not change the model, has to lock it.
    conversation: Option<Mutex<Conversation>>,
    state: State,
}

/// What changes while it runs, beside the program.
#[derive(Clone)]
struct State {
    /// Everything before this instant has been executed.
    now: Time,
    /// Before this instant the program does nothing without input.
    wake: Time,
    /// Whether a thread of the program waits for bytes or datagrams.
    listens: bool,
    /// What the program has not been told yet.
    to_program: Vec<Input>,
    transfers: Transfers,
    /// Serial lines by their places in the wiring.
    serial: Vec<Option<SerialLine>>,
    /// What goes out, and when.
    outbox: Vec<Outgoing>,
    out_at: Time,
    counters: Counters,
    faults: u32,
    status_next: Time,
    status_is_due: bool,
    /// Whether its memory is the same in every run.
    is_steady: bool,
}

impl NativeModel {
    /// A computer that is not turned on yet.
    pub fn new(design: Design) -> Self {
        let serial = design.wiring.lines.iter().map(|line| match line.kind {
            LineKind::Serial { baud } => Some(SerialLine::new(baud)),
            LineKind::Datagrams | LineKind::Stream => None,
        });
        let state = State {
            serial: serial.collect(),
            transfers: Transfers::new(design.timing),
            status_next: Time::ZERO + design.status_every,
            now: Time::ZERO,
            wake: Time::ZERO,
            listens: true,
            to_program: Vec::new(),
            outbox: Vec::new(),
            out_at: Time::NEVER,
            counters: Counters::default(),
            faults: 0,
            status_is_due: false,
            is_steady: true,
        };
        NativeModel { design, ports: None, turn: None, conversation: None, state }
    }

    /// The name of the program, for messages.
    fn name(&self) -> String {
        self.design.plan.program.display().to_string()
    }

    fn start(&self, seed: u64) -> Result<(Conversation, bool), String> {
        let Design { plan, setup, watchdog, transport, .. } = &self.design;
        let mut setup = Setup { seed, begun_ns: real_time().as_nanos() as u64, ..setup.clone() };
        let is_inside = match transport {
            By::Memory | By::Socket => false,
            By::Auto | By::InProcess => take_hold(plan, *transport == By::InProcess),
        };
        let (program, transport): (Program, Box<dyn Transport>) = match transport {
            By::Auto | By::InProcess if is_inside => {
                let (program, inside) = Inside::new(plan, *watchdog)?;
                setup.folder = program.folder().display().to_string();
                (program, Box::new(inside))
            }
            By::Auto | By::Memory => connect(plan, Memory::new())?,
            By::Socket => connect(plan, Stream::new())?,
            By::InProcess => return Err(NOT_HELD.into()),
        };
        let mut conversation = Conversation::new(program, transport, *watchdog);
        let unsteady = conversation.greet(setup)?;
        if let Some(what) = faults::unsteadiness(unsteady) {
            eprintln!("ironbird: {}: {what}", self.name());
        }
        Ok((conversation, unsteady == Unsteady::default()))
    }

    /// When something happens that the program does not do.
    fn next_event(&self) -> Time {
        let lines = self.state.serial.iter().flatten().map(SerialLine::next);
        let lines = lines.min().unwrap_or(Time::NEVER);
        self.state.status_next.min(self.state.transfers.next()).min(lines)
    }

    /// When the program goes on.
    fn next_turn(&self) -> Time {
        if self.conversation.is_none() {
            return Time::NEVER;
        }
        let news = self.state.to_program.iter().map(|input| match input {
            Input::BusReply { ends, .. } => Time::from_ps(*ends),
            Input::BytesIn { .. } | Input::DatagramIn { .. } if !self.state.listens => Time::NEVER,
            _ => self.state.now,
        });
        news.min().unwrap_or(Time::NEVER).min(self.state.wake).max(self.state.now)
    }

    /// Lets the program execute what starts before `until`.
    fn resume(&mut self, until: Time) -> Result<(), String> {
        let Some(conversation) = &mut self.conversation else { return Ok(()) };
        let conversation = conversation.get_mut().unwrap_or_else(PoisonError::into_inner);
        let events = std::mem::take(&mut self.state.to_program);
        let resume = Resume { now: self.state.now.as_ps(), until: until.as_ps(), events };
        let Yield { now, reason, next_wake, listens, events } = conversation.resume(resume)?;
        // A program in another process that hangs says nothing: the rest of what this one says must not count either.
        if let Some(hangs) = faults::hang(&events, self.design.watchdog) {
            return Err(format!("{hangs}{}", self.last_words()));
        }
        let stopped = Time::from_ps(now);
        let fits = match reason {
            Reason::Output => self.state.now <= stopped && stopped < until,
            Reason::Reached | Reason::Idle | Reason::Ended => true,
        };
        if !fits {
            return Err(format!("the program is out of step: it stopped at {stopped}"));
        }
        self.state.now = match reason {
            Reason::Reached | Reason::Idle => until,
            Reason::Output => stopped,
            Reason::Ended => stopped.max(self.state.now).min(until),
        };
        (self.state.wake, self.state.listens) = (Time::from_ps(next_wake), listens);
        let mut fault = None;
        for event in events {
            fault = fault.or_else(|| faults::meaning(&event));
            self.take(event);
        }
        if !self.state.outbox.is_empty() {
            self.state.out_at = self.state.now;
        }
        let fault = fault.or_else(|| (reason == Reason::Ended).then(|| "the program ended".into()));
        match fault {
            Some(fault) => Err(format!("{fault}{}", self.last_words())),
            None => Ok(()),
        }
    }

    fn last_words(&self) -> String {
        self.conversation.as_ref().map(|it| locked(it).last_words()).unwrap_or_default()
    }

    /// The program has done something now.
    fn take(&mut self, event: Output) {
        let now = self.state.now;
        match event {
            Output::BusRequest { transfer, bus, chip, clock, written, read } => {
                let Some(known) = self.design.wiring.buses.get(bus as usize) else { return };
                let kind: BusKind = known.kind;
                let begun = Begun { transfer, bus, chip, clock, written, read };
                self.state
                    .outbox
                    .push(Outgoing::Request(bus, self.state.transfers.begin(now, kind, begun)));
            }
            Output::BytesOut { port, bytes } => match self.state.serial.get_mut(port as usize) {
                Some(Some(line)) => line.write(now, &bytes),
                Some(None) => {
                    let bytes = StreamBytes { bytes: Payload::new(bytes) };
                    self.state.outbox.push(Outgoing::Bytes(port as usize, bytes));
                }
                None => {}
            },
            Output::DatagramOut { port, to_port, bytes } => {
                let datagram = Datagram { remote_port: to_port, bytes: Payload::new(bytes) };
                self.state.outbox.push(Outgoing::Datagram(port as usize, datagram));
            }
            // Who is linked to the port is there from the start.
            Output::Connect { port } | Output::Listen { port } => {
                self.state.to_program.push(Input::Connected { port });
            }
            Output::Speed { port, baud } => {
                if let Some(Some(line)) = self.state.serial.get_mut(port as usize) {
                    line.baud = baud.max(1);
                }
            }
            Output::Counters(counters) => self.state.counters = counters,
            Output::WroteOutside { path } => eprintln!(
                "ironbird: {} writes {path}, which stays when the run is over, so that the next one may find it: only its \
                 own folder, where relative paths lead, is new for each run",
                self.name()
            ),
            Output::Closed { .. } | Output::Opened { .. } | Output::Forked { .. } => {}
            // Faults are told by whoever called.
            Output::Exited { .. }
            | Output::Crashed { .. }
            | Output::Leaked { .. }
            | Output::Deadlock { .. } => {}
        }
    }

    /// Does what is due at `now`, beside what the program does.
    fn act(&mut self, now: Time) -> Result<(), String> {
        self.state.now = now;
        for (number, line) in self.state.serial.iter_mut().enumerate() {
            let byte = line.as_mut().and_then(|line| line.take(now));
            self.state.outbox.extend(byte.map(|byte| Outgoing::Byte(number, byte)));
        }
        self.state.to_program.extend(self.state.transfers.settle(now));
        if !self.state.outbox.is_empty() {
            self.state.out_at = now;
        }
        if self.state.status_next <= now {
            self.state.status_next = now + self.design.status_every;
            self.state.status_is_due = true;
            self.state.out_at = now;
            if self.conversation.is_some() {
                self.state.to_program.push(Input::AskCounters);
                // With no time granted the program only counts: how time is cut does not show.
                return self.resume(now);
            }
        }
        Ok(())
    }

    /// The program is lost: the run ends, or goes on without it.
    fn fail(&mut self, context: &mut Context<'_>, why: &str) {
        let (name, at) = (self.name(), self.state.now);
        self.conversation = None;
        self.state.to_program.clear();
        self.state.wake = Time::NEVER;
        self.state.faults += 1;
        match self.design.on_fault {
            OnFault::Stop => context.fail_at(at, format!("{name}: {why}")),
            OnFault::GoOn => eprintln!("ironbird: {name}: {why}, at {at}"),
        }
    }

    fn status(&self) -> Status {
        let lookahead = match self.state.counters.advances {
            0 => 0.0,
            count => self.state.now.as_secs_f64() / count as f64,
        };
        let State { counters, faults, is_steady, .. } = self.state;
        Status { counters, lookahead, faults, is_steady }
    }
}

/// Real time since 1970, less a second: clocks of file systems go in coarse steps. Files that are younger belong to a run
/// that begins now.
fn real_time() -> RealDuration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(RealDuration::from_secs(1))
}

/// Starts a program at the other end of a line.
fn connect<L: Line + 'static>(
    plan: &Plan,
    line: io::Result<L>,
) -> Result<(Program, Box<dyn Transport>), String> {
    let mut line = line.map_err(|error| format!("there is no way to talk to it: {error}"))?;
    let program = Program::start(plan, &line.name(), &line.inherited())?;
    line.started();
    Ok((program, Box::new(line)))
}

impl Model for NativeModel {
    fn ports(&mut self, ports: &mut Ports) {
        let random = ports.random("program");
        self.ports =
            Some((AllPorts::declare(&self.design.wiring, &self.design.identity, ports), random));
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        let Some((_, random)) = self.ports else { return };
        let seed = start.random(random).bits();
        if self.design.setup.children != Children::Refused {
            match Turn::take() {
                Ok(turn) => self.turn = Some(turn),
                Err(why) => return start.fail(format!("{}: {why}", self.name())),
            }
        }
        match self.start(seed) {
            Ok((conversation, is_steady)) => {
                self.conversation = Some(Mutex::new(conversation));
                if !is_steady {
                    self.state.is_steady = false;
                    (self.state.status_is_due, self.state.out_at) = (true, Time::ZERO);
                }
            }
            Err(why) => start.fail(format!("{}: {why}", self.name())),
        }
    }

    fn waited(&self) -> Option<(String, u64)> {
        let (waited, _) = locked(self.conversation.as_ref()?).waited();
        Some((self.name(), waited.as_nanos() as u64))
    }

    /// Keeps a copy of the program, which stands still. Files cannot hold one.
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.keep(|| {
            let Some(conversation) = &self.conversation else {
                return Err(SaveError::Failed("it does not run".into()));
            };
            // What the copy that stands still leaves behind is nobody's.
            let plan = Plan { keep: None, output: None, ..self.design.plan.clone() };
            let copy = locked(conversation).copy(self.state.now, &plan);
            let conversation = Mutex::new(copy.map_err(SaveError::Failed)?);
            Ok(Arc::new(Frozen { conversation, state: self.state.clone() }))
        })
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let frozen: Arc<Frozen> = state.kept()?;
        let copy = locked(&frozen.conversation).copy(frozen.state.now, &self.design.plan);
        self.conversation = Some(Mutex::new(copy.map_err(LoadError::Failed)?));
        self.state = frozen.state.clone();
        Ok(())
    }
}

impl RunAhead for NativeModel {
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance {
        if let Some(conversation) = &mut self.conversation {
            let conversation = conversation.get_mut().unwrap_or_else(PoisonError::into_inner);
            conversation.heed(|| context.abandoned());
        }
        loop {
            if !self.state.out_at.is_never() {
                let at = self.state.out_at;
                return if at < until { Advance::Output(at) } else { Advance::Reached };
            }
            let event = self.next_event();
            let target = event.min(until);
            let done = if self.next_turn() < target {
                self.resume(target)
            } else if event < until {
                self.act(event)
            } else {
                self.state.now = until;
                return Advance::Reached;
            };
            if let Err(why) = done {
                self.fail(context, &why);
                if self.design.on_fault == OnFault::Stop {
                    return Advance::Reached;
                }
            }
        }
    }

    fn next_output(&self) -> Time {
        self.state.out_at.min(self.next_event()).min(self.next_turn())
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let Some((ports, _)) = &self.ports else { return };
        self.state.out_at = Time::NEVER;
        for outgoing in self.state.outbox.drain(..) {
            ports.show(outgoing, out);
        }
        if std::mem::take(&mut self.state.status_is_due) {
            ports.show_status(&self.status(), out);
        }
    }

    fn input(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        let Some((ports, _)) = &self.ports else { return };
        self.state.now = context.now();
        ports.take(
            inputs,
            &mut self.state.transfers,
            &self.state.serial,
            &mut self.state.to_program,
        );
        self.state.to_program.extend(self.state.transfers.settle(self.state.now));
        if self.conversation.is_none() {
            self.state.to_program.clear();
        }
    }
}
