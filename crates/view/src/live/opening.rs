//! What is said of a run before it begins.

use ironbird_component::{Bound, ParameterKind};
use ironbird_experiment::checked::Component;
use ironbird_kernel::{Parameter, PortKind};
use ironbird_runner::live::{Opening, changeable};

use super::glance::Glance;
use crate::drawn::drawn;
use crate::graph::{graph_of, links};
use crate::protocol::{
    self, AxisShown, ControlShown, FaultShown, Hello, MachineShown, ParameterShown,
    RequirementShown, VERSION,
};
use crate::signals::signals;

/// The type of components that a person drives.
const DRIVEN: &str = "person.sticks";

/// What clients are told first, and what is looked at.
pub fn open(opening: &Opening<'_>, runs: Vec<String>) -> (Hello, Glance) {
    let experiment = opening.experiment;
    let scenario = &experiment.scenarios[opening.scenario];
    let (signals, shown) = signals(experiment, opening.channels);
    let drawn = drawn(opening.scene, &shown);
    let layout = |component: &str, port: &str| {
        let port = experiment.component(component)?.interface.output(port)?;
        (port.kind == PortKind::Signal).then(|| port.value.schema())
    };
    let requirements = scenario.requirements.iter().map(|requirement| RequirementShown {
        name: requirement.name.clone(),
        text: requirement.condition.text.clone(),
        unit: requirement.condition.formula.margin_unit(),
    });
    let faults = scenario.faults.iter().map(|fault| FaultShown {
        name: fault.name.clone(),
        text: ironbird_runner::live::fault_text(experiment, fault),
        active: false,
    });
    let machines = experiment.components.iter().filter(|c| c.interface.output("entered").is_some());
    let machines = machines.map(|component| MachineShown {
        component: component.path.clone(),
        name: "state".into(),
        states: states(component),
        state: String::new(),
        history: Some(Vec::new()),
    });
    let parameters = changeable(experiment).into_iter().map(|one| ParameterShown {
        component: one.component,
        parameter: one.parameter,
        value: one.value,
        doc: one.doc,
    });
    let controls = experiment.components.iter().filter(|c| c.type_name == DRIVEN).map(control);
    let hello = Hello {
        is: "hello",
        version: VERSION,
        live: true,
        run: 0,
        runs,
        title: experiment.title.clone(),
        scenario: scenario.name.clone().unwrap_or_default(),
        repetition: opening.repetition,
        duration: opening.end.as_secs_f64(),
        time: 0.0,
        pace: opening.speed,
        scene: drawn.scene.clone(),
        signals: shown,
        graph: graph_of(experiment, opening.scenario),
        requirements: requirements.collect(),
        faults: faults.collect(),
        parameters: parameters.collect(),
        controls: controls.collect(),
        machines: machines.collect(),
        events: opening.planned.iter().map(protocol::event).collect(),
    };
    let sources = links(experiment, opening.scenario).map(|link| {
        (experiment.components[link.from.component].path.clone(), link.from.port.clone())
    });
    (hello, Glance::new(signals, drawn, sources.collect(), layout))
}

/// The names of the states of a component that says which it enters, as far as they are known beforehand.
fn states(component: &Component) -> Vec<String> {
    component.interface.output("state").map(|port| port.labels.clone()).unwrap_or_default()
}

fn control(component: &Component) -> ControlShown {
    let axes = component.description.parameters.iter().filter_map(|description| {
        let ParameterKind::Real { range, .. } = &description.kind else { return None };
        let (Bound::Inclusive(least), Bound::Inclusive(most)) = (range.low, range.high) else {
            return None;
        };
        let rest = match description.default.as_deref() {
            Some([Parameter::Real(rest)]) => *rest,
            _ => least,
        };
        let parameter = description.path.clone();
        description.changeable.then_some(AxisShown { parameter, least, most, rest })
    });
    ControlShown {
        component: component.path.clone(),
        name: component.path.clone(),
        axes: axes.collect(),
    }
}
