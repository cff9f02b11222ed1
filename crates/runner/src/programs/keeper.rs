//! The thread that starts programs when they can be started, and looks after them.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ironbird_patience::Patience;
use ironbird_simbricks::listens_at;

use super::running::Running;
use super::{LOOK, LinkPlaces, LostProgram, State, locked};

/// What a run has to find out by itself that a program is lost, before it is stopped: a component at its link says
/// more.
const TO_FIND_OUT: Duration = Duration::from_millis(300);
/// After so long the user is told who waits for whom.
const TOLD_AFTER: Duration = Duration::from_secs(3);

/// A program that is not started yet.
pub(super) struct Waiting {
    pub name: String,
    pub may_end: bool,
    /// Whether a link, its own or another program's, joins it to the run.
    pub is_joined: bool,
    pub command: Command,
    pub output: Option<PathBuf>,
    /// Sockets at which somebody must listen first, with the names of their links.
    pub needs: Vec<(String, PathBuf)>,
}

impl Waiting {
    /// Whether somebody listens wherever it connects.
    fn can_start(&self) -> bool {
        self.needs.iter().all(|(_, socket)| listens_at(socket))
    }

    /// Those that need somebody who does not listen yet, and at which link.
    pub fn missed(all: &[Waiting]) -> Vec<(String, String)> {
        let missed = all.iter().filter(|one| !one.missing().is_empty());
        missed.map(|one| (one.name.clone(), one.missing().to_owned())).collect()
    }

    /// The link at which nobody listens.
    fn missing(&self) -> &str {
        let missing = self.needs.iter().find(|(_, socket)| !listens_at(socket));
        missing.map_or("", |(link, _)| link)
    }

    /// What the user is told of it.
    fn state(&self) -> String {
        let Waiting { name, .. } = self;
        format!(
            "[{name}] is started as soon as somebody listens at the link \"{}\"",
            self.missing()
        )
    }
}

/// Starts those programs that can be started; the first that cannot, although it should, is lost.
pub(super) fn start_some(
    waiting: &mut Vec<Waiting>,
    running: &mut Vec<Running>,
) -> Option<LostProgram> {
    let mut lost: Option<LostProgram> = None;
    // A program may need one that this round starts.
    waiting.retain_mut(|program| {
        if lost.is_some() || !program.can_start() {
            return true;
        }
        match Running::start(program) {
            Ok(one) => running.push(one),
            Err(error) => {
                let how = format!("cannot be started: {error}");
                lost = Some(LostProgram { name: program.name.clone(), how, words: Vec::new() });
            }
        }
        false
    });
    lost
}

/// Starts programs when they can be started, and looks after them.
pub(super) fn keep(
    state: &Mutex<State>,
    mut waiting: Vec<Waiting>,
    patience: Duration,
    places: &LinkPlaces,
) {
    let started = Instant::now();
    // Nobody listens while the run, or one of its programs, is stopped.
    let mut patience = Patience::with(Some(std::process::id()), patience);
    let mut is_told = false;
    let mut lost_at: Option<Instant> = None;
    loop {
        if !is_told && started.elapsed() > TOLD_AFTER {
            is_told = true;
            waiting.iter().for_each(|program| eprintln!("{}", program.state()));
        }
        let mut state = locked(state);
        if state.closed {
            return;
        }
        let State { running, lost, waiting: still, run, ending, .. } = &mut *state;
        let is_late = patience.is_over();
        let mut found = match *ending {
            true => None,
            false => start_some(&mut waiting, running),
        };
        if !*ending {
            let ended = running.iter_mut().find_map(Running::lost);
            found = found.or(ended).or_else(|| {
                let late = waiting.first().filter(|_| is_late)?;
                let how = format!(
                    "was not started: after {} s nobody listens at the link \"{}\", to which it connects",
                    patience.limit().as_secs_f64(),
                    late.missing()
                );
                Some(LostProgram { name: late.name.clone(), how, words: Vec::new() })
            });
        }
        if let (Some(found), None) = (found, &lost) {
            places.tell_gone(&found.to_string());
            *lost = Some(found);
            lost_at = Some(Instant::now());
            waiting.clear();
        }
        *still = Waiting::missed(&waiting);
        if let (Some(at), Some(run)) = (lost_at, run)
            && at.elapsed() > TO_FIND_OUT
        {
            run.abandon();
        }
        drop(state);
        std::thread::sleep(LOOK);
    }
}
