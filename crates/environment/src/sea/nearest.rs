//! For every cell of a grid the nearest cell that is known.
//!
//! The exact Euclidean distance transform of Felzenszwalb and Huttenlocher (Theory of Computing 8,
//! 2012): along every column the nearest known row, then along every row the lower envelope of the
//! parabolas (x - x')² + d(x')². Its effort is linear in the number of cells.

/// The number of the nearest known cell of each cell, by distance with cells of this height and width;
/// `None` if no cell is known.
pub(super) fn nearest_known(
    known: &[bool],
    columns: usize,
    [height, width]: [f64; 2],
) -> Option<Vec<u32>> {
    if columns == 0 || !known.contains(&true) {
        return None;
    }
    let rows = known.len() / columns;
    let along = nearest_rows(known, rows, columns);
    let mut nearest = vec![0; known.len()];
    let mut envelope = Envelope::default();
    for row in 0..rows {
        envelope.clear();
        for column in 0..columns {
            if let Some(other) = along[row * columns + column] {
                let off = height * (row as f64 - f64::from(other));
                envelope.add(Parabola {
                    at: width * column as f64,
                    low: off * off,
                    cell: other * columns as u32 + column as u32,
                });
            }
        }
        for column in 0..columns {
            nearest[row * columns + column] = envelope.lowest(width * column as f64)?;
        }
    }
    Some(nearest)
}

/// For every cell the nearest row in which its column is known.
fn nearest_rows(known: &[bool], rows: usize, columns: usize) -> Vec<Option<u32>> {
    let mut nearest: Vec<Option<u32>> = vec![None; known.len()];
    for column in 0..columns {
        let mut last: Option<u32> = None;
        for row in 0..rows {
            let cell = row * columns + column;
            last = if known[cell] { Some(row as u32) } else { last };
            nearest[cell] = last;
        }
        let mut next: Option<u32> = None;
        for row in (0..rows).rev() {
            let cell = row * columns + column;
            next = if known[cell] { Some(row as u32) } else { next };
            nearest[cell] = match (nearest[cell], next) {
                (Some(above), Some(below)) if below - (row as u32) < row as u32 - above => {
                    Some(below)
                }
                (Some(above), _) => Some(above),
                (None, below) => below,
            };
        }
    }
    nearest
}

#[derive(Clone, Copy)]
struct Parabola {
    at: f64,
    low: f64,
    cell: u32,
}

/// The lower envelope of parabolas added from left to right.
#[derive(Default)]
struct Envelope {
    /// Each with where it begins to be the lowest.
    parts: Vec<(f64, Parabola)>,
    next: usize,
}

impl Envelope {
    fn clear(&mut self) {
        self.parts.clear();
        self.next = 0;
    }

    fn add(&mut self, new: Parabola) {
        while let Some((from, last)) = self.parts.last() {
            let meet = (new.low + new.at * new.at - last.low - last.at * last.at)
                / (2.0 * (new.at - last.at));
            if meet > *from {
                self.parts.push((meet, new));
                return;
            }
            self.parts.pop();
        }
        self.parts.push((f64::NEG_INFINITY, new));
    }

    /// The lowest at `x`, which must not go back between two calls.
    fn lowest(&mut self, x: f64) -> Option<u32> {
        while self.parts.get(self.next + 1).is_some_and(|(from, _)| *from < x) {
            self.next += 1;
        }
        self.parts.get(self.next).map(|(_, parabola)| parabola.cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_a_search_over_all_cells_finds() {
        let (rows, columns, size) = (17usize, 23usize, [2.0, 3.0]);
        let mut seed = 7u64;
        for density in [2, 20, 200] {
            let known: Vec<bool> = (0..rows * columns)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 33).is_multiple_of(density)
                })
                .collect();
            let Some(found) = nearest_known(&known, columns, size) else {
                assert!(!known.contains(&true));
                continue;
            };
            let distance = |a: usize, b: usize| {
                let dy = size[0] * ((a / columns) as f64 - (b / columns) as f64);
                let dx = size[1] * ((a % columns) as f64 - (b % columns) as f64);
                dy * dy + dx * dx
            };
            for cell in 0..known.len() {
                let all = (0..known.len()).filter(|&other| known[other]);
                let best = all.map(|other| distance(cell, other)).fold(f64::INFINITY, f64::min);
                assert!(known[found[cell] as usize]);
                assert_eq!(distance(cell, found[cell] as usize), best, "cell {cell}");
            }
        }
    }

    #[test]
    fn where_nothing_is_known_there_is_no_nearest() {
        assert_eq!(nearest_known(&[false; 6], 3, [1.0, 1.0]), None);
    }
}
