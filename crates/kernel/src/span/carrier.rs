//! How bytes get from one process of a span to another. The kernel knows neither shared memory nor
//! MPI: whoever knows them implements [`Carrier`].

use std::time::Duration;

/// What a process knows of a peer that it cannot rely on any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("process {process} {trouble}")]
pub struct CarrierError {
    /// Number of the process; the own one if it is this end that broke.
    pub process: usize,
    /// What happened.
    pub trouble: Trouble,
}

/// What may happen to a process, as seen from another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// It has ended, or the way to it is broken.
    #[error("is gone: {0}")]
    Died(String),
    /// It is there and gives no sign of life.
    #[error("hangs: {0}")]
    Hangs(String),
    /// It sends what no process of this span would.
    #[error("sent nonsense: {0}")]
    Nonsense(String),
}

/// One process's end of what joins the processes 0, 1 … of a span: messages of bytes, each delivered
/// once, whole, and in the order in which its sender sent them.
///
/// All calls come from one thread. None but [`wait`](Carrier::wait) may block.
pub trait Carrier: Send {
    /// The length of the longest message that can be sent, at least 64 bytes. What is longer is
    /// cut before it is sent.
    fn longest(&self) -> usize {
        usize::MAX
    }

    /// Sends a message to process `to`. `false` if there is no room now; nothing was sent then.
    ///
    /// # Errors
    /// If the receiver is gone.
    fn try_send(&mut self, to: usize, message: &[u8]) -> Result<bool, CarrierError>;

    /// Puts the next message into `message`, whose contents are replaced, and says who sent it; `None`
    /// if none has arrived.
    ///
    /// # Errors
    /// Once for each peer that is gone, and after all that it sent has been received. Later calls go
    /// on with the others.
    fn try_receive(&mut self, message: &mut Vec<u8>) -> Result<Option<usize>, CarrierError>;

    /// Waits until something may have arrived, or there may be room again for what was refused; not
    /// longer than `timeout`. May return early. Spins first where that is worth it.
    fn wait(&mut self, timeout: Duration);
}
