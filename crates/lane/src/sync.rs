//! The primitives the crate is built from: std's, or under `--cfg loom` those of the model checker,
//! which tries every order in which threads can run and every value an atomic may return.

#[cfg(loom)]
pub(crate) use loom::{
    cell::UnsafeCell,
    hint::spin_loop,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence},
    },
};

#[cfg(not(loom))]
pub(crate) use std::{
    hint::spin_loop,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence},
    },
};

/// std's cell with loom's interface, which sees where an access begins and ends.
#[cfg(not(loom))]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    #[inline]
    pub(crate) fn with<R>(&self, access: impl FnOnce(*const T) -> R) -> R {
        access(self.0.get())
    }

    #[inline]
    pub(crate) fn with_mut<R>(&self, access: impl FnOnce(*mut T) -> R) -> R {
        access(self.0.get())
    }
}

/// Keeps what one thread writes off the cache lines of another. 128 bytes: x86 fetches lines in
/// pairs of 64, and some ARM cores have lines of 128.
#[repr(align(128))]
pub(crate) struct Padded<T>(pub(crate) T);
