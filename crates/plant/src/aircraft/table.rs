//! Tables of one or two axes with linear interpolation.
//!
//! ```text
//! one axis    f(x)    = f_i + (x - x_i) (f_{i+1} - f_i) / (x_{i+1} - x_i)
//! two axes    f(x, y) = f_ij + a s_x + b s_y + a b s_xy,     a = x - x_i, b = y - y_j
//! ```
//!
//! Both are continuous; their slopes jump at the points of an axis.

use ironbird_component::Unit;
use ironbird_solvers::Number;

/// What happens beyond the first and last point of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edge {
    /// The value at the edge.
    #[default]
    Hold,
    /// The straight line of the last two points goes on.
    Extrapolate,
    /// The run ends: a value beyond the edge is not a number.
    Fail,
}

/// The points of one axis, in ascending order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    points: Vec<f64>,
    /// 1 / distance of the points, where that is the same for all: no search is needed.
    density: Option<f64>,
}

/// A place on an axis: which interval, and how far into it.
struct Position<N> {
    interval: usize,
    inside: N,
}

/// Why points cannot be an axis: the position of the culprit, and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisError {
    /// The index of the point.
    pub at: usize,
    /// What is wrong.
    pub what: String,
}

impl Axis {
    /// An axis through these points in base units.
    pub fn new(points: Vec<f64>) -> Result<Self, AxisError> {
        Axis::in_unit(points, &Unit::none())
    }

    /// An axis through these points.
    pub fn in_unit(points: Vec<f64>, unit: &Unit) -> Result<Self, AxisError> {
        if points.len() < 2 {
            let what = format!("has {} points: it needs at least two", points.len());
            return Err(AxisError { at: 0, what });
        }
        if let Some(at) = points.iter().position(|point| !point.is_finite()) {
            return Err(AxisError { at, what: format!("has {} on it: not a number", points[at]) });
        }
        if let Some(at) = points.windows(2).position(|pair| pair[0] >= pair[1]) {
            let (one, next) = (points[at], points[at + 1]);
            let unit = if unit.is_none() { String::new() } else { format!(" {}", unit.name()) };
            let what = format!("goes from {one} to {next}{unit}: its points must ascend");
            return Err(AxisError { at: at + 1, what });
        }
        let points: Vec<f64> = points.into_iter().map(|point| unit.to_base(point)).collect();
        let first = points[1] - points[0];
        let is_even =
            points.windows(2).all(|pair| (pair[1] - pair[0] - first).abs() < 1e-9 * first);
        let density = is_even.then(|| 1.0 / first);
        Ok(Axis { points, density })
    }

    /// The points.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    #[inline]
    fn place<N: Number>(&self, x: N, edge: Edge) -> Position<N> {
        let (value, last) = (x.value(), self.points.len() - 1);
        let (low, high) = (self.points[0], self.points[last]);
        let x = match edge {
            Edge::Extrapolate => x,
            Edge::Hold if value < low => N::constant(low),
            Edge::Hold if value > high => N::constant(high),
            Edge::Fail if !(low..=high).contains(&value) => N::constant(f64::NAN),
            _ => x,
        };
        let value = x.value();
        let interval = match self.density {
            // The conversion saturates: what lies below the first point is in the first interval.
            Some(density) => (((value - low) * density) as usize).min(last - 1),
            None => {
                let above = self.points[1..last].partition_point(|point| *point <= value);
                above.min(last - 1)
            }
        };
        Position { interval, inside: x - self.points[interval] }
    }
}

/// A function of one or two variables.
#[derive(Clone, Debug, PartialEq)]
pub enum Table {
    /// One axis.
    Line(Line),
    /// Two axes.
    Grid(Grid),
}

/// A table of one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    axis: Axis,
    edge: Edge,
    /// Value and slope of each interval.
    intervals: Vec<[f64; 2]>,
}

/// A table of two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    rows: Axis,
    columns: Axis,
    edge: Edge,
    /// f, s_x, s_y and s_xy of each cell, row by row.
    cells: Vec<[f64; 4]>,
}

impl Line {
    /// A table with one value for each point.
    pub fn new(axis: Axis, values: &[f64], edge: Edge) -> Self {
        let slopes = axis.points.windows(2).zip(values.windows(2));
        let intervals = slopes.map(|(x, f)| [f[0], (f[1] - f[0]) / (x[1] - x[0])]).collect();
        Line { axis, edge, intervals }
    }

    /// The value at `x`.
    #[inline]
    pub fn at<N: Number>(&self, x: N) -> N {
        let Position { interval, inside } = self.axis.place(x, self.edge);
        let [value, slope] = self.intervals[interval];
        inside * slope + value
    }
}

impl Grid {
    /// A table with the values of one row after the other.
    pub fn new(rows: Axis, columns: Axis, values: &[Vec<f64>], edge: Edge) -> Self {
        let mut cells = Vec::new();
        for (x, pair) in rows.points.windows(2).zip(values.windows(2)) {
            for (j, y) in columns.points.windows(2).enumerate() {
                let (dx, dy) = (x[1] - x[0], y[1] - y[0]);
                let [near, far] = [&pair[0], &pair[1]].map(|row| [row[j], row[j + 1]]);
                let along = (far[0] - near[0]) / dx;
                let across = (near[1] - near[0]) / dy;
                let twist = (far[1] - far[0] - near[1] + near[0]) / (dx * dy);
                cells.push([near[0], along, across, twist]);
            }
        }
        Grid { rows, columns, edge, cells }
    }

    /// The value at row `x` and column `y`.
    #[inline]
    pub fn at<N: Number>(&self, x: N, y: N) -> N {
        let row = self.rows.place(x, self.edge);
        let column = self.columns.place(y, self.edge);
        let width = self.columns.points.len() - 1;
        let [value, along, across, twist] = self.cells[row.interval * width + column.interval];
        row.inside * (column.inside * twist + along) + column.inside * across + value
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Edge, Grid, Line};

    fn axis(points: &[f64]) -> Axis {
        Axis::new(points.to_vec()).unwrap()
    }

    #[test]
    fn a_line_goes_through_its_points_and_straight_between_them() {
        for points in [[0.0, 1.0, 2.0], [0.0, 1.0, 4.0]] {
            let line = Line::new(axis(&points), &[5.0, 7.0, 1.0], Edge::Hold);
            for (x, expected) in points.iter().zip([5.0, 7.0, 1.0]) {
                assert!((line.at(*x) - expected).abs() < 1e-12);
            }
            assert!((line.at(0.25) - 5.5).abs() < 1e-12);
            assert!((line.at(0.5 * (points[1] + points[2])) - 4.0).abs() < 1e-12);
        }
    }

    #[test]
    fn beyond_the_edge_happens_what_the_user_chose() {
        let at = |edge, x| Line::new(axis(&[0.0, 1.0, 3.0]), &[0.0, 1.0, 5.0], edge).at(x);
        assert_eq!((at(Edge::Hold, -2.0), at(Edge::Hold, 9.0)), (0.0, 5.0));
        assert_eq!((at(Edge::Extrapolate, -2.0), at(Edge::Extrapolate, 4.0)), (-2.0, 7.0));
        assert!(at(Edge::Fail, -1e-9).is_nan() && at(Edge::Fail, 3.1).is_nan());
        assert_eq!(at(Edge::Fail, 3.0), 5.0);
    }

    #[test]
    fn a_grid_reproduces_a_bilinear_function_everywhere() {
        let f = |x: f64, y: f64| 2.0 + 3.0 * x - y + 0.5 * x * y;
        let (xs, ys) = ([-1.0, 0.0, 2.0], [0.0, 1.0, 2.0, 5.0]);
        let values: Vec<Vec<f64>> =
            xs.iter().map(|x| ys.iter().map(|y| f(*x, *y)).collect()).collect();
        let grid = Grid::new(axis(&xs), axis(&ys), &values, Edge::Hold);
        for (x, y) in [(-1.0, 0.0), (-0.3, 1.7), (0.0, 3.0), (1.9, 4.9), (2.0, 5.0)] {
            assert!((grid.at(x, y) - f(x, y)).abs() < 1e-12, "{x} {y}");
        }
    }

    #[test]
    fn points_that_do_not_ascend_are_refused_with_their_place() {
        let error = Axis::new(vec![0.0, 2.0, 1.0]).unwrap_err();
        assert_eq!((error.at, error.what.contains("from 2 to 1")), (2, true));
        assert_eq!(Axis::new(vec![0.0, f64::NAN]).unwrap_err().at, 1);
        assert!(Axis::new(vec![0.0]).unwrap_err().what.contains("at least two"));
    }
}
