//! Planning: which engine carries out which action, and which one looks at which monitor.

use std::collections::BTreeMap;

use crate::action::{Action, ScheduledAction};
use crate::engine::{Engine, LocalMonitor, PlannedAction, Sites, Target};
use crate::error::GraphError;
use crate::flatten::Flat;
use crate::graph::{ComponentKind, ComponentRef, Graph};
use crate::monitor::{Response, targets};
use crate::placement::Placed;
use crate::simulation::{Options, Simulation};
use crate::time::Time;

impl Simulation {
    pub(crate) fn check_action(&self, action: &Action) -> Result<(), GraphError> {
        if let Action::SetLinkParameter { link, .. } = action {
            if self.graph.link_names().any(|name| name == link) {
                return Ok(());
            }
            let near = crate::path::nearest(link, self.graph.link_names().map(String::as_str));
            let nearest = near.map(Into::into);
            return Err(GraphError::NoSuchLink { name: link.clone(), nearest });
        }
        let component = self.graph.find(action.target())?;
        let path = || action.target().to_owned();
        match (action, &self.graph.components[component.0 as usize]) {
            (Action::SetParameter { .. }, ComponentKind::Composite(_)) => {
                Err(GraphError::NoParameters { path: path() })
            }
            (Action::SetRate { .. }, ComponentKind::Model(model)) if model.periodic().is_some() => {
                Ok(())
            }
            (Action::SetRate { .. }, _) => Err(GraphError::NotPeriodic { path: path() }),
            (Action::Bind { query, provider, .. }, _) => {
                self.offered(component, query, provider).map(|_| ())
            }
            (Action::SetParameter { .. }, ComponentKind::Provider(_)) => Ok(()),
            (_, ComponentKind::Provider(_)) => Err(GraphError::OnlyAnswers { path: path() }),
            _ => Ok(()),
        }
    }

    /// The number of a query and of the provider that was offered for it.
    fn offered(
        &self,
        asker: ComponentRef,
        query: &str,
        provider: &str,
    ) -> Result<(u16, u32), GraphError> {
        let number = self.graph.query_of(asker.port(query))?;
        let found = self.graph.find(provider)?.0;
        let mut known = self.graph.bindings.iter().chain(&self.graph.offers);
        match known.any(|b| (b.component, b.query, b.provider) == (asker.0, number, found)) {
            true => Ok((number, found)),
            false => Err(GraphError::NotOffered {
                asker: format!("{}.{query}", self.graph.path(asker)),
                provider: provider.into(),
            }),
        }
    }

    /// Where everything is, found again from the engines.
    pub(crate) fn sites(&self, flat: &Flat, placed: &Placed) -> Sites {
        let mut sites = Sites {
            nodes: vec![(0, 0); flat.nodes.len()],
            far_pipes: vec![None; flat.links.len()],
            near_pipes: vec![None; flat.links.len()],
        };
        debug_assert!(placed.report.partitions <= self.engines.len());
        for (partition, engine) in self.engines.iter().enumerate() {
            for local in 0..engine.nodes.len() as u32 {
                let node = flat.node_of[engine.paths.component(local) as usize];
                sites.nodes[node as usize] = (partition as u32, local);
            }
            for (number, pipe) in engine.pipes.iter().enumerate() {
                if pipe.slot != crate::store::NONE {
                    sites.far_pipes[pipe.link as usize] = Some((partition as u32, number as u32));
                }
                if pipe.source != crate::store::NONE {
                    sites.near_pipes[pipe.link as usize] = Some(number as u32);
                }
            }
        }
        sites
    }

    /// Gives each engine its part of the actions that are still to come.
    pub(crate) fn plan_actions(&mut self, flat: &Flat, sites: &Sites) -> Result<(), GraphError> {
        let mut per_engine: Vec<Vec<PlannedAction>> = vec![Vec::new(); self.engines.len()];
        let first = self.script.partition_point(|scheduled| scheduled.at < self.now);
        for ScheduledAction { at, action } in &self.script[first..] {
            // What acts on a component that is gone, or not there yet, is planned when it is.
            if self.check_action(action).is_err() {
                continue;
            }
            for (engine, planned) in self.plan(flat, sites, *at, action)? {
                per_engine[engine].push(planned);
            }
        }
        let here = self.span.as_ref().map(|span| span.number());
        for (number, (engine, actions)) in self.engines.iter_mut().zip(per_engine).enumerate() {
            // Only the process of a component knows whether it can be reset.
            let here = here.is_none_or(|here| here == number);
            for planned in actions.iter().filter(|_| here) {
                check_reset(&self.graph, &self.options, engine, planned)?;
            }
            (engine.actions, engine.next_action) = (actions, 0);
        }
        self.planned = true;
        Ok(())
    }

    /// An action with its targets, for each engine that has any.
    fn plan(
        &self,
        flat: &Flat,
        sites: &Sites,
        at: Time,
        action: &Action,
    ) -> Result<Vec<(usize, PlannedAction)>, GraphError> {
        let mut parts: BTreeMap<usize, Target> = BTreeMap::new();
        if let Action::SetLinkParameter { link, .. } = action {
            for (number, flat_link) in flat.links.iter().enumerate() {
                let named = |attributes: &u32| {
                    let interposer = &self.graph.attributes[*attributes as usize].interposer;
                    interposer.as_ref().is_some_and(|(name, _)| name == link)
                };
                if let Some(pipe) = sites.near_pipes[number]
                    && flat.chains[flat_link.chain as usize].iter().any(named)
                {
                    let engine = sites.nodes[flat_link.from as usize].0 as usize;
                    let part = parts.entry(engine).or_insert_with(|| Target::Pipes(Vec::new()));
                    if let Target::Pipes(pipes) = part {
                        pipes.push(pipe);
                    }
                }
            }
        } else if let Action::Bind { component, query, provider } = action {
            let asker = self.graph.find(component)?;
            let (query, provider) = self.offered(asker, query, provider)?;
            let (engine, node) = sites.nodes[flat.node_of[asker.0 as usize] as usize];
            if self.engines[engine as usize].replica_of.contains_key(&provider) {
                parts.insert(engine as usize, Target::Query { node, query, provider });
            }
        } else {
            let component = self.graph.find(action.target())?;
            for node in targets(&self.graph, flat, action)? {
                let (engine, local) = sites.nodes[node as usize];
                let part =
                    parts.entry(engine as usize).or_insert_with(|| Target::Nodes(Vec::new()));
                if let Target::Nodes(nodes) = part {
                    nodes.push(local);
                }
            }
            for (number, engine) in self.engines.iter().enumerate() {
                if let Some(&replica) = engine.replica_of.get(&component.0) {
                    parts.insert(number, Target::Replica(replica));
                }
            }
        }
        let planned =
            |(engine, target)| (engine, PlannedAction { at, action: action.clone(), target });
        Ok(parts.into_iter().map(planned).collect())
    }

    pub(crate) fn plan_monitors(&mut self, flat: &Flat, sites: &Sites) -> Result<(), GraphError> {
        let first_monitor = self.taps.len() as u32;
        for index in 0..self.graph.monitors.len() {
            let nodes = self.graph.monitors[index].nodes(&self.graph, flat)?;
            let Some(&first) = nodes.first() else { continue };
            let engine_number = sites.nodes[first as usize].0 as usize;
            let actions = match &self.graph.monitors[index].response {
                Response::Stop => None,
                Response::Act(actions) => {
                    let mut planned = Vec::new();
                    for action in actions.clone() {
                        self.check_action(&action)?;
                        for (engine, part) in self.plan(flat, sites, Time::ZERO, &action)? {
                            if engine == engine_number {
                                planned.push(part);
                            }
                        }
                    }
                    Some(planned)
                }
            };
            let here = self.is_here(engine_number);
            let (mut slots, mut places) = (Vec::new(), Vec::new());
            let engine = &mut self.engines[engine_number];
            for watched in &self.graph.monitors[index].watched {
                let (component, port) = self.graph.output_of(&watched.component, &watched.port)?;
                let (_, local) = sites.nodes[flat.node_of[component as usize] as usize];
                let (slot, place) = engine.watch(local, port);
                slots.push(slot);
                places.push(place);
            }
            for planned in actions.iter().flatten().filter(|_| here) {
                check_reset(&self.graph, &self.options, engine, planned)?;
            }
            let monitor = &mut self.graph.monitors[index];
            if let Some(condition) = monitor.condition.take() {
                let held = monitor.held;
                let name = monitor.name.clone();
                let number = first_monitor + index as u32;
                let local = LocalMonitor { name, number, condition, slots, places, actions, held };
                engine.observation.monitors.push(local);
            }
        }
        Ok(())
    }
}

/// A component that is to be reset must have an initial state.
fn check_reset(
    graph: &Graph,
    options: &Options,
    engine: &Engine,
    planned: &PlannedAction,
) -> Result<(), GraphError> {
    let (Action::Reset { .. }, Target::Nodes(nodes)) = (&planned.action, &planned.target) else {
        return Ok(());
    };
    match nodes.iter().find(|node| !engine.initial_states.contains_key(node)) {
        None => Ok(()),
        Some(&node) => {
            let path = graph.path(ComponentRef(engine.paths.component(node)));
            Err(if options.resettable {
                GraphError::CannotReset { path }
            } else {
                GraphError::NotKept { path }
            })
        }
    }
}
