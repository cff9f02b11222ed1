//! The autopilot of an underwater vehicle, on the REMUS 100 with its fins and propeller.

mod closed_loop;
mod holding;
mod messages;
mod missions;
