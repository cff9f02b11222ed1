//! The lines of a file that hold data, and which lines of the file they are.

use std::io::{self, BufRead, Read};

/// Passes over comments and empty lines, but not inside of a quoted cell that goes over lines. All lines end with a line feed, whatever ends them in the file.
pub(crate) struct DataLines<R> {
    input: R,
    /// Lines of the file, and lines passed on so far.
    seen: u64,
    kept: u64,
    /// From which line that is passed on which lines of the file follow on each other.
    runs: Vec<(u64, u64)>,
    /// The current line, and how much of it was handed out.
    line: Vec<u8>,
    given: usize,
    after_return: bool,
    /// Whether the lines so far end inside of a quoted cell.
    in_quotes: bool,
}

impl<R: BufRead> DataLines<R> {
    pub fn new(input: R) -> Self {
        let (runs, line) = (Vec::new(), Vec::new());
        DataLines {
            input,
            seen: 0,
            kept: 0,
            runs,
            line,
            given: 0,
            after_return: false,
            in_quotes: false,
        }
    }

    /// The line of the file that was passed on as this one; both count from 1.
    pub fn line_of(&self, kept: u64) -> u64 {
        let run = self.runs.partition_point(|(first, _)| *first <= kept).checked_sub(1);
        run.map_or(1, |run| self.runs[run].1 + (kept - self.runs[run].0))
    }

    /// Goes to the next line with data; false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        loop {
            if !self.read_line()? {
                return Ok(false);
            }
            let text = self.line.trim_ascii();
            if !self.in_quotes && (text.is_empty() || text[0] == b'#') {
                continue;
            }
            self.in_quotes = ends_in_quotes(self.in_quotes, &self.line);
            self.kept += 1;
            let follows =
                self.runs.last().is_some_and(|(kept, seen)| self.seen - seen == self.kept - kept);
            if !follows {
                self.runs.push((self.kept, self.seen));
            }
            self.line.push(b'\n');
            return Ok(true);
        }
    }

    /// Reads a line without its end: a line feed, a carriage return, or both.
    fn read_line(&mut self) -> io::Result<bool> {
        (self.given, self.seen) = (0, self.seen + 1);
        self.line.clear();
        let mut is_any = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            let Some(first) = buffer.first() else { break };
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                self.input.consume(1);
                continue;
            }
            is_any = true;
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.line.extend_from_slice(&buffer[..end.unwrap_or(buffer.len())]);
            self.after_return = end.is_some_and(|end| buffer[end] == b'\r');
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        if self.seen == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(is_any)
    }
}

/// Whether a line ends inside of a quoted cell, if it begins so or not. A quote opens a cell only at its
/// very beginning; inside, two of them stand for one.
fn ends_in_quotes(begins_in_quotes: bool, line: &[u8]) -> bool {
    let (mut in_quotes, mut is_first) = (begins_in_quotes, !begins_in_quotes);
    let mut bytes = line.iter().peekable();
    while let Some(byte) = bytes.next() {
        in_quotes = match byte {
            b'"' if in_quotes => bytes.next_if_eq(&&b'"').is_some(),
            b'"' => is_first,
            _ => in_quotes,
        };
        is_first = *byte == b',' && !in_quotes;
    }
    in_quotes
}

impl<R: BufRead> Read for DataLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < buffer.len() {
            if self.given == self.line.len() && !self.advance()? {
                self.line.clear();
                self.given = 0;
                break;
            }
            let rest = &self.line[self.given..];
            let count = rest.len().min(buffer.len() - written);
            buffer[written..written + count].copy_from_slice(&rest[..count]);
            (written, self.given) = (written + count, self.given + count);
        }
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is passed on, and the lines it stands on.
    fn kept(text: &str) -> (String, Vec<u64>) {
        // A buffer of three bytes, so that lines and their ends are torn.
        let mut lines = DataLines::new(io::BufReader::with_capacity(3, text.as_bytes()));
        let mut all = String::new();
        lines.read_to_string(&mut all).unwrap();
        let numbers = (1..=all.lines().count() as u64).map(|kept| lines.line_of(kept)).collect();
        (all, numbers)
    }

    #[test]
    fn lines_keep_their_numbers_whatever_is_passed_over() {
        let (text, lines) = kept("# a\n\nx,y\n1,2\n  # b\n \t\n3,4\n5,6");
        assert_eq!((text.as_str(), lines), ("x,y\n1,2\n3,4\n5,6\n", vec![3, 4, 7, 8]));
    }

    #[test]
    fn what_is_quoted_is_no_comment() {
        let text = "a,\"b \"\"\n# c\n\n\"\"\",d\n# e \"\nf \"g,\n# h\ni\n";
        let expected = "a,\"b \"\"\n# c\n\n\"\"\",d\nf \"g,\ni\n";
        assert_eq!(kept(text), (expected.into(), vec![1, 2, 3, 4, 6, 8]));
    }

    #[test]
    fn lines_may_end_in_any_way() {
        assert_eq!(kept("\u{feff}a\r\n\r\nb\r\n"), ("a\nb\n".into(), vec![1, 3]));
        assert_eq!(kept("# a\rb\r\rc"), ("b\nc\n".into(), vec![2, 4]));
        assert_eq!(kept("\n\n"), (String::new(), vec![]));
    }
}
