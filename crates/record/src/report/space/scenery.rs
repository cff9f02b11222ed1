//! What stands around bodies, as lines.

use std::f64::consts::TAU;

use ironbird_component::scenery::{Grid, Ground, Placed, Scenery, Shape};

use super::{Outline, OutlineKind, Space, turned};

/// Lines that a page has at most.
const MOST_OUTLINES: usize = 3_000;
/// Lines over uneven ground in each direction.
const GROUND_LINES: usize = 24;
/// Corners of a circle.
const CORNERS: u32 = 16;

impl Space {
    /// Adds what a component looks like, save for what moves.
    pub(super) fn add(&mut self, scenery: &Scenery) {
        match &scenery.ground {
            Ground::Plane { down } => self.ground = Some(*down),
            Ground::Grid(grid) => self.outline(OutlineKind::Ground, grid_lines(grid)),
            // What is not known, or what no recording holds.
            _ => {}
        }
        if let Some(sea) = scenery.sea {
            self.sea = Some(sea.surface);
            self.ground = self.ground.or(sea.bed);
        }
        for path in &scenery.paths {
            self.outline(OutlineKind::Plan, vec![path.points.clone()]);
        }
        for cell in &scenery.cells {
            let down = self.ground.unwrap_or(0.0);
            let corners = cell.corners.iter().chain(cell.corners.first());
            let points = corners.map(|[north, east]| [*north, *east, down]).collect();
            self.outline(OutlineKind::Plan, vec![points]);
        }
        for placed in &scenery.fixed {
            self.outline(OutlineKind::Fixed, edges(placed));
        }
    }

    fn outline(&mut self, kind: OutlineKind, lines: Vec<Vec<[f64; 3]>>) {
        let room = MOST_OUTLINES.saturating_sub(self.outlines.len());
        self.outlines.extend(lines.into_iter().take(room).map(|points| Outline { kind, points }));
    }
}

/// Some rows and columns of the ground.
fn grid_lines(grid: &Grid) -> Vec<Vec<[f64; 3]>> {
    let (rows, columns) = (grid.rows as usize, grid.columns as usize);
    let point = |row: usize, column: usize| {
        let down = grid.down.get(row * columns + column).copied().map_or(f64::NAN, f64::from);
        let north = grid.first[0] + grid.step[0] * row as f64;
        [north, grid.first[1] + grid.step[1] * column as f64, down]
    };
    let (row_numbers, column_numbers) = (some_of(rows), some_of(columns));
    let along_rows =
        row_numbers.iter().map(|row| column_numbers.iter().map(|c| point(*row, *c)).collect());
    let along_columns = column_numbers
        .iter()
        .map(|column| row_numbers.iter().map(|r| point(*r, *column)).collect());
    along_rows.chain(along_columns).collect()
}

/// At most some numbers below `count`, evenly, with the first and the last.
fn some_of(count: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let lines = last.min(GROUND_LINES);
    (0..=lines).map(|line| line * last / lines.max(1)).filter(|number| *number < count).collect()
}

/// The edges of a form where it stands.
fn edges(placed: &Placed) -> Vec<Vec<[f64; 3]>> {
    let lines = match &placed.shape {
        Shape::Box { size } => box_edges(size.map(|length| -length / 2.0), size.map(|l| l / 2.0)),
        Shape::Sphere { radius } => (0..3).map(|axis| circle(axis, *radius, 0.0)).collect(),
        Shape::Cylinder { radius, length } | Shape::Capsule { radius, length } => {
            tube(*radius, *length)
        }
        Shape::Mesh { points, .. } => box_around(points),
    };
    let place = |point: [f64; 3]| {
        let turned = turned(placed.attitude, point);
        [0, 1, 2].map(|axis| placed.position[axis] + turned[axis])
    };
    lines.into_iter().map(|line| line.into_iter().map(place).collect()).collect()
}

/// Bottom, top, and the four edges between them.
fn box_edges(low: [f64; 3], high: [f64; 3]) -> Vec<Vec<[f64; 3]>> {
    let corner = |number: usize, z: f64| {
        let x = if number % 4 < 2 { low[0] } else { high[0] };
        let y = if (number + 1) % 4 < 2 { low[1] } else { high[1] };
        [x, y, z]
    };
    let ring = |z: f64| (0..5).map(|number| corner(number, z)).collect();
    let upright = (0..4).map(|number| vec![corner(number, low[2]), corner(number, high[2])]);
    [ring(low[2]), ring(high[2])].into_iter().chain(upright).collect()
}

/// The edges of a mesh would hide all else; its box says where it is.
fn box_around(points: &[[f64; 3]]) -> Vec<Vec<[f64; 3]>> {
    let along = |axis: usize| points.iter().map(move |point| point[axis]);
    let low = [0, 1, 2].map(|axis| along(axis).fold(f64::INFINITY, f64::min));
    let high = [0, 1, 2].map(|axis| along(axis).fold(f64::NEG_INFINITY, f64::max));
    if points.is_empty() { Vec::new() } else { box_edges(low, high) }
}

/// A circle around an axis, at a place along it.
fn circle(axis: usize, radius: f64, along: f64) -> Vec<[f64; 3]> {
    let corner = |number: u32| {
        let (sine, cosine) = libm::sincos(TAU * f64::from(number) / f64::from(CORNERS));
        let mut point = [0.0; 3];
        point[axis] = along;
        point[(axis + 1) % 3] = radius * cosine;
        point[(axis + 2) % 3] = radius * sine;
        point
    };
    (0..=CORNERS).map(corner).collect()
}

/// Two circles around z and four lines between them.
fn tube(radius: f64, length: f64) -> Vec<Vec<[f64; 3]>> {
    let ends = [-length / 2.0, length / 2.0];
    let sides = [(radius, 0.0), (0.0, radius), (-radius, 0.0), (0.0, -radius)];
    let circles = ends.map(|z| circle(2, radius, z));
    circles.into_iter().chain(sides.map(|(x, y)| ends.map(|z| [x, y, z]).to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_that_is_turned_has_turned_edges() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let placed = Placed {
            shape: Shape::Box { size: [4.0, 2.0, 6.0] },
            position: [10.0, 20.0, -3.0],
            attitude: [half, 0.0, 0.0, half],
        };
        let points: Vec<[f64; 3]> = edges(&placed).into_iter().flatten().collect();
        let reach = |axis: usize| {
            let along = points.iter().map(|point| point[axis]);
            (along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max))
        };
        let expected = [(9.0, 11.0), (18.0, 22.0), (-6.0, 0.0)];
        for (axis, (low, high)) in expected.into_iter().enumerate() {
            let found = reach(axis);
            assert!(
                (found.0 - low).abs() < 1e-9 && (found.1 - high).abs() < 1e-9,
                "{axis} {found:?}"
            );
        }
    }

    #[test]
    fn uneven_ground_of_any_size_has_few_lines() {
        for (rows, columns) in [(0, 0), (1, 1), (2, 3), (500, 700)] {
            let down = vec![0.0; rows as usize * columns as usize];
            let grid = Grid { rows, columns, first: [0.0; 2], step: [1.0; 2], down };
            let lines = grid_lines(&grid);
            assert!(lines.len() <= 2 * (GROUND_LINES + 1), "{rows} {columns}");
            assert!(lines.iter().flatten().all(|point| point[2] == 0.0), "{rows} {columns}");
        }
    }
}
