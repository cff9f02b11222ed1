//! Types of fields (CTF 1.8.3, section 4), and the values they decode to.

use std::sync::Arc;

/// Which byte, and which bit of a byte, comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct IntegerType {
    /// Bits, 1 to 64.
    pub size: u32,
    /// Bits, a power of two.
    pub align: u64,
    pub signed: bool,
    pub order: ByteOrder,
    /// A sequence of such integers is a text.
    pub is_character: bool,
    /// The clock whose value it is.
    pub clock: Option<Arc<str>>,
}

/// A label of an enumeration, and the values that it stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Label {
    pub name: Arc<str>,
    pub first: i128,
    pub last: i128,
}

/// A type, shared by all fields that have it: aliases can nest types in each other so that a copy per use
/// would fill the memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FieldType {
    pub kind: Kind,
    /// Bits, a power of two.
    pub align: u64,
    /// How deep types are nested in it.
    pub depth: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Integer(IntegerType),
    Float { size: u32, order: ByteOrder },
    Enumeration { container: IntegerType, labels: Vec<Label> },
    Text,
    Struct(Vec<Member>),
    Array { element: Arc<FieldType>, length: u64 },
    Sequence { element: Arc<FieldType>, length: FieldPath },
    Variant { tag: Option<FieldPath>, options: Vec<Member> },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Member {
    pub name: Arc<str>,
    pub field: Arc<FieldType>,
}

/// Names on the way to a field that tells a length or a choice.
pub(super) type FieldPath = Vec<String>;

impl FieldType {
    pub(super) fn new(kind: Kind, at_least: u64) -> FieldType {
        let members = |members: &[Member]| {
            let align = members.iter().map(|member| member.field.align).max().unwrap_or(1);
            (align, members.iter().map(|member| member.field.depth).max().unwrap_or(0))
        };
        let (align, depth) = match &kind {
            Kind::Integer(integer) => (integer.align, 0),
            Kind::Enumeration { container, .. } => (container.align, 0),
            Kind::Float { .. } => (1, 0),
            Kind::Text => (8, 0),
            Kind::Struct(fields) => members(fields),
            // A variant is aligned as what it holds, which is aligned when it is read.
            Kind::Variant { options, .. } => (1, members(options).1),
            Kind::Array { element, .. } | Kind::Sequence { element, .. } => {
                (element.align, element.depth)
            }
        };
        FieldType { kind, align: align.max(at_least), depth: depth + 1 }
    }
}

/// A decoded value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An unsigned integer.
    Unsigned(u64),
    /// A signed integer.
    Signed(i64),
    /// A floating-point number.
    Real(f64),
    /// A string, or an array of characters up to its first zero. What is not UTF-8 is replaced.
    Text(String),
    /// A value of an enumeration, and its labels.
    Label(i128, Vec<Arc<str>>),
    /// An array or a sequence.
    List(Vec<Value>),
    /// A structure.
    Struct(Fields),
    /// The option of a variant that was chosen, and its value.
    Choice(Arc<str>, Box<Value>),
}

impl Value {
    /// A whole number: an integer or the value of an enumeration.
    pub fn integer(&self) -> Option<i128> {
        match self {
            Value::Unsigned(number) => Some((*number).into()),
            Value::Signed(number) => Some((*number).into()),
            Value::Label(number, _) => Some(*number),
            _ => None,
        }
    }

    /// A text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Named values in the order of the trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(pub(super) Vec<(Arc<str>, Value)>);

impl Fields {
    /// The value of a field. Names are without the underscore that LTTng puts in front of every name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| plain(key) == name).map(|(_, value)| value)
    }

    /// The value of a field by the name that stands in the metadata.
    pub(super) fn raw(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }

    /// A field that is an unsigned 64-bit number, as an address or a stamp is.
    pub fn unsigned(&self, name: &str) -> Option<u64> {
        self.get(name)?.integer()?.try_into().ok()
    }

    /// A field that is a signed 64-bit number, as a period is.
    pub fn signed(&self, name: &str) -> Option<i64> {
        self.get(name)?.integer()?.try_into().ok()
    }

    /// A field that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// Names, without the underscore that LTTng puts in front, and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (plain(name), value))
    }
}

/// CTF 1.8.3, section 7.3.2: an underscore in front keeps names from being keywords and is not part of them.
fn plain(name: &str) -> &str {
    name.strip_prefix('_').unwrap_or(name)
}
