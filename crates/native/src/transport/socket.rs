//! Frames over a socket, each behind its length.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use ironbird_native_shim::protocol::MAX_FRAME;
use ironbird_patience::Patience;

use super::{LOOK, Line, Silence, Transport};

/// A socket to a program.
pub struct Stream {
    own: UnixStream,
    /// The other end, until the program has it.
    of_program: Option<UnixStream>,
    frame: Vec<u8>,
}

impl Stream {
    /// A new one.
    ///
    /// # Errors
    /// If there is none.
    pub fn new() -> io::Result<Self> {
        let (own, of_program) = UnixStream::pair()?;
        own.set_read_timeout(Some(LOOK))?;
        own.set_write_timeout(Some(Duration::from_secs(10)))?;
        Ok(Stream { own, of_program: Some(of_program), frame: Vec::new() })
    }

    /// Fills `bytes`.
    fn fill(
        &mut self,
        bytes: &mut [u8],
        patience: &mut Patience,
        look: &dyn Fn() -> Result<(), Silence>,
    ) -> Result<(), Silence> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.own.read(&mut bytes[filled..]) {
                Ok(0) => return Err(Silence::Ended),
                Ok(count) => filled += count,
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                        look()?;
                        if patience.is_over() {
                            return Err(Silence::TooLong);
                        }
                    }
                    _ => return Err(Silence::Ended),
                },
            }
        }
        Ok(())
    }
}

impl Line for Stream {
    fn name(&self) -> String {
        format!("socket:{}", self.of_program.as_ref().unwrap_or(&self.own).as_raw_fd())
    }

    fn inherited(&self) -> Vec<BorrowedFd<'_>> {
        self.of_program.iter().map(AsFd::as_fd).collect()
    }

    fn started(&mut self) {
        // With no other end here its own end is heard.
        self.of_program = None;
    }
}

impl Transport for Stream {
    fn send(&mut self, frame: &[u8]) -> Result<(), Silence> {
        if frame.len() > MAX_FRAME {
            let length = frame.len();
            return Err(Silence::Broken(format!("a frame of {length} bytes is too long for it")));
        }
        self.frame.clear();
        self.frame.extend_from_slice(&(frame.len() as u32).to_le_bytes());
        self.frame.extend_from_slice(frame);
        self.own.write_all(&self.frame).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Silence::TooLong,
            _ => Silence::Ended,
        })
    }

    fn receive(
        &mut self,
        answer: &mut Vec<u8>,
        patience: &dyn Fn() -> Patience,
        look: &dyn Fn() -> Result<(), Silence>,
    ) -> Result<(), Silence> {
        let mut patience = patience();
        let mut length = [0; 4];
        self.fill(&mut length, &mut patience, look)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_FRAME {
            return Err(Silence::Broken(format!("it sent a frame of {length} bytes")));
        }
        answer.resize(length, 0);
        self.fill(answer, &mut patience, look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_goes_behind_its_length() {
        let mut stream = Stream::new().unwrap();
        let mut other = stream.of_program.take().unwrap();
        stream.send(b"go on").unwrap();
        let mut heard = [0; 9];
        other.read_exact(&mut heard).unwrap();
        assert_eq!(&heard, b"\x05\0\0\0go on");
        other.write_all(b"\x04\0\0\0done").unwrap();
        let mut frame = Vec::new();
        let second = || Patience::new(Duration::from_secs(1));
        stream.receive(&mut frame, &second, &|| Ok(())).unwrap();
        assert_eq!(frame, b"done");
        drop(other);
        let heard = stream.receive(&mut frame, &second, &|| Ok(()));
        assert_eq!(heard, Err(Silence::Ended));
    }

    #[test]
    fn who_says_nothing_is_waited_for_as_long_as_patience_lasts() {
        let mut stream = Stream::new().unwrap();
        let patience = || Patience::new(Duration::from_millis(30));
        let heard = stream.receive(&mut Vec::new(), &patience, &|| Ok(()));
        assert_eq!(heard, Err(Silence::TooLong));
    }
}
