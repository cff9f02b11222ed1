//! The text that `babeltrace2` prints of a trace, read back. With `--clock-seconds` times are those of the
//! trace; without, they are within a day.
//!
//! ```text
//! [1655782979.334385495] (+0.000000591) host ros2:callback_end: { cpu_id = 1 }, { vtid = 7 }, { callback = 0x1F }
//! ```

use std::sync::Arc;

use super::{Event, Fields, Value};

const SECOND: i64 = 1_000_000_000;
/// Values nested deeper than this are refused, so that no text can exhaust the stack.
const DEEPEST: usize = 48;

/// A line that `babeltrace2` would not have printed.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("line {line}: {what}; expected the text of `babeltrace2 --clock-seconds FOLDER`")]
pub struct TextError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: &'static str,
}

/// All events of a text.
pub fn read_babeltrace_text(text: &str) -> Result<Vec<Event>, TextError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| event(line).map_err(|what| TextError { line: number + 1, what }))
        .collect()
}

fn event(line: &str) -> Result<Event, &'static str> {
    let inside = line.strip_prefix('[').ok_or("it does not start with a time in brackets")?;
    let (time, rest) = inside.split_once("] ").ok_or("the time has no end")?;
    let (head, scopes) = rest.split_once(": {").ok_or("there are no fields")?;
    let name = head.rsplit(' ').next().unwrap_or(head);
    let mut reader = Reader { rest: scopes, depth: 0 };
    let mut found = vec![reader.members('}')?];
    while reader.accept(", {") {
        found.push(reader.members('}')?);
    }
    if !reader.rest.trim().is_empty() {
        return Err("something follows the fields");
    }
    let fields = Arc::new(found.pop().unwrap_or_default());
    let mut found = found.into_iter();
    let packet = Arc::new(found.next().unwrap_or_default());
    let context = Fields(found.flat_map(|fields| fields.0).collect());
    Ok(Event { time_ns: nanoseconds(time)?, name: name.into(), packet, context, fields })
}

/// `1655782979.334385495` or `20:26:46.798664953`
fn nanoseconds(text: &str) -> Result<i64, &'static str> {
    let wrong = "the time is neither seconds nor hours, minutes and seconds";
    let (whole, fraction) = text.split_once('.').ok_or(wrong)?;
    let fraction: i64 = match fraction.len() {
        9 if fraction.bytes().all(|byte| byte.is_ascii_digit()) => fraction.parse(),
        _ => return Err(wrong),
    }
    .map_err(|_| wrong)?;
    let mut seconds = 0_i64;
    for part in whole.split(':') {
        let part: i64 = part.parse().map_err(|_| wrong)?;
        seconds = seconds.checked_mul(60).and_then(|s| s.checked_add(part)).ok_or(wrong)?;
    }
    seconds.checked_mul(SECOND).and_then(|time| time.checked_add(fraction)).ok_or(wrong)
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn accept(&mut self, wanted: &str) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// `name = value, name = value }`
    fn members(&mut self, end: char) -> Result<Fields, &'static str> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("values are nested too deep");
        }
        let mut fields = Fields::default();
        loop {
            self.skip_blanks();
            if self.rest.starts_with(end) {
                self.rest = &self.rest[end.len_utf8()..];
                self.depth -= 1;
                return Ok(fields);
            }
            let (name, rest) = self.rest.split_once(" = ").ok_or("a field has no value")?;
            // The metadata has an underscore more, which Fields takes away.
            let name = Arc::from(format!("_{name}"));
            self.rest = rest;
            fields.0.push((name, self.value()?));
            self.accept(",");
        }
    }

    fn value(&mut self) -> Result<Value, &'static str> {
        if self.accept("{") {
            return Ok(Value::Struct(self.members('}')?));
        }
        if self.accept("[") {
            let elements = self.members(']')?;
            return Ok(Value::List(elements.0.into_iter().map(|(_, value)| value).collect()));
        }
        if self.accept("\"") {
            return Ok(Value::Text(self.quoted()?));
        }
        if self.accept("( ") {
            // An enumeration: ( "label" : container = 3 )
            let mut labels = Vec::new();
            while self.accept("\"") {
                labels.push(Arc::from(self.quoted()?));
                self.accept(", ");
            }
            let (_, rest) = self.rest.split_once("= ").ok_or("an enumeration has no number")?;
            let (number, rest) = rest.split_once(" )").ok_or("an enumeration has no end")?;
            self.rest = rest;
            return Ok(Value::Label(number.parse().map_err(|_| "a label has no number")?, labels));
        }
        let end = self.rest.find([',', ' ']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let number = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).map(Value::Unsigned).ok(),
            None => word.parse().map(Value::Unsigned).or(word.parse().map(Value::Signed)).ok(),
        };
        number.or(word.parse().map(Value::Real).ok()).ok_or("a value is neither number nor text")
    }

    /// The rest of a text behind its quotation mark.
    fn quoted(&mut self) -> Result<String, &'static str> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => text.push(match characters.next() {
                    Some((_, 'n')) => '\n',
                    Some((_, 't')) => '\t',
                    Some((_, 'r')) => '\r',
                    Some((_, other)) => other,
                    None => break,
                }),
                _ => text.push(character),
            }
        }
        Err("a text has no end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_text_is_an_event() {
        let line = "[12.000000003] (+?.?????????) host ros2:x: { cpu_id = 1 }, { vtid = -7 }, \
                    { a = 0x1F, s = \"q\\\" }, {\", l = [ [0] = 1, [1] = 2.5 ], e = ( \"on\" : container = 1 ) }";
        let event = &read_babeltrace_text(line).unwrap()[0];
        assert_eq!((event.time_ns, &*event.name), (12_000_000_003, "ros2:x"));
        assert_eq!(event.packet.unsigned("cpu_id"), Some(1));
        assert_eq!(event.context.signed("vtid"), Some(-7));
        assert_eq!(event.fields.unsigned("a"), Some(31));
        assert_eq!(event.fields.text("s"), Some("q\" }, {"));
        assert_eq!(
            event.fields.get("l"),
            Some(&Value::List(vec![Value::Unsigned(1), Value::Real(2.5)]))
        );
        assert_eq!(event.fields.get("e"), Some(&Value::Label(1, vec!["on".into()])));
    }

    #[test]
    fn other_texts_are_refused_with_their_line() {
        let wrong = |text: &str| read_babeltrace_text(text).unwrap_err().line;
        assert_eq!(wrong("\nhello"), 2);
        assert_eq!(wrong("[1.000000000] (+1) h n: { a = 1"), 1);
        assert_eq!(wrong(&format!("[1.000000000] (+1) h n: {}", "{ a = ".repeat(100_000))), 1);
    }
}
