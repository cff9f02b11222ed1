//! The user's part of a generated file.

use std::collections::BTreeMap;

const MARK: &str = "ironbird:";
const BEGIN: &str = "// ironbird: your code ";
const KEPT: &str = "// ironbird: kept code ";
const END: &str = "// ironbird: end";

/// Why a file cannot be written anew. Nothing is lost: it stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum RegionError {
    #[error(
        "the file has no line \"// ironbird: your code …\": it was not written by `ironbird new \
         component`; move it away, or give the component another name"
    )]
    NotGenerated,
    #[error(
        "line {line}: \"{text}\" is no marker; write \"// ironbird: your code <name>\" or \
         \"// ironbird: end\", as it was"
    )]
    Damaged { line: usize, text: String },
    #[error("line {line}: your code \"{name}\" begins here and has no \"// ironbird: end\"")]
    Open { name: String, line: usize },
    #[error("line {line}: \"// ironbird: end\" ends nothing: the line that began it is gone")]
    NotBegun { line: usize },
    #[error("line {line}: your code \"{name}\" stands in line {first} already")]
    Twice { name: String, line: usize, first: usize },
}

/// What a user wrote, by the names of the regions.
#[derive(Debug, Default)]
pub struct Regions {
    own: BTreeMap<String, String>,
    kept: Vec<(String, String)>,
}

impl Regions {
    /// Takes the regions out of a file.
    pub fn read(text: &str) -> Result<Self, RegionError> {
        let mut regions = Regions::default();
        let mut begun: BTreeMap<String, usize> = BTreeMap::new();
        let mut open: Option<(String, usize, bool, String)> = None;
        for (number, line) in text.lines().enumerate() {
            let number = number + 1;
            let trimmed = line.trim();
            let damaged = || RegionError::Damaged { line: number, text: trimmed.into() };
            if !is_marker(trimmed) {
                if let Some((_, _, _, content)) = &mut open {
                    content.push_str(line);
                    content.push('\n');
                }
                continue;
            }
            if trimmed == END {
                let Some((name, _, kept, content)) = open.take() else {
                    return Err(RegionError::NotBegun { line: number });
                };
                regions.put(name, content, kept);
                continue;
            }
            let own = trimmed.strip_prefix(BEGIN).map(|name| (name, false));
            let (name, kept) = own
                .or_else(|| trimmed.strip_prefix(KEPT).map(|name| (name, true)))
                .filter(|(name, _)| !name.trim().is_empty())
                .ok_or_else(damaged)?;
            if let Some((name, line, ..)) = open {
                return Err(RegionError::Open { name, line });
            }
            let first = begun.get(name).copied().filter(|_| !kept);
            if let Some(first) = first {
                return Err(RegionError::Twice { name: name.into(), line: number, first });
            }
            if !kept {
                begun.insert(name.into(), number);
            }
            open = Some((name.into(), number, kept, String::new()));
        }
        match open {
            Some((name, line, ..)) => Err(RegionError::Open { name, line }),
            None if begun.is_empty() => Err(RegionError::NotGenerated),
            None => Ok(regions),
        }
    }

    fn put(&mut self, name: String, content: String, kept: bool) {
        if kept {
            self.kept.push((name, uncommented(&content)));
        } else {
            self.own.insert(name, content);
        }
    }

    /// Writes a region: the user's text, or `first` where there is none yet.
    pub fn write(&mut self, name: &str, indent: &str, first: &str, out: &mut String) {
        let kept = || {
            let at = self.kept.iter().position(|(other, _)| other == name)?;
            Some(self.kept.remove(at).1)
        };
        let own = self.own.remove(name).or_else(kept);
        let content = own.unwrap_or_else(|| indented(first, indent));
        out.push_str(&format!("{indent}{BEGIN}{name}\n{content}{indent}{END}\n"));
    }

    /// Writes what has no place any more as comments.
    pub fn write_rest(self, out: &mut String) {
        let rest: Vec<(String, String)> =
            self.kept.into_iter().chain(self.own).filter(|(_, c)| !c.trim().is_empty()).collect();
        if rest.is_empty() {
            return;
        }
        out.push_str(
            "\n// The description has no place for this code any more. Use what you need, delete the rest.\n",
        );
        for (name, content) in rest {
            out.push_str(&format!("{KEPT}{name}\n"));
            for line in content.lines() {
                out.push_str(format!("// {line}").trim_end());
                out.push('\n');
            }
            out.push_str(&format!("{END}\n"));
        }
    }
}

/// Whether a line is a marker, or was one before somebody touched it.
fn is_marker(line: &str) -> bool {
    let Some(comment) = line.strip_prefix("//") else { return false };
    let comment = comment.trim_start_matches(['/', '!']).trim_start();
    comment.get(..MARK.len()).is_some_and(|start| start.eq_ignore_ascii_case(MARK))
}

fn uncommented(content: &str) -> String {
    let line = |line: &str| {
        let line = line.strip_prefix("//").unwrap_or(line);
        format!("{}\n", line.strip_prefix(' ').unwrap_or(line))
    };
    content.lines().map(line).collect()
}

/// Lines with an indent; empty ones stay empty.
pub fn indented(text: &str, indent: &str) -> String {
    let line = |line: &str| match line.is_empty() {
        true => "\n".to_owned(),
        false => format!("{indent}{line}\n"),
    };
    text.lines().map(line).collect()
}
