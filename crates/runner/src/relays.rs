//! What stands behind the outputs of components: faults, the times of jobs, and probes that show what comes out.
//!
//! ```text
//! controller.out ──[until the job ends]──► _scenario.job-3-0 ──[fault]──► _scenario.fault-0 ──► readers
//!                                                                                         └───► probe
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use ironbird_component::Kind;
use ironbird_experiment::checked::{self, Component, FaultTarget, PortAt};
use ironbird_kernel::{ComponentRef, Graph, GraphError, Link, PortKind};

use crate::build::{BuildError, FaultLinks, Probes, SCENARIO, Wiring};
use crate::fault::FaultOnLink;
use crate::timing::{TaskCalendar, UntilTheEnd, UntilTheStart};

/// What shows an output, and its port.
type Shown = (ComponentRef, &'static str);

impl Wiring {
    /// Whether a component runs on the simulation computer.
    pub(crate) fn is_apart(&self, component: usize) -> bool {
        self.substitutes.as_ref().is_some_and(|substitutes| substitutes.has(component))
    }

    /// When the jobs of a component run, if it is a task.
    pub(crate) fn calendar_of(&self, component: &Component) -> Option<Arc<TaskCalendar>> {
        Some(self.calendar.as_ref()?.task(component.task?))
    }

    /// Puts the times of jobs and faults on outputs, and probes behind those that somebody looks at.
    pub(crate) fn relays_on_outputs(
        &self,
        graph: &mut Graph,
        seen: &[PortAt],
        probes: &mut Probes,
    ) -> Result<FaultLinks, BuildError> {
        let scenario = graph.find(SCENARIO)?;
        let mut last_of: BTreeMap<PortAt, Shown> = BTreeMap::new();
        for (number, component) in self.experiment.components.iter().enumerate() {
            let Some(calendar) = self.calendar_of(component) else { continue };
            if self.is_apart(number) {
                continue;
            }
            for (place, port) in component.interface.outputs().enumerate() {
                let at = PortAt { component: number, port: port.name.clone() };
                let name = format!("timing {}", self.experiment.port_name(&at));
                let link = Link::direct().latency(calendar.shortest());
                let link = link.via(&name, UntilTheEnd(calendar.clone()));
                let relay = job_relay_name(number, place);
                if self.is_shown_by_a_component(&at) {
                    let shows = self.probe(graph, scenario, (&at, &relay))?;
                    let source = graph.find(&component.path)?;
                    graph.link(source.port(&at.port), shows.port("in"), link)?;
                    last_of.insert(at, (shows, "out"));
                } else {
                    self.relay(graph, scenario, (&at, &relay), link, &mut last_of)?;
                }
            }
        }
        let faults = &self.scenario().faults;
        let mut fault_links = vec![Vec::new(); faults.len()];
        for (number, fault) in faults.iter().enumerate() {
            let FaultTarget::Output(at, kind) = &fault.target else { continue };
            let name = format!("fault {}", fault.name);
            let link = Link::direct().via(&name, FaultOnLink::new(kind.clone()));
            if self.relay(graph, scenario, (at, &relay_name(number)), link, &mut last_of)? {
                fault_links[number].push(name);
            }
        }
        for (number, (at, (relay, port))) in last_of.iter().enumerate() {
            let Some(output) = self.owner(at).interface.output(&at.port) else { continue };
            if output.kind == PortKind::Signal && seen.contains(at) {
                let name = format!("probe-{number}");
                let probe = self.probe(graph, scenario, (at, &name))?;
                graph.link(relay.port(port), probe.port("in"), Link::direct())?;
                probes.insert(at.clone(), format!("{SCENARIO}.{name}"));
            }
        }
        Ok(fault_links)
    }

    /// Whether what a job gives is shown by a component of its own when the job ends: a fault on its way is
    /// judged then, and hits what is there then.
    fn is_shown_by_a_component(&self, at: &PortAt) -> bool {
        let output = self.owner(at).interface.output(&at.port);
        let is_signal = output.is_some_and(|port| port.kind == PortKind::Signal);
        is_signal
            && self.scenario().faults.iter().any(|fault| match &fault.target {
                FaultTarget::Output(broken, _) => broken == at,
                FaultTarget::Input(broken, _) => {
                    let mut links = self.experiment.links_in(self.scenario());
                    links.any(|link| link.from == *at && link.to == *broken)
                }
                FaultTarget::Component(_) => false,
            })
    }

    /// A component that shows a signal.
    fn probe(
        &self,
        graph: &mut Graph,
        scenario: ComponentRef,
        (at, name): (&PortAt, &str),
    ) -> Result<ComponentRef, BuildError> {
        let port = self.owner(at).interface.output(&at.port);
        let port =
            port.ok_or_else(|| BuildError::NoSignal { port: self.experiment.port_name(at) })?;
        port.value
            .add_probe(graph, scenario, name)
            .map_err(|error| BuildError::Part { name: self.experiment.port_name(at), error })
    }

    /// Lets an output go on by one more link; the relay at its end is what readers see from now on.
    fn relay(
        &self,
        graph: &mut Graph,
        scenario: ComponentRef,
        (at, name): (&PortAt, &str),
        link: Link,
        last_of: &mut BTreeMap<PortAt, Shown>,
    ) -> Result<bool, BuildError> {
        let Some(port) = self.owner(at).interface.output(&at.port) else { return Ok(false) };
        let relay = graph.composite(scenario, name)?;
        port.value.composite_port(graph, relay, RELAY_PORT, port.kind, true)?;
        match last_of.insert(at.clone(), (relay, RELAY_PORT)) {
            Some((before, port)) => graph.link(before.port(port), relay.port(RELAY_PORT), link)?,
            None => {
                let source = graph.find(&self.owner(at).path)?;
                graph.link(source.port(&at.port), relay.port(RELAY_PORT), link)?;
            }
        }
        Ok(true)
    }

    /// Where readers of an output are linked to: behind its jobs and its faults, if it has any. Components of
    /// one task read each other before their job ends.
    pub(crate) fn seen_output<'a>(
        &self,
        graph: &Graph,
        link: &'a checked::Link,
    ) -> Result<(ComponentRef, &'a str), GraphError> {
        let sender = self.owner(&link.from);
        if self.is_within_a_task(link) {
            return Ok((graph.find(&sender.path)?, link.from.port.as_str()));
        }
        let on_output = self.scenario().faults.iter().rposition(
            |fault| matches!(&fault.target, FaultTarget::Output(at, _) if *at == link.from),
        );
        if let Some(number) = on_output {
            return Ok((graph.find(&format!("{SCENARIO}.{}", relay_name(number)))?, RELAY_PORT));
        }
        let mut outputs = sender.interface.outputs();
        let place = outputs.position(|port| port.name == link.from.port);
        if let (Some(place), Some(_), false) =
            (place, sender.task, self.is_apart(link.from.component))
        {
            let relay = job_relay_name(link.from.component, place);
            let port = if self.is_shown_by_a_component(&link.from) { "out" } else { RELAY_PORT };
            return Ok((graph.find(&format!("{SCENARIO}.{relay}"))?, port));
        }
        Ok((graph.find(&sender.path)?, link.from.port.as_str()))
    }

    /// Whether a link leads from one component of a task to another.
    pub(crate) fn is_within_a_task(&self, link: &checked::Link) -> bool {
        let sender = self.owner(&link.from).task;
        sender.is_some() && sender == self.owner(&link.to).task
    }

    /// What the tasks at both ends of a link do to it.
    pub(crate) fn timed(&self, link: &checked::Link, how: Link) -> Link {
        let (sender, reader) = (self.owner(&link.from), self.owner(&link.to));
        let (Some(calendar), Some(to)) = (&self.calendar, reader.task) else { return how };
        if sender.task == reader.task {
            return how;
        }
        let name = format!("timing {}", self.experiment.port_name(&link.to));
        match sender.task.and_then(|from| calendar.handover(from, to)) {
            Some(handover)
                if self.is_apart(link.from.component)
                    || self.is_shown_by_a_component(&link.from) =>
            {
                how.via(&name, handover.sent_at_the_end())
            }
            Some(handover) => how.via(&name, handover),
            None if reader.description.kind == Kind::EventDriven => {
                how.via(&name, UntilTheStart(calendar.task(to)))
            }
            None => how,
        }
    }
}

/// The composite that stands behind a fault: all readers are linked to its port.
pub(crate) fn relay_name(fault: usize) -> String {
    format!("fault-{fault}")
}

/// The composite that stands behind an output of a component that is a task.
fn job_relay_name(component: usize, output: usize) -> String {
    format!("job-{component}-{output}")
}

pub(crate) const RELAY_PORT: &str = "value";
