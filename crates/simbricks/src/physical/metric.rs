//! What sensors measure and actuators do: the thesis' Table 1, and what it lacks.

/// What a sensor measures. The first nine are those of Table 1; the others are ours, with numbers from 0x101 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    /// Altitude in m.
    Altitude,
    /// Temperature in K.
    Temperature,
    /// Latitude and longitude in degrees, altitude in m.
    Position,
    /// Speed over ground in m/s.
    GroundVelocity,
    /// Heading in degrees.
    Heading,
    /// The rotation from the body to north, east, down: w, x, y, z.
    Orientation,
    /// In rad/s, in the body.
    AngularVelocity,
    /// What an accelerometer shows, in m/s², in the body.
    Acceleration,
    /// In T, in the body.
    MagneticField,
    /// Pressure of the air in Pa.
    Pressure,
    /// Speed through the air in m/s.
    Airspeed,
    /// Distance along a ray in m.
    Range,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Altitude,
        Self::Temperature,
        Self::Position,
        Self::GroundVelocity,
        Self::Heading,
        Self::Orientation,
        Self::AngularVelocity,
        Self::Acceleration,
        Self::MagneticField,
        Self::Pressure,
        Self::Airspeed,
        Self::Range,
    ];

    /// Its number in messages.
    pub fn id(self) -> u32 {
        match self {
            Self::Altitude => 0x01,
            Self::Temperature => 0x02,
            Self::Position => 0x03,
            Self::GroundVelocity => 0x04,
            Self::Heading => 0x05,
            Self::Orientation => 0x06,
            Self::AngularVelocity => 0x07,
            Self::Acceleration => 0x08,
            Self::MagneticField => 0x09,
            Self::Pressure => 0x101,
            Self::Airspeed => 0x102,
            Self::Range => 0x103,
        }
    }

    /// The metric of a number.
    pub fn of(id: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|metric| metric.id() == id)
    }

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Altitude => "altitude",
            Self::Temperature => "temperature",
            Self::Position => "position",
            Self::GroundVelocity => "ground_velocity",
            Self::Heading => "heading",
            Self::Orientation => "orientation",
            Self::AngularVelocity => "angular_velocity",
            Self::Acceleration => "acceleration",
            Self::MagneticField => "magnetic_field",
            Self::Pressure => "pressure",
            Self::Airspeed => "airspeed",
            Self::Range => "range",
        }
    }

    /// How many values a reading has.
    pub fn values(self) -> usize {
        match self {
            Self::Altitude
            | Self::Temperature
            | Self::GroundVelocity
            | Self::Heading
            | Self::Pressure
            | Self::Airspeed
            | Self::Range => 1,
            Self::Position | Self::AngularVelocity | Self::Acceleration | Self::MagneticField => 3,
            Self::Orientation => 4,
        }
    }

    /// What values are multiplied by where nobody says otherwise.
    pub fn factor(self) -> u32 {
        match self {
            Self::Altitude | Self::Pressure => 100,
            Self::GroundVelocity | Self::Heading | Self::Airspeed | Self::Range => 1_000,
            Self::Temperature
            | Self::Position
            | Self::Orientation
            | Self::AngularVelocity
            | Self::Acceleration => 1_000_000,
            Self::MagneticField => 1_000_000_000,
        }
    }
}

/// What an actuator is told. The numbers are ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ActuatorKind {
    /// Width of a pulse in µs, 1000 to 2000 as a rule.
    PulseWidth,
    /// A share of what is possible, -1 to 1.
    Share,
    /// Speed of a rotor in rad/s.
    RotorSpeed,
    /// An angle in rad.
    Angle,
}

impl ActuatorKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::PulseWidth, Self::Share, Self::RotorSpeed, Self::Angle];

    /// Its number in messages.
    pub fn id(self) -> u32 {
        match self {
            Self::PulseWidth => 0x01,
            Self::Share => 0x02,
            Self::RotorSpeed => 0x03,
            Self::Angle => 0x04,
        }
    }

    /// The kind of a number.
    pub fn of(id: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PulseWidth => "pulse_width",
            Self::Share => "share",
            Self::RotorSpeed => "rotor_speed",
            Self::Angle => "angle",
        }
    }

    /// The unit of its values.
    pub fn unit(self) -> &'static str {
        match self {
            Self::PulseWidth => "us",
            Self::Share => "1",
            Self::RotorSpeed => "rad/s",
            Self::Angle => "rad",
        }
    }

    /// What values are multiplied by where nobody says otherwise.
    pub fn factor(self) -> u32 {
        match self {
            Self::PulseWidth | Self::RotorSpeed => 1_000,
            Self::Share | Self::Angle => 1_000_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_find_their_metrics() {
        for metric in Metric::ALL {
            assert_eq!(Metric::of(metric.id()), Some(metric));
        }
        for kind in ActuatorKind::ALL {
            assert_eq!(ActuatorKind::of(kind.id()), Some(kind));
        }
        assert_eq!((Metric::of(0), ActuatorKind::of(0)), (None, None));
    }

    #[test]
    fn table_1_is_as_printed() {
        let printed = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(|id| {
            let metric = Metric::of(id).unwrap();
            (metric.values(), metric.factor())
        });
        let (m, u, n) = (1_000, 1_000_000, 1_000_000_000);
        let expected = [(1, 100), (1, u), (3, u), (1, m), (1, m), (4, u), (3, u), (3, u), (3, n)];
        assert_eq!(printed, expected);
    }
}
