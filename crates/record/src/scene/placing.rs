//! Where a body is, put together from the outputs that say it.
//!
//! With roll φ, pitch θ and yaw ψ the attitude is q = q_z(ψ) q_y(θ) q_x(φ).

use ironbird_component::scenery::{Coordinate, Motion, MotionPart};
use ironbird_kernel::{LeafKind, Schema, Time};

use crate::continuous::TRAJECTORY;

/// A place and an attitude.
pub type Place = ([f64; 3], [f64; 4]);

/// The outputs that say where a body is, and what they said last.
#[derive(Clone, Debug)]
pub struct Placing {
    /// What each output says, in the order of [`Motion::outputs`].
    outputs: Vec<Vec<Said>>,
    /// Where which of the numbers was said; of places what holds where nobody says it.
    numbers: [f64; COORDINATES],
    turned: Turned,
    /// The outputs that have spoken since the body was last placed.
    spoken: Vec<bool>,
    time: Option<Time>,
}

const COORDINATES: usize = Coordinate::Yaw as usize + 1;

/// A number of an output.
#[derive(Clone, Copy, Debug)]
struct Said {
    is: Coordinate,
    times: f64,
    /// Where it lies in the bytes of a value; none where the value is a polynomial.
    offset: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Turned {
    ByQuaternion,
    ByAngles,
}

impl Placing {
    /// The outputs of a motion; `layout` gives the layout of one. None where they do not hold what they should.
    pub fn new(motion: &Motion, layout: impl Fn(&str) -> Option<Schema>) -> Option<Self> {
        let (parts, rest) = match motion {
            Motion::Whole(port) => (whole(port), [0.0; 3]),
            Motion::Parts { parts, rest } => (parts.clone(), *rest),
        };
        let mut outputs = Vec::new();
        for port in motion.outputs() {
            let schema = layout(port)?;
            let said = parts.iter().filter(|part| part.port == port);
            outputs.push(said.map(|part| said_by(part, &schema)).collect::<Option<Vec<Said>>>()?);
        }
        let mut numbers = [0.0; COORDINATES];
        numbers[..3].copy_from_slice(&rest);
        numbers[Coordinate::W as usize] = 1.0;
        let quaternion = parts.iter().any(|part| part.is == Coordinate::W);
        Some(Placing {
            spoken: vec![false; outputs.len()],
            outputs,
            numbers,
            turned: if quaternion { Turned::ByQuaternion } else { Turned::ByAngles },
            time: None,
        })
    }

    /// Takes a value of an output. Gives where the body is, once all outputs have spoken at that time.
    pub fn take(&mut self, output: usize, time: Time, bytes: &[u8]) -> Option<Place> {
        if self.time != Some(time) {
            self.time = Some(time);
            self.spoken.fill(false);
        }
        for said in self.outputs.get(output)? {
            let number = match said.offset {
                None => (TRAJECTORY.evaluate)(bytes, time),
                Some(offset) => f64::from_le_bytes(bytes.get(offset..offset + 8)?.try_into().ok()?),
            };
            self.numbers[said.is as usize] = said.times * number;
        }
        self.spoken[output] = true;
        if !self.spoken.iter().all(|spoken| *spoken) {
            return None;
        }
        self.spoken.fill(false);
        let place = self.place();
        let is_known = place.0.iter().chain(&place.1).all(|number| number.is_finite());
        is_known.then_some(place)
    }

    fn place(&self) -> Place {
        let [north, east, down, w, x, y, z, roll, pitch, yaw] = self.numbers;
        let attitude = match self.turned {
            Turned::ByQuaternion => [w, x, y, z],
            Turned::ByAngles => {
                let [(sr, cr), (sp, cp), (sy, cy)] =
                    [roll, pitch, yaw].map(|angle| libm::sincos(0.5 * angle));
                [
                    cy * cp * cr + sy * sp * sr,
                    cy * cp * sr - sy * sp * cr,
                    cy * sp * cr + sy * cp * sr,
                    sy * cp * cr - cy * sp * sr,
                ]
            }
        };
        ([north, east, down], attitude)
    }
}

/// What an output with `position` and `attitude` says.
fn whole(port: &str) -> Vec<MotionPart> {
    use Coordinate::{Down, East, North, W, X, Y, Z};
    let part = |(is, leaf): (Coordinate, &str)| MotionPart {
        leaf: leaf.into(),
        ..MotionPart::new(is, port)
    };
    let places = [(North, "position[0]"), (East, "position[1]"), (Down, "position[2]")];
    let turns = [(W, "attitude.w"), (X, "attitude.x"), (Y, "attitude.y"), (Z, "attitude.z")];
    places.into_iter().chain(turns).map(part).collect()
}

fn said_by(part: &MotionPart, schema: &Schema) -> Option<Said> {
    let offset = match (TRAJECTORY.recognises)(schema) {
        true => None,
        false => {
            let leaf = schema.leaf(&part.leaf).filter(|leaf| leaf.kind == LeafKind::F64)?;
            Some(leaf.offset)
        }
    };
    Some(Said { is: part.is, times: part.times, offset })
}

#[cfg(test)]
mod tests {
    use ironbird_kernel::{Duration, Value, Wire};

    use super::*;

    fn bytes(value: &impl Value) -> Vec<u8> {
        let mut wire = Wire::default();
        value.encode(&mut wire);
        wire.fixed().to_vec()
    }

    #[derive(Clone, Value)]
    struct Trajectory {
        start: Time,
        coefficients: [f64; 4],
    }

    /// A car: place and heading are outputs of their own, and it stands 0.7 m above the road.
    fn car() -> Placing {
        let parts = vec![
            MotionPart::new(Coordinate::North, "north"),
            MotionPart { leaf: "[1]".into(), ..MotionPart::new(Coordinate::East, "places") },
            MotionPart { times: -1.0, ..MotionPart::new(Coordinate::Yaw, "angle") },
        ];
        let motion = Motion::Parts { parts, rest: [0.0, 0.0, -0.7] };
        let layout = |port: &str| match port {
            "north" => Some(Trajectory::schema()),
            "places" => Some(<[f64; 2]>::schema()),
            "angle" => Some(f64::schema()),
            _ => None,
        };
        Placing::new(&motion, layout).unwrap()
    }

    #[test]
    fn a_body_is_somewhere_once_all_outputs_have_spoken() {
        let mut car = car();
        let now = Time::ZERO + Duration::from_secs(2);
        let north = bytes(&Trajectory { start: Time::ZERO, coefficients: [1.0, 10.0, 0.0, 0.0] });
        let (angle, places) = (bytes(&-std::f64::consts::FRAC_PI_2), bytes(&[7.0, 8.0]));
        // The order is that of the names.
        assert_eq!(car.take(0, now, &angle), None);
        assert_eq!(car.take(1, now, &north), None);
        let (position, [w, x, y, z]) = car.take(2, now, &places).unwrap();
        assert_eq!(position, [21.0, 8.0, -0.7]);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        assert!((w - half).abs() < 1e-15 && (z - half).abs() < 1e-15 && [x, y] == [0.0; 2]);
        // What was said at another time does not count.
        assert_eq!(car.take(0, now + Duration::from_ms(1), &angle), None);
    }

    #[test]
    fn outputs_that_hold_something_else_are_refused() {
        let motion = Motion::Whole("motion".into());
        assert!(Placing::new(&motion, |_| Some(f64::schema())).is_none());
        assert!(Placing::new(&motion, |_| None).is_none());
    }
}
