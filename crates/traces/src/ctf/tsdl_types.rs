//! Types in TSDL, the language of CTF metadata (CTF 1.8.3, sections 4 and 7.3).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::field::{ByteOrder, FieldPath, FieldType, IntegerType, Kind, Label, Member};
use super::lexer::{Mistake, Token};
use super::tsdl::{Attribute, Block, Parser};

/// Types nested deeper than this are refused, so that no trace can exhaust the stack.
const DEEPEST: u32 = 48;
/// In bits: one page. More would only waste the trace.
const LARGEST_ALIGNMENT: i128 = 8 * 4096;

impl<'a> Parser<'a> {
    pub(super) fn declare(&mut self, name: String, field: Arc<FieldType>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, field);
        }
    }

    fn lookup(&self, name: &str) -> Result<Arc<FieldType>, Mistake> {
        match self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            Some(field) => Ok(field.clone()),
            None => self.mistake(format!("the type \"{name}\" is not declared above")),
        }
    }

    fn made(&self, kind: Kind, at_least: u64) -> Result<Arc<FieldType>, Mistake> {
        let field = FieldType::new(kind, at_least);
        if field.depth > DEEPEST {
            return self.mistake(format!("types are nested more than {DEEPEST} deep"));
        }
        Ok(Arc::new(field))
    }

    /// A type; `declares` says that the name of a field follows, which is the last of several words.
    pub(super) fn type_specifier(&mut self, declares: bool) -> Result<Arc<FieldType>, Mistake> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.mistake(format!("types are nested more than {DEEPEST} deep"));
        }
        self.accept_word("const");
        let field = if self.accept_word("integer") {
            let block = self.block()?;
            let integer = self.integer(&block)?;
            self.made(Kind::Integer(integer), 1)
        } else if self.accept_word("floating_point") {
            let block = self.block()?;
            self.float(&block)
        } else if self.accept_word("string") {
            if self.is_mark("{") {
                self.block()?;
            }
            self.made(Kind::Text, 8)
        } else if self.accept_word("struct") {
            self.structure()
        } else if self.accept_word("variant") {
            self.variant(declares)
        } else if self.accept_word("enum") {
            self.enumeration()
        } else {
            let mut words = vec![self.word()?];
            while let Some(Token::Word(word)) = self.peek() {
                let is_last = !matches!(self.tokens.get(self.at + 1), Some((Token::Word(_), _)));
                if declares && is_last {
                    break;
                }
                words.push(word);
                self.at += 1;
            }
            self.lookup(&words.join(" "))
        }?;
        self.depth -= 1;
        Ok(field)
    }

    /// `name`, `name[3]`, `name[length]`
    pub(super) fn declarator(
        &mut self,
        base: Arc<FieldType>,
    ) -> Result<(Arc<str>, Arc<FieldType>), Mistake> {
        let name = Arc::from(self.word()?);
        let mut lengths = Vec::new();
        while self.accept("[") {
            lengths.push(match self.peek() {
                Some(Token::Number(_)) => Ok(self.number()?),
                _ => Err(self.dotted()?),
            });
            self.expect("]")?;
        }
        let mut field = base;
        // The last length is that of the innermost array.
        for length in lengths.into_iter().rev() {
            let element = field;
            field = self.made(
                match length {
                    Ok(length) => match u64::try_from(length) {
                        Ok(length) => Kind::Array { element, length },
                        Err(_) => return self.mistake("the length of an array is negative"),
                    },
                    Err(path) => Kind::Sequence { element, length: field_path(&path) },
                },
                1,
            )?;
        }
        Ok((name, field))
    }

    fn members(&mut self) -> Result<Vec<Member>, Mistake> {
        self.expect("{")?;
        self.scopes.push(BTreeMap::new());
        let mut members: Vec<Member> = Vec::new();
        while !self.accept("}") {
            if self.is_word("typealias") || self.is_word("typedef") {
                self.declaration()?;
                continue;
            }
            let base = self.type_specifier(true)?;
            if self.accept(";") {
                continue;
            }
            loop {
                let (name, field) = self.declarator(base.clone())?;
                members.push(Member { name, field });
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        self.scopes.pop();
        Ok(members)
    }

    /// A name, if what follows shows that it is one and not that of a field.
    fn tag_name(&mut self, followed_by: &[&str]) -> Option<&'a str> {
        let Some(Token::Word(name)) = self.peek() else { return None };
        let follows = match self.tokens.get(self.at + 1) {
            Some((Token::Mark(mark), _)) => followed_by.contains(mark),
            _ => followed_by.contains(&"word"),
        };
        follows.then(|| {
            self.at += 1;
            name.as_str()
        })
    }

    fn structure(&mut self) -> Result<Arc<FieldType>, Mistake> {
        let name = if self.is_mark("{") { None } else { Some(self.word()?) };
        if let Some(name) = name
            && !self.is_mark("{")
        {
            return self.lookup(&format!("struct {name}"));
        }
        let members = self.members()?;
        let mut align = 1;
        if self.accept_word("align") {
            self.expect("(")?;
            let bits = self.number()?;
            align = self.alignment(bits)?;
            self.expect(")")?;
        }
        let field = self.made(Kind::Struct(members), align)?;
        if let Some(name) = name {
            self.declare(format!("struct {name}"), field.clone());
        }
        Ok(field)
    }

    fn variant(&mut self, declares: bool) -> Result<Arc<FieldType>, Mistake> {
        let followers: &[&str] = if declares { &["<", "{", "word"] } else { &["<", "{", ";"] };
        let name = self.tag_name(followers);
        let mut tag = None;
        if self.accept("<") {
            tag = Some(field_path(&self.dotted()?));
            self.expect(">")?;
        }
        if self.is_mark("{") {
            let options = self.members()?;
            let field = self.made(Kind::Variant { tag, options }, 1)?;
            if let Some(name) = name {
                self.declare(format!("variant {name}"), field.clone());
            }
            return Ok(field);
        }
        let Some(name) = name else { return self.unexpected("the options of a variant") };
        let known = self.lookup(&format!("variant {name}"))?;
        match (&known.kind, tag) {
            (Kind::Variant { options, .. }, Some(tag)) => {
                self.made(Kind::Variant { tag: Some(tag), options: options.clone() }, 1)
            }
            _ => Ok(known),
        }
    }

    fn enumeration(&mut self) -> Result<Arc<FieldType>, Mistake> {
        let name = self.tag_name(&[":", "{", "word", ";"]);
        let container = if self.accept(":") {
            self.type_specifier(false)?
        } else if self.is_mark("{") {
            self.lookup("int")?
        } else {
            let Some(name) = name else { return self.unexpected("the labels of an enumeration") };
            return self.lookup(&format!("enum {name}"));
        };
        let Kind::Integer(container) = container.kind.clone() else {
            return self.mistake("an enumeration must be of integers");
        };
        self.expect("{")?;
        let (mut labels, mut next) = (Vec::new(), 0_i128);
        while !self.accept("}") {
            let label = match self.attribute()? {
                Attribute::Number(_) => return self.mistake("a label must be a name or a text"),
                Attribute::Text(label) | Attribute::Word(label) => label,
            };
            let (mut first, mut last) = (next, next);
            if self.accept("=") {
                first = self.number()?;
                last = if self.accept("...") { self.number()? } else { first };
            }
            next = last.saturating_add(1);
            labels.push(Label { name: label.into(), first, last });
            if !self.accept(",") && !self.is_mark("}") {
                return self.unexpected("\",\" or \"}\"");
            }
        }
        let field = self.made(Kind::Enumeration { container, labels }, 1)?;
        if let Some(name) = name {
            self.declare(format!("enum {name}"), field.clone());
        }
        Ok(field)
    }

    fn alignment(&self, bits: i128) -> Result<u64, Mistake> {
        match u64::try_from(bits) {
            Ok(align) if align.is_power_of_two() && bits <= LARGEST_ALIGNMENT => Ok(align),
            _ => self.mistake(format!("{bits} bits is no alignment: a power of two is needed")),
        }
    }

    fn byte_order(&self, block: &Block) -> Result<ByteOrder, Mistake> {
        match block.attribute("byte_order").map(Attribute::text) {
            None | Some("native") => Ok(self.order),
            Some("le") => Ok(ByteOrder::Little),
            Some("be" | "network") => Ok(ByteOrder::Big),
            Some(other) => self.mistake(format!("\"{other}\" is no byte order")),
        }
    }

    fn integer(&self, block: &Block) -> Result<IntegerType, Mistake> {
        let Some(size @ 1..=64) = block.number("size")? else {
            return self.mistake("an integer needs a size of 1 to 64 bits");
        };
        let align = match block.number("align")? {
            Some(bits) => self.alignment(bits)?,
            None => {
                if size % 8 == 0 {
                    8
                } else {
                    1
                }
            }
        };
        let signed = block.attribute("signed").is_some_and(|signed| {
            signed.number().is_some_and(|number| number != 0)
                || ["true", "TRUE"].contains(&signed.text())
        });
        let encoding = block.attribute("encoding").map_or("none", Attribute::text);
        let is_character = size == 8 && ["UTF8", "utf8", "ASCII", "ascii"].contains(&encoding);
        let clock = block
            .attribute("map")
            .map(Attribute::text)
            .and_then(|path| path.strip_prefix("clock.")?.strip_suffix(".value").map(Arc::from));
        let order = self.byte_order(block)?;
        Ok(IntegerType { size: size as u32, align, signed, order, is_character, clock })
    }

    fn float(&self, block: &Block) -> Result<Arc<FieldType>, Mistake> {
        let size = match (block.number("exp_dig")?, block.number("mant_dig")?) {
            (Some(8), Some(24)) => 32,
            (Some(11), Some(53)) => 64,
            _ => return self.mistake("only floating-point numbers of 32 and 64 bits are known"),
        };
        let align = match block.number("align")? {
            Some(bits) => self.alignment(bits)?,
            None => 8,
        };
        self.made(Kind::Float { size, order: self.byte_order(block)? }, align)
    }
}

fn field_path(dotted: &str) -> FieldPath {
    dotted.split('.').map(str::to_owned).collect()
}
