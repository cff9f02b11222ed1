//! Where a vehicle is beside a straight leg, seen from above.

/// A straight way from one place to the next in the horizontal, and where a vehicle is beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track {
    /// Cosine and sine of the course.
    pub direction: [f64; 2],
    pub length: f64,
    /// How far along it, and how far to starboard.
    pub along: f64,
    pub across: f64,
}

impl Track {
    /// `None` for a way without a direction.
    pub fn new(from: [f64; 2], to: [f64; 2], position: [f64; 3]) -> Option<Self> {
        let (north, east) = (to[0] - from[0], to[1] - from[1]);
        let length = libm::hypot(north, east);
        let direction = [north / length, east / length];
        let (x, y) = (position[0] - from[0], position[1] - from[1]);
        let along = x * direction[0] + y * direction[1];
        let across = y * direction[0] - x * direction[1];
        (length > 0.0).then_some(Track { direction, length, along, across })
    }

    /// How far it is to the end.
    pub fn left(&self) -> f64 {
        libm::hypot(self.length - self.along, self.across)
    }

    /// Which part of the way is behind, from 0 to 1.
    pub fn part(&self) -> f64 {
        (self.along / self.length).clamp(0.0, 1.0)
    }
}
