//! What chips measure: the ports of a component, and how values are rounded on their way to a chip.

use ironbird_component::{LeafUnits, PortDescription, ValueType};
use ironbird_kernel::{Inputs, PortKind, Ports, SignalIn, Start};
use ironbird_kinematics::{GEODETIC_UNITS, Geodetic};
use ironbird_simbricks::physical::{Metric, fixed_point};

/// The temperature of a chip where none is linked, in K.
const ROOM: f64 = 293.15;

/// What an input holds where nothing is linked: no value that anything measures.
const NOTHING: f64 = f64::NAN;

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

    /// Whether it must be linked: the temperature is 20 °C where it is not, and a chip without a velocity gets none.
    fn is_required(self) -> bool {
        !matches!(self, Quantity::Temperature | Quantity::Velocity)
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
            Quantity::Velocity => {
                "Velocity of the antenna over ground; where it is not linked, that of its places."
            }
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
        port.required = self.is_required();
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
        match quantity {
            Quantity::Pressure => Input::Number(ports.waking_signal_in(name)),
            Quantity::Temperature => Input::Number(ports.waking_signal_in_or(name, ROOM)),
            Quantity::Position => Input::Place(ports.waking_signal_in(name)),
            Quantity::Velocity => Input::Vector(ports.waking_signal_in_or(name, [NOTHING; 3])),
            _ => Input::Vector(ports.waking_signal_in(name)),
        }
    }

    /// The first value, if there is one.
    pub fn at_start(self, start: &Start<'_>) -> Option<[f64; 3]> {
        match self {
            Input::Number(port) => Some([*start.signal(port), 0.0, 0.0]),
            Input::Vector(port) => {
                let values = *start.signal(port);
                (values[0].to_bits() != NOTHING.to_bits()).then_some(values)
            }
            Input::Place(port) => Some(of_place(start.signal(port))),
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
