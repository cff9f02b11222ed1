//! The live view, seen from outside: the program that users start, and clients that speak its protocol.

mod client;
mod crowd;
mod driven;
mod live;
mod program;
mod recorded;
mod safety;
