//! Boxes for what goes to and comes from each process. What is put into the box of a receiver leaves in
//! as few messages as the carrier allows, once per round of a partition; so a batch of values and
//! the promise behind them are one message.
//!
//! A message is one byte that says whether its last record goes on in the next message, then records.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::carrier::{Carrier, CarrierError, Trouble};
use super::record::Record;
use super::seen::{Inlet, Outlet};
use crate::outcome::Fault;
use crate::time::Time;

/// The message ends where a record ends.
const WHOLE: u8 = 0;
/// The last record goes on in the next message of the same sender.
const GOES_ON: u8 = 1;
/// The sender leaves, in good order; nothing else is in the message.
const LEAVES: u8 = 2;
/// A process is gone: its number, four bytes, then why. It overtakes records that wait.
const LOST: u8 = 3;

/// How long to look for somebody who takes the news that a process is gone, and how long to wait for
/// the last words of one that takes nothing any more.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long to wait at most before looking around.
pub(super) const LONG: Duration = Duration::from_millis(10);
/// Messages that are taken in at once: a sender that is fast must not keep this process from its work.
const AT_ONCE: usize = 1_024;

/// A process that cannot be relied on any more, and why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lost {
    pub process: usize,
    pub reason: String,
}

impl Lost {
    pub fn fault(self, at: Time) -> Fault {
        Fault::ProcessLost { process: self.process, at, reason: self.reason }
    }

    pub fn nonsense(process: usize, what: impl Into<String>) -> Self {
        CarrierError { process, trouble: Trouble::Nonsense(what.into()) }.into()
    }
}

impl From<CarrierError> for Lost {
    fn from(error: CarrierError) -> Self {
        Lost { process: error.process, reason: error.trouble.to_string() }
    }
}

/// What goes to one process: a byte for the kind of message, then records.
#[derive(Default)]
struct OutBox {
    bytes: Vec<u8>,
    /// How many of them have gone.
    gone: usize,
}

/// What came from one process.
#[derive(Default)]
struct InBox {
    bytes: Vec<u8>,
    /// Up to here they were read.
    read: usize,
    /// Up to here they are whole records.
    whole: usize,
    /// It said that it leaves.
    left: bool,
}

/// What joins this process to the others of its span.
pub(crate) struct Post {
    carrier: Box<dyn Carrier>,
    pub number: usize,
    pub count: usize,
    out: Vec<OutBox>,
    inward: Vec<InBox>,
    message: Vec<u8>,
    gates: u64,
    /// What this process has seen of its outputs: on its way to process 0, or there to the sink.
    pub outlet: Arc<Outlet>,
    pub inlet: Option<Inlet>,
    /// A process that takes nothing any more, and since when. What it said last tells why.
    deaf: Option<(Instant, Lost)>,
    /// The first loss that was found; all have been told then.
    lost: Option<Lost>,
}

impl Post {
    pub fn new(number: usize, count: usize, carrier: Box<dyn Carrier>) -> Self {
        Post {
            carrier,
            number,
            count,
            out: (0..count).map(|_| OutBox::default()).collect(),
            inward: (0..count).map(|_| InBox::default()).collect(),
            message: Vec::new(),
            gates: 0,
            outlet: Arc::default(),
            inlet: None,
            deaf: None,
            lost: None,
        }
    }

    /// Puts a record and the bytes behind it into the box of a process.
    pub fn put(&mut self, to: usize, record: &Record, bytes: &[u8]) {
        let out = &mut self.out[to].bytes;
        if out.is_empty() {
            out.push(WHOLE);
        }
        record.write(bytes, out);
    }

    pub fn put_all(&mut self, record: &Record) {
        let own = self.number;
        for to in (0..self.count).filter(|&to| to != own) {
            self.put(to, record, &[]);
        }
    }

    /// Bytes that wait to go to a process.
    pub fn waiting_for(&self, to: usize) -> usize {
        self.out[to].bytes.len() - self.out[to].gone
    }

    /// Puts what this process has seen into the box of process 0.
    fn tell_seen(&mut self) {
        for (record, bytes) in self.outlet.take() {
            self.put(0, &record, &bytes);
        }
    }

    /// Sends what there is room for; whether that was all.
    pub fn send(&mut self) -> Result<bool, Lost> {
        self.tell_seen();
        let mut all = true;
        for to in 0..self.count {
            all &= self.send_to(to)?;
        }
        Ok(all)
    }

    fn send_to(&mut self, to: usize) -> Result<bool, Lost> {
        let OutBox { bytes, gone } = &mut self.out[to];
        while *gone < bytes.len() {
            let longest = self.carrier.longest().max(64);
            let end = bytes.len().min(gone.saturating_add(longest));
            // What stands in front of the rest has gone already, so there is a place for its kind.
            bytes[*gone] = if end == bytes.len() { WHOLE } else { GOES_ON };
            match self.carrier.try_send(to, &bytes[*gone..end]) {
                Ok(true) => *gone = if end == bytes.len() { end } else { end - 1 },
                Ok(false) => return Ok(false),
                Err(error) if error.process == self.number => return Err(error.into()),
                // Who has left needs nothing any more.
                Err(error) => {
                    *gone = bytes.len();
                    if !self.inward[to].left && self.deaf.is_none() {
                        self.deaf = Some((Instant::now(), error.into()));
                    }
                }
            }
        }
        bytes.clear();
        *gone = 0;
        Ok(true)
    }

    /// Takes in what has arrived; whether anything has.
    pub fn receive(&mut self) -> Result<bool, Lost> {
        let mut any = false;
        for _ in 0..AT_ONCE {
            match self.carrier.try_receive(&mut self.message) {
                Ok(None) => break,
                Ok(Some(from)) => {
                    self.file(from)?;
                    any = true;
                }
                // Who has said good-bye may go.
                Err(error) if self.has_left(error.process) => {}
                Err(error) => return Err(error.into()),
            }
        }
        match &self.deaf {
            Some((_, lost)) if self.has_left(lost.process) => self.deaf = None,
            Some((since, lost)) if since.elapsed() > LAST_WORDS => return Err(lost.clone()),
            _ => {}
        }
        Ok(any)
    }

    fn file(&mut self, from: usize) -> Result<(), Lost> {
        if from >= self.count || from == self.number {
            return Err(Lost::nonsense(from, "there is no such process in this span"));
        }
        let inbox = &mut self.inward[from];
        if inbox.read == inbox.bytes.len() {
            inbox.bytes.clear();
            (inbox.read, inbox.whole) = (0, 0);
        } else if inbox.read > 64 * 1024 && inbox.read > inbox.bytes.len() / 2 {
            inbox.bytes.drain(..inbox.read);
            inbox.whole -= inbox.read;
            inbox.read = 0;
        }
        match self.message.split_first() {
            Some((&WHOLE, records)) => {
                inbox.bytes.extend_from_slice(records);
                inbox.whole = inbox.bytes.len();
            }
            Some((&GOES_ON, records)) => inbox.bytes.extend_from_slice(records),
            Some((&LEAVES, [])) => inbox.left = true,
            Some((&LOST, [a, b, c, d, reason @ ..])) => {
                let process = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
                return Err(Lost { process, reason: String::from_utf8_lossy(reason).into() });
            }
            _ => return Err(Lost::nonsense(from, "a message begins as none does")),
        }
        Ok(())
    }

    /// The next record that came from a process, with the bytes behind it.
    pub fn next(&mut self, from: usize) -> Result<Option<(Record, &[u8])>, Lost> {
        loop {
            let inbox = &self.inward[from];
            if inbox.read >= inbox.whole {
                return Ok(None);
            }
            let begin = inbox.read;
            let (record, own, length) = Record::read(&inbox.bytes[begin..inbox.whole])
                .map_err(|what| Lost::nonsense(from, what))?;
            let (start, end) = (begin + length - own.len(), begin + length);
            self.inward[from].read = end;
            let own = start..end;
            match record {
                // It may come at any time, and waits for nothing.
                Record::Seen { until, taken, .. } => match &mut self.inlet {
                    Some(inlet) => {
                        inlet.pass_on(from, until, taken, &self.inward[from].bytes[own])?;
                    }
                    None => return Err(Lost::nonsense(from, "nobody asked what it sees")),
                },
                record => return Ok(Some((record, &self.inward[from].bytes[own]))),
            }
        }
    }

    /// Whether a process has said that it leaves. What it said before may still have to be read.
    pub fn has_left(&self, process: usize) -> bool {
        self.inward.get(process).is_some_and(|inbox| inbox.left)
    }

    /// What to say of a process that has left too early.
    pub fn left_early(process: usize) -> Lost {
        Lost { process, reason: "is gone: it has ended its part of the run".into() }
    }

    /// Waits until something may have changed.
    pub fn wait(&mut self, timeout: Duration) {
        let stuck = self.out.iter().any(|out| !out.bytes.is_empty());
        self.carrier.wait(if stuck { timeout.min(Duration::from_millis(1)) } else { timeout });
    }

    /// Waits for the next record of a process that is not to be skipped; nothing behind it is read.
    pub fn await_next(
        &mut self,
        from: usize,
        skip: impl Fn(&Record) -> bool,
    ) -> Result<(Record, Vec<u8>), Lost> {
        loop {
            self.send()?;
            // Looked for before it is asked whether it has left.
            while let Some((record, bytes)) = self.next(from)? {
                if !skip(&record) {
                    return Ok((record, bytes.to_vec()));
                }
            }
            if self.has_left(from) {
                return Err(Post::left_early(from));
            }
            if !self.receive()? {
                self.wait(LONG);
            }
        }
    }

    /// Waits until everything has gone.
    pub fn send_all(&mut self) -> Result<(), Lost> {
        while !self.send()? {
            if !self.receive()? {
                self.wait(LONG);
            }
        }
        Ok(())
    }

    /// All processes pass together: each says something, process 0 decides, and all hear it.
    pub fn gate(
        &mut self,
        said: &[u8],
        decide: impl FnOnce(Vec<Vec<u8>>) -> Result<Vec<u8>, Lost>,
    ) -> Result<Vec<u8>, Lost> {
        // What was said to a stretch that had ended already, or to a start that had failed.
        let late = |record: &Record| {
            matches!(record, Record::Up(_) | Record::First { .. } | Record::Failed)
        };
        self.tell_seen();
        self.gates += 1;
        let gate = self.gates;
        let length = said.len() as u64;
        if self.number > 0 {
            self.put(0, &Record::Said { gate, length }, said);
            return match self.await_next(0, late)? {
                (Record::Decided { gate: passed, .. }, bytes) if passed == gate => Ok(bytes),
                _ => Err(Lost::nonsense(0, "it is not where this process is")),
            };
        }
        let mut all = vec![said.to_vec()];
        for from in 1..self.count {
            match self.await_next(from, late)? {
                (Record::Said { gate: passed, .. }, bytes) if passed == gate => all.push(bytes),
                _ => return Err(Lost::nonsense(from, "it is not where this process is")),
            }
        }
        let decided = decide(all)?;
        for to in 1..self.count {
            let length = decided.len() as u64;
            self.put(to, &Record::Decided { gate, length }, &decided);
        }
        self.send_all()?;
        Ok(decided)
    }

    /// Tells all others, as far as they listen, that a process is gone. The first loss is the one that
    /// counts.
    pub fn tell_loss(&mut self, lost: Lost) -> Lost {
        if let Some(first) = &self.lost {
            return first.clone();
        }
        self.lost = Some(lost.clone());
        let mut message = vec![LOST];
        message.extend_from_slice(&u32::try_from(lost.process).unwrap_or(u32::MAX).to_le_bytes());
        message.extend_from_slice(lost.reason.as_bytes());
        message.truncate(self.carrier.longest().max(64));
        self.say_at_last(&message);
        lost
    }

    /// Says something to all who still listen, for a while.
    fn say_at_last(&mut self, message: &[u8]) {
        let started = Instant::now();
        let mut open: Vec<usize> = (0..self.count).filter(|&to| to != self.number).collect();
        loop {
            open.retain(|&to| matches!(self.carrier.try_send(to, message), Ok(false)));
            if open.is_empty() || started.elapsed() > LAST_WORDS {
                return;
            }
            // A receiver that is stuck itself needs room here.
            while let Ok(Some(_)) = self.carrier.try_receive(&mut self.message) {}
            self.carrier.wait(LONG);
        }
    }
}

impl Drop for Post {
    fn drop(&mut self) {
        // All that was put into boxes has gone: every call ends with that.
        if self.lost.is_none() {
            self.say_at_last(&[LEAVES]);
        }
    }
}
