//! `plant.multirotor`: a multirotor alone, over a flat Earth.

use std::path::PathBuf;
use std::sync::Arc;

use ironbird_component::scenery::{Body, Motion as Moves, Reading, Scenery};
use ironbird_component::{
    Choice, ComponentType, Description, Given, Instance, InstantiateError, Interface, Kind,
    LeafUnits, Made, Parameters, Place, PortDescription, Settings, ValueType,
};
use ironbird_kernel::{PortKind, Rate};
use ironbird_kinematics::{MOTION_FRAMES, MOTION_UNITS, Motion};

use super::forces::Multirotor;
use super::model::MultirotorModel;
use crate::vehicle::Vehicle;
use crate::vehicle::integrate::SolvedInertia;

const DOC: &str = "\
A multirotor: any number of rotors on a rigid body with six degrees of freedom, alone over a flat Earth.

Mass, rotors, motors and drag come from a file; its inputs `motor_1`, `motor_2`, ... are speeds, throttles or switched \
parts of the voltage, as the file says. There is nothing to stand on: it falls below down = 0.

At each step it moves through the time since the step before, with the inputs as they are now held over it. In a \
closed loop let the links from the controller show the value of the instant before: value = \"previous\".";

#[derive(Parameters)]
pub(super) struct MultirotorParameters {
    /// The multirotor file.
    #[parameter(fixed)]
    pub file: PathBuf,
    /// Numbers of the file with other values, in its units: "mass.mass = 27, command.curve[1] = 480".
    #[parameter(default = "", fixed)]
    pub adjust: String,
    /// Acceleration of gravity.
    #[parameter(unit = "m/s^2", default = 9.80665, min = 0)]
    pub gravity: f64,
    /// Whether thrust grows near down = 0 as it does near ground.
    #[parameter(default = false)]
    pub ground_effect: bool,
    /// Steps of the Runge-Kutta method (order 4) in a step of this component; more where one would be longer than
    /// half the shortest time constant of a motor.
    #[parameter(default = 1, min = 1, max = 1000)]
    pub sub_steps: u32,
    #[group]
    pub initial: Initial,
}

/// Where and how it begins.
#[derive(Parameters)]
pub(super) struct Initial {
    /// Place of the centre of mass at the start: north, east, down.
    #[parameter(unit = "m", default = [0.0; 3], fixed)]
    pub position: [f64; 3],
    /// Velocity over ground at the start: north, east, down.
    #[parameter(unit = "m/s", default = [0.0; 3], fixed)]
    pub velocity: [f64; 3],
    /// Roll, pitch and yaw at the start.
    #[parameter(unit = "rad", default = [0.0; 3], fixed)]
    pub attitude: [f64; 3],
    /// Angular velocity in the body at the start.
    #[parameter(unit = "rad/s", default = [0.0; 3], fixed)]
    pub rates: [f64; 3],
    /// How fast the motors turn at the start.
    #[parameter(default = Motors::Off, fixed)]
    pub motors: Motors,
    /// How warm motors with [warming] are at the start: 0 cold, 1 as after a long hover.
    #[parameter(default = 0.0, min = 0, fixed)]
    pub warmth: f64,
}

/// How fast motors turn at the start.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motors {
    /// Not at all.
    Off,
    /// As they do after a while with the commands of the start.
    Settled,
}

/// The type `plant.multirotor`.
pub struct MultirotorType {
    description: Description,
}

impl MultirotorType {
    /// The type, for a registry.
    pub fn new() -> Self {
        let mut description = Description::new("plant.multirotor", Kind::Periodic, DOC);
        description.rate = Some(Rate::hz(500));
        description.parameters = MultirotorParameters::describe();
        MultirotorType { description }
    }
}

impl Default for MultirotorType {
    fn default() -> Self {
        MultirotorType::new()
    }
}

impl ComponentType for MultirotorType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let parameters = MultirotorParameters::read(&Given::new(settings, place))?;
        let craft = Multirotor::read(&parameters.file, &parameters.adjust)
            .map_err(|problem| InstantiateError::of("file", problem))?;
        let mass = SolvedInertia::new(craft.inertia())
            .map_err(|problem| InstantiateError::of("file", problem))?;
        if parameters.initial.warmth != 0.0 && craft.parts().warming.is_none() {
            let text = "the file has no [warming]: its motors do not grow warm";
            return Err(InstantiateError::of("initial.warmth", text));
        }
        let interface = Arc::new(interface(&craft)?);
        let model = MultirotorModel::new(parameters, craft, mass);
        Ok(Made::periodic(model, self.description.rate).with_interface(interface))
    }
}

/// What others can link to.
fn interface(craft: &Multirotor) -> Result<Interface, InstantiateError> {
    let signal = PortKind::Signal;
    let (number, vector) = (ValueType::of::<f64>(), ValueType::of::<[f64; 3]>());
    let units = |text: &str| -> Result<LeafUnits, InstantiateError> {
        text.parse().map_err(|error| InstantiateError::of("file", error))
    };
    let mut ports = Vec::new();
    for channel in craft.commands() {
        let port = PortDescription::input(&channel.name, signal, number);
        let (low, high) = channel.range;
        ports.push(port.units(units(channel.unit)?).doc(channel.doc).range(low, high).optional());
    }
    let wind = PortDescription::input("wind", signal, vector).units(units("m/s")?);
    ports.push(wind.frame("ned").doc("Velocity of the air.").optional());
    for (name, unit, doc) in
        [("density", "kg/m^3", "Density of the air."), ("rain", "mm/h", "Rain.")]
    {
        let port = PortDescription::input(name, signal, number);
        ports.push(port.units(units(unit)?).doc(doc).optional());
    }
    let motion = PortDescription::output("motion", signal, ValueType::of::<Motion>());
    ports.push(motion.units(units(MOTION_UNITS)?).frame(MOTION_FRAMES).doc("How it moves."));
    let force = PortDescription::output("specific_force", signal, vector).units(units("m/s^2")?);
    ports.push(force.frame("body").doc("Acceleration less gravity: what accelerometers feel."));
    for (name, doc) in [
        ("roll", "Roll: starboard down."),
        ("pitch", "Pitch: nose up."),
        ("yaw", "Yaw: heading, from north to east."),
    ] {
        let port = PortDescription::output(name, signal, number);
        ports.push(port.units(units("rad")?).doc(doc));
    }
    let motors = craft.parts().rotors.len();
    for (place, name) in craft.states().iter().enumerate() {
        let port = PortDescription::output(name, signal, number);
        ports.push(match place < motors {
            true => port.units(units("rad/s")?).doc("Speed of a motor."),
            false => port.doc("How warm the motors are: 0 cold, 1 as after a long hover."),
        });
    }
    let whole = Moves::Whole("motion".into());
    let wind =
        ["[0]", "[1]", "[2]"].map(|leaf| Reading::Input { port: "wind".into(), leaf: leaf.into() });
    let body = Body { motion: whole, wind: Some(wind), ..craft.look() };
    let scenery = Some(Arc::new(Scenery { bodies: vec![body], ..Scenery::default() }));
    Ok(Interface { ports, scenery, ..Interface::default() })
}
