//! The parameters that are fitted: what a `[[fit]]` means, and what a value of it changes.

use ironbird_component::ParameterKind;
use ironbird_kernel::Parameter;
use ironbird_units::Unit;

use crate::error::CompareError;
use crate::file::{Bound, FitPart};
use crate::least_squares::Variable;
use crate::parameters::{Target, describe};
use crate::setup::Setup;
use crate::windows::Change;

/// Something that is fitted.
pub(crate) struct Wanted {
    pub name: String,
    pub target: Target,
    /// The entry of a text of entries.
    pub entry: Option<String>,
    pub variable: Variable,
    /// Whether each log has a value of its own.
    pub each_log: bool,
}

impl Wanted {
    /// All that a comparison file names.
    pub fn all(setup: &Setup) -> Result<Vec<Wanted>, CompareError> {
        let mut all: Vec<Wanted> = Vec::new();
        for part in &setup.file.fit {
            let named = part.entry.as_ref().or(part.name.as_ref()).unwrap_or(&part.parameter);
            let wrong = |what: String| {
                CompareError::file(&setup.file_name, format!("fit \"{named}\": {what}"))
            };
            let wanted = Wanted::new(setup, part).map_err(wrong)?;
            // The later of the two would win, and the other would seem to have no effect.
            if all.iter().any(|w| w.target == wanted.target && w.entry == wanted.entry) {
                return Err(wrong("it is there twice: write one [[fit]] for it".into()));
            }
            all.push(wanted);
        }
        Ok(all)
    }

    fn new(setup: &Setup, part: &FitPart) -> Result<Wanted, String> {
        let experiment = &setup.experiment;
        let (component, description, leaf) = describe(experiment, &part.parameter)?;
        let (target, current) = match &part.entry {
            None => {
                let target = Target::real(experiment, &part.parameter)?;
                let [target] = target.try_into().map_err(|all: Vec<Target>| {
                    format!("\"{}\" has {} numbers: name one of them", part.parameter, all.len())
                })?;
                let current = match current(setup, component, &leaf) {
                    Some(Parameter::Real(number)) => Some(number),
                    Some(Parameter::Integer(number)) => Some(number as f64),
                    _ => None,
                };
                (target, current)
            }
            Some(entry) => {
                if description.kind != ParameterKind::Text {
                    return Err(format!("\"{}\" is no text of entries", part.parameter));
                }
                let text = current_text(setup, component, &leaf);
                let known = entries(&text)?;
                let current = known.into_iter().find(|(name, _)| name == entry).map(|(_, x)| x);
                (Target { component, leaf, unit: Unit::none() }, current)
            }
        };
        let number = |key: &str, bound: &Option<Bound>| match bound {
            Some(bound) => {
                bound.value(&target.unit).map(Some).map_err(|what| format!("{key}: {what}"))
            }
            None => Ok(None),
        };
        let start = number("start", &part.start)?.or(current);
        let start = start.ok_or("give it a `start`: the experiment has no value of it")?;
        let low = number("min", &part.min)?.unwrap_or(f64::NEG_INFINITY);
        let high = number("max", &part.max)?.unwrap_or(f64::INFINITY);
        if !(low < high && (low..=high).contains(&start)) {
            return Err(format!("it starts with {start}, which is not between {low} and {high}"));
        }
        let own = part.entry.clone().unwrap_or_else(|| part.parameter.clone());
        let name = part.name.clone().unwrap_or(own);
        let variable = Variable { start, low, high, block: None };
        let entry = part.entry.clone();
        Ok(Wanted { name, target, entry, variable, each_log: part.each_log })
    }
}

/// Which variable a parameter is in each log: the same in all, or one of each.
pub(crate) struct Layout {
    /// By parameter and log.
    places: Vec<Vec<usize>>,
}

impl Layout {
    /// The variables of these parameters, and their names.
    pub fn of(wanted: &[Wanted], logs: usize) -> (Layout, Vec<Variable>, Vec<String>) {
        let (mut variables, mut names) = (Vec::new(), Vec::new());
        let places = wanted.iter().map(|wanted| {
            if !wanted.each_log {
                variables.push(wanted.variable);
                names.push(wanted.name.clone());
                return vec![variables.len() - 1; logs];
            }
            let own = (0..logs).map(|log| {
                variables.push(Variable { block: Some(log), ..wanted.variable });
                names.push(format!("{} of log {}", wanted.name, log + 1));
                variables.len() - 1
            });
            own.collect()
        });
        let places = places.collect();
        (Layout { places }, variables, names)
    }

    /// The values of the parameters in a log.
    pub fn of_log(&self, values: &[f64], log: usize) -> Vec<f64> {
        self.places.iter().map(|places| values[places[log]]).collect()
    }

    /// Their values for a log that is not among these: means.
    pub fn of_all(&self, values: &[f64]) -> Vec<f64> {
        let mean = |places: &Vec<usize>| match places.first() {
            // Shared values stay what they are, to the last bit.
            Some(first) if places.iter().all(|place| place == first) => values[*first],
            _ => places.iter().map(|place| values[*place]).sum::<f64>() / places.len() as f64,
        };
        self.places.iter().map(mean).collect()
    }

    /// The variables that a parameter is.
    pub fn places(&self, parameter: usize) -> &[usize] {
        &self.places[parameter]
    }
}

/// The value that a parameter has in the experiment.
pub(crate) fn current(setup: &Setup, component: usize, leaf: &str) -> Option<Parameter> {
    let scenario = setup.experiment.scenarios.first()?;
    let changed = scenario.initial.iter().rev().find(|(c, l, _)| *c == component && l == leaf);
    let owner = &setup.experiment.components[component];
    let set = changed.map(|(_, _, value)| value).or_else(|| owner.settings.get(leaf));
    let parameters = owner.description.parameters.iter();
    let default = || {
        let mut same = parameters.filter(|parameter| parameter.path == leaf);
        same.next()?.default.as_ref()?.first().cloned()
    };
    set.cloned().or_else(default)
}

fn current_text(setup: &Setup, component: usize, leaf: &str) -> String {
    match current(setup, component, leaf) {
        Some(Parameter::Text(text)) => text,
        _ => String::new(),
    }
}

/// `a = 1, b = 2` as names and numbers.
fn entries(text: &str) -> Result<Vec<(String, f64)>, String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, number) = part.split_once('=')?;
            Some((name.trim().to_owned(), number.trim().parse().ok()?))
        })
        .collect::<Option<_>>()
        .ok_or_else(|| format!("\"{text}\" is not written as \"name = number, name = number\""))
}

/// What the values mean for the experiment. Entries of one text change it together.
pub(crate) fn changes(setup: &Setup, wanted: &[Wanted], values: &[f64]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for (wanted, value) in wanted.iter().zip(values) {
        let (component, leaf) = (wanted.target.component, &wanted.target.leaf);
        let Some(entry) = &wanted.entry else {
            changes.push((component, leaf.clone(), Parameter::Real(*value)));
            continue;
        };
        let same = |(c, l, _): &Change| *c == component && l == leaf;
        let before = match changes.iter().position(same).map(|place| changes.swap_remove(place)) {
            Some((_, _, Parameter::Text(text))) => text,
            _ => current_text(setup, component, leaf),
        };
        let mut all = entries(&before).unwrap_or_default();
        all.retain(|(name, _)| name != entry);
        all.push((entry.clone(), *value));
        let text: Vec<String> =
            all.iter().map(|(name, number)| format!("{name} = {number}")).collect();
        changes.push((component, leaf.clone(), Parameter::Text(text.join(", "))));
    }
    changes
}
