//! What lies below.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What lies below.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Ground {
    /// Nothing that is known.
    #[default]
    None,
    /// A level plane.
    Plane {
        /// Where it is.
        down: f64,
    },
    /// Heights over a rectangle.
    Grid(Grid),
    /// Known everywhere. Whoever knows where something moves makes a grid of it.
    #[serde(skip)]
    Surface(Surface),
}

/// Heights over a rectangle; rows go north, columns east.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// How many rows.
    pub rows: u32,
    /// How many columns.
    pub columns: u32,
    /// North and east of the first point.
    pub first: [f64; 2],
    /// Between two rows, and between two columns.
    pub step: [f64; 2],
    /// Down, row after row.
    pub down: Vec<f32>,
}

/// How far down the ground is at each place.
#[derive(Clone)]
pub struct Surface(Arc<DownAt>);

type DownAt = dyn Fn(f64, f64) -> Option<f64> + Send + Sync;

/// Points along each side of a grid that is made of a surface.
const POINTS: u32 = 49;

impl Surface {
    /// From what is down at a place, north and east, where that is known.
    pub fn new(down: impl Fn(f64, f64) -> Option<f64> + Send + Sync + 'static) -> Self {
        Surface(Arc::new(down))
    }

    /// Down at a place.
    pub fn down(&self, north: f64, east: f64) -> Option<f64> {
        (self.0)(north, east).filter(|down| down.is_finite())
    }

    /// The surface over a rectangle between two corners; none where nothing of it is known. Where it is not known, it
    /// is as deep as where it is deepest.
    pub fn grid(&self, [south, west]: [f64; 2], [north, east]: [f64; 2]) -> Option<Grid> {
        let step = [north - south, east - west].map(|side| side / f64::from(POINTS - 1));
        let places = (0..POINTS).flat_map(|row| (0..POINTS).map(move |column| (row, column)));
        let found: Vec<Option<f64>> = places
            .map(|(row, column)| {
                self.down(south + step[0] * f64::from(row), west + step[1] * f64::from(column))
            })
            .collect();
        let deepest = found.iter().flatten().copied().reduce(f64::max)?;
        let down = found.into_iter().map(|down| down.unwrap_or(deepest) as f32).collect();
        Some(Grid { rows: POINTS, columns: POINTS, first: [south, west], step, down })
    }
}

impl fmt::Debug for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Surface")
    }
}

impl PartialEq for Surface {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A sea.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sea {
    /// Where its surface is, down.
    pub surface: f64,
    /// Where its bed is, down, if that is known.
    pub bed: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_becomes_a_grid_over_a_rectangle() {
        let slope = Surface::new(|north, east| (east >= 0.0).then_some(10.0 + north));
        let grid = slope.grid([0.0, -48.0], [48.0, 48.0]).unwrap();
        assert_eq!((grid.rows, grid.columns, grid.step), (49, 49, [1.0, 2.0]));
        // Known in the east; in the west as deep as it gets.
        assert_eq!((grid.down[48], grid.down[49 * 48 + 48]), (10.0, 58.0));
        assert_eq!((grid.down[0], grid.down[49 * 48]), (58.0, 58.0));
        assert_eq!(Surface::new(|_, _| None).grid([0.0; 2], [1.0; 2]), None);
    }
}
