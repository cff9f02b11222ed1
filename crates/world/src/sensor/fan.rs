//! The angles of the beams of a lidar, along its rows or its columns.

use std::f64::consts::TAU;

/// Beams at equal angles from one another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fan {
    /// How many.
    pub count: u32,
    /// The angle of the first in rad.
    pub first: f64,
    /// The angle of the last in rad.
    pub last: f64,
}

impl Fan {
    /// Beams over a field of so many rad about the middle, from end to end. The ends of a whole circle are one beam,
    /// which is the first; a single beam is in the middle.
    pub fn over(count: u32, field: f64) -> Self {
        let half = 0.5 * field;
        let last = if field >= TAU { half - field / f64::from(count.max(1)) } else { half };
        match count {
            0 | 1 => Fan { count, first: 0.0, last: 0.0 },
            _ => Fan { count, first: -half, last },
        }
    }

    /// The angle of one of them in rad.
    pub fn angle(&self, number: u32) -> f64 {
        match self.count {
            0 | 1 => self.first,
            count => {
                self.first + (self.last - self.first) * f64::from(number) / f64::from(count - 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beams_of_a_whole_circle_are_all_different_and_evenly_apart() {
        for count in [2, 3, 36, 360] {
            let fan = Fan::over(count, TAU);
            assert_eq!(fan.angle(0), -0.5 * TAU, "the first looks aft");
            for beam in 0..count {
                let next = if beam + 1 < count { fan.angle(beam + 1) } else { fan.angle(0) + TAU };
                let apart = next - fan.angle(beam);
                assert!((apart - TAU / f64::from(count)).abs() < 1e-12, "{count}: {beam}");
            }
        }
    }

    #[test]
    fn a_part_of_a_circle_has_a_beam_at_either_end_and_one_beam_is_in_the_middle() {
        let fan = Fan::over(5, 1.0);
        assert_eq!([0, 2, 4].map(|beam| fan.angle(beam)), [-0.5, 0.0, 0.5]);
        assert_eq!(Fan::over(1, TAU).angle(0), 0.0);
        assert_eq!(Fan::over(1, 1.0).angle(0), 0.0);
    }
}
