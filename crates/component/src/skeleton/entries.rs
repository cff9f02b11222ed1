//! Reading tables of TOML key by key, with the place of everything that is wrong.

use std::ops::Range;

use ironbird_kernel::path::nearest;
use ironbird_units::Unit;
use toml_edit::{Item, TableLike, Value};

use crate::skeleton::value::RustType;
use crate::unit::LeafUnits;

/// What is wrong in a description, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct DescriptionError {
    /// What is wrong, and what to do.
    pub message: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The bytes in question.
    pub span: Range<usize>,
}

/// A table whose keys are taken one after the other.
pub struct Entries<'a> {
    text: &'a str,
    table: &'a dyn TableLike,
    span: Range<usize>,
    what: String,
    known: Vec<&'static str>,
}

/// An item and the place to name if it is wrong.
pub struct Entry<'a> {
    pub item: &'a Item,
    pub span: Range<usize>,
}

impl<'a> Entries<'a> {
    pub fn new(text: &'a str, table: &'a dyn TableLike, span: Range<usize>, what: &str) -> Self {
        Entries { text, table, span, what: what.into(), known: Vec::new() }
    }

    pub fn wrong(&self, span: &Range<usize>, message: impl Into<String>) -> DescriptionError {
        wrong(self.text, span.clone(), message)
    }

    /// Something is wrong with the table as a whole.
    pub fn incomplete(&self, message: impl Into<String>) -> DescriptionError {
        self.wrong(&self.span, message)
    }

    /// The item under a key, if it is there.
    pub fn take(&mut self, key: &'static str) -> Option<Entry<'a>> {
        self.known.push(key);
        let item = self.table.get(key)?;
        let key_span = self.table.key(key).and_then(|key| key.span());
        let span = item.span().or(key_span).unwrap_or(self.span.clone());
        Some(Entry { item, span })
    }

    pub fn text(
        &mut self,
        key: &'static str,
    ) -> Result<Option<(String, Range<usize>)>, DescriptionError> {
        let Some(entry) = self.take(key) else { return Ok(None) };
        match entry.item.as_str() {
            Some(text) => Ok(Some((text.into(), entry.span))),
            None => Err(self.wrong(&entry.span, format!("`{key}` is a text: {key} = \"…\""))),
        }
    }

    /// Lines of help.
    pub fn doc(&mut self) -> Result<String, DescriptionError> {
        Ok(self.text("doc")?.map(|(text, _)| text.trim().to_owned()).unwrap_or_default())
    }

    pub fn flag(&mut self, key: &'static str) -> Result<bool, DescriptionError> {
        let Some(entry) = self.take(key) else { return Ok(false) };
        let truth = entry.item.as_bool();
        truth.ok_or_else(|| self.wrong(&entry.span, format!("`{key}` is true or false")))
    }

    /// The type under a key.
    pub fn rust_type(&mut self, key: &'static str) -> Result<Option<RustType>, DescriptionError> {
        let Some((text, span)) = self.text(key)? else { return Ok(None) };
        RustType::parse(&text).map(Some).map_err(|message| self.wrong(&span, message))
    }

    /// The unit, which is checked; `of_parts` allows one for each part.
    pub fn unit(&mut self, of_parts: bool) -> Result<Option<String>, DescriptionError> {
        let Some((text, span)) = self.text("unit")? else { return Ok(None) };
        let checked = if of_parts {
            text.parse::<LeafUnits>().map(drop).map_err(|error| error.to_string())
        } else {
            text.parse::<Unit>().map(drop).map_err(|error| error.to_string())
        };
        checked.map_err(|message| self.wrong(&span, message))?;
        Ok(Some(text))
    }

    /// The tables under a key, by name, in the order of the file.
    pub fn tables(
        &mut self,
        key: &'static str,
    ) -> Result<Vec<(String, Entries<'a>)>, DescriptionError> {
        let Some(entry) = self.take(key) else { return Ok(Vec::new()) };
        let Some(table) = entry.item.as_table_like() else {
            return Err(self.wrong(&entry.span, format!("write [{key}.<name>] and what it has")));
        };
        let mut tables = Vec::new();
        for (name, item) in table.iter() {
            let named = table.key(name).and_then(|key| key.span());
            let span = named.or(item.span()).unwrap_or(entry.span.clone());
            let Some(inner) = item.as_table_like() else {
                let message = format!("\"{name}\" is not a table: write [{key}.{name}]");
                return Err(self.wrong(&span, message));
            };
            if !is_name(name) {
                let message = format!("\"{name}\" is no name: use letters, digits, - and _");
                return Err(self.wrong(&span, message));
            }
            tables.push((
                name.into(),
                Entries::new(self.text, inner, span, &format!("{key}.{name}")),
            ));
        }
        Ok(tables)
    }

    /// Refuses keys that nobody took.
    pub fn finish(self) -> Result<(), DescriptionError> {
        for (key, item) in self.table.iter() {
            if self.known.contains(&key) {
                continue;
            }
            let near = nearest(key, self.known.iter().copied());
            let hint = match near {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; it may have {}", self.known.join(", ")),
            };
            let named = self.table.key(key).and_then(|key| key.span());
            let span = named.or(item.span()).unwrap_or(self.span.clone());
            let message = format!("{} has no `{key}`{hint}", self.what);
            return Err(wrong(self.text, span, message));
        }
        Ok(())
    }
}

/// What a TOML value is called.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "a truth value",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::InlineTable(_) => "a table",
    }
}

fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(plain)
}

/// An error at a place of a text.
pub fn wrong(text: &str, span: Range<usize>, message: impl Into<String>) -> DescriptionError {
    let before = text.get(..span.start).unwrap_or(text);
    DescriptionError { message: message.into(), line: 1 + before.matches('\n').count(), span }
}
