//! Statements of TSDL, the language of CTF metadata (CTF 1.8.3, section 7.3 and appendix C): blocks of
//! attributes, and declarations of named types.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::field::{ByteOrder, FieldType};
use super::lexer::{Mistake, Token};

/// The value of `key = value;`
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Attribute {
    Number(i128),
    Text(String),
    /// A word, or words with points in between.
    Word(String),
}

impl Attribute {
    pub(super) fn number(&self) -> Option<i128> {
        match self {
            Attribute::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Attribute::Number(_) => "",
            Attribute::Text(text) | Attribute::Word(text) => text,
        }
    }
}

/// What stands between the braces of `trace`, `stream`, `event`, `clock` and `env`.
#[derive(Default)]
pub(super) struct Block {
    pub line: usize,
    pub attributes: Vec<(String, Attribute)>,
    pub types: Vec<(String, Arc<FieldType>)>,
}

impl Block {
    pub(super) fn attribute(&self, key: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(super) fn number(&self, key: &str) -> Result<Option<i128>, Mistake> {
        match self.attribute(key) {
            None => Ok(None),
            Some(Attribute::Number(number)) => Ok(Some(*number)),
            Some(_) => Err(self.mistake(format!("\"{key}\" must be a number"))),
        }
    }

    pub(super) fn field_type(&self, key: &str) -> Option<Arc<FieldType>> {
        self.types.iter().find(|(name, _)| name == key).map(|(_, field)| field.clone())
    }

    pub(super) fn mistake(&self, what: impl Into<String>) -> Mistake {
        Mistake { line: self.line, what: what.into() }
    }
}

pub(super) struct Parser<'a> {
    pub(super) tokens: &'a [(Token, usize)],
    pub(super) at: usize,
    pub(super) order: ByteOrder,
    /// Named types, outermost scope first. Those of `struct X` are found under "struct X".
    pub(super) scopes: Vec<BTreeMap<String, Arc<FieldType>>>,
    pub(super) depth: u32,
}

impl<'a> Parser<'a> {
    pub(super) fn new(tokens: &'a [(Token, usize)], order: ByteOrder) -> Self {
        Parser { tokens, at: 0, order, scopes: vec![BTreeMap::new()], depth: 0 }
    }

    pub(super) fn line(&self) -> usize {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get(self.at.min(last)).map_or(1, |(_, line)| *line)
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    pub(super) fn mistake<T>(&self, what: impl Into<String>) -> Result<T, Mistake> {
        Err(Mistake { line: self.line(), what: what.into() })
    }

    pub(super) fn unexpected<T>(&self, wanted: &str) -> Result<T, Mistake> {
        let found = self.peek().map_or_else(|| "the end of the metadata".into(), Token::shown);
        self.mistake(format!("expected {wanted}, found {found}"))
    }

    pub(super) fn word(&mut self) -> Result<&'a str, Mistake> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            _ => self.unexpected("a name"),
        }
    }

    pub(super) fn is_word(&self, wanted: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(word)) if word == wanted)
    }

    pub(super) fn accept_word(&mut self, wanted: &str) -> bool {
        let found = self.is_word(wanted);
        self.at += usize::from(found);
        found
    }

    pub(super) fn is_mark(&self, wanted: &str) -> bool {
        matches!(self.peek(), Some(Token::Mark(mark)) if *mark == wanted)
    }

    pub(super) fn accept(&mut self, wanted: &str) -> bool {
        let found = self.is_mark(wanted);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, wanted: &str) -> Result<(), Mistake> {
        if self.accept(wanted) { Ok(()) } else { self.unexpected(&format!("\"{wanted}\"")) }
    }

    pub(super) fn number(&mut self) -> Result<i128, Mistake> {
        match self.peek() {
            Some(Token::Number(number)) => {
                self.at += 1;
                Ok(*number)
            }
            _ => self.unexpected("a number"),
        }
    }

    /// `event.header`
    pub(super) fn dotted(&mut self) -> Result<String, Mistake> {
        let mut path = self.word()?.to_owned();
        while self.accept(".") {
            path.push('.');
            path.push_str(self.word()?);
        }
        Ok(path)
    }

    pub(super) fn attribute(&mut self) -> Result<Attribute, Mistake> {
        match self.peek() {
            Some(Token::Number(number)) => {
                self.at += 1;
                Ok(Attribute::Number(*number))
            }
            Some(Token::Text(text)) => {
                self.at += 1;
                Ok(Attribute::Text(text.clone()))
            }
            _ => Ok(Attribute::Word(self.dotted()?)),
        }
    }

    /// Everything between braces, with a scope of its own.
    pub(super) fn block(&mut self) -> Result<Block, Mistake> {
        let mut block = Block { line: self.line(), ..Block::default() };
        self.expect("{")?;
        self.scopes.push(BTreeMap::new());
        while !self.accept("}") {
            if !self.declaration()? {
                let key = self.dotted()?;
                if self.accept(":=") {
                    let field = self.type_specifier(false)?;
                    block.types.push((key, field));
                } else {
                    self.expect("=")?;
                    block.attributes.push((key, self.attribute()?));
                }
                self.expect(";")?;
            }
        }
        self.scopes.pop();
        Ok(block)
    }

    /// A declaration that only names a type, if there is one here.
    pub(super) fn declaration(&mut self) -> Result<bool, Mistake> {
        if self.accept_word("typealias") {
            let mut field = self.type_specifier(false)?;
            if matches!(self.peek(), Some(Token::Word(_))) {
                (_, field) = self.declarator(field)?;
            }
            self.expect(":=")?;
            let mut name = self.word()?.to_owned();
            while matches!(self.peek(), Some(Token::Word(_))) {
                name = format!("{name} {}", self.word()?);
            }
            self.declare(name, field);
        } else if self.accept_word("typedef") {
            let base = self.type_specifier(true)?;
            loop {
                let (name, field) = self.declarator(base.clone())?;
                self.declare(name.to_string(), field);
                if !self.accept(",") {
                    break;
                }
            }
        } else if ["struct", "variant", "enum"].iter().any(|word| self.is_word(word)) {
            self.type_specifier(false)?;
        } else {
            return Ok(false);
        }
        self.expect(";")?;
        Ok(true)
    }
}
