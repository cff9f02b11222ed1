//! The ports of metrics and actuators, and the numbers in their values.
//!
//! | metric | value | frame |
//! |---|---|---|
//! | one number | a number | |
//! | angular velocity, acceleration, magnetic field | a vector | body |
//! | orientation | an attitude | |
//! | position | latitude, longitude, height: degrees on the link, radians at the port | geodetic |

use ironbird_component::{LeafUnits, PortDescription, ValueType};
use ironbird_kernel::{Inputs, Outputs, PortKind, Ports, SignalIn, SignalOut, Start};
use ironbird_kinematics::{Attitude, GEODETIC_UNITS, Geodetic};
use ironbird_simbricks::layout::physical::VALUES;
use ironbird_simbricks::physical::{ActuatorKind, Metric};

/// The values of a reading.
pub(super) type Numbers = [f64; VALUES];

/// How much the length of an orientation may differ from 1: more is no rounding, even with a small factor.
const TURNED: f64 = 0.1;

/// What kind of value a metric is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Number,
    Vector,
    Attitude,
    Place,
}

fn shape(metric: Metric) -> Shape {
    match metric {
        Metric::Orientation => Shape::Attitude,
        Metric::Position => Shape::Place,
        _ if metric.values() == 3 => Shape::Vector,
        _ => Shape::Number,
    }
}

fn unit(metric: Metric) -> &'static str {
    match metric {
        Metric::Altitude | Metric::Range => "m",
        Metric::Temperature => "K",
        Metric::Position => GEODETIC_UNITS,
        Metric::GroundVelocity | Metric::Airspeed => "m/s",
        Metric::Heading => "deg",
        Metric::Orientation => "1",
        Metric::AngularVelocity => "rad/s",
        Metric::Acceleration => "m/s^2",
        Metric::MagneticField => "T",
        Metric::Pressure => "Pa",
    }
}

type MakePort = fn(&str, PortKind, ValueType) -> PortDescription;

/// The port of a metric.
pub(super) fn describe(make: MakePort, name: &str, metric: Metric) -> PortDescription {
    let (value, frame) = match shape(metric) {
        Shape::Number => (ValueType::of::<f64>(), None),
        Shape::Vector => (ValueType::of::<[f64; 3]>(), Some("body")),
        Shape::Attitude => (ValueType::of::<Attitude>(), None),
        Shape::Place => (ValueType::of::<Geodetic>(), Some("geodetic")),
    };
    let doc = match metric {
        Metric::Altitude => "Altitude.",
        Metric::Temperature => "Temperature of the air.",
        Metric::Position => "Latitude, longitude and altitude.",
        Metric::GroundVelocity => "Speed over ground.",
        Metric::Heading => "Heading, from north over east.",
        Metric::Orientation => "Attitude.",
        Metric::AngularVelocity => "Angular velocity.",
        Metric::Acceleration => "What an accelerometer shows.",
        Metric::MagneticField => "Magnetic field.",
        Metric::Pressure => "Pressure of the air.",
        Metric::Airspeed => "Speed through the air.",
        Metric::Range => "Distance along a ray.",
    };
    let units = unit(metric).parse().unwrap_or_else(|_| LeafUnits::plain());
    let port = make(name, PortKind::Signal, value).units(units).doc(doc);
    match frame {
        Some(frame) => port.frame(frame),
        None => port,
    }
}

/// The port of an actuator.
pub(super) fn describe_actuator(make: MakePort, name: &str, kind: ActuatorKind) -> PortDescription {
    let doc = match kind {
        ActuatorKind::PulseWidth => "Width of a pulse.",
        ActuatorKind::Share => "A share of what is possible.",
        ActuatorKind::RotorSpeed => "Speed of a rotor.",
        ActuatorKind::Angle => "An angle.",
    };
    let units = kind.unit().parse().unwrap_or_else(|_| LeafUnits::plain());
    make(name, PortKind::Signal, ValueType::of::<f64>()).units(units).doc(doc)
}

fn numbers<const N: usize>(some: [f64; N]) -> Numbers {
    std::array::from_fn(|at| some.get(at).copied().unwrap_or(0.0))
}

fn of_place(place: &Geodetic) -> Numbers {
    numbers([place.latitude.to_degrees(), place.longitude.to_degrees(), place.height])
}

/// An input that wakes the component.
#[derive(Clone, Copy)]
pub(super) enum Input {
    Number(SignalIn<f64>),
    Vector(SignalIn<[f64; 3]>),
    Attitude(SignalIn<Attitude>),
    Place(SignalIn<Geodetic>),
}

impl Input {
    pub fn declare(ports: &mut Ports, name: &str, metric: Metric) -> Self {
        match shape(metric) {
            Shape::Number => Input::Number(ports.waking_signal_in(name)),
            Shape::Vector => Input::Vector(ports.waking_signal_in(name)),
            Shape::Attitude => Input::Attitude(ports.waking_signal_in(name)),
            Shape::Place => Input::Place(ports.waking_signal_in(name)),
        }
    }

    pub fn at_start(self, start: &Start<'_>) -> Numbers {
        match self {
            Input::Number(port) => numbers([*start.signal(port)]),
            Input::Vector(port) => numbers(*start.signal(port)),
            Input::Attitude(port) => of_attitude(start.signal(port)),
            Input::Place(port) => of_place(start.signal(port)),
        }
    }

    pub fn get(self, inputs: &Inputs<'_>) -> Numbers {
        match self {
            Input::Number(port) => numbers([*inputs.signal(port)]),
            Input::Vector(port) => numbers(*inputs.signal(port)),
            Input::Attitude(port) => of_attitude(inputs.signal(port)),
            Input::Place(port) => of_place(inputs.signal(port)),
        }
    }
}

fn of_attitude(Attitude { w, x, y, z }: &Attitude) -> Numbers {
    numbers([*w, *x, *y, *z])
}

/// An output.
#[derive(Clone, Copy)]
pub(super) enum Output {
    Number(SignalOut<f64>),
    Vector(SignalOut<[f64; 3]>),
    Attitude(SignalOut<Attitude>),
    Place(SignalOut<Geodetic>),
}

impl Output {
    pub fn declare(ports: &mut Ports, name: &str, metric: Metric) -> Self {
        match shape(metric) {
            Shape::Number => Output::Number(ports.signal_out(name, 0.0)),
            Shape::Vector => Output::Vector(ports.signal_out(name, [0.0; 3])),
            Shape::Attitude => Output::Attitude(ports.signal_out(name, Attitude::default())),
            Shape::Place => Output::Place(ports.signal_out(name, Geodetic::default())),
        }
    }

    pub fn write(self, out: &mut Outputs<'_>, [a, b, c, d, ..]: Numbers) {
        match self {
            Output::Number(port) => out.write(port, a),
            Output::Vector(port) => out.write(port, [a, b, c]),
            Output::Attitude(port) => out.write(port, Attitude { w: a, x: b, y: c, z: d }),
            Output::Place(port) => out.write(port, Geodetic::from_degrees(a, b, c)),
        }
    }
}

/// What a reading means: an orientation gets the length that rounding took from it.
pub(super) fn mend(metric: Metric, mut values: Numbers) -> Result<Numbers, String> {
    if shape(metric) == Shape::Attitude {
        let length = values.iter().take(4).map(|value| value * value).sum::<f64>().sqrt();
        if (length - 1.0).abs() > TURNED {
            return Err(format!("an orientation must have length 1, not {length}"));
        }
        values.iter_mut().for_each(|value| *value /= length);
    }
    Ok(values)
}
