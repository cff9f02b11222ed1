//! An experiment that was checked: everything is resolved, typed and in the units that the component
//! types declare. It can only be made by [`crate::check`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use ironbird_component::{Description, Interface, Part, Settings};
use ironbird_formula::Checked as Formula;
use ironbird_kernel::{Duration, Parameter, Rate, Sampling, Time};
use ironbird_tasks::{System, TaskId};

use ironbird_units::Unit;

use ironbird_document::Place;

use crate::programs::Programs;

/// A checked experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What it is called.
    pub title: String,
    /// What it is about.
    pub doc: String,
    /// Components, in the order of their paths.
    pub components: Vec<Component>,
    /// Paths of composites.
    pub composites: BTreeMap<String, Place>,
    /// Links between components.
    pub links: Vec<Link>,
    /// Who answers whose queries and calls.
    pub bindings: Vec<Binding>,
    /// Parameters that follow others.
    pub followers: Vec<Follower>,
    /// The computers that the control software runs on.
    pub timing: Option<Timing>,
    /// Other programs that are started with a run.
    pub programs: Programs,
    /// What happens: at least one scenario.
    pub scenarios: Vec<Scenario>,
    /// The flat file: templates, arrays and extended files resolved.
    pub resolved: String,
}

/// The computers that the control software runs on, and how its jobs take their time.
#[derive(Clone, Debug)]
pub struct Timing {
    /// ECUs and their tasks.
    pub system: Arc<System>,
    /// The file that describes them.
    pub file: PathBuf,
    /// How long jobs take.
    pub times: JobTimes,
    /// How many cores of the simulation computer run jobs, where they run apart from the rest.
    pub cores: usize,
}

/// How long jobs take, between their best and their worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobTimes {
    /// All at their worst.
    Worst,
    /// All at their best.
    Best,
    /// Each as it is drawn, from the seed of the run.
    Drawn,
}

/// Where a component is advanced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// By the thread of this partition.
    Partition(usize),
    /// By the process of this name.
    Process(String),
}

/// A component.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its path.
    pub path: String,
    /// How many components were written before it: the order of pictures and of the flat file.
    pub written: usize,
    /// Name of its type.
    pub type_name: String,
    /// What its type says of itself.
    pub description: Arc<Description>,
    /// What it shows.
    pub interface: Arc<Interface>,
    /// Its parameters.
    pub settings: Settings,
    /// The folder that its files are in.
    pub folder: PathBuf,
    /// Its rate, if one was given.
    pub rate: Option<Rate>,
    /// How much later what it gives reaches others.
    pub delay: Duration,
    /// Goes first where periodic components read each other in a circle.
    pub priority: Option<i32>,
    /// The task of an ECU that it is.
    pub task: Option<TaskId>,
    /// Where it is to be advanced.
    pub placement: Option<Placement>,
    /// The component or composite with which it is spawned, if it is not there from the start.
    pub dormant: Option<String>,
    /// Where it was written.
    pub place: Place,
}

/// A port of a component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PortAt {
    /// Number of the component.
    pub component: usize,
    /// Name of the port.
    pub port: String,
}

/// A link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Where values come from.
    pub from: PortAt,
    /// The part of them that is carried, if not all.
    pub part: Option<Part>,
    /// Where they go.
    pub to: PortAt,
    /// How long they take.
    pub latency: Duration,
    /// Whether the reader sees the value of an earlier instant.
    pub previous: bool,
    /// Where it was written.
    pub place: Place,
}

/// A parameter that follows another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Follower {
    /// Number of the component that leads, and its parameter.
    pub leader: PortAt,
    /// Number of the component that follows, and its parameter.
    pub follower: PortAt,
    /// Whether it follows one instant later.
    pub previous: bool,
}

/// Who answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Who asks or calls, and the name of the query or required service there.
    pub asker: PortAt,
    /// Who answers; the service, or nothing for a query.
    pub provider: PortAt,
    /// How long a call and its reply take.
    pub latency: Duration,
    /// Where it was written.
    pub place: Place,
}

impl Binding {
    /// Whether it is a query that is answered, not a call.
    pub fn is_query(&self) -> bool {
        self.provider.port.is_empty()
    }
}

/// One way to run the system.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name; none if the file has no scenarios.
    pub name: Option<String>,
    /// When it ends.
    pub duration: Duration,
    /// What its random numbers are derived from.
    pub seed: u64,
    /// How many times it is run.
    pub repeat: u64,
    /// Parameters that differ from those of the system from the start.
    pub initial: Vec<(usize, String, Parameter)>,
    /// Bindings that replace those of the system.
    pub bindings: Vec<Binding>,
    /// Links that replace those of the system at the same inputs.
    pub links: Vec<Link>,
    /// What happens when; in the order of the file.
    pub actions: Vec<Timed>,
    /// What happens on a condition.
    pub triggers: Vec<Trigger>,
    /// What breaks.
    pub faults: Vec<Fault>,
    /// What ends the run.
    pub stops: Vec<Stop>,
    /// What is required.
    pub requirements: Vec<Requirement>,
    /// What is recorded.
    pub records: Vec<Recorded>,
    /// What happens at the end, after everything else.
    pub end: Vec<Act>,
}

/// Something that happens at an instant.
#[derive(Clone, Debug)]
pub struct Timed {
    /// Its name.
    pub name: String,
    /// When.
    pub at: Time,
    /// What, in this order.
    pub acts: Vec<Act>,
    /// Where it was written.
    pub place: Place,
}

/// Something that happens when a condition becomes true.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// Its name.
    pub name: String,
    /// When.
    pub condition: Condition,
    /// What, in this order.
    pub acts: Vec<Act>,
    /// Where it was written.
    pub place: Place,
}

/// A condition on signals.
#[derive(Clone, Debug)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// What it says. Signals are numbered as in `signals`.
    pub formula: Formula,
    /// The signals in it.
    pub signals: Vec<Signal>,
}

/// A signal, or a part of one, in a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// As it was written.
    pub path: String,
    /// Whose output it is.
    pub port: PortAt,
    /// The leaves in question: first and number.
    pub leaves: (usize, usize),
    /// Whether it is a trajectory, which stands for a number at each instant.
    pub continuous: bool,
    /// What it is measured in.
    pub unit: Unit,
}

/// What a scenario does.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Changes a parameter.
    Set {
        /// Number of the component.
        component: usize,
        /// Path of the parameter, or of one of its leaves.
        parameter: String,
        /// Its new value.
        value: Parameter,
    },
    /// Changes a rate.
    SetRate {
        /// Number of the component.
        component: usize,
        /// Its new rate.
        rate: Rate,
    },
    /// Calls a service.
    Call {
        /// Who provides it, and its name.
        service: PortAt,
        /// The argument.
        argument: Vec<u8>,
    },
    /// Lets somebody else answer from now on.
    Bind(Binding),
    /// Stops a component or all in a composite.
    Stop(String),
    /// Starts it again.
    Start(String),
    /// Puts it back to its initial state.
    Reset(String),
    /// Adds what is declared with `enabled = false`.
    Spawn(String),
    /// Takes it out.
    Remove(String),
}

/// What is broken, where and when.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Its name, which keys its random numbers.
    pub name: String,
    /// What is broken.
    pub target: FaultTarget,
    /// When it acts.
    pub window: Window,
    /// Where it was written.
    pub place: Place,
}

/// What is broken.
#[derive(Clone, Debug)]
pub enum FaultTarget {
    /// Everything that leaves an output.
    Output(PortAt, SignalFault),
    /// What one input sees.
    Input(PortAt, SignalFault),
    /// A component, or all in a composite, makes no steps.
    Component(String),
}

/// How a signal is broken.
#[derive(Clone, Debug, PartialEq)]
pub struct SignalFault {
    /// What is done to its values.
    pub kind: FaultKind,
    /// First leaf and number of leaves that are hit.
    pub leaves: (usize, usize),
    /// Whether the signal is a trajectory, which stands for a number at each instant.
    pub continuous: bool,
}

/// What a fault does to a value. Numbers are in the unit of the signal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultKind {
    /// It is replaced.
    Override(f64),
    /// Something is added.
    Bias(f64),
    /// It is multiplied.
    Scale(f64),
    /// It stays as it was when the fault began.
    Stuck,
    /// It comes later.
    Delay(Duration),
    /// It is lost with this probability; a signal then keeps its value.
    Drop(f64),
    /// Normally distributed noise of this standard deviation is added.
    Noise(f64),
}

/// When a fault acts.
#[derive(Clone, Debug)]
pub enum Window {
    /// From one instant to before another.
    Times(Time, Time),
    /// While a condition holds.
    While(Condition),
    /// Between two commands of those who watch the run.
    Commanded,
}

/// What ends a run.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Its name.
    pub name: String,
    /// When.
    pub condition: Condition,
    /// Where it was written.
    pub place: Place,
}

/// What must hold.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// Its name.
    pub name: String,
    /// What it says.
    pub condition: Condition,
    /// Whether the run ends as soon as it is violated.
    pub stop: bool,
    /// Where it was written.
    pub place: Place,
}

/// An output that is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Whose.
    pub port: PortAt,
    /// When its value is taken.
    pub sampling: Sampling,
    /// Where it was written.
    pub place: Place,
}

impl Experiment {
    /// The numbers of all components, in the order in which they were written.
    pub fn as_written(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.components.len()).collect();
        numbers.sort_by_key(|&number| self.components[number].written);
        numbers
    }

    /// The names of the processes that components are placed in, in the order in which they were first written.
    pub fn processes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for number in self.as_written() {
            if let Some(Placement::Process(name)) = &self.components[number].placement
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        }
        names
    }

    /// The links of the system, as a scenario changes them.
    pub fn links_in<'a>(&'a self, scenario: &'a Scenario) -> impl Iterator<Item = &'a Link> {
        let replaced: BTreeSet<&PortAt> = scenario.links.iter().map(|link| &link.to).collect();
        let kept = self.links.iter().filter(move |link| !replaced.contains(&link.to));
        kept.chain(&scenario.links)
    }

    /// The bindings of the system, as a scenario changes them.
    pub fn bindings_in<'a>(&'a self, scenario: &'a Scenario) -> Vec<&'a Binding> {
        let mut chosen: Vec<&Binding> = Vec::new();
        for binding in self.bindings.iter().chain(&scenario.bindings) {
            chosen.retain(|other| other.asker != binding.asker);
            chosen.push(binding);
        }
        chosen
    }

    /// The component at a path.
    pub fn component(&self, path: &str) -> Option<&Component> {
        self.components.iter().find(|component| component.path == path)
    }

    /// `path.port`
    pub fn port_name(&self, port: &PortAt) -> String {
        format!("{}.{}", self.components[port.component].path, port.port)
    }

    /// Where a component or composite was written.
    pub fn place_of(&self, path: &str) -> Option<&Place> {
        let component = self.component(path).map(|component| &component.place);
        component.or_else(|| self.composites.get(path))
    }
}
