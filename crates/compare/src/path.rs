//! How far two paths are apart, in the order in which they were flown.
//!
//! The nearest point anywhere would be too kind: a path that crosses itself or is flown in laps has near
//! points that belong to other times. So the two are first matched in order: of all ways to walk along both
//! without ever going back, the one with the least sum of squared distances (dynamic time warping, H. Sakoe
//! and S. Chiba, IEEE Transactions on Acoustics, Speech and Signal Processing 26 (1978)), where the two may
//! be apart by a limited time only. The walk ends when one of them ends. The distance of a point is then that
//! to the piece of the other path that it was matched with.

/// A place: north, east.
pub(crate) type Point = [f64; 2];

/// Distances of matched points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Distances {
    /// Number of the point of the first path, and its distance to the second.
    pub first: Vec<(usize, f64)>,
    /// The distance of a point of the second path to the first, by the point there that it was matched with.
    pub second: Vec<(usize, f64)>,
}

/// Which step led to a cell.
const BOTH: u8 = 0;
const FIRST: u8 = 1;
const SECOND: u8 = 2;
const NONE: u8 = 3;

/// Matches two paths of equal steps in time; at most `band` steps may lie between matched points.
pub(crate) fn distances(first: &[Point], second: &[Point], band: usize) -> Distances {
    if first.is_empty() || second.is_empty() {
        return Distances::default();
    }
    let pairs = matched(first, second, band.max(first.len().abs_diff(second.len()) + 1));
    let ranges = |pairs: &[(usize, usize)], count: usize| {
        let mut ranges: Vec<Option<(usize, usize)>> = vec![None; count];
        for &(i, j) in pairs {
            let range = ranges[i].get_or_insert((j, j));
            *range = (range.0.min(j), range.1.max(j));
        }
        ranges
    };
    let swapped: Vec<(usize, usize)> = pairs.iter().map(|&(i, j)| (j, i)).collect();
    let to_second = ranges(&pairs, first.len()).into_iter().enumerate();
    let to_second = to_second.filter_map(|(i, range)| {
        let (low, high) = range?;
        Some((i, to_piece(first[i], second, low, high)))
    });
    let to_first = ranges(&swapped, second.len()).into_iter().enumerate();
    let to_first = to_first.filter_map(|(j, range)| {
        let (low, high) = range?;
        Some(((low + high) / 2, to_piece(second[j], first, low, high)))
    });
    Distances { first: to_second.collect(), second: to_first.collect() }
}

/// Pairs of points in order.
fn matched(first: &[Point], second: &[Point], band: usize) -> Vec<(usize, usize)> {
    let (rows, columns) = (first.len(), second.len());
    let width = 2 * band + 1;
    let mut came = vec![NONE; rows * width];
    let mut before = vec![f64::INFINITY; width];
    let mut best = (f64::INFINITY, 0, 0);
    for i in 0..rows {
        let mut row = vec![f64::INFINITY; width];
        for place in 0..width {
            let Some(j) = (i + place).checked_sub(band).filter(|j| *j < columns) else { continue };
            // In the row before, the same column lies one place further.
            let choices = [
                (before[place], BOTH),
                (before.get(place + 1).copied().unwrap_or(f64::INFINITY), FIRST),
                (if place > 0 { row[place - 1] } else { f64::INFINITY }, SECOND),
            ];
            let least = choices.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
            let (cost, step) = match (i, j) {
                (0, 0) => (0.0, NONE),
                _ => least.unwrap_or((f64::INFINITY, NONE)),
            };
            let [x, y] = [first[i][0] - second[j][0], first[i][1] - second[j][1]];
            row[place] = cost + x * x + y * y;
            came[i * width + place] = step;
            if i + 1 == rows || j + 1 == columns {
                let mean = row[place] / (i + j + 2) as f64;
                if mean < best.0 {
                    best = (mean, i, j);
                }
            }
        }
        before = row;
    }
    let (_, mut i, mut j) = best;
    let mut pairs = vec![(i, j)];
    while (i, j) != (0, 0) {
        match came[i * width + j + band - i] {
            BOTH => (i, j) = (i - 1, j - 1),
            FIRST => i -= 1,
            SECOND => j -= 1,
            _ => break,
        }
        pairs.push((i, j));
    }
    pairs.reverse();
    pairs
}

/// The distance of a point to the points `low` to `high` of a path and the lines beside them.
fn to_piece(point: Point, path: &[Point], low: usize, high: usize) -> f64 {
    let (from, until) = (low.saturating_sub(1), (high + 1).min(path.len() - 1));
    let mut least = distance(point, path[low]);
    for place in from..until {
        least = least.min(to_line(point, path[place], path[place + 1]));
    }
    least
}

fn to_line(point: Point, start: Point, end: Point) -> f64 {
    let along = [end[0] - start[0], end[1] - start[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    if length == 0.0 {
        return distance(point, start);
    }
    let to = [point[0] - start[0], point[1] - start[1]];
    let part = ((to[0] * along[0] + to[1] * along[1]) / length).clamp(0.0, 1.0);
    distance(point, [start[0] + part * along[0], start[1] + part * along[1]])
}

fn distance(a: Point, b: Point) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(distances: &Distances) -> f64 {
        let all = distances.first.iter().chain(&distances.second);
        all.map(|(_, distance)| *distance).fold(0.0, f64::max)
    }

    /// A circle of 50 m at 10 m/s and 10 Hz.
    fn circle(steps: usize, lag: f64, radius: f64) -> Vec<Point> {
        let angle = |step: usize| (step as f64 - lag) * 0.02;
        (0..steps).map(|s| [radius * libm::sin(angle(s)), radius * libm::cos(angle(s))]).collect()
    }

    #[test]
    fn a_delay_along_the_same_path_is_no_distance_but_at_its_start() {
        let (flown, late) = (circle(800, 0.0, 50.0), circle(800, 8.0, 50.0));
        let distances = distances(&flown, &late, 100);
        let later = distances.first.iter().filter(|(place, _)| *place > 20);
        let most = later.map(|(_, distance)| *distance).fold(0.0, f64::max);
        assert!(most < 0.05, "{most}");
    }

    #[test]
    fn a_wider_circle_is_as_far_away_as_it_is_wider() {
        let distances = distances(&circle(800, 0.0, 50.0), &circle(800, 0.0, 53.0), 100);
        assert!((most(&distances) - 3.0).abs() < 0.05, "{}", most(&distances));
    }

    #[test]
    fn another_lap_is_not_near_though_it_passes_the_same_place() {
        // There and back on one line: the far end is not left out.
        let there = |far: f64| -> Vec<Point> {
            let place = |s: usize| if s < 100 { s as f64 } else { 200.0 - s as f64 };
            (0..200).map(|s| [place(s) * far, 0.0]).collect()
        };
        let short = distances(&there(1.0), &there(0.8), 100);
        assert!((most(&short) - 20.0).abs() < 1.0, "{}", most(&short));
    }

    #[test]
    fn what_one_path_has_more_at_its_end_is_not_compared() {
        let line = |steps: usize, speed: f64| -> Vec<Point> {
            (0..steps).map(|s| [s as f64 * speed, 0.0]).collect()
        };
        let distances = distances(&line(100, 1.0), &line(100, 0.9), 50);
        assert!(most(&distances) < 1.0, "{}", most(&distances));
        assert!(distances.first.len() < 95);
    }
}
