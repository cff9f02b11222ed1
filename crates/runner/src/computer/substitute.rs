//! Which tasks run on the simulation computer, and what stands in their place in the system.
//!
//! A component of such a task becomes a composite with the same ports. Behind an input stands what takes the
//! signal when a job starts; behind an output what shows what the job gave when it ends.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ironbird_component::{Direction, Kind, Registry};
use ironbird_experiment::checked::{Act, Component, FaultTarget, Link as CheckedLink, PortAt};
use ironbird_kernel::{ComponentRef, Graph, Link, Options, PortKind, Simulation};
use ironbird_tasks::TaskId;

use super::cell::{Cell, CellPlan, FedInput};
use super::deadlines::Deadlines;
use super::unit::{Input, Output, Unit};
use super::{Computer, RunningComputer};
use crate::build::{BuildError, Wiring, composite_at};
use crate::interrupt::Interrupt;
use crate::states::state_name;
use crate::timing::{Ends, JobCalendar};

/// What stands in the place of components whose tasks run on the simulation computer.
pub struct Substitutes {
    computer: Arc<Computer>,
    cores: usize,
    /// Components that run there, and the unit that each belongs to.
    unit_of: BTreeMap<usize, usize>,
    /// Links that carry messages within the computer, by the input that they end at.
    within: BTreeSet<PortAt>,
    /// Inputs that come from the plant: unit, and number there.
    sampled: BTreeMap<PortAt, (usize, usize)>,
    /// Outputs that the plant sees: unit, number there, first value.
    seen: BTreeMap<PortAt, (usize, usize, Vec<u8>)>,
    calendar: Arc<JobCalendar>,
}

impl Substitutes {
    /// Finds the tasks that can run apart, and makes all that is needed for it. `plain` is the system as it is
    /// without a simulation computer, at its start.
    pub fn new(
        wiring: &Wiring,
        registry: &Registry,
        (plain, options): (&Simulation, &Options),
        seen: &[PortAt],
        (speed, interrupt): (Option<f64>, Interrupt),
    ) -> Result<Option<Self>, BuildError> {
        let (Some(calendar), Some(timing)) = (&wiring.calendar, &wiring.experiment.timing) else {
            return Ok(None);
        };
        let tasks = tasks_apart(wiring);
        if tasks.is_empty() {
            return Ok(None);
        }
        let links: Vec<&CheckedLink> = wiring.experiment.links_in(wiring.scenario()).collect();
        let mut substitutes = Substitutes {
            computer: Arc::new(Computer::new(timing.cores, speed, interrupt)),
            cores: timing.cores,
            unit_of: BTreeMap::new(),
            within: BTreeSet::new(),
            sampled: BTreeMap::new(),
            seen: BTreeMap::new(),
            calendar: calendar.clone(),
        };
        for (unit, (_, components)) in tasks.iter().enumerate() {
            substitutes.unit_of.extend(components.iter().map(|component| (*component, unit)));
        }
        let within = links.iter().filter(|link| substitutes.is_within(wiring, link));
        let within = within.map(|link| link.to.clone()).collect();
        substitutes.within = within;
        let first = |at: &PortAt| {
            let path = &wiring.owner(at).path;
            plain
                .signal(path, &at.port)
                .ok_or_else(|| BuildError::NoSignal { port: wiring.experiment.port_name(at) })
        };
        let mut units = Vec::new();
        let mut places: BTreeMap<PortAt, (usize, usize)> = BTreeMap::new();
        let mut system = (*timing.system).clone();
        for task in &mut system.tasks {
            (task.reads_physical, task.writes_physical) = (false, false);
        }
        for (number, (task, components)) in tasks.iter().enumerate() {
            let mut plan = CellPlan {
                components: BTreeMap::new(),
                links: Vec::new(),
                inputs: Vec::new(),
                outputs: Vec::new(),
                calendar: calendar.task(*task),
                options: options.clone(),
            };
            for component in components {
                let described = &wiring.experiment.components[*component];
                let instance = wiring.instantiate(registry, described)?;
                plan.components.insert(*component, (described, instance));
                for port in described.interface.outputs() {
                    let at = PortAt { component: *component, port: port.name.clone() };
                    places.insert(at.clone(), (number, plan.outputs.len()));
                    plan.outputs.push((at, port.value));
                }
            }
            let mut inputs = Vec::new();
            for link in links.iter().filter(|link| components.contains(&link.to.component)) {
                if components.contains(&link.from.component) {
                    plan.links.push((link, wiring.selection(link)));
                    continue;
                }
                let Some(port) = wiring.owner(&link.to).interface.input(&link.to.port) else {
                    continue;
                };
                let shown = match &link.part {
                    None => first(&link.from)?,
                    Some(part) => selected(wiring, link, part.first, &first(&link.from)?)?,
                };
                let way = substitutes.handover_within(wiring, link);
                inputs.push(match way {
                    Some(way) => Input::message(shown.clone(), way),
                    None => {
                        substitutes.sampled.insert(link.to.clone(), (number, inputs.len()));
                        system.tasks[*task].reads_physical = true;
                        Input::sampled(shown.clone())
                    }
                });
                plan.inputs.push(FedInput { at: link.to.clone(), value: port.value, first: shown });
            }
            let mut outputs: Vec<Output> = Vec::new();
            for (at, _) in &plan.outputs {
                let leaves = |link: &&CheckedLink| {
                    link.from == *at
                        && substitutes.unit_of.get(&link.to.component) != Some(&number)
                        && !substitutes.within.contains(&link.to)
                };
                let is_seen = seen.contains(at) || links.iter().any(leaves);
                if is_seen {
                    substitutes.seen.insert(at.clone(), (number, outputs.len(), first(at)?));
                    system.tasks[*task].writes_physical = true;
                }
                outputs.push(Output { is_seen, ..Output::default() });
            }
            units.push((*task, inputs, outputs, Cell::new(plan)?));
        }
        let deadlines =
            Deadlines::of_all(&system, calendar.timetable(), |task| calendar.task(task));
        let mut deadlines: BTreeMap<TaskId, Deadlines> =
            deadlines.into_iter().enumerate().collect();
        let mut state = substitutes.computer.lock();
        for (task, inputs, outputs, cell) in units {
            let name = system.tasks[task].name.clone();
            state.report.tasks.push(name.clone());
            let Some(deadlines) = deadlines.remove(&task) else { continue };
            state.units.push(Unit {
                name,
                calendar: calendar.task(task),
                deadlines,
                cell: Some(cell),
                next: 0,
                inputs,
                outputs,
                window: calendar.window(),
            });
        }
        // Who reads whose messages: inputs are numbered as above.
        for (number, (_, components)) in tasks.iter().enumerate() {
            let into = links.iter().filter(|link| {
                components.contains(&link.to.component)
                    && !components.contains(&link.from.component)
            });
            for (input, link) in into.enumerate() {
                if substitutes.within.contains(&link.to)
                    && let Some((unit, output)) = places.get(&link.from)
                {
                    state.units[*unit].outputs[*output].readers.push((number, input));
                }
            }
        }
        drop(state);
        Ok(Some(substitutes))
    }

    /// Whether a component runs on the simulation computer.
    pub fn has(&self, component: usize) -> bool {
        self.unit_of.contains_key(&component)
    }

    /// Whether a link carries messages within the computer, or values within a task: the plant has none of it.
    pub fn carries(&self, link: &CheckedLink) -> bool {
        let (from, to) =
            (self.unit_of.get(&link.from.component), self.unit_of.get(&link.to.component));
        self.within.contains(&link.to) || (from.is_some() && from == to)
    }

    /// Puts something in the place of a component. Paths of what shows its outputs are added to `probes`.
    pub fn place(
        &self,
        graph: &mut Graph,
        (number, component): (usize, &Component),
        probes: &mut BTreeMap<PortAt, String>,
    ) -> Result<(), BuildError> {
        let composite = composite_at(graph, &component.path)?;
        let Some(task) = component.task else { return Ok(()) };
        let calendar = self.calendar.task(task);
        for (place, port) in component.interface.ports.iter().enumerate() {
            let at = PortAt { component: number, port: port.name.clone() };
            let part = |error| BuildError::Part { name: component.path.clone(), error };
            let is_input = port.direction == Direction::Input;
            if let Some((unit, input)) = self.sampled.get(&at).copied().filter(|_| is_input) {
                port.value.composite_port(graph, composite, &port.name, port.kind, true)?;
                let computer = self.computer.clone();
                let gate = Arc::new(move |_, now, value| computer.sampled(unit, input, now, value));
                let name = format!("in-{place}");
                let exit = port
                    .value
                    .add_exit(graph, composite, &name, calendar.clone(), gate)
                    .map_err(part)?;
                graph.link(composite.port(&port.name), exit.port("in"), Link::direct())?;
            }
            if let Some((unit, output, first)) = self.seen.get(&at).cloned().filter(|_| !is_input) {
                port.value.composite_port(graph, composite, &port.name, port.kind, false)?;
                let computer = self.computer.clone();
                let gate = Arc::new(move |job, now| computer.written(unit, output, job, now));
                let name = format!("out-{place}");
                let how = (Arc::new(Ends(calendar.clone())) as _, gate as _);
                let entry =
                    port.value.add_entry(graph, composite, &name, &first, how).map_err(part)?;
                link_out(graph, (entry, composite), &port.name)?;
                probes.insert(at, format!("{}.{name}", component.path));
            }
        }
        Ok(())
    }

    /// Starts the cores.
    pub fn start(&self) -> Result<RunningComputer, BuildError> {
        RunningComputer::start(self.computer.clone(), self.cores)
            .map_err(|error| BuildError::Threads(error.to_string()))
    }

    /// What carries messages of a link within the computer, if it is such a link.
    fn handover_within(
        &self,
        wiring: &Wiring,
        link: &CheckedLink,
    ) -> Option<crate::timing::ToTheJob> {
        let (from, to) = (wiring.owner(&link.from).task?, wiring.owner(&link.to).task?);
        self.within.contains(&link.to).then(|| self.calendar.handover(from, to)).flatten()
    }

    /// A message to a job that it releases, which nothing on its way changes or delays.
    fn is_within(&self, wiring: &Wiring, link: &CheckedLink) -> bool {
        let (sender, reader) = (wiring.owner(&link.from), wiring.owner(&link.to));
        let (Some(from), Some(to)) = (sender.task, reader.task) else { return false };
        let faults = &wiring.scenario().faults;
        let is_faulty = faults.iter().any(|fault| match &fault.target {
            FaultTarget::Output(at, _) => *at == link.from,
            FaultTarget::Input(at, _) => *at == link.to,
            _ => false,
        });
        self.has(link.from.component)
            && self.has(link.to.component)
            && self.calendar.handover(from, to).is_some()
            && link.latency.as_ps() == 0
            && link.part.is_none()
            && !link.previous
            && !is_faulty
    }
}

/// What the input of a link sees of a value of its output.
fn selected(
    wiring: &Wiring,
    link: &CheckedLink,
    first: usize,
    bytes: &[u8],
) -> Result<Vec<u8>, BuildError> {
    let ports = |at: &PortAt| wiring.owner(at).interface.clone();
    let (from, to) = (ports(&link.from), ports(&link.to));
    let (Some(output), Some(input)) = (from.output(&link.from.port), to.input(&link.to.port))
    else {
        return Err(BuildError::NoSignal { port: wiring.experiment.port_name(&link.from) });
    };
    let name = || wiring.experiment.port_name(&link.from);
    let part = input.value.selected(first, (output.value, bytes));
    part.map_err(|error| BuildError::Part { name: name(), error })
}

/// The output of a composite shows what a component in it does.
fn link_out(
    graph: &mut Graph,
    (from, composite): (ComponentRef, ComponentRef),
    port: &str,
) -> Result<(), BuildError> {
    Ok(graph.link(from.port("out"), composite.port(port), Link::direct())?)
}

/// Tasks of which all components are plain functions of signals that the scenario leaves alone, with the numbers
/// of these components. All others stay in the system, where they have the same times.
fn tasks_apart(wiring: &Wiring) -> Vec<(TaskId, Vec<usize>)> {
    let scenario = wiring.scenario();
    let mut tasks: BTreeMap<TaskId, (Vec<usize>, bool)> = BTreeMap::new();
    let timed = scenario.actions.iter().flat_map(|timed| &timed.acts);
    let acts: Vec<&Act> = timed
        .chain(scenario.triggers.iter().flat_map(|trigger| &trigger.acts))
        .chain(&scenario.end)
        .collect();
    let stopped: Vec<&str> = (scenario.faults.iter())
        .filter_map(|fault| match &fault.target {
            FaultTarget::Component(path) => Some(path.as_str()),
            FaultTarget::Output(..) | FaultTarget::Input(..) => None,
        })
        .collect();
    for (number, component) in wiring.experiment.components.iter().enumerate() {
        let Some(task) = component.task else { continue };
        let interface = &component.interface;
        let is_plain = component.description.kind == Kind::Periodic
            && interface.ports.iter().all(|port| port.kind == PortKind::Signal)
            && interface.ports.iter().all(|port| state_name(port).is_none())
            && interface.services.is_empty()
            && interface.requires.is_empty()
            && interface.queries.is_empty()
            && !is_broken_within(wiring, number)
            && !stopped.iter().any(|at| ironbird_experiment::is_at_or_below(&component.path, at))
            && !acts.iter().any(|act| acts_on(act, number, &component.path))
            && !wiring
                .experiment
                .followers
                .iter()
                .any(|one| one.leader.component == number || one.follower.component == number);
        let entry = tasks.entry(task).or_insert((Vec::new(), true));
        entry.0.push(number);
        entry.1 &= is_plain;
    }
    let plain = tasks.into_iter().filter(|(_, (_, is_plain))| *is_plain);
    plain.map(|(task, (components, _))| (task, components)).collect()
}

/// Whether a fault is on a link that leads from a component to another one of its task.
fn is_broken_within(wiring: &Wiring, number: usize) -> bool {
    let links: Vec<&CheckedLink> = (wiring.experiment.links_in(wiring.scenario()))
        .filter(|link| link.from.component == number && wiring.is_within_a_task(link))
        .collect();
    wiring.scenario().faults.iter().any(|fault| match &fault.target {
        FaultTarget::Output(at, _) => links.iter().any(|link| link.from == *at),
        FaultTarget::Input(at, _) => links.iter().any(|link| link.to == *at),
        FaultTarget::Component(_) => false,
    })
}

/// Whether something that a scenario does concerns a component.
fn acts_on(act: &Act, number: usize, path: &str) -> bool {
    match act {
        Act::Set { component, .. } | Act::SetRate { component, .. } => *component == number,
        Act::Call { service, .. } => service.component == number,
        Act::Bind(binding) => {
            binding.asker.component == number || binding.provider.component == number
        }
        Act::Stop(at) | Act::Start(at) | Act::Reset(at) | Act::Spawn(at) | Act::Remove(at) => {
            ironbird_experiment::is_at_or_below(path, at)
        }
    }
}
