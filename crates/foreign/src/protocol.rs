//! What crosses the pipes: frames of a tag, a length and content, all numbers little-endian.
//!
//! ```text
//! offset  0    1           5
//!         tag  length u32  content
//! ```
//!
//! | tag | from | content | answer |
//! |---|---|---|---|
//! | | | | `Ready` or `Failed`, once, at the start |
//! | `s` | us | the time in seconds, then the numbers of all inputs, as f64 | `Outputs` |
//! | `v` | us | nothing | `State` |
//! | `l` | us | what `State` held | `Done` |
//!
//! `python/bootstrap.py` knows these letters, too.

/// What this process asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Step,
    Save,
    Load,
}

/// What user code answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Its ports, as text.
    Ready,
    /// The numbers of all outputs.
    Outputs,
    /// Bytes.
    State,
    Done,
    /// Why it cannot go on, as text.
    Failed,
}

pub(crate) const HEADER: usize = 5;

/// A longer frame is no frame: something else writes to the pipe.
pub(crate) const LONGEST: usize = 1 << 28;

impl Question {
    pub fn tag(self) -> u8 {
        match self {
            Question::Step => b's',
            Question::Save => b'v',
            Question::Load => b'l',
        }
    }

    pub fn of_tag(tag: u8) -> Option<Self> {
        [Question::Step, Question::Save, Question::Load].into_iter().find(|q| q.tag() == tag)
    }
}

impl Answer {
    pub fn tag(self) -> u8 {
        match self {
            Answer::Ready => b'r',
            Answer::Outputs => b'o',
            Answer::State => b'b',
            Answer::Done => b'd',
            Answer::Failed => b'f',
        }
    }

    pub fn of_tag(tag: u8) -> Option<Self> {
        let all = [Answer::Ready, Answer::Outputs, Answer::State, Answer::Done, Answer::Failed];
        all.into_iter().find(|answer| answer.tag() == tag)
    }
}

/// Writes a frame over what `buffer` held.
pub(crate) fn fill(buffer: &mut Vec<u8>, tag: u8, content: impl FnOnce(&mut Vec<u8>)) {
    buffer.clear();
    buffer.extend([tag, 0, 0, 0, 0]);
    content(buffer);
    let length = (buffer.len() - HEADER) as u32;
    buffer[1..HEADER].copy_from_slice(&length.to_le_bytes());
}

/// The tag and the length of the content.
pub(crate) fn header(bytes: [u8; HEADER]) -> (u8, usize) {
    let [tag, length @ ..] = bytes;
    (tag, u32::from_le_bytes(length) as usize)
}

/// Appends numbers.
pub(crate) fn put(buffer: &mut Vec<u8>, numbers: &[f64]) {
    buffer.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
}

/// The numbers of a content; what is left over is no number.
pub(crate) fn numbers(content: &[u8]) -> impl ExactSizeIterator<Item = f64> {
    let (numbers, _) = content.as_chunks();
    numbers.iter().map(|bytes| f64::from_le_bytes(*bytes))
}
