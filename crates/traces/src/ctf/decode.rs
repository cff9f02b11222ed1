//! Fields out of bits (CTF 1.8.3, section 4), with the lengths and choices that other fields tell.

use std::sync::Arc;

use super::bits::{Bits, Stop, signed};
use super::field::{FieldType, Fields, IntegerType, Kind, Value};

/// Values that take no bits, such as empty structures, in one event. More would be an attack.
const MOST_EMPTY_VALUES: u64 = 10_000;

/// The last value of a clock that was met.
#[derive(Clone, Debug)]
pub(super) struct ClockReading {
    pub clock: Arc<str>,
    pub value: u64,
    pub size: u32,
}

/// Decodes one scope after the other; later ones may refer to earlier ones.
pub(super) struct Decoder<'a> {
    pub bits: Bits<'a>,
    /// Scopes that are complete, with the names by which paths refer to them.
    scopes: Vec<(&'static str, Arc<Fields>)>,
    /// Structures that are being read, the outermost first.
    open: Vec<Fields>,
    budget: u64,
    pub reading: Option<ClockReading>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bits: Bits<'a>) -> Self {
        let budget = bits.left().saturating_add(MOST_EMPTY_VALUES);
        Decoder { bits, scopes: Vec::new(), open: Vec::new(), budget, reading: None }
    }

    /// Starts an event or a packet: the scopes from the `kept`-th on are forgotten.
    pub(super) fn start(&mut self, kept: usize) {
        self.scopes.truncate(kept);
        self.open.clear();
        self.budget = self.bits.left().saturating_add(MOST_EMPTY_VALUES);
        self.reading = None;
    }

    /// Reads a scope, such as `stream.event.context`, which is empty if the metadata has none.
    pub(super) fn scope(
        &mut self,
        name: &'static str,
        field: Option<&FieldType>,
    ) -> Result<Arc<Fields>, Stop> {
        let fields = match field {
            None => Fields::default(),
            Some(field) => match self.value(field)? {
                Value::Struct(fields) => fields,
                _ => return Err(Stop::Nonsense(format!("{name} is no structure"))),
            },
        };
        let fields = Arc::new(fields);
        self.scopes.push((name, fields.clone()));
        Ok(fields)
    }

    fn value(&mut self, field: &FieldType) -> Result<Value, Stop> {
        self.budget = self.budget.checked_sub(1).ok_or_else(|| {
            Stop::Nonsense(format!("an event has more than {MOST_EMPTY_VALUES} empty values"))
        })?;
        self.bits.align(field.align)?;
        match &field.kind {
            Kind::Integer(integer) => self.integer(integer),
            Kind::Float { size: 32, order } => {
                let bits = self.bits.unsigned(32, *order)?;
                Ok(Value::Real(f32::from_bits(bits as u32).into()))
            }
            Kind::Float { size, order } => {
                Ok(Value::Real(f64::from_bits(self.bits.unsigned(*size, *order)?)))
            }
            Kind::Enumeration { container, labels } => {
                let number = self.integer(container)?.integer().unwrap_or(0);
                let fits = labels.iter().filter(|l| l.first <= number && number <= l.last);
                Ok(Value::Label(number, fits.map(|label| label.name.clone()).collect()))
            }
            Kind::Text => {
                let bytes = self.bits.until_zero()?;
                Ok(Value::Text(String::from_utf8_lossy(bytes).into_owned()))
            }
            Kind::Struct(members) => {
                self.open.push(Fields::default());
                for member in members {
                    let value = self.value(&member.field)?;
                    if let Some(open) = self.open.last_mut() {
                        open.0.push((member.name.clone(), value));
                    }
                }
                Ok(Value::Struct(self.open.pop().unwrap_or_default()))
            }
            Kind::Array { element, length } => self.elements(element, *length),
            Kind::Sequence { element, length } => {
                let found = self.find(length).and_then(Value::integer);
                let count = found.and_then(|number| u64::try_from(number).ok());
                let path = || format!("a sequence has no length: \"{}\"", length.join("."));
                self.elements(element, count.ok_or_else(|| Stop::Nonsense(path()))?)
            }
            Kind::Variant { tag, options } => {
                let chosen = match tag.as_ref().and_then(|tag| self.find(tag)) {
                    Some(Value::Label(_, labels)) => {
                        options.iter().find(|option| labels.contains(&option.name))
                    }
                    _ => None,
                };
                let Some(option) = chosen else {
                    return Err(Stop::Nonsense("the tag of a variant names no option".into()));
                };
                let value = self.value(&option.field)?;
                Ok(Value::Choice(option.name.clone(), Box::new(value)))
            }
        }
    }

    fn integer(&mut self, integer: &IntegerType) -> Result<Value, Stop> {
        let bits = self.bits.unsigned(integer.size, integer.order)?;
        if let Some(clock) = &integer.clock {
            let (clock, size) = (clock.clone(), integer.size);
            self.reading = Some(ClockReading { clock, value: bits, size });
        }
        Ok(match integer.signed {
            true => Value::Signed(signed(bits, integer.size)),
            false => Value::Unsigned(bits),
        })
    }

    fn elements(&mut self, element: &FieldType, length: u64) -> Result<Value, Stop> {
        if let Kind::Integer(integer) = &element.kind
            && integer.is_character
            && self.bits.at.is_multiple_of(8)
            && element.align <= 8
        {
            let bytes = self.bits.bytes(length)?;
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            return Ok(Value::Text(String::from_utf8_lossy(&bytes[..end]).into_owned()));
        }
        // The length is what the trace claims: memory is taken as elements are really there.
        let mut values = Vec::new();
        for _ in 0..length {
            values.push(self.value(element)?);
        }
        Ok(Value::List(values))
    }

    /// A field by its path: from the innermost open structure outwards, then by the name of a scope, then
    /// from the last complete scope backwards (CTF 1.8.3, section 7.3.2).
    fn find(&self, path: &[String]) -> Option<&Value> {
        let open = self.open.iter().rev().find_map(|fields| descend(fields, path));
        open.or_else(|| {
            let dotted = path.join(".");
            self.scopes.iter().find_map(|(name, fields)| {
                let rest = dotted.strip_prefix(name)?.strip_prefix('.')?;
                let rest: Vec<String> = rest.split('.').map(str::to_owned).collect();
                descend(fields, &rest)
            })
        })
        .or_else(|| self.scopes.iter().rev().find_map(|(_, fields)| descend(fields, path)))
    }
}

fn descend<'a>(fields: &'a Fields, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    let value = fields.raw(first)?;
    if rest.is_empty() {
        return Some(value);
    }
    match value {
        Value::Struct(inner) => descend(inner, rest),
        Value::Choice(_, inner) => match &**inner {
            Value::Struct(inner) => descend(inner, rest),
            _ => None,
        },
        _ => None,
    }
}
