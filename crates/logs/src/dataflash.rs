//! DataFlash, the binary log format of ArduPilot (`.bin`).
//!
//! ```text
//! message  A3 95, u8 type, the fields                              again and again
//!   128 FMT   type, length, name[4], formats[16], labels[64]       the fields of a type
//!   FMTU      FmtType, UnitIds[16], MultIds[16]                    their units and multipliers
//!   UNIT, MULT                                                     what the letters of FMTU stand for
//! ```
//!
//! The letters of a format are those of ArduPilot's `libraries/AP_Logger/README.md`. Numbers are given in the
//! unit that the file names, without a prefix: hundredths (`c`, `C`, `e`, `E`) and degrees times 10⁷ (`L`) by
//! their letter, all others by their multiplier. A type with a field of the unit "instance" is one table for
//! each instance. Bytes that are no message are passed over to the next.

use std::collections::BTreeMap;

use crate::fields::{Field, Scale, Stored};
use crate::records::Records;
use crate::ulog::Found;

const HEAD: [u8; 2] = [0xa3, 0x95];
const HEADER: usize = 3;
const FMT: u8 = 128;
const FMT_LENGTH: usize = 89;
/// Elements of a field of type `a`.
const ARRAY: usize = 32;
/// The unit of a field that numbers instances.
const INSTANCE: char = '#';

/// How every file begins: with the format of formats.
pub(crate) const MAGIC: [u8; 3] = [HEAD[0], HEAD[1], FMT];

/// Finds all messages of a file.
pub(crate) fn read(bytes: &[u8]) -> Found {
    let mut reader = Reader::default();
    let (mut at, mut skipped, mut first_skipped) = (0, 0usize, 0);
    while at < bytes.len() {
        match reader.length_at(bytes, at) {
            Some(length) if at + length <= bytes.len() => {
                reader.take(&bytes[at..at + length], at);
                at += length;
            }
            _ => {
                if skipped == 0 {
                    first_skipped = at;
                }
                skipped += 1;
                at += 1;
            }
        }
    }
    let damage = (skipped > 0)
        .then(|| format!("{skipped} bytes, the first at byte {first_skipped}, are no message"));
    Found { records: reader.finish(bytes), damage }
}

struct Type {
    name: String,
    length: usize,
    formats: Vec<char>,
    labels: Vec<String>,
    unit_ids: Vec<char>,
    multiplier_ids: Vec<char>,
    rows: Vec<usize>,
}

#[derive(Default)]
struct Reader {
    types: BTreeMap<u8, Type>,
    units: BTreeMap<char, String>,
    multipliers: BTreeMap<char, f64>,
}

impl Reader {
    /// The length of the message here, if one can begin here.
    fn length_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let [head, second, kind] = bytes.get(at..at + HEADER)? else { return None };
        if [*head, *second] != HEAD {
            return None;
        }
        match (kind, self.types.get(kind)) {
            (&FMT, _) => Some(FMT_LENGTH),
            (_, found) => found.map(|found| found.length),
        }
    }

    fn take(&mut self, message: &[u8], at: usize) {
        if message[2] == FMT {
            self.define(message);
            return;
        }
        let Some(found) = self.types.get_mut(&message[2]) else { return };
        found.rows.push(at);
        // What the letters stand for is needed only once all is read.
        let body = &message[HEADER..];
        let field = |label: &str| {
            let place = found.labels.iter().position(|other| other == label)?;
            let offset: usize = found.formats[..place].iter().map(|format| size(*format)).sum();
            body.get(offset..offset + size(found.formats[place]))
        };
        match found.name.as_str() {
            "FMTU" => {
                let (Some(kind), Some(units), Some(multipliers)) =
                    (field("FmtType"), field("UnitIds"), field("MultIds"))
                else {
                    return;
                };
                let (kind, units, multipliers) = (kind[0], letters(units), letters(multipliers));
                if let Some(about) = self.types.get_mut(&kind) {
                    (about.unit_ids, about.multiplier_ids) = (units, multipliers);
                }
            }
            "UNIT" => {
                if let (Some([id, ..]), Some(label)) = (field("Id"), field("Label")) {
                    let label = letters(label).into_iter().collect();
                    self.units.insert(char::from(*id), label);
                }
            }
            "MULT" => {
                if let (Some([id, ..]), Some(factor)) = (field("Id"), field("Mult")) {
                    let factor = Stored::F64.number(factor).unwrap_or(1.0);
                    // It was single precision before it was written as double.
                    let factor = format!("{factor:.6e}").parse().unwrap_or(factor);
                    self.multipliers.insert(char::from(*id), factor);
                }
            }
            _ => {}
        }
    }

    /// A format; of several about one type the last counts for what follows it.
    fn define(&mut self, message: &[u8]) {
        let (kind, length) = (message[3], usize::from(message[4]));
        let name: String = letters(&message[5..9]).into_iter().collect();
        let formats = letters(&message[9..25]);
        let labels: String = letters(&message[25..89]).into_iter().collect();
        let labels = labels.split(',').map(|label| label.trim().to_owned()).collect::<Vec<_>>();
        let known = formats.iter().all(|format| size(*format) > 0);
        let needed: usize = HEADER + formats.iter().map(|format| size(*format)).sum::<usize>();
        if !known || needed > length || labels.len() < formats.len() || kind == FMT {
            return;
        }
        let same = |other: &Type| other.name == name && other.formats == formats;
        if self.types.get(&kind).is_some_and(same) {
            return;
        }
        let (rows, unit_ids, multiplier_ids) = (Vec::new(), Vec::new(), Vec::new());
        let made = Type { name, length, formats, labels, unit_ids, multiplier_ids, rows };
        self.types.insert(kind, made);
    }

    fn finish(self, bytes: &[u8]) -> Vec<Records> {
        let mut all = Vec::new();
        for found in self.types.values().filter(|found| !found.rows.is_empty()) {
            let fields = self.fields(found);
            let time = fields.iter().position(|field| field.name == "TimeUS");
            let number = found.unit_ids.iter().position(|unit| *unit == INSTANCE);
            let number = number.and_then(|place| found.labels.get(place));
            let number = number.and_then(|label| fields.iter().find(|f| f.name == *label));
            let mut instances: BTreeMap<Option<u64>, Vec<usize>> = BTreeMap::new();
            for row in &found.rows {
                let instance = number.and_then(|field| {
                    field.stored.number(bytes.get(row + field.offset..)?).map(|n| n as u64)
                });
                instances.entry(instance).or_default().push(*row);
            }
            for (instance, rows) in instances {
                let name = match instance {
                    Some(instance) => format!("{}[{instance}]", found.name),
                    None => found.name.clone(),
                };
                let fields = fields.clone();
                all.push(Records { name, fields, time, time_name: "\"TimeUS\"", rows });
            }
        }
        all
    }

    fn fields(&self, found: &Type) -> Vec<Field> {
        let mut fields = Vec::new();
        let mut offset = HEADER;
        for (place, (format, label)) in found.formats.iter().zip(&found.labels).enumerate() {
            let (stored, own) = stored(*format);
            let letter = |ids: &[char]| ids.get(place).copied();
            let multiplier =
                letter(&found.multiplier_ids).and_then(|id| self.multipliers.get(&id).copied());
            // A multiplier of zero says that there is none.
            let multiplier = multiplier.filter(|factor| factor.is_finite() && *factor != 0.0);
            let is_time = label == "TimeUS";
            let factor = own.or(multiplier.filter(|_| !is_time)).unwrap_or(1.0);
            let unit = letter(&found.unit_ids).and_then(|id| self.units.get(&id).cloned());
            let unit = if is_time { "us".into() } else { unit.unwrap_or_default() };
            let scale = Scale::of(factor);
            let field =
                |name: String, offset| Field { name, offset, stored, scale, unit: unit.clone() };
            match format {
                'a' => (0..ARRAY).for_each(|index| {
                    fields.push(field(format!("{label}[{index}]"), offset + 2 * index));
                }),
                _ => fields.push(field(label.clone(), offset)),
            }
            offset += size(*format);
        }
        fields
    }
}

/// How the numbers of a field are stored, and the factor that its letter implies.
fn stored(format: char) -> (Stored, Option<f64>) {
    match format {
        'a' | 'h' => (Stored::I16, None),
        'b' => (Stored::I8, None),
        'B' | 'M' => (Stored::U8, None),
        'H' => (Stored::U16, None),
        'i' => (Stored::I32, None),
        'I' => (Stored::U32, None),
        'f' => (Stored::F32, None),
        'd' => (Stored::F64, None),
        'g' => (Stored::F16, None),
        'q' => (Stored::I64, None),
        'Q' => (Stored::U64, None),
        'c' => (Stored::I16, Some(0.01)),
        'C' => (Stored::U16, Some(0.01)),
        'e' => (Stored::I32, Some(0.01)),
        'E' => (Stored::U32, Some(0.01)),
        'L' => (Stored::I32, Some(1e-7)),
        _ => (Stored::Text, None),
    }
}

/// The bytes of a field; 0 for letters that are not known.
fn size(format: char) -> usize {
    match format {
        'a' => 2 * ARRAY,
        'n' => 4,
        'N' => 16,
        'Z' => 64,
        'b' | 'B' | 'M' | 'h' | 'H' | 'i' | 'I' | 'f' | 'd' | 'g' | 'q' | 'Q' | 'c' | 'C' | 'e'
        | 'E' | 'L' => stored(format).0.size(),
        _ => 0,
    }
}

/// A text that ends at the first zero byte.
fn letters(bytes: &[u8]) -> Vec<char> {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    bytes[..end].iter().map(|byte| char::from(*byte)).collect()
}
