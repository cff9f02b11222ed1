//! The key `parameters` of user code: names and values, in the language of experiment files.

use serde_json::{Map, Value as Json};
use toml_edit::{DocumentMut, Item, Value};

/// Reads `"gain = 0.8, limit = 20"`, or the same on lines of its own.
pub(crate) fn read(text: &str) -> Result<Map<String, Json>, String> {
    let lines = text.parse::<DocumentMut>();
    let document = match lines {
        Ok(document) => document.as_table().clone(),
        Err(error) => match format!("all = {{ {text} }}").parse::<DocumentMut>() {
            Ok(line) => match line.get("all").and_then(Item::as_inline_table) {
                Some(table) => table.clone().into_table(),
                None => return Err(wrong(&error)),
            },
            Err(_) => return Err(wrong(&error)),
        },
    };
    let mut read = Map::new();
    for (name, item) in &document {
        let Some(value) = item.as_value() else {
            return Err(format!("\"{name}\" must be a value: write tables in braces"));
        };
        read.insert(name.into(), json(value));
    }
    Ok(read)
}

fn wrong(error: &toml_edit::TomlError) -> String {
    let why = error.message();
    format!("{why}: write names and values, as in \"gain = 0.8, limit = 20\"")
}

fn json(value: &Value) -> Json {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => (*number.value()).into(),
        Value::Boolean(truth) => (*truth.value()).into(),
        Value::Datetime(time) => time.value().to_string().into(),
        Value::Array(items) => items.iter().map(json).collect(),
        Value::InlineTable(table) => {
            Json::Object(table.iter().map(|(name, value)| (name.into(), json(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_or_several_say_the_same() {
        let line = read("gain = 0.8, name = \"x\", list = [1, 2]").unwrap();
        assert_eq!(line, read("gain = 0.8\nname = \"x\"\nlist = [1, 2] # twice").unwrap());
        assert_eq!(Json::Object(line).to_string(), r#"{"gain":0.8,"list":[1,2],"name":"x"}"#);
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn what_is_neither_is_refused() {
        let refused = read("gain: 0.8").unwrap_err();
        assert!(refused.ends_with("as in \"gain = 0.8, limit = 20\""), "{refused}");
        assert!(read("gain = 1, gain = 2").is_err());
        assert!(read("}, x = 1, y = {").is_err());
    }
}
