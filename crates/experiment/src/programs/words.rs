//! What is filled into the command line of a program: `{listen:board}`, `{seed}`. `{{` and `}}` are braces.

use ironbird_document::{Place, Problem};
use ironbird_kernel::path::nearest;

use super::Side;

/// A text with gaps that are filled when a run starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word(pub Vec<Piece>);

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// As it was written.
    Text(String),
    /// A link as users of SimBricks write it.
    Url(Side, String),
    /// The path of the socket of a link.
    Socket(Side, String),
    /// The path of the shared memory of a link, for the side that listens.
    Memory(String),
    /// The latency of a link in nanoseconds.
    Latency(String),
    /// The synchronisation interval of a link in nanoseconds.
    Interval(String),
    /// The path of Ironbird itself.
    Ironbird,
    /// A folder that lasts as long as the run.
    Folder,
    /// The seed of the run.
    Seed,
    /// Which repetition it is, from 0.
    Repetition,
}

const KNOWN: [&str; 11] = [
    "listen:LINK",
    "listen:LINK:socket",
    "listen:LINK:memory",
    "connect:LINK",
    "connect:LINK:socket",
    "latency:LINK",
    "interval:LINK",
    "ironbird",
    "folder",
    "seed",
    "repetition",
];

impl Word {
    /// Reads a text with gaps.
    pub(super) fn parse(text: &str, place: &Place) -> Result<Word, Problem> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(behind) = rest.strip_prefix(brace) {
                plain.push_str(brace);
                rest = behind;
                continue;
            }
            let gap = match (brace, rest.split_once('}')) {
                ("{", Some((gap, behind))) => {
                    rest = behind;
                    gap
                }
                _ => {
                    let problem = Problem::new(
                        format!("a single \"{brace}\" in \"{text}\""),
                        place,
                        "not closed, or never opened",
                    );
                    return Err(
                        problem.help("write {{ and }} for braces, {name} for what is filled in")
                    );
                }
            };
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(piece(gap, place)?);
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Word(pieces))
    }

    /// The links that are named, with the side if it is said.
    pub(super) fn links(&self) -> impl Iterator<Item = (&str, Option<Side>)> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Url(side, link) | Piece::Socket(side, link) => {
                Some((link.as_str(), Some(*side)))
            }
            Piece::Memory(link) => Some((link.as_str(), Some(Side::Listen))),
            Piece::Latency(link) | Piece::Interval(link) => Some((link.as_str(), None)),
            _ => None,
        })
    }
}

fn piece(gap: &str, place: &Place) -> Result<Piece, Problem> {
    let parts: Vec<&str> = gap.split(':').collect();
    let side = match parts[0] {
        "connect" => Side::Connect,
        _ => Side::Listen,
    };
    Ok(match parts[..] {
        ["ironbird"] => Piece::Ironbird,
        ["folder"] => Piece::Folder,
        ["seed"] => Piece::Seed,
        ["repetition"] => Piece::Repetition,
        ["listen" | "connect", link] if !link.is_empty() => Piece::Url(side, link.into()),
        ["listen" | "connect", link, "socket"] if !link.is_empty() => {
            Piece::Socket(side, link.into())
        }
        ["listen", link, "memory"] if !link.is_empty() => Piece::Memory(link.into()),
        ["latency", link] if !link.is_empty() => Piece::Latency(link.into()),
        ["interval", link] if !link.is_empty() => Piece::Interval(link.into()),
        _ => {
            let problem = Problem::new(
                format!("nothing is called {{{gap}}} that could be filled in"),
                place,
                "not known",
            );
            let near = nearest(gap, KNOWN.into_iter()).map(|near| format!("{{{near}}}"));
            let all = KNOWN.map(|name| format!("{{{name}}}")).join(", ");
            return Err(problem
                .help(format!("there are {all}; {{{{ and }}}} are braces"))
                .did_you_mean(near.as_deref()));
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ironbird_document::Source;

    use super::*;

    fn read(text: &str) -> Result<Word, String> {
        let source = Arc::new(Source { name: "a".into(), folder: ".".into(), text: text.into() });
        let place = Place { source, span: 0..text.len() };
        Word::parse(text, &place).map_err(|problem| problem.message.clone())
    }

    #[test]
    fn gaps_are_told_from_text() {
        use Piece::*;
        let text = |t: &str| Text(t.into());
        assert_eq!(read("-v"), Ok(Word(vec![text("-v")])));
        assert_eq!(read(""), Ok(Word(vec![])));
        assert_eq!(read("{{a}}"), Ok(Word(vec![text("{a}")])));
        assert_eq!(
            read("--eth={listen:eth}:x"),
            Ok(Word(vec![text("--eth="), Url(Side::Listen, "eth".into()), text(":x")]))
        );
        assert_eq!(
            read("{connect:a:socket}{listen:a:memory}{seed}"),
            Ok(Word(vec![Socket(Side::Connect, "a".into()), Memory("a".into()), Seed]))
        );
        assert_eq!(read("{ironbird}"), Ok(Word(vec![Ironbird])));
    }

    #[test]
    fn what_cannot_be_filled_in_is_refused() {
        assert_eq!(
            read("{lisen:a}"),
            Err("nothing is called {lisen:a} that could be filled in".into())
        );
        assert_eq!(
            read("{listen:}"),
            Err("nothing is called {listen:} that could be filled in".into())
        );
        assert_eq!(
            read("{connect:a:memory}"),
            Err("nothing is called {connect:a:memory} that could be filled in".into())
        );
        assert_eq!(read("{a"), Err("a single \"{\" in \"{a\"".into()));
        assert_eq!(read("a}"), Err("a single \"}\" in \"a}\"".into()));
    }
}
