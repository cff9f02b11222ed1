//! The flat listing of transitions that LTSA and MTSA print, in the notation of finite state processes
//! (J. Magee, J. Kramer, *Concurrency: State Models and Java Programs*, appendix B):
//!
//! ```text
//! C = Q0,
//! Q0 = (has.next -> Q1),
//! Q1 = (yes.next -> Q2
//!      |no.next -> STOP),
//! Q2 = ({go.next, hurry} -> Q0).
//! ```
//!
//! Each process is `STOP`, `END` (both final), another process, or a choice of one action and the process
//! after it; nothing else of the notation is read. The lines `Process:`, `States:`, `Transitions:` that
//! LTSA prints above are passed over, and so are comments.

use std::collections::BTreeMap;

use super::draft::{Arrow, Draft, DraftState, Fault, Named};

pub(super) fn read(text: &str, controllable: &[String]) -> Result<Draft, Fault> {
    let mut reader =
        Reader { tokens: tokens(text)?, at: 0, last_line: text.lines().count().max(1) };
    let mut states: Vec<DraftState> = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let mut initial: Option<Named> = None;
    let mut alias: Option<Named> = None;
    loop {
        let name = reader.process("the name of a process")?;
        reader.expect("=")?;
        initial.get_or_insert_with(|| name.clone());
        let mut state =
            DraftState { name: name.clone(), is_final: false, arrows: Vec::new(), ignored: vec![] };
        if reader.takes("(") {
            state.arrows = reader.choice()?;
        } else {
            let target = reader.process("\"(\", \"STOP\", \"END\" or the name of a process")?;
            match target.text.as_str() {
                "STOP" | "END" => state.is_final = true,
                "ERROR" => return Err(error_state(target.line)),
                // `C = Q0` only gives the whole a name; as a state it would be one too many.
                _ if states.is_empty() && alias.is_none() => {
                    alias = Some(target);
                    lines.insert(name.text, name.line);
                    reader.expect(",")?;
                    continue;
                }
                _ => {
                    let what = "only the first process may be another one; expected \"(\", \"STOP\" or \
                                \"END\"";
                    return Err(Fault::at(target.line, what));
                }
            }
        }
        if let Some(first) = lines.insert(name.text.clone(), name.line) {
            let what = format!("\"{}\" is defined on line {first} already", name.text);
            return Err(Fault::at(name.line, what));
        }
        states.push(state);
        if reader.takes(".") {
            break;
        }
        reader.expect(",")?;
    }
    if let Some(token) = reader.tokens.get(reader.at) {
        let what = format!("\"{}\" after the end; a file holds one process", token.text);
        return Err(Fault::at(token.line, what));
    }
    let Some(initial) = alias.or(initial) else { return Err(Fault::whole("it has no process")) };
    add_stop(&mut states);
    Draft::synthesised(initial, states, controllable)
}

/// `STOP` and `END` are states where transitions lead to them.
fn add_stop(states: &mut Vec<DraftState>) {
    for name in ["STOP", "END"] {
        let mut arrows = states.iter().flat_map(|state| &state.arrows);
        if let Some(line) = arrows.find(|arrow| arrow.to == name).map(|arrow| arrow.label.line) {
            let name = Named { text: name.into(), line };
            states.push(DraftState { name, is_final: true, arrows: vec![], ignored: vec![] });
        }
    }
}

fn error_state(line: usize) -> Fault {
    Fault::at(line, "it leads to ERROR; a controller that can do so does not keep its property")
}

#[derive(Clone, Debug)]
struct Reader {
    tokens: Vec<Named>,
    at: usize,
    last_line: usize,
}

impl Reader {
    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(self.last_line, |token| token.line)
    }

    fn takes(&mut self, text: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|token| token.text == text);
        self.at += usize::from(found);
        found
    }

    fn wrong(&self, expected: &str) -> Fault {
        let found = match self.tokens.get(self.at) {
            Some(token) => format!("\"{}\"", token.text),
            None => "the end of the file".into(),
        };
        Fault::at(self.line(), format!("expected {expected}, found {found}"))
    }

    fn expect(&mut self, text: &str) -> Result<(), Fault> {
        if self.takes(text) { Ok(()) } else { Err(self.wrong(&format!("\"{text}\""))) }
    }

    /// A word, which begins as processes or as labels do.
    fn word(&mut self, begins: fn(char) -> bool, expected: &str) -> Result<Named, Fault> {
        let found = self.tokens.get(self.at).filter(|token| token.text.starts_with(begins));
        let word = found.cloned().ok_or_else(|| self.wrong(expected))?;
        self.at += 1;
        Ok(word)
    }

    fn process(&mut self, expected: &str) -> Result<Named, Fault> {
        self.word(|c| c.is_ascii_uppercase(), expected)
    }

    fn label(&mut self) -> Result<Named, Fault> {
        let label =
            self.word(|c| c.is_ascii_lowercase() || c == '_', "a label, in small letters")?;
        if label.text == "tau" {
            let what = "the hidden action \"tau\" means nothing to a controller";
            return Err(Fault::at(label.line, what));
        }
        Ok(label)
    }

    /// `a -> Q1 | {b, c} -> Q2)`
    fn choice(&mut self) -> Result<Vec<Arrow>, Fault> {
        let mut arrows = Vec::new();
        loop {
            let mut labels = Vec::new();
            if self.takes("{") {
                labels.push(self.label()?);
                while self.takes(",") {
                    labels.push(self.label()?);
                }
                self.expect("}")?;
            } else {
                labels.push(self.label()?);
            }
            self.expect("->")?;
            let to = self.process("the process after the action, in capital letters")?;
            if to.text == "ERROR" {
                return Err(error_state(to.line));
            }
            arrows.extend(labels.into_iter().map(|label| Arrow { label, to: to.text.clone() }));
            if !self.takes("|") {
                self.expect(")")?;
                return Ok(arrows);
            }
        }
    }
}

/// Words and signs with their lines. A dot inside a label belongs to it, one after it ends the process.
fn tokens(text: &str) -> Result<Vec<Named>, Fault> {
    let text = without_comments(text)?;
    let body = text.find("Transitions:").map_or(0, |at| at + "Transitions:".len());
    let mut tokens = Vec::new();
    let mut rest = &text[body..];
    let mut line = super::line_of(&text, body);
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_.[]?!".contains(c);
        let length = if first.is_whitespace() {
            line += usize::from(first == '\n');
            rest = &rest[first.len_utf8()..];
            continue;
        } else if rest.starts_with("->") {
            2
        } else if "=(),.|{}".contains(first) {
            1
        } else if is_word(first) {
            let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            rest[..word].trim_end_matches('.').len()
        } else {
            return Err(Fault::at(line, format!("\"{first}\" has no meaning here")));
        };
        tokens.push(Named { text: rest[..length].to_owned(), line });
        rest = &rest[length..];
    }
    Ok(tokens)
}

/// The same text with blanks for `// …` and `/* … */`, so that lines stay.
fn without_comments(text: &str) -> Result<String, Fault> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        plain += &rest[..at];
        let comment = &rest[at..];
        let end = match comment.starts_with("//") {
            true => comment.find('\n').unwrap_or(comment.len()),
            false => {
                let end = comment.find("*/").map(|end| end + 2);
                let line = super::line_of(text, text.len() - comment.len());
                end.ok_or_else(|| Fault::at(line, "this comment does not end"))?
            }
        };
        plain.extend(comment[..end].chars().filter(|c| *c == '\n'));
        rest = &comment[end..];
    }
    Ok(plain + rest)
}
