//! What chips measure: the ports of a component, and how values are rounded on their way to a chip.

use ironbird_component::{LeafUnits, PortDescription, ValueType};
use ironbird_kernel::{Inputs, PortKind, Ports, SignalIn, Start};
use ironbird_kinematics::{GEODETIC_UNITS, Geodetic};
use ironbird_simbricks::physical::{Metric, fixed_point};

/// What a chip measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Of the body, in rad/s.
    AngularVelocity,
    /// What an accelerometer feels, of the body, in m/s².
    SpecificForce,
    /// Of the body, in T.
    MagneticField,
    /// In Pa.
    Pressure,
    /// In K.
    Temperature,
    /// Latitude and longitude in degrees, height above the ellipsoid in m.
    Position,
    /// North, east, down, in m/s.
    Velocity,
}

impl Quantity {
    /// The name of its port: that under which a world shows it.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::AngularVelocity => "angular_velocity",
            Quantity::SpecificForce => "specific_force",
            Quantity::MagneticField => "magnetic_field",
            Quantity::Pressure => "pressure",
            Quantity::Temperature => "temperature",
            Quantity::Position => "position",
            Quantity::Velocity => "velocity",
        }
    }

    /// What it is in the physical interface (Table 1 of the thesis, and our pressure).
    pub fn metric(self) -> Metric {
        match self {
            Quantity::AngularVelocity => Metric::AngularVelocity,
            Quantity::SpecificForce => Metric::Acceleration,
            Quantity::MagneticField => Metric::MagneticField,
            Quantity::Pressure => Metric::Pressure,
            Quantity::Temperature => Metric::Temperature,
            Quantity::Position => Metric::Position,
            Quantity::Velocity => Metric::GroundVelocity,
        }
    }

    /// What it is where nothing is linked: only the temperature need not be linked, and is then 20 °C.
    fn standing(self) -> Option<f64> {
        (self == Quantity::Temperature).then_some(293.15)
    }

    fn unit(self) -> &'static str {
        match self {
            Quantity::AngularVelocity => "rad/s",
            Quantity::SpecificForce => "m/s^2",
            Quantity::MagneticField => "T",
            Quantity::Pressure => "Pa",
            Quantity::Temperature => "K",
            Quantity::Position => GEODETIC_UNITS,
            Quantity::Velocity => "m/s",
        }
    }

    fn frame(self) -> Option<&'static str> {
        match self {
            Quantity::AngularVelocity | Quantity::SpecificForce | Quantity::MagneticField => {
                Some("body")
            }
            Quantity::Position => Some("geodetic"),
            Quantity::Velocity => Some("ned"),
            Quantity::Pressure | Quantity::Temperature => None,
        }
    }

    fn doc(self) -> &'static str {
        match self {
            Quantity::AngularVelocity => "Angular velocity of the body.",
            Quantity::SpecificForce => "What an accelerometer feels where the chip is.",
            Quantity::MagneticField => "Magnetic field where the chip is.",
            Quantity::Pressure => "Pressure of the air.",
            Quantity::Temperature => "Temperature of the chip; 20 degC where it is not linked.",
            Quantity::Position => "Where the antenna is.",
            Quantity::Velocity => "Velocity of the antenna over ground.",
        }
    }

    /// The input of a component.
    pub(super) fn describe(self) -> PortDescription {
        let value = match self {
            Quantity::Pressure | Quantity::Temperature => ValueType::of::<f64>(),
            Quantity::Position => ValueType::of::<Geodetic>(),
            _ => ValueType::of::<[f64; 3]>(),
        };
        let units = self.unit().parse().unwrap_or_else(|_| LeafUnits::plain());
        let mut port = PortDescription::input(self.name(), PortKind::Signal, value)
            .units(units)
            .doc(self.doc())
            .waking();
        port.frame = self.frame().map(String::from);
        port.required = self.standing().is_none();
        port
    }
}

/// A value as the physical interface would carry it: to the nearest multiple of one over the factor that fits into
/// 32 bits. So a chip that is linked to a world reads the same as one with SimBricks in between.
pub(super) fn carried(value: f64, factor: u32) -> f64 {
    match factor {
        0 => value,
        _ => fixed_point::from_wire(fixed_point::to_wire(value, factor).number, factor),
    }
}

/// An input that wakes the component.
#[derive(Clone, Copy)]
pub(super) enum Input {
    Number(SignalIn<f64>),
    Vector(SignalIn<[f64; 3]>),
    Place(SignalIn<Geodetic>),
}

impl Input {
    pub fn declare(ports: &mut Ports, quantity: Quantity) -> Self {
        let name = quantity.name();
        match (quantity, quantity.standing()) {
            (Quantity::Pressure | Quantity::Temperature, Some(value)) => {
                Input::Number(ports.waking_signal_in_or(name, value))
            }
            (Quantity::Pressure | Quantity::Temperature, None) => {
                Input::Number(ports.waking_signal_in(name))
            }
            (Quantity::Position, _) => Input::Place(ports.waking_signal_in(name)),
            _ => Input::Vector(ports.waking_signal_in(name)),
        }
    }

    pub fn at_start(self, start: &Start<'_>) -> [f64; 3] {
        match self {
            Input::Number(port) => [*start.signal(port), 0.0, 0.0],
            Input::Vector(port) => *start.signal(port),
            Input::Place(port) => of_place(start.signal(port)),
        }
    }

    /// The new value, if there is one.
    pub fn written(self, inputs: &Inputs<'_>) -> Option<[f64; 3]> {
        match self {
            Input::Number(port) => {
                inputs.is_written(port).then(|| [*inputs.signal(port), 0.0, 0.0])
            }
            Input::Vector(port) => inputs.is_written(port).then(|| *inputs.signal(port)),
            Input::Place(port) => inputs.is_written(port).then(|| of_place(inputs.signal(port))),
        }
    }
}

fn of_place(place: &Geodetic) -> [f64; 3] {
    [place.latitude.to_degrees(), place.longitude.to_degrees(), place.height]
}
