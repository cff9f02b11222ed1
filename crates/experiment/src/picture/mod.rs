//! The system as a picture: components as boxes in the composites they belong to, links as arrows,
//! queries and calls as dashed arrows, faults as lightning.
//!
//! ```text
//! Experiment ─► fold ──► diagram ──┬─► mermaid            text for a web page or an editor
//!               equal    boxes     └─► layout ──► svg     ranks, order, coordinates, routes
//!               elements and arrows
//! ```
//!
//! Elements of an array that have the same shape are drawn as one box. The same experiment gives the
//! same text, byte for byte.

mod coordinates;
mod diagram;
mod faults;
mod fold;
mod gaps;
mod layout;
mod level;
mod mermaid;
mod order;
mod ranks;
mod size;
mod svg;

use crate::Experiment;

/// The system as a Mermaid flow chart.
pub fn mermaid(experiment: &Experiment) -> String {
    mermaid::write(&diagram::Diagram::of(experiment))
}

/// The system as an SVG image that needs nothing else, in light and dark.
pub fn svg(experiment: &Experiment) -> String {
    let diagram = diagram::Diagram::of(experiment);
    svg::write(&diagram, &layout::lay_out(&diagram))
}
