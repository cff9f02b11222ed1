//! Links of an experiment as links of the graph: the part that they carry, and the faults that sit on them.

use ironbird_experiment::checked::{self, FaultTarget, SignalFault};
use ironbird_kernel::{Graph, GraphError, Link, Selection};

use crate::build::{SCENARIO, Wiring};
use crate::fault::FaultOnLink;
use crate::relays::{RELAY_PORT, relay_name};

impl Wiring {
    /// Makes a link, through the faults that sit on it.
    pub fn link(
        &self,
        graph: &mut Graph,
        link: &checked::Link,
        fault_links: &mut [Vec<String>],
    ) -> Result<(), GraphError> {
        let target = graph.find(&self.owner(&link.to).path)?;
        let (mut source, mut port) = self.seen_output(graph, link)?;
        let output = self.owner(&link.from).interface.output(&link.from.port);
        let input = self.owner(&link.to).interface.input(&link.to.port);
        let (Some(output), Some(input)) = (output, input) else {
            return Err(GraphError::Refused { reason: "a link has lost one of its ports".into() });
        };
        let mut carried = output.value;
        let mut selection = self.selection(link);
        for (number, name, fault) in self.faults_on(link) {
            let mut on_way = Link::direct();
            if fault.is_at_the_input
                && let Some(selection) = selection.take()
            {
                // What the input sees is the part.
                (on_way, carried) = (on_way.select(selection), input.value);
            }
            // An event input may have several sources: each link has a relay of its own.
            let which = fault_links[number].len();
            let scenario = graph.find(SCENARIO)?;
            let relay = graph.composite(scenario, &format!("{}-{which}", relay_name(number)))?;
            carried.composite_port(graph, relay, RELAY_PORT, output.kind, true)?;
            let again = if which == 0 { String::new() } else { format!(" #{which}") };
            let name = format!("fault {name}{again}");
            let on_way = on_way.via(&name, FaultOnLink::new(fault.kind.clone()));
            graph.link(source.port(port), relay.port(RELAY_PORT), on_way)?;
            fault_links[number].push(name);
            (source, port) = (relay, RELAY_PORT);
        }
        let mut how = Link::direct().latency(link.latency);
        if let Some(selection) = selection {
            how = how.select(selection);
        }
        // What a job of another task has given was written at an earlier instant: when the job started.
        let sender = self.owner(&link.from).task;
        if link.previous && (sender.is_none() || sender == self.owner(&link.to).task) {
            how = how.previous();
        }
        graph.link(source.port(port), target.port(&link.to.port), self.timed(link, how))
    }

    /// What takes the part out of the values of a link, if it carries one.
    pub(crate) fn selection(&self, link: &checked::Link) -> Option<Selection> {
        let part = link.part.as_ref()?;
        let input = self.owner(&link.to).interface.input(&link.to.port)?;
        input.value.selection(part.first)
    }

    /// The faults that sit on a link itself, each with its number and name: in the order in which values pass them.
    fn faults_on(&self, link: &checked::Link) -> Vec<(usize, &str, FaultOn<'_>)> {
        let faults = self.scenario().faults.iter().enumerate();
        let mut found: Vec<_> = faults
            .filter_map(|(number, fault)| {
                let on = match &fault.target {
                    FaultTarget::Input(at, kind) if *at == link.to => {
                        FaultOn { kind, is_at_the_input: true }
                    }
                    // Within a task a signal does not pass what stands behind its output.
                    FaultTarget::Output(at, kind)
                        if *at == link.from && self.is_within_a_task(link) =>
                    {
                        FaultOn { kind, is_at_the_input: false }
                    }
                    _ => return None,
                };
                Some((number, fault.name.as_str(), on))
            })
            .collect();
        if link.part.is_some() {
            // A fault of the output is in all of the value, so it comes before the part is taken.
            found.sort_by_key(|(_, _, fault)| fault.is_at_the_input);
        }
        found
    }
}

/// A fault that sits on a link.
struct FaultOn<'a> {
    kind: &'a SignalFault,
    is_at_the_input: bool,
}
