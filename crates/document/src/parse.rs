//! From TOML text to a tree with places.

use std::sync::Arc;

use toml_edit::{Document, Item as TomlItem, TableLike, Value as TomlValue};

use crate::problem::{Place, Problem, Source};
use crate::tree::{Data, Entry, Item, Table};

/// Tables in tables deeper than this are refused: nobody writes them, and they would overflow.
const DEEPEST: usize = 64;

/// Reads a file's text.
pub fn parse(source: &Arc<Source>) -> Result<Item, Problem> {
    let document = Document::parse(source.text.as_str()).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let place = Place { source: source.clone(), span };
        let mut lines = error.message().lines();
        let message = lines.next().unwrap_or("it is not TOML").to_owned();
        let rest: Vec<&str> = lines.collect();
        let problem = Problem::new(format!("not valid TOML: {message}"), &place, "here");
        match (advice(&message), rest.is_empty()) {
            (Some(help), _) => problem.help(help),
            (None, true) => problem,
            (None, false) => problem.help(rest.join("\n")),
        }
    })?;
    let whole = Place { source: source.clone(), span: 0..source.text.len() };
    let reader = Reader { source };
    Ok(Item { data: Data::Table(reader.table(document.as_table(), &whole, 0)?), place: whole })
}

/// What to do about the mistakes that people make.
fn advice(message: &str) -> Option<&'static str> {
    let known = [
        ("string values must be quoted", "texts and quantities stand in quotes, as in \"10 s\""),
        ("duplicate key", "each key and each table is written once"),
        ("recursion", "lists or tables are nested too deeply"),
        ("integer number overflowed", "whole numbers go to 9223372036854775807"),
        ("invalid basic string", "a text ends on its line, with a quote"),
    ];
    known.into_iter().find(|(part, _)| message.contains(part)).map(|(_, help)| help)
}

/// Reads a single value, as it may stand behind `--set path=`; a text needs no quotes there.
pub fn parse_value(source: &Arc<Source>, span: std::ops::Range<usize>) -> Item {
    let text = source.text[span.clone()].trim();
    let place = Place { source: source.clone(), span };
    let data = match text.parse::<TomlValue>() {
        Ok(value) => match (Reader { source }).value(&value, &place, 0) {
            Ok(item) => item.data,
            Err(_) => Data::Text(text.into()),
        },
        Err(_) => Data::Text(text.into()),
    };
    let mut item = Item { data, place: place.clone() };
    put_at(&mut item, &place);
    item
}

/// Parts of a value from the command line are shown as the whole of it.
fn put_at(item: &mut Item, place: &Place) {
    item.place = place.clone();
    match &mut item.data {
        Data::Table(table) => {
            for entry in &mut table.0 {
                entry.place = place.clone();
                put_at(&mut entry.item, place);
            }
        }
        Data::Array(items) => items.iter_mut().for_each(|item| put_at(item, place)),
        _ => {}
    }
}

struct Reader<'a> {
    source: &'a Arc<Source>,
}

impl Reader<'_> {
    fn place(&self, span: Option<std::ops::Range<usize>>, around: &Place) -> Place {
        match span {
            Some(span) => Place { source: self.source.clone(), span },
            None => around.clone(),
        }
    }

    fn table(&self, table: &dyn TableLike, around: &Place, depth: usize) -> Result<Table, Problem> {
        if depth > DEEPEST {
            let label = "too deep";
            return Err(Problem::new("tables are nested too deeply", around, label));
        }
        let mut entries = Vec::new();
        for (name, item) in table.iter() {
            let key = table.key(name).and_then(|key| key.span());
            let place = self.place(key, around);
            let item = self.item(item, &place, depth + 1)?;
            entries.push(Entry { key: name.into(), place, item });
        }
        Ok(Table(entries))
    }

    fn item(&self, item: &TomlItem, around: &Place, depth: usize) -> Result<Item, Problem> {
        match item {
            TomlItem::None => {
                Ok(Item { data: Data::Table(Table::default()), place: around.clone() })
            }
            TomlItem::Value(value) => self.value(value, around, depth),
            TomlItem::Table(table) => {
                let place = self.place(table.span(), around);
                Ok(Item { data: Data::Table(self.table(table, around, depth)?), place })
            }
            TomlItem::ArrayOfTables(tables) => {
                let mut items = Vec::new();
                for table in tables {
                    let place = self.place(table.span(), around);
                    let table = self.table(table, &place, depth)?;
                    items.push(Item { data: Data::Table(table), place });
                }
                Ok(Item { data: Data::Array(items), place: around.clone() })
            }
        }
    }

    fn value(&self, value: &TomlValue, around: &Place, depth: usize) -> Result<Item, Problem> {
        let place = self.place(value.span(), around);
        let data = match value {
            TomlValue::String(text) => Data::Text(text.value().clone()),
            TomlValue::Integer(number) => Data::Integer(*number.value()),
            TomlValue::Float(number) => Data::Real(*number.value()),
            TomlValue::Boolean(truth) => Data::Bool(*truth.value()),
            TomlValue::Datetime(_) => {
                let problem = Problem::new("a date has no meaning here", &place, "a date");
                return Err(problem.help("write a text in quotes"));
            }
            TomlValue::Array(array) => {
                if depth > DEEPEST {
                    return Err(Problem::new("lists are nested too deeply", &place, "too deep"));
                }
                let items = array.iter().map(|value| self.value(value, &place, depth + 1));
                Data::Array(items.collect::<Result<_, _>>()?)
            }
            TomlValue::InlineTable(table) => Data::Table(self.table(table, &place, depth)?),
        };
        Ok(Item { data, place })
    }
}
