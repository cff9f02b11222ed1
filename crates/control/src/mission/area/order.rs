//! The location sorter: the order in which cells are visited.

use ironbird_component::Choice;

use super::cells::{Cell, Grid};

/// In which order cells are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Order {
    /// As they stand in the file, or row by row.
    AsGiven,
    /// Row by row along the heading, forth and back; of the four ways to do so, the one that begins
    /// nearest to the start.
    #[default]
    ZigZag,
    /// Always the nearest of those that are left; at first, the one nearest to the start.
    NearestFirst,
}

/// The cells in this order; ties go by number.
pub fn sorted(cells: &[Cell], order: Order, grid: Grid, start: [f64; 2]) -> Vec<Cell> {
    match order {
        Order::AsGiven => cells.to_vec(),
        Order::ZigZag => zig_zag(cells, grid, start),
        Order::NearestFirst => nearest_first(cells, start),
    }
}

fn distance_squared(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (north, east) = (a[0] - b[0], a[1] - b[1]);
    north * north + east * east
}

/// Cells are of one row where they lie within half a cell of each other across the heading.
fn zig_zag(cells: &[Cell], grid: Grid, start: [f64; 2]) -> Vec<Cell> {
    let turned = |cell: &Cell| grid.along_across(cell.place());
    let first = cells.iter().map(|cell| turned(cell)[1]).fold(f64::INFINITY, f64::min);
    let row = |cell: &Cell| ((turned(cell)[1] - first) / grid.size).round();
    let mut by_row = cells.to_vec();
    by_row.sort_by(|a, b| {
        let along = turned(a)[0].total_cmp(&turned(b)[0]);
        row(a).total_cmp(&row(b)).then(along).then(a.number.cmp(&b.number))
    });
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for cell in by_row {
        match rows.last_mut() {
            Some(last) if row(&last[0]) == row(&cell) => last.push(cell),
            _ => rows.push(vec![cell]),
        }
    }
    let way = |last_row_first: bool, back_first: bool| -> Vec<Cell> {
        let mut rows = rows.clone();
        if last_row_first {
            rows.reverse();
        }
        for (number, row) in rows.iter_mut().enumerate() {
            if (number % 2 == 1) != back_first {
                row.reverse();
            }
        }
        rows.into_iter().flatten().collect()
    };
    let ways = [way(false, false), way(false, true), way(true, false), way(true, true)];
    let off =
        |way: &Vec<Cell>| way.first().map_or(0.0, |cell| distance_squared(cell.place(), start));
    let best = ways.into_iter().min_by(|a, b| off(a).total_cmp(&off(b)));
    best.unwrap_or_default()
}

fn nearest_first(cells: &[Cell], start: [f64; 2]) -> Vec<Cell> {
    let mut left = cells.to_vec();
    let mut way = Vec::with_capacity(cells.len());
    let mut here = start;
    while !left.is_empty() {
        let off = |cell: &Cell| distance_squared(cell.place(), here);
        let nearest = (0..left.len())
            .fold(0, |best, n| if off(&left[n]) < off(&left[best]) { n } else { best });
        let next = left.remove(nearest);
        here = next.place();
        way.push(next);
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rows of four, numbered row by row.
    fn cells() -> Vec<Cell> {
        (0..12)
            .map(|n| Cell {
                number: n + 1,
                north: 25.0 + 50.0 * f64::from(n % 4),
                east: 25.0 + 50.0 * f64::from(n / 4),
                height: 0.0,
            })
            .collect()
    }

    fn numbers(order: Order, start: [f64; 2]) -> Vec<u32> {
        let way = sorted(&cells(), order, Grid::new(0.0, 50.0), start);
        way.iter().map(|cell| cell.number).collect()
    }

    #[test]
    fn zig_zag_goes_forth_and_back_from_the_corner_nearest_to_the_start() {
        assert_eq!(numbers(Order::ZigZag, [0.0, 0.0]), [1, 2, 3, 4, 8, 7, 6, 5, 9, 10, 11, 12]);
        assert_eq!(numbers(Order::ZigZag, [500.0, 0.0]), [4, 3, 2, 1, 5, 6, 7, 8, 12, 11, 10, 9]);
        assert_eq!(numbers(Order::ZigZag, [500.0, 500.0]), [12, 11, 10, 9, 5, 6, 7, 8, 4, 3, 2, 1]);
        assert_eq!(numbers(Order::ZigZag, [0.0, 500.0]), [9, 10, 11, 12, 8, 7, 6, 5, 1, 2, 3, 4]);
    }

    #[test]
    fn nearest_first_takes_the_nearest_that_is_left() {
        assert_eq!(numbers(Order::NearestFirst, [0.0, 130.0])[..4], [9, 5, 1, 2]);
    }

    #[test]
    fn every_order_visits_every_cell_once() {
        for order in [Order::AsGiven, Order::ZigZag, Order::NearestFirst] {
            let mut visited = numbers(order, [70.0, 80.0]);
            visited.sort_unstable();
            assert_eq!(visited, (1..=12).collect::<Vec<u32>>());
        }
    }
}
