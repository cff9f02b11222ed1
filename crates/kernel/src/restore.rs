//! Taking a run apart and putting it together again: for checkpoints, and when the system changes.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::checkpoint::{
    Checkpoint, CheckpointError, ComponentState, LoadError, PipeKey, PipeState, RunState,
    SaveError, StateReader, StateWriter,
};
use crate::engine::{Engine, Node, Parcels, link_keys};
use crate::flatten::Flat;
use crate::graph::{ComponentKind, ComponentRef, End, Graph};
use crate::simulation::{BuildError, Options, Simulation};
use crate::store::NONE;

/// A hash of everything that must be equal for a state to fit: paths, kinds, ports and links.
pub(crate) fn fingerprint(graph: &Graph, flat: &Flat) -> u64 {
    let mut text = String::new();
    for &component in &flat.nodes {
        let layout = graph.layout_of(component);
        text.push_str(&graph.path(ComponentRef(component)));
        if let Some(model) = graph.model(ComponentRef(component)) {
            let kind = match (model.periodic(), model.run_ahead) {
                (Some(_), _) => "periodic",
                (None, true) => "run-ahead",
                (None, false) => "event-driven",
            };
            text.push_str(&format!(" {kind}"));
        }
        for spec in layout.inputs.iter().chain(&layout.outputs) {
            text.push_str(&format!("\n {} {} {}", spec.name, spec.kind, spec.value.schema()));
        }
        text.push_str(&format!("\n {:?}\n", layout.streams));
    }
    for link in &flat.links {
        let (from, to) = flat.ends(graph, link);
        text.push_str(&format!("{from} {to} {}", link.latency));
        for &attributes in &flat.chains[link.chain as usize] {
            let interposer = &graph.attributes[attributes as usize].interposer;
            text.extend(interposer.iter().flat_map(|(name, _)| [" via ", name]));
            if let Some(selection) = &graph.attributes[attributes as usize].selection {
                text.push_str(&format!(" {selection:?}"));
            }
        }
        text.push('\n');
    }
    for binding in &graph.bindings {
        let (asker, provider) = (ComponentRef(binding.component), ComponentRef(binding.provider));
        text.push_str(&format!("{} {} ", graph.path(asker), binding.query));
        text.push_str(&format!("{}\n", graph.path(provider)));
    }
    text.extend(graph.monitors.iter().flat_map(|monitor| [&monitor.name, "\n"]));
    xxh3_64(text.as_bytes())
}

/// Names of all links, numbered where two join the same ports.
fn pipe_keys(graph: &Graph, flat: &Flat) -> Vec<PipeKey> {
    let name = |component, port, input| graph.end_name(End { component, port, input });
    link_keys(flat)
        .into_iter()
        .map(|(from, from_port, to, to_port, number)| PipeKey {
            from: name(from, from_port, false),
            to: name(to, to_port, true),
            number,
        })
        .collect()
}

/// What is in each link that has a pipe: the far end holds values, the near end interposers.
fn pipe_states(
    engines: &[Engine],
    links: usize,
) -> Result<Vec<Option<PipeState>>, (u32, SaveError)> {
    let mut states: Vec<Option<PipeState>> = vec![None; links];
    for engine in engines {
        for (number, pipe) in engine.pipes.iter().enumerate() {
            let part = engine.export_pipe(number as u32).map_err(|error| (pipe.link, error))?;
            let state = states[pipe.link as usize].get_or_insert_default();
            if pipe.slot != NONE {
                state.in_flight = part.in_flight;
                state.value = part.value;
            }
            if pipe.source != NONE {
                state.interposers = part.interposers;
            }
        }
    }
    Ok(states)
}

/// Saves a run: `writer` makes what takes the state of each model.
pub(crate) fn save(
    simulation: &Simulation,
    writer: fn() -> StateWriter,
) -> Result<Checkpoint, CheckpointError> {
    if let Some(outcome) = &simulation.ended {
        return Err(CheckpointError::Ended { reason: format!("{outcome:?}") });
    }
    let graph = &simulation.graph;
    let flat = Flat::new(graph)?;
    let mut cannot = Vec::new();
    let mut components = Vec::new();
    let mut providers = BTreeMap::new();
    let mut monitors = Vec::new();
    for engine in &simulation.engines {
        for node in 0..engine.nodes.len() as u32 {
            let path = engine.paths.path(node);
            let mut state = engine.export(node);
            let mut writer = writer();
            match engine.save_model(node, &mut writer) {
                Ok(()) => {
                    let (model, kept) = writer.into_parts();
                    (state.model, state.kept) = (Some(model), kept);
                }
                Err(SaveError::Failed(why)) => cannot.push(format!("{path} ({why})")),
                Err(SaveError::Unsupported | SaveError::InMemoryOnly) => cannot.push(path.clone()),
            }
            components.push((path, state));
        }
        for (&component, &replica) in &engine.replica_of {
            let path = graph.path(ComponentRef(component));
            let mut writer = StateWriter::default();
            match engine.surroundings.replicas[replica as usize].save(&mut writer) {
                Ok(()) => drop(providers.insert(path, writer.into_bytes())),
                Err(_) => cannot.push(path),
            }
        }
        let held = engine.observation.monitors.iter().map(|m| (m.name.clone(), m.held));
        monitors.extend(held);
    }
    let keys = pipe_keys(graph, &flat);
    let mut pipes = Vec::new();
    match pipe_states(&simulation.engines, flat.links.len()) {
        Ok(states) => {
            let present = keys.iter().zip(states).filter_map(|(key, state)| Some((key, state?)));
            pipes.extend(present.map(|(key, state)| (key.clone(), state)));
        }
        Err((link, _)) => {
            let key = &keys[link as usize];
            cannot.push(format!("the link {} -> {}", key.from, key.to));
        }
    }
    if !cannot.is_empty() {
        cannot.sort_by(|a, b| crate::path::compare_paths(a, b));
        cannot.dedup();
        return Err(CheckpointError::CannotSave { components: cannot });
    }
    // In path order, so that the bytes do not depend on placement.
    components.sort_by(|a, b| crate::path::compare_paths(&a.0, &b.0));
    monitors.sort();
    Ok(Checkpoint {
        fingerprint: fingerprint(graph, &flat),
        state: RunState {
            now: simulation.now,
            seed: simulation.options.seed,
            components,
            pipes,
            providers: providers.into_iter().collect(),
            monitors,
            retired: simulation.retired.clone(),
        },
    })
}

pub(crate) fn restore(
    mut graph: Graph,
    mut options: Options,
    checkpoint: &Checkpoint,
) -> Result<Simulation, CheckpointError> {
    // What actions have bound since counts more than what the graph was made with.
    graph.bound_anew.clear();
    let state = &checkpoint.state;
    let flat = Flat::new(&graph)?;
    if fingerprint(&graph, &flat) != checkpoint.fingerprint {
        return Err(CheckpointError::OtherGraph { difference: difference(&graph, &flat, state) });
    }
    options.seed = state.seed;
    for (path, bytes) in &state.providers {
        let component = graph.find(path)?;
        if let ComponentKind::Provider(spec) = &mut graph.components[component.0 as usize] {
            let mut reader = StateReader::new(bytes);
            let loaded = spec.provider.load(&mut reader).and_then(|()| reader.finish());
            loaded.map_err(|error| CheckpointError::Load { component: path.clone(), error })?;
        }
    }
    for monitor in &mut graph.monitors {
        monitor.held = state.monitors.iter().any(|(name, held)| *name == monitor.name && *held);
    }
    let mut saved: BTreeMap<&str, &ComponentState> =
        state.components.iter().map(|(path, state)| (path.as_str(), state)).collect();
    let mut parcels = Parcels::default();
    for &component in &flat.nodes {
        let path = graph.path(ComponentRef(component));
        let Some(state) = saved.remove(path.as_str()) else { continue };
        let Some(fresh) = graph.model_mut(component).and_then(|m| m.take_fresh()) else {
            continue;
        };
        parcels.models.insert(component, (fresh.model, state.clone()));
    }
    let mut pipes: BTreeMap<&PipeKey, &PipeState> =
        state.pipes.iter().map(|(key, state)| (key, state)).collect();
    let keys = pipe_keys(&graph, &flat);
    for (number, key) in link_keys(&flat).into_iter().enumerate() {
        if let Some(state) = pipes.remove(&keys[number]) {
            parcels.pipes.insert(key, (state.clone(), None));
        }
    }
    let built = Simulation::build(graph, options, state.now, None, |_, _| parcels);
    let mut simulation = built.map_err(|error| match error {
        BuildError::Graph(error) => CheckpointError::Graph(error),
        BuildError::Fault(fault) => CheckpointError::Load {
            component: "a component".into(),
            error: LoadError::Failed(fault.to_string()),
        },
    })?;
    restore_interposers(&mut simulation, &flat, &keys, state)?;
    simulation.retired = state.retired.clone();
    Ok(simulation)
}

fn restore_interposers(
    simulation: &mut Simulation,
    flat: &Flat,
    keys: &[PipeKey],
    state: &RunState,
) -> Result<(), CheckpointError> {
    debug_assert_eq!(keys.len(), flat.links.len());
    let saved: BTreeMap<&PipeKey, &PipeState> =
        state.pipes.iter().map(|(key, state)| (key, state)).collect();
    for engine in &mut simulation.engines {
        for number in 0..engine.pipes.len() as u32 {
            let pipe = &engine.pipes[number as usize];
            let key = &keys[pipe.link as usize];
            if pipe.source == NONE || pipe.interposer.is_none() {
                continue;
            }
            if let Some(state) = saved.get(key) {
                engine.import_interposers(number, state).map_err(|error| {
                    CheckpointError::Load {
                        component: format!("the link {} -> {}", key.from, key.to),
                        error,
                    }
                })?;
            }
        }
    }
    Ok(())
}

/// What a user would look at first.
fn difference(graph: &Graph, flat: &Flat, state: &RunState) -> String {
    let here: Vec<String> = flat.nodes.iter().map(|&c| graph.path(ComponentRef(c))).collect();
    for (path, _) in &state.components {
        if !here.contains(path) {
            return format!("it has a component \"{path}\" that is not here");
        }
    }
    for path in &here {
        if !state.components.iter().any(|(other, _)| other == path) {
            return format!("it has no component \"{path}\"");
        }
    }
    "its components are the same, their ports or links are not".into()
}

/// Takes engines apart and keeps what goes on: models, states, pipes, monitors and providers.
pub(crate) fn dissolve(simulation: &mut Simulation, engines: Vec<Engine>, parcels: &mut Parcels) {
    // Links as they were, by component number, from the pipes of the old engines.
    let mut far = BTreeMap::new();
    let mut near = BTreeMap::new();
    for mut engine in engines {
        let count = engine.nodes.len() as u32;
        for (number, pipe) in engine.pipes.iter_mut().enumerate() {
            let key = pipe.key;
            if pipe.source != NONE
                && let Some(interposer) = pipe.interposer.take()
            {
                near.insert(key, interposer);
            }
            if pipe.slot != NONE {
                far.insert(key, number as u32);
            }
        }
        for (key, number) in std::mem::take(&mut far) {
            // Without interposers nothing in a pipe refuses to be written.
            if let Ok(state) = engine.export_pipe(number) {
                parcels.pipes.insert(key, (state, None));
            }
        }
        let states: Vec<ComponentState> = (0..count).map(|node| engine.export(node)).collect();
        for (key, samples) in engine.take_samples() {
            simulation.keep_samples(key, samples);
        }
        for monitor in engine.observation.monitors.drain(..) {
            let monitors = &mut simulation.graph.monitors;
            if let Some(home) = monitors.iter_mut().find(|m| m.name == monitor.name) {
                home.condition = Some(monitor.condition);
                home.held = monitor.held;
            }
        }
        let paths = std::mem::take(&mut engine.paths);
        for (&component, &replica) in &engine.replica_of {
            let replica = engine.surroundings.replicas[replica as usize].replicate();
            if let ComponentKind::Provider(spec) =
                &mut simulation.graph.components[component as usize]
            {
                spec.provider = replica;
            }
        }
        let nodes = std::mem::take(&mut engine.nodes);
        for (node, (Node { model, .. }, state)) in nodes.into_iter().zip(states).enumerate() {
            let component = paths.component(node as u32);
            if simulation.graph.model(ComponentRef(component)).is_some() {
                parcels.models.insert(component, (model, state));
            } else {
                simulation.retire(paths.path(node as u32), state.digests);
            }
        }
    }
    for (key, interposer) in near {
        parcels.pipes.entry(key).or_default().1 = Some(interposer);
    }
}
