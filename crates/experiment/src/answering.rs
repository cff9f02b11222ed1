//! Checks that nobody asks a provider that a scenario has stopped.

use ironbird_component::Kind;

use crate::checked::{Act, Experiment, PortAt, Scenario, Timed};
use crate::names::is_at_or_below;
use ironbird_document::{Problem, Problems};

/// Looks at everything that a scenario stops. A provider only answers, so to stop it is to say that
/// nobody asks it.
pub fn check(experiment: &Experiment, scenario: &Scenario, problems: &mut Problems) {
    for timed in &scenario.actions {
        for act in &timed.acts {
            let Act::Stop(path) = act else { continue };
            let stopped = experiment.components.iter().filter(|component| {
                component.description.kind == Kind::Provider
                    && is_at_or_below(&component.path, path)
            });
            for component in stopped {
                problems.take(nobody_asks(experiment, scenario, &component.path, timed));
            }
        }
    }
}

fn nobody_asks(
    experiment: &Experiment,
    scenario: &Scenario,
    path: &str,
    stop: &Timed,
) -> Result<(), Problem> {
    let path_of = |at: &PortAt| experiment.components[at.component].path.as_str();
    let mut bindings = experiment.bindings_in(scenario);
    let before = scenario.actions.iter().filter(|timed| timed.at <= stop.at);
    for act in before.flat_map(|timed| &timed.acts) {
        match act {
            Act::Bind(binding) => {
                bindings.retain(|other| other.asker != binding.asker);
                bindings.push(binding);
            }
            // Who stands still does not ask.
            Act::Stop(stopped) => {
                bindings.retain(|binding| !is_at_or_below(path_of(&binding.asker), stopped));
            }
            _ => {}
        }
    }
    let asks = bindings.iter().find(|binding| path_of(&binding.provider) == path);
    let Some(binding) = asks else { return Ok(()) };
    let asker = experiment.port_name(&binding.asker);
    let message = format!("\"{path}\" is stopped, but answers \"{asker}\"");
    let problem = Problem::new(message, &stop.place, "stopped here");
    Err(problem.also(&binding.place, "bound here").help("bind somebody else first"))
}
