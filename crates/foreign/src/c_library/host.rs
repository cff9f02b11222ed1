//! The process that loads a C library: this program, started again.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::parent_id;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use super::functions::{Component, Functions};
use crate::ports::Declaration;
use crate::protocol::{Answer, HEADER, LONGEST, Question, fill, header, numbers, put};

/// The first argument of a host.
const ARGUMENT: &str = "--ironbird-host-of-a-c-library";

/// Set in the environment of a host, so that a program that is no host after all starts no others.
const VARIABLE: &str = "IRONBIRD_HOST_OF_A_C_LIBRARY";

/// The first line of what a library describes.
const VERSION: &str = "ironbird 1";

/// Numbers behind the outputs, in which a library that writes too many is found out.
const SPARE: usize = 64;
const UNTOUCHED: u64 = 0x7ff8_1234_5678_9abc;

/// A program as a host; the library and its parameters follow.
pub(super) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg(ARGUMENT).env(VARIABLE, "1");
    command
}

/// Whether this process was started as a host.
pub(super) fn is_host() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Does the work of a host of a C library if this process was started as one, and returns then. For the first
/// line of `main`.
pub fn host_if_asked() -> Option<ExitCode> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [first, file, parameters] if first == ARGUMENT && is_host() => {
            let served = serve(Path::new(file), &parameters.to_string_lossy());
            Some(if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        _ => None,
    }
}

/// Our ends of the pipes.
struct Pipes {
    questions: File,
    answers: File,
    frame: Vec<u8>,
}

impl Pipes {
    /// Takes the pipes away from the library: what it prints goes to the standard error.
    fn take() -> io::Result<Self> {
        let questions = File::from(rustix::io::dup(rustix::stdio::stdin())?);
        let answers = File::from(rustix::io::dup(rustix::stdio::stdout())?);
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        Ok(Pipes { questions, answers, frame: Vec::new() })
    }

    fn answer(&mut self, answer: Answer, content: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        fill(&mut self.frame, answer.tag(), content);
        self.answers.write_all(&self.frame)
    }

    /// The next question, its content in `content`; `None` at the end.
    fn question(&mut self, content: &mut Vec<u8>) -> io::Result<Option<Question>> {
        // A question of a few numbers comes in one piece.
        content.resize(PIECE, 0);
        let mut filled = 0;
        while filled < HEADER {
            match self.questions.read(&mut content[filled..])? {
                0 => return Ok(None),
                count => filled += count,
            }
        }
        let (tag, length) = header(std::array::from_fn(|i| content[i]));
        let question = Question::of_tag(tag).filter(|_| length <= LONGEST);
        let Some(question) = question else { return Ok(None) };
        let end = HEADER + length;
        content.resize(end.max(filled), 0);
        if filled < end {
            self.questions.read_exact(&mut content[filled..end])?;
        }
        content.truncate(end);
        Ok(Some(question))
    }
}

const PIECE: usize = 4096;

fn serve(file: &Path, parameters: &str) -> io::Result<()> {
    let mut pipes = Pipes::take()?;
    end_with_the_parent();
    let parameters: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(parameters).unwrap_or_default();
    let number = |value: serde_json::Value| value.as_f64().unwrap_or(f64::NAN);
    let parameters: Vec<_> = parameters.into_iter().map(|(name, x)| (name, number(x))).collect();
    let made = Functions::load(file).and_then(|functions| {
        let (text, declaration) = declared(&functions)?;
        Ok((functions, text, declaration))
    });
    let (functions, text, declaration) = match made {
        Ok(made) => made,
        Err(why) => return pipes.answer(Answer::Failed, |frame| frame.extend(why.bytes())),
    };
    match functions.create(&parameters) {
        Err(why) => pipes.answer(Answer::Failed, |frame| frame.extend(why.bytes())),
        Ok(component) => {
            pipes.answer(Answer::Ready, |frame| frame.extend(text.bytes()))?;
            Served::new(component, &declaration).all(&mut pipes)
        }
    }
}

/// The ports of a library, as text and read.
fn declared(functions: &Functions) -> Result<(String, Declaration), String> {
    let described = functions.describe()?;
    let (version, ports) = described.split_once('\n').unwrap_or((&described, ""));
    if version.trim() != VERSION {
        return Err(format!(
            "ironbird_describe must begin with a line \"{VERSION}\", not \"{}\"",
            version.trim()
        ));
    }
    let wrong = |why: String| format!("ironbird_describe: {why}");
    let declaration = Declaration::read(ports).map_err(wrong)?;
    if declaration.saves {
        return Err(wrong("whether it saves is seen from ironbird_save and ironbird_load".into()));
    }
    let saves = if functions.saves() { "\nsaves" } else { "" };
    Ok((format!("{ports}{saves}"), declaration))
}

/// A component that answers questions.
struct Served<'a> {
    component: Component<'a>,
    declaration: &'a Declaration,
    input: Vec<f64>,
    output: Vec<f64>,
}

impl<'a> Served<'a> {
    fn new(component: Component<'a>, declaration: &'a Declaration) -> Self {
        let (input, output) = (declaration.input_width(), declaration.output_width());
        let (input, output) = (vec![0.0; input], vec![0.0; output + SPARE]);
        Served { component, declaration, input, output }
    }

    /// Answers until the pipe is closed or something fails.
    fn all(mut self, pipes: &mut Pipes) -> io::Result<()> {
        let mut content = Vec::new();
        while let Some(question) = pipes.question(&mut content)? {
            let answered = match question {
                Question::Step => match self.step(&content[HEADER..]) {
                    Ok(output) => Ok(pipes.answer(Answer::Outputs, |frame| put(frame, output))?),
                    Err(why) => Err(why),
                },
                Question::Save => match self.component.save() {
                    Ok(bytes) => Ok(pipes.answer(Answer::State, |frame| frame.extend(bytes))?),
                    Err(why) => Err(why),
                },
                Question::Load => match self.component.load(&content[HEADER..]) {
                    Ok(()) => Ok(pipes.answer(Answer::Done, |_| {})?),
                    Err(why) => Err(why),
                },
            };
            if let Err(why) = answered {
                return pipes.answer(Answer::Failed, |frame| frame.extend(why.bytes()));
            }
        }
        Ok(())
    }

    /// The outputs of a step whose time and inputs are in `content`.
    fn step(&mut self, content: &[u8]) -> Result<&[f64], String> {
        let mut given = numbers(content);
        let t = given.next().unwrap_or(f64::NAN);
        self.input.iter_mut().zip(given).for_each(|(place, x)| *place = x);
        self.output.fill(f64::from_bits(UNTOUCHED));
        self.component.step(t, &self.input, &mut self.output)?;
        let (output, spare) = self.output.split_at(self.declaration.output_width());
        if spare.iter().any(|x| x.to_bits() != UNTOUCHED) {
            return Err(format!("ironbird_step wrote more than its {} outputs", output.len()));
        }
        if let Some(place) = output.iter().position(|x| x.to_bits() == UNTOUCHED) {
            return Err(format!("ironbird_step did not write the output \"{}\"", self.name(place)));
        }
        Ok(output)
    }

    /// The name of the output to which a number belongs.
    fn name(&self, place: usize) -> &str {
        let mut end = 0;
        let mut outputs = self.declaration.outputs.iter();
        let found = outputs.find(|port| {
            end += port.kind.width();
            place < end
        });
        found.map_or("", |port| port.name.as_str())
    }
}

/// Ends this process when its parent is gone, even while the library hangs.
fn end_with_the_parent() {
    let parent = parent_id();
    std::thread::spawn(move || {
        while parent_id() == parent {
            std::thread::sleep(Duration::from_secs(1));
        }
        std::process::exit(1);
    });
}
