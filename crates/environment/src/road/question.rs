//! What a road is asked, and what it answers.

/// What a road is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RoadQuestion {
    /// Which point of the lane is nearest to a place.
    Nearest {
        /// The place in m: north, east.
        place: [f64; 2],
        /// Where along the lane to look, in m, where that is known: the answer to the question before.
        near: Option<f64>,
    },
    /// Which point of the lane is this far along it, in m.
    Along(f64),
}

/// A point of the middle of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoadAnswer {
    /// How far along the lane, in m.
    pub distance: f64,
    /// The point in m: north, east.
    pub place: [f64; 2],
    /// Where the lane leads there, in rad from north to east.
    pub heading: f64,
    /// Curvature in 1/m, positive where it turns to starboard.
    pub curvature: f64,
    /// How far the place of the question is to starboard of it, in m; 0 for `Along`.
    pub offset: f64,
    /// Width of the lane in m.
    pub width: f64,
}
