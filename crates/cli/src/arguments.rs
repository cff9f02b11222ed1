//! The commands and options of the command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::ports::PortsArguments;
use crate::task_arguments::TasksArguments;

/// Cyber-physical systems on one virtual clock: describe, check, run, record, judge.
#[derive(Parser)]
#[command(name = "ironbird", version, disable_help_subcommand = true)]
#[command(
    about = "Cyber-physical systems on one virtual clock: describe, check, run, record, judge"
)]
#[command(
    after_help = "Exit status: 0 all requirements hold, 1 a requirement failed or stayed undecided, \
2 the input is wrong, 3 the run itself failed."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What can be done.
#[derive(Subcommand)]
pub enum Command {
    /// Run an experiment, record it and judge its requirements.
    Run(Box<RunArguments>),
    /// Run an experiment to a time once, and go on from there several times, each time with something else done to it.
    Branch(BranchArguments),
    /// Say what is wrong with an experiment, without running it.
    Check(CheckArguments),
    /// List component types, or explain one.
    Types(TypesArguments),
    /// List the ports of the components of an experiment: types, units, values at the start, links.
    Ports(PortsArguments),
    /// Draw the system of an experiment.
    Graph(GraphArguments),
    /// Write the report of a recording anew.
    Report(ReportArguments),
    /// Show a recording in the browser, or two side by side.
    View(ViewArguments),
    /// Run again what a recording holds, and compare.
    Replay(ReplayArguments),
    /// Write a recording as a table.
    Export(ExportArguments),
    /// Run an experiment twice and compare every bit.
    Verify(VerifyArguments),
    /// Run a model beside the log of a flight, and say how far they are apart.
    Compare(CompareArguments),
    /// Find parameters of a model from the log of a flight.
    Identify(IdentifyArguments),
    /// Compute steady flight of an aircraft file, and the modes about it.
    Trim(TrimArguments),
    /// Compute when control software runs, and whether it can be simulated in time.
    Tasks(TasksArguments),
    /// Begin something of your own.
    New(NewArguments),
    /// Run a program of an experiment, and end it with the run that started this process.
    #[command(hide = true)]
    Guard(GuardArguments),
}

/// `ironbird guard`: for runs, not for people.
#[derive(Args)]
pub struct GuardArguments {
    /// The folder of the links of the run, which goes away with it.
    #[arg(long, value_name = "FOLDER")]
    pub folder: PathBuf,
    /// The program and its arguments.
    #[arg(last = true, required = true)]
    pub command: Vec<std::ffi::OsString>,
}

/// An experiment, and what differs from its file.
#[derive(Args)]
pub struct ExperimentArguments {
    /// The experiment file.
    pub experiment: PathBuf,
    /// Sets a value: a parameter by its path (`sensor.rate="5 Hz"`), or a root key (`duration=10s`).
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
    /// Only this scenario; can be given several times.
    #[arg(long, value_name = "NAME")]
    pub scenario: Vec<String>,
}

/// A seed, of 64 bits.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// How experiments are run.
#[derive(Args)]
pub struct HowArguments {
    /// Another seed than the experiment's.
    #[arg(long, value_parser = seed)]
    pub seed: Option<u64>,
    /// An earlier end, for example "10 s".
    #[arg(long, value_name = "TIME")]
    pub until: Option<String>,
    /// Threads to spread the system over, at most: as many as are measured to pay.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub partitions: usize,
    /// For tests: when these threads are used.
    #[arg(long, hide = true, value_enum, default_value_t)]
    pub sharing: SharingArgument,
}

/// When the threads of a run are used.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum SharingArgument {
    /// Where that is measured to pay.
    #[default]
    Measured,
    /// Always.
    Always,
    /// Now one, now all, for a millisecond each.
    Turns,
}

/// `ironbird run`
#[derive(Args)]
pub struct RunArguments {
    /// Which experiment.
    #[command(flatten)]
    pub experiment: ExperimentArguments,
    /// How it is run.
    #[command(flatten)]
    pub how: HowArguments,
    /// Simulated seconds per second, at most: 1 is real time.
    #[arg(long, value_name = "FACTOR")]
    pub speed: Option<f64>,
    /// Watch it in the browser, and change it: serves a page, waits until somebody opens it, and shows the recording when
    /// the run is over, until Ctrl-C. Without `--speed` it runs in real time.
    #[arg(long, conflicts_with_all = ["processes", "simulation_computer", "json"])]
    pub view: bool,
    /// Where the page is served. Beyond this machine, everybody with the printed address can watch and change the run.
    #[arg(long, value_name = "ADDRESS", default_value = LOOPBACK, requires = "view")]
    pub listen: SocketAddr,
    /// Let Foxglove connect to the run, at ADDRESS, or at port 8765 of this machine: a port, an IP address, or both. The run
    /// begins when it does.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    #[arg(conflicts_with_all = ["processes", "simulation_computer", "json"])]
    pub foxglove: Option<String>,
    /// Let Foxglove change the run, too: everybody with the printed address can.
    #[arg(long, requires = "foxglove")]
    pub foxglove_control: bool,
    /// Do again what somebody did to a run while it went on: a recording of it, or a file of commands.
    #[arg(long, value_name = "FILE", conflicts_with = "processes")]
    pub commands: Option<PathBuf>,
    /// Run the jobs of tasks (`timing`) on threads of their own, in the order of their deadlines; with
    /// `--speed 1` by the wall clock, and say which came too late. Results stay the same.
    #[arg(long)]
    pub simulation_computer: bool,
    /// Processes to spread the system over, at most, instead of threads. Results stay the same.
    #[arg(long, value_name = "N", conflicts_with_all = ["partitions", "simulation_computer"])]
    pub processes: Option<usize>,
    /// How long a process of the run may give no sign of life before the run is given up.
    #[arg(long, value_name = "TIME", default_value = "60 s")]
    pub patience: String,
    /// Measure where the time on the wall goes: who computes, who waits for whom, what goes over links. Printed at
    /// the end, and in the report. Results stay the same.
    #[arg(long)]
    pub profile: bool,
    /// Write a timeline of the run on the wall clock, for https://ui.perfetto.dev. Results stay the same.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Which run this process is a part of, and which part: for processes that another one starts.
    #[arg(long, hide = true, value_name = "SCENARIO/REPETITION", requires = "member")]
    pub job: Option<String>,
    #[arg(long, hide = true, value_name = "PLACE", requires = "job")]
    pub member: Option<String>,
    /// Where the links of programs are, for processes that another one starts.
    #[arg(long, hide = true, value_name = "FOLDER", requires = "member")]
    pub links: Option<PathBuf>,
    /// Which run this process, that of a program, is to hold; where it says what came of it, and hears that it is to end.
    #[arg(long, hide = true, value_name = "SCENARIO/REPETITION", requires_all = ["result", "wishes"])]
    pub held: Option<String>,
    #[arg(long, hide = true, value_name = "FILE", requires = "held")]
    pub result: Option<PathBuf>,
    #[arg(long, hide = true, value_name = "FILE", requires = "held")]
    pub wishes: Option<PathBuf>,
    /// Folder for recordings and reports.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Print the results as JSON.
    #[arg(long)]
    pub json: bool,
    /// Also write the verdicts as a JUnit file.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// `ironbird branch`
#[derive(Args)]
pub struct BranchArguments {
    /// Which experiment.
    #[command(flatten)]
    pub experiment: ExperimentArguments,
    /// How it is run.
    #[command(flatten)]
    pub how: HowArguments,
    /// Where the runs part, for example "24 s".
    #[arg(long, value_name = "TIME")]
    pub at: String,
    /// What is done to a run from there on: a file of commands, or a recording that holds some. Can be given several times,
    /// once for each branch; the run to which nothing is done comes first.
    #[arg(long, value_name = "FILE", required = true)]
    pub commands: Vec<PathBuf>,
    /// Folder for recordings and reports.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Print the results as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `ironbird check`
#[derive(Args)]
pub struct CheckArguments {
    /// Which experiment.
    #[command(flatten)]
    pub experiment: ExperimentArguments,
    /// Print the flat file: templates, arrays and extended files resolved.
    #[arg(long)]
    pub resolved: bool,
}

/// `ironbird types`
#[derive(Args)]
pub struct TypesArguments {
    /// The type to explain, or the beginning of several names.
    pub name: Option<String>,
    /// Print the JSON schema of experiment files, for editors.
    #[arg(long)]
    pub schema: bool,
}

/// How a system is drawn.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Drawing {
    /// A picture.
    Svg,
    /// Text for Mermaid.
    Mermaid,
}

/// `ironbird graph`
#[derive(Args)]
pub struct GraphArguments {
    /// Which experiment.
    #[command(flatten)]
    pub experiment: ExperimentArguments,
    /// A picture, or text for Mermaid.
    #[arg(long, value_enum, default_value = "svg")]
    pub format: Drawing,
    /// Where to write it; otherwise it is printed.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `ironbird report`
#[derive(Args)]
pub struct ReportArguments {
    /// The recording.
    pub recording: PathBuf,
    /// Where to write the page; beside the recording otherwise.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Plot only these signals; `*` stands for any name.
    #[arg(long, value_name = "PATTERN")]
    pub signal: Vec<String>,
}

/// This machine only, at any port that is free.
const LOOPBACK: &str = "127.0.0.1:0";

/// `ironbird view`
#[derive(Args)]
pub struct ViewArguments {
    /// The recording, and another one to compare it with.
    #[arg(required = true, num_args = 1..=2)]
    pub recordings: Vec<PathBuf>,
    /// The folder that files in the experiment are in; the graph of the system needs them.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
    /// Where the page is served. Beyond this machine, everybody with the printed address can look.
    #[arg(long, value_name = "ADDRESS", default_value = LOOPBACK)]
    pub listen: SocketAddr,
}

/// `ironbird replay`
#[derive(Args)]
pub struct ReplayArguments {
    /// The recording.
    pub recording: PathBuf,
    /// The folder that files in the experiment are in.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
    /// Threads to spread the system over, at most.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub partitions: usize,
}

/// Kinds of tables.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// A capture of Ethernet frames, for Wireshark.
    Pcapng,
}

/// `ironbird export`
#[derive(Args)]
pub struct ExportArguments {
    /// The recording.
    pub recording: PathBuf,
    /// The file to write: `.csv`, `.parquet`, or `.pcapng` for Ethernet frames. Without it, CSV is printed.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The format, if the name of the file does not say it.
    #[arg(long, value_enum)]
    pub format: Option<TableFormat>,
    /// Only these signals; `*` stands for any name.
    #[arg(long, value_name = "PATTERN")]
    pub signal: Vec<String>,
    /// Fill gaps with the last value.
    #[arg(long)]
    pub hold: bool,
}

/// `ironbird verify`
#[derive(Args)]
pub struct VerifyArguments {
    /// Which experiment.
    #[command(flatten)]
    pub experiment: ExperimentArguments,
    /// How it is run.
    #[command(flatten)]
    pub how: HowArguments,
}

/// `ironbird compare`
#[derive(Args)]
pub struct CompareArguments {
    /// The log: CSV (also .csv.gz), ULog of PX4 (.ulg) or DataFlash of ArduPilot (.bin). Several are summed up.
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// The comparison file; without it, the columns of the log are listed.
    #[arg(long, value_name = "FILE")]
    pub with: Option<PathBuf>,
    /// Folder for the report and the tables, with a folder in it for each of several logs; nothing is written otherwise.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Print the results as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `ironbird identify`
#[derive(Args)]
pub struct IdentifyArguments {
    /// The log that is fitted to; of several, all together.
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// The comparison file, with a [[fit]] for each parameter.
    #[arg(long, value_name = "FILE")]
    pub with: PathBuf,
    /// Another log that shows what the values are worth; can be given several times.
    #[arg(long, value_name = "LOG")]
    pub score: Vec<PathBuf>,
    /// Where to write the values, as a file that an experiment can extend.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print the results as JSON.
    #[arg(long)]
    pub json: bool,
}

/// `ironbird trim`
#[derive(Args)]
pub struct TrimArguments {
    /// The aircraft file.
    pub aircraft: PathBuf,
    /// The speed through the air, for example "17 m/s".
    #[arg(long, value_name = "SPEED")]
    pub airspeed: String,
    /// The height above the sea.
    #[arg(long, value_name = "HEIGHT", default_value = "100 m", allow_hyphen_values = true)]
    pub height: String,
    /// The angle of the path, upwards; a glider finds its own.
    #[arg(long, value_name = "ANGLE", default_value = "0 deg", allow_hyphen_values = true)]
    pub path: String,
    /// Parameters of the file with other values: "Cmq = -8.2, CLalpha = 4.6".
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "", hide_default_value = true)]
    pub adjust: String,
}

/// `ironbird new`
#[derive(Args)]
pub struct NewArguments {
    /// What to begin.
    #[command(subcommand)]
    pub what: NewWhat,
}

/// What can be begun.
#[derive(Subcommand)]
pub enum NewWhat {
    /// A component type in Rust: from its description (`radiator.component.toml`), or from its name
    /// (`thermal.radiator`), which writes the description, too. Run it again after the description
    /// has changed: your code stays.
    Component(NewComponentArguments),
}

/// `ironbird new component`
#[derive(Args)]
pub struct NewComponentArguments {
    /// A description file, or the name of a new type.
    pub description: String,
    /// The folder to write to.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Also write a program that has the new type beside all others; PATH is Ironbird's source folder.
    #[arg(long, value_name = "PATH")]
    pub project: Option<PathBuf>,
}
