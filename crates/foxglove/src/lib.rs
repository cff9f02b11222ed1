//! A run for people who have Foxglove: it connects to the run while it goes on.
//!
//! ```text
//!   run ── sights, values ──► FoxgloveView ── ws://127.0.0.1:8765 ──► Foxglove
//!       ◄────── wishes ──────              ◄────── parameters ───────
//! ```
//!
//! [`FoxgloveView`] is the audience of a run. What it shows has the topics, the schemas and the fields that a recording of
//! the run has, so one layout of Foxglove serves both:
//!
//! | topic | schema | how often |
//! |---|---|---|
//! | `/tf` | `foxglove.FrameTransform` | at every sight of the run |
//! | `/scene` | `foxglove.SceneUpdate` | when a client asks for it, and every few seconds |
//! | `/…/points` | `foxglove.PointCloud` | when it has changed |
//! | `/log` | `foxglove.Log` | when something happens |
//! | `/room/temperature`, … | that of the output, as JSON | at every value that is recorded |
//!
//! Time is that of the simulation. Nobody waits for a client: what one does not take in time, it does not get. Parameters
//! that can be changed while a run goes on are parameters in Foxglove, too; clients may change them where the run was
//! started so, and with the token in its address.

mod address;
mod door;
mod drawn;
mod parameters;
mod request;
mod topics;
mod values;
mod view;

pub use address::{BadAddress, DEFAULT_PORT, address};
pub use view::{FoxgloveView, ServeError};
