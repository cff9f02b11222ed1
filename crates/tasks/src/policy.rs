//! In which order the simulation computer runs jobs, and which of them it holds back.

/// A policy of the simulation computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The job of the earliest effective deadline runs, and takes over at once; only jobs that read from the
    /// physical system wait for their real start. On one core no policy is better (Spuri, Stankovic 1994).
    Ours,
    /// Every job waits for its real start; they run one after the other in that order.
    AllSync,
    /// Some jobs wait for their real start; of those that may run the one of the earliest real start does, to
    /// its end.
    TrueTime(Reading),
}

/// Which jobs TrueTime holds to their real start: the thesis can be read in three ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Those that read from the physical system, as the program does by which the figures were made.
    Published,
    /// Those that read from or write to the physical system: "only jobs with physical interaction points".
    Interaction,
    /// Those that read and those that a clock releases: "if all the task in the task set are timer callback,
    /// then TrueTime approach become same with AllSync".
    Timers,
}

impl Policy {
    /// As it is written, with its reading.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Ours => "ours",
            Policy::AllSync => "allsync",
            Policy::TrueTime(Reading::Published) => "truetime (reads held)",
            Policy::TrueTime(Reading::Interaction) => "truetime (reads and writes held)",
            Policy::TrueTime(Reading::Timers) => "truetime (timers held)",
        }
    }

    /// Whether this job waits for its real start.
    pub(crate) fn holds(self, node: &crate::guider::Node) -> bool {
        match self {
            Policy::Ours | Policy::TrueTime(Reading::Published) => node.reads,
            Policy::AllSync => true,
            Policy::TrueTime(Reading::Interaction) => node.reads || node.writes,
            Policy::TrueTime(Reading::Timers) => node.reads || node.is_timer,
        }
    }
}
