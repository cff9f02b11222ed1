//! Fewer points that look the same: of each narrow span the lowest and the highest stay, so that no peak
//! is lost.

use super::axis::is_drawable;

/// About two of `points` for each of `spans`. A number that cannot be drawn stays as a gap.
pub(super) fn decimate(points: &[(f64, f64)], spans: usize) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> =
        points.iter().filter(|point| is_drawable(point.0)).copied().collect();
    if points.len() <= 2 * spans {
        return points;
    }
    let (first, last) = (points[0].0, points[points.len() - 1].0);
    let span_of = |time: f64| {
        let fraction = (time - first) / (last - first);
        // A float that is not a number becomes zero.
        ((fraction * spans as f64) as usize).min(spans - 1)
    };
    let mut kept = vec![points[0]];
    for span in points.chunk_by(|a, b| span_of(a.0) == span_of(b.0)) {
        kept.extend(extremes(span));
    }
    kept.push(points[points.len() - 1]);
    kept
}

/// The lowest and the highest of `points`, and the first that cannot be drawn, in their order.
pub(super) fn extremes(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let finite = points.iter().enumerate().filter(|(_, point)| is_drawable(point.1));
    let order = |a: &(usize, &(f64, f64)), b: &(usize, &(f64, f64))| a.1.1.total_cmp(&b.1.1);
    let lowest = finite.clone().min_by(order).map(|(place, _)| place);
    let highest = finite.max_by(order).map(|(place, _)| place);
    let gap = points.iter().position(|point| !is_drawable(point.1));
    let mut places: Vec<usize> = [lowest, highest, gap].into_iter().flatten().collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().map(|place| points[place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_peak_among_many_points_stays() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|k| (f64::from(k), 0.0)).collect();
        points[54_321].1 = 9.0;
        points[54_322].1 = -7.0;
        points[60_000].1 = f64::NAN;
        let kept = decimate(&points, 500);
        assert!(kept.len() <= 1_100, "{}", kept.len());
        assert!(kept.contains(&(54_321.0, 9.0)));
        assert!(kept.contains(&(54_322.0, -7.0)));
        assert!(kept.iter().any(|point| point.1.is_nan()));
        assert!(kept.is_sorted_by(|a, b| a.0 <= b.0));
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[99_999]));
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = [(0.0, 1.0), (1.0, 2.0)];
        assert_eq!(decimate(&points, 500), points);
    }
}
