//! Architectural styles: which parts a system has, and who may provide data to whom.
//!
//! `style = "navidro"` asks for that of Salmon, Pillain, Guillou and Babau (*NAVIDRO, a CARES
//! architectural style for configuring drone co-simulation*, ACM TECS 23(3), 2024), sections 4.2.1, 4.3
//! and 4.5. The first name of a component's path says which part it belongs to. Data goes
//!
//! ```text
//! user ──► drone ──► sensors ──► navigation ──► actuators ──► drone
//!            ▲          ▲
//!        environment ───┘            everybody ──► analysis
//! ```
//!
//! and a component whose data nobody uses is stopped at the start.

use std::collections::BTreeSet;
use std::fmt;

use ironbird_kernel::Time;
use ironbird_kernel::path::nearest;

use crate::checked::{
    Act, Binding, Component, Condition, Experiment, Link, PortAt, Scenario, Window,
};
use crate::names::is_at_or_below;
use ironbird_document::Item;
use ironbird_document::{Place, Problem, Problems};

/// The styles that there are.
const STYLES: [&str; 1] = ["navidro"];

/// A part of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Environment,
    User,
    Drone,
    Sensors,
    Actuators,
    Navigation,
    Analysis,
}

/// First names of paths, and the parts that they stand for.
const PARTS: [(&str, Part); 8] = [
    ("environment", Part::Environment),
    ("user", Part::User),
    ("drone", Part::Drone),
    ("sensors", Part::Sensors),
    ("actuators", Part::Actuators),
    ("navigation", Part::Navigation),
    ("control", Part::Navigation),
    ("analysis", Part::Analysis),
];

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = PARTS.iter().find(|(_, part)| part == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

/// The connection rules of section 4.3: from whom data may go to whom, beside within a part.
fn may_provide(from: Part, to: Part) -> bool {
    use Part::{Actuators, Analysis, Drone, Environment, Navigation, Sensors, User};
    from == to
        || matches!(
            (from, to),
            (Environment, Drone | Sensors)
                | (Drone, Sensors)
                | (User, Drone)
                | (Sensors, Navigation)
                | (Navigation, Actuators)
                | (Actuators, Drone)
                | (_, Analysis)
        )
}

/// Whom a part may provide with data, in words.
fn rule(from: Part) -> &'static str {
    match from {
        Part::Environment => "the environment provides data to the drone and to sensors",
        Part::User => "the user provides data to the drone",
        Part::Drone => "the drone provides data to sensors",
        Part::Sensors => "sensors provide data to the navigation",
        Part::Navigation => "the navigation provides data to actuators",
        Part::Actuators => "actuators provide data to the drone",
        Part::Analysis => "the analysis provides data to nobody else",
    }
}

/// Checks an experiment that asks for a style.
pub fn check(style: &Item, experiment: &Experiment, problems: &mut Problems) {
    let Some(name) = problems.take(style.text()) else { return };
    if !STYLES.contains(&name) {
        let message = format!("there is no style \"{name}\"");
        let problem = Problem::new(message, &style.place, "not known");
        problems.push(match nearest(name, STYLES.into_iter()) {
            Some(near) => problem.did_you_mean(Some(near)),
            None => problem.help(format!("there is \"{}\"", STYLES.join("\", \""))),
        });
        return;
    }
    let parts: Vec<Option<Part>> =
        experiment.components.iter().map(|c| problems.take(part_of(c))).collect();
    let system = System { name, experiment, parts };
    let relinked = experiment.scenarios.iter().flat_map(|scenario| &scenario.links);
    for link in experiment.links.iter().chain(relinked) {
        system.flow(&link.from, &link.to, &link.place, problems);
    }
    let rebound = experiment.scenarios.iter().flat_map(|scenario| &scenario.bindings);
    for binding in experiment.bindings.iter().chain(rebound) {
        system.flow(&binding.provider, &binding.asker, &binding.place, problems);
    }
    for scenario in &experiment.scenarios {
        system.unused(scenario, problems);
    }
}

fn part_of(component: &Component) -> Result<Part, Problem> {
    let first = component.path.split(['.', '[']).next().unwrap_or_default();
    let found = PARTS.iter().find(|(name, _)| *name == first);
    found.map(|(_, part)| *part).ok_or_else(|| {
        let names = PARTS.map(|(name, _)| name);
        let message = format!("\"{}\" belongs to no part of the style \"navidro\"", component.path);
        let problem = Problem::new(message, &component.place, "no part of it");
        match nearest(first, names.into_iter()) {
            Some(near) => {
                problem.did_you_mean(Some(&format!("{near}{}", &component.path[first.len()..])))
            }
            None => problem.help(format!("its path begins with one of {}", names.join(", "))),
        }
    })
}

struct System<'a> {
    name: &'a str,
    experiment: &'a Experiment,
    parts: Vec<Option<Part>>,
}

impl System<'_> {
    /// Data goes from one component to another.
    fn flow(&self, from: &PortAt, to: &PortAt, place: &Place, problems: &mut Problems) {
        let (Some(source), Some(target)) = (self.parts[from.component], self.parts[to.component])
        else {
            return;
        };
        if may_provide(source, target) {
            return;
        }
        let path = |at: &PortAt| {
            let component = &self.experiment.components[at.component].path;
            if at.port.is_empty() { component.clone() } else { format!("{component}.{}", at.port) }
        };
        let message = format!(
            "\"{}\" cannot provide data to \"{}\": in the style \"{}\" nothing goes from {source} to {target}",
            path(from),
            path(to),
            self.name
        );
        problems.push(Problem::new(message, place, "breaks the style").help(rule(source)));
    }

    /// A component whose data nobody uses is stopped at the start (section 4.5).
    fn unused(&self, scenario: &Scenario, problems: &mut Problems) {
        let experiment = self.experiment;
        let stopped = stopped_at_the_start(experiment, scenario);
        let mut used: BTreeSet<usize> = BTreeSet::new();
        let takes = |reader: usize| !stopped.contains(&reader);
        let links = experiment.links_in(scenario).filter(|link: &&Link| takes(link.to.component));
        used.extend(links.map(|link| link.from.component));
        let later = scenario.actions.iter().flat_map(|timed| &timed.acts);
        let later = later.chain(scenario.triggers.iter().flat_map(|trigger| &trigger.acts));
        let rebound = later.clone().filter_map(|act| match act {
            Act::Bind(binding) => Some(binding),
            _ => None,
        });
        let bound = experiment.bindings_in(scenario).into_iter().chain(rebound);
        used.extend(
            bound
                .filter(|binding: &&Binding| takes(binding.asker.component))
                .map(|binding| binding.provider.component),
        );
        // What a scenario starts later is used then.
        for act in later {
            if let Act::Start(path) | Act::Spawn(path) = act {
                used.extend(members(experiment, path));
            }
        }
        used.extend(scenario.records.iter().map(|record| record.port.component));
        for condition in conditions(scenario) {
            used.extend(condition.signals.iter().map(|signal| signal.port.component));
        }
        for (number, component) in experiment.components.iter().enumerate() {
            let gives = component.interface.outputs().next().is_some()
                || component.interface.answers.is_some();
            let is_idle = stopped.contains(&number) || component.dormant.is_some();
            let is_judged = self.parts[number].is_some_and(|part| part != Part::Analysis);
            if gives && !is_idle && is_judged && !used.contains(&number) {
                let of = scenario.name.as_ref().map(|name| format!(" in the scenario \"{name}\""));
                let message = format!(
                    "nobody uses the data of \"{}\"{}: in the style \"{}\" it is stopped at the start",
                    component.path,
                    of.unwrap_or_default(),
                    self.name
                );
                let problem = Problem::new(message, &component.place, "not used");
                problems.push(
                    problem.help(format!(
                        "write [[at]] time = \"0 s\", stop = \"{}\"",
                        component.path
                    )),
                );
            }
        }
    }
}

fn members<'a>(experiment: &'a Experiment, path: &'a str) -> impl Iterator<Item = usize> + 'a {
    let components = experiment.components.iter().enumerate();
    components.filter(move |(_, c)| is_at_or_below(&c.path, path)).map(|(number, _)| number)
}

/// Components that a scenario stops at its very beginning.
fn stopped_at_the_start(experiment: &Experiment, scenario: &Scenario) -> BTreeSet<usize> {
    let first = scenario.actions.iter().filter(|timed| timed.at == Time::ZERO);
    let mut stopped = BTreeSet::new();
    for act in first.flat_map(|timed| &timed.acts) {
        match act {
            Act::Stop(path) => stopped.extend(members(experiment, path)),
            Act::Start(path) => {
                for number in members(experiment, path) {
                    stopped.remove(&number);
                }
            }
            _ => {}
        }
    }
    stopped
}

/// All conditions that read signals.
fn conditions(scenario: &Scenario) -> impl Iterator<Item = &Condition> {
    let faults = scenario.faults.iter().filter_map(|fault| match &fault.window {
        Window::While(condition) => Some(condition),
        Window::Times(..) | Window::Commanded => None,
    });
    scenario
        .triggers
        .iter()
        .map(|trigger| &trigger.condition)
        .chain(scenario.stops.iter().map(|stop| &stop.condition))
        .chain(scenario.requirements.iter().map(|requirement| &requirement.condition))
        .chain(faults)
}
