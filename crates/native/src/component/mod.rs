//! The component `host.native`.

mod conversation;
mod faults;
mod model;
mod native_type;
mod parameters;
mod ports;
mod serial_line;
mod transfers;
mod wiring;

pub use native_type::NativeType;
