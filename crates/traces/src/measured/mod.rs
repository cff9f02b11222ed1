//! An architecture and a trace of the same system joined: what ran when, how long, and how long chains take.
//!
//! ```text
//! architecture.yaml ─► Architecture ─┐
//!                                    ├─► Measured: callbacks, communications, paths
//! trace ─► Events ─► Observed ───────┘
//! ```

mod communication;
mod matching;
mod paths;
mod timers;

use crate::Distribution;
use crate::caret::{Architecture, ExecutorKind, Trigger};
use crate::ros2::Observed;

/// A measured system. Indices refer to [`Measured::callbacks`], unless they say otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Executors, as the architecture has them.
    pub executors: Vec<MeasuredExecutor>,
    /// All callbacks of the architecture that are in the trace, in the order of the architecture.
    pub callbacks: Vec<MeasuredCallback>,
    /// Which callback sends to which, and how long messages are under way.
    pub communications: Vec<Communication>,
    /// Callbacks that read what another one wrote, without being started by it.
    pub passings: Vec<Passing>,
    /// The named paths of the architecture.
    pub paths: Vec<MeasuredPath>,
    /// What is not known, and why.
    pub warnings: Vec<String>,
}

/// An executor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredExecutor {
    /// Its name.
    pub name: String,
    /// How it runs callbacks.
    pub kind: ExecutorKind,
    /// Threads on which its callbacks were seen.
    pub threads: usize,
}

/// A callback of the architecture with what the trace says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredCallback {
    /// Its name.
    pub name: String,
    /// The name of its node.
    pub node: String,
    /// What makes it run.
    pub trigger: Trigger,
    /// The name of its callback group.
    pub group: String,
    /// Whether callbacks of its group may run at the same time.
    pub is_reentrant: bool,
    /// Number of its executor in [`Measured::executors`].
    pub executor: Option<usize>,
    /// Its number in [`Observed::callbacks`], which is in the order of creation.
    pub observed: usize,
    /// Depth of its queue, if it is a subscription.
    pub queue_depth: Option<u64>,
    /// How long its executions took.
    pub execution_times: Distribution,
    /// When its timer fired, if it has one and the trace shows it.
    pub releases: Option<Releases>,
    /// Topics that it publishes, as the trace shows.
    pub publishes: Vec<String>,
    /// From the start of an execution to a publication in it.
    pub publish_delays: Distribution,
}

/// When a timer fired: the earliest starts of its callback in the grid of its period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Releases {
    /// The first that was seen, in nanoseconds since 1970.
    pub first_ns: i64,
    /// The period.
    pub period_ns: i64,
    /// From a release to the start of the callback.
    pub lateness: Distribution,
}

/// Messages of one topic from one callback to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Communication {
    /// The topic.
    pub topic: String,
    /// The callback that publishes.
    pub from: usize,
    /// The callback that is started.
    pub to: usize,
    /// From the publication to the start of the callback.
    pub latency: Distribution,
    /// The part of it that the message is under way: up to its arrival, where the trace tells; else the
    /// latency of messages whose callback was free to start.
    pub transport: Distribution,
    /// The part of it that the callback has to wait for others, for every message.
    pub waiting: Distribution,
}

/// One callback uses in its publication the latest message that another callback of its node got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passing {
    /// The callback that got the message.
    pub from: usize,
    /// The callback that publishes.
    pub to: usize,
}

/// A named path and its latencies.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPath {
    /// Its name.
    pub name: String,
    /// The callbacks of every node on it, in the order of the flow: the one that gets the message, and
    /// the one that publishes if that is another.
    pub callbacks: Vec<usize>,
    /// Every flow of data that reached the end, in the order in which they did.
    pub flows: Vec<Flow>,
    /// From the start of the first callback to the end of the last.
    pub latency: Distribution,
    /// From the first publication to the start of the last callback.
    pub message_latency: Distribution,
}

/// One flow of data along a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The start of the first callback.
    pub start_ns: i64,
    /// The end of the last.
    pub end_ns: i64,
    /// Callbacks and executions in [`Observed::callbacks`], as in [`MeasuredPath::callbacks`].
    pub executions: Vec<(usize, usize)>,
    /// Publications in [`Observed::publications`].
    pub publications: Vec<usize>,
}

impl Measured {
    /// Joins what a file says with what a trace shows. What does not fit is in [`Measured::warnings`].
    pub fn new(architecture: &Architecture, observed: &Observed) -> Measured {
        let mut warnings: Vec<String> = observed.gaps.iter().map(ToString::to_string).collect();
        let (callbacks, executors) = matching::callbacks(architecture, observed, &mut warnings);
        let messages = communication::Messages::new(observed);
        let communications =
            communication::communications(&callbacks, &executors, observed, &messages);
        let found = paths::paths(architecture, &callbacks, observed, &messages, &mut warnings);
        let mut passings: Vec<Passing> = Vec::new();
        for (from, to) in found.iter().flat_map(|(_, passings)| passings.iter().copied()) {
            if !passings.iter().any(|passing| (passing.from, passing.to) == (from, to)) {
                passings.push(Passing { from, to });
            }
        }
        let paths = found.into_iter().map(|(path, _)| path).collect();
        Measured { executors, callbacks, communications, passings, paths, warnings }
    }

    /// A callback by its name.
    pub fn callback(&self, name: &str) -> Option<&MeasuredCallback> {
        self.callbacks.iter().find(|callback| callback.name == name)
    }

    /// A path by its name.
    pub fn path(&self, name: &str) -> Option<&MeasuredPath> {
        self.paths.iter().find(|path| path.name == name)
    }
}
