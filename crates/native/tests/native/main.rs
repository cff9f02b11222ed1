//! Programs of C in virtual time, seen from outside.

mod ardupilot_json;
mod chips;
mod cleanup;
mod command;
mod copies;
mod debugged;
mod ethernet;
mod faults;
mod flights;
mod helpers;
mod links;
mod mouth;
mod programs;
mod px4;
mod refusals;
mod same_bits;
mod time;
mod transports;
