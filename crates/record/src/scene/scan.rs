//! What sensors with beams see, as points.

use ironbird_component::scenery::Beams;
use ironbird_kernel::{LeafKind, Schema};

use super::ScenePart;
use crate::channel::topic;

/// A sensor with beams on a body of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Sensor<'a> {
    /// Path of the component.
    pub component: &'a str,
    /// Number of the body that it is on, in the order of [`body_names`](super::body_names).
    pub body: usize,
    /// Its beams.
    pub beams: &'a Beams,
}

impl Sensor<'_> {
    /// The topic of the points that it sees.
    pub fn topic(&self) -> String {
        format!("{}/points", topic(&format!("{}.{}", self.component, self.beams.distances)))
    }
}

/// All sensors with beams of a scene, in its order.
pub fn sensors(parts: &[ScenePart]) -> Vec<Sensor<'_>> {
    let bodies = parts.iter().flat_map(|part| part.scenery.bodies.iter().map(move |b| (part, b)));
    let sensors = bodies.enumerate().flat_map(|(body, (part, look))| {
        let component = part.component.as_str();
        look.sensors.iter().map(move |beams| Sensor { component, body, beams })
    });
    sensors.collect()
}

/// Where distances lie in a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Ranges {
    /// One number.
    One(usize),
    /// A payload of numbers of 32 bits behind a fixed part of this length; its own length stands there.
    Many {
        /// Bytes before the payload.
        fixed: usize,
        /// Where its length stands.
        length: usize,
    },
}

impl Ranges {
    /// Where they are in values of this layout.
    pub fn of(schema: &Schema) -> Option<Self> {
        let leaves = schema.leaves();
        let mut payloads = leaves.iter().filter(|leaf| leaf.kind == LeafKind::Payload);
        if let Some(leaf) = payloads.next() {
            let only = payloads.next().is_none() && leaf.path == "distances";
            return only.then_some(Ranges::Many { fixed: schema.size(), length: leaf.offset });
        }
        let leaf = leaves.iter().find(|leaf| leaf.kind == LeafKind::F64)?;
        Some(Ranges::One(leaf.offset))
    }

    /// The distances in a value; none if it is cut.
    pub fn read(&self, bytes: &[u8]) -> Option<Vec<f32>> {
        match self {
            Ranges::One(at) => {
                let word = bytes.get(*at..*at + 8)?.try_into().ok()?;
                Some(vec![f64::from_le_bytes(word) as f32])
            }
            Ranges::Many { fixed, length } => {
                let length = bytes.get(*length..*length + 8)?.try_into().ok()?;
                let length = usize::try_from(u64::from_le_bytes(length)).ok()?;
                let numbers = bytes.get(*fixed..fixed.checked_add(length)?)?.chunks_exact(4);
                let number = |word: &[u8]| Some(f32::from_le_bytes(word.try_into().ok()?));
                numbers.map(number).collect()
            }
        }
    }
}

/// An output that shows what a sensor with beams sees.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanSource {
    ranges: Ranges,
    /// Where it stands whether a value is a measurement, if it does.
    valid: Option<usize>,
    /// The sensor on its body, which has y to port and z up here.
    position: [f64; 3],
    directions: Vec<[f64; 3]>,
    most: f64,
}

impl ScanSource {
    /// An output of values of this layout; none where they hold no distances.
    pub fn new(beams: &Beams, schema: &Schema) -> Option<Self> {
        let valid = schema.leaf("valid").filter(|leaf| leaf.kind == LeafKind::Bool);
        let z_up = |[x, y, z]: [f64; 3]| [x, -y, -z];
        Some(ScanSource {
            ranges: Ranges::of(schema)?,
            valid: valid.map(|leaf| leaf.offset),
            position: z_up(beams.position),
            directions: beams.directions.iter().copied().map(z_up).collect(),
            most: beams.most,
        })
    }

    /// Where the beams of a value end, as far as they meet something; none if the value is cut.
    pub fn points(&self, bytes: &[u8]) -> Option<Vec<[f32; 3]>> {
        if let Some(valid) = self.valid
            && *bytes.get(valid)? == 0
        {
            return Some(Vec::new());
        }
        let distances = self.ranges.read(bytes)?.into_iter().map(f64::from);
        let hits = self.directions.iter().zip(distances);
        let hits = hits.filter(|(_, distance)| *distance > 0.0 && *distance <= self.most);
        let point = |(direction, distance): (&[f64; 3], f64)| {
            [0, 1, 2].map(|axis| (self.position[axis] + distance * direction[axis]) as f32)
        };
        Some(hits.map(point).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::{Payload, Value, Wire};

    #[derive(Clone, Value)]
    struct Scan {
        distances: Payload,
        valid: bool,
    }

    fn bytes(value: &impl Value) -> Vec<u8> {
        let mut wire = Wire::default();
        value.encode(&mut wire);
        let payloads = wire.payloads().iter().flat_map(|payload| payload.iter());
        wire.fixed().iter().chain(payloads).copied().collect()
    }

    fn forward_and_starboard() -> Beams {
        Beams {
            name: "lidar".into(),
            position: [0.5, 0.0, 0.25],
            directions: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            most: 10.0,
            distances: "scan".into(),
        }
    }

    fn scan(distances: [f32; 3], valid: bool) -> Scan {
        let bytes: Vec<u8> = distances.iter().flat_map(|number| number.to_le_bytes()).collect();
        Scan { distances: Payload::new(bytes), valid }
    }

    #[test]
    fn beams_that_meet_something_end_there() {
        let source = ScanSource::new(&forward_and_starboard(), &Scan::schema()).unwrap();
        let points = source.points(&bytes(&scan([2.0, 4.0, f32::INFINITY], true)));
        assert_eq!(points, Some(vec![[2.5, 0.0, -0.25], [0.5, -4.0, -0.25]]));
    }

    #[test]
    fn what_is_no_measurement_has_no_points() {
        let source = ScanSource::new(&forward_and_starboard(), &Scan::schema()).unwrap();
        assert_eq!(source.points(&bytes(&scan([2.0; 3], false))), Some(Vec::new()));
        assert_eq!(source.points(&bytes(&scan([2.0; 3], true))[..12]), None);
    }

    #[test]
    fn a_single_distance_is_a_single_point() {
        let source = ScanSource::new(&forward_and_starboard(), &f64::schema()).unwrap();
        assert_eq!(source.points(&bytes(&3.0)), Some(vec![[3.5, 0.0, -0.25]]));
        assert_eq!(source.points(&bytes(&f64::NAN)), Some(Vec::new()));
    }
}
