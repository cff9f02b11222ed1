//! What a Gantt chart shows, before it is drawn.

use crate::system::Ticks;

/// A Gantt chart.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Above all.
    pub title: String,
    /// Under the title.
    pub subtitle: String,
    /// Unit of the axis.
    pub unit: &'static str,
    /// Ticks in one unit.
    pub per_unit: u64,
    /// Where the axis ends.
    pub until: Ticks,
    /// Threads or cores, from above.
    pub lanes: Vec<Lane>,
    /// Stretches of jobs, those of one job one after the other.
    pub bars: Vec<Bar>,
    /// Releases of jobs.
    pub releases: Vec<Release>,
    /// Deadlines, in a strip of their own.
    pub dues: Vec<Due>,
    /// Instants with a line through all lanes, and what stands at it.
    pub turns: Vec<(Ticks, String)>,
    /// Names of the colours.
    pub legend: Vec<String>,
}

/// A thread or a core.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// Beneath the name.
    pub note: String,
    /// The first of its ECU.
    pub is_first: bool,
}

/// A time through which a job ran.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Where.
    pub lane: usize,
    /// From here.
    pub from: Ticks,
    /// To here.
    pub to: Ticks,
    /// Its job: bars of the same one are joined.
    pub job: usize,
    /// What stands in it.
    pub label: String,
    /// What is shown when one points at it.
    pub hover: String,
    /// Number of its colour.
    pub colour: usize,
    /// The job reads from the physical system when this bar begins.
    pub reads: bool,
    /// The job writes to the physical system when this bar ends.
    pub writes: bool,
    /// The job was late.
    pub is_late: bool,
}

/// A release of a job.
#[derive(Clone, Debug)]
pub struct Release {
    /// Where the job will run.
    pub lane: usize,
    /// When.
    pub at: Ticks,
    /// Of which job.
    pub label: String,
    /// Number of its colour.
    pub colour: usize,
}

/// A deadline.
#[derive(Clone, Debug)]
pub struct Due {
    /// When.
    pub at: Ticks,
    /// Whose.
    pub label: String,
    /// Number of its colour.
    pub colour: usize,
    /// It was missed.
    pub is_late: bool,
}
