//! From a checked experiment to a graph of the kernel.
//!
//! What a scenario needs beside the system lives in the composite `_scenario`: callers of services,
//! timers of conditions, faults and what looks at the signals behind them.
//!
//! ```text
//! sensor.reading ──[fault]──► _scenario.fault-0 ──► controller.measured
//!                                             └───► _scenario.probe-0   (recorded as sensor.reading)
//! ```

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ironbird_component::{
    AddError, Instance, InstantiateError, Kind, ParameterKind, PartError, Place, Registry, Settings,
};
use ironbird_experiment::Experiment;
use ironbird_experiment::checked::{Act, Binding, Component, PortAt, Scenario};
use ironbird_kernel::{ComponentRef, Graph, GraphError, Parameter};
use ironbird_tasks::TimetableError;

use crate::computer::Substitutes;
use crate::programs::LinkPlaces;
use crate::timing::JobCalendar;

/// The composite that holds what belongs to the scenario.
pub const SCENARIO: &str = "_scenario";

/// Why a system could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A component cannot be made.
    #[error("\"{component}\": {error}")]
    Instantiate {
        /// Path of the component.
        component: String,
        /// Why.
        error: InstantiateError,
    },
    /// A component cannot be put into the system.
    #[error(transparent)]
    Add(#[from] AddError),
    /// The system is wrong.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Something of the scenario cannot be made.
    #[error("{name}: {error}")]
    Part {
        /// What it is.
        name: String,
        /// Why.
        error: PartError,
    },
    /// There is no such component type.
    #[error(transparent)]
    Type(#[from] ironbird_component::RegistryError),
    /// The tasks of its ECUs have no schedule.
    #[error("the file of tasks {file}: {error}")]
    Timing {
        /// The file.
        file: String,
        /// Why.
        error: TimetableError,
    },
    /// A signal that has no value at the start.
    #[error(
        "\"{port}\" shows nothing at the start: its reader cannot run on the simulation computer"
    )]
    NoSignal {
        /// The signal.
        port: String,
    },
    /// There are no tasks.
    #[error(
        "the experiment has no tasks for a simulation computer (write [timing] and give components `timing`)"
    )]
    NothingToCompute,
    /// Components come or go.
    #[error(
        "{what} \"{component}\" at {at}: components cannot come and go where several processes run the system; use \
         threads (--partitions), and no names as `placement`"
    )]
    NotInProcesses {
        /// What is done.
        what: &'static str,
        /// To whom.
        component: String,
        /// When.
        at: ironbird_kernel::Time,
    },
    /// There are no threads for the simulation computer.
    #[error("the simulation computer cannot start its threads: {0}")]
    Threads(String),
    /// The kernel cannot run it.
    #[error(transparent)]
    Kernel(#[from] ironbird_kernel::BuildError),
}

/// A graph and what of the scenario is in it.
pub struct Built {
    /// The graph.
    pub graph: Graph,
    /// Where the signals of outputs that may be faulty are seen.
    pub probes: Probes,
    /// The links that each fault sits on, by number of the fault.
    pub fault_links: FaultLinks,
}

/// Paths of components that show the signals of outputs behind their faults.
pub type Probes = BTreeMap<PortAt, String>;

/// Names of links by number of the fault.
pub type FaultLinks = Vec<Vec<String>>;

/// Who is linked to whom in one scenario of an experiment.
#[derive(Clone)]
pub struct Wiring {
    /// The experiment.
    pub experiment: Arc<Experiment>,
    /// Number of the scenario.
    pub scenario: usize,
    /// When the jobs of ECUs run, where the experiment has any.
    pub calendar: Option<Arc<JobCalendar>>,
    /// What stands in the place of components that run on the simulation computer.
    pub substitutes: Option<Arc<Substitutes>>,
    /// Where the links of programs are, once they are made.
    pub links: Option<LinkPlaces>,
    /// Where components may leave files: beside the recording.
    pub output: Option<PathBuf>,
}

impl Wiring {
    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.experiment.scenarios[self.scenario]
    }

    /// The component that owns a port.
    pub fn owner(&self, at: &PortAt) -> &Component {
        &self.experiment.components[at.component]
    }

    /// Builds all that is there from the start. Outputs in `seen` are looked at by somebody beside
    /// components.
    pub fn build(&self, registry: &Registry, seen: &[PortAt]) -> Result<Built, BuildError> {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.composite(root, SCENARIO)?;
        let mut probes = BTreeMap::new();
        let components = self.experiment.components.iter().enumerate();
        for (number, component) in components.filter(|(_, c)| c.dormant.is_none()) {
            if let Some(substitutes) = self.substitutes.as_ref().filter(|s| s.has(number)) {
                substitutes.place(&mut graph, (number, component), &mut probes)?;
                continue;
            }
            let instance = self.instantiate(registry, component)?;
            let made = place_in(&mut graph, component, instance)?;
            if let (Some(calendar), Kind::Periodic) =
                (self.calendar_of(component), component.description.kind)
            {
                graph.set_agenda(made, calendar)?;
            }
        }
        let mut fault_links = self.relays_on_outputs(&mut graph, seen, &mut probes)?;
        for link in self.experiment.links_in(self.scenario()) {
            let is_within = self.substitutes.as_ref().is_some_and(|s| s.carries(link));
            let ends = [&link.from, &link.to];
            if !is_within && ends.iter().all(|at| self.owner(at).dormant.is_none()) {
                self.link(&mut graph, link, &mut fault_links)?;
            }
        }
        for binding in self.bindings() {
            let both = [&binding.asker, &binding.provider];
            if both.iter().all(|at| self.owner(at).dormant.is_none()) {
                let asker = graph.find(&self.owner(&binding.asker).path)?;
                let provider = graph.find(&self.owner(&binding.provider).path)?;
                bind(&mut graph, binding, asker, provider)?;
            }
        }
        for binding in self.offers() {
            let asker = graph.find(&self.owner(&binding.asker).path)?;
            let provider = graph.find(&self.owner(&binding.provider).path)?;
            let asks = asker.port(&binding.asker.port);
            if binding.is_query() {
                graph.offer_query(asks, provider)?;
            } else {
                let service = provider.port(&binding.provider.port);
                graph.offer_call(asks, service, binding.latency)?;
            }
        }
        Ok(Built { graph, probes, fault_links })
    }

    /// Makes one component with the parameters that it has in this scenario.
    pub fn instantiate(
        &self,
        registry: &Registry,
        component: &Component,
    ) -> Result<Box<dyn Instance>, BuildError> {
        let mut settings = component.settings.clone();
        for (number, parameter, value) in &self.scenario().initial {
            if self.experiment.components[*number].path == component.path {
                settings.insert(parameter.clone(), value.clone());
            }
        }
        if let Some(links) = &self.links {
            links.name(&self.experiment, component, &mut settings);
        }
        self.name_logs(component, &mut settings);
        let place = Place { folder: &component.folder };
        let made = registry.get(&component.type_name)?.instantiate(&settings, &place);
        made.map_err(|error| BuildError::Instantiate { component: component.path.clone(), error })
    }

    /// Gives a component that writes a log, and was told no other, one of its own name.
    fn name_logs(&self, component: &Component, settings: &mut Settings) {
        let Some(output) = &self.output else { return };
        let logs = component.description.parameters.iter().filter(|p| p.kind == ParameterKind::Log);
        for log in logs.filter(|log| !component.settings.contains_key(&log.path)) {
            let file = output.join(format!("{}.log", component.path));
            let file = file.to_string_lossy().into_owned();
            settings.insert(log.path.clone(), Parameter::Text(file));
        }
    }

    /// The bindings of the system, as the scenario changes them.
    pub fn bindings(&self) -> Vec<&Binding> {
        self.experiment.bindings_in(self.scenario())
    }

    /// Whether both sides of a binding are there from the start, so that an action can bind them.
    pub fn can_act(&self, binding: &Binding) -> bool {
        [&binding.asker, &binding.provider].iter().all(|at| self.owner(at).dormant.is_none())
    }

    /// Bindings that the scenario may make later, each once, beside those that hold at the start.
    fn offers(&self) -> Vec<&Binding> {
        let scenario = self.scenario();
        let timed = scenario.actions.iter().flat_map(|timed| &timed.acts);
        let acts = timed.chain(scenario.triggers.iter().flat_map(|trigger| &trigger.acts));
        let same = |a: &Binding, b: &Binding| a.asker == b.asker && a.provider == b.provider;
        let at_start = self.bindings();
        let mut offers: Vec<&Binding> = Vec::new();
        for act in acts {
            let Act::Bind(binding) = act else { continue };
            let known = at_start.iter().chain(&offers).any(|other| same(other, binding));
            if !known && self.can_act(binding) {
                offers.push(binding);
            }
        }
        offers
    }

    /// All who may answer the calls of one component, now or later.
    pub fn candidates(&self, asker: &PortAt) -> Vec<&Binding> {
        let all = self.bindings().into_iter().chain(self.offers());
        all.filter(|binding| binding.asker == *asker && self.can_act(binding)).collect()
    }
}

/// The composite at a path; it and those on the way are made where they are missing.
pub fn composite_at(graph: &mut Graph, path: &str) -> Result<ComponentRef, BuildError> {
    if let Some(found) = graph.get(path) {
        return Ok(found);
    }
    let (parent, name) = match path.rsplit_once('.') {
        Some((parent, name)) => (composite_at(graph, parent)?, name),
        None => (graph.root(), path),
    };
    Ok(graph.composite(parent, name)?)
}

/// Puts an instance where its path says; composites on the way are made.
pub fn place_in(
    graph: &mut Graph,
    component: &Component,
    instance: Box<dyn Instance>,
) -> Result<ComponentRef, BuildError> {
    let (parent, name) = match component.path.rsplit_once('.') {
        Some((parent, name)) => (composite_at(graph, parent)?, name),
        None => (graph.root(), component.path.as_str()),
    };
    let made = instance.add_to(graph, parent, name, component.rate)?;
    if let Some(priority) = component.priority {
        graph.set_priority(made, priority)?;
    }
    Ok(made)
}

/// Binds a query to its provider, or a call to its service.
pub fn bind(
    graph: &mut Graph,
    binding: &Binding,
    asker: ComponentRef,
    provider: ComponentRef,
) -> Result<(), GraphError> {
    if binding.is_query() {
        return graph.bind_query(asker.port(&binding.asker.port), provider);
    }
    let service = provider.port(&binding.provider.port);
    graph.bind_call(asker.port(&binding.asker.port), service, binding.latency)
}
