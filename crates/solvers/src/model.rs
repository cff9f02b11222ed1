//! A continuous block as a model of the kernel.
//!
//! ```text
//!              ┌──────────── Continuous ────────────┐
//!  trajectory ─► input        Solver<Block>   output ─► trajectory of a state, when it changes
//!      number ─► held input                   events ─► number of an announced event
//!              └─────────────────────────────────────┘
//! ```

use ironbird_kernel::{
    Advance, Context, Duration, EventOut, Inputs, LoadError, Model, Outputs, Parameter,
    ParameterError, Ports, RunAhead, SaveError, SignalIn, SignalOut, Start, StateReader,
    StateWriter, Time,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::block::{Block, Function};
use crate::error::Error;
use crate::method::Settings;
use crate::solver::{self, Solver};
use crate::trajectory::Trajectory;

/// A [`Block`] and its solver as a run-ahead model.
///
/// It runs ahead from event to event and stops only for what others can see: a new trajectory of a
/// state that has an [`output`](Continuous::output), or an event that the block announced, if there
/// is a port for [`events`](Continuous::events).
///
/// An output is the [`Solver::output`] of a state. It holds until it is superseded, so a reader that
/// samples it is not woken: it evaluates the trajectory at its own instant. A link with a latency
/// delays the news of a trajectory, not its clock: whoever gets it late still reads, for every
/// instant, the value that the source meant for that instant.
///
/// While the component is stopped, its states stand still; see [`Solver::resume`]. A change of a
/// parameter goes to [`Block::set_parameter`].
///
/// ```
/// # use ironbird_solvers::{Block, Continuous, Method, Number, Point, Settings};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Serialize, Deserialize)]
/// # struct Mass;
/// # impl Block for Mass {
/// #     fn states(&self) -> usize { 2 }
/// #     fn inputs(&self) -> usize { 1 }
/// #     fn initial(&self, _: usize) -> f64 { 0.0 }
/// #     fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
/// #         if state == 0 { at.x(1) } else { at.u(0) }
/// #     }
/// # }
/// let settings = Settings::new("qss2".parse()?);
/// let mass = Continuous::new(Mass, settings)?.held_input("force", 0)?.output("position", 0)?;
/// # Ok::<(), ironbird_solvers::Error>(())
/// ```
#[derive(Debug)]
pub struct Continuous<B> {
    solver: Solver<B>,
    inputs: Vec<InputPort>,
    outputs: Vec<OutputPort>,
    events: Vec<EventPort>,
    /// Everything before this instant has been handled.
    reached: Time,
    /// A parameter was changed: there may be something to show at once.
    disturbed: bool,
    /// It was stopped at this instant: its outputs keep the values that they had then.
    halted: Option<Time>,
    /// Events that are still to be sent.
    announced: Vec<u32>,
    /// Inputs that have just changed.
    arrived: Vec<(usize, Trajectory)>,
}

#[derive(Debug)]
struct InputPort {
    name: String,
    input: usize,
    source: Source,
    /// What it reads where it is not linked; without it, it must be linked.
    default: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Trajectory(SignalIn<Trajectory>),
    Held(SignalIn<f64>),
}

#[derive(Debug)]
struct OutputPort {
    name: String,
    state: usize,
    port: SignalOut<Trajectory>,
    /// What readers have.
    shown: Trajectory,
}

#[derive(Debug)]
struct EventPort {
    name: String,
    port: EventOut<u32>,
    /// The only number that it sends; without it, it sends all.
    only: Option<u32>,
}

impl<B: Block> Continuous<B> {
    /// A block without ports, solved as the settings say.
    pub fn new(block: B, settings: Settings) -> Result<Self, Error> {
        Ok(Continuous {
            solver: Solver::new(block, settings)?,
            inputs: Vec::new(),
            outputs: Vec::new(),
            events: Vec::new(),
            reached: Time::ZERO,
            disturbed: false,
            halted: None,
            announced: Vec::new(),
            arrived: Vec::new(),
        })
    }

    /// A port through which an input of the block gets [`Trajectory`]s. An input without a port stays
    /// zero.
    pub fn input(self, name: &str, input: usize) -> Result<Self, Error> {
        self.with_input(name, input, Source::Trajectory(SignalIn::default()))
    }

    /// A port through which an input of the block gets `f64`s, each of which it keeps until the next:
    /// for what is driven by a sampled controller.
    pub fn held_input(self, name: &str, input: usize) -> Result<Self, Error> {
        self.with_input(name, input, Source::Held(SignalIn::default()))
    }

    /// Lets the port of an input stay without a link; the input then has this value.
    pub fn default_input(mut self, input: usize, value: f64) -> Result<Self, Error> {
        let inputs = self.solver.block().inputs();
        let port = self.inputs.iter_mut().find(|port| port.input == input);
        port.ok_or(Error::UnknownInput { input, inputs })?.default = Some(value);
        Ok(self)
    }

    /// A port that shows the [`Trajectory`] of a state.
    pub fn output(mut self, name: &str, state: usize) -> Result<Self, Error> {
        self.solver.watch(state)?;
        let shown = Trajectory::constant(self.solver.block().initial(state));
        self.outputs.push(OutputPort { name: name.into(), state, port: Default::default(), shown });
        Ok(self)
    }

    /// A port that sends the number (`u32`) of every event that the block
    /// [announces](crate::Edit::announce).
    pub fn events(self, name: &str) -> Self {
        self.with_events(name, None)
    }

    /// A port that sends only the event of this number, whenever the block announces it.
    pub fn event(self, name: &str, number: usize) -> Self {
        self.with_events(name, Some(u32::try_from(number).unwrap_or(u32::MAX)))
    }

    /// The block and how far it has come.
    pub fn solver(&self) -> &Solver<B> {
        &self.solver
    }

    fn with_events(mut self, name: &str, only: Option<u32>) -> Self {
        self.events.push(EventPort { name: name.into(), port: EventOut::default(), only });
        self
    }

    fn with_input(mut self, name: &str, input: usize, source: Source) -> Result<Self, Error> {
        let inputs = self.solver.block().inputs();
        if input >= inputs {
            return Err(Error::UnknownInput { input, inputs });
        }
        if let Some(other) = self.inputs.iter().find(|port| port.input == input) {
            let (first, second) = (other.name.clone(), name.into());
            return Err(Error::InputTaken { input, first, second });
        }
        self.inputs.push(InputPort { name: name.into(), input, source, default: None });
        Ok(self)
    }

    /// The kernel skips time only where the component was stopped or put back to its start.
    fn come_to(&mut self, now: Time) -> Result<(), Error> {
        if self.reached < now {
            self.solver.resume(self.reached, now)?;
            self.reached = now;
        }
        Ok(())
    }

    fn take_first_inputs(&mut self, start: &Start<'_>) -> Result<(), Error> {
        self.come_to(start.now())?;
        for port in &self.inputs {
            let signal = match port.source {
                Source::Trajectory(source) => *start.signal(source),
                Source::Held(source) => Trajectory::constant(*start.signal(source)),
            };
            self.solver.set_input(start.now(), port.input, signal)?;
        }
        Ok(())
    }

    fn take_inputs(&mut self, now: Time, inputs: &Inputs<'_>) -> Result<(), Error> {
        self.come_to(now)?;
        self.arrived.clear();
        for port in &self.inputs {
            let signal = match port.source {
                Source::Trajectory(source) if inputs.is_written(source) => *inputs.signal(source),
                Source::Held(source) if inputs.is_written(source) => {
                    Trajectory::constant(*inputs.signal(source))
                }
                _ => continue,
            };
            self.arrived.push((port.input, signal));
        }
        self.solver.set_inputs(now, &self.arrived)
    }

    fn run_ahead(&mut self, now: Time, until: Time) -> Result<Advance, Error> {
        self.come_to(now)?;
        // Whoever stood still shows that it moves again.
        self.disturbed |= self.halted.take().is_some();
        let mut stopped = if std::mem::take(&mut self.disturbed) {
            solver::Advance::Event(now)
        } else {
            self.advance_solver(until)?
        };
        while let solver::Advance::Event(at) = stopped {
            // No input comes before `until`: all of this instant may happen, and is shown at once.
            while self.advance_solver(at + Duration::EPSILON)? != solver::Advance::Reached {}
            if self.has_news() {
                self.reached = at;
                return Ok(Advance::Output(at));
            }
            stopped = self.advance_solver(until)?;
        }
        self.reached = until;
        Ok(Advance::Reached)
    }

    fn advance_solver(&mut self, until: Time) -> Result<solver::Advance, Error> {
        let stopped = self.solver.advance(until)?;
        let is_sent = |number: &u32| {
            self.events.iter().any(|port| port.only.is_none_or(|only| only == *number))
        };
        self.announced.extend(self.solver.announced().iter().copied().filter(is_sent));
        Ok(stopped)
    }

    /// Whether others would see something new.
    fn has_news(&self) -> bool {
        let is_new = |output: &OutputPort| self.solver.output(output.state) != Ok(output.shown);
        !self.announced.is_empty() || self.outputs.iter().any(is_new)
    }

    /// The error, with the name of the port that it is about.
    fn explain(&self, error: &Error) -> String {
        let output = |state: usize| self.outputs.iter().find(|output| output.state == state);
        let name = match *error {
            Error::NotFinite { function: Function::Derivative(state), .. }
            | Error::StateNotFinite { state, .. }
            | Error::StepUnderflow { state, .. } => output(state).map(|output| &output.name),
            Error::InputNotFinite { input, .. } => {
                self.inputs.iter().find(|port| port.input == input).map(|port| &port.name)
            }
            _ => None,
        };
        match name {
            Some(name) => format!("{error} (it is called \"{name}\")"),
            None => error.to_string(),
        }
    }
}

impl<B> Model for Continuous<B>
where
    B: Block + Serialize + DeserializeOwned + Send + 'static,
{
    fn ports(&mut self, ports: &mut Ports) {
        for InputPort { name, source, default, .. } in &mut self.inputs {
            match (source, *default) {
                (Source::Trajectory(port), None) => *port = ports.waking_signal_in(name),
                (Source::Trajectory(port), Some(value)) => {
                    *port = ports.waking_signal_in_or(name, Trajectory::constant(value));
                }
                (Source::Held(port), None) => *port = ports.waking_signal_in(name),
                (Source::Held(port), Some(value)) => {
                    *port = ports.waking_signal_in_or(name, value);
                }
            }
        }
        for output in &mut self.outputs {
            output.port = ports.signal_out(&output.name, output.shown);
        }
        for events in &mut self.events {
            events.port = ports.event_out(&events.name);
        }
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        if let Err(error) = self.take_first_inputs(start) {
            start.fail(self.explain(&error));
        }
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        let mut answer = Ok(());
        let disturbed = self.solver.disturb(self.reached, |block, edit| {
            answer = block.set_parameter(name, &value, edit);
        });
        answer?;
        self.disturbed = true;
        disturbed.map_err(|error| {
            let expected = self.explain(&error);
            ParameterError::Invalid { name: name.into(), value, expected }
        })
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let shown: Vec<Trajectory> = self.outputs.iter().map(|output| output.shown).collect();
        state.put(&self.solver)?;
        state.put(&(self.reached, self.disturbed, self.halted, &self.announced, shown))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let solver: Solver<B> = state.get()?;
        let (reached, disturbed, halted, announced, shown) =
            state.get::<(_, _, _, _, Vec<Trajectory>)>()?;
        let block = solver.block();
        let fits = shown.len() == self.outputs.len()
            && self.outputs.iter().all(|output| output.state < block.states())
            && self.inputs.iter().all(|port| port.input < block.inputs());
        if !fits {
            return Err(LoadError::Failed("its ports do not fit".into()));
        }
        self.solver = solver;
        (self.reached, self.disturbed, self.halted) = (reached, disturbed, halted);
        self.announced = announced;
        for (output, shown) in self.outputs.iter_mut().zip(shown) {
            output.shown = shown;
        }
        Ok(())
    }
}

impl<B> RunAhead for Continuous<B>
where
    B: Block + Serialize + DeserializeOwned + Send + 'static,
{
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance {
        let now = context.now();
        self.run_ahead(now, until).unwrap_or_else(|error| {
            context.fail_at(self.solver.now().max(now), self.explain(&error));
            Advance::Idle
        })
    }

    fn next_output(&self) -> Time {
        let at_once = self.disturbed || self.halted.is_some();
        if at_once { self.reached } else { self.solver.next_event() }
    }

    fn halt(&mut self, now: Time) -> bool {
        self.halted = Some(now);
        true
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        for output in &mut self.outputs {
            if let Ok(moving) = self.solver.output(output.state)
                && let present = self.halted.map_or(moving, |at| moving.held_from(at))
                && present != output.shown
            {
                output.shown = present;
                out.write(output.port, present);
            }
        }
        for number in self.announced.drain(..) {
            for events in &self.events {
                if events.only.is_none_or(|only| only == number) {
                    out.send(events.port, number);
                }
            }
        }
    }

    fn input(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        if let Err(error) = self.take_inputs(context.now(), inputs) {
            context.fail(self.explain(&error));
        }
    }
}
