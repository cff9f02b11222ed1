//! Types and values as they are written in Rust.

use toml_edit::Value;

use crate::skeleton::entries::kind_of;
use crate::skeleton::names::camel;

/// A type, as a description names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RustType {
    /// A real number: `f64` or `f32`.
    Real(&'static str),
    /// A whole number: `i64`, `u8`, …
    Whole(&'static str),
    /// `bool`
    Bool,
    /// `text`: a `String`.
    Text,
    /// `file`: a `PathBuf`.
    File,
    /// `choice`: an enum of this name.
    Choice(String),
    /// `()`: nothing.
    Nothing,
    /// `[f64; 3]`
    Array(Box<RustType>, usize),
    /// Another type of the user's program: `crate::pose::Pose`.
    Own(String),
}

/// A value in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustValue(pub String);

const REALS: [&str; 2] = ["f64", "f32"];
const WHOLES: [&str; 9] = ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "usize"];

impl RustType {
    /// Reads `f64`, `[f64; 3]`, `text`, `crate::pose::Pose`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let parts = inner.rsplit_once(';');
            let length = parts.and_then(|(_, length)| length.trim().parse::<usize>().ok());
            let Some(((of, _), length)) = parts.zip(length) else {
                return Err(format!("\"{text}\" is no array: write [f64; 3]"));
            };
            if !(1..=32).contains(&length) {
                return Err("an array has from 1 to 32 elements".into());
            }
            let of = RustType::parse(of)?;
            if matches!(of, RustType::Choice(_)) {
                return Err("a choice cannot be in an array".into());
            }
            return Ok(RustType::Array(Box::new(of), length));
        }
        let word = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let name = text.rsplit("::").next().unwrap_or_default();
        let own = text.split("::").all(word) && name.starts_with(|c: char| c.is_ascii_uppercase());
        let known = |names: &[&'static str]| names.iter().copied().find(|name| *name == text);
        Ok(match text {
            "bool" => RustType::Bool,
            "text" => RustType::Text,
            "file" => RustType::File,
            "choice" => RustType::Choice(String::new()),
            "()" => RustType::Nothing,
            _ => match (known(&REALS), known(&WHOLES)) {
                (Some(real), _) => RustType::Real(real),
                (_, Some(whole)) => RustType::Whole(whole),
                _ if own => RustType::Own(text.into()),
                _ => {
                    return Err(format!(
                        "\"{text}\" is no type: use f64, i64, bool, an array such as [f64; 3], or a \
                         type of your program such as crate::pose::Pose; parameters may also be \
                         text, file or choice"
                    ));
                }
            },
        })
    }

    /// Whether a parameter can be of it.
    pub fn is_for_parameters(&self) -> bool {
        match self {
            RustType::Array(of, _) => of.is_for_parameters(),
            RustType::Nothing | RustType::Own(_) => false,
            _ => true,
        }
    }

    /// Whether values of it can cross a port.
    pub fn is_for_ports(&self) -> bool {
        match self {
            RustType::Array(of, _) => of.is_for_ports(),
            RustType::Text | RustType::File | RustType::Choice(_) => false,
            _ => true,
        }
    }

    /// Whether it is a real number, or an array of them.
    pub fn is_real(&self) -> bool {
        match self {
            RustType::Array(of, _) => of.is_real(),
            of => matches!(of, RustType::Real(_)),
        }
    }

    /// Whether it is a number, or an array of them.
    pub fn is_number(&self) -> bool {
        match self {
            RustType::Array(of, _) => of.is_number(),
            of => matches!(of, RustType::Real(_) | RustType::Whole(_)),
        }
    }

    /// As it is written in Rust.
    pub fn rust(&self) -> String {
        match self {
            RustType::Real(name) | RustType::Whole(name) => (*name).into(),
            RustType::Bool => "bool".into(),
            RustType::Text => "String".into(),
            RustType::File => "PathBuf".into(),
            RustType::Choice(name) | RustType::Own(name) => name.clone(),
            RustType::Nothing => "()".into(),
            RustType::Array(of, length) => format!("[{}; {length}]", of.rust()),
        }
    }

    /// A value to begin with, which the user replaces.
    pub fn some_value(&self) -> String {
        match self {
            RustType::Real(_) => "0.0".into(),
            RustType::Whole(_) => "0".into(),
            RustType::Bool => "false".into(),
            RustType::Nothing => "()".into(),
            RustType::Array(of, length) => format!("[{}; {length}]", of.some_value()),
            _ => "Default::default()".into(),
        }
    }

    /// A TOML value as a value of this type.
    pub fn value(&self, value: &Value) -> Result<RustValue, String> {
        self.expression(value, false).map(RustValue)
    }

    fn expression(&self, value: &Value, nested: bool) -> Result<String, String> {
        let expected = |what: &str| Err(format!("this must be {what}, not {}", kind_of(value)));
        let text = |text: &str| format!("{text:?}{}", if nested { ".into()" } else { "" });
        match (self, value) {
            (RustType::Real(_), Value::Float(number)) if number.value().is_finite() => {
                Ok(format!("{:?}", number.value()))
            }
            (RustType::Real(_), Value::Integer(number)) => Ok(format!("{}.0", number.value())),
            (RustType::Real(_), _) => expected("a finite number"),
            (RustType::Whole(name), Value::Integer(number)) => {
                let fits = fits(name, *number.value());
                let refused = || format!("{} does not fit into {name}", number.value());
                fits.then(|| number.value().to_string()).ok_or_else(refused)
            }
            (RustType::Whole(_), _) => expected("a whole number"),
            (RustType::Bool, Value::Boolean(truth)) => Ok(truth.value().to_string()),
            (RustType::Bool, _) => expected("true or false"),
            (RustType::Text | RustType::File, Value::String(own)) => Ok(text(own.value())),
            (RustType::Text | RustType::File, _) => expected("a text"),
            (RustType::Choice(name), Value::String(own)) => {
                Ok(format!("{name}::{}", camel(own.value())))
            }
            (RustType::Choice(_), _) => expected("one of the choices"),
            (RustType::Array(of, length), Value::Array(list)) if list.len() == *length => {
                let items: Result<Vec<String>, String> =
                    list.iter().map(|item| of.expression(item, true)).collect();
                Ok(format!("[{}]", items?.join(", ")))
            }
            (RustType::Array(_, length), _) => expected(&format!("a list of {length}")),
            (RustType::Nothing | RustType::Own(_), _) => {
                Err("a value of this type cannot be given here: its default is used".into())
            }
        }
    }
}

fn fits(whole: &str, number: i64) -> bool {
    match whole {
        "i32" => i32::try_from(number).is_ok(),
        "i16" => i16::try_from(number).is_ok(),
        "i8" => i8::try_from(number).is_ok(),
        "u64" => u64::try_from(number).is_ok(),
        "u32" => u32::try_from(number).is_ok(),
        "u16" => u16::try_from(number).is_ok(),
        "u8" => u8::try_from(number).is_ok(),
        "usize" => usize::try_from(number).is_ok(),
        _ => true,
    }
}
