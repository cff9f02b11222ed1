//! Conditions of an experiment as monitors of the kernel.
//!
//! `x > 10 m for 10 s` becomes a timer and three monitors: one starts the timer when `x > 10 m` becomes
//! true, one stops it when it becomes false, and one responds when the whole condition holds.

use std::collections::BTreeMap;

use ironbird_experiment::checked::{Condition, PortAt};
use ironbird_formula::{StateFormula, Values};
use ironbird_kernel::{Action, Graph, GraphError, Monitor, Parameter, Readings, Response, Watched};

use crate::beginning::{BEGUN, Beginning};
use crate::build::{SCENARIO, Wiring};
use crate::timer::{FULFILLED, RUNNING, Timer};

/// Adds monitors to a graph.
pub struct Monitors<'a> {
    /// Whose signals.
    pub wiring: &'a Wiring,
    /// Where signals are seen that may be faulty.
    pub probes: &'a BTreeMap<PortAt, String>,
    /// What the monitors stand for, in the order in which they were added: the kernel numbers them so.
    pub meanings: Vec<Meaning>,
    /// Timers made so far.
    pub timers: usize,
}

/// What it means that a monitor responded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A timer of a condition was started or stopped.
    Timing,
    /// A trigger of this name fired.
    Trigger(String),
    /// A fault of this name begins.
    FaultBegins(String),
    /// A fault of this name ends.
    FaultEnds(String),
    /// A stop condition of this name was met.
    Stop(String),
    /// A requirement of this name was violated, and ends the run.
    Violation(String),
}

impl Monitors<'_> {
    /// The signals of a condition, as the kernel finds them.
    fn watched(&self, condition: &Condition) -> Vec<Watched> {
        condition
            .signals
            .iter()
            .map(|signal| match self.probes.get(&signal.port) {
                Some(probe) => Watched { component: probe.clone(), port: "out".into() },
                None => Watched {
                    component: self.wiring.owner(&signal.port).path.clone(),
                    port: signal.port.port.clone(),
                },
            })
            .collect()
    }

    fn add(
        &mut self,
        graph: &mut Graph,
        meaning: Meaning,
        monitor: Monitor,
    ) -> Result<(), GraphError> {
        self.meanings.push(meaning);
        graph.monitor(monitor)
    }

    /// Responds when a condition becomes true, or with `negated` when it becomes false.
    pub fn condition(
        &mut self,
        graph: &mut Graph,
        condition: &Condition,
        negated: bool,
        meaning: Meaning,
        response: Response,
    ) -> Result<(), GraphError> {
        let Ok(split) = condition.formula.split_for() else { return Ok(()) };
        let signals = self.watched(condition);
        // One for each condition: a common one would tie all of them to one partition.
        let beginning = format!("begin-{}", self.meanings.len());
        let scenario = graph.find(SCENARIO)?;
        graph.add(scenario, &beginning, Beginning::default())?;
        let beginning =
            Watched { component: format!("{SCENARIO}.{beginning}"), port: BEGUN.into() };
        let mut watched = signals.clone();
        for timer in &split.timers {
            let name = format!("timer-{}", self.timers);
            let path = format!("{SCENARIO}.{name}");
            self.timers += 1;
            let scenario = graph.find(SCENARIO)?;
            graph.add(scenario, &name, Timer::new(timer.duration))?;
            for running in [true, false] {
                let action = Action::SetParameter {
                    component: path.clone(),
                    name: RUNNING.into(),
                    value: Parameter::Bool(running),
                };
                let mut reader = Reader::new(condition, split.values());
                let inner = timer.condition.clone();
                let look = move |readings: &Readings<'_>| {
                    reader.read(readings) && reader.holds(&inner) == running
                };
                let name = format!("{path} {}", if running { "starts" } else { "ends" });
                let response = Response::Act(vec![action]);
                let mut seen = signals.clone();
                seen.push(beginning.clone());
                let monitor = Monitor::new(&name, seen, look, response);
                self.add(graph, Meaning::Timing, monitor)?;
            }
            watched.push(Watched { component: path, port: FULFILLED.into() });
        }
        let mut reader = Reader::new(condition, split.values());
        let first_timer = signals.len();
        let look = move |readings: &Readings<'_>| {
            if !reader.read(readings) {
                return false;
            }
            // A timer that runs out when its condition has just become false does not count.
            let fulfilled = split.timers.iter().enumerate().map(|(number, timer)| {
                let timer_says = readings.signal::<bool>(first_timer + number);
                timer_says.copied().unwrap_or(false) && reader.holds(&timer.condition)
            });
            let fulfilled: Vec<bool> = fulfilled.collect();
            split.outer.holds_with(&reader.values, &fulfilled) != negated
        };
        watched.push(beginning);
        let name = format!("{meaning:?} {}", condition.text);
        let monitor = Monitor::new(&name, watched, look, response);
        self.add(graph, meaning, monitor)
    }
}

/// Reads the signals of a condition into the values of its formula.
struct Reader {
    /// First leaf and number of leaves of each signal.
    leaves: Vec<(usize, usize)>,
    values: Values,
    numbers: Vec<f64>,
}

impl Reader {
    fn new(condition: &Condition, values: Values) -> Self {
        let leaves = condition.signals.iter().map(|signal| signal.leaves).collect();
        Reader { leaves, values, numbers: Vec::new() }
    }

    /// Whether all signals could be read.
    fn read(&mut self, readings: &Readings<'_>) -> bool {
        self.values.set_time(readings.now());
        for (index, &(first, count)) in self.leaves.iter().enumerate() {
            self.numbers.clear();
            for leaf in first..first + count {
                let Some(scalar) = readings.leaf(index, leaf) else { return false };
                self.numbers.push(scalar.as_f64());
            }
            if self.values.set(index as u32, &self.numbers).is_err() {
                return false;
            }
        }
        true
    }

    fn holds(&self, formula: &StateFormula) -> bool {
        formula.holds(&self.values)
    }
}
