//! The components of one task in a simulation of their own, which makes one step for each job.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ironbird_component::{Instance, PartError, ValueType};
use ironbird_experiment::checked::{Component, Link as CheckedLink, PortAt};
use ironbird_kernel::{Duration, Graph, Link, Options, Outcome, Selection, Simulation};

use crate::build::{BuildError, place_in};
use crate::timing::TaskCalendar;

/// The composite that holds what feeds the components and what catches what they give.
const GATES: &str = "_gates";

/// Values on their way into a job, or out of it.
type Slots = Arc<Mutex<Vec<Vec<u8>>>>;

/// The components of one task.
pub struct Cell {
    simulation: Simulation,
    calendar: Arc<TaskCalendar>,
    given: Slots,
    caught: Slots,
}

/// An input that comes from elsewhere, and what it is at first.
pub struct FedInput {
    /// Which one.
    pub at: PortAt,
    /// Its type.
    pub value: ValueType,
    /// What it is at first.
    pub first: Vec<u8>,
}

/// What a cell is made of.
pub struct CellPlan<'a> {
    /// The components of the task, by number, ready to be placed.
    pub components: BTreeMap<usize, (&'a Component, Box<dyn Instance>)>,
    /// Links among them, each with what takes the part that it carries.
    pub links: Vec<(&'a CheckedLink, Option<Selection>)>,
    /// What comes from elsewhere.
    pub inputs: Vec<FedInput>,
    /// What is given to others.
    pub outputs: Vec<(PortAt, ValueType)>,
    /// When jobs start.
    pub calendar: Arc<TaskCalendar>,
    /// As the system that it belongs to is run.
    pub options: Options,
}

impl Cell {
    /// Builds the simulation.
    pub fn new(plan: CellPlan<'_>) -> Result<Self, BuildError> {
        let mut graph = Graph::new();
        let root = graph.root();
        let gates = graph.composite(root, GATES)?;
        let mut placed = BTreeMap::new();
        for (number, (component, instance)) in plan.components {
            let made = place_in(&mut graph, component, instance)?;
            graph.set_agenda(made, plan.calendar.clone())?;
            placed.insert(number, made);
        }
        let part = |error: PartError| BuildError::Part { name: "a task".into(), error };
        let given: Slots = Arc::new(Mutex::new(vec![Vec::new(); plan.inputs.len()]));
        let caught: Slots = Arc::new(Mutex::new(vec![Vec::new(); plan.outputs.len()]));
        for (number, input) in plan.inputs.iter().enumerate() {
            let slots = given.clone();
            let gate = Arc::new(move |_, _| {
                let slots = slots.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(slots[number].clone())
            });
            let (name, how) = (format!("in-{number}"), (plan.calendar.clone() as _, gate as _));
            let entry =
                input.value.add_entry(&mut graph, gates, &name, &input.first, how).map_err(part)?;
            let to = placed[&input.at.component].port(&input.at.port);
            graph.link(entry.port("out"), to, Link::direct())?;
        }
        for (link, selection) in plan.links {
            let mut how = Link::direct().latency(link.latency);
            if link.previous {
                how = how.previous();
            }
            if let Some(selection) = selection {
                how = how.select(selection);
            }
            let from = placed[&link.from.component].port(&link.from.port);
            graph.link(from, placed[&link.to.component].port(&link.to.port), how)?;
        }
        for (number, (at, value)) in plan.outputs.iter().enumerate() {
            let slots = caught.clone();
            let gate = Arc::new(move |_, _, bytes| {
                slots.lock().unwrap_or_else(PoisonError::into_inner)[number] = bytes;
            });
            let name = format!("out-{number}");
            let exit = value
                .add_exit(&mut graph, gates, &name, plan.calendar.clone(), gate)
                .map_err(part)?;
            graph.link(placed[&at.component].port(&at.port), exit.port("in"), Link::direct())?;
        }
        let simulation = Simulation::new(graph, plan.options)?;
        Ok(Cell { simulation, calendar: plan.calendar, given, caught })
    }

    /// What the next job reads.
    pub fn inputs(&mut self, values: Vec<Vec<u8>>) {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = values;
    }

    /// Runs the job of this number.
    pub fn run(&mut self, number: u64) -> Result<(), String> {
        let Some(start) = self.calendar.start_of(number) else { return Ok(()) };
        match self.simulation.run_until(start + Duration::EPSILON) {
            Ok(Outcome::Faulted(fault)) => Err(fault.to_string()),
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// What it gave.
    pub fn outputs(&mut self) -> Vec<Vec<u8>> {
        self.caught.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
