//! The system as a graph: its components and who is linked with whom.

use ironbird_experiment::Experiment;
use ironbird_experiment::checked::Link;
use ironbird_kernel::PortKind;
use serde_json::json;

use crate::protocol::GraphShown;

/// All links of a scenario, in the order of their numbers.
pub(crate) fn links(experiment: &Experiment, scenario: usize) -> impl Iterator<Item = &Link> {
    let own = experiment.scenarios.get(scenario).map(|scenario| scenario.links.as_slice());
    experiment.links.iter().chain(own.unwrap_or_default())
}

/// The graph of a scenario of an experiment.
pub fn graph_of(experiment: &Experiment, scenario: usize) -> GraphShown {
    let components =
        experiment.as_written().into_iter().map(|number| &experiment.components[number]);
    let components =
        components.map(|one| json!({ "path": one.path, "type": one.type_name })).collect();
    let links = links(experiment, scenario).map(|link| {
        let owner = &experiment.components[link.from.component];
        let kind = match owner.interface.output(&link.from.port).map(|port| port.kind) {
            Some(PortKind::Event) => "event",
            _ => "signal",
        };
        json!({ "from": experiment.port_name(&link.from), "to": experiment.port_name(&link.to), "kind": kind })
    });
    GraphShown { components, links: links.collect() }
}
