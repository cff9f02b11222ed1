//! Values as CDR, the encoding of ROS 2 messages (little-endian, plain CDR version 1).
//!
//! ```text
//! 00 01 00 00 | time_ps: u64 | value …
//!   header    ^ offsets and alignment count from here
//! ```
//!
//! Each number is aligned to its size, a payload is its length as `u32` and its bytes, an empty struct
//! one zero byte. A [`Plan`] is made once per schema: runs of equal numbers, which are copied at once.

use ironbird_kernel::{LeafKind, Schema, Time};

use crate::continuous::Continuous;

/// "Plain CDR, little-endian, no options".
const HEADER: [u8; 4] = [0, 1, 0, 0];

/// How values of one schema are laid out in messages.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    steps: Vec<Step>,
    /// Bytes of the fixed part of a value.
    size: usize,
    continuous: Continuous,
}

#[derive(Clone, Debug)]
enum Step {
    /// `count` numbers of one kind, at `from` in the fixed part of the value.
    Numbers { kind: LeafKind, from: usize, count: usize },
    /// A payload whose length stands at `from`.
    Payload { from: usize },
    /// A continuous part of `bytes` bytes.
    Evaluate { from: usize, bytes: usize },
    /// What stands for a struct without fields.
    Nothing,
}

/// The value is not as long as its schema and its payloads ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WrongSize {
    pub needed: usize,
}

impl Plan {
    /// The plan for values of `schema`, of which continuous parts are evaluated.
    pub(crate) fn new(schema: &Schema, continuous: Continuous) -> Self {
        let mut plan = Plan { steps: Vec::new(), size: schema.size(), continuous };
        match schema {
            // The message has the time, so it is not empty.
            Schema::Struct { fields, .. } if is_blank(fields) => {}
            other => plan.add(other, &mut 0),
        }
        plan
    }

    fn add(&mut self, schema: &Schema, offset: &mut usize) {
        let from = *offset;
        match schema {
            continuous if (self.continuous.recognises)(continuous) => {
                *offset += continuous.size();
                self.steps.push(Step::Evaluate { from, bytes: continuous.size() });
            }
            Schema::Leaf(LeafKind::Payload) => {
                *offset += LeafKind::Payload.size();
                self.steps.push(Step::Payload { from });
            }
            Schema::Leaf(kind) => self.add_number(*kind, offset),
            Schema::Choice { .. } => self.add_number(LeafKind::U32, offset),
            Schema::Struct { fields, .. } if is_blank(fields) => self.steps.push(Step::Nothing),
            Schema::Struct { fields, .. } => {
                for (_, part) in fields {
                    self.add(part, offset);
                }
            }
            Schema::Array { length, element } => {
                for _ in 0..*length {
                    self.add(element, offset);
                }
            }
        }
    }

    fn add_number(&mut self, kind: LeafKind, offset: &mut usize) {
        let next = *offset;
        *offset += kind.size();
        match self.steps.last_mut() {
            Some(Step::Numbers { kind: last, from, count })
                if *last == kind && *from + *count * kind.size() == next =>
            {
                *count += 1;
            }
            _ => self.steps.push(Step::Numbers { kind, from: next, count: 1 }),
        }
    }

    /// Appends the message for `value` at `time` to `out`.
    pub(crate) fn encode(
        &self,
        time: Time,
        value: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), WrongSize> {
        let Some((fixed, mut payloads)) = value.split_at_checked(self.size) else {
            return Err(WrongSize { needed: self.size });
        };
        out.extend_from_slice(&HEADER);
        let start = out.len();
        out.extend_from_slice(&time.as_ps().to_le_bytes());
        for step in &self.steps {
            match *step {
                Step::Numbers { kind, from, count } => {
                    align(out, start, kind.size());
                    let numbers = out.len();
                    out.extend_from_slice(&fixed[from..from + count * kind.size()]);
                    unify_nans(kind, &mut out[numbers..]);
                }
                Step::Payload { from } => {
                    let length = read::<8>(&fixed[from..]).map_or(0, u64::from_le_bytes);
                    let too_short = WrongSize {
                        needed: value.len().saturating_add(
                            usize::try_from(length)
                                .unwrap_or(usize::MAX)
                                .saturating_sub(payloads.len()),
                        ),
                    };
                    let short = u32::try_from(length).map_err(|_| too_short)?;
                    let (contents, rest) =
                        payloads.split_at_checked(short as usize).ok_or(too_short)?;
                    payloads = rest;
                    align(out, start, 4);
                    out.extend_from_slice(&short.to_le_bytes());
                    out.extend_from_slice(contents);
                }
                Step::Evaluate { from, bytes } => {
                    align(out, start, 8);
                    let number = (self.continuous.evaluate)(&fixed[from..from + bytes], time);
                    let number = if number.is_nan() { f64::NAN } else { number };
                    out.extend_from_slice(&number.to_le_bytes());
                }
                Step::Nothing => out.push(0),
            }
        }
        if payloads.is_empty() {
            Ok(())
        } else {
            Err(WrongSize { needed: value.len() - payloads.len() })
        }
    }

    /// Reads a message: appends its numbers to `numbers` and gives its time; `None` if it is not what
    /// the schema says.
    pub(crate) fn decode(&self, message: &[u8], numbers: &mut Vec<f64>) -> Option<Time> {
        self.decode_all(message, numbers, |_| ())
    }

    /// The same; shows its payloads as well.
    pub(crate) fn decode_all<'m>(
        &self,
        message: &'m [u8],
        numbers: &mut Vec<f64>,
        mut payload: impl FnMut(&'m [u8]),
    ) -> Option<Time> {
        let time = time_of(message)?;
        let body = &message[HEADER.len()..];
        let mut at = 8;
        for step in &self.steps {
            match *step {
                Step::Numbers { kind, count, .. } => {
                    at = aligned(at, kind.size());
                    let run = body.get(at..)?.get(..count * kind.size())?;
                    numbers.extend(run.chunks_exact(kind.size()).filter_map(|n| number(kind, n)));
                    at += run.len();
                }
                Step::Payload { .. } => {
                    at = aligned(at, 4);
                    let length = u32::from_le_bytes(read(body.get(at..)?)?);
                    let contents = body.get(at + 4..)?.get(..length as usize)?;
                    payload(contents);
                    at += 4 + contents.len();
                }
                Step::Evaluate { .. } => {
                    at = aligned(at, 8);
                    numbers.push(f64::from_le_bytes(read(body.get(at..)?)?));
                    at += 8;
                }
                Step::Nothing => at += body.get(at..)?.get(..1)?.len(),
            }
        }
        (at == body.len()).then_some(time)
    }
}

/// Whether a struct has no field that shows in a message.
fn is_blank(fields: &[(String, Schema)]) -> bool {
    fields.iter().all(|(_, part)| is_absent(part))
}

/// Whether this is an array without elements, which ROS does not have: its field is left out.
pub(crate) fn is_absent(schema: &Schema) -> bool {
    matches!(schema, Schema::Array { length, element } if *length == 0 || is_absent(element))
}

/// The exact time of a message.
pub(crate) fn time_of(message: &[u8]) -> Option<Time> {
    let body = message.strip_prefix(&HEADER)?;
    Some(Time::from_ps(u64::from_le_bytes(read(body)?)))
}

fn aligned(at: usize, size: usize) -> usize {
    at.next_multiple_of(size)
}

fn align(out: &mut Vec<u8>, start: usize, size: usize) {
    let length = start + aligned(out.len() - start, size);
    out.resize(length, 0);
}

fn read<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    bytes.get(..N)?.try_into().ok()
}

/// Makes all NaNs the same bits: which one an operation gives depends on the processor.
fn unify_nans(kind: LeafKind, numbers: &mut [u8]) {
    match kind {
        LeafKind::F64 => {
            for number in numbers.chunks_exact_mut(8) {
                if read(number).is_some_and(|bytes| f64::from_le_bytes(bytes).is_nan()) {
                    number.copy_from_slice(&f64::NAN.to_le_bytes());
                }
            }
        }
        LeafKind::F32 => {
            for number in numbers.chunks_exact_mut(4) {
                if read(number).is_some_and(|bytes| f32::from_le_bytes(bytes).is_nan()) {
                    number.copy_from_slice(&f32::NAN.to_le_bytes());
                }
            }
        }
        _ => {}
    }
}

fn number(kind: LeafKind, bytes: &[u8]) -> Option<f64> {
    Some(match kind {
        LeafKind::Bool => f64::from(u8::from(bytes[0] != 0)),
        LeafKind::I8 => f64::from(i8::from_le_bytes(read(bytes)?)),
        LeafKind::I16 => f64::from(i16::from_le_bytes(read(bytes)?)),
        LeafKind::I32 => f64::from(i32::from_le_bytes(read(bytes)?)),
        LeafKind::I64 => i64::from_le_bytes(read(bytes)?) as f64,
        LeafKind::U8 => f64::from(bytes[0]),
        LeafKind::U16 => f64::from(u16::from_le_bytes(read(bytes)?)),
        LeafKind::U32 => f64::from(u32::from_le_bytes(read(bytes)?)),
        LeafKind::U64 => u64::from_le_bytes(read(bytes)?) as f64,
        LeafKind::F32 => f64::from(f32::from_le_bytes(read(bytes)?)),
        LeafKind::F64 => f64::from_le_bytes(read(bytes)?),
        LeafKind::Payload => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::continuous::TRAJECTORY;
    use ironbird_kernel::{Payload, Value, Wire};

    #[derive(Clone, Value)]
    struct Mixed {
        flag: bool,
        pair: [f64; 2],
        small: u16,
        image: Payload,
        last: u32,
    }

    fn wire_bytes(value: &impl Value) -> Vec<u8> {
        let mut wire = Wire::default();
        value.encode(&mut wire);
        let mut bytes = wire.fixed().to_vec();
        for payload in wire.payloads() {
            bytes.extend_from_slice(payload);
        }
        bytes
    }

    #[test]
    fn numbers_are_aligned_to_their_size_and_payloads_carry_their_length() {
        let image = Payload::new([7, 8, 9]);
        let value = Mixed { flag: true, pair: [1.0, f64::NAN], small: 513, image, last: 5 };
        let plan = Plan::new(&Mixed::schema(), TRAJECTORY);
        let mut message = Vec::new();
        plan.encode(Time::from_ps(6), &wire_bytes(&value), &mut message).unwrap();
        let mut expected = vec![0, 1, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0];
        expected.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        expected.extend(1f64.to_le_bytes());
        expected.extend(f64::NAN.to_le_bytes());
        expected.extend([1, 2, 0, 0, 3, 0, 0, 0, 7, 8, 9, 0, 5, 0, 0, 0]);
        assert_eq!(message, expected);

        let mut numbers = Vec::new();
        assert_eq!(plan.decode(&message, &mut numbers), Some(Time::from_ps(6)));
        assert_eq!(numbers[..2], [1.0, 1.0]);
        assert!(numbers[2].is_nan());
        assert_eq!(numbers[3..], [513.0, 5.0]);
    }

    #[test]
    fn a_value_of_another_size_is_refused() {
        let plan = Plan::new(&<[f64; 2]>::schema(), TRAJECTORY);
        let encode = |bytes: &[u8]| plan.encode(Time::ZERO, bytes, &mut Vec::new());
        assert_eq!(encode(&[0; 15]), Err(WrongSize { needed: 16 }));
        assert_eq!(encode(&[0; 17]), Err(WrongSize { needed: 16 }));
        let payload = Plan::new(&Payload::schema(), TRAJECTORY);
        let mut claims_five = 5u64.to_le_bytes().to_vec();
        claims_five.extend([1, 2]);
        let refused = payload.encode(Time::ZERO, &claims_five, &mut Vec::new());
        assert_eq!(refused, Err(WrongSize { needed: 13 }));
    }

    #[test]
    fn nothing_is_the_time_alone_at_the_top_and_one_byte_inside() {
        let encoded = |schema: &Schema| {
            let mut message = Vec::new();
            Plan::new(schema, TRAJECTORY).encode(Time::ZERO, &[], &mut message).unwrap();
            message.len()
        };
        assert_eq!(encoded(&<()>::schema()), 12);
        assert_eq!(encoded(&<[(); 3]>::schema()), 15);
    }

    #[test]
    fn every_nan_becomes_the_same_nan() {
        let plan = Plan::new(&f64::schema(), TRAJECTORY);
        let mut message = Vec::new();
        let negative = f64::from_bits(0xfff8_0000_0000_1234);
        plan.encode(Time::ZERO, &negative.to_le_bytes(), &mut message).unwrap();
        assert_eq!(message[12..], f64::NAN.to_le_bytes());
    }
}
