//! A comparison that is ready to be made: the log is read, the experiment is checked with the log in it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use ironbird_component::Registry;
use ironbird_experiment::checked::Signal;
use ironbird_experiment::{Experiment, Item, check, load, load_text};
use ironbird_kernel::{Duration, Rate, Time, path::is_valid_name};
use ironbird_logs::{Log, TimeColumn};
use ironbird_units::{Quantity, Unit};

use crate::columns::{Column, Columns};
use crate::condition::Condition;
use crate::driven_input::split_input;
use crate::error::CompareError;
use crate::file::{ComparePart, ComparisonFile, DrivePart, InitialPart, PathPart};
use crate::flight_log::{COMPONENT, Driving, FlightLogType, TYPE};
use crate::options::{between, log_start, time_unit};
use crate::parameters::{Target, duration, in_base};
use crate::ranges::beyond_ranges;

/// A comparison that is ready to be made.
#[derive(Clone)]
pub struct Setup {
    pub(crate) file: ComparisonFile,
    /// What messages call the comparison file.
    pub(crate) file_name: String,
    pub(crate) log_name: String,
    pub(crate) damage: Option<String>,
    pub(crate) registry: Registry,
    pub(crate) experiment: Experiment,
    /// All outputs of the model that are looked at.
    pub(crate) signals: Vec<Signal>,
    pub(crate) compared: Vec<Compared>,
    pub(crate) path: Option<PathSetup>,
    pub(crate) initial: Vec<(Target, Column)>,
    /// The component that plays the log.
    pub(crate) player: Option<usize>,
    pub(crate) windows: Vec<Time>,
    /// Windows in which it does not hold throughout are left out.
    pub(crate) condition: Option<Condition>,
    /// What of the log the model takes as something else.
    pub(crate) notes: Vec<String>,
    pub(crate) length: Duration,
    pub(crate) rate: Rate,
    pub(crate) period: Duration,
}

/// An output and the column that it is held against.
#[derive(Clone)]
pub(crate) struct Compared {
    pub name: String,
    /// Number of the signal.
    pub signal: usize,
    pub column: Column,
    /// What errors are shown in.
    pub unit: Unit,
    /// The size of an error that counts one in a fit, in base units.
    pub weight: Option<f64>,
}

/// Where the model and the flight were.
#[derive(Clone)]
pub(crate) struct PathSetup {
    /// Numbers of the signals: north, east.
    pub signals: [usize; 2],
    pub columns: [Column; 2],
    pub turning: Option<Condition>,
    pub apart: Duration,
}

impl Setup {
    /// Reads a comparison file and a log.
    pub fn open(comparison: &Path, log: &Path, registry: &Registry) -> Result<Setup, CompareError> {
        let file = ComparisonFile::read(comparison)?;
        let log = Log::open(log)?;
        let folder = comparison.parent().unwrap_or(Path::new("."));
        Setup::new(file, &comparison.display().to_string(), folder, &log, registry)
    }

    fn new(
        file: ComparisonFile,
        file_name: &str,
        folder: &Path,
        log: &Log,
        registry: &Registry,
    ) -> Result<Setup, CompareError> {
        let wrong = |what: String| CompareError::file(file_name, what);
        let unit = time_unit(file.log.time_unit.as_deref()).map_err(wrong)?;
        let column = file.log.time.clone().unwrap_or_else(|| TimeColumn::default().column);
        let time = TimeColumn { column, unit };
        let start = log_start(file.log.start.as_deref()).map_err(wrong)?;
        let columns = Columns::read(file_name, &file.columns, log, &time, start)?;
        // What is wrong with the experiment is told when it is checked with the log in it.
        let written = load(&folder.join(&file.experiment), &[]).ok();
        let (driving, links) = drives(&file, file_name, &columns, written.as_ref())?;
        let period = duration("sample", &file.sample).map_err(wrong)?;
        let rate = Rate::from_period(period)
            .map_err(|error| wrong(format!("sample = \"{}\": {error}", file.sample)))?;

        let mut registry = registry.clone();
        let has_player = !driving.is_empty();
        let driven = driving.clone();
        if has_player {
            let made = registry.register_type(Box::new(FlightLogType::new(driving)));
            made.map_err(|error| wrong(error.to_string()))?;
        }
        let mut setup = Setup {
            file_name: file_name.into(),
            log_name: log.file().display().to_string(),
            damage: log.damage().map(str::to_owned),
            experiment: {
                let text = overlay(&file, &links);
                let name = format!("{file_name} (with the log)");
                let item = load_text(&name, folder, &text, &file.set)?;
                check(&item, &registry)?.0
            },
            registry,
            signals: Vec::new(),
            compared: Vec::new(),
            path: None,
            initial: Vec::new(),
            player: None,
            windows: Vec::new(),
            condition: None,
            notes: Vec::new(),
            length: Duration::ZERO,
            rate,
            period,
            file,
        };
        setup.player = setup.experiment.components.iter().position(|c| c.type_name == TYPE);
        setup.resolve(&columns)?;
        setup.cut(driven.iter().map(|driving| driving.column.span()).collect())?;
        setup.notes = beyond_ranges(&setup, &driven);
        Ok(setup)
    }

    /// Looks up everything that the file names in the experiment and the log.
    fn resolve(&mut self, columns: &Columns) -> Result<(), CompareError> {
        let name = self.file_name.clone();
        let wrong = |what: String| CompareError::file(&name, what);
        for (path, part) in &self.file.initial {
            let targets = Target::real(&self.experiment, path);
            let targets = targets.map_err(|what| wrong(format!("initial: {what}")))?;
            let names = match part {
                InitialPart::One(name) => std::slice::from_ref(name),
                InitialPart::Several(names) => names,
            };
            if targets.len() != names.len() {
                let (has, given) = (targets.len(), names.len());
                let what = format!("initial: \"{path}\" has {has} numbers, but {given} columns");
                return Err(wrong(what));
            }
            for (target, column) in targets.into_iter().zip(names) {
                let column = columns.get(column, &format!("initial.\"{path}\""))?.clone();
                same(column.dimension, &target.unit)
                    .map_err(|what| wrong(format!("{path}: {what}")))?;
                self.initial.push((target, column));
            }
        }
        for part in self.file.compare.clone() {
            let compared = self.compared(&part, columns)?;
            if self.compared.iter().any(|other| other.name == compared.name) {
                return Err(wrong(format!("two [[compare]] are called \"{}\"", compared.name)));
            }
            self.compared.push(compared);
        }
        if let Some(part) = self.file.path.clone() {
            self.path = Some(self.path(&part, columns)?);
        }
        if let Some(text) = self.file.windows.as_ref().and_then(|part| part.condition.as_ref()) {
            let condition = Condition::read(text, columns);
            self.condition =
                Some(condition.map_err(|error| wrong(format!("windows.where: {error}")))?);
        }
        if self.compared.is_empty() && self.path.is_none() {
            return Err(wrong("nothing is compared: write a [[compare]] or a [path]".into()));
        }
        Ok(())
    }

    /// The number of a signal among those that are looked at.
    fn signal(&mut self, path: &str) -> Result<usize, CompareError> {
        if let Some(known) = self.signals.iter().position(|signal| signal.path == path) {
            return Ok(known);
        }
        let signal = self.experiment.signal(path)?;
        if signal.leaves.1 != 1 {
            let what = format!(
                "\"{path}\" has {} numbers: name one, as in \"{path}[0]\"",
                signal.leaves.1
            );
            return Err(CompareError::file(&self.file_name, what));
        }
        self.signals.push(signal);
        Ok(self.signals.len() - 1)
    }

    fn compared(
        &mut self,
        part: &ComparePart,
        columns: &Columns,
    ) -> Result<Compared, CompareError> {
        let name = part.name.clone().unwrap_or_else(|| part.signal.clone());
        let file = self.file_name.clone();
        let wrong = |what: String| CompareError::file(&file, format!("compare \"{name}\": {what}"));
        let signal = self.signal(&part.signal)?;
        let column = columns.get(&part.column, &format!("compare \"{name}\""))?.clone();
        let unit = &self.signals[signal].unit;
        same(column.dimension, unit).map_err(&wrong)?;
        let shown = match &part.unit {
            None => unit.clone(),
            Some(text) => {
                text.parse().map_err(|error| wrong(format!("unit \"{text}\": {error}")))?
            }
        };
        same(column.dimension, &shown).map_err(&wrong)?;
        let weight = part.weight.as_deref().map(|text| {
            let quantity: Quantity = text.parse().map_err(|e| wrong(format!("\"{text}\": {e}")))?;
            let base = in_base(&quantity, column.dimension);
            base.map_err(|error| wrong(format!("weight = \"{text}\": {error}")))
        });
        let weight = weight.transpose()?.filter(|weight| *weight > 0.0);
        Ok(Compared { name: name.clone(), signal, column, unit: shown, weight })
    }

    fn path(&mut self, part: &PathPart, columns: &Columns) -> Result<PathSetup, CompareError> {
        let file = self.file_name.clone();
        let wrong = |what: String| CompareError::file(&file, format!("path: {what}"));
        let [north, east] = &part.model;
        let signals = [self.signal(north)?, self.signal(east)?];
        let [north, east] = &part.flown;
        let both = [columns.get(north, "path")?.clone(), columns.get(east, "path")?.clone()];
        for (signal, column) in signals.iter().zip(&both) {
            same(column.dimension, &self.signals[*signal].unit).map_err(&wrong)?;
        }
        let turning = part.turning.as_ref().map(|text| Condition::read(text, columns));
        let turning = turning.transpose().map_err(|error| wrong(format!("turning: {error}")))?;
        let apart = duration("apart", part.apart.as_deref().unwrap_or("20 s")).map_err(&wrong)?;
        Ok(PathSetup { signals, columns: both, turning, apart })
    }
}

fn same(dimension: ironbird_units::Dimension, unit: &Unit) -> Result<(), String> {
    match dimension == unit.dimension() {
        true => Ok(()),
        false => Err(format!("the column is in {}, the model in {unit}", Unit::base(dimension))),
    }
}

/// Component, then port, then what drives it.
type Links = BTreeMap<String, BTreeMap<String, String>>;

/// What is played, and where it goes.
fn drives(
    file: &ComparisonFile,
    file_name: &str,
    columns: &Columns,
    experiment: Option<&Item>,
) -> Result<(Vec<Driving>, Links), CompareError> {
    let mut driving: Vec<Driving> = Vec::new();
    let mut links = Links::new();
    for (input, part) in &file.drive {
        let wrong =
            |what: String| CompareError::file(file_name, format!("drive \"{input}\": {what}"));
        let (column, line, delay) = match part {
            DrivePart::Short(column) => (column, None, None),
            DrivePart::Long(part) => (&part.column, part.between.as_deref(), part.delay.as_deref()),
        };
        let between = between(line).map_err(wrong)?;
        let delay = duration("delay", delay.unwrap_or("0 s")).map_err(wrong)?;
        let Some((component, port)) = split_input(experiment, input) else {
            return Err(wrong("write component.input".into()));
        };
        // One output for each input: the same column may come with several delays.
        let plain = column.replace(['.', '[', ']', ' '], "-");
        let plain = if is_valid_name(&plain) { plain } else { "column".into() };
        let output = format!("{plain}-{}", driving.len());
        let name = column.clone();
        let column = columns.get(column, &format!("drive \"{input}\""))?.clone();
        let ports = links.entry(component.to_owned()).or_default();
        ports.insert(port.to_owned(), format!("{COMPONENT}.{output}"));
        let input = (component.to_owned(), port.to_owned());
        driving.push(Driving { input, name, output, column, between, delay });
    }
    Ok((driving, links))
}

/// The experiment with the log in it, as a file that extends it.
fn overlay(file: &ComparisonFile, links: &Links) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    // Runs end by themselves where their window ends.
    let mut text =
        format!("ironbird = 1\nextends = {}\nduration = \"1000 h\"\n", quoted(&file.experiment));
    if !links.is_empty() {
        let _ = writeln!(text, "[system.{COMPONENT}]\ntype = \"{TYPE}\"");
    }
    for (component, ports) in links {
        let path: Vec<String> = component.split('.').map(quoted).collect();
        let _ = writeln!(text, "[system.{}]", path.join("."));
        for (port, source) in ports {
            let _ = writeln!(text, "in.{} = {}", quoted(port), quoted(source));
        }
    }
    text
}
