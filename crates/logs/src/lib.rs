//! Flight logs, whoever wrote them, as columns of numbers over time.
//!
//! ```text
//! flight.csv, flight.csv.gz ─┐
//! flight.ulg    (PX4 ULog)  ─┼─► Log ──series("ATT.Roll", …)──► times and numbers
//! flight.bin (ArduPilot)    ─┘
//! ```
//!
//! | file | a column is called |
//! |---|---|
//! | CSV | as in the header |
//! | ULog | `vehicle_attitude[0].q[1]`: topic, instance, field; `[0]` may be left out |
//! | DataFlash | `ATT.Roll`, and `IMU[1].GyrX` for messages that have an instance |
//!
//! A CSV file has one column of time; in the other two every message has its own. A file that ends in the
//! middle, or has a gap with garbage, is read as far as it makes sense, and [`Log::damage`] says what was
//! left out.

mod dataflash;
mod error;
mod fields;
mod log;
mod records;
mod ulog;

pub use error::LogError;
pub use ironbird_tables::log::{LogStart, Series, TimeUnit};
pub use log::{Column, Format, Log, TimeColumn};
