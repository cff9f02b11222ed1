//! What is there when: components that are spawned and removed must not be missed by the others.

use std::collections::BTreeMap;

use ironbird_kernel::Time;

use crate::checked::{
    Act, Binding, Component, Condition, Fault, FaultTarget, Link, PortAt, Scenario, Timed, Window,
};
use crate::names::is_at_or_below;
use ironbird_document::{Place, Problem, Problems};

/// The system that a scenario changes.
pub struct System<'a> {
    /// Its components.
    pub components: &'a [Component],
    /// Its links.
    pub links: &'a [Link],
    /// Who answers whom.
    pub bindings: &'a [Binding],
}

/// Checks that nothing in a scenario needs what is not there.
pub fn check(system: &System<'_>, scenario: &Scenario, problems: &mut Problems) {
    let has_dormant = system.components.iter().any(|component| component.dormant.is_some());
    let mut changes: Vec<(&Timed, &Act)> = Vec::new();
    for timed in &scenario.actions {
        let changing = |act: &&Act| matches!(act, Act::Spawn(_) | Act::Remove(_) | Act::Bind(_));
        changes.extend(timed.acts.iter().filter(changing).map(|act| (timed, act)));
    }
    if !has_dormant && changes.is_empty() {
        return;
    }
    changes.sort_by_key(|(timed, _)| timed.at);
    let mut life = Life {
        system,
        there: system.components.iter().map(|c| c.dormant.is_none()).collect(),
        bindings: system.bindings.iter().chain(&scenario.bindings).map(answered).collect(),
        removed: Vec::new(),
    };
    // What happens in one instant is seen as a whole: its order does not matter to what is left.
    for instant in changes.chunk_by(|(a, _), (b, _)| a.at == b.at) {
        let before = life.removed.len();
        for (timed, act) in instant {
            problems.take(life.change(timed, act));
        }
        for number in before..life.removed.len() {
            problems.take(life.leaves_enough(number));
        }
    }
    let spawned = changes.iter().filter_map(|(timed, act)| match act {
        Act::Spawn(path) => Some((path.as_str(), timed.at)),
        _ => None,
    });
    let watch = Watch { system, spawned: spawned.collect(), removed: life.removed };
    watch.scenario(scenario, problems);
}

fn answered(binding: &Binding) -> (&PortAt, &Binding) {
    (&binding.asker, binding)
}

/// One component or composite that was removed.
struct Removed {
    path: String,
    at: Time,
    place: Place,
}

/// What is there in the course of a run.
struct Life<'a> {
    system: &'a System<'a>,
    there: Vec<bool>,
    bindings: BTreeMap<&'a PortAt, &'a Binding>,
    removed: Vec<Removed>,
}

impl<'a> Life<'a> {
    fn members(&self, path: &str) -> Vec<usize> {
        let components = self.system.components.iter().enumerate();
        components
            .filter(|(_, c)| is_at_or_below(&c.path, path))
            .map(|(number, _)| number)
            .collect()
    }

    fn change(&mut self, timed: &Timed, act: &'a Act) -> Result<(), Problem> {
        let (path, comes) = match act {
            Act::Spawn(path) => (path, true),
            Act::Remove(path) => (path, false),
            Act::Bind(binding) => {
                self.bindings.insert(&binding.asker, binding);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let members = self.members(path);
        if members.iter().any(|number| self.there[*number] == comes) {
            let message = match comes {
                true => format!("\"{path}\" is there already when it is spawned at {}", timed.at),
                false => format!("\"{path}\" is not there when it is removed at {}", timed.at),
            };
            return Err(Problem::new(message, &timed.place, "not possible"));
        }
        members.iter().for_each(|number| self.there[*number] = comes);
        if !comes {
            let (at, place) = (timed.at, timed.place.clone());
            self.removed.push(Removed { path: path.clone(), at, place });
        }
        Ok(())
    }

    /// Whether those that stay still have their sources and get their answers. A signal input keeps
    /// no value of a source that is gone; an event input just hears nothing.
    fn leaves_enough(&self, removed: usize) -> Result<(), Problem> {
        let Removed { path, place, .. } = &self.removed[removed];
        let is_gone = |number: usize| {
            !self.there[number] && is_at_or_below(&self.system.components[number].path, path)
        };
        let left = self.system.links.iter().find(|link| {
            let input = self.system.components[link.to.component].interface.input(&link.to.port);
            self.there[link.to.component]
                && is_gone(link.from.component)
                && input.is_some_and(|input| input.required)
        });
        if let Some(link) = left {
            let reader = &self.system.components[link.to.component].path;
            let port = &link.to.port;
            let message =
                format!("\"{path}\" cannot be removed: \"{reader}.{port}\" needs a source");
            let problem = Problem::new(message, place, "removed here");
            return Err(problem.also(&link.place, "still linked").help(format!(
                "remove \"{reader}\" as well, or stop \"{path}\" instead: its last value stays"
            )));
        }
        let mut bindings = self.bindings.values();
        let unanswered =
            bindings.find(|b| self.there[b.asker.component] && is_gone(b.provider.component));
        if let Some(binding) = unanswered {
            let asker = &self.system.components[binding.asker.component].path;
            let port = &binding.asker.port;
            let message = format!("\"{path}\" cannot be removed: it answers \"{asker}.{port}\"");
            let problem = Problem::new(message, place, "removed here");
            let problem = problem.also(&binding.place, "still bound");
            return Err(problem.help("bind it to another one in the same instant, or before"));
        }
        Ok(())
    }
}

/// What must be there for all of a run, or at one instant of it.
struct Watch<'a> {
    system: &'a System<'a>,
    spawned: Vec<(&'a str, Time)>,
    removed: Vec<Removed>,
}

impl Watch<'_> {
    fn scenario(&self, scenario: &Scenario, problems: &mut Problems) {
        for timed in &scenario.actions {
            self.acts(&timed.acts, &timed.place, Some(timed.at), problems);
        }
        for trigger in &scenario.triggers {
            self.condition(&trigger.condition, &trigger.place, problems);
            self.acts(&trigger.acts, &trigger.place, None, problems);
        }
        for stop in &scenario.stops {
            self.condition(&stop.condition, &stop.place, problems);
        }
        for requirement in scenario.requirements.iter().filter(|requirement| requirement.stop) {
            self.condition(&requirement.condition, &requirement.place, problems);
        }
        for fault in &scenario.faults {
            self.fault(fault, problems);
        }
    }

    /// Acts reach what is there. A call needs its link, which is there from the start or not at all.
    fn acts(&self, acts: &[Act], place: &Place, at: Option<Time>, problems: &mut Problems) {
        for act in acts {
            let (number, path) = match act {
                Act::Set { component, .. } | Act::SetRate { component, .. } => {
                    (Some(*component), None)
                }
                Act::Call { service, .. } => (Some(service.component), None),
                Act::Stop(path) | Act::Start(path) | Act::Reset(path) => (None, Some(path)),
                Act::Bind(binding) => {
                    // At a fixed time whoever is there can be bound; a condition may come at any.
                    for side in [&binding.asker, &binding.provider] {
                        if at.is_none() {
                            let path = &self.system.components[side.component].path;
                            self.reaches(path, place, at, "what happens here", problems);
                        }
                    }
                    continue;
                }
                Act::Spawn(_) | Act::Remove(_) => continue,
            };
            let owner = number.map(|number| &self.system.components[number].path);
            let Some(path) = path.or(owner) else { continue };
            let is_call = matches!(act, Act::Call { .. });
            if !is_call && at.is_some_and(|at| self.is_spawned_by(path, at)) {
                self.stays(path, place, at, "what happens here", problems);
            } else {
                self.reaches(path, place, at, "what happens here", problems);
            }
        }
    }

    /// Whether all of it is there by an instant.
    fn is_spawned_by(&self, path: &str, at: Time) -> bool {
        let mut members = self.system.components.iter().filter(|c| is_at_or_below(&c.path, path));
        members.all(|component| match &component.dormant {
            None => true,
            Some(whole) => self.spawned.iter().any(|(path, time)| path == whole && *time <= at),
        })
    }

    fn reaches(
        &self,
        path: &str,
        place: &Place,
        at: Option<Time>,
        what: &str,
        problems: &mut Problems,
    ) {
        let inside = |component: &&Component| is_at_or_below(&component.path, path);
        let mut dormant = self.system.components.iter().filter(inside);
        if let Some(spawned) = dormant.find_map(|component| component.dormant.as_ref()) {
            let message = match spawned == path {
                true => format!("\"{path}\" is not there from the start"),
                false => format!("\"{path}\" is not there from the start, but with \"{spawned}\""),
            };
            let problem = Problem::new(message, place, what);
            return problems.push(problem.help(
                "what is spawned can be set, stopped and started from then on; what is broken, called \
                 or acted on by a condition must be there from the start",
            ));
        }
        self.stays(path, place, at, what, problems);
    }

    fn stays(
        &self,
        path: &str,
        place: &Place,
        at: Option<Time>,
        what: &str,
        problems: &mut Problems,
    ) {
        let gone = |removed: &&Removed| {
            is_at_or_below(path, &removed.path) && at.is_none_or(|at| removed.at <= at)
        };
        if let Some(removed) = self.removed.iter().find(gone) {
            let message = match at {
                Some(at) => format!("\"{path}\" is needed at {at}, but removed at {}", removed.at),
                None => format!("\"{path}\" may be needed after it is removed at {}", removed.at),
            };
            let problem = Problem::new(message, place, what);
            problems.push(problem.also(&removed.place, "removed here"));
        }
    }

    /// A condition looks at its signals until the end.
    fn condition(&self, condition: &Condition, place: &Place, problems: &mut Problems) {
        for signal in &condition.signals {
            let owner = &self.system.components[signal.port.component].path;
            if let Some(removed) = self.removed.iter().find(|r| is_at_or_below(owner, &r.path)) {
                let message = format!(
                    "\"{}\" is looked at until the end, but \"{}\" is removed at {}",
                    signal.path, removed.path, removed.at
                );
                let problem = Problem::new(message, place, "looks at it");
                let problem = problem.also(&removed.place, "removed here");
                problems.push(problem.help("stop it instead: its last value stays"));
                return;
            }
        }
    }

    fn fault(&self, fault: &Fault, problems: &mut Problems) {
        if let Window::While(condition) = &fault.window {
            self.condition(condition, &fault.place, problems);
        }
        let owner = |at: &PortAt| self.system.components[at.component].path.as_str();
        let at = match fault.window {
            Window::Times(from, _) => Some(from),
            Window::While(_) | Window::Commanded => None,
        };
        match &fault.target {
            FaultTarget::Component(path) => {
                self.reaches(path, &fault.place, at, "breaks it", problems);
            }
            FaultTarget::Output(port, _) => {
                self.reaches(owner(port), &fault.place, at, "breaks it", problems);
            }
            FaultTarget::Input(port, _) => {
                self.reaches(owner(port), &fault.place, at, "breaks it", problems);
                for link in self.system.links.iter().filter(|link| link.to == *port) {
                    self.reaches(owner(&link.from), &fault.place, at, "breaks the link", problems);
                }
            }
        }
    }
}
