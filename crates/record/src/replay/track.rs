//! What one output plays, and components made of such.

use std::sync::Arc;

use ironbird_component::{
    Instance, InstantiateError, Interface, LeafUnits, Made, Player, PortDescription, ValueType,
};
use ironbird_kernel::{Duration, PortKind, Scalar, Schema, Time};
use ironbird_solvers::Trajectory;

use super::offset::Offset;
use crate::reader::Samples;

/// An output and its samples.
pub(super) struct Track {
    pub port: PortDescription,
    samples: Vec<(Time, Vec<u8>)>,
}

/// Whole numbers above are not exact as `f64`, in which recordings are read.
const EXACT: f64 = (1u64 << 53) as f64;

impl Track {
    /// Values that are sent, or held until the next.
    pub fn values(
        name: &str,
        value: ValueType,
        kind: PortKind,
        samples: Samples,
        offset: Offset,
    ) -> Result<Self, String> {
        let zero = value.zero().map_err(|error| error.to_string())?;
        let is_real = is_real(&value.schema());
        let mut played = Vec::with_capacity(samples.len());
        for (time, numbers) in offset.shift(samples, kind, |numbers, _| numbers) {
            if let Some(number) = numbers.iter().find(|x| !is_real && x.abs() > EXACT) {
                return Err(format!(
                    "the whole number {number} at {time} is too large to be exact"
                ));
            }
            let leaves: Vec<(usize, Scalar)> =
                numbers.iter().map(|&x| Scalar::Float(x)).enumerate().collect();
            let bytes = value.set_leaves(&zero, &leaves).map_err(|error| error.to_string())?;
            played.push((time, bytes));
        }
        Track::new(PortDescription::output(name, kind, value), played)
    }

    /// A continuous signal: straight lines from sample to sample.
    pub fn lines(name: &str, samples: &[(Time, f64)], offset: Offset) -> Result<Self, String> {
        if let Some((time, number)) = samples.iter().find(|(_, number)| !number.is_finite()) {
            return Err(format!("no line leads through {number} at {time}"));
        }
        let slope = |(start, from): (Time, f64), (end, to): (Time, f64)| match end.since(start) {
            Duration::ZERO => 0.0,
            span => (to - from) / span.as_secs_f64(),
        };
        let mut lines = Vec::with_capacity(samples.len());
        for (number, &(time, value)) in samples.iter().enumerate() {
            let next = samples.get(number + 1);
            lines.push((time, [value, next.map_or(0.0, |&next| slope((time, value), next))]));
        }
        let later = |[value, slope]: [f64; 2], passed: Duration| {
            [value + slope * passed.as_secs_f64(), slope]
        };
        let of = ValueType::of::<Trajectory>();
        let zero = of.zero().map_err(|error| error.to_string())?;
        let mut played = Vec::with_capacity(lines.len());
        for (time, [value, slope]) in offset.shift(lines, PortKind::Signal, later) {
            let numbers =
                [Scalar::Unsigned(time.as_ps()), Scalar::Float(value), Scalar::Float(slope)];
            let leaves: Vec<(usize, Scalar)> = numbers.into_iter().enumerate().collect();
            let bytes = of.set_leaves(&zero, &leaves).map_err(|error| error.to_string())?;
            played.push((time, bytes));
        }
        Track::new(PortDescription::output(name, PortKind::Signal, of), played)
    }

    fn new(port: PortDescription, samples: Vec<(Time, Vec<u8>)>) -> Result<Self, String> {
        if samples.is_empty() && port.kind == PortKind::Signal {
            return Err("it has no samples, so there is no value to show".into());
        }
        Ok(Track { port, samples })
    }

    /// The same with units.
    pub fn units(mut self, units: LeafUnits) -> Self {
        self.port.units = units;
        self
    }
}

fn is_real(schema: &Schema) -> bool {
    use ironbird_kernel::LeafKind::{F32, F64};
    schema.leaves().iter().all(|leaf| matches!(leaf.kind, F32 | F64))
}

/// The type of values with this layout, if it is one that can be played whole.
pub(super) fn value_type(schema: &Schema) -> Option<ValueType> {
    macro_rules! types {
        ($($type:ty),*; $($length:literal),*) => {
            [$(ValueType::of::<$type>(),)* $(ValueType::of::<[f64; $length]>()),*]
        };
    }
    // A message without contents has a type of its own in the file, whatever it was before.
    if matches!(schema, Schema::Struct { fields, .. } if fields.is_empty()) {
        return Some(ValueType::of::<()>());
    }
    let known = types!(f64, f32, bool, i8, i16, i32, i64, u8, u16, u32, u64;
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    known.into_iter().find(|known| known.schema() == *schema)
}

/// A component that plays these; `parameter` is blamed where two would have one name.
pub(super) fn instance(
    tracks: Vec<Track>,
    parameter: &str,
) -> Result<Box<dyn Instance>, InstantiateError> {
    let mut player = Player::new();
    for (number, Track { port, samples }) in tracks.iter().enumerate() {
        if tracks[..number].iter().any(|other| other.port.name == port.name) {
            let message = format!("two outputs would be called \"{}\"", port.name);
            return Err(InstantiateError::of(parameter, message));
        }
        player = player.track(&port.name, port.value, port.kind, samples).map_err(|error| {
            InstantiateError::of(parameter, format!("\"{}\": {error}", port.name))
        })?;
    }
    let ports = tracks.into_iter().map(|track| track.port).collect();
    let interface = Arc::new(Interface { ports, ..Interface::default() });
    Ok(Made::event_driven(player).with_interface(interface))
}
