//! The view in the browser.
//!
//! ```text
//!   run ── sights ──► LiveView ──► Server ──► pages
//!       ◄── wishes ──                ▲
//!   recording ──► RecordedView ──────┘
//! ```
//!
//! A [`Server`] serves one page and, over a WebSocket, what it shows. [`LiveView`] is the audience of a run: it is shown how
//! things are between two stretches, and hands on what people ask for. [`RecordedView`] is a recording. What travels is in
//! [`protocol`], described in the book.

mod accept;
mod client;
mod drawn;
mod graph;
mod live;
mod message;
mod page;
pub mod protocol;
mod recorded;
mod server;
mod signals;
mod thinned;

pub use graph::graph_of;
pub use live::LiveView;
pub use page::missing as missing_page;
pub use recorded::RecordedView;
pub use server::{ServeError, Server, Show};
