//! The functions and global structs of a generated model. With the calls of `foreign.c`, the only file of
//! this crate with `unsafe`: what a library does wrong behind it, or a description says wrongly of it,
//! happens in the process of the host.
#![allow(unsafe_code)]

use std::path::Path;

use libloading::Library;

type Function = unsafe extern "C" fn();

/// A loaded model.
pub(super) struct Loaded {
    library: Library,
    file: String,
}

/// A function of a model that takes and returns nothing.
#[derive(Clone, Copy)]
pub(super) struct Call(Function);

/// A global struct of a model.
pub(super) struct Global {
    address: *mut u8,
    size: usize,
}

impl Loaded {
    /// Loads a library.
    pub fn load(file: &Path) -> Result<Self, String> {
        let shown = file.display().to_string();
        // SAFETY: its initialisers are the user's code, and run in a process that is there for that.
        let library = unsafe { Library::new(file) }.map_err(|error| {
            let source = std::error::Error::source(&error);
            let why = source.map_or_else(|| error.to_string(), ToString::to_string);
            format!("\"{shown}\" is no library: {why}")
        })?;
        Ok(Loaded { library, file: shown })
    }

    /// A function by name.
    pub fn function(&self, name: &str) -> Result<Call, String> {
        // SAFETY: the description promises a function without arguments and result.
        let found = unsafe { self.library.get::<Function>(name.as_bytes()) };
        let missing = |_| format!("\"{}\" has no function {name}", self.file);
        found.map(|function| Call(*function)).map_err(missing)
    }

    /// A global struct by name, of this size.
    pub fn global(&self, name: &str, size: usize) -> Result<Global, String> {
        // SAFETY: only the address is taken here.
        let found = unsafe { self.library.get::<*mut u8>(name.as_bytes()) };
        let missing = |_| {
            format!(
                "\"{}\" has no variable {name}: is it static, or optimised away by the generator?",
                self.file
            )
        };
        let address = found.map(|variable| *variable).map_err(missing)?;
        Ok(Global { address, size })
    }
}

impl Call {
    /// Calls it.
    pub fn call(self) {
        // SAFETY: the library stays loaded as long as the process; the rest is promised by the user.
        unsafe { (self.0)() }
    }
}

impl Global {
    /// The bytes as they are.
    pub fn read(&self, bytes: &mut Vec<u8>) {
        bytes.resize(self.size, 0);
        // SAFETY: the description promises that the struct has this size.
        unsafe { std::ptr::copy_nonoverlapping(self.address, bytes.as_mut_ptr(), self.size) }
    }

    /// Writes the bytes; there must be as many as it has.
    pub fn write(&self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.size, "the bytes of the whole struct");
        // SAFETY: the description promises that the struct has this size and is no constant.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.address, self.size) }
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        self.size
    }
}
