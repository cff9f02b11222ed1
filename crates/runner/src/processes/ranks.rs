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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;

    use super::*;

    type Letter = (usize, Vec<u8>);

    /// A rank that is a thread; it meets once.
    struct Thread {
        number: usize,
        to: Vec<Sender<Letter>>,
        from: Option<Receiver<Letter>>,
    }

    struct Mail {
        number: usize,
        to: Vec<Sender<Letter>>,
        from: Receiver<Letter>,
    }

    impl Carrier for Mail {
        fn try_send(&mut self, to: usize, message: &[u8]) -> Result<bool, CarrierError> {
            Ok(self.to[to].send((self.number, message.to_vec())).is_ok())
        }

        fn try_receive(&mut self, message: &mut Vec<u8>) -> Result<Option<usize>, CarrierError> {
            let Ok((from, letter)) = self.from.recv() else { return Ok(None) };
            // An empty letter tells that its sender is gone.
            if letter.is_empty() {
                let trouble = Trouble::Died("it has ended".into());
                return Err(CarrierError { process: from, trouble });
            }
            *message = letter;
            Ok(Some(from))
        }

        fn wait(&mut self, _: Duration) {}
    }

    impl Ranks for Thread {
        fn number(&self) -> usize {
            self.number
        }

        fn count(&self) -> usize {
            self.to.len()
        }

        fn join(&mut self, _: Duration, _: &Interrupt) -> Box<dyn Carrier> {
            let from = self.from.take().expect("one meeting");
            Box::new(Mail { number: self.number, to: self.to.clone(), from })
        }

        fn is_broken(&self) -> bool {
            false
        }

        fn await_end_of_first(&self, _: Duration) {}

        fn end(self: Box<Self>, _: u8, _: bool) {}
    }

    /// What each rank hears if it says this; a rank that says nothing is gone.
    fn meet(words: Vec<Option<Word>>) -> Vec<Option<Result<Met, CarrierError>>> {
        let (to, from): (Vec<_>, Vec<_>) = words.iter().map(|_| channel()).unzip();
        let ranks = words.into_iter().zip(from).enumerate().map(|(number, (word, from))| {
            let to = to.clone();
            thread::spawn(move || {
                let Some(word) = word else {
                    to.iter().for_each(|to| drop(to.send((number, Vec::new()))));
                    return None;
                };
                let mut rank = Thread { number, to, from: Some(from) };
                let interrupt = Interrupt::default();
                Some(Company::new(&mut rank, Duration::from_secs(1), &interrupt).meet(&word))
            })
        });
        let ranks: Vec<_> = ranks.collect();
        ranks.into_iter().map(|rank| rank.join().expect("no panic")).collect()
    }

    fn met(goes_on: bool, troubles: &[(usize, &str)]) -> Option<Result<Met, CarrierError>> {
        let troubles = troubles.iter().map(|(rank, what)| (*rank, (*what).to_owned())).collect();
        Some(Ok(Met { goes_on, troubles }))
    }

    #[test]
    fn ranks_go_on_if_all_are_ready() {
        let all = meet(vec![Some(Word::Ready), Some(Word::Ready), Some(Word::Ready)]);
        assert_eq!(all, [met(true, &[]), met(true, &[]), met(true, &[])]);
    }

    #[test]
    fn nobody_goes_on_once_the_first_rank_has_no_further_run() {
        let all = meet(vec![Some(Word::Over), Some(Word::Ready), Some(Word::Ready)]);
        assert_eq!(all, [met(false, &[]), met(false, &[]), met(false, &[])]);
    }

    #[test]
    fn the_first_rank_learns_why_others_cannot_go_on() {
        let trouble = |what: &str| Some(Word::Trouble(what.into()));
        let all = meet(vec![Some(Word::Ready), trouble("no file"), Some(Word::Ready), trouble("")]);
        let first = met(false, &[(1, "no file"), (3, "")]);
        assert_eq!(all, [first, met(false, &[]), met(false, &[]), met(false, &[])]);
    }

    #[test]
    fn the_first_rank_does_not_wait_for_one_that_is_gone() {
        let all = meet(vec![Some(Word::Ready), None]);
        let Some(Err(lost)) = &all[0] else { panic!("{all:?}") };
        assert_eq!(lost.to_string(), "process 1 is gone: it has ended");
    }
}
