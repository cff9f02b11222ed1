//! XML files as trees of elements that know their file and line.
//!
//! Namespaces are not checked: real files use `gz:type` without a declaration of `gz`. Entities that a file
//! declares itself are refused (a few lines of them can stand for gigabytes); the five of XML and characters
//! by number are replaced.

use std::path::Path;
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

use crate::error::{Place, SdfError};

/// Largest file.
pub const MAX_BYTES: usize = 256 << 20;
/// Deepest nesting of elements in one file.
pub const MAX_DEPTH: usize = 100;
/// Most elements of one file.
pub const MAX_ELEMENTS: usize = 1_000_000;

/// An element with all that is in it. Text is joined over children and trimmed; comments are gone.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Its name, with a namespace prefix if it has one.
    pub name: String,
    /// Its attributes in order.
    pub attributes: Vec<(String, String)>,
    /// Its own text.
    pub text: String,
    /// The elements in it, in order.
    pub children: Vec<Element>,
    /// Where it begins.
    pub place: Place,
}

impl Element {
    /// An element with nothing in it, at the place of another.
    pub(crate) fn empty(name: &str, at: &Element) -> Self {
        let (attributes, text, children) = (Vec::new(), String::new(), Vec::new());
        Self { name: name.into(), attributes, text, children, place: at.place.clone() }
    }

    /// An attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Gives an attribute a value.
    pub fn set_attribute(&mut self, name: &str, value: impl Into<String>) {
        match self.attributes.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value.into(),
            None => self.attributes.push((name.into(), value.into())),
        }
    }

    /// The first child of a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All children of a name.
    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The text of the first child of a name, where it is there and not empty.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.as_str()).filter(|text| !text.is_empty())
    }

    /// An error at this element.
    pub fn error(&self, what: impl Into<String>, help: impl Into<String>) -> SdfError {
        SdfError::new(&self.place, what, help)
    }
}

/// The tree of a file. A byte order mark is skipped.
pub fn parse(file: &Path, bytes: &[u8]) -> Result<Element, SdfError> {
    if bytes.len() > MAX_BYTES {
        let what = format!("the file has {} bytes", bytes.len());
        return Err(SdfError::of_file(file, what, format!("at most {MAX_BYTES} are read")));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + count_lines(&bytes[..error.valid_up_to()]);
        let place = Place { file: file.into(), line };
        SdfError::new(&place, "the text is not UTF-8", "save the file with the encoding UTF-8")
    })?;
    Parser::new(file, text).run()
}

fn count_lines(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(u32::MAX)
}

struct Parser<'a> {
    text: &'a str,
    file: Arc<Path>,
    /// Elements that are not closed yet.
    open: Vec<Element>,
    root: Option<Element>,
    elements: usize,
    /// Up to where lines are counted, and how many.
    counted: (usize, u32),
}

impl<'a> Parser<'a> {
    fn new(file: &Path, text: &'a str) -> Self {
        let (open, counted) = (Vec::new(), (0, 1));
        Self { text, file: file.into(), open, root: None, elements: 0, counted }
    }

    fn place(&mut self, at: u64) -> Place {
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(self.text.len());
        if at >= self.counted.0 {
            let between = &self.text.as_bytes()[self.counted.0..at];
            self.counted = (at, self.counted.1.saturating_add(count_lines(between)));
        }
        Place { file: self.file.clone(), line: self.counted.1 }
    }

    fn run(mut self) -> Result<Element, SdfError> {
        let mut reader = Reader::from_str(self.text);
        loop {
            let at = reader.buffer_position();
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(self.broken(reader.error_position(), &error)),
            };
            let place = self.place(at);
            match event {
                Event::Start(start) => self.start(&start, place)?,
                Event::Empty(start) => {
                    self.start(&start, place)?;
                    self.end();
                }
                Event::End(_) => self.end(),
                Event::Text(text) => {
                    let text = text.decode().map_err(|error| not_xml(&place, error))?;
                    self.add_text(&text, &place)?;
                }
                Event::CData(data) => {
                    let text = data.decode().map_err(|error| not_xml(&place, error))?;
                    self.add_text(&text, &place)?;
                }
                Event::GeneralRef(reference) => {
                    let text = match reference.resolve_char_ref() {
                        Ok(Some(character)) => character.to_string(),
                        Ok(None) => {
                            let name = reference.decode().map_err(|e| not_xml(&place, e))?;
                            resolve_predefined_entity(&name)
                                .ok_or_else(|| unknown_entity(&place, &name))?
                                .to_owned()
                        }
                        Err(error) => return Err(not_xml(&place, error)),
                    };
                    self.add_text(&text, &place)?;
                }
                Event::DocType(declaration) => {
                    let declaration = String::from_utf8_lossy(&declaration);
                    if declaration.to_ascii_uppercase().contains("<!ENTITY") {
                        return Err(SdfError::new(
                            &place,
                            "the document type declares entities",
                            "write what they stand for: declared entities are not expanded",
                        ));
                    }
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::Eof => return self.finish(&place),
            }
        }
    }

    fn broken(&mut self, at: u64, error: &quick_xml::Error) -> SdfError {
        let place = self.place(at);
        match self.open.last() {
            Some(open) => SdfError::new(
                &place,
                format!("this is not XML: {error}"),
                format!("<{}> of line {} is open here", open.name, open.place.line),
            ),
            None => not_xml(&place, error),
        }
    }

    fn start(&mut self, start: &BytesStart<'_>, place: Place) -> Result<(), SdfError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(SdfError::new(
                &place,
                format!("elements are nested more than {MAX_DEPTH} deep"),
                "a file of that depth is taken for an error",
            ));
        }
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            let what = format!("the file has more than {MAX_ELEMENTS} elements");
            return Err(SdfError::new(&place, what, "split it"));
        }
        if self.open.is_empty() && self.root.is_some() {
            let what = "there is a second element behind the outermost one";
            return Err(SdfError::new(&place, what, "put all into one element"));
        }
        let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| not_xml(&place, error))?;
            let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
            let value = attribute.unescape_value().map_err(|error| not_xml(&place, error))?;
            attributes.push((key, value.trim().to_owned()));
        }
        let (text, children) = (String::new(), Vec::new());
        self.open.push(Element { name, attributes, text, children, place });
        Ok(())
    }

    fn end(&mut self) {
        // The reader compares the names of tags.
        let Some(mut element) = self.open.pop() else { return };
        element.text = element.text.trim().to_owned();
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.root = Some(element),
        }
    }

    fn add_text(&mut self, text: &str, place: &Place) -> Result<(), SdfError> {
        match self.open.last_mut() {
            Some(element) => element.text.push_str(text),
            None if text.trim().is_empty() => {}
            None => {
                let what = "there is text outside of the outermost element";
                return Err(SdfError::new(place, what, "take it away or make it a comment"));
            }
        }
        Ok(())
    }

    fn finish(self, place: &Place) -> Result<Element, SdfError> {
        if let Some(open) = self.open.last() {
            let what = format!("<{}> is never closed", open.name);
            return Err(open.error(what, format!("add </{}>", open.name)));
        }
        self.root.ok_or_else(|| {
            SdfError::new(
                place,
                "the file has no element",
                "an SDF file begins with <sdf version=…>",
            )
        })
    }
}

fn not_xml(place: &Place, error: impl std::fmt::Display) -> SdfError {
    SdfError::new(place, format!("this is not XML: {error}"), "correct the text")
}

fn unknown_entity(place: &Place, name: &str) -> SdfError {
    let what = format!("the entity &{name}; is not one of XML's own");
    SdfError::new(place, what, "write what it stands for, or &amp; for the sign itself")
}
