//! The commands and options of `ironbird tasks`.

use std::path::PathBuf;

use crate::arguments::seed;
use clap::{Args, Subcommand, ValueEnum};

/// `ironbird tasks`
#[derive(Args)]
pub struct TasksArguments {
    /// What to do.
    #[command(subcommand)]
    pub what: TasksWhat,
}

/// What can be done with a file of tasks.
#[derive(Subcommand)]
pub enum TasksWhat {
    /// Compute when every job runs on its ECU.
    Schedule(ScheduleArguments),
    /// Draw what a simulation must keep to: the offline guider.
    Guider(GuiderArguments),
    /// Say whether a computer can simulate the system in time.
    Simulate(SimulateArguments),
    /// Count how many random systems can be simulated in time.
    Study(StudyArguments),
    /// Make a file of tasks from a ROS 2 system that was traced.
    Import(ImportArguments),
}

/// `ironbird tasks import`
#[derive(Args)]
pub struct ImportArguments {
    /// The architecture file of CARET (YAML).
    pub architecture: PathBuf,
    /// The trace of ros2_tracing: a folder that LTTng wrote, or a file with what babeltrace2 prints of it.
    pub trace: PathBuf,
    /// The ROS 2 release, by whose rules executors choose: the trace does not tell.
    #[arg(long, value_name = "RELEASE", default_value = "humble")]
    pub rules: String,
    /// Seconds that are simulated to compare latencies, from 1 to 3600.
    #[arg(long, value_name = "N", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub seconds: u64,
    /// What the simulated times are drawn from.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    /// Where the file of tasks goes.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print what was measured and simulated as JSON.
    #[arg(long)]
    pub json: bool,
}

/// A file of tasks, and what differs from it.
#[derive(Args)]
pub struct FileArguments {
    /// The file of tasks.
    pub file: PathBuf,
    /// The longest hyper-period that is computed: "200 s", or a number in the unit of the file.
    #[arg(long, value_name = "TIME")]
    pub max_hyper_period: Option<String>,
}

/// How long jobs take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TimesChoice {
    /// All as long as they may.
    Worst,
    /// All as short as they may.
    Best,
    /// Each its own, drawn from what was measured, or evenly between best and worst.
    Drawn,
}

/// `ironbird tasks schedule`
#[derive(Args)]
pub struct ScheduleArguments {
    /// Which file.
    #[command(flatten)]
    pub file: FileArguments,
    /// So many hyper-periods, instead of up to the end of the first that repeats.
    #[arg(long, value_name = "N", conflicts_with = "until")]
    pub hyper_periods: Option<u64>,
    /// All jobs that start before this time: "30 ms", or a number in the unit of the file.
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    /// How long jobs and messages take; without it ranges are shown where that varies.
    #[arg(long, value_enum)]
    pub times: Option<TimesChoice>,
    /// What times are drawn from.
    #[arg(long, default_value_t = 0, value_parser = seed)]
    pub seed: u64,
    /// Print all jobs, however many.
    #[arg(long)]
    pub jobs: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Also draw a Gantt chart.
    #[arg(long, value_name = "FILE.svg")]
    pub gantt: Option<PathBuf>,
}

/// How a guider is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GuiderFormat {
    /// Text for Mermaid.
    Mermaid,
    /// A picture.
    Svg,
    /// Nodes and edges.
    Json,
}

/// `ironbird tasks guider`
#[derive(Args)]
pub struct GuiderArguments {
    /// Which file.
    #[command(flatten)]
    pub file: FileArguments,
    /// How it is shown.
    #[arg(long, value_enum, default_value = "mermaid")]
    pub format: GuiderFormat,
    /// Where to write it; otherwise it is printed.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// In which order the simulation computer runs jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PolicyChoice {
    /// The earliest effective deadline first.
    Ours,
    /// All jobs at their real times.
    Allsync,
    /// Some jobs at their real times: see --truetime.
    Truetime,
}

/// Which jobs TrueTime holds to their real start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReadingChoice {
    /// Those that read from the physical system, as the program does by which the figures were made.
    Published,
    /// Those that read from or write to the physical system.
    Interaction,
    /// Those that read from the physical system and those that a clock releases.
    Timers,
}

/// `ironbird tasks simulate`
#[derive(Args)]
pub struct SimulateArguments {
    /// Which file.
    #[command(flatten)]
    pub file: FileArguments,
    /// In which order jobs run.
    #[arg(long, value_enum)]
    pub policy: PolicyChoice,
    /// Which jobs TrueTime holds to their real start.
    #[arg(long, value_enum, default_value = "published")]
    pub truetime: ReadingChoice,
    /// Cores of the simulation computer, instead of `sim_cores` of the file.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub cores: Option<u64>,
    /// How many times as fast as an ECU it is, instead of `sim_speed` of the file: 3.3, or 10/3.
    #[arg(long, value_name = "RATIO")]
    pub speed: Option<String>,
    /// How many hyper-periods are simulated, at least.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub hyper_periods: u64,
    /// Where execution times vary: which execution is simulated.
    #[arg(long, value_enum, default_value = "worst")]
    pub times: TimesChoice,
    /// What times are drawn from.
    #[arg(long, default_value_t = 0, value_parser = seed)]
    pub seed: u64,
    /// Print all jobs, however many hyper-periods there are.
    #[arg(long)]
    pub jobs: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Also draw a Gantt chart of the simulation computer.
    #[arg(long, value_name = "FILE.svg")]
    pub gantt: Option<PathBuf>,
}

/// The ratio that a study varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VaryChoice {
    /// Tasks that belong to chains.
    Transaction,
    /// Chains that write to the physical system.
    Write,
    /// Chains that read from it.
    Read,
}

/// How random workloads are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GeneratorChoice {
    /// As the program does by which the figures were made.
    AsPublished,
    /// As the text says.
    AsWritten,
}

/// `ironbird tasks study`
#[derive(Args)]
pub struct StudyArguments {
    /// The ratio that is varied from 0 to 100 %.
    #[arg(long, value_enum)]
    pub vary: VaryChoice,
    /// How many workloads at each ratio.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub workloads: u64,
    /// How workloads are made.
    #[arg(long, value_enum, default_value = "as-published")]
    pub generator: GeneratorChoice,
    /// What they are drawn from.
    #[arg(long, default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    /// Threads that do the work; as many as there are cores unless given.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true,
          value_parser = clap::value_parser!(u64).range(0..=1024))]
    pub threads: u64,
    /// Which jobs TrueTime holds to their real start.
    #[arg(long, value_enum, default_value = "published")]
    pub truetime: ReadingChoice,
    /// Cores of the simulation computer.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub cores: u64,
    /// How many times as fast as an ECU it is: 3.3 unless given.
    #[arg(long, value_name = "RATIO")]
    pub speed: Option<String>,
    /// Folder for the table (CSV and JSON) and the plot; otherwise CSV is printed.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}
