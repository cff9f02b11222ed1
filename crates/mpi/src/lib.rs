//! The processes of a run as the ranks of an MPI job, on one machine or on many: `mpirun -n 4 ironbird run ...`.
//!
//! ```text
//! mpirun, srun ──► rank 0   Job ──join──► Rank ─┐ nonblocking messages,
//!             ├──► rank 1   Job ──join──► Rank ─┤ received in the order
//!             └──► rank 2   Job ──join──► Rank ─┘ in which they were sent
//! ```
//!
//! [`Started`] reads from the environment whether this process is a rank, without any MPI library. The rest is there
//! with the feature `mpi` only, which needs one.

mod started;

#[cfg(feature = "mpi")]
mod job;
#[cfg(feature = "mpi")]
mod lookout;
#[cfg(feature = "mpi")]
mod pause;
#[cfg(feature = "mpi")]
mod peers;
#[cfg(feature = "mpi")]
mod rank;
#[cfg(feature = "mpi")]
mod requests;

#[cfg(feature = "mpi")]
pub use job::Job;
pub use started::Started;
