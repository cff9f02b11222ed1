//! What texts of a comparison file mean: durations, quantities, and values of parameters.

use ironbird_component::{ParameterDescription, ParameterKind};
use ironbird_experiment::Experiment;
use ironbird_kernel::{Duration, Parameter};
use ironbird_units::{Dimension, Quantity, Unit, UnitError, exact::duration_ps};

/// The duration of a key.
pub(crate) fn duration(key: &str, text: &str) -> Result<Duration, String> {
    let ps = duration_ps(text).map_err(|error| format!("{key} = \"{text}\": {error}"))?;
    Ok(Duration::from_ps(ps))
}

/// A quantity of this dimension, in its base unit.
pub(crate) fn in_base(quantity: &Quantity, dimension: Dimension) -> Result<f64, UnitError> {
    quantity.to(&Unit::base(dimension))
}

/// Whether something is an angle.
pub(crate) fn is_angle(dimension: Dimension) -> bool {
    "rad".parse::<Unit>().is_ok_and(|unit| unit.dimension() == dimension)
}

/// One number among the parameters of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    /// Number of the component.
    pub component: usize,
    /// Its leaf: `initial.velocity[2]`.
    pub leaf: String,
    pub unit: Unit,
}

impl Target {
    /// The parameter of real numbers at a path, one target for each of its leaves.
    pub fn real(experiment: &Experiment, path: &str) -> Result<Vec<Target>, String> {
        let (component, description, leaf) = describe(experiment, path)?;
        let target = |leaf: String, unit: &Unit| Target { component, leaf, unit: unit.clone() };
        match (&description.kind, leaf == description.path) {
            (ParameterKind::Real { unit, .. }, true) => Ok(vec![target(leaf, unit)]),
            (ParameterKind::Array { length, of }, whole) => match (of.as_ref(), whole) {
                (ParameterKind::Real { unit, .. }, true) => {
                    Ok((0..*length).map(|n| target(format!("{leaf}[{n}]"), unit)).collect())
                }
                (ParameterKind::Real { unit, .. }, false) => Ok(vec![target(leaf, unit)]),
                _ => Err(format!("\"{path}\" holds no real numbers")),
            },
            _ => Err(format!("\"{path}\" is no real number")),
        }
    }

    /// A number in base units as a value of the parameter.
    pub fn value(&self, base: f64) -> (usize, String, Parameter) {
        (self.component, self.leaf.clone(), Parameter::Real(self.unit.from_base(base)))
    }
}

/// The parameter at a path: its component, what is said of it, and the leaf that is meant.
pub(crate) fn describe<'e>(
    experiment: &'e Experiment,
    path: &str,
) -> Result<(usize, &'e ParameterDescription, String), String> {
    let (component, leaf) = experiment.parameter(path).map_err(|problem| {
        let help = problem.help.clone().map(|help| format!("; {help}")).unwrap_or_default();
        format!("{}{help}", problem.message)
    })?;
    let owner = &experiment.components[component];
    let stem = leaf.split('[').next().unwrap_or_default();
    let known = &owner.description.parameters;
    let found = known.iter().find(|parameter| parameter.path == leaf || parameter.path == stem);
    let found = found.ok_or_else(|| {
        let near = ironbird_kernel::path::nearest(stem, known.iter().map(|p| p.path.as_str()));
        let near = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
        format!("\"{}\" ({}) has no parameter \"{leaf}\"{near}", owner.path, owner.type_name)
    })?;
    Ok((component, found, leaf.to_owned()))
}
