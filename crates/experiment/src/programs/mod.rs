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

    /// Whether a link joins a program to a component: its own, or that of a program that it is linked to.
    pub fn is_joined(&self, program: usize) -> bool {
        let (mut joined, mut reached) = (vec![program], 0);
        while let Some(&one) = joined.get(reached) {
            reached += 1;
            for link in &self.links {
                let end = match (link.listener, link.connecter) {
                    (End::Program(other), end) | (end, End::Program(other)) if other == one => end,
                    _ => continue,
                };
                match end {
                    End::Component(_) => return true,
                    End::Program(other) if !joined.contains(&other) => joined.push(other),
                    End::Program(_) => {}
                }
            }
        }
        false
    }

    /// The links at which a program is at a side.
    pub fn links_of(&self, program: usize, side: Side) -> impl Iterator<Item = &ProgramLink> {
        self.links.iter().filter(move |link| link.at(side) == End::Program(program))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_joined_to_the_run_by_its_own_link_or_through_others() {
        let link = |listener, connecter| ProgramLink {
            name: String::new(),
            latency: Duration::ZERO,
            interval: Duration::ZERO,
            listener,
            connecter,
        };
        let links = vec![
            link(End::Program(2), End::Program(1)),
            link(End::Program(0), End::Program(1)),
            link(End::Component(7), End::Program(2)),
            link(End::Program(3), End::Program(4)),
        ];
        let programs = Programs { list: Vec::new(), links };
        let joined: Vec<bool> = (0..6).map(|program| programs.is_joined(program)).collect();
        assert_eq!(joined, [true, true, true, false, false, false]);
    }
}
