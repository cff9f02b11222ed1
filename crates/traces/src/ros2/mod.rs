//! What the events of ros2_tracing say of a system: nodes, callbacks with their executions, publications.
//!
//! | events | give |
//! |---|---|
//! | `rcl_node_init` | nodes |
//! | `rcl_timer_init`, `rclcpp_timer_callback_added`, `rclcpp_timer_link_node` | callbacks of timers |
//! | `rcl_subscription_init`, `rclcpp_subscription_init`, `rclcpp_subscription_callback_added` | callbacks of subscriptions |
//! | `rcl_service_init`, `rclcpp_service_callback_added` | callbacks of services |
//! | `rclcpp_callback_register` | symbols of callbacks |
//! | `callback_start`, `callback_end` | executions |
//! | `rcl_publisher_init`, `rclcpp_publish`, `rcl_publish`, `rclcpp_intra_publish` | publications |
//! | `dds_write`, `dds_bind_addr_to_stamp`, `rmw_publish` | when a message left, and its source stamp |
//! | `dispatch_subscription_callback`, `rmw_take`, `message_construct` | which message a callback got |
//! | `construct_executor`, `add_callback_group`, `callback_group_add_…`, `on_data_available` | what only CARET records |
//!
//! The provider may be `ros2` or `ros2_caret`. What lacks is in [`Observed::gaps`].

mod creation;
mod gaps;
mod running;

pub use gaps::Gap;

use crate::Distribution;
use crate::ctf::Event;

/// A system as its trace shows it. Indices refer to the lists in here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// Nodes in the order of their creation.
    pub nodes: Vec<Node>,
    /// Callbacks in the order of their creation.
    pub callbacks: Vec<Callback>,
    /// Publishers in the order of their creation.
    pub publishers: Vec<Publisher>,
    /// Everything published, in the order of time.
    pub publications: Vec<Publication>,
    /// Callback groups, if the trace is CARET's.
    pub groups: Vec<Group>,
    /// Executors, if the trace is CARET's.
    pub executors: Vec<Executor>,
    /// When messages arrived: their source stamp and the time, if the trace is CARET's on Fast DDS.
    pub arrivals: Vec<(u64, i64)>,
    /// What cannot be known, because events lack.
    pub gaps: Vec<Gap>,
    /// The times of the first and the last event.
    pub span_ns: Option<(i64, i64)>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// With its namespace: `/perception/filter`.
    pub name: String,
    /// The process that it is in.
    pub process: i64,
}

/// What makes a callback run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A timer.
    Timer {
        /// Its period.
        period_ns: Option<i64>,
        /// When it was created.
        created_ns: Option<i64>,
    },
    /// Messages on a topic.
    Subscription {
        /// The topic.
        topic: Option<String>,
        /// The depth of its queue.
        queue_depth: Option<u64>,
    },
    /// Requests to a service.
    Service {
        /// The service.
        name: Option<String>,
    },
    /// The events that would tell lack.
    Unknown,
}

/// A callback and all that was seen of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    /// Its node.
    pub node: Option<usize>,
    /// What makes it run.
    pub trigger: Trigger,
    /// The demangled name of its function.
    pub symbol: Option<String>,
    /// Its callback group.
    pub group: Option<usize>,
    /// The process that it is in.
    pub process: i64,
    /// Its executions in the order of their starts.
    pub executions: Vec<Execution>,
}

impl Callback {
    /// How long its executions took.
    pub fn execution_times(&self) -> Distribution {
        let finished = self.executions.iter().filter_map(|run| Some((run.start_ns, run.end_ns?)));
        finished.map(|(start, end)| end.saturating_sub(start)).collect()
    }
}

/// One execution of a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// When it started.
    pub start_ns: i64,
    /// When it ended; not known if the trace ends before or lost the event.
    pub end_ns: Option<i64>,
    /// The thread that ran it.
    pub thread: i64,
    /// What it got, if it was started by a message.
    pub message: Option<Message>,
}

/// A message as a subscription got it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// When it was taken.
    pub taken_ns: i64,
    /// The stamp that the middleware of the sender gave it: equal to that of a [`Publication`].
    pub source_stamp: Option<u64>,
    /// The stamp in its own header.
    pub header_stamp: Option<u64>,
    /// The publication, if it came within the process.
    pub publication: Option<usize>,
}

/// A publisher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publisher {
    /// Its node.
    pub node: Option<usize>,
    /// Its topic.
    pub topic: String,
    /// The depth of its queue.
    pub queue_depth: Option<u64>,
}

/// A message as it was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// By whom.
    pub publisher: Option<usize>,
    /// When `publish` was called.
    pub time_ns: i64,
    /// When it was handed to the middleware.
    pub written_ns: Option<i64>,
    /// The stamp that the middleware gave it.
    pub source_stamp: Option<u64>,
    /// The stamp in its own header.
    pub header_stamp: Option<u64>,
    /// The thread that published it.
    pub thread: i64,
    /// The callback and its execution inside of which it was published.
    pub within: Option<(usize, usize)>,
}

/// A callback group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its type, such as `mutually_exclusive`.
    pub kind: String,
    /// The executor that it was added to.
    pub executor: Option<usize>,
}

/// An executor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executor {
    /// Its type, such as `multi_threaded_executor`.
    pub kind: String,
}

impl Observed {
    /// Makes sense of events, which must be in the order of time.
    pub fn from_events(events: impl IntoIterator<Item = Event>) -> Observed {
        let mut observed = Observed::default();
        let mut created = creation::Created::default();
        let mut running = running::Running::default();
        let mut seen = gaps::Seen::default();
        for event in events {
            let (start, _) = observed.span_ns.unwrap_or((event.time_ns, 0));
            observed.span_ns = Some((start, event.time_ns));
            let Some((provider, name)) = event.name.split_once(':') else { continue };
            if provider != "ros2" && provider != "ros2_caret" {
                continue;
            }
            seen.event(name, &event);
            if created.event(name, &event, &mut observed).is_none() {
                running.event(name, &event, &created, &mut observed);
            }
        }
        created.resolve(&mut observed);
        observed.gaps = seen.gaps();
        observed
    }

    /// The name of the node of a callback, or nothing if it is not known.
    pub fn node_name(&self, callback: &Callback) -> Option<&str> {
        callback.node.map(|node| self.nodes[node].name.as_str())
    }
}
