//! Systems from TOML files.
//!
//! ```toml
//! time_unit = "us"
//! sim_speed = 3.3
//!
//! [[ecu]]
//! name = "ecu1"
//! executor = "single-threaded"
//!
//! [[transaction]]
//! name = "T1"
//! [[transaction.task]]
//! ecu = "ecu1"
//! period = 10000
//! execution = 2000
//! reads_physical = true
//! ```

mod buses;
mod ecus;
mod explain;
mod numbers;
mod tasks;
mod write;

pub use ecus::rules_of;
pub use write::write;

use std::path::Path;
use std::sync::Arc;

use ironbird_document::{Item, Place, Problem, Problems, Source, Table};

use crate::fraction::Fraction;
use crate::system::{Computer, System, TimeUnit};

/// The longest hyper-period that is computed unless a file says otherwise: 100 s.
pub(crate) const LONGEST_HYPER_PERIOD: u64 = 100_000_000_000_000;

/// Reads a file.
pub fn read(file: &Path) -> Result<System, Problems> {
    TaskFile::open(file)?.system(None)
}

/// Reads a text.
pub fn parse(source: &Arc<Source>) -> Result<System, Problems> {
    let root = ironbird_document::parse(source).map_err(|problem| Problems(vec![problem]))?;
    TaskFile { root }.system(None)
}

/// A file that can be read in several ways, and pointed into.
pub struct TaskFile {
    root: Item,
}

impl TaskFile {
    /// Opens a file.
    pub fn open(file: &Path) -> Result<Self, Problems> {
        let root = Source::read(file).and_then(|source| ironbird_document::parse(&source));
        Ok(TaskFile { root: root.map_err(|problem| Problems(vec![problem]))? })
    }

    /// What it describes, with another `sim_speed` where one is given.
    pub fn system(&self, speed: Option<Fraction>) -> Result<System, Problems> {
        let mut problems = Problems::default();
        let table = self.root.table();
        match table.and_then(|table| system(table, &self.root.place, speed, &mut problems)) {
            Ok(system) if problems.0.is_empty() => Ok(system),
            Ok(_) => Err(problems),
            Err(problem) => {
                problems.push(problem);
                Err(problems)
            }
        }
    }
}

fn system(
    table: &Table,
    place: &Place,
    other_speed: Option<Fraction>,
    problems: &mut Problems,
) -> Result<System, Problem> {
    let known =
        ["time_unit", "sim_speed", "sim_cores", "max_hyper_period", "ecu", "bus", "transaction"];
    table.only(&known, "a file of tasks")?;
    let unit = table.get("time_unit").map(|item| {
        item.one_of("a unit of time", TimeUnit::ALL.map(|unit| (unit.symbol(), unit)).as_slice())
    });
    let unit = unit.transpose()?.unwrap_or(TimeUnit::Microsecond);
    let speed = table.get("sim_speed").map(numbers::fraction).transpose()?.unwrap_or(Fraction::ONE);
    let speed = other_speed.unwrap_or(speed);
    let cores = table.get("sim_cores").map(|item| numbers::within(item, 1, 1024)).transpose()?;
    let longest = table.get("max_hyper_period").map(numbers::positive).transpose()?;
    let computer = Computer { cores: cores.unwrap_or(1) as usize, speed };
    let ecus = ecus::read(table.need("ecu", place)?, problems)?;
    let mut system = System {
        unit,
        ecus,
        tasks: Vec::new(),
        transactions: Vec::new(),
        buses: Vec::new(),
        computer,
        longest_hyper_period: longest.unwrap_or(LONGEST_HYPER_PERIOD / unit.picoseconds()),
    };
    // What runs on an ECU that could not be read is no mistake of its own.
    if problems.0.is_empty() {
        if let Some(item) = table.get("bus") {
            system.buses = buses::read(item, &system.ecus, unit, problems)?;
        }
        tasks::read(table.need("transaction", place)?, &mut system, problems)?;
    }
    // Groups of tasks that could not be read are no mistake of those who name them.
    if problems.0.is_empty() {
        ecus::check_groups(table.need("ecu", place)?, &system, problems)?;
    }
    Ok(system)
}
