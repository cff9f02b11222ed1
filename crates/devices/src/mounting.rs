//! How a chip with axes is soldered into a vehicle.

use ironbird_component::{Choice, Parameters};

/// A direction of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Choice)]
#[allow(missing_docs)]
pub enum Direction {
    Forward,
    Backward,
    Right,
    Left,
    Down,
    Up,
}

impl Direction {
    /// Which of the body's axes forward, right, down, and with which sign.
    fn axis(self) -> (usize, f64) {
        match self {
            Direction::Forward => (0, 1.0),
            Direction::Backward => (0, -1.0),
            Direction::Right => (1, 1.0),
            Direction::Left => (1, -1.0),
            Direction::Down => (2, 1.0),
            Direction::Up => (2, -1.0),
        }
    }

    /// The component of a vector of the body along it.
    fn component(self, body: [f64; 3]) -> f64 {
        let (axis, sign) = self.axis();
        sign * body[axis]
    }
}

/// Checks that three directions are axes of a right-handed frame.
fn check(axes: [Direction; 3]) -> Result<(), String> {
    let unit = |direction: Direction| {
        let (axis, sign) = direction.axis();
        std::array::from_fn::<f64, 3, _>(|index| if index == axis { sign } else { 0.0 })
    };
    let [x, y, z] = axes.map(unit);
    let cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    let volume: f64 = cross.iter().zip(z).map(|(a, b)| a * b).sum();
    if volume == 1.0 {
        return Ok(());
    }
    let names = axes.map(|axis| Direction::NAMES[axis.number()]).join(", ");
    Err(format!("`mounting`: {names} are no axes x, y, z of a right-handed frame"))
}

macro_rules! mounting {
    ($(#[$doc:meta])* $name:ident, $x:ident, $y:ident, $z:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Parameters)]
        pub struct $name {
            /// Where its x axis points.
            #[parameter(default = Direction::$x, fixed)]
            pub x: Direction,
            /// Where its y axis points.
            #[parameter(default = Direction::$y, fixed)]
            pub y: Direction,
            /// Where its z axis points.
            #[parameter(default = Direction::$z, fixed)]
            pub z: Direction,
        }

        impl $name {
            /// A vector of the body along the chip's axes.
            pub fn to_chip(self, body: [f64; 3]) -> [f64; 3] {
                [self.x, self.y, self.z].map(|axis| axis.component(body))
            }

            /// Whether it is possible.
            pub fn check(self) -> Result<(), String> {
                check([self.x, self.y, self.z])
            }
        }
    };
}

mounting! {
    /// How an MPU-9250 is mounted: as drivers of ArduPilot expect it where no rotation is set.
    InertialMounting, Right, Forward, Up
}

mounting! {
    /// How a magnetometer is mounted.
    MagneticMounting, Forward, Right, Down
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_is_along_plus_z_of_a_level_inertial_unit() {
        let level =
            InertialMounting { x: Direction::Right, y: Direction::Forward, z: Direction::Up };
        assert_eq!(level.to_chip([1.0, 2.0, -9.8]), [2.0, 1.0, 9.8]);
        assert_eq!(level.check(), Ok(()));
    }

    #[test]
    fn left_handed_axes_are_refused() {
        let twice = MagneticMounting { x: Direction::Up, y: Direction::Down, z: Direction::Left };
        let left =
            MagneticMounting { x: Direction::Forward, y: Direction::Right, z: Direction::Up };
        assert!(twice.check().is_err() && left.check().is_err());
    }
}
