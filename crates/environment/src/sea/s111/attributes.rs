//! Attributes of a group, with messages for those that are missing or of another type.

use std::collections::HashMap;

use hdf5_pure::{AttrValue, Error};

/// The attributes of one group.
pub(super) struct Attributes {
    path: String,
    values: HashMap<String, AttrValue>,
}

impl Attributes {
    pub fn of(path: &str, read: Result<HashMap<String, AttrValue>, Error>) -> Result<Self, String> {
        let values = read.map_err(|error| format!("{path}: {error}"))?;
        Ok(Attributes { path: path.into(), values })
    }

    pub fn optional(&self, name: &str) -> Option<&AttrValue> {
        self.values.get(name)
    }

    fn required(&self, name: &str) -> Result<&AttrValue, String> {
        self.optional(name).ok_or_else(|| format!("{} has no attribute {name}", self.path))
    }

    fn wrong(&self, name: &str, value: &AttrValue, expected: &str) -> String {
        format!("the attribute {name} of {} is {value:?}, and not {expected}", self.path)
    }

    /// A whole number. Some producers write enumerations, some write texts.
    pub fn whole(&self, name: &str) -> Result<i64, String> {
        let value = self.required(name)?;
        let text = || value.as_str().and_then(|text| text.trim().parse().ok());
        value.as_i64().or_else(text).ok_or_else(|| self.wrong(name, value, "a whole number"))
    }

    /// A number of things.
    pub fn count(&self, name: &str) -> Result<usize, String> {
        let count = self.whole(name)?;
        u32::try_from(count)
            .ok()
            .and_then(|count| usize::try_from(count).ok())
            .ok_or_else(|| format!("the attribute {name} of {} is {count}", self.path))
    }

    /// A finite number.
    pub fn real(&self, name: &str) -> Result<f64, String> {
        let value = self.required(name)?;
        let number = value.as_f64().or_else(|| value.as_i64().map(|whole| whole as f64));
        number
            .filter(|number| number.is_finite())
            .ok_or_else(|| self.wrong(name, value, "a finite number"))
    }

    pub fn text(&self, name: &str) -> Result<String, String> {
        let value = self.required(name)?;
        let text = value.as_str().ok_or_else(|| self.wrong(name, value, "a text"))?;
        Ok(text.trim_end_matches('\0').trim().into())
    }
}
