//! What a scenario does, as actions and edits of the kernel.

use ironbird_component::{Instance, Kind, Registry};
use ironbird_experiment::Experiment;
use ironbird_experiment::checked::{
    self, Act, Binding, Component, FaultTarget, PortAt, Timed, Window,
};
use ironbird_kernel::{
    Action, Duration, Graph, GraphError, OPEN, Parameter, Response, Simulation, Time,
};

use crate::build::{BuildError, Built, SCENARIO, Wiring, bind, place_in};
use crate::conditions::{Meaning, Monitors};
use crate::fault::ACTIVE;

/// Turns acts into actions; callers of services are made on the way.
pub struct Actor<'a> {
    /// Whose acts.
    pub wiring: &'a Wiring,
    /// Callers made so far: the service, its argument, and who calls.
    pub callers: Vec<(PortAt, Vec<u8>, String)>,
}

impl Actor<'_> {
    /// Acts that do not change the system itself.
    pub fn actions(&mut self, graph: &mut Graph, acts: &[Act]) -> Result<Vec<Action>, BuildError> {
        let mut actions = Vec::new();
        let experiment = &self.wiring.experiment;
        // A provider only answers: there is nothing to stop, and nobody may ask it then.
        let only_answers = |path: &str| {
            let component = experiment.component(path);
            component.is_some_and(|c| c.description.kind == Kind::Provider)
        };
        for act in acts {
            match act {
                Act::Stop(component) | Act::Start(component) if only_answers(component) => {}
                Act::Call { service, argument } => {
                    let component =
                        caller(self.wiring, &mut self.callers, graph, service, argument)?;
                    let (name, value) = ("fire".into(), Parameter::Bool(true));
                    actions.push(Action::SetParameter { component, name, value });
                }
                Act::Bind(binding) if self.wiring.can_act(binding) => {
                    actions.extend(rebinding(self.wiring, graph, binding)?);
                }
                act => actions.extend(plain(experiment, act)),
            }
        }
        Ok(actions)
    }
}

/// What an act does that is about one component and needs nothing else; none if it is of another kind.
pub fn plain(experiment: &Experiment, act: &Act) -> Option<Action> {
    let path = |number: &usize| experiment.components[*number].path.clone();
    Some(match act {
        Act::Set { component, parameter, value } => {
            let (name, value) = (parameter.clone(), value.clone());
            Action::SetParameter { component: path(component), name, value }
        }
        Act::SetRate { component, rate } => {
            Action::SetRate { component: path(component), rate: *rate }
        }
        Act::Stop(component) => Action::Stop { component: component.clone() },
        Act::Start(component) => Action::Start { component: component.clone() },
        Act::Reset(component) => Action::Reset { component: component.clone() },
        Act::Call { .. } | Act::Bind(_) | Act::Spawn(_) | Act::Remove(_) => return None,
    })
}

/// What lets somebody else answer: a query is bound anew, of several ways of a call one is opened.
fn rebinding(wiring: &Wiring, graph: &Graph, binding: &Binding) -> Result<Vec<Action>, GraphError> {
    let component = wiring.owner(&binding.asker).path.clone();
    if binding.is_query() {
        let query = binding.asker.port.clone();
        let provider = wiring.owner(&binding.provider).path.clone();
        return Ok(vec![Action::Bind { component, query, provider }]);
    }
    let caller = graph.find(&component)?;
    let mut actions = Vec::new();
    for candidate in wiring.candidates(&binding.asker) {
        let provider = graph.find(&wiring.owner(&candidate.provider).path)?;
        let service = provider.port(&candidate.provider.port);
        actions.push(Action::SetLinkParameter {
            link: graph.call_link(caller.port(&binding.asker.port), service),
            name: OPEN.into(),
            value: Parameter::Bool(candidate.provider == binding.provider),
        });
    }
    Ok(actions)
}

/// The component that calls a service for the scenario.
fn caller(
    wiring: &Wiring,
    callers: &mut Vec<(PortAt, Vec<u8>, String)>,
    graph: &mut Graph,
    service: &PortAt,
    argument: &[u8],
) -> Result<String, BuildError> {
    let known = callers.iter().find(|(s, a, _)| s == service && a == argument);
    if let Some((.., path)) = known {
        return Ok(path.clone());
    }
    let owner = wiring.owner(service);
    let name = format!("call-{}", callers.len());
    let path = format!("{SCENARIO}.{name}");
    if let Some(description) = owner.interface.service(&service.port) {
        let scenario = graph.find(SCENARIO)?;
        let made = description.service.add_caller(graph, scenario, &name, argument);
        let made = made.map_err(|error| BuildError::Part { name: path.clone(), error })?;
        let provider = graph.find(&owner.path)?;
        graph.bind_call(made.port("call"), provider.port(&service.port), Duration::ZERO)?;
    }
    callers.push((service.clone(), argument.to_vec(), path.clone()));
    Ok(path)
}

/// The monitors of a scenario: triggers, faults by condition, stops, requirements that stop.
pub fn monitors(actor: &mut Actor<'_>, built: &mut Built) -> Result<Vec<Meaning>, BuildError> {
    let wiring = actor.wiring;
    let Built { graph, probes, fault_links } = built;
    let mut monitors = Monitors { wiring, probes, meanings: Vec::new(), timers: 0 };
    for trigger in &wiring.scenario().triggers {
        let actions = actor.actions(graph, &trigger.acts)?;
        let meaning = Meaning::Trigger(trigger.name.clone());
        monitors.condition(graph, &trigger.condition, false, meaning, Response::Act(actions))?;
    }
    for (fault, links) in wiring.scenario().faults.iter().zip(&*fault_links) {
        let Window::While(condition) = &fault.window else { continue };
        for active in [true, false] {
            let name = fault.name.clone();
            let meaning =
                if active { Meaning::FaultBegins(name) } else { Meaning::FaultEnds(name) };
            let response = Response::Act(switch(fault, links, active));
            monitors.condition(graph, condition, !active, meaning, response)?;
        }
    }
    for stop in &wiring.scenario().stops {
        let meaning = Meaning::Stop(stop.name.clone());
        monitors.condition(graph, &stop.condition, false, meaning, Response::Stop)?;
    }
    for requirement in wiring.scenario().requirements.iter().filter(|r| r.stop) {
        if let Some(invariant) = requirement.condition.formula.invariant() {
            let condition =
                checked::Condition { formula: invariant, ..requirement.condition.clone() };
            let meaning = Meaning::Violation(requirement.name.clone());
            monitors.condition(graph, &condition, true, meaning, Response::Stop)?;
        }
    }
    Ok(monitors.meanings)
}

/// What switches a fault on or off.
pub fn switch(fault: &checked::Fault, links: &[String], active: bool) -> Vec<Action> {
    if let FaultTarget::Component(component) = &fault.target {
        let component = component.clone();
        return vec![if active { Action::Stop { component } } else { Action::Start { component } }];
    }
    let on_link = |link: &String| Action::SetLinkParameter {
        link: link.clone(),
        name: ACTIVE.into(),
        value: Parameter::Bool(active),
    };
    links.iter().map(on_link).collect()
}

/// When components stand still by faults at known times: where such faults overlap or meet, the
/// component starts again when the last of them ends.
fn standstills(faults: &[checked::Fault]) -> Vec<(String, Time, Time)> {
    let mut windows: Vec<(String, Time, Time)> = faults
        .iter()
        .filter_map(|fault| match (&fault.target, &fault.window) {
            (FaultTarget::Component(path), Window::Times(from, until)) => {
                Some((path.clone(), *from, *until))
            }
            _ => None,
        })
        .collect();
    windows.sort();
    let mut merged: Vec<(String, Time, Time)> = Vec::new();
    for (path, from, until) in windows {
        match merged.last_mut() {
            Some((last, _, end)) if *last == path && from <= *end => *end = (*end).max(until),
            _ => merged.push((path, from, until)),
        }
    }
    merged
}

/// An action and when it happens, in the order in which actions of one instant happen.
pub type Script = Vec<(Time, Action)>;

/// Everything of a scenario that happens at a known time, but for changes of the system itself.
pub fn script(actor: &mut Actor<'_>, built: &mut Built, end: Time) -> Result<Script, BuildError> {
    let mut script = Vec::new();
    let wiring = actor.wiring;
    for (component, from, until) in standstills(&wiring.scenario().faults) {
        if from <= end {
            script.push((from, Action::Stop { component: component.clone() }));
        }
        if until <= end {
            script.push((until, Action::Start { component }));
        }
    }
    for (fault, links) in wiring.scenario().faults.iter().zip(&built.fault_links) {
        let Window::Times(from, until) = fault.window else { continue };
        if matches!(fault.target, FaultTarget::Component(_)) {
            continue;
        }
        for (at, active) in [(from, true), (until, false)] {
            if at <= end {
                script.extend(switch(fault, links, active).into_iter().map(|action| (at, action)));
            }
        }
    }
    for Timed { at, acts, .. } in wiring.scenario().actions.iter().filter(|timed| timed.at <= end) {
        let actions = actor.actions(&mut built.graph, acts)?;
        script.extend(actions.into_iter().map(|action| (*at, action)));
    }
    let after = end + Duration::EPSILON;
    let actions = actor.actions(&mut built.graph, &wiring.scenario().end)?;
    script.extend(actions.into_iter().map(|action| (after, action)));
    Ok(script)
}

/// Components that are added together, made beforehand.
struct Spawned {
    wiring: Wiring,
    members: Vec<(Component, Box<dyn Instance>)>,
}

impl Spawned {
    fn add(self, graph: &mut Graph) -> Result<(), GraphError> {
        let mut paths = Vec::new();
        for (component, instance) in self.members {
            place_in(graph, &component, instance).map_err(|error| match error {
                BuildError::Graph(error) => error,
                other => GraphError::Refused { reason: other.to_string() },
            })?;
            paths.push(component.path);
        }
        let wiring = &self.wiring;
        let is_new = |at: &PortAt| paths.contains(&wiring.owner(at).path);
        let is_there = |graph: &Graph, at: &PortAt| graph.get(&wiring.owner(at).path).is_some();
        let mut unused = vec![Vec::new(); wiring.scenario().faults.len()];
        for link in wiring.experiment.links_in(wiring.scenario()) {
            let new = is_new(&link.from) || is_new(&link.to);
            if new && is_there(graph, &link.from) && is_there(graph, &link.to) {
                wiring.link(graph, link, &mut unused)?;
            }
        }
        for binding in wiring.bindings() {
            let (asker, provider) = (&binding.asker, &binding.provider);
            let new = is_new(asker) || is_new(provider);
            if new && is_there(graph, asker) && is_there(graph, provider) {
                rebind(graph, wiring, binding)?;
            }
        }
        Ok(())
    }
}

fn rebind(graph: &mut Graph, wiring: &Wiring, binding: &Binding) -> Result<(), GraphError> {
    let asker = graph.find(&wiring.owner(&binding.asker).path)?;
    let provider = graph.find(&wiring.owner(&binding.provider).path)?;
    bind(graph, binding, asker, provider)
}

/// Schedules what changes the system itself: spawn, remove, and bind where one side comes later.
pub fn edits(
    wiring: &Wiring,
    registry: &Registry,
    simulation: &mut Simulation,
    end: Time,
) -> Result<(), BuildError> {
    for timed in wiring.scenario().actions.iter().filter(|timed| timed.at <= end) {
        for act in &timed.acts {
            match act {
                Act::Spawn(path) => {
                    let mut members = Vec::new();
                    let components = wiring.experiment.components.iter();
                    for component in components.filter(|c| c.dormant.as_deref() == Some(path)) {
                        let instance = wiring.instantiate(registry, component)?;
                        members.push((component.clone(), instance));
                    }
                    let spawned = Spawned { wiring: wiring.clone(), members };
                    simulation.edit_at(timed.at, move |graph| spawned.add(graph))?;
                }
                Act::Remove(path) => {
                    let path = path.clone();
                    simulation.edit_at(timed.at, move |graph| {
                        let found = graph.find(&path)?;
                        graph.remove(found)
                    })?;
                }
                Act::Bind(binding) if !wiring.can_act(binding) => {
                    let (wiring, binding) = (wiring.clone(), binding.clone());
                    simulation.edit_at(timed.at, move |graph| {
                        if !binding.is_query() {
                            let asker = graph.find(&wiring.owner(&binding.asker).path)?;
                            graph.unbind_call(asker.port(&binding.asker.port))?;
                        }
                        rebind(graph, &wiring, &binding)
                    })?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}
