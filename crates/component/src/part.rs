//! Parts of the value of a port: `position[2]`, or, by the axis of its frame, `position.down`.
//!
//! | frame | names of the three numbers of a vector |
//! |---|---|
//! | `ned` | `north`, `east`, `down` |
//! | `body` | `forward`, `starboard`, `down`; also `x`, `y`, `z` |
//! | `sensor`, `ecef` and any other | `x`, `y`, `z` |
//! | none | none: by index only |

use ironbird_kernel::path::nearest;
use ironbird_kernel::{LeafKind, Schema};

use crate::interface::PortDescription;
use crate::unit::LeafUnits;
use crate::value_type::ValueType;

/// A part of the value of a port, or all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its path inside the value, with indices: `value[2]`; empty for all of it.
    pub path: String,
    /// Number of its first leaf.
    pub first: usize,
    /// How many leaves it has.
    pub leaves: usize,
    /// Its layout.
    pub schema: Schema,
    /// The frame of its numbers.
    pub frame: Option<String>,
}

/// Names of the axes of a frame; the first are those that are shown.
fn axes(frame: &str) -> &'static [[&'static str; 3]] {
    match frame {
        "ned" => &[["north", "east", "down"]],
        "body" => &[["forward", "starboard", "down"], ["x", "y", "z"]],
        _ => &[["x", "y", "z"]],
    }
}

/// Words for the axes of any frame: whoever writes one of another frame means the axis of the same number.
const AXES: [&[&str]; 3] =
    [&["x", "north", "forward"], &["y", "east", "starboard"], &["z", "down"]];

/// Whether a layout is three real numbers.
fn is_vector(schema: &Schema) -> bool {
    match schema {
        Schema::Array { length: 3, element } => {
            matches!(**element, Schema::Leaf(LeafKind::F32 | LeafKind::F64))
        }
        _ => false,
    }
}

/// The names of the numbers of a vector in a frame.
fn axes_of(schema: &Schema, frame: Option<&str>) -> Option<[&'static str; 3]> {
    let frame = frame.filter(|_| is_vector(schema))?;
    axes(frame).first().copied()
}

/// A step of a path: `.name` or `[2]`.
enum Step<'t> {
    Name(&'t str),
    Index(usize),
}

/// The steps of a path; `None` where it is none. A dot in front of the first name may be left out.
fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(index) = rest.strip_prefix('[') {
            let (digits, after) = index.split_once(']')?;
            // One spelling of each index.
            let index = digits.parse().ok().filter(|i: &usize| i.to_string() == digits)?;
            steps.push(Step::Index(index));
            rest = after;
            continue;
        }
        let name = match rest.strip_prefix('.') {
            Some(name) => name,
            None if steps.is_empty() => rest,
            None => return None,
        };
        let end = name.find(['.', '[']).unwrap_or(name.len());
        if end == 0 {
            return None;
        }
        steps.push(Step::Name(&name[..end]));
        rest = &name[end..];
    }
    Some(steps)
}

impl Part {
    /// All of a value.
    fn whole(port: &PortDescription) -> Self {
        let schema = port.value.schema();
        let leaves = if port.value.is_continuous() { 1 } else { schema.leaves().len() };
        Part { path: String::new(), first: 0, leaves, schema, frame: port.frame.clone() }
    }

    /// Whether it is not all of the value.
    pub fn is_part(&self) -> bool {
        !self.path.is_empty()
    }

    /// The names of its three numbers, if it is a vector in a frame that names them.
    pub fn axes(&self) -> Option<[&'static str; 3]> {
        axes_of(&self.schema, self.frame.as_deref())
    }

    fn into_field(self, port: &PortDescription, name: &str) -> Option<Part> {
        if let Some(index) =
            self.frame.as_deref().filter(|_| is_vector(&self.schema)).and_then(|frame| {
                axes(frame).iter().find_map(|names| names.iter().position(|n| *n == name))
            })
        {
            return self.into_element(index);
        }
        let Schema::Struct { fields, .. } = self.schema else { return None };
        let place = fields.iter().position(|(field, _)| field == name)?;
        let before: usize = fields[..place].iter().map(|(_, part)| part.leaves().len()).sum();
        let dot = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{name}", self.path);
        let schema = fields.into_iter().nth(place).map(|(_, part)| part)?;
        let own = port.part_frames.iter().find(|(part, _)| *part == path);
        let frame = own.map(|(_, frame)| frame.clone()).or(self.frame);
        // A number that is not along an axis, as a time or a distance, is in no frame.
        let frame = frame.filter(|_| !matches!(schema, Schema::Leaf(_) | Schema::Choice { .. }));
        Some(Part {
            path,
            first: self.first + before,
            leaves: schema.leaves().len(),
            schema,
            frame,
        })
    }

    fn into_element(self, index: usize) -> Option<Part> {
        let Schema::Array { length, element } = self.schema else { return None };
        if index >= length {
            return None;
        }
        let leaves = element.leaves().len();
        let path = format!("{}[{index}]", self.path);
        let first = self.first + index * leaves;
        Some(Part { path, first, leaves, schema: *element, frame: self.frame })
    }
}

impl PortDescription {
    /// What a path behind the name of the port means: `value[2]`, `.value.down`, or nothing for all of its value. A
    /// trajectory, which stands for one number at each instant, has no parts.
    pub fn part(&self, path: &str) -> Option<Part> {
        let whole = Part::whole(self);
        if self.value.is_continuous() {
            return path.is_empty().then_some(whole);
        }
        steps(path)?.into_iter().try_fold(whole, |part, step| match step {
            Step::Name(name) => part.into_field(self, name),
            Step::Index(index) => part.into_element(index),
        })
    }

    /// The parts that have names of their own, in their order: fields, and fields of these. Elements of lists are not
    /// among them.
    pub fn parts(&self) -> Vec<Part> {
        if self.value.is_continuous() {
            return Vec::new();
        }
        let mut parts = Vec::new();
        self.collect_parts(&Part::whole(self), &mut parts);
        parts
    }

    fn collect_parts(&self, of: &Part, parts: &mut Vec<Part>) {
        let Schema::Struct { fields, .. } = &of.schema else { return };
        for (name, _) in fields {
            if let Some(part) = of.clone().into_field(self, name) {
                parts.push(part.clone());
                self.collect_parts(&part, parts);
            }
        }
    }

    /// The paths of all parts as a user would write them: `value`, `value.north`, `value[3]`.
    pub fn part_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for part in [vec![Part::whole(self)], self.parts()].concat() {
            if part.is_part() {
                names.push(part.path.clone());
            }
            let dot = if part.is_part() { "." } else { "" };
            match (&part.schema, part.axes()) {
                (_, Some(axes)) => {
                    names.extend(axes.iter().map(|axis| format!("{}{dot}{axis}", part.path)));
                }
                (Schema::Array { length, .. }, None) => {
                    names.extend((0..*length).map(|index| format!("{}[{index}]", part.path)));
                }
                _ => {}
            }
        }
        names
    }

    /// The part that was most likely meant by a path that means none, as a user would write it: for an axis of
    /// another frame the one of the same number, otherwise the nearest name. Empty where the whole was meant.
    pub fn near_part(&self, path: &str) -> Option<String> {
        let path = path.trim_start_matches('.');
        let names = self.part_names();
        let (before, last) = path.rsplit_once('.').unwrap_or(("", path));
        if let Some(number) = AXES.iter().position(|words| words.contains(&last)) {
            let mut vectors = [vec![Part::whole(self)], self.parts()].concat();
            vectors.retain(|part| is_vector(&part.schema));
            let inside = |part: &&Part| part.path == before;
            if let Some(vector) = vectors.iter().find(inside).or(vectors.first()) {
                let dot = if vector.is_part() { "." } else { "" };
                return Some(match vector.axes() {
                    Some(axes) => format!("{}{dot}{}", vector.path, axes[number]),
                    None => format!("{}[{number}]", vector.path),
                });
            }
        }
        let whole = (!matches!(self.value.schema(), Schema::Struct { .. })).then_some("");
        nearest(path, names.iter().map(String::as_str).chain(whole)).map(Into::into)
    }

    /// A port that shows nothing but a part of this one, as a value of type `value`; `None` where the part is no
    /// such value. A whole or real number that a real number holds exactly is one.
    pub fn showing(&self, part: &Part, value: ValueType) -> Option<PortDescription> {
        let wanted = value.schema();
        let is_real = wanted == Schema::Leaf(LeafKind::F64) && is_exactly_real(&part.schema);
        if part.schema != wanted && !is_real {
            return None;
        }
        let leaves = self.value.schema().leaves().into_iter().skip(part.first).take(part.leaves);
        let units = leaves.map(|leaf| {
            let inside = leaf.path[part.path.len()..].trim_start_matches('.').to_owned();
            (inside, self.units.of(&leaf.path))
        });
        let units: Vec<_> = units.collect();
        let all_alike = units.windows(2).all(|two| two[0].1 == two[1].1);
        let units = match units.first() {
            Some((_, unit)) if all_alike => LeafUnits::All(unit.clone()),
            _ => LeafUnits::ByPath(units),
        };
        let dot = if part.path.is_empty() || part.path.starts_with('[') { "" } else { "." };
        let name = format!("{}{dot}{}", self.name, part.path);
        Some(PortDescription { name, value, units, frame: part.frame.clone(), ..self.clone() })
    }
}

/// Whether every number of this layout is a real number of 64 bits.
fn is_exactly_real(schema: &Schema) -> bool {
    use LeafKind::{F32, F64, I8, I16, I32, U8, U16, U32};
    matches!(schema, Schema::Leaf(F32 | F64 | I8 | I16 | I32 | U8 | U16 | U32))
}

#[cfg(test)]
mod tests {
    use ironbird_kernel::{PortKind, Time, Value, VectorSample};

    use super::*;

    /// A vehicle's motion in short.
    #[derive(Clone, Debug, Default, PartialEq, Value)]
    struct Motion {
        position: [f64; 3],
        rates: [f64; 3],
        gear: u16,
        since: Time,
    }

    fn port<T: Value>(frame: &str) -> PortDescription {
        let port = PortDescription::output("p", PortKind::Signal, ValueType::of::<T>());
        if frame.is_empty() { port } else { port.frame(frame) }
    }

    #[test]
    fn a_part_is_named_by_its_path_or_by_the_axis_of_its_frame() {
        let gps = port::<VectorSample>("ned");
        for (path, canonical, first, leaves) in [
            ("", "", 0, 5),
            ("value", "value", 0, 3),
            (".value", "value", 0, 3),
            ("value[2]", "value[2]", 2, 1),
            (".value.down", "value[2]", 2, 1),
            ("value.north", "value[0]", 0, 1),
            ("taken", "taken", 3, 1),
            ("valid", "valid", 4, 1),
        ] {
            let part = gps.part(path).unwrap();
            assert_eq!((part.path.as_str(), part.first, part.leaves), (canonical, first, leaves));
        }
        for path in ["value.z", "value[3]", "value[03]", "value.", ".", "..value", "value[1][1]"] {
            assert_eq!(gps.part(path), None, "{path}");
        }
        let position = port::<[f64; 3]>("ned");
        assert_eq!(position.part("down"), position.part("[2]"));
        let rates = port::<[f64; 3]>("body");
        assert_eq!(rates.part("forward"), rates.part(".x"));
        let unframed = port::<[f64; 3]>("");
        assert_eq!(unframed.part("x"), None);
        assert!(unframed.part("[0]").is_some());
    }

    #[test]
    fn parts_have_the_frames_that_are_theirs() {
        let motion = port::<Motion>("ned, rates: body");
        assert_eq!(motion.frame.as_deref(), Some("ned"));
        let frame = |path: &str| motion.part(path).and_then(|part| part.frame);
        assert_eq!(frame("position").as_deref(), Some("ned"));
        assert_eq!(frame("rates.forward").as_deref(), Some("body"));
        assert_eq!((frame("position.down").as_deref(), frame("gear")), (Some("ned"), None));
        assert_eq!(motion.part("rates.starboard").unwrap().first, 4);
    }

    #[test]
    fn an_axis_of_another_frame_is_answered_with_the_one_of_the_same_number() {
        let near = |port: &PortDescription, path: &str| port.near_part(path);
        let (gps, motion) = (port::<VectorSample>("ned"), port::<Motion>("ned, rates: body"));
        assert_eq!(near(&port::<[f64; 3]>("ned"), ".z").as_deref(), Some("down"));
        assert_eq!(near(&gps, ".z").as_deref(), Some("value.down"));
        assert_eq!(near(&gps, ".value.x").as_deref(), Some("value.north"));
        assert_eq!(near(&motion, ".rates.east").as_deref(), Some("rates.starboard"));
        assert_eq!(near(&motion, ".y").as_deref(), Some("position.east"));
        assert_eq!(near(&port::<[f64; 3]>(""), ".y").as_deref(), Some("[1]"));
        assert_eq!(near(&gps, ".valeu.north").as_deref(), Some("value.north"));
        assert_eq!(near(&port::<f64>(""), ".x").as_deref(), Some(""));
    }

    #[test]
    fn a_part_shows_a_value_that_holds_it_exactly() {
        let motion =
            port::<Motion>("ned, rates: body").units("position: m, rates: rad/s".parse().unwrap());
        let shown = |path: &str, value| motion.showing(&motion.part(path).unwrap(), value);
        let down = shown("position.down", ValueType::of::<f64>()).unwrap();
        assert_eq!(
            (down.name.as_str(), down.units.of("").to_string()),
            ("p.position[2]", "m".into())
        );
        let rates = shown("rates", ValueType::of::<[f64; 3]>()).unwrap();
        assert_eq!((rates.frame.as_deref(), rates.name.as_str()), (Some("body"), "p.rates"));
        assert!(shown("gear", ValueType::of::<f64>()).is_some());
        assert!(shown("gear", ValueType::of::<bool>()).is_none());
        assert!(shown("since", ValueType::of::<f64>()).is_none(), "it would be rounded");
        assert!(shown("rates", ValueType::of::<f64>()).is_none());
    }
}
