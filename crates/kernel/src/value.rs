//! What may cross a port: values of one fixed layout, described by a schema.
//!
//! A value can be written to bytes and read back ([`Wire`]), and every number in it (a *leaf*) can
//! be reached by its path (`pose.position[2]`) without knowing the Rust type. Recording, faults,
//! expressions, other processes and the viewer all stand on this.
//!
//! ```
//! use ironbird_kernel::{Scalar, Value, Wire, WireReader};
//!
//! #[derive(Clone, Debug, PartialEq, Value)]
//! struct Reading { position: [f64; 3], valid: bool }
//!
//! let reading = Reading { position: [1.0, 2.0, 3.0], valid: true };
//! let leaf = Reading::schema().leaf("position[2]").unwrap();
//! assert_eq!(leaf.offset, 16);
//! assert_eq!(reading.leaf(leaf.index), Some(Scalar::Float(3.0)));
//!
//! let mut wire = Wire::default();
//! reading.encode(&mut wire);
//! assert_eq!(wire.fixed().len(), Reading::schema().size());
//! assert_eq!(Reading::decode(&mut WireReader::new(&wire)), Ok(reading));
//! ```

use std::any::Any;
use std::fmt;

use crate::payload::Payload;
pub use crate::schema::{Leaf, LeafKind, Schema};
pub use crate::wire::{DecodeError, Wire, WireReader};

/// One leaf of a value, whatever its width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Signed(i64),
    /// A whole number without sign, or the number of an enum's variant.
    Unsigned(u64),
    /// A real number.
    Float(f64),
}

impl Scalar {
    /// The leaf as a real number; truth is 1.
    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Bool(b) => f64::from(u8::from(b)),
            Scalar::Signed(i) => i as f64,
            Scalar::Unsigned(u) => u as f64,
            Scalar::Float(x) => x,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool(b) => b.fmt(f),
            Scalar::Signed(i) => i.fmt(f),
            Scalar::Unsigned(u) => u.fmt(f),
            Scalar::Float(x) => x.fmt(f),
        }
    }
}

/// Why a leaf could not be set.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LeafError {
    /// The value has fewer leaves, or the leaf is a payload.
    #[error("the value has no such number")]
    NoSuchLeaf,
    /// The leaf cannot hold this number.
    #[error("{value} does not fit")]
    OutOfRange {
        /// What was to be stored.
        value: Scalar,
    },
}

/// What may cross a port. Derive it; see the [module](self).
pub trait Value: Clone + Send + 'static {
    /// How many leaves a value of this type has.
    const LEAVES: usize;

    /// The layout: kinds, names and order of the leaves.
    fn schema() -> Schema;

    /// Appends the value to `wire`: always [`Schema::size`] bytes, plus its payloads.
    fn encode(&self, wire: &mut Wire);

    /// Reads a value of this type from where `wire` stands.
    fn decode(wire: &mut WireReader<'_>) -> Result<Self, DecodeError>;

    /// Leaf number `leaf`; `None` past the last, and for a payload.
    fn leaf(&self, leaf: usize) -> Option<Scalar>;

    /// Replaces leaf number `leaf`.
    fn set_leaf(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError>;
}

/// A value whose type is known only at run time.
pub trait AnyValue: Send {
    /// The value itself, for those who know its type.
    fn as_any(&self) -> &dyn Any;
    /// The value itself, for those who know its type.
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// See [`Value::schema`].
    fn schema_of(&self) -> Schema;
    /// See [`Value::encode`].
    fn encode_to(&self, wire: &mut Wire);
    /// See [`Value::leaf`].
    fn leaf_at(&self, leaf: usize) -> Option<Scalar>;
    /// See [`Value::set_leaf`].
    fn set_leaf_at(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError>;
    /// A copy.
    fn boxed(&self) -> Box<dyn AnyValue>;
}

impl<T: Value> AnyValue for T {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
    fn schema_of(&self) -> Schema {
        T::schema()
    }
    fn encode_to(&self, wire: &mut Wire) {
        Value::encode(self, wire);
    }
    fn leaf_at(&self, leaf: usize) -> Option<Scalar> {
        Value::leaf(self, leaf)
    }
    fn set_leaf_at(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError> {
        Value::set_leaf(self, leaf, value)
    }
    fn boxed(&self) -> Box<dyn AnyValue> {
        Box::new(self.clone())
    }
}

/// Whole numbers: stored only when they fit exactly.
macro_rules! whole_numbers {
    ($($type:ty => $kind:ident, $scalar:ident($wide:ty);)*) => {$(
        impl Value for $type {
            const LEAVES: usize = 1;
            fn schema() -> Schema {
                Schema::Leaf(LeafKind::$kind)
            }
            fn encode(&self, wire: &mut Wire) {
                wire.put(&self.to_le_bytes());
            }
            fn decode(wire: &mut WireReader<'_>) -> Result<Self, DecodeError> {
                wire.take().map(<$type>::from_le_bytes)
            }
            fn leaf(&self, leaf: usize) -> Option<Scalar> {
                (leaf == 0).then_some(Scalar::$scalar(<$wide>::from(*self)))
            }
            fn set_leaf(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError> {
                if leaf != 0 {
                    return Err(LeafError::NoSuchLeaf);
                }
                let fits = match value {
                    Scalar::Bool(b) => Some(<$type>::from(b)),
                    Scalar::Signed(i) => <$type>::try_from(i).ok(),
                    Scalar::Unsigned(u) => <$type>::try_from(u).ok(),
                    Scalar::Float(x) => {
                        // Both conversions saturate; 128 bits hold every whole number in question.
                        let whole = x as $type;
                        (whole as f64 == x && x as i128 == whole as i128).then_some(whole)
                    }
                };
                *self = fits.ok_or(LeafError::OutOfRange { value })?;
                Ok(())
            }
        }
    )*};
}

whole_numbers! {
    i8 => I8, Signed(i64);
    i16 => I16, Signed(i64);
    i32 => I32, Signed(i64);
    i64 => I64, Signed(i64);
    u8 => U8, Unsigned(u64);
    u16 => U16, Unsigned(u64);
    u32 => U32, Unsigned(u64);
    u64 => U64, Unsigned(u64);
}

/// Real numbers: every number converts, rounded to the nearest.
macro_rules! real_numbers {
    ($($type:ty => $kind:ident;)*) => {$(
        impl Value for $type {
            const LEAVES: usize = 1;
            fn schema() -> Schema {
                Schema::Leaf(LeafKind::$kind)
            }
            fn encode(&self, wire: &mut Wire) {
                let value = if wire.is_canonical() && self.is_nan() { <$type>::NAN } else { *self };
                wire.put(&value.to_le_bytes());
            }
            fn decode(wire: &mut WireReader<'_>) -> Result<Self, DecodeError> {
                wire.take().map(<$type>::from_le_bytes)
            }
            fn leaf(&self, leaf: usize) -> Option<Scalar> {
                (leaf == 0).then_some(Scalar::Float(f64::from(*self)))
            }
            fn set_leaf(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError> {
                if leaf != 0 {
                    return Err(LeafError::NoSuchLeaf);
                }
                *self = value.as_f64() as $type;
                Ok(())
            }
        }
    )*};
}

real_numbers! {
    f32 => F32;
    f64 => F64;
}

impl Value for bool {
    const LEAVES: usize = 1;
    fn schema() -> Schema {
        Schema::Leaf(LeafKind::Bool)
    }
    fn encode(&self, wire: &mut Wire) {
        wire.put(&[u8::from(*self)]);
    }
    fn decode(wire: &mut WireReader<'_>) -> Result<Self, DecodeError> {
        match wire.take::<1>()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(DecodeError::Invalid { kind: "bool" }),
        }
    }
    fn leaf(&self, leaf: usize) -> Option<Scalar> {
        (leaf == 0).then_some(Scalar::Bool(*self))
    }
    fn set_leaf(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError> {
        if leaf != 0 {
            return Err(LeafError::NoSuchLeaf);
        }
        *self = match value {
            Scalar::Bool(b) => b,
            other if other.as_f64() == 0.0 => false,
            other if other.as_f64() == 1.0 => true,
            value => return Err(LeafError::OutOfRange { value }),
        };
        Ok(())
    }
}

/// An event that says only that it happened.
impl Value for () {
    const LEAVES: usize = 0;
    fn schema() -> Schema {
        Schema::Struct { name: "Nothing".into(), fields: Vec::new() }
    }
    fn encode(&self, _: &mut Wire) {}
    fn decode(_: &mut WireReader<'_>) -> Result<Self, DecodeError> {
        Ok(())
    }
    fn leaf(&self, _: usize) -> Option<Scalar> {
        None
    }
    fn set_leaf(&mut self, _: usize, _: Scalar) -> Result<(), LeafError> {
        Err(LeafError::NoSuchLeaf)
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    const LEAVES: usize = N * T::LEAVES;
    fn schema() -> Schema {
        Schema::Array { length: N, element: Box::new(T::schema()) }
    }
    fn encode(&self, wire: &mut Wire) {
        for element in self {
            element.encode(wire);
        }
    }
    fn decode(wire: &mut WireReader<'_>) -> Result<Self, DecodeError> {
        let mut elements = Vec::with_capacity(N);
        for _ in 0..N {
            elements.push(T::decode(wire)?);
        }
        elements.try_into().map_err(|_| DecodeError::Truncated)
    }
    fn leaf(&self, leaf: usize) -> Option<Scalar> {
        let element = leaf.checked_div(T::LEAVES)?;
        self.get(element)?.leaf(leaf % T::LEAVES)
    }
    fn set_leaf(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError> {
        let element = leaf.checked_div(T::LEAVES).and_then(|element| self.get_mut(element));
        element.ok_or(LeafError::NoSuchLeaf)?.set_leaf(leaf % T::LEAVES, value)
    }
}

impl Value for Payload {
    const LEAVES: usize = 1;
    fn schema() -> Schema {
        Schema::Leaf(LeafKind::Payload)
    }
    fn encode(&self, wire: &mut Wire) {
        wire.put_payload(self);
    }
    fn decode(wire: &mut WireReader<'_>) -> Result<Self, DecodeError> {
        wire.take_payload()
    }
    fn leaf(&self, _: usize) -> Option<Scalar> {
        None
    }
    fn set_leaf(&mut self, _: usize, _: Scalar) -> Result<(), LeafError> {
        Err(LeafError::NoSuchLeaf)
    }
}

impl Value for crate::Time {
    const LEAVES: usize = 1;
    fn schema() -> Schema {
        Schema::Leaf(LeafKind::U64)
    }
    fn encode(&self, wire: &mut Wire) {
        self.as_ps().encode(wire);
    }
    fn decode(wire: &mut WireReader<'_>) -> Result<Self, DecodeError> {
        u64::decode(wire).map(crate::Time::from_ps)
    }
    fn leaf(&self, leaf: usize) -> Option<Scalar> {
        (leaf == 0).then_some(Scalar::Unsigned(self.as_ps()))
    }
    fn set_leaf(&mut self, leaf: usize, value: Scalar) -> Result<(), LeafError> {
        let mut ps = self.as_ps();
        ps.set_leaf(leaf, value)?;
        *self = crate::Time::from_ps(ps);
        Ok(())
    }
}
