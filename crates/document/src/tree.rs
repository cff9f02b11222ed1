//! What is written in a file, with the place of every key and value.

use crate::problem::{Place, Problem};
use ironbird_kernel::path::nearest;
use ironbird_units::{Quantity, Unit};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What it is.
    pub data: Data,
    /// Where it was written.
    pub place: Place,
}

/// What may be written.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Keys and values.
    Table(Table),
    /// Values in order.
    Array(Vec<Item>),
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A truth value.
    Bool(bool),
}

/// Keys in the order in which they were written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table(pub Vec<Entry>);

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key was written.
    pub place: Place,
    /// The value.
    pub item: Item,
}

/// What was meant; of a short word only if it begins alike, since such a guess is more often wrong than right.
fn guess<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let alike = |near: &&str| typed.len() > 4 || near.get(..1) == typed.get(..1);
    nearest(typed, known).filter(alike)
}

impl Table {
    /// The entry of a key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.key == key)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Item> {
        self.entry(key).map(|entry| &entry.item)
    }

    /// The value of a key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Item> {
        self.0.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.item)
    }

    /// The value of a key that must be there; `table` is the place of the table.
    pub fn need(&self, key: &str, table: &Place) -> Result<&Item, Problem> {
        let missing = || Problem::new(format!("the key \"{key}\" is missing"), table, "here");
        self.get(key).ok_or_else(missing)
    }

    /// The table of a key that must be there, and its place; `table` is the place of this table.
    pub fn section(&self, key: &str, table: &Place) -> Result<(&Table, &Place), Problem> {
        let item = self.need(key, table)?;
        Ok((item.table()?, &item.place))
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: &str) -> Option<Entry> {
        let at = self.0.iter().position(|entry| entry.key == key)?;
        Some(self.0.remove(at))
    }

    /// Sets a key, where it stands or at the end.
    pub fn set(&mut self, key: &str, place: &Place, item: Item) {
        match self.get_mut(key) {
            Some(old) => *old = item,
            None => self.0.push(Entry { key: key.into(), place: place.clone(), item }),
        }
    }

    /// Refuses keys that are not among `known`.
    pub fn only(&self, known: &[&str], what: &str) -> Result<(), Problem> {
        match self.0.iter().find(|entry| !known.contains(&entry.key.as_str())) {
            None => Ok(()),
            Some(entry) => {
                let message = format!("{what} has no key \"{}\"", entry.key);
                let near = guess(&entry.key, known.iter().copied());
                let problem = Problem::new(message, &entry.place, "not known here");
                Err(match near {
                    Some(near) => problem.did_you_mean(Some(near)),
                    None => problem.help(format!("known keys: {}", known.join(", "))),
                })
            }
        }
    }
}

impl Item {
    /// What kind of value it is, with its article.
    pub fn kind(&self) -> &'static str {
        match self.data {
            Data::Table(_) => "a table",
            Data::Array(_) => "a list",
            Data::Text(_) => "a text",
            Data::Integer(_) => "a whole number",
            Data::Real(_) => "a decimal number",
            Data::Bool(_) => "a truth value",
        }
    }

    /// How many values are in it; long texts count more.
    pub fn weight(&self) -> usize {
        1 + match &self.data {
            Data::Table(table) => table.0.iter().map(|entry| entry.item.weight()).sum(),
            Data::Array(items) => items.iter().map(Item::weight).sum(),
            Data::Text(text) => text.len() / 64,
            _ => 0,
        }
    }

    fn expected(&self, what: &str) -> Problem {
        Problem::new(format!("expected {what}, found {}", self.kind()), &self.place, "here")
    }

    /// As a table.
    pub fn table(&self) -> Result<&Table, Problem> {
        match &self.data {
            Data::Table(table) => Ok(table),
            _ => Err(self.expected("a table")),
        }
    }

    /// As a text.
    pub fn text(&self) -> Result<&str, Problem> {
        match &self.data {
            Data::Text(text) => Ok(text),
            _ => Err(self.expected("a text in quotes")),
        }
    }

    /// What one of several words means; `what` says of what kind they are, with its article.
    pub fn one_of<T: Copy>(&self, what: &str, words: &[(&str, T)]) -> Result<T, Problem> {
        let text = self.text()?;
        let names = || words.iter().map(|(name, _)| *name);
        words.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
            let known = names().collect::<Vec<_>>().join(", ");
            let known = format!("known: {known}");
            let help = guess(text, names()).map(|near| format!("did you mean \"{near}\"? {known}"));
            Problem::new(format!("\"{text}\" is not {what}"), &self.place, "not known")
                .help(help.unwrap_or(known))
        })
    }

    /// As a truth value.
    pub fn truth(&self) -> Result<bool, Problem> {
        match &self.data {
            Data::Bool(truth) => Ok(*truth),
            _ => Err(self.expected("true or false")),
        }
    }

    /// As a whole number that is not negative.
    pub fn count(&self) -> Result<u64, Problem> {
        match &self.data {
            Data::Integer(number) => u64::try_from(*number).map_err(|_| {
                Problem::new("expected a whole number from 0", &self.place, "negative")
            }),
            // What the command line sets is a text where TOML has no number for it.
            Data::Text(text)
                if text.parse::<u64>().is_ok_and(|number| number > i64::MAX as u64) =>
            {
                let message = format!("whole numbers go to {}", i64::MAX);
                Err(Problem::new(message, &self.place, "too large"))
            }
            _ => Err(self.expected("a whole number")),
        }
    }

    /// As a number without a unit.
    pub fn number(&self) -> Result<f64, Problem> {
        match self.data {
            Data::Integer(number) => Ok(number as f64),
            Data::Real(number) if number.is_finite() => Ok(number),
            Data::Real(_) => Err(Problem::new("expected a finite number", &self.place, "here")),
            _ => Err(self.expected("a number")),
        }
    }

    /// As a quantity of the dimension of `unit`, in the SI base unit of that dimension.
    pub fn quantity(&self, unit: &str) -> Result<f64, Problem> {
        let written: Quantity = self
            .text()
            .map_err(|_| self.expected(&format!("a quantity such as \"1 {unit}\"")))?
            .parse()
            .map_err(|error| Problem::new(format!("{error}"), &self.place, "here"))?;
        let unit: Unit = unit
            .parse()
            .map_err(|error| Problem::new(format!("{error}"), &self.place, "the wanted unit"))?;
        written
            .to(&unit)
            .map(|number| unit.to_base(number))
            .map_err(|error| Problem::new(format!("{error}"), &self.place, "here"))
    }

    /// As a list.
    pub fn items(&self) -> Result<&[Item], Problem> {
        match &self.data {
            Data::Array(items) => Ok(items),
            _ => Err(self.expected("a list")),
        }
    }

    /// As a list of tables.
    pub fn tables(&self) -> Result<Vec<(&Item, &Table)>, Problem> {
        match &self.data {
            Data::Array(items) => items.iter().map(|item| Ok((item, item.table()?))).collect(),
            _ => Err(self.expected("a list of tables, written [[...]]")),
        }
    }

    /// As one text or a list of texts, each with its place.
    pub fn texts(&self) -> Result<Vec<(&str, &Place)>, Problem> {
        match &self.data {
            Data::Text(text) => Ok(vec![(text, &self.place)]),
            Data::Array(items) => {
                items.iter().map(|item| Ok((item.text()?, &item.place))).collect()
            }
            _ => Err(self.expected("a text or a list of texts")),
        }
    }
}
