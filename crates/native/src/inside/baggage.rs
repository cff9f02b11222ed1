//! What the first process hands to the simulation inside the program: who it is, what was typed, and where.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{FromRawFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// A process in few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baggage {
    /// The file of `ironbird` itself.
    pub ironbird: PathBuf,
    /// What it was called with, from its name on.
    pub arguments: Vec<OsString>,
    /// Its environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Which program it hands them to.
    pub holder: u64,
}

/// Nothing that a process is called with can contain it.
const END: u8 = 0;

impl Baggage {
    /// That of this process.
    ///
    /// # Errors
    /// If its file is not known.
    pub fn of_this_process() -> io::Result<Self> {
        Ok(Baggage {
            ironbird: std::env::current_exe()?,
            arguments: std::env::args_os().collect(),
            environment: std::env::vars_os().collect(),
            holder: 0,
        })
    }

    /// In memory, under a descriptor.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn pack(&self) -> io::Result<File> {
        let flags = rustix::fs::MemfdFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::memfd_create("ironbird-baggage", flags)?);
        let mut bytes = Vec::new();
        let mut word = |text: &OsStr| {
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(END);
        };
        word(self.ironbird.as_os_str());
        word(OsStr::new(&self.holder.to_string()));
        word(OsStr::new(&self.arguments.len().to_string()));
        self.arguments.iter().for_each(|text| word(text));
        for (name, value) in &self.environment {
            word(name);
            word(value);
        }
        file.write_all(&bytes)?;
        file.rewind()?;
        Ok(file)
    }

    /// What was packed under a descriptor, which is closed.
    ///
    /// # Errors
    /// If nothing of the kind is there.
    #[allow(unsafe_code)]
    pub fn unpack(descriptor: RawFd) -> io::Result<Self> {
        let mut bytes = Vec::new();
        // SAFETY: the descriptor was made for this and is known to nobody else; a number that is none gives an error.
        let mut file = unsafe { File::from_raw_fd(descriptor) };
        file.read_to_end(&mut bytes)?;
        Baggage::read(&bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let words = bytes.strip_suffix(&[END])?;
        let mut words =
            words.split(|byte| *byte == END).map(|word| OsString::from_vec(word.into()));
        let ironbird = words.next()?.into();
        let holder = words.next()?.to_str()?.parse().ok()?;
        let count: usize = words.next()?.to_str()?.parse().ok()?;
        let arguments: Vec<_> = words.by_ref().take(count).collect();
        let mut environment = Vec::new();
        while let Some(name) = words.next() {
            environment.push((name, words.next()?));
        }
        (arguments.len() == count).then_some(Baggage { ironbird, arguments, environment, holder })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::IntoRawFd;

    #[test]
    fn what_was_packed_is_unpacked() {
        let words = |list: &[&str]| list.iter().map(OsString::from).collect::<Vec<_>>();
        let baggage = Baggage {
            ironbird: "/bin/ironbird".into(),
            arguments: words(&["ironbird", "run", "an experiment.toml", ""]),
            environment: vec![("HOME".into(), "/".into()), ("EMPTY".into(), "".into())],
            holder: u64::MAX,
        };
        let file = baggage.pack().unwrap();
        assert_eq!(Baggage::unpack(file.into_raw_fd()).unwrap(), baggage);
        assert_eq!(Baggage::read(b"/bin/ironbird\x001\x007\x00run\x00"), None);
        assert_eq!(Baggage::read(b""), None);
    }
}
