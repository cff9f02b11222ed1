//! Values of outputs as JSON, with the fields that they have in recordings: the exact time, and a plain number as `value`.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ironbird_kernel::{LeafKind, Schema, Time};
use ironbird_record::continuous::TRAJECTORY;
use serde_json::{Map, Value, json};

/// The field of the exact time.
const TIME_FIELD: &str = "time_ps";
/// The only other field of a value that is no struct.
const VALUE_FIELD: &str = "value";

/// The JSON schema of messages with values of this layout.
pub fn json_schema(schema: &Schema) -> String {
    let mut fields = Map::new();
    fields.insert(TIME_FIELD.into(), json!({ "type": "integer" }));
    match schema {
        Schema::Struct { fields: parts, .. } if !(TRAJECTORY.recognises)(schema) => {
            fields.extend(parts.iter().map(|(name, part)| (name.clone(), part_schema(part))));
        }
        other => {
            fields.insert(VALUE_FIELD.into(), part_schema(other));
        }
    }
    json!({ "type": "object", "properties": fields }).to_string()
}

fn part_schema(schema: &Schema) -> Value {
    match schema {
        continuous if (TRAJECTORY.recognises)(continuous) => json!({ "type": "number" }),
        Schema::Leaf(LeafKind::Bool) => json!({ "type": "boolean" }),
        Schema::Leaf(LeafKind::F32 | LeafKind::F64) => json!({ "type": "number" }),
        Schema::Leaf(LeafKind::Payload) => json!({ "type": "string", "contentEncoding": "base64" }),
        Schema::Leaf(_) => json!({ "type": "integer" }),
        Schema::Choice { name, variants } => {
            let known = variants.iter().enumerate();
            let known: Vec<Value> =
                known.map(|(number, name)| json!({ "title": name, "const": number })).collect();
            json!({ "title": name, "oneOf": known })
        }
        Schema::Struct { name, fields } => {
            let parts = fields.iter().map(|(name, part)| (name.clone(), part_schema(part)));
            let parts: Map<String, Value> = parts.collect();
            json!({ "title": name, "type": "object", "properties": parts })
        }
        Schema::Array { element, .. } => json!({ "type": "array", "items": part_schema(element) }),
    }
}

/// Writes the message for a value to `into`, which is cleared before; none if the value is cut.
pub fn write(schema: &Schema, time: Time, bytes: &[u8], into: &mut String) -> Option<()> {
    let (fixed, payloads) = bytes.split_at_checked(schema.size())?;
    into.clear();
    write!(into, "{{\"{TIME_FIELD}\":{}", time.as_ps()).ok()?;
    let mut writer = Writer { time, fixed, payloads, into };
    match schema {
        Schema::Struct { fields, .. } if !(TRAJECTORY.recognises)(schema) => {
            for (name, part) in fields {
                writer.field(",", name, part)?;
            }
        }
        other => writer.field(",", VALUE_FIELD, other)?,
    }
    into.push('}');
    Some(())
}

/// Takes a value apart, from its front to its end.
struct Writer<'a> {
    time: Time,
    fixed: &'a [u8],
    payloads: &'a [u8],
    into: &'a mut String,
}

impl<'a> Writer<'a> {
    fn field(&mut self, before: &str, name: &str, part: &Schema) -> Option<()> {
        write!(self.into, "{before}{}:", Value::from(name)).ok()?;
        self.part(part)
    }

    fn part(&mut self, schema: &Schema) -> Option<()> {
        match schema {
            continuous if (TRAJECTORY.recognises)(continuous) => {
                let bytes = self.take(continuous.size())?;
                self.number((TRAJECTORY.evaluate)(bytes, self.time))
            }
            Schema::Leaf(kind) => self.leaf(*kind),
            Schema::Choice { .. } => self.leaf(LeafKind::U32),
            Schema::Struct { fields, .. } => {
                self.into.push('{');
                for (number, (name, part)) in fields.iter().enumerate() {
                    self.field(if number > 0 { "," } else { "" }, name, part)?;
                }
                self.into.push('}');
                Some(())
            }
            Schema::Array { length, element } => {
                self.into.push('[');
                for number in 0..*length {
                    if number > 0 {
                        self.into.push(',');
                    }
                    self.part(element)?;
                }
                self.into.push(']');
                Some(())
            }
        }
    }

    fn leaf(&mut self, kind: LeafKind) -> Option<()> {
        macro_rules! whole {
            ($number:ty) => {{
                let bytes = self.take(size_of::<$number>())?.try_into().ok()?;
                write!(self.into, "{}", <$number>::from_le_bytes(bytes)).ok()
            }};
        }
        match kind {
            LeafKind::Bool => {
                let truth = self.take(1)? != [0];
                write!(self.into, "{truth}").ok()
            }
            LeafKind::I8 => whole!(i8),
            LeafKind::I16 => whole!(i16),
            LeafKind::I32 => whole!(i32),
            LeafKind::I64 => whole!(i64),
            LeafKind::U8 => whole!(u8),
            LeafKind::U16 => whole!(u16),
            LeafKind::U32 => whole!(u32),
            LeafKind::U64 => whole!(u64),
            LeafKind::F32 => {
                let number = f32::from_le_bytes(self.take(4)?.try_into().ok()?);
                self.number(number)
            }
            LeafKind::F64 => {
                let number = f64::from_le_bytes(self.take(8)?.try_into().ok()?);
                self.number(number)
            }
            LeafKind::Payload => {
                let length = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
                let length = usize::try_from(length).ok()?;
                let (contents, rest) = self.payloads.split_at_checked(length)?;
                self.payloads = rest;
                self.into.push('"');
                STANDARD.encode_string(contents, self.into);
                self.into.push('"');
                Some(())
            }
        }
    }

    /// JSON has no number for what is not finite.
    fn number(&mut self, number: impl Into<f64> + std::fmt::Display) -> Option<()> {
        let text = number.to_string();
        let is_finite = number.into().is_finite();
        self.into.push_str(if is_finite { &text } else { "null" });
        Some(())
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.fixed.split_at_checked(count)?;
        self.fixed = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::{Payload, Value as _, Wire};

    #[derive(Clone, ironbird_kernel::Value)]
    enum Mode {
        Idle,
        Manual,
    }

    #[derive(Clone, ironbird_kernel::Value)]
    struct Camera {
        size: [[u16; 2]; 2],
        mode: Mode,
        on: bool,
        gain: f32,
        pixels: Payload,
        offset: i64,
    }

    fn bytes(value: &impl ironbird_kernel::Value) -> Vec<u8> {
        let mut wire = Wire::default();
        value.encode(&mut wire);
        let payloads = wire.payloads().iter().flat_map(|payload| payload.iter());
        wire.fixed().iter().chain(payloads).copied().collect()
    }

    fn text<V: ironbird_kernel::Value>(value: &V) -> String {
        let mut text = String::new();
        write(&V::schema(), Time::from_ps(5), &bytes(value), &mut text).unwrap();
        text
    }

    #[test]
    fn a_number_is_called_value() {
        assert_eq!(text(&0.1), r#"{"time_ps":5,"value":0.1}"#);
        assert_eq!(text(&f64::NAN), r#"{"time_ps":5,"value":null}"#);
        let schema = r#"{"properties":{"time_ps":{"type":"integer"},"value":{"type":"number"}},"type":"object"}"#;
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(read(&json_schema(&f64::schema())), read(schema));
    }

    #[test]
    fn a_struct_is_its_fields() {
        let pixels = Payload::new([1, 2, 3]);
        let size = [[640, 480], [0, 65535]];
        let camera = Camera { size, mode: Mode::Manual, on: true, gain: 0.1, pixels, offset: -2 };
        let expected = r#"{"time_ps":5,"size":[[640,480],[0,65535]],"mode":1,"on":true,"gain":0.1,"pixels":"AQID","offset":-2}"#;
        assert_eq!(text(&camera), expected);
    }

    #[test]
    fn a_value_that_is_cut_is_no_message() {
        let camera = bytes(&7.0f64);
        assert_eq!(write(&f64::schema(), Time::ZERO, &camera[..7], &mut String::new()), None);
    }
}
