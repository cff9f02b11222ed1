//! CSV files with a header that others wrote: columns found by name, through a map where the file has
//! names and units of its own.
//!
//! - [`table`]: quantities in base units, one number each in every line;
//! - [`log`]: series over exact times, with gaps;
//! - [`Rows`]: a file line by line, for those who know their columns only when they see them;
//! - [`ColumnEntry`]: one entry of a map of columns, `Lat as latitude: deg`;
//! - [`decimal`]: times as text, to the picosecond.
//!
//! Lines that begin with `#` and empty lines are passed over, spaces around cells do not count, and
//! columns that nobody asks for are left alone. Errors name the line of the file and the column, both
//! counted from 1.
//!
//! ```
//! use ironbird_tables::table::{Quantity, Table};
//!
//! let file = "# a dive\nz, Note\n250, going down\n";
//! let quantities = [Quantity { name: "depth", unit: "m" }];
//! let table = Table::read(file.as_bytes(), "z as depth: cm", &quantities)?;
//! assert_eq!(table.get("depth"), Some(&[2.5][..]));
//!
//! let error = Table::read(file.as_bytes(), "Z as depth: cm", &quantities).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 2 (header): there is no column \"Z\"; did you mean \"z\"?; there are \"z\", \"Note\""
//! );
//! # Ok::<(), ironbird_tables::TableError>(())
//! ```

mod data_lines;
pub mod decimal;
mod entry;
mod error;
pub mod log;
mod rows;
pub mod table;

pub use entry::{ColumnEntry, EntryError};
pub use error::{CellPlace, TableError};
pub use rows::Rows;
