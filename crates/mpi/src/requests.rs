//! Nonblocking messages that own their buffers: the only place where MPI's functions are called with pointers.
//!
//! Sends are *synchronous* (`MPI_Issend`): one is done when its receiver has begun to take it, so a receiver that is slow
//! is noticed by its sender, and nothing is under way when all are done. They do not block for that.
//!
//! MPI may write to, or read from, a buffer until its request is done. A request that is given up before keeps its
//! buffer for ever, which costs memory in a job that is about to end.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::mem::{MaybeUninit, forget};

use mpi::ffi::{
    MPI_Comm, MPI_Get_count, MPI_Irecv, MPI_Issend, MPI_Request, MPI_Status, MPI_Test,
    MPI_Testsome, RSMPI_ANY_TAG, RSMPI_REQUEST_NULL, RSMPI_STATUS_IGNORE, RSMPI_UINT8_T,
};

/// A way between all ranks. The communicator that it was made of outlives it.
#[derive(Clone, Copy)]
pub struct Way(MPI_Comm);

// SAFETY: a handle, not the thing itself. MPI was initialised for calls from any thread, one at a time (`job.rs`), and
// who has a `Way` makes its calls one after the other: `Carrier` promises that they come from one thread.
unsafe impl Send for Way {}
// SAFETY: as above; nothing can be done with a reference to a handle but to copy it.
unsafe impl Sync for Way {}

/// A message that is on its way to another rank.
pub struct Sending {
    request: MPI_Request,
    message: Vec<u8>,
}

// SAFETY: as for `Way`.
unsafe impl Send for Sending {}

impl Sending {
    /// Sends a message of a kind, which is not negative.
    pub fn start(way: Way, to: usize, kind: c_int, message: Vec<u8>) -> Self {
        // SAFETY: both are constants of the library, which was initialised before there was a `Way`.
        let (mut request, byte) = unsafe { (RSMPI_REQUEST_NULL, RSMPI_UINT8_T) };
        let (start, length) = (message.as_ptr().cast::<c_void>(), message.len() as c_int);
        // SAFETY: the buffer is owned by this value, not changed, and not freed before the request is done. Errors end
        // the job: that is MPI's default.
        unsafe { MPI_Issend(start, length, byte, to as c_int, kind, way.0, &mut request) };
        Sending { request, message }
    }

    /// The buffer, if it is not needed any more.
    pub fn finish(mut self) -> Result<Vec<u8>, Self> {
        let mut done = 0;
        // SAFETY: the request is active, or was found to be done and is null, which counts as done.
        unsafe { MPI_Test(&mut self.request, &mut done, RSMPI_STATUS_IGNORE) };
        if done != 0 { Ok(std::mem::take(&mut self.message)) } else { Err(self) }
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        // SAFETY: a constant of the library.
        if self.request != unsafe { RSMPI_REQUEST_NULL } {
            forget(std::mem::take(&mut self.message));
        }
    }
}

/// One receive for each other rank that may still send.
pub struct Receiving {
    way: Way,
    requests: Vec<MPI_Request>,
    buffers: Vec<Vec<u8>>,
    done: Vec<c_int>,
    statuses: Vec<MaybeUninit<MPI_Status>>,
}

// SAFETY: as for `Way`.
unsafe impl Send for Receiving {}

/// A message that has arrived.
pub struct Arrived {
    pub from: usize,
    pub kind: c_int,
    pub length: usize,
}

impl Receiving {
    /// From so many ranks; none is listened to yet.
    pub fn new(way: Way, count: usize) -> Self {
        // SAFETY: a constant of the library.
        let none = unsafe { RSMPI_REQUEST_NULL };
        Receiving {
            way,
            requests: vec![none; count],
            buffers: vec![Vec::new(); count],
            done: vec![0; count],
            statuses: (0..count).map(|_| MaybeUninit::uninit()).collect(),
        }
    }

    /// Listens for the next message of a rank, of any kind and at most so long. What was received from it before is gone.
    pub fn listen(&mut self, from: usize, longest: usize) {
        // SAFETY: a constant of the library.
        assert!(self.requests[from] == unsafe { RSMPI_REQUEST_NULL }, "one receive at a time");
        self.buffers[from].resize(longest, 0);
        let start = self.buffers[from].as_mut_ptr().cast::<c_void>();
        let (length, request) = (longest as c_int, &mut self.requests[from]);
        // SAFETY: the buffer is `longest` bytes long, and neither read, moved nor freed before the request is done.
        unsafe {
            let byte = RSMPI_UINT8_T;
            MPI_Irecv(start, length, byte, from as c_int, RSMPI_ANY_TAG, self.way.0, request)
        };
    }

    /// Adds the messages that have arrived from those who were listened to.
    pub fn poll(&mut self, arrived: &mut impl Extend<Arrived>) {
        let mut many: c_int = 0;
        let (count, requests) = (self.requests.len() as c_int, self.requests.as_mut_ptr());
        let (done, statuses) = (self.done.as_mut_ptr(), self.statuses.as_mut_ptr().cast());
        // SAFETY: all three arrays are `count` long. Requests that are done become null and are passed over.
        unsafe { MPI_Testsome(count, requests, &mut many, done, statuses) };
        // Undefined, which is negative, if nobody is listened to.
        for at in 0..usize::try_from(many).unwrap_or(0) {
            // SAFETY: MPI has written the statuses of those that are done.
            let status = unsafe { self.statuses[at].assume_init_ref() };
            let mut length: c_int = 0;
            // SAFETY: a status of a receive of bytes.
            unsafe { MPI_Get_count(status, RSMPI_UINT8_T, &mut length) };
            let from = self.done[at] as usize;
            let length = usize::try_from(length).unwrap_or(0).min(self.buffers[from].len());
            arrived.extend([Arrived { from, kind: status.MPI_TAG, length }]);
        }
    }

    /// What has arrived.
    pub fn message(&self, arrived: &Arrived) -> &[u8] {
        &self.buffers[arrived.from][..arrived.length]
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        for (request, buffer) in self.requests.iter().zip(&mut self.buffers) {
            // SAFETY: a constant of the library.
            if *request != unsafe { RSMPI_REQUEST_NULL } {
                forget(std::mem::take(buffer));
            }
        }
    }
}

impl Way {
    /// Of a communicator that is never freed before the last use of this.
    pub fn new(communicator: &impl mpi::raw::AsRaw<Raw = MPI_Comm>) -> Self {
        Way(communicator.as_raw())
    }
}
