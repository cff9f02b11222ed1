//! The conversation with a program: a frame there, a frame back; and what it means when none comes.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ironbird_kernel::Time;
use ironbird_native_shim::protocol::{
    Backend, Children, Hello, Input, Output, Resume, Setup, ToHost, ToProgram, Unsteady, Yield,
};
use ironbird_patience::Patience;

use super::faults;
use crate::launch::{Plan, Program};
use crate::transport::{Memory, Silence, Transport, path_of};

/// A program that answers.
pub struct Conversation {
    program: Program,
    transport: Box<dyn Transport>,
    watchdog: Duration,
    frame: Vec<u8>,
    /// Real time for which the program was waited for.
    waited: Duration,
    /// How often.
    exchanges: u64,
    /// Why the program cannot be copied, if it cannot.
    uncopied: Option<&'static str>,
    /// Becomes true when nobody wants the run to go on.
    abandoned: Option<Arc<AtomicBool>>,
}

impl Conversation {
    /// With a program that was just started.
    pub fn new(program: Program, transport: Box<dyn Transport>, watchdog: Duration) -> Self {
        let (frame, waited) = (Vec::new(), Duration::ZERO);
        let uncopied = Some("it has not begun");
        let (exchanges, abandoned) = (0, None);
        Conversation { program, transport, watchdog, frame, waited, exchanges, uncopied, abandoned }
    }

    /// Once this becomes true the program is waited for no longer.
    pub fn heed(&mut self, abandoned: impl FnOnce() -> Arc<AtomicBool>) {
        if self.abandoned.is_none() {
            let abandoned = self.abandoned.insert(abandoned());
            self.transport.heed(abandoned);
        }
    }

    /// Tells the program what it is to be, and hears that the preload library is there, and what of the program's memory is
    /// another in each run.
    ///
    /// # Errors
    /// With why it is not.
    pub fn greet(&mut self, setup: Setup) -> Result<Unsteady, String> {
        let helpers = setup.children != Children::Refused;
        match self.exchange(&ToProgram::Setup(setup)) {
            Ok(ToHost::Hello(Hello { backend, unsteady, .. })) => {
                self.uncopied = match backend {
                    _ if !self.transport.is_elsewhere() => Some(
                        "the simulation is in its process: set `transport = \"memory\"`, which gives the same bits",
                    ),
                    _ if helpers => Some("it may have helpers, which cannot be copied with it"),
                    Backend::KernelThreads => Some(
                        "its threads are those of the kernel: `backend = \"coroutines\"` gives the same bits, where \
                         the processor can do it",
                    ),
                    Backend::Coroutines => None,
                };
                Ok(unsteady)
            }
            Ok(ToHost::Yield(_)) => Err("the preload library did not greet".into()),
            Err(Silence::Ended) => Err(format!(
                "the preload library was not loaded: the program {}{}",
                self.program.end(),
                self.program.last_words()
            )),
            Err(Silence::TooLong) => Err(format!(
                "the preload library did not answer within {} s (\"watchdog\"): either the dynamic linker did not load it, \
                 and the program ran in real time, or a constructor of the program hangs{}",
                self.watchdog.as_secs_f64(),
                self.program.last_words()
            )),
            Err(silence @ (Silence::Broken(_) | Silence::Abandoned)) => Err(silence.to_string()),
        }
    }

    /// Lets the program go on.
    ///
    /// # Errors
    /// With what happened to it.
    pub fn resume(&mut self, resume: Resume) -> Result<Yield, String> {
        match self.exchange(&ToProgram::Resume(resume)) {
            Ok(ToHost::Yield(yielded)) => Ok(yielded),
            Ok(ToHost::Hello(_)) => {
                Err("the program began anew: it must not execute another one".into())
            }
            Err(Silence::Ended) => {
                Err(format!("the program {}{}", self.program.end(), self.program.last_words()))
            }
            Err(Silence::TooLong) => Err(self.hangs()),
            Err(Silence::Abandoned) => Err(Silence::Abandoned.to_string()),
            Err(Silence::Broken(why)) => Err(format!("the program is out of step: {why}")),
        }
    }

    /// A copy of the program as it is at `now`, with which another conversation goes on. `plan` says where the copy's
    /// folder and what it prints are kept.
    ///
    /// # Errors
    /// With why there is none.
    pub fn copy(&mut self, now: Time, plan: &Plan) -> Result<Conversation, String> {
        if let Some(why) = self.uncopied {
            return Err(why.into());
        }
        let quarters = self.program.quarters(plan)?;
        let (transport, name) = Memory::for_copy()
            .map_err(|error| format!("there is no way to talk to its copy: {error}"))?;
        let snapshot = Input::Snapshot {
            transport: name,
            folder: quarters.folder().display().to_string(),
            output: path_of(quarters.output()),
        };
        // With no time granted the program only copies itself.
        let (events, now) = (vec![snapshot], now.as_ps());
        let Yield { events, .. } = self.resume(Resume { now, until: now, events })?;
        let mut pid = None;
        for event in &events {
            match event {
                Output::Forked { pid: copy } => pid = Some(*copy),
                other => {
                    let fault = faults::meaning(other);
                    return Err(fault.unwrap_or_else(|| format!("it answers with {other:?}")));
                }
            }
        }
        let pid = pid.ok_or("it did not copy itself")?;
        let program = Program::copied(pid, quarters)?;
        let mut copy = Conversation::new(program, Box::new(transport), self.watchdog);
        match copy.answer() {
            Ok(ToHost::Hello(_)) => copy.uncopied = None,
            Ok(ToHost::Yield(_)) => return Err("its copy did not greet".into()),
            Err(Silence::Ended) => {
                return Err(format!("its copy {}{}", copy.program.end(), copy.last_words()));
            }
            Err(silence) => return Err(format!("its copy does not answer: {silence}")),
        }
        Ok(copy)
    }

    fn exchange(&mut self, frame: &ToProgram) -> Result<ToHost, Silence> {
        let began = self.transport.is_elsewhere().then(Instant::now);
        self.frame.clear();
        frame.encode(&mut self.frame);
        self.transport.send(&self.frame)?;
        let answer = self.answer()?;
        self.waited += began.map_or(Duration::ZERO, |began| began.elapsed());
        self.exchanges += 1;
        Ok(answer)
    }

    /// What the program says, whose turn it is.
    fn answer(&mut self) -> Result<ToHost, Silence> {
        let (program, watchdog, abandoned) = (&self.program, self.watchdog, &self.abandoned);
        let patience = || Patience::with(u32::try_from(program.pid()).ok(), watchdog);
        let look = || match abandoned {
            _ if !program.is_alive() => Err(Silence::Ended),
            Some(abandoned) if abandoned.load(Ordering::Relaxed) => Err(Silence::Abandoned),
            _ => Ok(()),
        };
        self.transport.receive(&mut self.frame, &patience, &look)?;
        ToHost::decode(&self.frame).map_err(|error| Silence::Broken(error.to_string()))
    }

    /// What is said of a program that does not hand over.
    fn hangs(&self) -> String {
        let known = self.transport.running_thread();
        let thread = known.or_else(|| busy_thread(self.program.pid()));
        format!("{}{}", faults::hangs(thread.as_deref(), self.watchdog), self.program.last_words())
    }

    /// The last lines that the program printed, for a message. One that has said its last word prints what it still holds
    /// when it ends.
    pub fn last_words(&self) -> String {
        self.program.wait_for_end();
        self.program.last_words()
    }

    /// How long the program was waited for in real time, and how often.
    pub fn waited(&self) -> (Duration, u64) {
        (self.waited, self.exchanges)
    }
}

/// The name of a thread that is running now (proc_pid_stat(5): the name is in parentheses, the state follows).
fn busy_thread(pid: i32) -> Option<String> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    tasks.flatten().find_map(|task| {
        let text = fs::read_to_string(task.path().join("stat")).ok()?;
        let (begin, end) = (text.find('(')?, text.rfind(')')?);
        text[end + 1..].trim_start().starts_with('R').then(|| text[begin + 1..end].to_owned())
    })
}
