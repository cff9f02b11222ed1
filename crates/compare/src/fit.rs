//! Finds parameters of a model from a log.
//!
//! The errors of all windows, each signal divided by the size of its errors, are made small in the sense of
//! least squares (output-error method; R. V. Jategaonkar, *Flight Vehicle System Identification*, AIAA 2006,
//! chapter 4). Where a signal has no weight of its own, the size of its errors is found again after each
//! round, which makes it the maximum-likelihood estimate for independent normal errors.

use ironbird_kernel::Parameter;

use crate::comparison::rms_of;
use crate::error::CompareError;
use crate::least_squares::{Found, Variable, minimise};
use crate::setup::Setup;
use crate::wanted::{Wanted, changes, current};
use crate::windows::Shown;

/// Rounds in which the sizes of errors are found again.
const ROUNDS: usize = 2;
/// Parameters that move alike to this degree cannot be told apart.
const ALIKE: f64 = 0.95;

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
    /// After.
    pub value: f64,
    /// Its standard deviation, with windows as independent samples where there are enough of them.
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

/// Fits the parameters that the comparison file names to its log; `others` are only scored. `progress` hears
/// of each step.
pub fn identify(
    setup: &Setup,
    others: &[&Setup],
    mut progress: impl FnMut(Progress),
) -> Result<Identified, CompareError> {
    let (setup, rest) = setup.split()?;
    let others: Vec<&Setup> = rest.iter().chain(others.iter().copied()).collect();
    let setup = &setup;
    let wrong = |what: String| CompareError::file(&setup.file_name, what);
    if setup.file.fit.is_empty() {
        return Err(wrong("there is nothing to fit: write a [[fit]] for each parameter".into()));
    }
    if setup.compared.is_empty() {
        return Err(wrong("a fit needs a [[compare]]: a path alone is not fitted to".into()));
    }
    let wanted = Wanted::all(setup)?;
    let mut sizes: Vec<Option<f64>> = vec![None; setup.compared.len()];
    let starts: Vec<f64> = wanted.iter().map(|wanted| wanted.variable.start).collect();
    let mut variables: Vec<Variable> = wanted.iter().map(|wanted| wanted.variable).collect();
    let mut iterations = 0;
    let mut found: Option<Found> = None;
    let free = setup.compared.iter().any(|compared| compared.weight.is_none());
    for round in 1..=if free { ROUNDS } else { 1 } {
        let values: Vec<f64> = variables.iter().map(|variable| variable.start).collect();
        let shown = setup.run(&changes(setup, &wanted, &values))?;
        for (number, size) in sizes.iter_mut().enumerate() {
            let own = setup.compared[number].weight;
            *size = Some(own.unwrap_or_else(|| rms_of(setup, number, &shown)));
        }
        let mut errors = |values: &[f64]| residuals(setup, &wanted, values, &sizes);
        let mut stepped =
            |iteration, half: f64| progress(Progress { round, iteration, cost: 2.0 * half });
        let groups = setup.windows.len();
        let Some(better) = minimise(&variables, groups, &mut errors, &mut stepped)? else {
            let broken = shown.into_iter().find_map(Result::err).unwrap_or_default();
            return Err(CompareError::Run { at: "the start values".into(), what: broken });
        };
        iterations += better.iterations;
        for (variable, value) in variables.iter_mut().zip(&better.values) {
            variable.start = *value;
        }
        found = Some(better);
    }
    let Some(found) = found else { return Err(wrong("nothing was fitted".into())) };
    let first = residuals(setup, &wanted, &starts, &sizes)?;
    let before = first.map_or(f64::INFINITY, |errors| errors.iter().map(|e| e * e).sum());
    let mut scores = scores(setup, true, &wanted, &starts, &found.values)?;
    for other in &others {
        scores.extend(self::scores(other, false, &wanted, &starts, &found.values)?);
    }
    let names: Vec<String> = wanted.iter().map(|wanted| wanted.name.clone()).collect();
    Ok(Identified {
        alike: alike(&names, &found),
        without_effect: without_effect(&names, &found),
        notes: notes(setup),
        costs: (before, 2.0 * found.costs.1),
        iterations,
        scores,
        toml: toml(setup, &wanted, &found.values),
        parameters: fitted(&wanted, &starts, &found),
    })
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
    starts: &[f64],
    values: &[f64],
) -> Result<Vec<Score>, CompareError> {
    let before: Vec<Shown> = setup.run(&changes(setup, wanted, starts))?;
    let after: Vec<Shown> = setup.run(&changes(setup, wanted, values))?;
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

fn fitted(wanted: &[Wanted], starts: &[f64], found: &Found) -> Vec<Fitted> {
    let deviation = |matrix: &Option<nalgebra::DMatrix<f64>>, place: usize| {
        let matrix = matrix.as_ref()?;
        Some(matrix[(place, place)].max(0.0).sqrt())
    };
    let all = wanted.iter().enumerate().map(|(place, wanted)| {
        let value = found.values[place];
        let cramer_rao = deviation(&found.covariance, place);
        Fitted {
            name: wanted.name.clone(),
            unit: wanted.target.unit.to_string(),
            start: starts[place],
            value,
            deviation: deviation(&found.grouped, place).or(cramer_rao),
            cramer_rao,
            at_bound: value <= wanted.variable.low || value >= wanted.variable.high,
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

/// A quantised solver answers a small change of a parameter in steps, which no derivative can be taken of.
fn notes(setup: &Setup) -> Vec<String> {
    let components = setup.experiment.components.iter().enumerate();
    let quantised = components.filter_map(|(number, component)| {
        match current(setup, number, "solver.method")? {
            Parameter::Text(method) if method.contains("qss") => Some(format!(
                "the solver {method} of \"{}\" moves in steps and hides small changes of parameters; \
                 choose solver.method = \"dopri5\" or \"rk4\" for a fit",
                component.path
            )),
            _ => None,
        }
    });
    quantised.collect()
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
