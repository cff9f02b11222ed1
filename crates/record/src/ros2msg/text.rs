//! The definition of a message from the schema of a value.

use ironbird_kernel::{LeafKind, Schema};

use super::names::Names;
use super::{Annotation, PACKAGE, TIME_FIELD, VALUE_FIELD, WRAPPED_FIELD};
use crate::cdr::is_absent;

/// A message as ROS would define it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Definition {
    /// A name for the type: `PoseStamped`.
    pub type_name: String,
    /// The definition, with those of all nested messages.
    pub text: String,
}

/// The definition of the message that carries values of `schema`.
pub(crate) fn definition(schema: &Schema) -> Definition {
    let mut types = Names::default();
    let type_name = types.message(&format!("{}Stamped", type_stem(schema)));
    let mut writer = Writer { types, sections: Vec::new() };
    let mut body = format!("uint64 {TIME_FIELD}\n");
    let mut fields = Names::without(&[TIME_FIELD]);
    match schema {
        Schema::Struct { fields: parts, .. } => {
            for (name, part) in parts {
                writer.field(&mut body, &mut fields, name, name, part);
            }
        }
        other => writer.field(&mut body, &mut fields, VALUE_FIELD, "", other),
    }
    let mut text = body;
    for section in writer.sections {
        text.push_str(&"=".repeat(80));
        text.push('\n');
        text.push_str(&section);
    }
    Definition { type_name, text }
}

/// A word for a schema from which a type is named.
fn type_stem(schema: &Schema) -> String {
    match schema {
        Schema::Leaf(LeafKind::Payload) => "Bytes".into(),
        Schema::Leaf(kind) => ros_type(*kind).to_owned(),
        Schema::Choice { name, .. } | Schema::Struct { name, .. } => name.clone(),
        Schema::Array { length, element } => format!("{}Array{length}", type_stem(element)),
    }
}

fn ros_type(kind: LeafKind) -> &'static str {
    match kind {
        LeafKind::Bool => "bool",
        LeafKind::I8 => "int8",
        LeafKind::I16 => "int16",
        LeafKind::I32 => "int32",
        LeafKind::I64 => "int64",
        LeafKind::U8 => "uint8",
        LeafKind::U16 => "uint16",
        LeafKind::U32 => "uint32",
        LeafKind::U64 => "uint64",
        LeafKind::F32 => "float32",
        LeafKind::F64 => "float64",
        LeafKind::Payload => "uint8[]",
    }
}

struct Writer {
    types: Names,
    sections: Vec<String>,
}

impl Writer {
    /// Adds one field. `wanted` is the name it gets if ROS allows it, `original` the kernel's.
    fn field(
        &mut self,
        body: &mut String,
        names: &mut Names,
        wanted: &str,
        original: &str,
        schema: &Schema,
    ) {
        if is_absent(schema) {
            return;
        }
        let mut shape = Vec::new();
        let mut element = schema;
        while let Schema::Array { length, element: inner } = element {
            shape.push(*length);
            element = inner;
        }
        let name = names.field(wanted);
        let wrapped = !shape.is_empty() && *element == Schema::Leaf(LeafKind::Payload);
        let type_name = match element {
            Schema::Leaf(LeafKind::Payload) if wrapped => self.section("Bytes", &payload_field()),
            Schema::Leaf(kind) => ros_type(*kind).to_owned(),
            Schema::Choice { variants, .. } => {
                for (number, variant) in variants.iter().enumerate() {
                    let constant = names.constant(&name, variant);
                    body.push_str(&format!("uint32 {constant}={number}\n"));
                }
                ros_type(LeafKind::U32).to_owned()
            }
            Schema::Struct { name, fields } => self.section(name, fields),
            Schema::Array { .. } => unreachable!("arrays were peeled off"),
        };
        let array = match shape.as_slice() {
            [] => String::new(),
            lengths => format!("[{}]", lengths.iter().product::<usize>()),
        };
        body.push_str(&format!("{type_name}{array} {name}"));
        let says_all = name == original && shape.len() < 2 && !wrapped;
        if !says_all {
            body.push_str(&comment(&Annotation { name: original.to_owned(), shape, wrapped }));
        }
        body.push('\n');
    }

    /// Adds the definition of a nested message and gives its type.
    fn section(&mut self, name: &str, fields: &[(String, Schema)]) -> String {
        let type_name = format!("{PACKAGE}/{}", self.types.message(name));
        let place = self.sections.len();
        self.sections.push(String::new());
        let mut body = format!("MSG: {type_name}\n");
        let mut names = Names::default();
        for (name, part) in fields {
            self.field(&mut body, &mut names, name, name, part);
        }
        self.sections[place] = body;
        type_name
    }
}

fn payload_field() -> [(String, Schema); 1] {
    [(WRAPPED_FIELD.to_owned(), Schema::Leaf(LeafKind::Payload))]
}

fn comment(annotation: &Annotation) -> String {
    let json = serde_json::to_string(annotation).expect("plain data becomes JSON");
    // Readers split lines at these too, and JSON leaves them as they are.
    let is_line_end = |c: char| matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}');
    let mut line = String::from(" # ");
    for c in json.chars() {
        match c {
            c if is_line_end(c) => line.push_str(&format!("\\u{:04x}", c as u32)),
            c => line.push(c),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::Value;

    #[derive(Clone, Value)]
    struct Pose {
        position: [f64; 3],
        valid: bool,
    }

    #[derive(Clone, Value)]
    enum Mode {
        Idle,
        Manual,
    }

    #[derive(Clone, Value)]
    struct Reading {
        pose: Pose,
        covariance: [[f64; 3]; 2],
        mode: Mode,
        image: ironbird_kernel::Payload,
    }

    #[test]
    fn a_number_is_one_field_behind_the_time() {
        let definition = definition(&f64::schema());
        assert_eq!(definition.type_name, "Float64Stamped");
        assert_eq!(definition.text, "uint64 time_ps\nfloat64 value # {\"name\":\"\"}\n");
    }

    #[test]
    fn structs_arrays_enums_and_payloads_are_spelt_as_ros_spells_them() {
        let text = definition(&Reading::schema()).text;
        let expected = [
            "uint64 time_ps",
            "ironbird/Pose pose",
            "float64[6] covariance # {\"name\":\"covariance\",\"shape\":[2,3]}",
            "uint32 MODE_IDLE=0",
            "uint32 MODE_MANUAL=1",
            "uint32 mode",
            "uint8[] image",
            &"=".repeat(80),
            "MSG: ironbird/Pose",
            "float64[3] position",
            "bool valid",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }
}
