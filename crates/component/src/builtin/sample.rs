//! `adapter.sample`: a continuous signal as a number that is written at a rate.

use std::sync::Arc;

use ironbird_kernel::{
    LoadError, Model, Parameter, Periodic, PortKind, Ports, Rate, SaveError, SignalIn, SignalOut,
    Start, StateReader, StateWriter, Step,
};
use ironbird_solvers::Trajectory;

use super::unit::read_unit;
use crate::component::Made;
use crate::component_type::{ComponentType, Instance, InstantiateError, Place};
use crate::description::{Description, Kind};
use crate::interface::{Interface, PortDescription};
use crate::parameter::{ParameterDescription, ParameterKind, Settings};
use crate::parameter_value::Given;
use crate::unit::LeafUnits;
use crate::value_type::ValueType;

/// Evaluates a trajectory at every tick.
#[derive(Default)]
struct Sample {
    input: SignalIn<Trajectory>,
    output: SignalOut<f64>,
}

impl Model for Sample {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.signal_in("in");
        self.output = ports.signal_out("out", 0.0);
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        let value = start.signal(self.input).at(start.now());
        start.write(self.output, value);
    }

    fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
        Ok(())
    }

    fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
        Ok(())
    }
}

impl Periodic for Sample {
    fn step(&mut self, step: &mut Step<'_>) {
        let value = step.signal(self.input).at(step.now());
        step.write(self.output, value);
    }
}

/// The type of [`Sample`]; its unit is a parameter.
pub(crate) struct SampleType {
    description: Description,
}

impl SampleType {
    pub fn new() -> Self {
        let doc = "Samples a continuous signal at a rate.";
        let mut description = Description::new("adapter.sample", Kind::Periodic, doc);
        description.adapter = true;
        description.rate = Some(Rate::hz(1_000));
        description.parameters = vec![
            ParameterDescription::required(
                "unit",
                ParameterKind::Text,
                "The unit of the signal, as in \"degC\"; without it, a plain number.",
            )
            .or([Parameter::Text(String::new())])
            .fixed(),
        ];
        SampleType { description }
    }
}

impl ComponentType for SampleType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let unit = read_unit(&Given::new(settings, place), &self.description.parameters[0])?;
        let units = LeafUnits::All(unit);
        let input = PortDescription::input("in", PortKind::Signal, ValueType::of::<Trajectory>());
        let output = PortDescription::output("out", PortKind::Signal, ValueType::of::<f64>());
        let ports = vec![
            input.units(units.clone()).doc("The continuous signal."),
            output.units(units).doc("Its value at each tick."),
        ];
        let interface = Arc::new(Interface { ports, ..Interface::default() });
        Ok(Made::periodic(Sample::default(), self.description.rate).with_interface(interface))
    }

    fn between(&self, from: &PortDescription, to: &PortDescription) -> Option<Settings> {
        let fits = from.kind == PortKind::Signal
            && to.kind == PortKind::Signal
            && from.value.is_continuous()
            && to.value == ValueType::of::<f64>()
            && crate::unit::same(&from.units.of(""), &to.units.of(""));
        let unit = Parameter::Text(from.units.of("").to_string());
        fits.then(|| Settings::from([("unit".into(), unit)]))
    }
}
