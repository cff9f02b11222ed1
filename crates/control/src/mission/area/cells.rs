//! The cells of a mission.

use ironbird_kernel::Value;

use super::polygon::Polygon;

/// A place that a mission visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct Cell {
    /// Its number in the file or the grid, from 1.
    pub number: u32,
    /// North of the origin in m.
    pub north: f64,
    /// East of the origin in m.
    pub east: f64,
    /// Height above the origin in m.
    pub height: f64,
}

impl Cell {
    /// North and east.
    pub fn place(&self) -> [f64; 2] {
        [self.north, self.east]
    }
}

/// Squares in rows along a heading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Cosine and sine of the heading.
    direction: [f64; 2],
    /// Length of a side in m.
    pub size: f64,
}

impl Grid {
    pub fn new(heading: f64, size: f64) -> Self {
        let (sine, cosine) = libm::sincos(heading);
        Grid { direction: [cosine, sine], size }
    }

    /// How far along the heading and to starboard of it a place lies.
    pub fn along_across(&self, place: [f64; 2]) -> [f64; 2] {
        let [cosine, sine] = self.direction;
        [place[0] * cosine + place[1] * sine, place[1] * cosine - place[0] * sine]
    }

    /// The corners of the square about a place, one after the other.
    pub fn corners(&self, [north, east]: [f64; 2]) -> [[f64; 2]; 4] {
        let half = 0.5 * self.size;
        [[half, half], [half, -half], [-half, -half], [-half, half]].map(|[along, across]| {
            let [to_north, to_east] = self.place(along, across);
            [north + to_north, east + to_east]
        })
    }

    fn place(&self, along: f64, across: f64) -> [f64; 2] {
        let [cosine, sine] = self.direction;
        [along * cosine - across * sine, along * sine + across * cosine]
    }
}

/// More cells than this nobody means.
const MOST: f64 = 1e6;

/// Cuts an area into squares, from its corner that is last along the heading and farthest to port; a square
/// belongs to it if its middle does.
pub fn cut(area: &Polygon, grid: Grid, height: f64) -> Result<Vec<Cell>, String> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for corner in area.corners() {
        for (axis, x) in grid.along_across(*corner).into_iter().enumerate() {
            low[axis] = low[axis].min(x);
            high[axis] = high[axis].max(x);
        }
    }
    // A side of 200 m that rounding has made longer still has four cells of 50 m.
    let count = |axis: usize| ((high[axis] - low[axis]) / grid.size - 1e-9).ceil().max(1.0);
    let (columns, rows) = (count(0), count(1));
    if columns * rows > MOST {
        let size = grid.size;
        return Err(format!("{columns} x {rows} cells of {size} m; at most {MOST} are made"));
    }
    let mut cells = Vec::new();
    for row in 0..rows as u32 {
        for column in 0..columns as u32 {
            let middle = |axis: usize, n: u32| low[axis] + (f64::from(n) + 0.5) * grid.size;
            let [north, east] = grid.place(middle(0, column), middle(1, row));
            if area.contains([north, east]) {
                cells.push(Cell { number: cells.len() as u32 + 1, north, east, height });
            }
        }
    }
    if cells.is_empty() {
        return Err(format!("no cell of {} m has its middle in this area", grid.size));
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_rectangle_is_cut_along_its_sides() {
        let grid = Grid::new(0.5, 50.0);
        let corner = |along, across| grid.place(along, across);
        let corners = vec![
            corner(100.0, 0.0),
            corner(300.0, 0.0),
            corner(300.0, 150.0),
            corner(100.0, 150.0),
        ];
        let area = Polygon::new(corners).expect("a rectangle");
        let cells = cut(&area, grid, 120.0).expect("cells");
        assert_eq!(cells.len(), 12);
        for (number, cell) in cells.iter().enumerate() {
            let [along, across] = grid.along_across(cell.place());
            let (column, row) = ((number % 4) as f64, (number / 4) as f64);
            assert!((along - (125.0 + 50.0 * column)).abs() < 1e-9);
            assert!((across - (25.0 + 50.0 * row)).abs() < 1e-9);
            assert_eq!((cell.number, cell.height), (number as u32 + 1, 120.0));
        }
    }

    #[test]
    fn half_a_square_has_the_cells_on_its_side() {
        let area = Polygon::new(vec![[0.0, 0.0], [200.0, 0.0], [0.0, 200.0]]).expect("a triangle");
        let cells = cut(&area, Grid::new(0.0, 50.0), 0.0).expect("cells");
        // Middles with north + east < 200: 3 + 2 + 1 in whole, and those on the diagonal are outside.
        assert!(cells.iter().all(|cell| cell.north + cell.east <= 200.0));
        assert!((6..=10).contains(&cells.len()), "{}", cells.len());
    }

    #[test]
    fn an_area_without_a_cell_is_refused() {
        let sliver =
            Polygon::new(vec![[0.0, 0.0], [100.0, 0.0], [100.0, 1.0]]).expect("a triangle");
        let error = cut(&sliver, Grid::new(0.0, 50.0), 0.0).expect_err("nothing");
        assert_eq!(error, "no cell of 50 m has its middle in this area");
        let huge = Polygon::new(vec![[0.0, 0.0], [1e6, 0.0], [1e6, 1e6]]).expect("a triangle");
        let error = cut(&huge, Grid::new(0.0, 50.0), 0.0).expect_err("too many");
        assert_eq!(error, "20000 x 20000 cells of 50 m; at most 1000000 are made");
    }
}
