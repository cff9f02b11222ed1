//! Curves and tracks of any length in bounded room, thinned while they are read.

use super::decimate::extremes;

/// Points of a curve or a track that are kept, at most: some times as many as are drawn.
const MOST: usize = 1 << 14;
/// Points of a span that are looked at together.
const TOGETHER: usize = 64;

/// A curve. Where there is no room for all of its points, the lowest and the highest of each few stay, the first gap, and
/// both ends.
#[derive(Clone, Debug, Default)]
pub struct Thinned {
    points: Vec<(f64, f64)>,
    /// What is left of the present span, and how many points it has had.
    span: Vec<(f64, f64)>,
    seen: usize,
    /// How often there was no room: of each span of 2^(halved + 1) points about two are kept.
    halved: u32,
    last: Option<(f64, f64)>,
}

impl Thinned {
    /// The next point.
    pub fn push(&mut self, time: f64, number: f64) {
        let point = (time, number);
        self.last = Some(point);
        if self.halved == 0 {
            self.points.push(point);
        } else {
            self.span.push(point);
            self.seen += 1;
            let is_over = self.seen >> (self.halved + 1) > 0;
            if is_over || self.span.len() >= TOGETHER {
                self.span = extremes(&self.span);
            }
            if is_over {
                self.points.append(&mut self.span);
                self.seen = 0;
            }
        }
        if self.points.len() >= MOST {
            let (first, rest) = (self.points[0], self.points[1..].chunks(4));
            let mut fewer = vec![first];
            rest.for_each(|few| fewer.extend(extremes(few)));
            self.points = fewer;
            self.halved += 1;
        }
    }

    /// What is left of the curve.
    pub fn into_points(mut self) -> Vec<(f64, f64)> {
        self.points.append(&mut extremes(&self.span));
        let bits = |point: &(f64, f64)| (point.0.to_bits(), point.1.to_bits());
        if let Some(last) = self.last
            && self.points.last().map(bits) != Some(bits(&last))
        {
            self.points.push(last);
        }
        self.points
    }
}

/// A track: where there is no room for all of its places, every second one goes.
#[derive(Clone, Debug)]
pub struct Strided<T> {
    kept: Vec<T>,
    apart: usize,
    seen: usize,
    last: Option<T>,
}

impl<T> Default for Strided<T> {
    fn default() -> Self {
        Strided { kept: Vec::new(), apart: 1, seen: 0, last: None }
    }
}

impl<T> Strided<T> {
    /// The next place.
    pub fn push(&mut self, place: T) {
        let is_kept = self.seen.is_multiple_of(self.apart);
        self.seen += 1;
        if !is_kept {
            self.last = Some(place);
            return;
        }
        self.last = None;
        self.kept.push(place);
        if self.kept.len() >= MOST {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.apart *= 2;
        }
    }

    /// What is left of the track, its last place among it.
    pub fn into_places(mut self) -> Vec<T> {
        self.kept.extend(self.last);
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_curve_stays_as_it_is() {
        let mut curve = Thinned::default();
        let points: Vec<(f64, f64)> = (0..1_000).map(|k| (f64::from(k), -f64::from(k))).collect();
        points.iter().for_each(|(time, number)| curve.push(*time, *number));
        assert_eq!(curve.into_points(), points);
        assert_eq!(Thinned::default().into_points(), []);
    }

    #[test]
    fn a_long_curve_keeps_its_peaks_gaps_and_ends_in_bounded_room() {
        let mut curve = Thinned::default();
        for k in 0..3_000_000 {
            let number = match k {
                1_234_567 => 9.0,
                7 => -7.0,
                2_000_001 => f64::NAN,
                2_999_999 => 0.5,
                _ => f64::from(k % 3) * 0.25,
            };
            curve.push(f64::from(k), number);
            assert!(curve.points.len() <= MOST && curve.span.len() <= TOGETHER);
        }
        let kept = curve.into_points();
        assert!(kept.len() > MOST / 4, "{}", kept.len());
        assert!(kept.is_sorted_by(|a, b| a.0 < b.0));
        assert!(kept.contains(&(1_234_567.0, 9.0)) && kept.contains(&(7.0, -7.0)));
        assert!(kept.iter().any(|point| point.0 == 2_000_001.0 && point.1.is_nan()));
        assert_eq!((kept[0], kept[kept.len() - 1]), ((0.0, 0.0), (2_999_999.0, 0.5)));
        let widest = kept.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(0.0, f64::max);
        assert!(widest < 3_000_000.0 / 2_000.0, "{widest}");
    }

    #[test]
    fn a_long_track_keeps_its_ends_and_even_distances() {
        for count in [0, 1, 5, 100_000, 1_000_003] {
            let mut track = Strided::default();
            (0..count).for_each(|place| track.push(place));
            let kept = track.into_places();
            assert!(kept.len() <= MOST + 1 && kept.len() >= count.min(MOST / 2));
            assert_eq!(kept.first().copied(), (count > 0).then_some(0));
            assert_eq!(kept.last().copied(), count.checked_sub(1));
            let apart: Vec<usize> = kept.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let inner = &apart[..apart.len().saturating_sub(1)];
            assert!(inner.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }
}
