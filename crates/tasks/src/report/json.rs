//! A JSON object written piece by piece: a long list of jobs is never in memory as text.

use std::io::{Result, Write};

use serde::Serialize;

/// An object that is being written, one entry a line.
pub struct Object<W> {
    out: W,
    entries: usize,
    items: usize,
}

impl<W: Write> Object<W> {
    /// Begins it.
    pub fn new(mut out: W) -> Result<Self> {
        write!(out, "{{")?;
        Ok(Object { out, entries: 0, items: 0 })
    }

    fn key(&mut self, key: &str) -> Result<()> {
        let comma = if self.entries > 0 { "," } else { "" };
        self.entries += 1;
        write!(self.out, "{comma}\n  \"{key}\": ")
    }

    /// An entry.
    pub fn entry(&mut self, key: &str, value: impl Serialize) -> Result<()> {
        self.key(key)?;
        Ok(serde_json::to_writer(&mut self.out, &value)?)
    }

    /// Begins a list.
    pub fn list(&mut self, key: &str) -> Result<()> {
        self.items = 0;
        self.key(key)?;
        write!(self.out, "[")
    }

    /// An item of the list.
    pub fn item(&mut self, value: impl Serialize) -> Result<()> {
        let comma = if self.items > 0 { "," } else { "" };
        self.items += 1;
        write!(self.out, "{comma}\n    ")?;
        Ok(serde_json::to_writer(&mut self.out, &value)?)
    }

    /// Ends the list.
    pub fn end_list(&mut self) -> Result<()> {
        write!(self.out, "\n  ]")
    }

    /// Ends the object.
    pub fn end(mut self) -> Result<()> {
        writeln!(self.out, "\n}}")?;
        self.out.flush()
    }
}
