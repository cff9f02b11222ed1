//! The component that plays the log into the model, one window of it.

use std::sync::Arc;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Kind, ParameterDescription,
    ParameterKind, Place, Settings,
};
use ironbird_kernel::{Duration, Parameter, Time};
use ironbird_record::replay::{Between, Played, player};
use ironbird_units::Unit;

use crate::columns::Column;

/// Name of the type, and of the component in the system.
pub(crate) const TYPE: &str = "compare.flight-log";
pub(crate) const COMPONENT: &str = "flight-log";
/// The parameters, in picoseconds of the log.
pub(crate) const START: &str = "start";
pub(crate) const LENGTH: &str = "length";

/// A column that is played.
#[derive(Clone, Debug)]
pub(crate) struct Driving {
    /// The component that it drives, and the input.
    pub input: (String, String),
    /// What the comparison file calls the column.
    pub name: String,
    /// The output that shows it.
    pub output: String,
    pub column: Column,
    pub between: Between,
    /// How much later it is shown than it was logged.
    pub delay: Duration,
}

/// The type of components that play the log.
pub(crate) struct FlightLogType {
    description: Description,
    driving: Arc<Vec<Driving>>,
}

impl FlightLogType {
    pub fn new(driving: Vec<Driving>) -> Self {
        let doc = "Plays one window of the log that a comparison is made with.";
        let mut description = Description::new(TYPE, Kind::EventDriven, doc);
        let whole = || ParameterKind::Integer { min: 0, max: i64::MAX };
        let parameter = |name: &str, value: i64, doc: &str| {
            let parameter = ParameterDescription::required(name, whole(), doc).fixed();
            parameter.or([Parameter::Integer(value)])
        };
        description.parameters = vec![
            parameter(START, 0, "Where the window begins, in ps of the log."),
            parameter(LENGTH, i64::MAX, "How long it is, in ps."),
        ];
        FlightLogType { description, driving: Arc::new(driving) }
    }
}

impl ComponentType for FlightLogType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let given = Given::new(settings, place);
        let start: i64 = given.read(&self.description.parameters[0])?;
        let length: i64 = given.read(&self.description.parameters[1])?;
        let start = Time::from_ps(start.unsigned_abs());
        let end = Time::from_ps(start.as_ps().saturating_add(length.unsigned_abs()));
        let played = self.driving.iter().map(|driving| window(driving, start, end));
        player(played.collect(), START)
    }
}

/// The samples of a window, the first of which is what holds at its start.
fn window(driving: &Driving, start: Time, end: Time) -> Played {
    let Driving { output, column, between, delay, .. } = driving;
    let shown = |time: Time| Time::from_ps(time.as_ps().saturating_add(delay.as_ps()));
    let samples = &column.samples;
    let after = samples.partition_point(|(time, _)| shown(*time) <= start);
    let earlier = Time::from_ps(start.as_ps().saturating_sub(delay.as_ps()));
    let first = match between {
        Between::Line => column.at(earlier),
        Between::Hold => samples[after.saturating_sub(1)].1,
    };
    let mut cut = vec![(Time::ZERO, first)];
    for &(time, number) in &samples[after..] {
        let time = shown(time);
        cut.push((Time::ZERO + time.since(start), number));
        if time > end {
            break;
        }
    }
    let (name, unit) = (output.clone(), Unit::base(column.dimension));
    Played { name, unit, samples: cut, between: *between }
}
