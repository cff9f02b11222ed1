//! Partitions in several processes: each builds the same system from the same program and options, so
//! that everything has the same number everywhere, and advances one partition of it.
//!
//! What leaves for another process goes as bytes through a [`Carrier`]; process 0 agrees for all on
//! where a stretch ends, what halted it and what will not be taken back.

mod carrier;
mod coordinator;
mod post;
mod processes;
mod record;
mod results;
mod rounds;
mod run;
mod seen;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use carrier::{Carrier, CarrierError, Trouble};
use post::{Lost, Post};
use record::Record;
use results::Costs;
use seen::Inlet;

use crate::outcome::Fault;
use crate::profile::PartProfile;
use crate::stream::Sink;
use crate::time::Time;

/// The place of a process among those that run one system together.
///
/// Every process builds the same graph, gives the same [`crate::Options`], whose placement makes at most
/// `count` partitions, and makes the same calls of its [`crate::Simulation`] in the same order. Models of
/// other processes are neither initialised nor advanced here.
///
/// Every process learns how a run ended. Digest, samples and statistics of the whole run are at process
/// 0 after [`crate::Simulation::run_until`]; others have their own part. A [`crate::Sink`] hears of the
/// partition of its own process only, as if it were the only one. Any process can pause the run for all.
/// Edits, single steps and checkpoints are refused. A process that is lost ends the run in all others
/// with [`crate::Fault::ProcessLost`].
pub struct Span {
    /// Number of this process, and of the partition that it advances.
    pub number: usize,
    /// How many processes there are.
    pub count: usize,
    /// What joins it to the others.
    pub carrier: Box<dyn Carrier>,
}

/// This process as a member of its span.
pub(crate) struct Member {
    post: Post,
    /// Samples of each output that process 0 has already.
    shown: BTreeMap<(u32, u16), usize>,
    /// At process 0: what the run has cost the others.
    costs: Vec<Costs>,
    /// At process 0: where the time of the others went.
    profiles: Vec<PartProfile>,
}

impl Member {
    fn new(span: Span) -> Self {
        let Span { number, count, carrier } = span;
        let costs = (0..count).map(|_| Costs::default()).collect();
        let (post, shown) = (Post::new(number, count, carrier), BTreeMap::new());
        Member { post, shown, costs, profiles: Vec::new() }
    }

    pub fn number(&self) -> usize {
        self.post.number
    }

    pub fn count(&self) -> usize {
        self.post.count
    }

    /// Where this process gives what it sees: at process 0 to the sink, with what the others see.
    pub fn sink(
        &mut self,
        sink: &Arc<dyn Sink>,
        partitions: usize,
        taps: usize,
        now: Time,
    ) -> Arc<dyn Sink> {
        if self.post.number > 0 {
            return self.post.outlet.clone();
        }
        let told = vec![now; self.post.count];
        self.post.inlet = Some(Inlet { sink: sink.clone(), partitions, taps, told });
        sink.clone()
    }

    /// All processes pass together: each says something, process 0 decides, and all hear it. What is
    /// said is given with its process to `decide`.
    fn agree<S: Serialize + DeserializeOwned, D: Serialize + DeserializeOwned>(
        &mut self,
        said: &S,
        decide: impl FnOnce(Vec<S>) -> Result<D, Lost>,
    ) -> Result<D, Lost> {
        let said = postcard::to_stdvec(said).expect("plain data always serialises");
        let decided = self.post.gate(&said, |all| {
            let read = |(from, bytes): (usize, Vec<u8>)| {
                postcard::from_bytes(&bytes).map_err(|e| Lost::nonsense(from, e.to_string()))
            };
            let all: Vec<S> = all.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
            Ok(postcard::to_stdvec(&decide(all)?).expect("plain data always serialises"))
        })?;
        postcard::from_bytes(&decided).map_err(|error| Lost::nonsense(0, error.to_string()))
    }

    /// Tells the others of a loss; the fault that it is.
    fn lose(&mut self, lost: Lost, at: Time) -> Fault {
        self.post.tell_loss(lost).fault(at)
    }

    pub fn nonsense(&mut self, process: usize, what: &str, at: Time) -> Fault {
        self.lose(Lost::nonsense(process, what), at)
    }

    /// Shows the first value of a signal to the process of a reader.
    pub fn show_first(&mut self, to: usize, link: u32, value: &[u8]) {
        self.post.put(to, &Record::First { link, length: value.len() as u64 }, value);
    }

    /// The first value of a signal of another process; `None` if one of its models failed before.
    pub fn await_first(
        &mut self,
        from: usize,
        link: u32,
        now: Time,
    ) -> Result<Option<Vec<u8>>, Fault> {
        match self.post.await_next(from, |_| false) {
            Ok((Record::First { link: shown, .. }, value)) if shown == link => Ok(Some(value)),
            Ok((Record::Failed, _)) => Ok(None),
            Ok(_) => Err(self.nonsense(from, "it shows another value than it should", now)),
            Err(lost) => Err(self.lose(lost, now)),
        }
    }

    /// A model of this process failed before the first instant: nobody waits for its values.
    pub fn say_failed(&mut self) {
        self.post.put_all(&Record::Failed);
    }

    /// Waits until all models of all processes are initialised. Of several that failed, the first in
    /// the order counts, everywhere.
    pub fn start(&mut self, failed: Option<(u64, Fault)>, now: Time) -> Result<(), Fault> {
        let first = self.agree(&failed, |all: Vec<Option<(u64, Fault)>>| {
            Ok(all.into_iter().flatten().min_by_key(|(place, _)| *place).map(|(_, fault)| fault))
        });
        match first {
            Ok(None) => Ok(()),
            Ok(Some(fault)) => Err(fault),
            Err(lost) => Err(self.lose(lost, now)),
        }
    }
}
