//! From the points of a lane to the lane.
//!
//! ```text
//! across(x) = c_0 + c_1 x + c_2 x²/2 + c_3 x³/6              least squares over the points, x ahead
//!
//! heading = -atan c_1                offset = -c_0 cos(heading)
//! curvature = c_2 / (1 + c_1²)^1.5   growth = c_3 / (1 + c_1²)²
//! ```
//!
//! The cubic is the usual model of a lane in driver assistance: a clothoid, seen from nearby (E. D. Dickmanns,
//! B. D. Mysliwetz, "Recursive 3-D road and relative ego-state recognition", IEEE Transactions on Pattern
//! Analysis and Machine Intelligence 14 (1992), section II).

use ironbird_component::Component;
use ironbird_kernel::{Periodic, RandomIn, SignalIn, SignalOut, Step};
use ironbird_kinematics::LaneMarks;
use nalgebra::{Matrix4, Vector4};

use super::messages::LaneSeen;

/// Detects the lane: fits a cubic to the points that a camera sees of it, and says where the vehicle is on it.
///
/// Points that do not determine a cubic, as they all lie at one distance, are no lane.
#[derive(Component)]
#[component(type = "lane.detector", periodic, rate = "50 Hz")]
pub struct LaneDetector {
    /// Standard deviation of each point across, at every step anew.
    #[parameter(unit = "m", default = 0.0, min = 0)]
    noise: f64,
    /// The points of the lane.
    #[input(unit = "ahead: m, across: m")]
    marks: SignalIn<LaneMarks>,
    /// The lane where the vehicle is.
    #[output(
        unit = "offset: m, heading: rad, curvature: 1/m, curvature_growth: 1/m^2",
        initial = LaneSeen::default()
    )]
    lane: SignalOut<LaneSeen>,
    /// Noise of the points.
    #[random]
    points: RandomIn,
}

/// Far above rounding, far below the pivots of points that tell a cubic: some 0.01.
const LEAST_PIVOT: f64 = 1e-6;

/// c_0 to c_3. Distances are divided by the farthest, so that the powers are of one size.
fn cubic(marks: &LaneMarks) -> Option<[f64; 4]> {
    let scale = marks.ahead.iter().fold(0.0, |far: f64, x| far.max(x.abs()));
    let (mut normal, mut right) = (Matrix4::zeros(), Vector4::zeros());
    for (ahead, across) in marks.ahead.iter().zip(marks.across) {
        let x = ahead / scale;
        let row = Vector4::new(1.0, x, x * x / 2.0, x * x * x / 6.0);
        normal += row * row.transpose();
        right += row * across;
    }
    let factor = normal.cholesky()?;
    // Points at fewer than four distances leave a pivot that is nothing but rounding.
    if factor.l().diagonal().min() < LEAST_PIVOT {
        return None;
    }
    let solved = factor.solve(&right);
    let [c0, c1, c2, c3] = solved.into();
    let found = [c0, c1 / scale, c2 / (scale * scale), c3 / (scale * scale * scale)];
    found.iter().all(|c: &f64| c.is_finite()).then_some(found)
}

impl LaneSeen {
    fn of(marks: &LaneMarks) -> LaneSeen {
        let Some([c0, c1, c2, c3]) = cubic(marks).filter(|_| marks.valid) else {
            return LaneSeen::default();
        };
        let heading = -libm::atan(c1);
        let stretched = 1.0 + c1 * c1;
        LaneSeen {
            offset: -c0 * libm::cos(heading),
            heading,
            curvature: c2 / (stretched * stretched.sqrt()),
            curvature_growth: c3 / (stretched * stretched),
            valid: true,
        }
    }
}

impl Periodic for LaneDetector {
    fn step(&mut self, step: &mut Step<'_>) {
        let mut marks = *step.signal(self.marks);
        if self.noise > 0.0 {
            for across in &mut marks.across {
                *across += self.noise * step.random(self.points).normal();
            }
        }
        step.write(self.lane, LaneSeen::of(&marks));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of a lane from 5 m to 40 m ahead.
    fn seen(across: impl Fn(f64) -> f64) -> LaneSeen {
        let mut marks = LaneMarks { valid: true, ..LaneMarks::default() };
        for k in 0..LaneMarks::POINTS {
            marks.ahead[k] = 5.0 + 5.0 * k as f64;
            marks.across[k] = across(marks.ahead[k]);
        }
        LaneSeen::of(&marks)
    }

    #[test]
    fn a_lane_to_port_is_an_offset_to_starboard() {
        let lane = seen(|_| -0.4);
        assert!(lane.valid && (lane.offset - 0.4).abs() < 1e-9);
        assert!(lane.heading.abs() < 1e-10 && lane.curvature.abs() < 1e-11);
    }

    #[test]
    fn a_lane_that_leads_to_starboard_is_a_heading_to_port() {
        let lane = seen(|x| 0.02 * x + 0.3);
        assert!((lane.heading + libm::atan(0.02)).abs() < 1e-10);
        // Perpendicular to the lane.
        assert!((lane.offset + 0.3 * libm::cos(lane.heading)).abs() < 1e-9);
    }

    #[test]
    fn a_clothoid_has_its_curvature_and_growth() {
        let lane = seen(|x| x * x / (2.0 * 300.0) + 5e-5 * x * x * x / 6.0);
        assert!((lane.curvature - 1.0 / 300.0).abs() < 1e-9);
        assert!((lane.curvature_growth - 5e-5).abs() < 1e-10);
    }

    #[test]
    fn an_arc_is_seen_to_a_millimetre() {
        let lane = seen(|x| 300.0 - (300.0 * 300.0 - x * x).sqrt());
        assert!(lane.offset.abs() < 1e-3, "{} m", lane.offset);
        assert!((lane.curvature * 300.0 - 1.0).abs() < 0.02, "{} 1/m", lane.curvature);
    }

    #[test]
    fn points_that_are_no_lane_are_none() {
        assert!(!LaneSeen::of(&LaneMarks::default()).valid);
        assert!(!LaneSeen::of(&LaneMarks { valid: true, ..LaneMarks::default() }).valid);
        assert!(!seen(|_| f64::NAN).valid);
        let at_one_distance = LaneMarks { ahead: [9.0; 8], across: [1.0; 8], valid: true };
        assert!(!LaneSeen::of(&at_one_distance).valid);
    }
}
