//! Other programs that are part of a run: started with it, watched, and ended with it.
//!
//! ```text
//! ironbird run ──keeps──► guard ──starts──► python3 world.py listen:/…/board:…
//!      │                                          ▲
//!      └──component "board"── shared memory ──────┘
//! ```
//!
//! A program that connects to a link is started when somebody listens there: nothing waits for a fixed time.
//! What a program prints is kept in a file of its name beside the recording.

mod guard;
mod keeper;
mod places;
mod running;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ironbird_experiment::Experiment;
use ironbird_experiment::programs::{End, Side};
use ironbird_kernel::{Fault, Outcome, PauseHandle};
use ironbird_scratch::Scratch;

pub use guard::guard;
use guard::{kill_marked, set_mark};
use keeper::{Waiting, keep, start_some};
use places::Filling;
pub use places::LinkPlaces;
use running::Running;

/// Between two looks at the programs.
const LOOK: Duration = Duration::from_millis(2);
/// How long programs may take to end by themselves once the run has ended, and then to end when asked.
const BY_THEMSELVES: Duration = Duration::from_millis(200);
const WHEN_ASKED: Duration = Duration::from_secs(2);

/// How programs are started.
#[derive(Clone, Debug)]
pub struct ProgramHost {
    /// The path of Ironbird itself.
    pub ironbird: PathBuf,
    /// How long a program may take until it listens where others connect.
    pub patience: Duration,
}

/// A program that ended, or did not begin, when the run needed it.
#[derive(Clone, Debug, PartialEq)]
pub struct LostProgram {
    /// Its name.
    pub name: String,
    /// What happened to it.
    pub how: String,
    /// The last lines that it printed.
    pub words: Vec<String>,
}

/// A program that ended as it should not, when the run was over.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedProgram {
    /// Which, and how.
    pub program: LostProgram,
    /// Whether a link joins it to the run, so that it may have ended because the run did. What is not joined is as
    /// bad after the end of the run as before: which of the two it is may be chance.
    pub is_joined: bool,
}

impl std::fmt::Display for LostProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the program \"{}\" {}", self.name, self.how)?;
        match self.words.is_empty() {
            true => f.write_str("; it printed nothing"),
            false => write!(f, "; it last printed:\n    {}", self.words.join("\n    ")),
        }
    }
}

/// Why programs cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The folder for their links cannot be made.
    #[error("the folder {} for the links of the programs cannot be made: {error}", folder.display())]
    Folder {
        /// Where it was to be.
        folder: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// Nobody said how.
    #[error(
        "the experiment has programs ([program]), which cannot be started here: use `ironbird run`"
    )]
    NoHost,
    /// Ranks may be on several machines, which a link cannot join.
    #[error(
        "the experiment has programs ([program]), which run on one machine: run it without MPI"
    )]
    AmongRanks,
    /// A program is lost before the run began.
    #[error("{0}")]
    Lost(LostProgram),
}

/// What the thread that keeps the programs and the run have in common.
#[derive(Default)]
struct State {
    running: Vec<Running>,
    lost: Option<LostProgram>,
    /// Programs that are not started yet, and the links at which nobody listens for them.
    waiting: Vec<(String, String)>,
    /// What stops the run when a program is lost.
    run: Option<PauseHandle>,
    /// The run has ended: programs may.
    ending: bool,
    /// The keeper is to leave.
    closed: bool,
}

/// The programs of a run.
pub(crate) struct Programs {
    state: Arc<Mutex<State>>,
    keeper: Option<JoinHandle<()>>,
    /// Where their links are.
    pub places: LinkPlaces,
    /// Links that end at components, and the programs at their other ends.
    links: Vec<(String, String)>,
    _folder: Scratch,
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Programs {
    /// Begins to start the programs of an experiment; none if it has none. What they print goes to files in
    /// `output`.
    ///
    /// # Errors
    /// If there is nobody to start them, or no folder for their links.
    pub fn start(
        experiment: &Experiment,
        host: Option<&ProgramHost>,
        (seed, repetition): (u64, u64),
        output: Option<&Path>,
    ) -> Result<Option<Self>, ProgramError> {
        let programs = &experiment.programs;
        if programs.list.is_empty() {
            return Ok(None);
        }
        let host = host.ok_or(ProgramError::NoHost)?;
        let folder = Scratch::in_memory("links")
            .map_err(|(folder, error)| ProgramError::Folder { folder, error })?;
        let places = LinkPlaces { folder: folder.path().to_owned() };
        let filling = Filling { programs, ironbird: &host.ironbird, seed, repetition };
        let waiting = programs.list.iter().enumerate().map(|(number, program)| {
            let words = program.command.iter().map(|word| places.fill(word, &filling));
            let mut words: Vec<OsString> = words.collect();
            // The folder of a file that is named without one is empty.
            let here = std::path::absolute(Path::new(".").join(&program.folder));
            let here = here.unwrap_or_else(|_| program.folder.clone());
            // A path is one from the folder of the experiment; a mere name is looked for by the system.
            if words[0].to_string_lossy().contains('/') {
                words[0] = here.join(&words[0]).into();
            }
            let mut command = std::process::Command::new(&host.ironbird);
            command.arg("guard").arg("--folder").arg(&places.folder).arg("--").args(words);
            command.current_dir(&here);
            set_mark(&mut command, &places.folder);
            for (name, word) in &program.environment {
                command.env(name, places.fill(word, &filling));
            }
            let needs = programs.links_of(number, Side::Connect);
            Waiting {
                name: program.name.clone(),
                may_end: program.may_end,
                is_joined: programs.is_joined(number),
                command,
                output: output.map(|folder| folder.join(format!("{}.log", program.name))),
                needs: needs.map(|link| (link.name.clone(), places.socket(&link.name))).collect(),
            }
        });
        let mut waiting: Vec<Waiting> = waiting.collect();
        // A run may be over before the keeper has looked for the first time.
        let mut state = State::default();
        if let Some(lost) = start_some(&mut waiting, &mut state.running) {
            return Err(ProgramError::Lost(lost));
        }
        state.waiting = Waiting::missed(&waiting);
        let state = Arc::new(Mutex::new(state));
        let (kept, patience) = (state.clone(), host.patience);
        let links = places.clone();
        let keeper = std::thread::spawn(move || keep(&kept, waiting, patience, &links));
        let links =
            programs.links.iter().filter_map(|link| match (link.listener, link.connecter) {
                (End::Program(program), End::Component(_))
                | (End::Component(_), End::Program(program)) => {
                    Some((link.name.clone(), programs.list[program].name.clone()))
                }
                _ => None,
            });
        let links = links.collect();
        Ok(Some(Programs { state, keeper: Some(keeper), places, links, _folder: folder }))
    }

    /// Lets a lost program end the run.
    pub fn watch(&self, run: PauseHandle) {
        locked(&self.state).run = Some(run);
    }

    /// The program that was lost first.
    pub fn lost(&self) -> Option<LostProgram> {
        locked(&self.state).lost.clone()
    }

    /// The program that is to blame for a fault of the run, which may have been noticed a moment before the
    /// program's end.
    pub fn culprit(&self) -> Option<LostProgram> {
        let started = Instant::now();
        loop {
            let lost = self.lost();
            if lost.is_some() || started.elapsed() > Duration::from_millis(100) {
                return lost;
            }
            std::thread::sleep(LOOK);
        }
    }

    /// The run has come to this outcome: programs may end now. The program that broke it off, if one did.
    pub fn end_of(&self, outcome: &mut Outcome) -> Option<LostProgram> {
        let lost = match outcome {
            // A part of the run was lost; programs may have ended because of that.
            Outcome::Faulted(Fault::ProcessLost { .. }) => None,
            Outcome::Faulted(fault) => self.culprit().filter(|_| is_consequence(fault)),
            Outcome::Reached(_) | Outcome::Stopped { .. } => {
                self.lost().or_else(|| self.never_started())
            }
            Outcome::Paused(_) => self.lost(),
        };
        if let (Outcome::Faulted(fault), None) = (outcome, &lost) {
            self.explain(fault);
        }
        locked(&self.state).ending = true;
        lost
    }

    /// A program that nobody needed.
    fn never_started(&self) -> Option<LostProgram> {
        let state = locked(&self.state);
        let (name, link) = state.waiting.first()?;
        let how = format!(
            "was not started before the run was over: nobody listens at the link \"{link}\", to which it connects"
        );
        Some(LostProgram { name: name.clone(), how, words: Vec::new() })
    }

    /// Says in the fault of a component who is at the other end of its link.
    fn explain(&self, fault: &mut Fault) {
        let Fault::Failed { reason, .. } = fault else { return };
        let named = self.links.iter().find(|(link, _)| reason.contains(&format!("link `{link}`")));
        let Some((_, program)) = named else { return };
        let mut state = locked(&self.state);
        let running = state.running.iter_mut().find(|running| running.name == *program);
        let words = running.map(Running::last_words).unwrap_or_default();
        let said = match words.is_empty() {
            true => "which printed nothing".to_owned(),
            false => format!("which last printed:\n    {}", words.join("\n    ")),
        };
        reason.push_str(&format!("; at its other end is the program \"{program}\", {said}"));
    }

    /// Ends all programs: first they may end by themselves, then they are asked to, then they are killed. Those that
    /// ended by themselves as they should not.
    pub fn end(mut self) -> Vec<FailedProgram> {
        locked(&self.state).ending = true;
        self.await_ends(BY_THEMSELVES);
        while locked(&self.state).running.iter().any(Running::is_beginning) {
            std::thread::sleep(LOOK);
        }
        locked(&self.state).running.iter_mut().for_each(Running::ask_to_end);
        self.await_ends(WHEN_ASKED);
        let failed = locked(&self.state).running.iter_mut().filter_map(Running::failure).collect();
        self.close();
        failed
    }

    fn await_ends(&self, patience: Duration) {
        let started = Instant::now();
        while started.elapsed() < patience
            && !locked(&self.state).running.iter_mut().all(|one| one.has_ended().is_some())
        {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn close(&mut self) {
        {
            let mut state = locked(&self.state);
            (state.ending, state.closed) = (true, true);
        }
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
        // Dropping one kills it.
        locked(&self.state).running.clear();
        kill_marked(&self.places.folder);
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        self.close();
    }
}

/// Whether a fault says no more than that somebody at the other end of a link is not there.
fn is_consequence(fault: &Fault) -> bool {
    let said = fault.to_string();
    let signs =
        ["is gone", "was given up", "closed the connection", "nobody connected", "nobody listened"];
    signs.iter().any(|sign| said.contains(sign))
}
