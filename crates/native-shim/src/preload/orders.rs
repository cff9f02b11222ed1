//! What the nursery is told to start, as bytes.

use crate::protocol::DecodeError;
use crate::protocol::wire::{Reader, Write};
use libc::c_int;

/// What is to be started.
#[derive(Clone, Default)]
pub struct Order {
    /// Where the program may be; the first that exists is taken.
    pub paths: Vec<Vec<u8>>,
    /// A file that is no program is a script of the shell, as `execvp` has it.
    pub or_script: bool,
    pub arguments: Vec<Vec<u8>>,
    pub environment: Vec<Vec<u8>>,
    /// The numbers of the descriptors that are handed over beside the order.
    pub descriptors: Vec<c_int>,
    /// Those of them that are closed when the program begins.
    pub hidden: Vec<c_int>,
    pub actions: Vec<Action>,
    /// Blocked signals.
    pub mask: u64,
    pub umask: u32,
    /// The group of processes that it joins; 0 for one of its own.
    pub group: Option<c_int>,
    pub session: bool,
}

/// What happens in the new process before its program begins (posix_spawn_file_actions_init(3)).
#[derive(Clone)]
pub enum Action {
    Close(c_int),
    Copy(c_int, c_int),
    Open { fd: c_int, path: Vec<u8>, flags: c_int, mode: u32 },
    Folder(Vec<u8>),
    FolderOf(c_int),
    CloseFrom(c_int),
}

impl Action {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            Self::Close(fd) => {
                to.put_u8(0);
                to.put_i32(*fd);
            }
            Self::Copy(from, fd) => {
                to.put_u8(1);
                to.put_i32(*from);
                to.put_i32(*fd);
            }
            Self::Open { fd, path, flags, mode } => {
                to.put_u8(2);
                to.put_i32(*fd);
                to.put_bytes(path);
                to.put_i32(*flags);
                to.put_u32(*mode);
            }
            Self::Folder(path) => {
                to.put_u8(3);
                to.put_bytes(path);
            }
            Self::FolderOf(fd) => {
                to.put_u8(4);
                to.put_i32(*fd);
            }
            Self::CloseFrom(fd) => {
                to.put_u8(5);
                to.put_i32(*fd);
            }
        }
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match from.u8("action")? {
            0 => Self::Close(from.i32("fd")?),
            1 => Self::Copy(from.i32("from")?, from.i32("fd")?),
            2 => Self::Open {
                fd: from.i32("fd")?,
                path: from.bytes("path")?,
                flags: from.i32("flags")?,
                mode: from.u32("mode")?,
            },
            3 => Self::Folder(from.bytes("path")?),
            4 => Self::FolderOf(from.i32("fd")?),
            5 => Self::CloseFrom(from.i32("fd")?),
            found => return Err(DecodeError::Unknown { field: "action", found }),
        })
    }
}

fn put_all(list: &[Vec<u8>], to: &mut Vec<u8>) {
    to.put_count(list.len());
    for entry in list {
        to.put_bytes(entry);
    }
}

impl Order {
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Vec::new();
        put_all(&self.paths, &mut to);
        to.put_bool(self.or_script);
        put_all(&self.arguments, &mut to);
        put_all(&self.environment, &mut to);
        for list in [&self.descriptors, &self.hidden] {
            to.put_count(list.len());
            for fd in list {
                to.put_i32(*fd);
            }
        }
        to.put_count(self.actions.len());
        for action in &self.actions {
            action.put(&mut to);
        }
        to.put_u64(self.mask);
        to.put_u32(self.umask);
        to.put_bool(self.group.is_some());
        to.put_i32(self.group.unwrap_or(0));
        to.put_bool(self.session);
        to
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut from = Reader::new(bytes);
        let text = |from: &mut Reader<'_>| from.bytes("text");
        Ok(Self {
            paths: from.list("paths", text)?,
            or_script: from.bool("or_script")?,
            arguments: from.list("arguments", text)?,
            environment: from.list("environment", text)?,
            descriptors: from.list("descriptors", |from| from.i32("descriptor"))?,
            hidden: from.list("hidden", |from| from.i32("descriptor"))?,
            actions: from.list("actions", Action::get)?,
            mask: from.u64("mask")?,
            umask: from.u32("umask")?,
            group: {
                let is_there = from.bool("group")?;
                let group = from.i32("group")?;
                is_there.then_some(group)
            },
            session: from.bool("session")?,
        })
    }
}
