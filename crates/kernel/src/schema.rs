//! The layout of a value as data: what its leaves are called and where they lie on the wire.

use std::fmt;

/// The kind of one leaf. Numbers are little-endian on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LeafKind {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// Bytes of any length: 8 bytes of length on the wire, the contents beside it.
    Payload,
}

impl LeafKind {
    /// Bytes on the wire.
    pub const fn size(self) -> usize {
        match self {
            LeafKind::Bool | LeafKind::I8 | LeafKind::U8 => 1,
            LeafKind::I16 | LeafKind::U16 => 2,
            LeafKind::I32 | LeafKind::U32 | LeafKind::F32 => 4,
            LeafKind::I64 | LeafKind::U64 | LeafKind::F64 | LeafKind::Payload => 8,
        }
    }
}

/// The layout of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Schema {
    /// A single number or payload.
    Leaf(LeafKind),
    /// An enumeration; on the wire the `u32` number of the variant.
    Choice {
        /// The type's name.
        name: String,
        /// Names of the variants, in order.
        variants: Vec<String>,
    },
    /// Named parts, in order.
    Struct {
        /// The type's name.
        name: String,
        /// Names and layouts of the parts.
        fields: Vec<(String, Schema)>,
    },
    /// Equal parts, in order.
    Array {
        /// How many.
        length: usize,
        /// The layout of each.
        element: Box<Schema>,
    },
}

/// Where one leaf is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Path inside the value: `position[2]`; empty for a value that is a single leaf.
    pub path: String,
    /// Number of the leaf, for [`crate::Value::leaf`].
    pub index: usize,
    /// Byte offset on the wire.
    pub offset: usize,
    /// What it is.
    pub kind: LeafKind,
}

impl Schema {
    /// Bytes on the wire, without the contents of payloads.
    pub fn size(&self) -> usize {
        match self {
            Schema::Leaf(kind) => kind.size(),
            Schema::Choice { .. } => LeafKind::U32.size(),
            Schema::Struct { fields, .. } => fields.iter().map(|(_, part)| part.size()).sum(),
            Schema::Array { length, element } => length * element.size(),
        }
    }

    /// All leaves, in wire order.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect(String::new(), &mut 0, &mut leaves);
        leaves
    }

    /// The leaf at `path`.
    pub fn leaf(&self, path: &str) -> Option<Leaf> {
        self.leaves().into_iter().find(|leaf| leaf.path == path)
    }

    fn collect(&self, path: String, offset: &mut usize, leaves: &mut Vec<Leaf>) {
        let mut push = |path, kind: LeafKind| {
            leaves.push(Leaf { path, index: leaves.len(), offset: *offset, kind });
            *offset += kind.size();
        };
        match self {
            Schema::Leaf(kind) => push(path, *kind),
            Schema::Choice { .. } => push(path, LeafKind::U32),
            Schema::Struct { fields, .. } => {
                for (name, part) in fields {
                    let dot = if path.is_empty() { "" } else { "." };
                    part.collect(format!("{path}{dot}{name}"), offset, leaves);
                }
            }
            Schema::Array { length, element } => {
                for index in 0..*length {
                    element.collect(format!("{path}[{index}]"), offset, leaves);
                }
            }
        }
    }
}

/// The name a user would call the type by: `f64`, `[f64; 3]`, `Pose`.
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schema::Leaf(kind) => f.write_str(&format!("{kind:?}").to_lowercase()),
            Schema::Choice { name, .. } | Schema::Struct { name, .. } => f.write_str(name),
            Schema::Array { length, element } => write!(f, "[{element}; {length}]"),
        }
    }
}
