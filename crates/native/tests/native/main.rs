//! Programs of C in virtual time, seen from outside.

mod chips;
mod cleanup;
mod command;
mod faults;
mod links;
mod programs;
mod refusals;
mod same_bits;
mod time;
