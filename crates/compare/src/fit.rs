//! Finds parameters of a model from logs.
//!
//! The errors of all windows, each signal divided by the size of its errors, are made small in the sense of
//! least squares (output-error method; R. V. Jategaonkar, *Flight Vehicle System Identification*, AIAA 2006,
//! chapter 4). Where a signal has no weight of its own, the size of its errors is found again after each
//! round, which makes it the maximum-likelihood estimate for independent normal errors. Parameters are the same in all
//! logs, or, with `each_log`, each log has its own: what differs from flight to flight does not pull at the others.
//!
//! Errors of a model are not independent: what it leaves out goes on for a whole window, often for a whole flight. So
//! deviations are those between logs, where there are enough; else between parts of the logs.

use ironbird_kernel::Parameter;

use crate::comparison::rms_of;
use crate::error::CompareError;
use crate::least_squares::{Found, Problem, Spread, Variable, minimise};
use crate::setup::Setup;
use crate::wanted::{Layout, Wanted, changes, current};
use crate::windows::Shown;

/// Rounds in which the sizes of errors are found again.
const ROUNDS: usize = 2;
/// Parameters that move alike to this degree cannot be told apart.
const ALIKE: f64 = 0.95;
/// So many logs show how values differ from log to log.
const ENOUGH_LOGS: usize = 4;
/// Otherwise each is cut into so many parts.
const PARTS: usize = 8;

/// With more of the weight than this, one log decides alone.
const MOST: f64 = 0.7;

/// What was found.
#[derive(Clone, Debug)]
pub struct Identified {
    /// The parameters.
    pub parameters: Vec<Fitted>,
    /// Pairs of parameters that the log can hardly tell apart, and their correlation.
    pub alike: Vec<(String, String, f64)>,
    /// Parameters that change nothing of what is compared.
    pub without_effect: Vec<String>,
    /// What may spoil the result.
    pub notes: Vec<String>,
    /// Sum of squares with the weights of the last round, before and after.
    pub costs: (f64, f64),
    /// Steps that were made.
    pub iterations: usize,
    /// Errors by log and signal.
    pub scores: Vec<Score>,
    /// What deviations are those between: `10 logs`, `8 parts of the log`.
    pub parts: String,
    /// The values as a file that an experiment can extend.
    pub toml: String,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// What it is called.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Before.
    pub start: f64,
    /// After; the mean over the logs where each has its own.
    pub value: f64,
    /// Where each log has its own, these.
    pub each: Vec<f64>,
    /// Standard deviation of the values that single logs give, or parts of the log: by how much that of another may
    /// differ. Not divided by the root of their number.
    pub deviation: Option<f64>,
    /// The least standard deviation that independent errors would allow.
    pub cramer_rao: Option<f64>,
    /// Whether it stopped at a bound.
    pub at_bound: bool,
}

/// Root mean square errors of a signal before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// The log.
    pub log: String,
    /// Whether it is the one that was fitted to.
    pub fitted: bool,
    /// The signal.
    pub signal: String,
    /// Its unit.
    pub unit: String,
    /// With the values at the start.
    pub before: f64,
    /// With those that were found.
    pub after: f64,
}

/// How far a fit has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The round, from 1. The sizes of errors are found again in each, so costs of two rounds do not compare.
    pub round: usize,
    /// Steps that were made in it.
    pub iteration: usize,
    /// Sum of squares after them.
    pub cost: f64,
}

/// Fits the parameters that the comparison file names to the logs; `others` are only scored. `progress` hears
/// of each step.
pub fn identify(
    setups: &[&Setup],
    others: &[&Setup],
    mut progress: impl FnMut(Progress),
) -> Result<Identified, CompareError> {
    let mut logs = Vec::new();
    let mut rests = Vec::new();
    for setup in setups {
        let (fitted, rest) = setup.split()?;
        logs.push(fitted);
        rests.push(rest);
    }
    let Some(setup) = logs.first() else {
        return Err(CompareError::file("identify", "there is no log to fit to"));
    };
    let wrong = |what: String| CompareError::file(&setup.file_name, what);
    if setup.file.fit.is_empty() {
        return Err(wrong("there is nothing to fit: write a [[fit]] for each parameter".into()));
    }
    if setup.compared.is_empty() {
        return Err(wrong("a fit needs a [[compare]]: a path alone is not fitted to".into()));
    }
    let wanted = Wanted::all(setup)?;
    let (layout, mut variables, names) = Layout::of(&wanted, logs.len());
    let (parts, between) = parts(&logs);
    let mut sizes: Vec<Option<f64>> = vec![None; setup.compared.len()];
    let starts: Vec<f64> = variables.iter().map(|variable| variable.start).collect();
    let mut iterations = 0;
    let mut found: Option<Found> = None;
    let free = setup.compared.iter().any(|compared| compared.weight.is_none());
    for round in 1..=if free { ROUNDS } else { 1 } {
        let values: Vec<f64> = variables.iter().map(|variable| variable.start).collect();
        let mut shown = Vec::new();
        for (number, log) in logs.iter().enumerate() {
            shown.push(log.run(&changes(log, &wanted, &layout.of_log(&values, number)))?);
        }
        for (number, size) in sizes.iter_mut().enumerate() {
            *size = Some(setup.compared[number].weight.unwrap_or_else(|| {
                let squares = logs.iter().zip(&shown).map(|(log, shown)| {
                    let (rms, count) = (rms_of(log, number, shown), log.windows.len() as f64);
                    (count * rms * rms, count)
                });
                let (sum, count) = squares.fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
                (sum / count).sqrt()
            }));
        }
        let mut errors = |log: usize, values: &[f64]| {
            residuals(&logs[log], &wanted, &layout.of_log(values, log), &sizes)
        };
        let mut stepped =
            |iteration, half: f64| progress(Progress { round, iteration, cost: 2.0 * half });
        let problem = Problem {
            variables: &variables,
            blocks: logs.len(),
            parts: &parts,
            errors: &mut errors,
        };
        let Some(better) = minimise(problem, &mut stepped)? else {
            let broken = shown.into_iter().flatten().find_map(Result::err).unwrap_or_default();
            return Err(CompareError::Run { at: "the start values".into(), what: broken });
        };
        iterations += better.iterations;
        for (variable, value) in variables.iter_mut().zip(&better.values) {
            variable.start = *value;
        }
        found = Some(better);
    }
    let Some(found) = found else { return Err(wrong("nothing was fitted".into())) };
    let mut before = 0.0;
    for (number, log) in logs.iter().enumerate() {
        let errors = residuals(log, &wanted, &layout.of_log(&starts, number), &sizes)?;
        before += errors.map_or(f64::INFINITY, |errors| errors.iter().map(|e| e * e).sum());
    }
    let mut scores = Vec::new();
    let own =
        |number: usize| (layout.of_log(&starts, number), layout.of_log(&found.values, number));
    for (number, log) in logs.iter().enumerate() {
        scores.extend(self::scores(log, true, &wanted, own(number))?);
    }
    for (number, rest) in rests.iter().enumerate() {
        let Some(rest) = rest else { continue };
        scores.extend(self::scores(rest, false, &wanted, own(number))?);
    }
    for other in others {
        let means = (layout.of_all(&starts), layout.of_all(&found.values));
        scores.extend(self::scores(other, false, &wanted, means)?);
    }
    Ok(Identified {
        alike: alike(&names, &found),
        without_effect: without_effect(&names, &found),
        notes: [notes(&logs), lopsided(&wanted, &layout, &found)].concat(),
        costs: (before, 2.0 * found.costs.1),
        iterations,
        scores,
        parts: between,
        toml: toml(setup, &wanted, &layout.of_all(&found.values)),
        parameters: fitted(&wanted, &layout, &starts, &found),
    })
}

/// The part that each error belongs to, as [`residuals`] has them, log after log; and what these parts are called.
fn parts(logs: &[Setup]) -> (Vec<usize>, String) {
    let count = logs.len();
    let by_log = count >= ENOUGH_LOGS;
    let mut parts = Vec::new();
    for (number, log) in logs.iter().enumerate() {
        let ticks = log.ticks();
        let all = log.windows.len() * ticks;
        for window in 0..log.windows.len() {
            for _ in &log.compared {
                parts.extend((0..ticks).map(|tick| match by_log {
                    true => number,
                    false => number * PARTS + (window * ticks + tick) * PARTS / all,
                }));
            }
        }
    }
    let between = match (by_log, count) {
        (true, _) => format!("{count} logs"),
        (false, 1) => format!("{PARTS} parts of the log"),
        (false, _) => format!("{} parts of the {count} logs", PARTS * count),
    };
    (parts, between)
}

/// Errors of all windows, window by window, each divided by the size of its signal's errors.
fn residuals(
    setup: &Setup,
    wanted: &[Wanted],
    values: &[f64],
    sizes: &[Option<f64>],
) -> Result<Option<Vec<f64>>, CompareError> {
    // A value that a parameter cannot have breaks the model like a fault.
    let shown = match setup.run(&changes(setup, wanted, values)) {
        Err(CompareError::Run { .. }) => return Ok(None),
        other => other?,
    };
    let mut all = Vec::new();
    for (start, shown) in setup.windows.iter().zip(&shown) {
        let Ok(shown) = shown else { return Ok(None) };
        for (compared, size) in setup.compared.iter().zip(sizes) {
            let size = size.filter(|size| *size > 0.0).unwrap_or(1.0);
            all.extend(compared.errors(setup, *start, shown).into_iter().map(|error| error / size));
        }
    }
    Ok(Some(all))
}

fn scores(
    setup: &Setup,
    fitted: bool,
    wanted: &[Wanted],
    (starts, values): (Vec<f64>, Vec<f64>),
) -> Result<Vec<Score>, CompareError> {
    let before: Vec<Shown> = setup.run(&changes(setup, wanted, &starts))?;
    let after: Vec<Shown> = setup.run(&changes(setup, wanted, &values))?;
    let all = setup.compared.iter().enumerate().map(|(number, compared)| {
        let rms = |shown: &[Shown]| rms_of(setup, number, shown) / compared.unit.scale();
        Score {
            log: setup.log_name.clone(),
            fitted,
            signal: compared.name.clone(),
            unit: compared.unit.to_string(),
            before: rms(&before),
            after: rms(&after),
        }
    });
    Ok(all.collect())
}

fn fitted(wanted: &[Wanted], layout: &Layout, starts: &[f64], found: &Found) -> Vec<Fitted> {
    let (starts, values) = (layout.of_all(starts), layout.of_all(&found.values));
    let all = wanted.iter().enumerate().map(|(number, wanted)| {
        let places = layout.places(number);
        let has_own = wanted.each_log && places.len() > 1;
        let each: Vec<f64> = places.iter().map(|place| found.values[*place]).collect();
        let value = values[number];
        let variance = found.covariance.as_ref().map(|covariance| {
            let own = places.iter().map(|place| covariance[(*place, *place)].max(0.0));
            own.sum::<f64>() / places.len() as f64
        });
        let deviation = if has_own {
            let squares: f64 = each.iter().map(|own| (own - value) * (own - value)).sum();
            Some((squares / (each.len() - 1) as f64).sqrt())
        } else {
            found.spread.as_ref().and_then(|spread| spread[places[0]].deviation)
        };
        let Variable { low, high, .. } = wanted.variable;
        Fitted {
            name: wanted.name.clone(),
            unit: wanted.target.unit.to_string(),
            start: starts[number],
            value,
            deviation,
            cramer_rao: variance.map(f64::sqrt),
            at_bound: each.iter().any(|value| *value <= low || *value >= high),
            each: if has_own { each } else { Vec::new() },
        }
    });
    all.collect()
}

fn alike(names: &[String], found: &Found) -> Vec<(String, String, f64)> {
    let mut pairs = Vec::new();
    let Some(matrix) = &found.covariance else { return pairs };
    for i in 0..names.len() {
        for j in 0..i {
            let correlation = matrix[(i, j)] / (matrix[(i, i)] * matrix[(j, j)]).sqrt();
            if correlation.abs() > ALIKE {
                pairs.push((names[j].clone(), names[i].clone(), correlation));
            }
        }
    }
    pairs
}

/// Parameters whose change by their own size changes all errors together by less than rounding shows.
fn without_effect(names: &[String], found: &Found) -> Vec<String> {
    let most = found.effects.iter().copied().fold(0.0, f64::max);
    let weak = names.iter().zip(&found.effects).filter(|(_, effect)| **effect <= 1e-6 * most);
    weak.map(|(name, _)| name.clone()).collect()
}

/// Where one log, or part of a log, has most of the weight: there are not as many independent values as logs.
fn lopsided(wanted: &[Wanted], layout: &Layout, found: &Found) -> Vec<String> {
    let Some(spread) = &found.spread else { return Vec::new() };
    let shared = wanted.iter().enumerate().filter(|(_, wanted)| !wanted.each_log);
    let told = shared.filter_map(|(number, wanted)| {
        let Spread { deviation, largest, effective } = spread[layout.places(number)[0]];
        let name = &wanted.name;
        let share = libm::round(100.0 * largest);
        match deviation {
            _ if largest <= MOST => None,
            None => Some(format!("one log or part of it tells all of {name}: its deviation is not known")),
            Some(_) => Some(format!(
                "one log or part of it has {share} % of the weight in {name}: its value stands on {effective:.1} \
                 independent ones"
            )),
        }
    });
    told.collect()
}

/// What may spoil the result. A quantised solver answers a small change of a parameter in steps, which no derivative
/// can be taken of.
fn notes(logs: &[Setup]) -> Vec<String> {
    let told = |log: &Setup| {
        let of = if logs.len() > 1 { format!("{}: ", log.log_name) } else { String::new() };
        log.notes.iter().map(move |note| format!("{of}{note}")).collect::<Vec<_>>()
    };
    let mut notes: Vec<String> = logs.iter().flat_map(told).collect();
    let Some(setup) = logs.first() else { return notes };
    let components = setup.experiment.components.iter().enumerate();
    notes.extend(components.filter_map(|(number, component)| {
        match current(setup, number, "solver.method")? {
            Parameter::Text(method) if method.contains("qss") => Some(format!(
                "the solver {method} of \"{}\" moves in steps and hides small changes of parameters; \
                 choose solver.method = \"dopri5\" or \"rk4\" for a fit",
                component.path
            )),
            _ => None,
        }
    }));
    notes
}

/// The values as a file that an experiment can extend.
fn toml(setup: &Setup, wanted: &[Wanted], values: &[f64]) -> String {
    let mut text =
        String::from("# Found by `ironbird identify`; an experiment takes it over with\n");
    text.push_str("# extends = [\"its-base.toml\", \"this-file.toml\"]\nironbird = 1\n");
    let mut changes = changes(setup, wanted, values);
    changes.sort_by_key(|(component, ..)| *component);
    let mut open = None;
    for (component, leaf, value) in changes {
        let owner = &setup.experiment.components[component];
        if open != Some(component) {
            let path: Vec<String> =
                owner.path.split('.').map(|name| format!("\"{name}\"")).collect();
            text.push_str(&format!("\n[system.{}]\n", path.join(".")));
            open = Some(component);
        }
        let target =
            wanted.iter().find(|w| w.target.component == component && w.target.leaf == leaf);
        let unit = target.map_or(String::new(), |wanted| wanted.target.unit.to_string());
        let value = match (&value, unit.as_str()) {
            (Parameter::Real(number), "") => format!("{number:?}"),
            (Parameter::Real(number), unit) => format!("\"{number:?} {unit}\""),
            (value, _) => value.to_string(),
        };
        text.push_str(&format!("{leaf} = {value}\n"));
    }
    text
}
