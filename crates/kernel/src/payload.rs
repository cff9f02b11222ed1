//! Large contents of a message (a frame, an image, a packet), shared instead of copied.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Bytes that are written once and then only read. Cloning shares them.
#[derive(Clone, PartialEq, Eq)]
pub struct Payload(Arc<[u8]>);

impl Payload {
    /// Takes over `bytes`.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        Payload(bytes.into())
    }

    /// Whether both are the very same bytes in memory.
    pub fn is_shared_with(&self, other: &Payload) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Default for Payload {
    fn default() -> Self {
        Payload::new([])
    }
}

impl Deref for Payload {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Payload({} bytes)", self.0.len())
    }
}
