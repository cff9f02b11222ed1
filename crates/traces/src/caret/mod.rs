//! Architecture files of CARET: what a ROS 2 system is made of, written by
//! `ros2 caret create_architecture_file` and completed by hand. They have no execution times.
//!
//! ```
//! use std::sync::Arc;
//! use ironbird_document::Source;
//! use ironbird_traces::caret::{Architecture, Trigger};
//!
//! let text = "
//! executors:
//! - executor_type: single_threaded_executor
//!   executor_name: executor_0
//!   callback_group_names: [/camera/callback_group_0]
//! nodes:
//! - node_name: /camera
//!   callback_groups:
//!   - callback_group_type: mutually_exclusive
//!     callback_group_name: /camera/callback_group_0
//!     callback_names: [/camera/callback_0]
//!   callbacks:
//!   - callback_name: /camera/callback_0
//!     callback_type: timer_callback
//!     period_ns: 100000000
//!     symbol: Camera::tick()
//!   publishes:
//!   - topic_name: /image
//!     callback_names: [/camera/callback_0]
//! ".to_owned();
//! let source = Source { name: "architecture.yaml".into(), folder: ".".into(), text };
//! let architecture = Architecture::parse(&Arc::new(source))?;
//! let camera = &architecture.nodes[0].callbacks[0];
//! assert_eq!(camera.trigger, Trigger::Timer { period_ns: 100_000_000 });
//! # Ok::<(), ironbird_document::Problems>(())
//! ```

mod check;
mod parse;
mod yaml;

use std::path::Path;
use std::sync::Arc;

use ironbird_document::{Place, Problems, Source};

/// A checked architecture: every name in it stands for something that is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Architecture {
    /// Executors.
    pub executors: Vec<Executor>,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Chains of nodes whose latency is of interest.
    pub paths: Vec<NamedPath>,
}

/// How an executor runs callbacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutorKind {
    /// One callback after the other.
    SingleThreaded,
    /// One callback after the other, with a fixed set of callbacks.
    StaticSingleThreaded,
    /// Several callbacks at once, as their groups permit.
    MultiThreaded,
}

/// An executor.
#[derive(Clone, Debug, PartialEq)]
pub struct Executor {
    /// Its name.
    pub name: String,
    /// How it runs callbacks.
    pub kind: ExecutorKind,
    /// The names of its callback groups, in the order of the file.
    pub groups: Vec<String>,
    /// Where it stands.
    pub place: Place,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name with its namespace.
    pub name: String,
    /// Its callback groups.
    pub groups: Vec<CallbackGroup>,
    /// Its callbacks.
    pub callbacks: Vec<Callback>,
    /// What it publishes.
    pub publishes: Vec<Publish>,
    /// What it subscribes to.
    pub subscribes: Vec<Subscribe>,
    /// Which callback reads what another one wrote; empty where the file says `UNDEFINED`.
    pub variable_passings: Vec<VariablePassing>,
    /// Which message a publication is made from.
    pub message_contexts: Vec<MessageContext>,
    /// Where it stands.
    pub place: Place,
}

/// A callback group.
#[derive(Clone, Debug, PartialEq)]
pub struct CallbackGroup {
    /// Its name.
    pub name: String,
    /// Its callbacks may run at the same time.
    pub is_reentrant: bool,
    /// The names of its callbacks.
    pub callbacks: Vec<String>,
    /// Where it stands.
    pub place: Place,
}

/// What makes a callback run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A timer.
    Timer {
        /// Its period, positive.
        period_ns: i64,
    },
    /// Messages on a topic.
    Subscription {
        /// The topic.
        topic: String,
    },
    /// Requests to a service.
    Service {
        /// The service.
        name: String,
    },
}

/// A callback.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    /// Its name, unique in the file.
    pub name: String,
    /// What makes it run.
    pub trigger: Trigger,
    /// The demangled name of its function.
    pub symbol: Option<String>,
    /// Tells apart callbacks that are equal otherwise.
    pub construction_order: u64,
    /// Where it stands.
    pub place: Place,
}

/// A topic that a node publishes.
#[derive(Clone, Debug, PartialEq)]
pub struct Publish {
    /// The topic.
    pub topic: String,
    /// The callbacks that do; empty where the file says `UNDEFINED`.
    pub callbacks: Vec<String>,
}

/// A topic that a node subscribes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Subscribe {
    /// The topic.
    pub topic: String,
    /// The callback, unless the file says `UNDEFINED`.
    pub callback: Option<String>,
}

/// One callback reads what another one wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct VariablePassing {
    /// The callback that writes.
    pub write: String,
    /// The callback that reads.
    pub read: String,
}

/// Which message a publication is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextKind {
    /// The latest that was there.
    UseLatestMessage,
    /// The one that started the callback that published, or passed a variable to it.
    CallbackChain,
    /// The one that CARET's tilde library recorded.
    Tilde,
}

/// How a node makes messages of one topic from those of another.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageContext {
    /// Which message is used, unless the file says `UNDEFINED`.
    pub kind: Option<ContextKind>,
    /// From this topic.
    pub subscription_topic: String,
    /// To this one.
    pub publisher_topic: String,
}

/// A chain of nodes that pass messages on.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPath {
    /// Its name.
    pub name: String,
    /// The nodes from the first to the last.
    pub nodes: Vec<PathNode>,
    /// Where it stands.
    pub place: Place,
}

/// A node of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct PathNode {
    /// The node's name.
    pub node: String,
    /// What it takes; nothing for the first.
    pub subscribe_topic: Option<String>,
    /// What it passes on; nothing for the last.
    pub publish_topic: Option<String>,
    /// Where it stands.
    pub place: Place,
}

impl Architecture {
    /// Reads and checks a file.
    pub fn read(file: &Path) -> Result<Architecture, Problems> {
        Architecture::parse(&Source::read(file)?)
    }

    /// Reads and checks a text.
    pub fn parse(source: &Arc<Source>) -> Result<Architecture, Problems> {
        let architecture = parse::architecture(&yaml::parse(source)?)?;
        check::check(&architecture)?;
        Ok(architecture)
    }

    /// A node by its name.
    pub fn node(&self, name: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.name == name)
    }
}
