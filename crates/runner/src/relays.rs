//! What stands behind the outputs of components: faults, the times of jobs, and probes that show what comes out.
//!
//! ```text
//! controller.out ──[fault]──► _scenario.fault-0 ──[until the job ends]──► _scenario.job-3-0 ──► readers
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

impl Wiring {
    /// Whether a component runs on the simulation computer.
    pub(crate) fn is_apart(&self, component: usize) -> bool {
        self.substitutes.as_ref().is_some_and(|substitutes| substitutes.has(component))
    }

    /// When the jobs of a component run, if it is a task.
    pub(crate) fn calendar_of(&self, component: &Component) -> Option<Arc<TaskCalendar>> {
        Some(self.calendar.as_ref()?.task(component.task?))
    }

    /// Puts faults and the times of jobs on outputs, and probes behind those that somebody looks at.
    pub(crate) fn relays_on_outputs(
        &self,
        graph: &mut Graph,
        seen: &[PortAt],
        probes: &mut Probes,
    ) -> Result<FaultLinks, BuildError> {
        let faults = &self.scenario().faults;
        let mut fault_links = vec![Vec::new(); faults.len()];
        let scenario = graph.find(SCENARIO)?;
        let mut last_of: BTreeMap<PortAt, ComponentRef> = BTreeMap::new();
        for (number, fault) in faults.iter().enumerate() {
            let FaultTarget::Output(at, kind) = &fault.target else { continue };
            let name = format!("fault {}", fault.name);
            let link = Link::direct().via(&name, FaultOnLink::new(kind.clone()));
            if self.relay(graph, scenario, (at, &relay_name(number)), link, &mut last_of)? {
                fault_links[number].push(name);
            }
        }
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
                self.relay(graph, scenario, (&at, &relay), link, &mut last_of)?;
            }
        }
        for (number, (at, relay)) in last_of.iter().enumerate() {
            let Some(port) = self.owner(at).interface.output(&at.port) else { continue };
            if port.kind == PortKind::Signal && seen.contains(at) {
                let name = format!("probe-{number}");
                let probe = port.value.add_probe(graph, scenario, &name).map_err(|error| {
                    BuildError::Part { name: self.experiment.port_name(at), error }
                })?;
                graph.link(relay.port(RELAY_PORT), probe.port("in"), Link::direct())?;
                probes.insert(at.clone(), format!("{SCENARIO}.{name}"));
            }
        }
        Ok(fault_links)
    }

    /// Lets an output go on by one more link; the relay at its end is what readers see from now on.
    fn relay(
        &self,
        graph: &mut Graph,
        scenario: ComponentRef,
        (at, name): (&PortAt, &str),
        link: Link,
        last_of: &mut BTreeMap<PortAt, ComponentRef>,
    ) -> Result<bool, BuildError> {
        let Some(port) = self.owner(at).interface.output(&at.port) else { return Ok(false) };
        let relay = graph.composite(scenario, name)?;
        port.value.composite_port(graph, relay, RELAY_PORT, port.kind, true)?;
        match last_of.insert(at.clone(), relay) {
            Some(before) => graph.link(before.port(RELAY_PORT), relay.port(RELAY_PORT), link)?,
            None => {
                let source = graph.find(&self.owner(at).path)?;
                graph.link(source.port(&at.port), relay.port(RELAY_PORT), link)?;
            }
        }
        Ok(true)
    }

    /// Where readers of an output are linked to: behind its faults and its jobs, if it has any. Components of
    /// one task read each other before their job ends.
    pub(crate) fn seen_output<'a>(
        &self,
        graph: &Graph,
        link: &'a checked::Link,
    ) -> Result<(ComponentRef, &'a str), GraphError> {
        let (sender, reader) = (self.owner(&link.from), self.owner(&link.to));
        let is_apart = self.is_apart(link.from.component);
        if sender.task.is_some() && sender.task != reader.task && !is_apart {
            let mut outputs = sender.interface.outputs();
            if let Some(place) = outputs.position(|port| port.name == link.from.port) {
                let relay = job_relay_name(link.from.component, place);
                return Ok((graph.find(&format!("{SCENARIO}.{relay}"))?, RELAY_PORT));
            }
        }
        let on_output = self.scenario().faults.iter().rposition(
            |fault| matches!(&fault.target, FaultTarget::Output(at, _) if *at == link.from),
        );
        match on_output {
            Some(number) => {
                Ok((graph.find(&format!("{SCENARIO}.{}", relay_name(number)))?, RELAY_PORT))
            }
            None => Ok((graph.find(&sender.path)?, link.from.port.as_str())),
        }
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
            Some(handover) if self.is_apart(link.from.component) => {
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
