//! Splits the text of a formula into tokens: numbers with their units, names, operators.

use ironbird_units::{Quantity, leading_number};

use crate::error::{FormulaError, Problem, Span};

/// Longer texts are refused, so that every later step has a bounded amount of work.
const LONGEST: usize = 1 << 16;

/// Words that join or negate and therefore can be neither a unit nor a signal.
const WORDS: [&str; 10] =
    ["not", "and", "or", "implies", "always", "eventually", "until", "for", "true", "false"];

/// Of these, the ones that may follow an operand: after `5 %` they show that `%` is a unit.
const INFIX_WORDS: [&str; 5] = ["and", "or", "implies", "until", "for"];

/// The operators, longest first.
const SYMBOLS: [&str; 21] = [
    "->", "&&", "||", "<=", ">=", "==", "!=", "<", ">", "!", "+", "-", "*", "/", "%", "^", "(",
    ")", "[", "]", ",",
];

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A number with the unit that follows it.
    Number(Quantity),
    /// A keyword.
    Word(&'static str),
    /// An operator or bracket.
    Symbol(&'static str),
    /// A signal, or a function when a parenthesis follows; quotes are removed.
    Path(String),
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
}

pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, FormulaError> {
    if text.len() > LONGEST {
        let span = Span { start: 0, end: text.len() };
        return Err(FormulaError::new(Problem::TooLong { limit: LONGEST }, span));
    }
    let mut scanner = Scanner { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        scanner.skip_spaces();
        let start = scanner.at;
        let kind = scanner.next()?;
        let end = kind == Kind::End;
        tokens.push(Token { kind, span: Span { start, end: scanner.at } });
        if end {
            return Ok(tokens);
        }
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character `n` characters ahead.
    fn peek_at(&self, n: usize) -> Option<char> {
        self.rest().chars().nth(n)
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Moves on while characters fulfil `wanted`, and returns them.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !wanted(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn error(&self, problem: Problem, start: usize) -> FormulaError {
        FormulaError::new(problem, Span { start, end: self.at })
    }

    fn next(&mut self) -> Result<Kind, FormulaError> {
        let Some(first) = self.peek() else { return Ok(Kind::End) };
        if !leading_number(self.rest()).is_empty() {
            return self.number();
        }
        let relative = first == '.' && self.peek_at(1).is_some_and(|c| starts_name(c) || c == '"');
        if starts_name(first) || first == '"' || relative {
            return self.name();
        }
        if let Some(symbol) = SYMBOLS.into_iter().find(|s| self.rest().starts_with(s)) {
            self.at += symbol.len();
            return Ok(Kind::Symbol(symbol));
        }
        let start = self.at;
        self.at += first.len_utf8();
        Err(self.error(Problem::UnknownCharacter { character: first }, start))
    }

    fn number(&mut self) -> Result<Kind, FormulaError> {
        let start = self.at;
        self.at += leading_number(self.rest()).len();
        let digits_end = self.at;
        self.skip_spaces();
        let unit = self.unit();
        if unit.is_empty() {
            self.at = digits_end;
        }
        let written = format!("{} {unit}", &self.text[start..digits_end]);
        let quantity = written.trim_end().parse().map_err(|error| {
            let blamed = if unit.is_empty() { start } else { self.at - unit.len() };
            self.error(Problem::Unit(error), blamed)
        })?;
        Ok(Kind::Number(quantity))
    }

    /// The unit that stands here: as long as characters belong to it without spaces.
    fn unit(&mut self) -> &'a str {
        let start = self.at;
        let inverse = self.rest().strip_prefix("1/");
        if inverse.is_some_and(|after| after.starts_with(char::is_alphabetic)) {
            self.at += 2;
        }
        let word_start = self.at;
        if self.peek() == Some('%') {
            if !self.percent_is_a_unit() {
                return "";
            }
            self.at += 1;
        } else {
            let first = self.peek();
            if !first.is_some_and(|c| starts_name(c) || c == '\u{b0}') {
                return "";
            }
            self.take(|c| continues_name(c) || c == '\u{b0}');
            if WORDS.contains(&&self.text[word_start..self.at]) {
                self.at = start;
                return "";
            }
        }
        self.exponent();
        while matches!(self.peek(), Some('*' | '/')) && self.peek_at(1).is_some_and(starts_name) {
            self.at += 1;
            self.take(continues_name);
            self.exponent();
        }
        &self.text[start..self.at]
    }

    /// `^2` or `^-2` after the name of a unit.
    fn exponent(&mut self) {
        let Some(after) = self.rest().strip_prefix('^') else { return };
        let sign = usize::from(after.starts_with('-'));
        if after[sign..].starts_with(|c: char| c.is_ascii_digit()) {
            self.at += 1 + sign;
            self.take(|c| c.is_ascii_digit());
        }
    }

    /// `0.6 %` is six thousandths, `10 % 8` is two: after a number, `%` is an operator when an
    /// operand follows.
    fn percent_is_a_unit(&self) -> bool {
        let after = &self.rest()[1..];
        let next = after.trim_start();
        let word = &next[..next.find(|c| !continues_name(c)).unwrap_or(next.len())];
        if INFIX_WORDS.contains(&word) || next.starts_with("->") || next.starts_with("!=") {
            return true;
        }
        !next.starts_with(|c: char| continues_name(c) || "\"(-.!".contains(c))
    }

    /// A keyword, or the path of a signal: names joined by dots, with indices in brackets.
    fn name(&mut self) -> Result<Kind, FormulaError> {
        let start = self.at;
        let mut path = String::new();
        if self.peek() == Some('.') {
            self.at += 1;
            path.push('.');
        }
        loop {
            let quoted = self.peek() == Some('"');
            let segment = if quoted { self.quoted()? } else { self.plain_name() };
            if !quoted
                && path.is_empty()
                && let Some(word) = WORDS.into_iter().find(|word| *word == segment)
            {
                return Ok(Kind::Word(word));
            }
            path.push_str(segment);
            while self.peek() == Some('[') {
                self.index(start, &mut path)?;
            }
            let more = self.peek_at(1).is_some_and(|c| starts_name(c) || c == '"');
            if self.peek() != Some('.') || !more {
                return Ok(Kind::Path(path));
            }
            self.at += 1;
            path.push('.');
        }
    }

    /// Letters, digits, `_`, and `-` where a name goes on after it.
    fn plain_name(&mut self) -> &'a str {
        let start = self.at;
        loop {
            self.take(continues_name);
            if self.peek() != Some('-') || !self.peek_at(1).is_some_and(continues_name) {
                return &self.text[start..self.at];
            }
            self.at += 1;
        }
    }

    fn quoted(&mut self) -> Result<&'a str, FormulaError> {
        let start = self.at;
        self.at += 1;
        let name = self.take(|c| c != '"');
        if self.peek().is_none() {
            return Err(self.error(Problem::OpenQuote, start));
        }
        self.at += 1;
        if name.is_empty() {
            return Err(self.error(Problem::EmptyName, start));
        }
        Ok(name)
    }

    fn index(&mut self, path_start: usize, path: &mut String) -> Result<(), FormulaError> {
        let start = self.at;
        self.at += 1;
        let digits = self.take(|c| c.is_ascii_digit());
        if digits.is_empty() || self.peek() != Some(']') {
            let text = self.text[path_start..self.at].to_owned();
            return Err(self.error(Problem::BadIndex { text }, start));
        }
        self.at += 1;
        path.push_str(&self.text[start..self.at]);
        Ok(())
    }
}
