//! What goes over the sockets of a program.

use ironbird_kernel::{Payload, Value};

/// A datagram (UDP) between a program and the simulation.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct Datagram {
    /// The port of the side that does not run the program: where the program sends to, or hears from.
    pub remote_port: u16,
    /// What it carries.
    pub bytes: Payload,
}

/// Bytes of a connection (TCP), in order; how they are cut into pieces means nothing.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct StreamBytes {
    /// The bytes.
    pub bytes: Payload,
}
