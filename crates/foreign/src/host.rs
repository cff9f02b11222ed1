//! The process in which user code in C runs: this program, started again.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::parent_id;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::protocol::{Answer, HEADER, LONGEST, Question, fill, header, put};
use crate::{c_library, generated_c};

/// Set in the environment of a host, so that a program that is no host after all starts no others.
const VARIABLE: &str = "IRONBIRD_HOST_OF_A_C_LIBRARY";

/// How a host is started; what it needs follows `argument`. Without a program it is this one.
pub(crate) fn command(program: Option<&Path>, argument: &str) -> Result<Command, String> {
    if is_host() {
        return Err("a host of a C library cannot start another one".into());
    }
    let program = match program {
        Some(program) => program.to_owned(),
        None => std::env::current_exe()
            .map_err(|error| format!("this program cannot be started again: {error}"))?,
    };
    let mut command = Command::new(program);
    command.arg(argument).env(VARIABLE, "1");
    Ok(command)
}

/// Whether this process was started as a host.
fn is_host() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Does the work of a host of a C library if this process was started as one, and returns then with
/// the exit status. For the first line of `main`.
pub fn host_if_asked() -> Option<u8> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let served = match &arguments[..] {
        _ if !is_host() => return None,
        [first, file, parameters] if first == c_library::ARGUMENT => {
            c_library::serve(Path::new(file), &parameters.to_string_lossy())
        }
        [first, file, description, parameters] if first == generated_c::ARGUMENT => {
            let (file, description) = (Path::new(file), Path::new(description));
            generated_c::serve(file, description, &parameters.to_string_lossy())
        }
        _ => return None,
    };
    Some(u8::from(served.is_err()))
}

/// User code that answers questions.
pub(crate) trait Served {
    /// The outputs of a step; `content` is what the question holds.
    fn step(&mut self, content: &[u8]) -> Result<&[f64], String>;

    /// The state as bytes.
    fn save(&mut self) -> Result<Vec<u8>, String>;

    /// Goes on from saved bytes.
    fn load(&mut self, bytes: &[u8]) -> Result<(), String>;

    /// Answers until the pipe is closed or something fails.
    fn answer_all(&mut self, pipes: &mut Pipes) -> io::Result<()> {
        let mut content = Vec::new();
        while let Some(question) = pipes.question(&mut content)? {
            let answered = match question {
                Question::Step => match self.step(&content[HEADER..]) {
                    Ok(output) => Ok(pipes.answer(Answer::Outputs, |frame| put(frame, output))?),
                    Err(why) => Err(why),
                },
                Question::Save => match self.save() {
                    Ok(bytes) => Ok(pipes.answer(Answer::State, |frame| frame.extend(bytes))?),
                    Err(why) => Err(why),
                },
                Question::Load => match self.load(&content[HEADER..]) {
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
}

/// Our ends of the pipes.
pub(crate) struct Pipes {
    questions: File,
    answers: File,
    frame: Vec<u8>,
}

impl Pipes {
    /// Takes the pipes away from the library: what it prints goes to the standard error.
    pub fn take() -> io::Result<Self> {
        let questions = File::from(rustix::io::dup(rustix::stdio::stdin())?);
        let answers = File::from(rustix::io::dup(rustix::stdio::stdout())?);
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        Ok(Pipes { questions, answers, frame: Vec::new() })
    }

    pub fn answer(&mut self, answer: Answer, content: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
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

/// Ends this process when its parent is gone, even while the library hangs.
pub(crate) fn end_with_the_parent() {
    let parent = parent_id();
    std::thread::spawn(move || {
        while parent_id() == parent {
            std::thread::sleep(Duration::from_secs(1));
        }
        std::process::exit(1);
    });
}
