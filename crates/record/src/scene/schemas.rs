//! Foxglove's well-known schemas, as JSON schemas: complete, so that every reader can decode what follows them.

use serde_json::{Map, Value, json};

/// A schema that Foxglove knows, and draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WellKnown {
    /// Where a frame is.
    FrameTransform,
    /// How things look.
    SceneUpdate,
    /// What a sensor with beams sees.
    PointCloud,
    /// What happened.
    Log,
}

impl WellKnown {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            WellKnown::FrameTransform => "foxglove.FrameTransform",
            WellKnown::SceneUpdate => "foxglove.SceneUpdate",
            WellKnown::PointCloud => "foxglove.PointCloud",
            WellKnown::Log => "foxglove.Log",
        }
    }

    /// What its messages hold, as a JSON schema.
    pub fn json_schema(self) -> String {
        let schema = match self {
            WellKnown::FrameTransform => object(
                self.name(),
                [
                    ("timestamp", time()),
                    ("parent_frame_id", text()),
                    ("child_frame_id", text()),
                    ("translation", vector()),
                    ("rotation", quaternion()),
                ],
            ),
            WellKnown::SceneUpdate => {
                object(self.name(), [("deletions", list(deletion())), ("entities", list(entity()))])
            }
            WellKnown::PointCloud => object(
                self.name(),
                [
                    ("timestamp", time()),
                    ("frame_id", text()),
                    ("pose", pose()),
                    ("point_stride", count()),
                    ("fields", list(packed_field())),
                    ("data", json!({ "type": "string", "contentEncoding": "base64" })),
                ],
            ),
            WellKnown::Log => object(
                self.name(),
                [
                    ("timestamp", time()),
                    ("level", choice("LogLevel", &LOG_LEVELS)),
                    ("message", text()),
                    ("name", text()),
                    ("file", text()),
                    ("line", count()),
                ],
            ),
        };
        schema.to_string()
    }
}

const LOG_LEVELS: [&str; 6] = ["UNKNOWN", "DEBUG", "INFO", "WARNING", "ERROR", "FATAL"];
const NUMERIC_TYPES: [&str; 9] =
    ["UNKNOWN", "UINT8", "INT8", "UINT16", "INT16", "UINT32", "INT32", "FLOAT32", "FLOAT64"];

fn object<const N: usize>(title: &str, fields: [(&str, Value); N]) -> Value {
    let required: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let required = json!(required);
    let properties: Map<String, Value> =
        fields.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    json!({ "title": title, "type": "object", "properties": properties, "required": required })
}

fn part<const N: usize>(name: &str, fields: [(&str, Value); N]) -> Value {
    object(&format!("foxglove.{name}"), fields)
}

/// Names by their numbers, which are what messages hold.
fn choice(name: &str, names: &[&str]) -> Value {
    let known = names.iter().enumerate();
    let known: Vec<Value> =
        known.map(|(number, name)| json!({ "title": name, "const": number })).collect();
    json!({ "title": format!("foxglove.{name}"), "oneOf": known })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn number() -> Value {
    json!({ "type": "number" })
}

fn truth() -> Value {
    json!({ "type": "boolean" })
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn nanoseconds() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": 999_999_999 })
}

/// Readers know a time, and a duration, by the title alone.
fn stamp(title: &str, seconds: &Value) -> Value {
    let properties = json!({ "sec": seconds, "nsec": nanoseconds() });
    json!({ "title": title, "type": "object", "properties": properties })
}

fn time() -> Value {
    stamp("time", &count())
}

fn duration() -> Value {
    stamp("duration", &json!({ "type": "integer" }))
}

fn vector() -> Value {
    part("Vector3", [("x", number()), ("y", number()), ("z", number())])
}

fn point() -> Value {
    part("Point3", [("x", number()), ("y", number()), ("z", number())])
}

fn quaternion() -> Value {
    part("Quaternion", [("x", number()), ("y", number()), ("z", number()), ("w", number())])
}

fn pose() -> Value {
    part("Pose", [("position", vector()), ("orientation", quaternion())])
}

fn color() -> Value {
    part("Color", [("r", number()), ("g", number()), ("b", number()), ("a", number())])
}

fn packed_field() -> Value {
    let kind = choice("NumericType", &NUMERIC_TYPES);
    part("PackedElementField", [("name", text()), ("offset", count()), ("type", kind)])
}

fn deletion() -> Value {
    let kind = choice("SceneEntityDeletionType", &["MATCHING_ID", "ALL"]);
    part("SceneEntityDeletion", [("timestamp", time()), ("type", kind), ("id", text())])
}

fn entity() -> Value {
    let metadata = part("KeyValuePair", [("key", text()), ("value", text())]);
    let arrow = part(
        "ArrowPrimitive",
        [
            ("pose", pose()),
            ("shaft_length", number()),
            ("shaft_diameter", number()),
            ("head_length", number()),
            ("head_diameter", number()),
            ("color", color()),
        ],
    );
    let cube = part("CubePrimitive", [("pose", pose()), ("size", vector()), ("color", color())]);
    let sphere =
        part("SpherePrimitive", [("pose", pose()), ("size", vector()), ("color", color())]);
    let cylinder = part(
        "CylinderPrimitive",
        [
            ("pose", pose()),
            ("size", vector()),
            ("bottom_scale", number()),
            ("top_scale", number()),
            ("color", color()),
        ],
    );
    let line = part(
        "LinePrimitive",
        [
            ("type", choice("LineType", &["LINE_STRIP", "LINE_LOOP", "LINE_LIST"])),
            ("pose", pose()),
            ("thickness", number()),
            ("scale_invariant", truth()),
            ("points", list(point())),
            ("color", color()),
            ("colors", list(color())),
            ("indices", list(count())),
        ],
    );
    let triangles = part(
        "TriangleListPrimitive",
        [
            ("pose", pose()),
            ("points", list(point())),
            ("color", color()),
            ("colors", list(color())),
            ("indices", list(count())),
        ],
    );
    let words = part(
        "TextPrimitive",
        [
            ("pose", pose()),
            ("billboard", truth()),
            ("font_size", number()),
            ("scale_invariant", truth()),
            ("color", color()),
            ("text", text()),
        ],
    );
    let model = part(
        "ModelPrimitive",
        [
            ("pose", pose()),
            ("scale", vector()),
            ("color", color()),
            ("override_color", truth()),
            ("url", text()),
            ("media_type", text()),
            ("data", json!({ "type": "string", "contentEncoding": "base64" })),
        ],
    );
    part(
        "SceneEntity",
        [
            ("timestamp", time()),
            ("frame_id", text()),
            ("id", text()),
            ("lifetime", duration()),
            ("frame_locked", truth()),
            ("metadata", list(metadata)),
            ("arrows", list(arrow)),
            ("cubes", list(cube)),
            ("spheres", list(sphere)),
            ("cylinders", list(cylinder)),
            ("lines", list(line)),
            ("triangles", list(triangles)),
            ("texts", list(words)),
            ("models", list(model)),
        ],
    )
}
