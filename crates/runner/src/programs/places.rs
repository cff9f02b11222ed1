//! Where the links of programs are, and what is filled into their command lines.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ironbird_component::Settings;
use ironbird_experiment::Experiment;
use ironbird_experiment::checked::Component;
use ironbird_experiment::programs::{End, Piece, ProgramLink, Programs, Side, Word, links_of};
use ironbird_kernel::{Duration, Parameter};
use ironbird_simbricks::GONE;

/// The places of the links of a run.
#[derive(Clone, Debug)]
pub struct LinkPlaces {
    /// The folder in which sockets and shared memory are.
    pub folder: PathBuf,
}

/// What differs between runs.
pub(super) struct Filling<'a> {
    pub programs: &'a Programs,
    pub ironbird: &'a Path,
    pub seed: u64,
    pub repetition: u64,
}

fn nanoseconds(time: Duration) -> u64 {
    time.as_ps() / 1_000
}

impl LinkPlaces {
    /// The socket of a link.
    pub fn socket(&self, link: &str) -> PathBuf {
        self.folder.join(link)
    }

    /// The shared memory of a link, where SimBricks' own programs put it.
    fn memory(&self, link: &str) -> PathBuf {
        self.folder.join(format!("{link}-shm"))
    }

    /// A side of a link as users of SimBricks write it.
    pub fn url(&self, link: &ProgramLink, side: Side) -> String {
        let memory = match side {
            Side::Listen => format!(":{}", self.memory(&link.name).display()),
            Side::Connect => String::new(),
        };
        format!(
            "{}:{}{memory}:sync=true:latency={}:sync_interval={}",
            side.word(),
            self.socket(&link.name).display(),
            nanoseconds(link.latency),
            nanoseconds(link.interval),
        )
    }

    /// Gives a component the URLs of the links that it names.
    pub fn name(&self, experiment: &Experiment, component: &Component, settings: &mut Settings) {
        for (parameter, link) in links_of(component) {
            let Some(link) = experiment.programs.link(link) else { continue };
            let listens = matches!(link.listener, End::Component(_));
            let side = if listens { Side::Listen } else { Side::Connect };
            settings.insert(parameter.into(), Parameter::Text(self.url(link, side)));
        }
    }

    /// Tells whoever waits at a link why nobody will come.
    pub(super) fn tell_gone(&self, why: &str) {
        // A program may have removed the folder that it was given.
        let _ = std::fs::create_dir_all(&self.folder);
        let _ = std::fs::write(self.folder.join(GONE), why);
    }

    /// A word of a command line.
    pub(super) fn fill(&self, word: &Word, with: &Filling<'_>) -> OsString {
        let link = |name: &str| with.programs.link(name);
        let of_link = |name: &str, text: &dyn Fn(&ProgramLink) -> String| -> OsString {
            // Checked: every link that a program names has two ends.
            link(name).map_or_else(String::new, text).into()
        };
        let mut filled = OsString::new();
        for piece in &word.0 {
            filled.push(match piece {
                Piece::Text(text) => text.into(),
                Piece::Url(side, name) => of_link(name, &|link| self.url(link, *side)),
                Piece::Socket(_, name) => self.socket(name).into(),
                Piece::Memory(name) => self.memory(name).into(),
                Piece::Latency(name) => {
                    of_link(name, &|link| nanoseconds(link.latency).to_string())
                }
                Piece::Interval(name) => {
                    of_link(name, &|link| nanoseconds(link.interval).to_string())
                }
                Piece::Ironbird => with.ironbird.into(),
                Piece::Folder => self.folder.clone().into(),
                Piece::Seed => with.seed.to_string().into(),
                Piece::Repetition => with.repetition.to_string().into(),
            });
        }
        filled
    }
}
