//! What is scheduled: computers (ECUs), the tasks on them, the chains they form, the buses between them, and
//! the computer that simulates it all.
//!
//! After Park, *Functionally and Temporally Correct Simulation for ROS2 Cyber Systems of Automotive Systems*
//! (2021), section 3.1, and We, Kim, Lee, Lee (RTSS 2017), section 2. All times are whole numbers of
//! [`System::unit`].

use crate::bus::Bus;
use crate::fraction::Fraction;

/// A whole number of time units.
pub type Ticks = u64;

/// Number of a task in [`System::tasks`].
pub type TaskId = usize;

/// Number of an ECU in [`System::ecus`].
pub type EcuId = usize;

/// Control computers and their software.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// What one tick is.
    pub unit: TimeUnit,
    /// The control computers.
    pub ecus: Vec<Ecu>,
    /// All tasks, transaction by transaction.
    pub tasks: Vec<Task>,
    /// Chains of tasks.
    pub transactions: Vec<Transaction>,
    /// What carries messages between ECUs; where there is none, they arrive at once.
    pub buses: Vec<Bus>,
    /// The computer that simulates the others.
    pub computer: Computer,
    /// The longest hyper-period that is computed.
    pub longest_hyper_period: Ticks,
}

/// What one tick is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// A nanosecond.
    Nanosecond,
    /// A microsecond.
    Microsecond,
    /// A millisecond.
    Millisecond,
    /// A second.
    Second,
}

impl TimeUnit {
    /// All of them.
    pub const ALL: [TimeUnit; 4] =
        [TimeUnit::Nanosecond, TimeUnit::Microsecond, TimeUnit::Millisecond, TimeUnit::Second];

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            TimeUnit::Nanosecond => "ns",
            TimeUnit::Microsecond => "us",
            TimeUnit::Millisecond => "ms",
            TimeUnit::Second => "s",
        }
    }

    /// Picoseconds in one.
    pub fn picoseconds(self) -> u64 {
        match self {
            TimeUnit::Nanosecond => 1_000,
            TimeUnit::Microsecond => 1_000_000,
            TimeUnit::Millisecond => 1_000_000_000,
            TimeUnit::Second => 1_000_000_000_000,
        }
    }
}

/// A control computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ecu {
    /// Its name.
    pub name: String,
    /// Who decides what runs.
    pub scheduler: Scheduler,
    /// What a timer does that comes too late.
    pub overrun: Overrun,
}

/// Who decides what runs on an ECU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// An operating system: the ready task of the lowest [`Task::order`] runs, and takes over at once.
    FixedPriority,
    /// A ROS 2 executor: callbacks run to their end.
    Executor(Executor),
}

/// A ROS 2 executor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executor {
    /// By which rules it chooses.
    pub rules: Rules,
    /// Threads that run callbacks.
    pub threads: usize,
    /// Whether waking up from waiting polls for messages, or runs the timer that woke it first. Matters to
    /// [`Rules::Dashing`] alone.
    pub polls_on_wake: bool,
    /// Callback groups whose callbacks may run at the same time. All others are mutually exclusive.
    pub reentrant: Vec<String>,
    /// What the order within a type is drawn from, for [`Rules::Jazzy`].
    pub order_seed: u64,
}

/// How executors choose, by ROS 2 release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Up to Dashing: timers are looked at between any two callbacks; other callbacks enter the ready set when
    /// it is polled, which is when it is empty.
    Dashing,
    /// Eloquent to Iron: timers are part of the polled set. In it: timers, subscriptions, services, clients;
    /// within a type by registration.
    Eloquent,
    /// Jazzy: as before, but the order within a type is that of a container, not of registration: some order
    /// that stays the same.
    Jazzy,
    /// The events executor (Iron and later): one queue, first come, first served.
    Events,
}

impl Rules {
    /// All of them.
    pub const ALL: [Rules; 4] = [Rules::Dashing, Rules::Eloquent, Rules::Jazzy, Rules::Events];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Rules::Dashing => "dashing",
            Rules::Eloquent => "eloquent",
            Rules::Jazzy => "jazzy",
            Rules::Events => "events",
        }
    }
}

/// What a timer does whose last job started after its next period had begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overrun {
    /// Periods that were missed stay missed, as in rcl (`rcl_timer_call`).
    Skip,
    /// Every period has its job, however late.
    Queue,
}

impl Overrun {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Overrun::Skip => "skip",
            Overrun::Queue => "queue",
        }
    }
}

/// What releases a callback; the order of types in an executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A timer.
    Timer,
    /// A message.
    Subscription,
    /// A request.
    Service,
    /// A response.
    Client,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Timer, Kind::Subscription, Kind::Service, Kind::Client];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Timer => "timer",
            Kind::Subscription => "subscription",
            Kind::Service => "service",
            Kind::Client => "client",
        }
    }
}

/// A task of an operating system, or a callback of an executor.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its name, unique in the system: `T1.0` unless it was given another.
    pub name: String,
    /// Number of its transaction.
    pub transaction: usize,
    /// Its place in the transaction.
    pub position: usize,
    /// Where it runs.
    pub ecu: EcuId,
    /// What releases it.
    pub kind: Kind,
    /// When: on its own, or by messages of [`Task::after`].
    pub clock: Option<Clock>,
    /// Tasks whose end releases a job of this one.
    pub after: Vec<TaskId>,
    /// Tasks whose latest results it reads without being released by them.
    pub samples: Vec<TaskId>,
    /// How long a job takes.
    pub execution: Execution,
    /// Registration order on its executor, or priority on its ECU: the lower goes first.
    pub order: u64,
    /// Its callback group: callbacks of one that is not reentrant never run at the same time.
    pub group: String,
    /// Messages that wait at most; beyond, the oldest is lost.
    pub queue_depth: usize,
    /// It reads from the physical system when it starts.
    pub reads_physical: bool,
    /// It writes to the physical system when it ends.
    pub writes_physical: bool,
    /// Time on the simulation computer per time on the ECU.
    pub simulated: Fraction,
    /// What its result is on a bus.
    pub frame: Frame,
}

/// Regular releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// From one release to the next.
    pub period: Ticks,
    /// The first release.
    pub offset: Ticks,
}

/// How long the jobs of a task take on their ECU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// At least.
    pub best: Ticks,
    /// At most.
    pub worst: Ticks,
    /// Measured times, ascending, where there are any; all between best and worst.
    pub measured: Vec<Ticks>,
}

impl Execution {
    /// Always the same.
    pub fn constant(time: Ticks) -> Self {
        Execution { best: time, worst: time, measured: Vec::new() }
    }

    /// Whether jobs may take different times.
    pub fn varies(&self) -> bool {
        self.best != self.worst
    }
}

/// The result of a job as a frame on a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The identifier: the lower goes first on a CAN bus.
    pub identifier: u64,
    /// Bytes of data.
    pub bytes: u64,
}

/// Tasks that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Its name.
    pub name: String,
    /// Its tasks in order; the first has a clock.
    pub tasks: Vec<TaskId>,
}

/// The computer that simulates the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computer {
    /// Its cores.
    pub cores: usize,
    /// How many times as fast as an ECU it is, where a task says nothing else.
    pub speed: Fraction,
}

impl System {
    /// The period of the clock that drives a task: the least of those that reach it.
    pub fn period_of(&self, task: TaskId) -> Option<Ticks> {
        let mut seen = vec![false; self.tasks.len()];
        let mut waiting = vec![task];
        let mut least = None;
        while let Some(task) = waiting.pop() {
            if std::mem::replace(&mut seen[task], true) {
                continue;
            }
            let period = self.tasks[task].clock.map(|clock| clock.period);
            least = [least, period].into_iter().flatten().min();
            waiting.extend(&self.tasks[task].after);
        }
        least
    }

    /// The task of a name.
    pub fn task(&self, name: &str) -> Option<TaskId> {
        self.tasks.iter().position(|task| task.name == name)
    }

    /// Whether some job may take longer than another of its task.
    pub fn varies(&self) -> bool {
        self.tasks.iter().any(|task| task.execution.varies())
    }
}
