//! The description of a continuous block: states, right-hand side, zero crossings, discrete events.

use ironbird_kernel::{Parameter, ParameterError, Time};

use crate::influence::Reads;
use crate::number::Number;
use crate::trajectory::{Trajectory, evaluate, seconds};

/// A hybrid system of ordinary differential equations,
///
/// ```text
/// x_i' = f_i(t, x, u, d)      i = 0 .. states
/// z_k  = z_k(t, x, u, d)      k = 0 .. crossings: an event whenever z_k passes through zero
/// ```
///
/// with states x, inputs u and discrete variables d. The discrete variables are the fields of the
/// type that implements this trait; they change only in [`on_crossing`](Block::on_crossing),
/// [`on_time_event`](Block::on_time_event) and [`set_parameter`](Block::set_parameter).
///
/// `f` and `z` are written once, over any [`Number`], and must be pure functions of what `at` offers
/// and of the fields. Nobody writes a derivative of them, or a list of what depends on what: the
/// solvers find both by evaluation.
pub trait Block {
    /// How many states there are.
    fn states(&self) -> usize;

    /// The value of a state at the start.
    fn initial(&self, state: usize) -> f64;

    /// f_i: the derivative of one state in time, per second.
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N;

    /// All derivatives at once, for the Runge-Kutta methods; override it where that saves work. It
    /// must agree with [`derivative`](Block::derivative).
    #[inline]
    fn derivatives(&self, at: &Values<'_>, out: &mut [f64]) {
        for (state, slot) in out.iter_mut().enumerate() {
            *slot = self.derivative(state, at);
        }
    }

    /// Several derivatives at once, for the quantized methods; override it where derivatives share
    /// work, together with [`shares_work`](Block::shares_work). `out` gets the derivative of each of
    /// `states`, which must agree with [`derivative`](Block::derivative) bit for bit.
    #[inline]
    fn derivatives_of<N: Number>(&self, states: &[usize], at: &impl Point<N>, out: &mut [N]) {
        for (state, slot) in states.iter().zip(out) {
            *slot = self.derivative(*state, at);
        }
    }

    /// Whether [`derivatives_of`](Block::derivatives_of) several states costs less than each on its
    /// own.
    fn shares_work(&self) -> bool {
        false
    }

    /// How many inputs there are. Each is a [`Trajectory`](crate::Trajectory), zero at first.
    fn inputs(&self) -> usize {
        0
    }

    /// The typical magnitude of a state. Absolute tolerances are multiplied by it, so that volts and
    /// microamperes can share one setting.
    fn scale(&self, _state: usize) -> f64 {
        1.0
    }

    /// How many zero-crossing functions there are.
    fn crossings(&self) -> usize {
        0
    }

    /// z_k: an event happens when this function passes through zero.
    fn crossing<N: Number>(&self, _crossing: usize, _at: &impl Point<N>) -> N {
        N::constant(1.0)
    }

    /// Which passages of z_k are events.
    fn watches(&self, _crossing: usize) -> Watched {
        Watched::Both
    }

    /// z_k has passed through zero. A change of sign of z_k that this call itself brings about is
    /// no new event; one of another crossing function is.
    fn on_crossing(&mut self, _crossing: usize, _direction: Direction, _edit: &mut Edit<'_>) {}

    /// The instant of the next event that is known beforehand (a switch, a sample).
    fn next_time_event(&self) -> Time {
        Time::NEVER
    }

    /// The instant that [`next_time_event`](Block::next_time_event) named has come. Afterwards that
    /// function must name a later one.
    fn on_time_event(&mut self, _edit: &mut Edit<'_>) {}

    /// A scenario changes a parameter; see [`Continuous`](crate::Continuous).
    fn set_parameter(
        &mut self,
        name: &str,
        _value: &Parameter,
        _edit: &mut Edit<'_>,
    ) -> Result<(), ParameterError> {
        Err(ParameterError::Unknown { name: name.into() })
    }

    /// Adds what a function depends on beyond what it read when it was last traced.
    ///
    /// The solvers evaluate each function and note what it reads, at the start and after each
    /// discrete event. That misses a dependency behind a branch on a continuous value, as `x(1)` in
    /// `if at.x(0).value() > 0.0 { at.x(1) } else { .. }`, which must then be named here (or, better,
    /// the branch made a zero crossing, which also locates the kink).
    fn also_reads(&self, _of: Function, _reads: &mut Reads) {}
}

/// Where a right-hand side is evaluated.
pub trait Point<N: Number> {
    /// A state.
    fn x(&self, state: usize) -> N;
    /// An input.
    fn u(&self, input: usize) -> N;
    /// Seconds since the start of the run.
    fn time(&self) -> N;
}

/// All states, inputs and the time as plain numbers.
pub struct Values<'a> {
    pub(crate) x: &'a [f64],
    pub(crate) inputs: &'a [Trajectory],
    /// The instant is `offset` seconds after `base`, in picoseconds.
    pub(crate) base: u64,
    pub(crate) offset: f64,
}

impl Values<'_> {
    /// All states.
    #[inline]
    pub fn states(&self) -> &[f64] {
        self.x
    }
}

impl Point<f64> for Values<'_> {
    #[inline]
    fn x(&self, state: usize) -> f64 {
        self.x.get(state).copied().unwrap_or(f64::NAN)
    }

    #[inline]
    fn u(&self, input: usize) -> f64 {
        let Some(signal) = self.inputs.get(input) else { return f64::NAN };
        if signal.is_constant() {
            return signal.coefficients[0];
        }
        let s = seconds(signal.start.as_ps(), self.base) + self.offset;
        evaluate(&signal.coefficients, s)
    }

    fn time(&self) -> f64 {
        Time::from_ps(self.base).as_secs_f64() + self.offset
    }
}

/// A function of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The derivative of a state.
    Derivative(usize),
    /// A zero-crossing function.
    Crossing(usize),
}

impl std::fmt::Display for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Function::Derivative(state) => write!(f, "the derivative of state {state}"),
            Function::Crossing(crossing) => write!(f, "crossing function {crossing}"),
        }
    }
}

/// The way in which a crossing function passed through zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From below.
    Rising,
    /// From above.
    Falling,
}

/// Which passages through zero are events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Upwards and downwards.
    Both,
    /// Upwards only.
    Rising,
    /// Downwards only.
    Falling,
}

impl Watched {
    pub(crate) fn includes(self, direction: Direction) -> bool {
        match self {
            Watched::Both => true,
            Watched::Rising => direction == Direction::Rising,
            Watched::Falling => direction == Direction::Falling,
        }
    }
}

/// What a discrete event may look at and change.
pub struct Edit<'a> {
    now: Time,
    state: &'a dyn Fn(usize) -> f64,
    input: &'a dyn Fn(usize) -> f64,
    changes: &'a mut Changes,
}

/// What a discrete event changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// States that were set, in order.
    pub resets: Vec<(usize, f64)>,
    /// The functions that feel the discrete variables; all of them if `None`.
    pub affected: Option<(Vec<usize>, Vec<usize>)>,
    /// Whether the run stops here for others to look.
    pub visible: bool,
}

impl<'a> Edit<'a> {
    pub(crate) fn new(
        now: Time,
        state: &'a dyn Fn(usize) -> f64,
        input: &'a dyn Fn(usize) -> f64,
        changes: &'a mut Changes,
    ) -> Self {
        changes.resets.clear();
        changes.affected = None;
        changes.visible = false;
        Edit { now, state, input, changes }
    }

    /// The instant of the event.
    pub fn now(&self) -> Time {
        self.now
    }

    /// A state, as set here if it was; NaN for a state that does not exist.
    pub fn x(&self, state: usize) -> f64 {
        let set = self.changes.resets.iter().rev().find(|(index, _)| *index == state);
        set.map_or_else(|| (self.state)(state), |(_, value)| *value)
    }

    /// An input; NaN for an input that does not exist.
    pub fn u(&self, input: usize) -> f64 {
        (self.input)(input)
    }

    /// Makes a state jump.
    pub fn set(&mut self, state: usize, value: f64) {
        self.changes.resets.push((state, value));
    }

    /// Ends the current [`advance`](crate::Solver::advance) at this instant: others can see this
    /// event. They know it by the number of the crossing, or for a time event by the number that
    /// comes after the last crossing ([`Solver::announced`](crate::Solver::announced)).
    pub fn announce(&mut self) {
        self.changes.visible = true;
    }

    /// Promises that what changed in the discrete variables is felt by these derivatives and these
    /// crossing functions only (and by the crossing that fired). Without this call every function is
    /// evaluated again, which a block of thousands of states with local events cannot afford. States
    /// that were [`set`](Edit::set) need not be named.
    pub fn affects_only(&mut self, states: &[usize], crossings: &[usize]) {
        self.changes.affected = Some((states.to_vec(), crossings.to_vec()));
    }
}
