//! Processes that something else has started, and that know each other: the ranks of an MPI job. All of them are given
//! the same command line, and make the same runs in the same order. Before each run they meet, so that none begins what
//! another cannot, and all of them learn when there is no further one.
//!
//! ```text
//! rank 0   opens the file   meet: ready   run 1 ... reports   meet: ready   run 2 ... reports   meet: over
//! rank 1   opens the file   meet          run 1               meet          run 2               meet
//! ```

use std::time::Duration;

use ironbird_kernel::{Carrier, CarrierError, Span, Trouble};

use crate::interrupt::Interrupt;

/// How long to wait before looking around.
const LONG: Duration = Duration::from_millis(10);

/// Processes of a job that exist already.
pub trait Ranks {
    /// The number of this one.
    fn number(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// What joins all of them, for one run or one meeting: what belongs to one never reaches another. The others may
    /// give no sign of life for as long as patience lasts, and not much longer than it takes to answer once
    /// `interrupt` is requested. Rank 0 may come as late as it likes, since it writes reports between two runs.
    fn join(&mut self, patience: Duration, interrupt: &Interrupt) -> Box<dyn Carrier>;

    /// Whether one of them is known to be gone, or to hang: nobody can rely on the others any more.
    fn is_broken(&self) -> bool;

    /// Waits until the first rank is seen to have ended, or for so long.
    fn await_end_of_first(&self, patience: Duration);

    /// Ends this process's part in the job: in good order, which waits for the others; or else all of them at once, with
    /// this status.
    fn end(self: Box<Self>, status: u8, in_good_order: bool);
}

/// What a rank says at a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// It can begin the next run.
    Ready,
    /// There is none. Only the first rank knows that.
    Over,
    /// It cannot go on.
    Trouble(String),
}

/// What the ranks agreed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// Whether the next run begins.
    pub goes_on: bool,
    /// Which other ranks cannot go on, and why. Only the first rank learns that.
    pub troubles: Vec<(usize, String)>,
}

const READY: u8 = 1;
const OVER: u8 = 2;
const TROUBLE: u8 = 3;

/// The ranks of a job, and how long they wait for each other.
pub struct Company<'a> {
    ranks: &'a mut dyn Ranks,
    patience: Duration,
    interrupt: Interrupt,
    over: bool,
}

impl<'a> Company<'a> {
    /// Of these ranks.
    pub fn new(ranks: &'a mut dyn Ranks, patience: Duration, interrupt: &Interrupt) -> Self {
        Company { ranks, patience, interrupt: interrupt.clone(), over: false }
    }

    /// The number of this rank.
    pub fn number(&self) -> usize {
        self.ranks.number()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.ranks.count()
    }

    /// Waits for the first rank, which ends all of them once it has closed what it records.
    pub fn await_end_of_first(&self) {
        self.ranks.await_end_of_first(self.patience);
    }

    /// Whether it was said that there is no further run.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Whether one of them is known to be gone, or to hang.
    pub fn is_broken(&self) -> bool {
        self.ranks.is_broken()
    }

    /// What tells of an interruption, which ends the run for all.
    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The place of this rank in the next run.
    pub(crate) fn span(&mut self) -> Span {
        let carrier = self.ranks.join(self.patience, &self.interrupt);
        Span { number: self.number(), count: self.count(), carrier }
    }

    /// All ranks meet. They go on if all are ready.
    ///
    /// # Errors
    /// If one is gone, or hangs.
    pub fn meet(&mut self, word: &Word) -> Result<Met, CarrierError> {
        let (number, count) = (self.number(), self.count());
        let mut table =
            Table { carrier: self.ranks.join(self.patience, &self.interrupt), heard: Vec::new() };
        table.heard.resize(count, None);
        let met = match number {
            0 => table.preside(word, count),
            _ => table.attend(word),
        }?;
        self.over |= !met.goes_on;
        Ok(met)
    }
}

/// One meeting.
struct Table {
    carrier: Box<dyn Carrier>,
    /// What each of the others said.
    heard: Vec<Option<Vec<u8>>>,
}

impl Table {
    /// The first rank hears all others, and tells them whether they go on.
    fn preside(&mut self, word: &Word, count: usize) -> Result<Met, CarrierError> {
        let mut troubles = Vec::new();
        for other in 1..count {
            let said = self.hear(other)?;
            match said.split_first() {
                Some((&TROUBLE, text)) => {
                    troubles.push((other, String::from_utf8_lossy(text).into_owned()));
                }
                Some((&READY, _)) => {}
                _ => return Err(nonsense(other)),
            }
        }
        let goes_on = *word == Word::Ready && troubles.is_empty();
        for other in 1..count {
            self.say(other, &[if goes_on { READY } else { OVER }])?;
        }
        Ok(Met { goes_on, troubles })
    }

    fn attend(&mut self, word: &Word) -> Result<Met, CarrierError> {
        let mut said = match word {
            Word::Ready | Word::Over => vec![READY],
            Word::Trouble(text) => [&[TROUBLE], text.as_bytes()].concat(),
        };
        said.truncate(self.carrier.longest());
        self.say(0, &said)?;
        match *self.hear(0)? {
            [READY] => Ok(Met { goes_on: true, troubles: Vec::new() }),
            [OVER] => Ok(Met { goes_on: false, troubles: Vec::new() }),
            _ => Err(nonsense(0)),
        }
    }

    fn say(&mut self, to: usize, words: &[u8]) -> Result<(), CarrierError> {
        while !self.carrier.try_send(to, words)? {
            self.carrier.wait(LONG);
        }
        Ok(())
    }

    fn hear(&mut self, from: usize) -> Result<Vec<u8>, CarrierError> {
        loop {
            if let Some(said) = self.heard[from].take() {
                return Ok(said);
            }
            let mut said = Vec::new();
            match self.carrier.try_receive(&mut said) {
                Ok(Some(other)) => self.heard[other] = Some(said),
                Ok(None) => self.carrier.wait(LONG),
                // Others than the first rank matter to the first rank only, and none leaves before it has spoken.
                Err(error) if from == 0 && error.process != 0 => {}
                Err(error) => return Err(error),
            }
        }
    }
}

fn nonsense(process: usize) -> CarrierError {
    CarrierError { process, trouble: Trouble::Nonsense("it is not at the meeting".into()) }
}
