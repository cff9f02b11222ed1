//! Message definitions as ROS 2 writes them, which Foxglove, PlotJuggler and the Python tools read.
//!
//! A message starts with the exact time; a plain number follows as `value`, a struct as its fields,
//! nested structs in sections of their own:
//!
//! ```text
//! uint64 time_ps
//! ironbird/Pose pose
//! float64[6] covariance # {"name":"covariance","shape":[2,3]}
//! uint32 MODE_IDLE=0
//! uint32 MODE_MANUAL=1
//! uint32 mode
//! ================================================================================
//! MSG: ironbird/Pose
//! float64[3] position
//! float64[4] attitude
//! ```
//!
//! ROS allows fewer names and no arrays of arrays. Where the definition cannot say what the kernel's
//! schema says, a comment behind the field does, so that reading gives the same paths back.

mod names;
mod parse;
mod text;

use serde::{Deserialize, Serialize};

pub(crate) use parse::parse;
pub(crate) use text::definition;

/// The package that all messages are said to come from.
const PACKAGE: &str = "ironbird";
/// The first field of every message.
const TIME_FIELD: &str = "time_ps";
/// The only other field of a message that is not a struct.
const VALUE_FIELD: &str = "value";
/// The field of the message that wraps a payload where ROS allows no bare sequence.
const WRAPPED_FIELD: &str = "data";

/// What the comment behind a field says.
#[derive(Default, Serialize, Deserialize)]
struct Annotation {
    /// The kernel's name of the field; empty for a message that is no struct.
    name: String,
    /// Lengths of arrays, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shape: Vec<usize>,
    /// Whether the field's type only wraps a payload.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    wrapped: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::{LeafKind, Schema};
    use proptest::prelude::*;

    fn schemas() -> impl Strategy<Value = Schema> {
        use LeafKind::*;
        let kinds = [Bool, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, Payload];
        let name = prop_oneof!["[a-zA-Z_][a-zA-Z0-9_]{0,6}", ".{0,4}", Just("time_ps".to_owned())];
        let leaf = prop_oneof![
            prop::sample::select(kinds.to_vec()).prop_map(Schema::Leaf),
            (name.clone(), prop::collection::vec(".{0,3}", 1..4))
                .prop_map(|(name, variants)| Schema::Choice { name, variants }),
        ];
        leaf.prop_recursive(3, 24, 4, move |part| {
            let field = (name.clone(), part.clone());
            prop_oneof![
                (name.clone(), prop::collection::vec(field, 0..4))
                    .prop_map(|(name, fields)| { Schema::Struct { name, fields } }),
                (0..3usize, part)
                    .prop_map(|(length, part)| Schema::Array { length, element: Box::new(part) }),
            ]
        })
    }

    proptest! {
        #[test]
        fn reading_a_definition_gives_the_same_leaves(schema in schemas()) {
            let definition = definition(&schema);
            let again = parse(&definition.text);
            let again = again.map_err(|cause| TestCaseError::fail(format!("{cause}\n{}", definition.text)))?;
            prop_assert_eq!(again.leaves(), schema.leaves());
            prop_assert_eq!(again.size(), schema.size());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(uint64 time_ps\n)?[a-z0-9 \\[\\]={}:\"#/\n]{0,80}") {
            let _ = parse(&text);
        }
    }

    #[test]
    fn a_type_that_contains_itself_is_refused() {
        let line = "=".repeat(80);
        let text =
            format!("uint64 time_ps\nironbird/A a\n{line}\nMSG: ironbird/A\nironbird/A[2] a\n");
        assert!(parse(&text).unwrap_err().contains("too large"));
    }
}
