//! Schedules and guiders as pictures, drawn by ourselves: SVG that needs nothing else, for light and dark paper.

mod axis;
mod chart;
mod gantt;
mod guider_graph;
mod lanes;
mod mermaid;
mod svg;

pub use chart::{Bar, Chart, Due, Lane, Release};
pub use guider_graph::{EdgeKind, edges, guider_svg};
pub use lanes::{of_schedule, of_simulation};
pub use mermaid::guider_mermaid;
pub use svg::escaped;
