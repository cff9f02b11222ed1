//! A process of user code: asked and heard with patience, and ended for sure.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

use ironbird_component::InstantiateError;
use ironbird_patience::Patience;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::protocol::{Answer, HEADER, LONGEST, Question, fill, header};

/// A pipe that is ready for writing takes as much at once (PIPE_BUF); most frames are shorter.
const PIECE: usize = 4096;

/// How often, and at what distance, a process that should end is looked at before it is killed.
const LOOKS: u32 = 200;
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// User code that runs.
pub(crate) struct Process {
    child: Child,
    /// `None` once it is to end.
    questions: Option<ChildStdin>,
    answers: ChildStdout,
    /// What it is, for messages: "Python".
    what: &'static str,
    patience: Duration,
    /// Where frames are put together and taken apart.
    buffer: Vec<u8>,
    /// What happened to it, once it cannot be asked any more.
    lost: Option<String>,
    /// Whether it was given up because it did not answer.
    hung: bool,
}

impl Process {
    /// Starts a program.
    pub fn start(mut command: Command, what: &'static str, patience: Duration) -> io::Result<Self> {
        // In a group of its own it does not hear of the Ctrl-C with which a user ends a run.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn()?;
        let ends = child.stdin.take().zip(child.stdout.take());
        let (questions, answers) = ends.ok_or(io::ErrorKind::BrokenPipe)?;
        let (buffer, lost) = (Vec::new(), None);
        let questions = Some(questions);
        Ok(Process { child, questions, answers, what, patience, buffer, lost, hung: false })
    }

    /// The text with which it says that it is ready. User code runs until then already, and may hang.
    pub fn ready(&mut self) -> Result<String, String> {
        let heard = self.hear().and_then(|answer| match answer {
            Answer::Ready => Ok(String::from_utf8_lossy(&self.buffer[HEADER..]).into_owned()),
            _ => Err(self.nonsense()),
        });
        self.or_lost(heard)
    }

    /// Asks, and waits for the content of the answer.
    pub fn ask(
        &mut self,
        question: Question,
        content: impl FnOnce(&mut Vec<u8>),
    ) -> Result<&[u8], String> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        fill(&mut self.buffer, question.tag(), content);
        let expected = match question {
            Question::Step => Answer::Outputs,
            Question::Save => Answer::State,
            Question::Load => Answer::Done,
        };
        let heard = self
            .say()
            .and_then(|()| self.hear())
            .and_then(|answer| if answer == expected { Ok(()) } else { Err(self.nonsense()) });
        self.or_lost(heard)?;
        Ok(&self.buffer[HEADER..])
    }

    /// Remembers what happened: user code that has failed once is not asked again.
    fn or_lost<T>(&mut self, heard: Result<T, String>) -> Result<T, String> {
        if let Err(why) = &heard {
            self.lost = Some(why.clone());
        }
        heard
    }

    /// Sends the frame in the buffer.
    fn say(&mut self) -> Result<(), String> {
        let frame = std::mem::take(&mut self.buffer);
        let mut said = Ok(());
        for piece in frame.chunks(PIECE) {
            let Some(questions) = &mut self.questions else { break };
            // What fits into the pipe at once cannot block: it has taken everything before.
            let patience = || Patience::with(Some(self.child.id()), self.patience);
            if frame.len() > PIECE && !waited(questions, PollFlags::OUT, patience()) {
                said = Err(self.hangs());
                break;
            }
            if questions.write_all(piece).is_err() {
                said = Err(self.ended());
                break;
            }
        }
        self.buffer = frame;
        said
    }

    /// Waits for a frame, which is then in the buffer.
    fn hear(&mut self) -> Result<Answer, String> {
        let mut frame = std::mem::take(&mut self.buffer);
        let heard = self.read_frame(&mut frame);
        self.buffer = frame;
        match heard? {
            Answer::Failed => Err(String::from_utf8_lossy(&self.buffer[HEADER..]).into_owned()),
            answer => Ok(answer),
        }
    }

    fn read_frame(&mut self, frame: &mut Vec<u8>) -> Result<Answer, String> {
        // An answer of a few numbers comes in one piece.
        frame.resize(PIECE, 0);
        let mut filled = 0;
        while filled < HEADER {
            filled += self.read(&mut frame[filled..])?;
        }
        let (tag, length) = header(std::array::from_fn(|i| frame[i]));
        let end = HEADER + length;
        // Nothing follows an answer until the next question.
        let known = Answer::of_tag(tag).filter(|_| length <= LONGEST && filled <= end);
        let Some(answer) = known else { return Err(self.nonsense()) };
        frame.resize(end, 0);
        while filled < end {
            filled += self.read(&mut frame[filled..])?;
        }
        Ok(answer)
    }

    /// Reads at least a byte.
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, String> {
        loop {
            let patience = Patience::with(Some(self.child.id()), self.patience);
            if !waited(&self.answers, PollFlags::IN, patience) {
                return Err(self.hangs());
            }
            match self.answers.read(bytes) {
                Ok(0) => return Err(self.ended()),
                Ok(count) => return Ok(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(self.ended()),
            }
        }
    }

    /// Why it is no component, blamed on its file. If it hangs, that is a failure of it and no mistake in the experiment.
    pub fn refusal(&self, why: String) -> InstantiateError {
        InstantiateError::of("file", why).failure(self.hung)
    }

    fn hangs(&mut self) -> String {
        self.hung = true;
        let _ = self.child.kill();
        let seconds = self.patience.as_secs_f64();
        format!("{} did not answer within {seconds} s of real time (\"patience\")", self.what)
    }

    fn nonsense(&self) -> String {
        format!("{} answered with something that is no answer", self.what)
    }

    /// How it ended, of a process that does not talk any more.
    fn ended(&mut self) -> String {
        let what = self.what;
        match self.end() {
            None => format!("{what} closed its pipe and did not end"),
            Some(status) => match (status.signal(), status.code()) {
                (Some(signal), _) => format!("{what} was ended by {}", signal_name(signal)),
                (None, Some(code)) => format!("{what} ended by itself, with status {code}"),
                (None, None) => format!("{what} ended by itself"),
            },
        }
    }

    /// Waits for the process to end; kills it if it does not. Its status, if it ended by itself.
    fn end(&mut self) -> Option<ExitStatus> {
        self.questions = None;
        for _ in 0..LOOKS {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) => sleep(BETWEEN_LOOKS),
                Err(_) => break,
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        None
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether a pipe is ready, or has been closed, before patience is lost.
fn waited(pipe: &impl std::os::fd::AsFd, flags: PollFlags, mut patience: Patience) -> bool {
    loop {
        let nap = Timespec::try_from(patience.nap()).ok();
        match poll(&mut [PollFd::new(pipe, flags)], nap.as_ref()) {
            Ok(0) if patience.is_over() => return false,
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return true,
            // The read or write that follows says what is wrong.
            Err(_) => return true,
        }
    }
}

/// A signal in words. The numbers are the same on all systems that Ironbird runs on, but for SIGBUS.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        4 => "SIGILL: an illegal instruction",
        6 => "SIGABRT: it aborted",
        7 | 10 => "SIGBUS: a bad address",
        8 => "SIGFPE: an arithmetic error",
        9 => "SIGKILL: it was killed",
        11 => "SIGSEGV: a segmentation fault",
        15 => "SIGTERM: it was terminated",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}
