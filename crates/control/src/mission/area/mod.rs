//! Regions on the ground: the cells of a mission, the order in which they are visited, and where nobody
//! may fly.

mod cells;
mod files;
mod order;
mod polygon;

pub use cells::Cell;
pub(super) use cells::{Grid, cut};
pub(super) use files::{read_area, read_cells, read_zones};
pub use order::Order;
pub(super) use order::sorted;
pub(super) use polygon::Polygon;
