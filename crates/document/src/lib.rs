//! TOML files with the place of every key and value, and problems that point into them.
//!
//! A base for all that read files which people write: experiments, aircraft, mission controllers. It
//! knows none of them.
//!
//! ```
//! use std::sync::Arc;
//! use ironbird_document::{Source, parse};
//!
//! let text = "mass = \"2 kg\"".to_owned();
//! let source = Arc::new(Source { name: "plane.toml".into(), folder: ".".into(), text });
//! let file = parse(&source)?;
//! let mass = file.table()?.get("mass").expect("it is there");
//! assert_eq!(mass.text()?, "2 kg");
//! assert_eq!(mass.place.to_string(), "plane.toml:1");
//! # Ok::<(), ironbird_document::Problem>(())
//! ```

mod parse;
mod problem;
mod tree;

pub use parse::{parse, parse_value};
pub use problem::{Details, Place, Problem, Problems, Source};
pub use tree::{Data, Entry, Item, Table};
