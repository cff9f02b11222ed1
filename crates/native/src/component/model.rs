//! A native computer that runs with the rest of the system.
//!
//! The program says at each of its stops when it would do something without input. Until then it is left alone: most
//! grants of time cost no exchange with it.

use std::io;
use std::time::Duration as RealDuration;

use ironbird_kernel::{
    Advance, Context, Duration, Inputs, Model, Outputs, Payload, Ports, RandomIn, RunAhead, Start,
    Time,
};
use ironbird_native_shim::protocol::{Counters, Input, Output, Reason, Resume, Setup, Yield};

use super::conversation::Conversation;
use super::faults;
use super::parameters::{self, OnFault};
use super::ports::{AllPorts, Identity, Outgoing, Status};
use super::serial_line::SerialLine;
use super::transfers::{Begun, BusTiming, Transfers};
use super::wiring::{BusKind, LineKind, Wiring};
use crate::inside::{Inside, is_inside, move_in};
use crate::launch::{Plan, Program};
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
    pub transport: parameters::Transport,
    /// What a fault does.
    pub on_fault: OnFault,
    /// How often it shows its counters.
    pub status_every: Duration,
    /// How long it may compute.
    pub watchdog: RealDuration,
    /// What it says of itself.
    pub identity: Identity,
}

/// A native computer and its ports.
pub struct NativeModel {
    design: Design,
    ports: Option<(AllPorts, RandomIn)>,
    /// The program, while it runs.
    conversation: Option<Conversation>,
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
}

impl NativeModel {
    /// A computer that is not turned on yet.
    pub fn new(design: Design) -> Self {
        let serial = design.wiring.lines.iter().map(|line| match line.kind {
            LineKind::Serial { baud } => Some(SerialLine::new(baud)),
            LineKind::Datagrams | LineKind::Stream => None,
        });
        NativeModel {
            serial: serial.collect(),
            transfers: Transfers::new(design.timing),
            status_next: Time::ZERO + design.status_every,
            design,
            ports: None,
            conversation: None,
            now: Time::ZERO,
            wake: Time::ZERO,
            listens: true,
            to_program: Vec::new(),
            outbox: Vec::new(),
            out_at: Time::NEVER,
            counters: Counters::default(),
            faults: 0,
            status_is_due: false,
        }
    }

    /// The name of the program, for messages.
    fn name(&self) -> String {
        self.design.plan.program.display().to_string()
    }

    fn start(&self, seed: u64) -> Result<Conversation, String> {
        let Design { plan, setup, watchdog, transport, .. } = &self.design;
        let mut setup = Setup { seed, ..setup.clone() };
        let (program, transport): (Program, Box<dyn Transport>) = match transport {
            parameters::Transport::Memory => connect(plan, Memory::new())?,
            parameters::Transport::Socket => connect(plan, Stream::new())?,
            parameters::Transport::InProcess if is_inside() => {
                let (program, inside) = Inside::new(plan, *watchdog)?;
                setup.folder = program.folder().display().to_string();
                (program, Box::new(inside))
            }
            parameters::Transport::InProcess => return Err(move_in(plan)),
        };
        let mut conversation = Conversation::new(program, transport, *watchdog);
        conversation.greet(setup)?;
        Ok(conversation)
    }

    /// When something happens that the program does not do.
    fn next_event(&self) -> Time {
        let lines = self.serial.iter().flatten().map(SerialLine::next);
        let lines = lines.min().unwrap_or(Time::NEVER);
        self.status_next.min(self.transfers.next()).min(lines)
    }

    /// When the program goes on.
    fn next_turn(&self) -> Time {
        if self.conversation.is_none() {
            return Time::NEVER;
        }
        let news = self.to_program.iter().map(|input| match input {
            Input::BusReply { ends, .. } => Time::from_ps(*ends),
            Input::BytesIn { .. } | Input::DatagramIn { .. } if !self.listens => Time::NEVER,
            _ => self.now,
        });
        news.min().unwrap_or(Time::NEVER).min(self.wake).max(self.now)
    }

    /// Lets the program execute what starts before `until`.
    fn resume(&mut self, until: Time) -> Result<(), String> {
        let Some(conversation) = &mut self.conversation else { return Ok(()) };
        let events = std::mem::take(&mut self.to_program);
        let resume = Resume { now: self.now.as_ps(), until: until.as_ps(), events };
        let Yield { now, reason, next_wake, listens, events } = conversation.resume(resume)?;
        let stopped = Time::from_ps(now);
        let fits = match reason {
            Reason::Output => self.now <= stopped && stopped < until,
            Reason::Reached | Reason::Idle | Reason::Ended => true,
        };
        if !fits {
            return Err(format!("the program is out of step: it stopped at {stopped}"));
        }
        self.now = match reason {
            Reason::Reached | Reason::Idle => until,
            Reason::Output => stopped,
            Reason::Ended => stopped.max(self.now).min(until),
        };
        (self.wake, self.listens) = (Time::from_ps(next_wake), listens);
        let mut fault = None;
        for event in events {
            fault = fault.or_else(|| faults::meaning(&event, self.design.watchdog));
            self.take(event);
        }
        if !self.outbox.is_empty() {
            self.out_at = self.now;
        }
        let fault = fault.or_else(|| (reason == Reason::Ended).then(|| "the program ended".into()));
        match fault {
            Some(fault) => Err(format!("{fault}{}", self.last_words())),
            None => Ok(()),
        }
    }

    fn last_words(&self) -> String {
        self.conversation.as_ref().map(Conversation::last_words).unwrap_or_default()
    }

    /// The program has done something now.
    fn take(&mut self, event: Output) {
        let now = self.now;
        match event {
            Output::BusRequest { transfer, bus, chip, clock, written, read } => {
                let Some(known) = self.design.wiring.buses.get(bus as usize) else { return };
                let kind: BusKind = known.kind;
                let begun = Begun { transfer, bus, chip, clock, written, read };
                self.outbox.push(Outgoing::Request(bus, self.transfers.begin(now, kind, begun)));
            }
            Output::BytesOut { port, bytes } => match self.serial.get_mut(port as usize) {
                Some(Some(line)) => line.write(now, &bytes),
                Some(None) => {
                    let bytes = StreamBytes { bytes: Payload::new(bytes) };
                    self.outbox.push(Outgoing::Bytes(port as usize, bytes));
                }
                None => {}
            },
            Output::DatagramOut { port, to_port, bytes } => {
                let datagram = Datagram { remote_port: to_port, bytes: Payload::new(bytes) };
                self.outbox.push(Outgoing::Datagram(port as usize, datagram));
            }
            // Who is linked to the port is there from the start.
            Output::Connect { port } | Output::Listen { port } => {
                self.to_program.push(Input::Connected { port });
            }
            Output::Speed { port, baud } => {
                if let Some(Some(line)) = self.serial.get_mut(port as usize) {
                    line.baud = baud.max(1);
                }
            }
            Output::Counters(counters) => self.counters = counters,
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
        self.now = now;
        for (number, line) in self.serial.iter_mut().enumerate() {
            let byte = line.as_mut().and_then(|line| line.take(now));
            self.outbox.extend(byte.map(|byte| Outgoing::Byte(number, byte)));
        }
        self.to_program.extend(self.transfers.settle(now));
        if !self.outbox.is_empty() {
            self.out_at = now;
        }
        if self.status_next <= now {
            self.status_next = now + self.design.status_every;
            self.status_is_due = true;
            self.out_at = now;
            if self.conversation.is_some() {
                self.to_program.push(Input::AskCounters);
                // With no time granted the program only counts: how time is cut does not show.
                return self.resume(now);
            }
        }
        Ok(())
    }

    /// The program is lost: the run ends, or goes on without it.
    fn fail(&mut self, context: &mut Context<'_>, why: &str) {
        let (name, at) = (self.name(), self.now);
        self.conversation = None;
        self.to_program.clear();
        self.wake = Time::NEVER;
        self.faults += 1;
        match self.design.on_fault {
            OnFault::Stop => context.fail_at(at, format!("{name}: {why}")),
            OnFault::GoOn => eprintln!("ironbird: {name}: {why}, at {at}"),
        }
    }

    fn status(&self) -> Status {
        let lookahead = match self.counters.advances {
            0 => 0.0,
            count => self.now.as_secs_f64() / count as f64,
        };
        Status { counters: self.counters, lookahead, faults: self.faults }
    }
}

/// Starts a program at the other end of a line.
fn connect<L: Line + 'static>(
    plan: &Plan,
    line: io::Result<L>,
) -> Result<(Program, Box<dyn Transport>), String> {
    let mut line = line.map_err(|error| format!("there is no way to talk to it: {error}"))?;
    let program = Program::start(plan, &line.name(), line.inherited())?;
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
        match self.start(seed) {
            Ok(conversation) => self.conversation = Some(conversation),
            Err(why) => start.fail(format!("{}: {why}", self.name())),
        }
    }

    fn waited(&self) -> Option<(String, u64)> {
        let (waited, _) = self.conversation.as_ref()?.waited();
        Some((self.name(), waited.as_nanos() as u64))
    }
}

impl RunAhead for NativeModel {
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance {
        loop {
            if !self.out_at.is_never() {
                let at = self.out_at;
                return if at < until { Advance::Output(at) } else { Advance::Reached };
            }
            let event = self.next_event();
            let target = event.min(until);
            let done = if self.next_turn() < target {
                self.resume(target)
            } else if event < until {
                self.act(event)
            } else {
                self.now = until;
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
        self.out_at.min(self.next_event()).min(self.next_turn())
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let Some((ports, _)) = &self.ports else { return };
        self.out_at = Time::NEVER;
        for outgoing in self.outbox.drain(..) {
            ports.show(outgoing, out);
        }
        if std::mem::take(&mut self.status_is_due) {
            ports.show_status(&self.status(), out);
        }
    }

    fn input(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        let Some((ports, _)) = &self.ports else { return };
        self.now = context.now();
        ports.take(inputs, &mut self.transfers, &self.serial, &mut self.to_program);
        self.to_program.extend(self.transfers.settle(self.now));
        if self.conversation.is_none() {
            self.to_program.clear();
        }
    }
}
