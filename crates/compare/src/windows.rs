//! Runs the model over the windows of a log.
//!
//! Each window is a run of its own, from the state that the log gives; windows are independent, so they are
//! spread over the cores of the machine. Results come in the order of windows, whatever ran first.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ironbird_kernel::{Parameter, Time};
use ironbird_runner::{Ending, watch};

use crate::error::CompareError;
use crate::flight_log::{LENGTH, START};
use crate::setup::{Compared, Setup};

/// A parameter and its value: number of the component, leaf, value.
pub(crate) type Change = (usize, String, Parameter);

/// What the model showed in a window, by signal, in base units; or why it broke.
pub(crate) type Shown = Result<Vec<Vec<f64>>, String>;

impl Setup {
    /// Runs all windows with these changes to the experiment.
    pub(crate) fn run(&self, changes: &[Change]) -> Result<Vec<Shown>, CompareError> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::new());
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        std::thread::scope(|scope| {
            for _ in 0..cores.min(self.windows.len()) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&start) = self.windows.get(number) else { break };
                        let shown = self.window(start, changes);
                        let mut all = results.lock().unwrap_or_else(PoisonError::into_inner);
                        all.push((number, shown));
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(number, _)| *number);
        results.into_iter().map(|(_, shown)| shown).collect()
    }

    fn window(&self, start: Time, changes: &[Change]) -> Result<Shown, CompareError> {
        let mut experiment = self.experiment.clone();
        if let Some(scenario) = experiment.scenarios.first_mut() {
            scenario.duration = self.length;
            scenario.initial.extend_from_slice(changes);
            let start_values = self.initial.iter();
            scenario
                .initial
                .extend(start_values.map(|(target, column)| target.value(column.at(start))));
            if let Some(player) = self.player {
                let ps = |ps: u64| Parameter::Integer(i64::try_from(ps).unwrap_or(i64::MAX));
                scenario.initial.push((player, START.into(), ps(start.as_ps())));
                scenario.initial.push((player, LENGTH.into(), ps(self.length.as_ps())));
            }
        }
        let end = Time::ZERO + self.length;
        let shown = format!("{} s of the log", start.as_secs_f64());
        let watched = watch(experiment, &self.registry, &self.signals, self.rate, end);
        let watched = watched.map_err(|error| CompareError::run(shown.clone(), &error))?;
        if watched.ending != Ending::Finished {
            return Ok(Err(format!("window at {shown}: {}", watched.ending.describe(watched.at))));
        }
        let mut numbers = watched.numbers;
        for (numbers, signal) in numbers.iter_mut().zip(&self.signals) {
            numbers.truncate(self.ticks());
            numbers.iter_mut().for_each(|number| *number = signal.unit.to_base(*number));
            if numbers.len() < self.ticks() || numbers.iter().any(|number| !number.is_finite()) {
                return Ok(Err(format!("window at {shown}: \"{}\" is no number", signal.path)));
            }
        }
        Ok(Ok(numbers))
    }

    /// The instants of a window that are compared.
    pub(crate) fn instants(&self, start: Time) -> impl Iterator<Item = Time> + Clone + '_ {
        let period = self.period.as_ps();
        (0..self.ticks()).map(move |tick| Time::from_ps(start.as_ps() + tick as u64 * period))
    }
}

impl Compared {
    /// Model minus log at the instants of a window, in base units.
    pub fn errors(&self, setup: &Setup, start: Time, shown: &[Vec<f64>]) -> Vec<f64> {
        let model = &shown[self.signal];
        let both = setup.instants(start).zip(model);
        both.map(|(time, model)| self.difference(*model, self.column.at(time))).collect()
    }

    /// A difference, the short way round where it is an angle.
    pub fn difference(&self, model: f64, flown: f64) -> f64 {
        let turn = if self.column.angle { std::f64::consts::TAU } else { return model - flown };
        let difference = model - flown;
        difference - turn * libm::round(difference / turn)
    }
}
