//! Components with links, against peers on threads of this process.
#![cfg(unix)]

mod beacon;
mod faults;
mod net;
mod peer;
mod physical;
mod python;
mod refusals;
