//! User code as components: a Python class or a C library, without Rust.
//!
//! ```text
//!   this process                        a process of the component's own
//!  ┌───────────────────┐    frames     ┌─────────────────────────────────────┐
//!  │ ForeignComponent ─┼──── pipe ────►│ python3, with python/bootstrap.py   │
//!  │     (periodic)    │◄─── pipe ─────┼ or this program again, as a host of │
//!  └───────────────────┘               │ a C library                         │
//!                                      └─────────────────────────────────────┘
//! ```
//!
//! | type | is |
//! |---|---|
//! | [`foreign.python`](python::PythonType) | a class in a Python file |
//! | [`foreign.c`](c_library::LibraryType) | a shared library with the functions of `include/ironbird.h` |
//! | [`foreign.generated-c`](generated_c::GeneratedType) | a model as Simulink generates it: functions and global structs |
//!
//! An exception, a wrong answer, a crash, an end or a hang of user code is a fault of its component, with
//! what happened; the run ends in good order. The process ends with the component, and also if this process
//! is killed.
//!
//! The host of C libraries is the program itself, started again: its `main` begins with
//! [`host_if_asked`]. What cannot do that, as a test, names another program by [`register_with_host`].

#![cfg(unix)]

pub mod c_library;
mod component;
pub mod generated_c;
mod host;
mod parameters;
mod ports;
mod process;
mod protocol;
pub mod python;

use std::path::PathBuf;

use ironbird_component::{Registry, RegistryError};

pub use host::host_if_asked;

/// Adds the types of this crate; the running program is the host of C libraries.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    add_types(registry, None)
}

/// Adds the types of this crate; `host` is a program whose `main` begins with [`host_if_asked`].
pub fn register_with_host(registry: &mut Registry, host: PathBuf) -> Result<(), RegistryError> {
    add_types(registry, Some(host))
}

fn add_types(registry: &mut Registry, host: Option<PathBuf>) -> Result<(), RegistryError> {
    registry.register_type(Box::new(python::PythonType::new()))?;
    registry.register_type(Box::new(c_library::LibraryType::new(host.clone())))?;
    registry.register_type(Box::new(generated_c::GeneratedType::new(host)))
}
