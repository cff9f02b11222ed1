//! The simulation computer: real functions of tasks run on threads of their own, in the order of the guider,
//! while the plant advances; the plant sees what they read and write at exactly the times of the real system.
//!
//! ```text
//!            job starts: a signal leaves            job ends: a signal enters
//! plant ────────────────► [queue of a task] ──► job ──► [queue of an output] ────────────────► plant
//!                                 ▲               │
//!                                 └── message ────┘ to the job that it releases
//! ```
//!
//! - Tagged reads: every job has the data of its real counterpart, however early or late it runs here.
//! - Delayed writes: what it gives waits until the job ends on its ECU.
//! - Of the jobs that have their data the one of the earliest effective deadline runs (equations 5 and 6 of
//!   [`ironbird_tasks::Guider`]), on as many threads as there are cores. A job that runs is not interrupted.
//! - In real time the plant waits for the wall clock; a job that is done after its real end makes the plant
//!   wait, and is counted as an overrun. Results do not depend on any of this.

mod cell;
mod clock;
mod deadlines;
mod substitute;
mod unit;

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration as Wall, Instant};

use ironbird_kernel::Time;

use crate::interrupt::Interrupt;
use cell::Cell;
use clock::WallClock;
pub use substitute::Substitutes;
use unit::Unit;

/// How long somebody waits before looking whether the run was interrupted.
const LOOK: Wall = Wall::from_millis(50);

/// What the simulation computer did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComputerReport {
    /// Cores that ran jobs.
    pub cores: usize,
    /// Tasks whose jobs ran there.
    pub tasks: Vec<String>,
    /// Jobs that ran.
    pub jobs: u64,
    /// Whether it kept to the wall clock.
    pub is_paced: bool,
    /// Jobs that were done after their real end.
    pub overruns: u64,
    /// The longest of these, in seconds of wall time.
    pub longest_overrun: f64,
    /// The first of these: task, number of the job.
    pub first_overrun: Option<(String, u64)>,
    /// The farthest that the plant was behind the wall clock when a job read from it, in seconds.
    pub longest_lag: f64,
}

/// The simulation computer of a run.
pub struct Computer {
    state: Mutex<State>,
    changed: Condvar,
    clock: WallClock,
    interrupt: Interrupt,
}

struct State {
    units: Vec<Unit>,
    /// Everything before this instant has happened in the plant.
    plant: Time,
    failure: Option<String>,
    is_over: bool,
    report: ComputerReport,
}

impl Computer {
    /// A computer without jobs; with `speed`, it keeps to the wall clock.
    fn new(cores: usize, speed: Option<f64>, interrupt: Interrupt) -> Self {
        let report =
            ComputerReport { cores, is_paced: speed.is_some(), ..ComputerReport::default() };
        let state =
            State { units: Vec::new(), plant: Time::ZERO, failure: None, is_over: false, report };
        let (clock, changed) = (WallClock::new(speed), Condvar::new());
        Computer { state: Mutex::new(state), changed, clock, interrupt }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job of a unit starts on its ECU: it reads this value.
    fn sampled(&self, unit: usize, input: usize, now: Time, value: Vec<u8>) {
        self.clock.wait_for(now, &self.interrupt);
        let lag = self.clock.behind(now).as_secs_f64();
        let mut state = self.lock();
        state.report.longest_lag = state.report.longest_lag.max(lag);
        state.plant = state.plant.max(now);
        state.units[unit].inputs[input].arrive(value);
        drop(state);
        self.changed.notify_all();
    }

    /// Job `number` of a unit ends on its ECU: what it gives is seen from now on.
    fn written(
        &self,
        unit: usize,
        output: usize,
        number: u64,
        now: Time,
    ) -> Result<Vec<u8>, String> {
        self.clock.wait_for(now, &self.interrupt);
        let mut state = self.lock();
        state.plant = state.plant.max(now);
        self.changed.notify_all();
        loop {
            if let Some((value, done)) = state.units[unit].outputs[output].waiting.pop_front() {
                let late = self.clock.late(done, now);
                if output == state.units[unit].judged_output() && !late.is_zero() {
                    let name = state.units[unit].name.clone();
                    let report = &mut state.report;
                    report.overruns += 1;
                    report.longest_overrun = report.longest_overrun.max(late.as_secs_f64());
                    report.first_overrun.get_or_insert((name, number + 1));
                }
                return Ok(value);
            }
            if let Some(reason) = &state.failure {
                return Err(reason.clone());
            }
            if self.interrupt.is_requested() {
                return Err("the run was interrupted while a job was under way".into());
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// One core: runs jobs until the run is over.
    fn work(&self) {
        let mut state = self.lock();
        while !state.is_over && state.failure.is_none() {
            let Some((unit, mut cell, number)) = state.begin() else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            let outcome = cell.run(number);
            state = self.lock();
            state.end(unit, cell, outcome);
            self.changed.notify_all();
        }
    }
}

impl State {
    /// Of the jobs that have their data the one of the earliest deadline, with what runs it.
    fn begin(&mut self) -> Option<(usize, Cell, u64)> {
        let plant = self.plant;
        let ready = self.units.iter().enumerate().filter(|(_, unit)| unit.is_ready(plant));
        let (number, _) = ready.min_by_key(|(number, unit)| (unit.deadline(), *number))?;
        let unit = &mut self.units[number];
        let job = unit.next;
        let mut cell = unit.cell.take()?;
        cell.inputs(unit.take_inputs());
        Some((number, cell, job))
    }

    /// A job is done: its results go to those that it releases, and wait for its real end.
    fn end(&mut self, unit: usize, mut cell: Cell, outcome: Result<(), String>) {
        if let Err(reason) = outcome {
            self.failure.get_or_insert(reason);
            return;
        }
        let done = Instant::now();
        self.report.jobs += 1;
        for (output, value) in cell.outputs().into_iter().enumerate() {
            for (reader, input) in self.units[unit].outputs[output].readers.clone() {
                self.units[reader].inputs[input].arrive(value.clone());
            }
            let described = &mut self.units[unit].outputs[output];
            if described.is_seen {
                described.waiting.push_back((value, done));
            }
        }
        self.units[unit].next += 1;
        self.units[unit].cell = Some(cell);
    }
}

/// A computer at work; it stops when this goes.
pub struct RunningComputer {
    computer: Arc<Computer>,
    threads: Vec<JoinHandle<()>>,
}

impl RunningComputer {
    /// Starts the cores of a computer.
    fn start(computer: Arc<Computer>, cores: usize) -> std::io::Result<Self> {
        let mut running = RunningComputer { computer, threads: Vec::new() };
        for core in 0..cores {
            let computer = running.computer.clone();
            let name = format!("core {core}");
            let thread = std::thread::Builder::new().name(name).spawn(move || computer.work())?;
            running.threads.push(thread);
        }
        Ok(running)
    }

    /// What it has done so far.
    pub fn report(&self) -> ComputerReport {
        self.computer.lock().report.clone()
    }
}

impl Drop for RunningComputer {
    fn drop(&mut self) {
        self.computer.lock().is_over = true;
        self.computer.changed.notify_all();
        for thread in self.threads.drain(..) {
            // A core that panicked has said so already.
            let _ = thread.join();
        }
    }
}
