//! Source files of new component types: written from a description in TOML, and written anew when the
//! description has changed, without losing what a user wrote into them.
//!
//! ```text
//! radiator.component.toml ──► Description ──┐
//!                                           ├──► radiator.rs
//! radiator.rs, if there is one ──► regions ─┘
//! ```
//!
//! What stands between `// ironbird: your code <name>` and `// ironbird: end` belongs to the user and
//! stays as it is; everything else is written by [`generate`].

mod body;
mod description;
mod entries;
mod generate;
mod names;
mod parse;
mod project;
mod regions;
mod value;

pub use description::{
    Description, InputPort, Kind, OutputPort, Query, Required, Service, Setting, Stream,
};
pub use entries::DescriptionError;
pub use generate::generate;
pub use project::{project, starter};
pub use regions::RegionError;
pub use value::{RustType, RustValue};
