//! Continuous components: a block of differential equations, its solver and its ports.

use ironbird_kernel::{Duration, Parameter, ParameterError, PortKind, Rate, Time};
use ironbird_solvers::{
    Block, Continuous, Direction, Edit, Error, Function, Method, Number, Point, Reads, Settings,
    Trajectory, Values, Watched,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::component::Made;
use crate::component_type::InstantiateError;
use crate::derive::{self, Hooks};
use crate::description::Kind;
use crate::interface::PortDescription;
use crate::parameter::{Bound, ParameterDescription, ParameterKind, Range};
use crate::parameter_value::{Given, Parameters};
use crate::value_type::ValueType;

/// An input of a continuous component that gets numbers, each of which it keeps until the next:
/// `#[input(index = 0)] heating: Held`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Held;

/// An input of a continuous component that follows a continuous signal:
/// `#[input(index = 0)] outside: Followed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Followed;

/// An output of a continuous component that shows a state:
/// `#[output(state = 0)] temperature: Shown`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shown;

/// An output of a continuous component that sends the number of every event that the block
/// announces, `#[output] bounced: Announced`, or only of one: `#[output(event = 0)]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Announced;

/// A field of a continuous component marked `#[input]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no input of a continuous component",
    note = "an `#[input(index = …)]` of a continuous component is `Held` or `Followed`"
)]
pub trait BlockInput {
    /// What others see.
    fn describe(name: &str) -> PortDescription;

    /// Gives the model this input.
    fn attach<B: Block>(
        model: Continuous<B>,
        name: &str,
        index: usize,
    ) -> Result<Continuous<B>, Error>;
}

impl BlockInput for Held {
    fn describe(name: &str) -> PortDescription {
        PortDescription::input(name, PortKind::Signal, ValueType::of::<f64>()).waking()
    }
    fn attach<B: Block>(
        model: Continuous<B>,
        name: &str,
        index: usize,
    ) -> Result<Continuous<B>, Error> {
        model.held_input(name, index)
    }
}

impl BlockInput for Followed {
    fn describe(name: &str) -> PortDescription {
        PortDescription::input(name, PortKind::Signal, ValueType::of::<Trajectory>()).waking()
    }
    fn attach<B: Block>(
        model: Continuous<B>,
        name: &str,
        index: usize,
    ) -> Result<Continuous<B>, Error> {
        model.input(name, index)
    }
}

/// A field of a continuous component marked `#[output(state = …)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not show a state",
    note = "an `#[output(state = …)]` of a continuous component is `Shown`"
)]
pub trait StateOutput {
    /// What others see.
    fn describe(name: &str) -> PortDescription {
        PortDescription::output(name, PortKind::Signal, ValueType::of::<Trajectory>())
    }
}

impl StateOutput for Shown {}

/// A field of a continuous component marked `#[output]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not send events",
    note = "an `#[output]` of a continuous component is `Announced`, or `Shown` with `state = …`"
)]
pub trait EventsOutput {
    /// What others see.
    fn describe(name: &str) -> PortDescription {
        PortDescription::output(name, PortKind::Event, ValueType::of::<u32>())
    }
}

impl EventsOutput for Announced {}

/// A block whose parameters are checked like those of any component.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Parametrised<B>(B);

impl<'de, B: Deserialize<'de> + Hooks> Deserialize<'de> for Parametrised<B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut block = B::deserialize(deserializer)?;
        block.changed();
        Ok(Parametrised(block))
    }
}

/// Makes the model of a block; `attach` gives it its ports.
pub fn make<B>(
    block: B,
    given: &Given<'_>,
    attach: impl FnOnce(Continuous<Parametrised<B>>) -> Result<Continuous<Parametrised<B>>, Error>,
) -> Result<Made, InstantiateError>
where
    B: Block + Parameters + Hooks + Serialize + DeserializeOwned + Send + 'static,
{
    let settings = read_settings(given)?;
    let model = Continuous::new(Parametrised(block), settings).and_then(attach);
    let model = model.map_err(InstantiateError::general)?;
    Ok(Made::without_rate(Kind::Continuous, |graph, parent, name| {
        Ok(graph.add_run_ahead(parent, name, model)?)
    }))
}

/// The parameters that every continuous component has.
pub fn solver_parameters() -> Vec<ParameterDescription> {
    vec![method(), absolute(), relative(), step(), max_step()]
}

fn method() -> ParameterDescription {
    let variants = Method::ALL.iter().map(|method| method.name().into()).collect();
    ParameterDescription::required(
        "solver.method",
        ParameterKind::Choice { variants },
        "How the differential equations are solved.",
    )
    .or([Parameter::Text(Method::Qss2.name().into())])
    .fixed()
}

fn real(path: &str, unit: &str, range: Range, doc: &str) -> ParameterDescription {
    let kind = ParameterKind::Real { unit: derive::unit(unit), range };
    ParameterDescription::required(path, kind, doc).optional().fixed()
}

fn absolute() -> ParameterDescription {
    let range = Range { low: Bound::Exclusive(0.0), high: Bound::Unbounded };
    let doc = "The absolute quantum or tolerance of a state; 0.001 for quantized states, 1e-6 \
               otherwise.";
    real("solver.absolute", "", range, doc)
}

fn relative() -> ParameterDescription {
    let range = Range { low: Bound::Inclusive(0.0), high: Bound::Exclusive(1.0) };
    let doc = "The quantum or tolerance relative to the value of a state; 0.001 for quantized \
               states, 1e-6 otherwise.";
    real("solver.relative", "", range, doc)
}

fn step() -> ParameterDescription {
    let range = Range { low: Bound::Exclusive(0.0), high: Bound::Inclusive(1.0) };
    real("solver.step", "s", range, "The step of the fixed-step method; 1 ms.")
}

fn max_step() -> ParameterDescription {
    let range = Range { low: Bound::Exclusive(0.0), high: Bound::Unbounded };
    real("solver.max_step", "s", range, "The longest step; seldom needed, without limit.")
}

fn read_settings(given: &Given<'_>) -> Result<Settings, InstantiateError> {
    let method: String = given.read(&method())?;
    let mut settings =
        Settings::new(method.parse().map_err(|e| InstantiateError::of("solver.method", e))?);
    if let Some(absolute) = given.read_optional(&absolute())? {
        settings.absolute = absolute;
    }
    if let Some(relative) = given.read_optional(&relative())? {
        settings.relative = relative;
    }
    if let Some(seconds) = given.read_optional(&step())? {
        let rate = Rate::from_period(picoseconds(seconds));
        settings.step = rate.map_err(|error| InstantiateError::of("solver.step", error))?;
    }
    if let Some(seconds) = given.read_optional(&max_step())? {
        settings.max_step = picoseconds(seconds);
    }
    settings.check().map_err(InstantiateError::general)?;
    Ok(settings)
}

/// The nearest whole number of picoseconds: 0.001 s as a floating-point number is not quite that.
fn picoseconds(seconds: f64) -> Duration {
    // The conversion saturates.
    Duration::from_ps((seconds * 1e12).round() as u64)
}

impl<B: Block + Parameters + Hooks> Block for Parametrised<B> {
    fn states(&self) -> usize {
        self.0.states()
    }
    fn initial(&self, state: usize) -> f64 {
        self.0.initial(state)
    }
    #[inline]
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        self.0.derivative(state, at)
    }
    #[inline]
    fn derivatives(&self, at: &Values<'_>, out: &mut [f64]) {
        self.0.derivatives(at, out);
    }
    #[inline]
    fn derivatives_of<N: Number>(&self, states: &[usize], at: &impl Point<N>, out: &mut [N]) {
        self.0.derivatives_of(states, at, out);
    }
    fn shares_work(&self) -> bool {
        self.0.shares_work()
    }
    fn inputs(&self) -> usize {
        self.0.inputs()
    }
    fn scale(&self, state: usize) -> f64 {
        self.0.scale(state)
    }
    fn crossings(&self) -> usize {
        self.0.crossings()
    }
    #[inline]
    fn crossing<N: Number>(&self, crossing: usize, at: &impl Point<N>) -> N {
        self.0.crossing(crossing, at)
    }
    fn watches(&self, crossing: usize) -> Watched {
        self.0.watches(crossing)
    }
    fn on_crossing(&mut self, crossing: usize, direction: Direction, edit: &mut Edit<'_>) {
        self.0.on_crossing(crossing, direction, edit);
    }
    fn next_time_event(&self) -> Time {
        self.0.next_time_event()
    }
    fn on_time_event(&mut self, edit: &mut Edit<'_>) {
        self.0.on_time_event(edit);
    }
    fn also_reads(&self, of: Function, reads: &mut Reads) {
        self.0.also_reads(of, reads);
    }

    /// The block's own function hears of it afterwards, to make states jump; it need not know.
    fn set_parameter(
        &mut self,
        name: &str,
        value: &Parameter,
        edit: &mut Edit<'_>,
    ) -> Result<(), ParameterError> {
        derive::change(&mut self.0, name, value)?;
        match self.0.set_parameter(name, value, edit) {
            Err(ParameterError::Unknown { .. }) => Ok(()),
            answer => answer,
        }
    }
}
