//! What of a system can be changed while it runs.

use ironbird_component::{ParameterDescription, ParameterKind};
use ironbird_experiment::Experiment;
use ironbird_experiment::checked::Component;
use ironbird_kernel::Parameter;

/// A parameter that can be changed while a run goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Changeable {
    /// Path of its component.
    pub component: String,
    /// Its own path: `wind[0]`.
    pub parameter: String,
    /// What it is at the start, as an experiment file says it, without quotes.
    pub value: String,
    /// What it means.
    pub doc: String,
}

impl Changeable {
    /// What a command calls it: `world.wind[0]`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.component, self.parameter)
    }
}

/// All parameters that can be changed while a run goes on, component by component. Of a list, each part is one.
pub fn changeable(experiment: &Experiment) -> Vec<Changeable> {
    let all = experiment.components.iter().flat_map(|component| {
        let changeable = component.description.parameters.iter().filter(|one| one.changeable);
        changeable.flat_map(move |description| parts(component, description))
    });
    all.collect()
}

fn parts(component: &Component, description: &ParameterDescription) -> Vec<Changeable> {
    let defaults = description.default.as_deref().unwrap_or_default();
    let part = |path: &str, kind: &ParameterKind, default: Option<&Parameter>| Changeable {
        component: component.path.clone(),
        parameter: path.to_owned(),
        value: text(component.settings.get(path).or(default), kind),
        doc: description.doc.clone(),
    };
    match &description.kind {
        ParameterKind::Array { length, of } => {
            let path = |number: usize| format!("{}[{number}]", description.path);
            (0..*length).map(|number| part(&path(number), of, defaults.get(number))).collect()
        }
        kind => vec![part(&description.path, kind, defaults.first())],
    }
}

/// A value as text of an experiment file; nothing where it has none.
fn text(value: Option<&Parameter>, kind: &ParameterKind) -> String {
    let unit = match kind {
        ParameterKind::Real { unit, .. } if !unit.is_none() => format!(" {unit}"),
        _ => String::new(),
    };
    match value {
        Some(Parameter::Bool(truth)) => truth.to_string(),
        Some(Parameter::Integer(whole)) => whole.to_string(),
        Some(Parameter::Real(real)) => format!("{real}{unit}"),
        Some(Parameter::Text(text)) => text.clone(),
        None => String::new(),
    }
}
