//! Model and log side by side, and what bounds say of it.

use ironbird_kernel::Time;
use ironbird_record::{Status, Verdict};
use ironbird_units::{Quantity, Unit};

use crate::error::CompareError;
use crate::options::Measure;
use crate::parameters::in_base;
use crate::path::{Point, distances};
use crate::setup::{PathSetup, Setup};
use crate::statistics::{Statistics, rms};
use crate::windows::{Change, Shown};

/// What a comparison came to.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What it is called.
    pub title: String,
    /// The log.
    pub log: String,
    /// What of the log could not be read.
    pub damage: Option<String>,
    /// What of the log the model takes as something else.
    pub notes: Vec<String>,
    /// Where each window begins, in seconds of the log.
    pub starts: Vec<f64>,
    /// How long a window is, in seconds.
    pub length: f64,
    /// Windows in which the model broke, and why.
    pub broken: Vec<String>,
    /// Errors by signal.
    pub signals: Vec<SignalErrors>,
    /// How far the paths are apart.
    pub path: Option<PathErrors>,
    /// What became of the bounds.
    pub verdicts: Vec<Verdict>,
}

/// The errors of one signal: model minus log.
#[derive(Clone, Debug)]
pub struct SignalErrors {
    /// What it is called.
    pub name: String,
    /// The unit of all numbers.
    pub unit: String,
    /// Over all instants of all windows.
    pub all: Statistics,
    /// The same of a model that holds what it starts with: what there is to be predicted.
    pub held: Statistics,
    /// Of each window that did not break: its start in seconds of the log, and its errors.
    pub windows: Vec<(f64, Statistics)>,
    /// Root mean square over all windows, by seconds from their start.
    pub growth: Vec<(f64, f64)>,
    /// All errors.
    pub errors: Vec<f64>,
    /// The model and the log over the time of the log, where there is one window.
    pub tracks: Option<[Vec<(f64, f64)>; 2]>,
}

/// How far the path of the model is from the flown one.
#[derive(Clone, Debug)]
pub struct PathErrors {
    /// The unit of all numbers.
    pub unit: String,
    /// All of it.
    pub all: Statistics,
    /// Where the flight was straight.
    pub straight: Statistics,
    /// Where it turned.
    pub turning: Statistics,
    /// North and east of the flight, and whether it turned there.
    pub flown: Vec<(Point, bool)>,
    /// North and east of the model.
    pub model: Vec<Point>,
    /// Distance over the seconds of the log.
    pub over_time: Vec<(f64, f64)>,
}

/// Makes a comparison.
pub fn compare(setup: &Setup) -> Result<Comparison, CompareError> {
    compare_with(setup, &[])
}

/// Makes a comparison with other parameters than those of the experiment.
pub(crate) fn compare_with(setup: &Setup, changes: &[Change]) -> Result<Comparison, CompareError> {
    let shown = setup.run(changes)?;
    let broken: Vec<String> = shown.iter().filter_map(|s| s.as_ref().err().cloned()).collect();
    if broken.len() == shown.len() {
        let what = broken.into_iter().next().unwrap_or_default();
        return Err(CompareError::Run { at: "all windows broke, the first".into(), what });
    }
    let path = setup.path.as_ref().map(|path| path_errors(setup, path, &shown));
    let mut comparison = Comparison {
        title: match setup.file.title.as_str() {
            "" => setup.experiment.title.clone(),
            title => title.into(),
        },
        log: setup.log_name.clone(),
        damage: setup.damage.clone(),
        notes: setup.notes.clone(),
        starts: setup.windows.iter().map(|start| start.as_secs_f64()).collect(),
        length: setup.length.as_secs_f64(),
        broken,
        signals: (0..setup.compared.len()).map(|n| signal_errors(setup, n, &shown)).collect(),
        path,
        verdicts: Vec::new(),
    };
    comparison.verdicts = verdicts(setup, &comparison)?;
    Ok(comparison)
}

/// The windows that did not break.
fn whole<'a>(
    setup: &'a Setup,
    shown: &'a [Shown],
) -> impl Iterator<Item = (Time, &'a Vec<Vec<f64>>)> {
    let all = setup.windows.iter().zip(shown);
    all.filter_map(|(start, shown)| Some((*start, shown.as_ref().ok()?)))
}

fn signal_errors(setup: &Setup, number: usize, shown: &[Shown]) -> SignalErrors {
    let compared = &setup.compared[number];
    let scale = |base: f64| base / compared.unit.scale();
    let (mut errors, mut held, mut windows) = (Vec::new(), Vec::new(), Vec::new());
    let mut squares = vec![0.0; setup.ticks()];
    let mut tracks = None;
    for (start, shown) in whole(setup, shown) {
        let one: Vec<f64> = compared.errors(setup, start, shown).into_iter().map(scale).collect();
        squares.iter_mut().zip(&one).for_each(|(sum, error)| *sum += error * error);
        windows.push((start.as_secs_f64(), Statistics::of(&one)));
        let first = compared.column.at(start);
        held.extend(
            setup.instants(start).map(|t| scale(compared.difference(first, compared.column.at(t)))),
        );
        if setup.windows.len() == 1 {
            let seconds = setup.instants(start).map(|time| time.as_secs_f64());
            let flown = setup.instants(start).map(|time| scale(compared.column.at(time)));
            let flown: Vec<f64> = flown.collect();
            let model = flown.iter().zip(&one).map(|(flown, error)| flown + error);
            let model = seconds.clone().zip(model).collect();
            tracks = Some([model, seconds.zip(flown.iter().copied()).collect()]);
        }
        errors.extend(one);
    }
    let count = windows.len().max(1) as f64;
    let period = setup.period.as_secs_f64();
    let growth = squares.iter().enumerate();
    SignalErrors {
        name: compared.name.clone(),
        unit: compared.unit.to_string(),
        all: Statistics::of(&errors),
        held: Statistics::of(&held),
        windows,
        growth: growth.map(|(tick, sum)| (tick as f64 * period, (sum / count).sqrt())).collect(),
        errors,
        tracks,
    }
}

/// Paths are matched at about this many steps in a second.
const STEPS_PER_SECOND: f64 = 10.0;

fn path_errors(setup: &Setup, path: &PathSetup, shown: &[Shown]) -> PathErrors {
    let every = libm::round(1.0 / STEPS_PER_SECOND / setup.period.as_secs_f64()).max(1.0) as usize;
    let step = setup.period.as_secs_f64() * every as f64;
    let band = libm::ceil(path.apart.as_secs_f64() / step) as usize;
    let (mut flown, mut model, mut over_time) = (Vec::new(), Vec::new(), Vec::new());
    let (mut straight, mut turning) = (Vec::new(), Vec::new());
    let turns = |time| path.turning.as_ref().is_some_and(|turning| turning.holds(time));
    for (start, shown) in whole(setup, shown) {
        let times: Vec<Time> = setup.instants(start).step_by(every).collect();
        let of_flight = |time: &Time| [path.columns[0].at(*time), path.columns[1].at(*time)];
        let first: Vec<Point> = times.iter().map(of_flight).collect();
        let [north, east] = path.signals.map(|signal| shown[signal].iter().step_by(every));
        let second: Vec<Point> = north.zip(east).map(|(north, east)| [*north, *east]).collect();
        let turns: Vec<bool> = times.iter().map(|time| turns(*time)).collect();
        let apart = distances(&first, &second, band);
        for (place, distance) in apart.first.iter().chain(&apart.second) {
            if turns[*place] { turning.push(*distance) } else { straight.push(*distance) }
        }
        let seconds = apart.first.iter().map(|(place, d)| (times[*place].as_secs_f64(), *d));
        over_time.extend(seconds);
        flown.extend(first.into_iter().zip(turns));
        model.extend(second);
    }
    let all: Vec<f64> = straight.iter().chain(&turning).copied().collect();
    PathErrors {
        unit: Unit::base(path.columns[0].dimension).to_string(),
        all: Statistics::of(&all),
        straight: Statistics::of(&straight),
        turning: Statistics::of(&turning),
        flown,
        model,
        over_time,
    }
}

fn verdicts(setup: &Setup, comparison: &Comparison) -> Result<Vec<Verdict>, CompareError> {
    let mut verdicts = Vec::new();
    for part in &setup.file.require {
        let wrong = |what: String| {
            CompareError::file(&setup.file_name, format!("require \"{}\": {what}", part.of))
        };
        let measure = Measure::read(&part.measure).map_err(wrong)?;
        let path = comparison.path.as_ref();
        let signal = comparison.signals.iter().find(|signal| signal.name == part.of);
        let (of, unit) = match (part.of.as_str(), path, signal) {
            (_, _, Some(signal)) => (signal.all, signal.unit.clone()),
            ("path", Some(path), _) => (path.all, path.unit.clone()),
            ("path straight", Some(path), _) => (path.straight, path.unit.clone()),
            ("path turning", Some(path), _) => (path.turning, path.unit.clone()),
            _ => {
                let mut known: Vec<&str> =
                    comparison.signals.iter().map(|s| s.name.as_str()).collect();
                known.extend(path.iter().flat_map(|_| ["path", "path straight", "path turning"]));
                return Err(wrong(format!("it is none of \"{}\"", known.join("\", \""))));
            }
        };
        let limit: Quantity = part
            .at_most
            .parse()
            .map_err(|error| wrong(format!("at_most = \"{}\": {error}", part.at_most)))?;
        let shown: Unit = unit.parse().map_err(|error| wrong(format!("{unit}: {error}")))?;
        let base = in_base(&limit, shown.dimension());
        let limit = base.map_err(|error| wrong(format!("at_most: {error}")))? / shown.scale();
        let value = match measure {
            Measure::Rms => of.rms,
            Measure::Median => of.median,
            Measure::Most => of.most,
            Measure::Max => of.max,
        };
        // Nothing to judge is no success.
        let status = match (of.count, value <= limit) {
            (0, _) => Status::Undecided,
            (_, true) => Status::Passed,
            (_, false) => Status::Failed,
        };
        let formula = format!("{} of {} <= {}", part.measure, part.of, part.at_most);
        verdicts.push(Verdict {
            name: part.name.clone().unwrap_or_else(|| formula.clone()),
            formula,
            status,
            margin: format!("{:.4} {unit}", limit - value),
            first_violation: match status {
                Status::Passed => String::new(),
                Status::Undecided => "there is nothing to compare".into(),
                Status::Failed => format!("the comparison: it is {value:.4} {unit}"),
            },
        });
    }
    Ok(verdicts)
}

impl Comparison {
    /// Whether all bounds hold; without any, whether no window broke.
    pub fn holds(&self) -> bool {
        let passed = |verdict: &Verdict| verdict.status == Status::Passed;
        self.broken.is_empty() && self.verdicts.iter().all(passed)
    }
}

/// Root mean square of all errors of a signal in base units, for fits.
pub(crate) fn rms_of(setup: &Setup, number: usize, shown: &[Shown]) -> f64 {
    let compared = &setup.compared[number];
    let windows = whole(setup, shown);
    let errors: Vec<f64> =
        windows.flat_map(|(start, shown)| compared.errors(setup, start, shown)).collect();
    rms(&errors)
}
