//! Continuous signals: what crosses a port is a polynomial in time, what is recorded is its value.
//!
//! The crates that make such signals are not known here: a [`Continuous`] says by which schema they
//! are recognised and how their bytes are evaluated. [`TRAJECTORY`] is the one that Ironbird uses:
//!
//! ```text
//! Trajectory { start: u64 ps, coefficients: [f64; 4] }
//! x(t) = c0 + c1 s + c2 s² + c3 s³,   s = seconds from start to t, 0 before the start
//! ```

use ironbird_kernel::{LeafKind, Schema, Time};

/// A kind of value that stands for a number which changes with time.
#[derive(Clone, Copy, Debug)]
pub struct Continuous {
    /// Whether values of this schema are of the kind.
    pub recognises: fn(&Schema) -> bool,
    /// The number at an instant; the bytes have the size of the schema.
    pub evaluate: fn(&[u8], Time) -> f64,
}

/// Cubic polynomials; see the [module](self).
pub const TRAJECTORY: Continuous = Continuous { recognises: is_trajectory, evaluate: cubic };

fn is_trajectory(schema: &Schema) -> bool {
    let Schema::Struct { name, fields } = schema else { return false };
    let [(start_name, start), (coefficients_name, coefficients)] = fields.as_slice() else {
        return false;
    };
    name == "Trajectory"
        && start_name == "start"
        && *start == Schema::Leaf(LeafKind::U64)
        && coefficients_name == "coefficients"
        && *coefficients
            == Schema::Array { length: 4, element: Box::new(Schema::Leaf(LeafKind::F64)) }
}

fn cubic(bytes: &[u8], time: Time) -> f64 {
    let word = |index: usize| {
        let part = bytes.get(index * 8..index * 8 + 8).and_then(|part| part.try_into().ok());
        u64::from_le_bytes(part.unwrap_or_default())
    };
    let c = |index: usize| f64::from_bits(word(1 + index));
    // The same operations in the same order as where such signals are made, so that the bits agree.
    let s = time.as_ps().saturating_sub(word(0)) as f64 * 1e-12;
    c(0) + s * (c(1) + s * (c(2) + s * c(3)))
}

/// The schema of what is recorded: each continuous part is one `f64`.
pub(crate) fn recorded(schema: &Schema, continuous: &Continuous) -> Schema {
    match schema {
        found if (continuous.recognises)(found) => Schema::Leaf(LeafKind::F64),
        Schema::Struct { name, fields } => Schema::Struct {
            name: name.clone(),
            fields: fields
                .iter()
                .map(|(name, part)| (name.clone(), recorded(part, continuous)))
                .collect(),
        },
        Schema::Array { length, element } => {
            Schema::Array { length: *length, element: Box::new(recorded(element, continuous)) }
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::{Duration, Value, Wire};

    #[derive(Clone, Value)]
    struct Trajectory {
        start: Time,
        coefficients: [f64; 4],
    }

    #[test]
    fn a_polynomial_is_evaluated_from_its_start_on() {
        assert!((TRAJECTORY.recognises)(&Trajectory::schema()));
        let start = Time::ZERO + Duration::from_secs(2);
        let mut wire = Wire::default();
        Trajectory { start, coefficients: [1.0, 2.0, 3.0, 4.0] }.encode(&mut wire);
        let at = |time| (TRAJECTORY.evaluate)(wire.fixed(), time);
        assert_eq!(at(Time::ZERO), 1.0);
        assert_eq!(at(start + Duration::from_secs(2)), 1.0 + 4.0 + 12.0 + 32.0);
    }

    #[test]
    fn only_the_whole_shape_is_a_polynomial() {
        #[derive(Clone, Value)]
        struct Other {
            start: Time,
            coefficients: [f64; 3],
        }
        let Schema::Struct { fields, .. } = Other::schema() else { unreachable!() };
        let named = Schema::Struct { name: "Trajectory".into(), fields };
        assert!(!(TRAJECTORY.recognises)(&named));
    }
}
