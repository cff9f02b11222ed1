//! Series of numbers that stay short and lose no extreme.

use crate::protocol::Point;

/// Points of a series; when there are too many, two neighbours become one that spans both.
#[derive(Clone, Debug, Default)]
pub struct Thinned {
    points: Vec<Point>,
    /// How many values a point stands for, and how many are in the last.
    each: usize,
    last: usize,
}

impl Thinned {
    /// Adds a value; there are at most `most` points, which is even.
    pub fn add(&mut self, time: f64, value: f64, most: usize) {
        if self.each == 0 {
            self.each = 1;
        }
        if let Some(point) = self.points.last_mut().filter(|_| self.last < self.each) {
            point.least = point.least.min(value);
            point.most = point.most.max(value);
            self.last += 1;
            return;
        }
        if self.points.len() >= most {
            self.points = self.points.chunks(2).map(join).collect();
            self.each *= 2;
        }
        self.points.push(Point { time, least: value, most: value });
        self.last = 1;
    }

    /// The points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The points; none are left.
    pub fn take(&mut self) -> Vec<Point> {
        std::mem::take(self).points
    }
}

fn join(points: &[Point]) -> Point {
    points.iter().skip(1).fold(points[0], |joined, point| Point {
        least: joined.least.min(point.least),
        most: joined.most.max(point.most),
        ..joined
    })
}

/// Thins values between two times to `most` points.
pub fn thin(times: &[f64], values: &[f64], (from, to): (f64, f64), most: usize) -> Vec<Point> {
    // One more on either side, so that lines reach the edges.
    let first = times.partition_point(|time| *time < from).saturating_sub(1);
    let end = (times.partition_point(|time| *time <= to) + 1).min(times.len()).max(first);
    let each = (end - first).div_ceil(most.max(1)).max(1);
    let chunks = times[first..end].chunks(each).zip(values[first..end].chunks(each));
    chunks
        .map(|(times, values)| Point {
            time: times[0],
            // What is no number counts where there is nothing else.
            least: values.iter().copied().fold(f64::NAN, f64::min),
            most: values.iter().copied().fold(f64::NAN, f64::max),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_series_keeps_its_extremes_and_stays_short() {
        let mut thinned = Thinned::default();
        for number in 0..10_000 {
            let value = if number == 7777 { 99.0 } else { f64::from(number % 3) };
            thinned.add(f64::from(number), value, 100);
        }
        let points = thinned.points();
        assert!(points.len() <= 100, "{}", points.len());
        assert_eq!(points.iter().map(|point| point.most).fold(0.0, f64::max), 99.0);
        assert!(points.windows(2).all(|pair| pair[0].time < pair[1].time));
        assert_eq!(points[0].time, 0.0);
    }

    #[test]
    fn a_window_of_a_series_reaches_its_edges() {
        let times: Vec<f64> = (0..100).map(f64::from).collect();
        let points = thin(&times, &times, (10.5, 20.5), 1000);
        assert_eq!((points[0].time, points.last().unwrap().time), (10.0, 21.0));
        let points = thin(&times, &times, (0.0, 99.0), 10);
        assert_eq!((points.len(), points[9].most), (10, 99.0));
        assert!(thin(&[], &[], (0.0, 1.0), 10).is_empty());
        let gap = [1.0, f64::NAN, f64::NAN, f64::NAN];
        let points = thin(&times[..4], &gap, (0.0, 3.0), 2);
        assert!((points[0].least, points[0].most) == (1.0, 1.0) && points[1].most.is_nan());
    }
}
