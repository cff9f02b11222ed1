//! `[program.NAME]` and `[link.NAME]`: other programs that are started with a run, and the links over which they
//! speak with components, or with each other.
//!
//! ```toml
//! [program.world]
//! command = ["python3", "world.py", "{listen:board}"]
//!
//! [link.board]
//! latency = "1 ms"
//!
//! [system.board]
//! type = "simbricks.physical-device"
//! link = "board"
//! ```

mod check;
mod words;

use std::path::PathBuf;

use ironbird_document::Place;
use ironbird_kernel::Duration;

pub use check::links_of;
pub(crate) use check::programs;
pub use words::{Piece, Word};

/// Programs and the links that they have.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    /// In the order in which they were written.
    pub list: Vec<Program>,
    /// By name.
    pub links: Vec<ProgramLink>,
}

/// A program that is started with a run and ended with it.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<Word>,
    /// Variables of its environment, beside those of the run itself.
    pub environment: Vec<(String, Word)>,
    /// The folder that it runs in.
    pub folder: PathBuf,
    /// Whether it may end, with status 0, before the run does.
    pub may_end: bool,
    /// Where it was written.
    pub place: Place,
}

/// Which side of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Makes the socket and the shared memory.
    Listen,
    /// Comes to them.
    Connect,
}

impl Side {
    /// The side at the other end.
    pub fn other(self) -> Side {
        match self {
            Side::Listen => Side::Connect,
            Side::Connect => Side::Listen,
        }
    }

    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Side::Listen => "listen",
            Side::Connect => "connect",
        }
    }
}

/// Who is at an end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program of this number.
    Program(usize),
    /// The component of this number.
    Component(usize),
}

/// A link of a program.
#[derive(Clone, Debug)]
pub struct ProgramLink {
    /// Its name.
    pub name: String,
    /// How long a message takes.
    pub latency: Duration,
    /// At least so often each side tells its time.
    pub interval: Duration,
    /// Who listens.
    pub listener: End,
    /// Who connects.
    pub connecter: End,
}

impl ProgramLink {
    /// Who is at a side.
    pub fn at(&self, side: Side) -> End {
        match side {
            Side::Listen => self.listener,
            Side::Connect => self.connecter,
        }
    }
}

impl Programs {
    /// The link of a name.
    pub fn link(&self, name: &str) -> Option<&ProgramLink> {
        self.links.iter().find(|link| link.name == name)
    }

    /// The links at which a program is at a side.
    pub fn links_of(&self, program: usize, side: Side) -> impl Iterator<Item = &ProgramLink> {
        self.links.iter().filter(move |link| link.at(side) == End::Program(program))
    }
}
