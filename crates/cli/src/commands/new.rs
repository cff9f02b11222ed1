//! `ironbird new`: begins something of the user's own.

use std::path::{Path, PathBuf};

use ironbird_component::skeleton;

use crate::arguments::{NewArguments, NewComponentArguments, NewWhat};
use crate::failure::Failure;

/// Begins what was asked for.
pub fn new(arguments: &NewArguments) -> Result<u8, Failure> {
    match &arguments.what {
        NewWhat::Component(arguments) => component(arguments),
    }
}
