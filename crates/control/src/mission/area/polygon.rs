//! Simple polygons in the horizontal plane (north, east).

/// A closed line of straight edges that does not cross itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    corners: Vec<[f64; 2]>,
}

/// What is wrong with a list of corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPolygon {
    TooFewCorners,
    /// The corner that is the same as the one before it.
    SameCorner(usize),
    /// The corners at which two edges begin that meet.
    Crosses(usize, usize),
}

impl Polygon {
    pub fn new(corners: Vec<[f64; 2]>) -> Result<Self, NoPolygon> {
        let count = corners.len();
        if count < 3 {
            return Err(NoPolygon::TooFewCorners);
        }
        let edge = |n: usize| [corners[n], corners[(n + 1) % count]];
        if let Some(same) = (0..count).find(|n| edge(*n)[0] == edge(*n)[1]) {
            return Err(NoPolygon::SameCorner((same + 1) % count));
        }
        for first in 0..count {
            for second in first + 1..count {
                let neighbours = second == first + 1 || (first == 0 && second == count - 1);
                let [a, b] = edge(first);
                let [c, d] = edge(second);
                // Neighbours share a corner; they may not lie on each other.
                let meet = match neighbours {
                    false => meets(a, b, c, d),
                    true if second == first + 1 => turn(a, b, d) == 0.0 && between(b, a, d),
                    true => turn(c, d, b) == 0.0 && between(a, b, c),
                };
                if meet {
                    return Err(NoPolygon::Crosses(first, second));
                }
            }
        }
        Ok(Polygon { corners })
    }

    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }

    fn edges(&self) -> impl Iterator<Item = [[f64; 2]; 2]> {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().zip(next).map(|(a, b)| [*a, *b])
    }

    /// Whether a place lies inside, by the number of edges to the north of it.
    pub fn contains(&self, place: [f64; 2]) -> bool {
        let [north, east] = place;
        let crossed = self.edges().filter(|[a, b]| {
            let spans = (a[1] > east) != (b[1] > east);
            spans && north < a[0] + (b[0] - a[0]) * (east - a[1]) / (b[1] - a[1])
        });
        crossed.count() % 2 == 1
    }

    /// Whether a straight way touches it or lies inside.
    pub fn is_entered(&self, from: [f64; 2], to: [f64; 2]) -> bool {
        self.contains(from) || self.edges().any(|[a, b]| meets(from, to, a, b))
    }

    /// Its corners, moved away from its middle by a distance.
    pub fn corners_farther_by(&self, distance: f64) -> impl Iterator<Item = [f64; 2]> {
        let count = self.corners.len() as f64;
        let sum = self.corners.iter().fold([0.0; 2], |s, c| [s[0] + c[0], s[1] + c[1]]);
        let middle = sum.map(|x| x / count);
        self.corners.iter().map(move |corner| {
            let out = [corner[0] - middle[0], corner[1] - middle[1]];
            let length = libm::hypot(out[0], out[1]);
            let scale = if length > 0.0 { distance / length } else { 0.0 };
            [corner[0] + scale * out[0], corner[1] + scale * out[1]]
        })
    }
}

/// Twice the area of the triangle, positive where it turns from north to east.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether b and c lie on the same side of a, on one line with it.
fn between(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1]) > 0.0
}

/// Whether p, on the line through a and b, lies from a to b.
fn on(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> bool {
    (0..2).all(|i| a[i].min(b[i]) <= p[i] && p[i] <= a[i].max(b[i]))
}

/// Whether the ways from a to b and from c to d have a place in common.
fn meets(a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]) -> bool {
    let (c_side, d_side) = (turn(a, b, c), turn(a, b, d));
    let (a_side, b_side) = (turn(c, d, a), turn(c, d, b));
    let apart = |x: f64, y: f64| (x > 0.0 && y < 0.0) || (x < 0.0 && y > 0.0);
    (apart(c_side, d_side) && apart(a_side, b_side))
        || (c_side == 0.0 && on(a, b, c))
        || (d_side == 0.0 && on(a, b, d))
        || (a_side == 0.0 && on(c, d, a))
        || (b_side == 0.0 && on(c, d, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Polygon {
        Polygon::new(vec![[0.0, 0.0], [0.0, 10.0], [10.0, 10.0], [10.0, 0.0]]).expect("a square")
    }

    #[test]
    fn a_place_is_inside_or_outside() {
        let square = square();
        assert!(square.contains([5.0, 5.0]));
        for outside in [[-1.0, 5.0], [11.0, 5.0], [5.0, -1.0], [5.0, 11.0]] {
            assert!(!square.contains(outside));
        }
    }

    #[test]
    fn a_way_through_a_corner_enters() {
        let square = square();
        assert!(square.is_entered([-5.0, 5.0], [5.0, -5.0]));
        assert!(square.is_entered([-5.0, 5.0], [15.0, 5.0]));
        assert!(square.is_entered([4.0, 5.0], [6.0, 5.0]));
        assert!(!square.is_entered([-5.0, -1.0], [15.0, -1.0]));
    }

    #[test]
    fn what_crosses_itself_is_no_polygon() {
        let bow_tie = vec![[0.0, 0.0], [10.0, 10.0], [10.0, 0.0], [0.0, 10.0]];
        assert_eq!(Polygon::new(bow_tie), Err(NoPolygon::Crosses(0, 2)));
        let spike = vec![[0.0, 0.0], [10.0, 0.0], [5.0, 0.0]];
        assert_eq!(Polygon::new(spike), Err(NoPolygon::Crosses(0, 1)));
        assert_eq!(Polygon::new(vec![[0.0, 0.0], [1.0, 1.0]]), Err(NoPolygon::TooFewCorners));
        let double = vec![[0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [2.0, 0.0]];
        assert_eq!(Polygon::new(double), Err(NoPolygon::SameCorner(2)));
    }

    #[test]
    fn corners_move_away_from_the_middle() {
        let moved: Vec<[f64; 2]> = square().corners_farther_by(2f64.sqrt()).collect();
        for (moved, expected) in
            moved.iter().zip([[-1.0, -1.0], [-1.0, 11.0], [11.0, 11.0], [11.0, -1.0]])
        {
            assert!(libm::hypot(moved[0] - expected[0], moved[1] - expected[1]) < 1e-12);
        }
    }
}
