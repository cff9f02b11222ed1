//! A raster between the centres of its pixels, with its slope.
//!
//! Bilinear: continuous, with slopes that jump at every pixel. Bicubic (Catmull-Rom): through every
//! pixel, with a continuous slope. Every pixel has a value f and slopes
//!
//! ```text
//! f_x = (f(+1) - f(-1)) / 2,  or f(+1) - f or f - f(-1) where a neighbour is missing, or 0
//! ```
//!
//! and f_y, f_xy alike; between four pixels it is the bicubic Hermite polynomial of these. As every cell
//! takes the same slopes of a pixel, the surface stays continuous with its slope beside gaps too.

use super::Raster;

/// A value and its slope along a row (per column) and along a column (per row).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::sea) struct Patch {
    pub value: f64,
    pub by_column: f64,
    pub by_row: f64,
}

/// What is known at a place.
pub(in crate::sea) enum Found {
    Patch(Patch),
    /// The place is outside the centres of the outermost pixels.
    Outside,
    /// One of the pixels around it, of which this is the first row and column, has no data.
    NoData(usize, usize),
}

impl Raster {
    /// The surface at columns `x` and rows `y` from the centre of the first pixel.
    pub(in crate::sea) fn surface(&self, x: f64, y: f64, smooth: bool, hold: bool) -> Found {
        let (Some(column), Some(row)) = (cell(x, self.columns, hold), cell(y, self.rows, hold))
        else {
            return Found::Outside;
        };
        let mut patch = if smooth { self.bicubic(row, column) } else { self.bilinear(row, column) };
        if patch.value.is_nan() {
            return Found::NoData(row.0, column.0);
        }
        // What is held does not change.
        if !(0.0..=(self.columns - 1) as f64).contains(&x) {
            patch.by_column = 0.0;
        }
        if !(0.0..=(self.rows - 1) as f64).contains(&y) {
            patch.by_row = 0.0;
        }
        Found::Patch(patch)
    }

    fn bilinear(&self, (row, y): (usize, f64), (column, x): (usize, f64)) -> Patch {
        let first = row * self.columns + column;
        let second = first + self.columns;
        let [a, b] = [self.values[first], self.values[first + 1]];
        let [c, d] = [self.values[second], self.values[second + 1]];
        let (upper, lower) = (a + x * (b - a), c + x * (d - c));
        Patch {
            value: upper + y * (lower - upper),
            by_column: (1.0 - y) * (b - a) + y * (d - c),
            by_row: lower - upper,
        }
    }

    fn bicubic(&self, (row, y): (usize, f64), (column, x): (usize, f64)) -> Patch {
        // The pixels around: not a number outside of the raster.
        let mut f = [[f64::NAN; 4]; 4];
        for (i, line) in f.iter_mut().enumerate() {
            let Some(row) = (row + i).checked_sub(1).filter(|&row| row < self.rows) else {
                continue;
            };
            for (j, value) in line.iter_mut().enumerate() {
                let column = (column + j).checked_sub(1).filter(|&column| column < self.columns);
                if let Some(column) = column {
                    *value = self.values[row * self.columns + column];
                }
            }
        }
        // In every row, the value and the slope along the row of the two inner pixels, then the cubic
        // through them at x, and its derivative by x.
        let (along_x, along_dx) = (hermite(x), hermite_slope(x));
        let mut values = [0.0; 4];
        let mut slopes = [0.0; 4];
        // The columns of the inner pixels: value and slope, row by row.
        let inner = f.map(|line| {
            [line[1], line[2], slope(line[0], line[1], line[2]), slope(line[1], line[2], line[3])]
        });
        for part in 0..4 {
            let column = inner.map(|line| line[part]);
            let rises =
                [slope(column[0], column[1], column[2]), slope(column[1], column[2], column[3])];
            let nodes = [column[1], column[2], rises[0], rises[1]];
            values[part] = dot(hermite(y), nodes);
            slopes[part] = dot(hermite_slope(y), nodes);
        }
        Patch {
            value: dot(along_x, values),
            by_column: dot(along_dx, values),
            by_row: dot(along_x, slopes),
        }
    }
}

/// The interval between two of `count` points, two at least, in which a place lies, and where in it.
fn cell(x: f64, count: usize, hold: bool) -> Option<(usize, f64)> {
    let last = (count - 1) as f64;
    if (0.0..=last).contains(&x) {
        let index = (x as usize).min(count - 2);
        return Some((index, x - index as f64));
    }
    hold.then_some(if x < 0.0 { (0, 0.0) } else { (count - 2, 1.0) })
}

/// The slope of a pixel between its neighbours.
fn slope(before: f64, here: f64, after: f64) -> f64 {
    match (before.is_nan(), after.is_nan()) {
        // Not a number if the pixel itself is none.
        (false, false) => 0.5 * (after - before) + 0.0 * here,
        (true, false) => after - here,
        (false, true) => here - before,
        (true, true) => 0.0 * here,
    }
}

/// Weights of the values and slopes at 0 and 1 (in the order value, value, slope, slope) at t.
fn hermite(t: f64) -> [f64; 4] {
    let (s, u) = (t * t, 1.0 - t);
    [(1.0 + 2.0 * t) * u * u, s * (3.0 - 2.0 * t), t * u * u, -s * u]
}

/// Their derivatives.
fn hermite_slope(t: f64) -> [f64; 4] {
    let u = 1.0 - t;
    [-6.0 * t * u, 6.0 * t * u, u * (1.0 - 3.0 * t), t * (3.0 * t - 2.0)]
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}
