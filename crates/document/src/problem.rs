//! Problems in files of users, with their places.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, Severity,
    SourceCode,
};

/// A text that a user wrote: a file, or the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name as the user knows it.
    pub name: String,
    /// The folder that file names in it start from.
    pub folder: PathBuf,
    /// All of it.
    pub text: String,
}

impl Source {
    /// Reads a file.
    pub fn read(file: &Path) -> Result<Arc<Source>, Problem> {
        let name = file.display().to_string();
        let text = ironbird_files::read_text(file, ironbird_files::LARGEST_TEXT)
            .map_err(|error| Problem::somewhere(format!("{name} cannot be read: {error}")))?;
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Arc::new(Source { name, folder, text }))
    }

    /// A text that is part of the program.
    pub fn built_in(name: &str, text: &str) -> Arc<Source> {
        let name = format!("{name}.toml");
        Arc::new(Source { name, folder: PathBuf::new(), text: text.to_owned() })
    }
}

/// A stretch of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where it was written.
    pub source: Arc<Source>,
    /// Bytes of its text.
    pub span: Range<usize>,
}

impl Place {
    /// A part of this place: bytes counted from its start.
    pub fn part(&self, span: Range<usize>) -> Place {
        let end = self.span.end;
        let clip = |at: usize| (self.span.start + at).min(end);
        Place { source: self.source.clone(), span: clip(span.start)..clip(span.end) }
    }

    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        1 + self.source.text[..self.span.start.min(self.source.text.len())].matches('\n').count()
    }
}

/// `file.toml:12`
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.source.name, self.line())
    }
}

/// One thing that is wrong, or worth a warning. Small, because most checks return one or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(Box<Details>);

/// All about a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// What is wrong.
    pub message: String,
    /// Where, and a word on it.
    pub place: Option<(Place, String)>,
    /// Other places in the same source that belong to it.
    pub related: Vec<(Place, String)>,
    /// What to do.
    pub help: Option<String>,
    /// Lines that can be written as they are, below what to do.
    pub lines: Vec<String>,
    /// The experiment can still be run.
    pub is_warning: bool,
    /// It only follows from something else that is wrong, which is told already.
    pub is_consequence: bool,
    /// Nothing that was written is wrong: what it needs has failed.
    pub is_failure: bool,
}

impl Deref for Problem {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

impl DerefMut for Problem {
    fn deref_mut(&mut self) -> &mut Details {
        &mut self.0
    }
}

impl Problem {
    /// Something wrong at a place.
    pub fn new(message: impl Into<String>, place: &Place, label: impl Into<String>) -> Self {
        let mut problem = Problem::somewhere(message);
        problem.place = Some((place.clone(), label.into()));
        problem
    }

    /// Something wrong that has no place in a text.
    pub fn somewhere(message: impl Into<String>) -> Self {
        let (message, related) = (message.into(), Vec::new());
        Problem(Box::new(Details {
            message,
            place: None,
            related,
            help: None,
            lines: Vec::new(),
            is_warning: false,
            is_consequence: false,
            is_failure: false,
        }))
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Shows lines that can be written as they are, each in one piece however long it is.
    pub fn lines(mut self, lines: Vec<String>) -> Self {
        self.lines = lines;
        self
    }

    /// Suggests a name that is near the one that was typed.
    pub fn did_you_mean(mut self, nearest: Option<&str>) -> Self {
        if let Some(nearest) = nearest {
            self.help = Some(format!("did you mean \"{nearest}\"?"));
        }
        self
    }

    /// Shows another place, too.
    pub fn also(mut self, place: &Place, label: impl Into<String>) -> Self {
        self.related.push((place.clone(), label.into()));
        self
    }

    /// Keeps it from being told if it only follows from another one.
    pub fn consequence(mut self, is_consequence: bool) -> Self {
        self.is_consequence = is_consequence;
        self
    }

    /// Says that something failed, and that nothing which was written is wrong.
    pub fn failure(mut self, is_failure: bool) -> Self {
        self.is_failure = is_failure;
        self
    }

    /// Lets the experiment run nevertheless.
    pub fn warning(mut self) -> Self {
        self.is_warning = true;
        self
    }
}

/// One line, with its place in front and what to do behind.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((place, _)) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        let lines: String = self.lines.iter().map(|line| format!(" {line}")).collect();
        self.help.iter().try_for_each(|help| write!(f, " ({help}{lines})"))
    }
}

impl std::error::Error for Problem {}

/// Nobody reads more at once.
const MOST_SHOWN: usize = 100;

/// Everything that was found to be wrong, in the order of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Adds one. What only follows from another one would be noise.
    pub fn push(&mut self, problem: Problem) {
        if !problem.is_consequence {
            self.0.push(problem);
        }
    }

    /// Whether anything prevents a run.
    pub fn is_fatal(&self) -> bool {
        self.0.iter().any(|problem| !problem.is_warning)
    }

    /// Takes the value out of a result, and the problem in.
    pub fn take<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|problem| self.push(problem)).ok()
    }

    /// All problems as a person reads them, with the lines they point at.
    pub fn render(&self, colour: bool, width: usize) -> String {
        let theme =
            if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false);
        let mut text = String::new();
        for problem in self.0.iter().take(MOST_SHOWN) {
            let shown = handler.render_report(&mut text, &Shown::new(problem));
            if shown.is_err() {
                text.push_str(&problem.message);
            }
            for line in &problem.lines {
                text.push_str(&format!("    {line}\n"));
            }
            text.push('\n');
        }
        if let Some(more @ 1..) = self.0.len().checked_sub(MOST_SHOWN) {
            text.push_str(&format!("  ... and {more} more\n\n"));
        }
        text
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Problems(vec![problem])
    }
}

/// One line for each.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.0.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            if let Some((place, _)) = &problem.place {
                write!(f, "{place}: ")?;
            }
            f.write_str(&problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// A problem as the reporting library wants it.
#[derive(Debug)]
struct Shown<'a> {
    problem: &'a Problem,
    source: Option<NamedSource<String>>,
}

impl<'a> Shown<'a> {
    fn new(problem: &'a Problem) -> Self {
        let source = problem.place.as_ref().map(|(place, _)| {
            NamedSource::new(&place.source.name, place.source.text.clone()).with_language("toml")
        });
        Shown { problem, source }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl Diagnostic for Shown<'_> {
    fn severity(&self) -> Option<Severity> {
        Some(if self.problem.is_warning { Severity::Warning } else { Severity::Error })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (main, _) = self.problem.place.as_ref()?;
        // Only one source can be shown at a time.
        let places = self.problem.place.iter().chain(&self.problem.related);
        let shown = places.filter(|(place, _)| place.source == main.source);
        Some(Box::new(shown.map(|(place, label)| {
            let label = (!label.is_empty()).then(|| label.clone());
            LabeledSpan::new_with_span(label, place.span.clone())
        })))
    }
}
