//! `adapter.unit`: the same signal in another unit.

use std::sync::Arc;

use ironbird_kernel::{Parameter, PortKind};
use ironbird_solvers::Trajectory;
use ironbird_units::{Quantity, Unit};

use crate::component::Made;
use crate::component_type::{ComponentType, Instance, InstantiateError, Place};
use crate::description::{Description, Kind};
use crate::interface::{Interface, PortDescription};
use crate::parameter::{ParameterDescription, ParameterKind, Settings};
use crate::parameter_value::Given;
use crate::parts::Relay;
use crate::unit::LeafUnits;
use crate::value_type::ValueType;

/// Converts a signal from one unit to another.
pub(crate) struct UnitType {
    description: Description,
}

const FROM: usize = 0;
const TO: usize = 1;
const SIGNAL: usize = 2;

impl UnitType {
    pub fn new() -> Self {
        let doc = "Shows a signal in another unit.\n\nIt acts in the instant in which its input is \
                   written.";
        let text = |path, doc| ParameterDescription::required(path, ParameterKind::Text, doc);
        let signals = ["sampled", "continuous"].map(String::from).to_vec();
        let signal = ParameterKind::Choice { variants: signals };
        let mut description = Description::new("adapter.unit", Kind::EventDriven, doc);
        description.adapter = true;
        description.parameters = vec![
            text("from", "The unit of the input, as in \"degC\".").fixed(),
            text("to", "The unit of the output, as in \"K\".").fixed(),
            ParameterDescription::required(
                "signal",
                signal,
                "Whether the signal is a number that is written now and then, or continuous.",
            )
            .or([Parameter::Text("sampled".into())])
            .fixed(),
        ];
        UnitType { description }
    }
}

/// The unit that a parameter names.
pub(super) fn read_unit(
    given: &Given<'_>,
    parameter: &ParameterDescription,
) -> Result<Unit, InstantiateError> {
    let text: String = given.read(parameter)?;
    text.parse().map_err(|error| InstantiateError::of(&parameter.path, error))
}

impl ComponentType for UnitType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let given = Given::new(settings, place);
        let parameters = &self.description.parameters;
        let from = read_unit(&given, &parameters[FROM])?;
        let to = read_unit(&given, &parameters[TO])?;
        let signal: String = given.read(&parameters[SIGNAL])?;
        if let Err(error) = Quantity::new(1.0, from.clone()).to(&to) {
            return Err(InstantiateError::of("to", error));
        }
        let convert = conversion(from.clone(), to.clone());
        let (value, made) = if signal == "continuous" {
            let relay = Relay::new(Trajectory::default(), move |signal: &Trajectory| {
                // c0 is a value; the others are rates of change, which have no offset.
                let [c0, rest @ ..] = signal.coefficients;
                let [c1, c2, c3] = rest.map(|c| convert(c) - convert(0.0));
                Trajectory { coefficients: [convert(c0), c1, c2, c3], ..*signal }
            });
            (ValueType::of::<Trajectory>(), Made::event_driven(relay))
        } else {
            let relay = Relay::new(0.0, move |x: &f64| convert(*x));
            (ValueType::of::<f64>(), Made::event_driven(relay))
        };
        let input = PortDescription::input("in", PortKind::Signal, value).waking();
        let output = PortDescription::output("out", PortKind::Signal, value);
        let ports = vec![
            input.units(LeafUnits::All(from)).doc("The signal."),
            output.units(LeafUnits::All(to)).doc("The same signal in the other unit."),
        ];
        Ok(made.with_interface(Arc::new(Interface { ports, ..Interface::default() })))
    }

    fn between(&self, from: &PortDescription, to: &PortDescription) -> Option<Settings> {
        let converts = |port: &PortDescription| {
            port.kind == PortKind::Signal
                && (port.value == ValueType::of::<f64>() || port.value.is_continuous())
        };
        let (ours, theirs) = (from.units.of(""), to.units.of(""));
        let fits = converts(from)
            && from.value == to.value
            && converts(to)
            && !crate::unit::same(&ours, &theirs)
            && ours.dimension() == theirs.dimension();
        let text = |text: &dyn std::fmt::Display| Parameter::Text(text.to_string());
        let signal = if from.value.is_continuous() { "continuous" } else { "sampled" };
        let settings = [("from", text(&ours)), ("to", text(&theirs)), ("signal", text(&signal))];
        fits.then(|| settings.map(|(name, value)| (name.to_owned(), value)).into())
    }
}

/// Numbers of one unit as numbers of another of the same dimension.
fn conversion(from: Unit, to: Unit) -> impl Fn(f64) -> f64 + Send + 'static {
    move |x| to.from_base(from.to_base(x))
}
