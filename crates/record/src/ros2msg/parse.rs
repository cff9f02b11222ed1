//! The schema of a value from the definition of its message.

use std::collections::BTreeMap;

use ironbird_kernel::{LeafKind, Schema};

use super::{Annotation, TIME_FIELD, VALUE_FIELD};

/// More numbers than this in one message are taken for damage.
const MOST_PARTS: usize = 1 << 20;

/// Reads a definition that this crate wrote; says what is wrong with any other.
pub(crate) fn parse(text: &str) -> Result<Schema, String> {
    let mut sections = text.split_inclusive('\n').collect::<Vec<_>>();
    sections.iter_mut().for_each(|line| *line = line.trim_end_matches(['\n', '\r']));
    let mut parts = sections.split(|line| line.len() >= 3 && line.bytes().all(|b| b == b'='));
    let root = parts.next().unwrap_or_default();
    let mut types = BTreeMap::new();
    for part in parts {
        let (first, fields) = part.split_first().ok_or("a section is empty")?;
        let name = first.strip_prefix("MSG: ").ok_or("a section does not name its message")?;
        types.insert(name, fields);
    }
    let mut reader = Reader { types, parts_left: MOST_PARTS };
    let mut fields = reader.fields(root, 0)?;
    if fields.is_empty() || fields[0] != (TIME_FIELD.to_owned(), Schema::Leaf(LeafKind::U64)) {
        return Err(format!("it does not start with uint64 {TIME_FIELD}"));
    }
    fields.remove(0);
    let is_bare = root.iter().any(|line| {
        field_line(line).is_some_and(|field| {
            field.name == VALUE_FIELD && field.annotation.is_some_and(|a| a.name.is_empty())
        })
    });
    Ok(match fields.pop() {
        Some((_, schema)) if is_bare && fields.is_empty() => schema,
        last => {
            fields.extend(last);
            Schema::Struct { name: "Message".into(), fields }
        }
    })
}

struct Reader<'a> {
    types: BTreeMap<&'a str, &'a [&'a str]>,
    parts_left: usize,
}

/// A line that declares a field.
struct FieldLine<'a> {
    type_name: &'a str,
    /// What stands between its brackets.
    array: Option<&'a str>,
    name: &'a str,
    annotation: Option<Annotation>,
}

/// `None` for constants, comments and empty lines.
fn field_line(line: &str) -> Option<FieldLine<'_>> {
    let (code, comment) = match line.split_once('#') {
        Some((code, comment)) => (code, Some(comment)),
        None => (line, None),
    };
    let (type_name, name) = code.trim().split_once(' ')?;
    let name = name.trim();
    if name.contains('=') {
        return None;
    }
    let (type_name, array) = match type_name.strip_suffix(']').and_then(|t| t.split_once('[')) {
        Some((element, length)) => (element, Some(length)),
        None => (type_name, None),
    };
    let annotation = comment.and_then(|json| serde_json::from_str(json.trim()).ok());
    Some(FieldLine { type_name, array, name, annotation })
}

impl Reader<'_> {
    fn spend(&mut self, parts: usize) -> Result<(), String> {
        self.parts_left = self
            .parts_left
            .checked_sub(parts)
            .ok_or_else(|| format!("it is too large: more than {MOST_PARTS} parts"))?;
        Ok(())
    }

    fn fields(&mut self, lines: &[&str], depth: usize) -> Result<Vec<(String, Schema)>, String> {
        if depth > 64 {
            return Err("it is too large: messages nested more than 64 deep".into());
        }
        let mut fields = Vec::new();
        for field in lines.iter().filter_map(|line| field_line(line)) {
            self.spend(1)?;
            let name = field.annotation.as_ref().map_or(field.name, |a| &a.name).to_owned();
            let schema = self.field_type(&field, depth)?;
            fields.push((name, schema));
        }
        Ok(fields)
    }

    fn field_type(&mut self, field: &FieldLine<'_>, depth: usize) -> Result<Schema, String> {
        let annotated = field.annotation.as_ref();
        let shape = match (annotated.map(|a| a.shape.as_slice()), field.array) {
            (Some(shape @ [_, ..]), _) => shape.to_vec(),
            (_, None) => Vec::new(),
            (_, Some("")) if field.type_name == "uint8" => {
                return Ok(Schema::Leaf(LeafKind::Payload));
            }
            (_, Some(length)) => {
                vec![length.parse().map_err(|_| format!("{length} is no length of an array"))?]
            }
        };
        let mut schema = match leaf_kind(field.type_name) {
            Some(kind) => Schema::Leaf(kind),
            None => {
                let lines = self.types.get(field.type_name);
                let lines = *lines.ok_or_else(|| format!("{} is not defined", field.type_name))?;
                let before = self.parts_left;
                let mut fields = self.fields(lines, depth + 1)?;
                // An array costs what its element costs, as often as there are elements.
                let spent = before - self.parts_left;
                let elements = shape.iter().try_fold(1usize, |n, length| n.checked_mul(*length));
                let further = elements.unwrap_or(usize::MAX).saturating_sub(1);
                self.spend(spent.saturating_mul(further))?;
                match annotated {
                    Some(Annotation { wrapped: true, .. }) => {
                        fields.pop().map(|(_, part)| part).ok_or("a wrapper wraps nothing")?
                    }
                    _ => Schema::Struct { name: field.type_name.to_owned(), fields },
                }
            }
        };
        for length in shape.into_iter().rev() {
            let parts = schema_parts(&schema).saturating_mul(length);
            self.spend(parts.saturating_sub(1))?;
            schema = Schema::Array { length, element: Box::new(schema) };
        }
        Ok(schema)
    }
}

/// How much an array of this costs an element; structs were paid for where they were read.
fn schema_parts(schema: &Schema) -> usize {
    match schema {
        Schema::Array { length, element } => length.saturating_mul(schema_parts(element)),
        Schema::Struct { .. } => 0,
        _ => 1,
    }
}

fn leaf_kind(type_name: &str) -> Option<LeafKind> {
    Some(match type_name {
        "bool" => LeafKind::Bool,
        "int8" => LeafKind::I8,
        "int16" => LeafKind::I16,
        "int32" => LeafKind::I32,
        "int64" => LeafKind::I64,
        "uint8" => LeafKind::U8,
        "uint16" => LeafKind::U16,
        "uint32" => LeafKind::U32,
        "uint64" => LeafKind::U64,
        "float32" => LeafKind::F32,
        "float64" => LeafKind::F64,
        _ => return None,
    })
}
