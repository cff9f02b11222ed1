//! YAML as the tree of the crate `document`, so that every value knows its line.

use std::collections::BTreeMap;
use std::sync::Arc;

use ironbird_document::{Data, Entry, Item, Place, Problem, Source, Table};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span};

/// Deeper nesting is refused, so that no file can exhaust the stack.
const DEEPEST: usize = 48;
/// Values with all that aliases repeat: more is refused, so that no file can exhaust the memory.
const MOST_VALUES: usize = 1_000_000;
/// Keys of one table, among which is looked one by one. Architecture files have ten.
const MOST_KEYS: usize = 1000;

/// The document in a file; the first, if there are several. Keys without a value are left out.
pub(super) fn parse(source: &Arc<Source>) -> Result<Item, Problem> {
    let mut reader = Reader::new(source);
    for event in Parser::new_from_str(&source.text) {
        match event {
            Ok((event, span)) => reader.event(event, span)?,
            Err(error) => {
                let place = reader.place(error.marker(), error.marker());
                return Err(Problem::new(format!("not YAML: {}", error.info()), &place, "here"));
            }
        }
        if let Some(Some(document)) = reader.document.take() {
            return Ok(document);
        }
    }
    Err(Problem::somewhere(format!("{} is empty", source.name)))
}

/// A list or a table that has not ended.
struct Open {
    item: Item,
    anchor: usize,
    /// The key whose value comes next.
    key: Option<(String, Place)>,
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    /// Where every character starts: the parser counts characters, places count bytes.
    starts: Vec<usize>,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Option<Item>>,
    values: usize,
    /// The document, once complete.
    document: Option<Option<Item>>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Arc<Source>) -> Self {
        let starts = source.text.char_indices().map(|(at, _)| at).collect();
        let (open, anchors) = (Vec::new(), BTreeMap::new());
        Reader { source, starts, open, anchors, values: 0, document: None }
    }

    fn place(&self, start: &Marker, end: &Marker) -> Place {
        let byte =
            |mark: &Marker| *self.starts.get(mark.index()).unwrap_or(&self.source.text.len());
        Place { source: self.source.clone(), span: byte(start)..byte(end).max(byte(start)) }
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Problem> {
        let place = self.place(&span.start, &span.end);
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let item = scalar(&text, style).map(|data| Item { data, place: place.clone() });
                self.value(item, anchor, place)
            }
            Event::SequenceStart(anchor, _) => self.start(Data::Array(Vec::new()), anchor, place),
            Event::MappingStart(anchor, _) => {
                self.start(Data::Table(Table::default()), anchor, place)
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(open) => self.value(Some(open.item), open.anchor, place),
                None => Ok(()),
            },
            Event::Alias(anchor) => match self.anchors.get(&anchor).cloned() {
                Some(item) => {
                    self.values += item.as_ref().map_or(0, Item::weight);
                    self.value(item, 0, place)
                }
                None => Err(Problem::new("the alias is inside of what it stands for", &place, "")),
            },
            _ => Ok(()),
        }
    }

    fn start(&mut self, data: Data, anchor: usize, place: Place) -> Result<(), Problem> {
        if self.open.len() >= DEEPEST {
            return Err(Problem::new("values are nested too deep", &place, "here"));
        }
        self.open.push(Open { item: Item { data, place }, anchor, key: None });
        Ok(())
    }

    /// A value is complete: it belongs to what is open. Nothing stands for `null`.
    fn value(&mut self, item: Option<Item>, anchor: usize, place: Place) -> Result<(), Problem> {
        self.values += 1;
        if self.values > MOST_VALUES {
            let message = format!("the file has more than {MOST_VALUES} values");
            return Err(Problem::new(message, &place, "here"));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, item.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.document = Some(item);
            return Ok(());
        };
        match (&mut open.item.data, open.key.take(), item) {
            (Data::Array(list), _, Some(item)) => list.push(item),
            (Data::Table(table), Some((key, place)), Some(item)) => {
                if table.0.len() >= MOST_KEYS {
                    let message = format!("a table has more than {MOST_KEYS} keys");
                    return Err(Problem::new(message, &place, "here"));
                }
                if let Some(first) = table.entry(&key) {
                    let message = format!("the key \"{key}\" is there twice");
                    return Err(Problem::new(message, &place, "").also(&first.place, "first here"));
                }
                table.0.push(Entry { key, place, item });
            }
            (Data::Table(_), None, Some(Item { data: Data::Text(key), place })) => {
                open.key = Some((key, place));
            }
            (Data::Table(_), None, _) => {
                return Err(Problem::new("a key must be a text", &place, "here"));
            }
            // No value, or what the parser never sends: something inside of a scalar.
            _ => {}
        }
        Ok(())
    }
}

/// YAML 1.2, core schema, as far as architecture files need it; nothing for `null`.
fn scalar(text: &str, style: ScalarStyle) -> Option<Data> {
    if style != ScalarStyle::Plain {
        return Some(Data::Text(text.to_owned()));
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => None,
        "true" | "True" => Some(Data::Bool(true)),
        "false" | "False" => Some(Data::Bool(false)),
        _ => Some(match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(number), _) => Data::Integer(number),
            (_, Ok(number)) if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                Data::Real(number)
            }
            _ => Data::Text(text.to_owned()),
        }),
    }
}
