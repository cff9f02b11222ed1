//! Words of TSDL, the language of CTF metadata (CTF 1.8.3, appendix C): those of C, with `:=` and `...`.

/// Something wrong in a metadata text.
#[derive(Debug, PartialEq)]
pub(super) struct Mistake {
    pub line: usize,
    pub what: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Number(i128),
    Text(String),
    /// Punctuation, of up to three characters.
    Mark(&'static str),
}

impl Token {
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Word(word) => format!("\"{word}\""),
            Token::Number(number) => format!("{number}"),
            Token::Text(text) => format!("the text {text:?}"),
            Token::Mark(mark) => format!("\"{mark}\""),
        }
    }
}

/// Longer ones first.
const MARKS: [&str; 18] =
    ["...", ":=", "->", "{", "}", "[", "]", "(", ")", "<", ">", ";", ",", ":", ".", "=", "*", "+"];

/// All tokens with their lines.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, Mistake> {
    let mut lexer = Lexer { rest: text, line: 1 };
    let mut found = Vec::new();
    loop {
        lexer.skip_blanks()?;
        if lexer.rest.is_empty() {
            return Ok(found);
        }
        let line = lexer.line;
        found.push((lexer.token()?, line));
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Lexer<'a> {
    fn mistake<T>(&self, what: impl Into<String>) -> Result<T, Mistake> {
        Err(Mistake { line: self.line, what: what.into() })
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    fn skip_blanks(&mut self) -> Result<(), Mistake> {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest.starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if self.rest.starts_with("/*") {
                match self.rest.find("*/") {
                    Some(end) => self.take(end + 2),
                    None => return self.mistake("a comment has no end"),
                };
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<Token, Mistake> {
        let first = self.rest.chars().next().unwrap_or('\0');
        if first.is_ascii_alphabetic() || first == '_' {
            let word = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
            return Ok(Token::Word(word.to_owned()));
        }
        if first.is_ascii_digit() || first == '-' {
            return self.number();
        }
        if first == '"' || first == '\'' {
            return self.quoted(first);
        }
        match MARKS.iter().find(|mark| self.rest.starts_with(**mark)) {
            Some(mark) => {
                self.take(mark.len());
                Ok(Token::Mark(mark))
            }
            None => self.mistake(format!("{first:?} does not belong into metadata")),
        }
    }

    fn number(&mut self) -> Result<Token, Mistake> {
        if self.rest.starts_with("->") {
            self.take(2);
            return Ok(Token::Mark("->"));
        }
        let negative = self.rest.starts_with('-');
        if negative {
            self.take(1);
        }
        let written = self.take_while(|c| c.is_ascii_alphanumeric());
        // C's suffixes say how wide a constant is; that does not matter here.
        let (digits, radix) = match written.strip_prefix("0x").or(written.strip_prefix("0X")) {
            Some(digits) => (digits.trim_end_matches(['u', 'U', 'l', 'L']), 16),
            None => {
                let digits = written.trim_end_matches(['u', 'U', 'l', 'L']);
                let octal = digits.len() > 1 && digits.starts_with('0');
                (digits, if octal { 8 } else { 10 })
            }
        };
        match u64::from_str_radix(digits, radix) {
            Ok(number) if negative => Ok(Token::Number(-i128::from(number))),
            Ok(number) => Ok(Token::Number(number.into())),
            Err(_) => self.mistake(format!("{written:?} is no whole number of 64 bits")),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Token, Mistake> {
        self.take(1);
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, 'a')) => text.push('\x07'),
                    Some((_, escaped @ ('\\' | '"' | '\'' | '?'))) => text.push(escaped),
                    _ => return self.mistake("an escape in a text that is not known"),
                },
                _ if character == quote => {
                    self.take(at + 1);
                    return Ok(if quote == '"' {
                        Token::Text(text)
                    } else {
                        Token::Number(text.chars().next().map_or(0, |c| u32::from(c).into()))
                    });
                }
                _ => text.push(character),
            }
        }
        self.mistake("a text has no end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Vec<Token> {
        tokens(text).unwrap().into_iter().map(|(token, _)| token).collect()
    }

    #[test]
    fn words_numbers_texts_and_marks_are_told_apart() {
        let word = |word: &str| Token::Word(word.into());
        assert_eq!(
            only("a.b := 0x1F ... 017, -3 /* c */ \"q\\\"\" // end"),
            [
                word("a"),
                Token::Mark("."),
                word("b"),
                Token::Mark(":="),
                Token::Number(31),
                Token::Mark("..."),
                Token::Number(15),
                Token::Mark(","),
                Token::Number(-3),
                Token::Text("q\"".into()),
            ]
        );
    }

    #[test]
    fn a_mistake_has_its_line() {
        let mistake = tokens("trace {\n  major = 1;\n  § }").unwrap_err();
        assert_eq!((mistake.line, mistake.what.contains('§')), (3, true));
        assert!(tokens("/* no end").is_err());
        assert!(tokens("\"no end").is_err());
        assert!(tokens("99999999999999999999").is_err());
    }
}
