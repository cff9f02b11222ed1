//! The peers: other people's engines, and the bare data structures no engine can beat.

pub mod barrier;
pub mod binaryheap;
pub mod dyn_loop;
pub mod hand_written;
pub mod jsbsim;
pub mod mcap_crate;
pub mod mosaik;
pub mod mujoco;
pub mod nexosim;
mod python;
pub mod rvsim_crate;
pub mod simso;
pub mod spin_c;
pub mod xdevs;
