//! The lane where a vehicle is, and what is to be seen of it ahead.
//!
//! ```text
//!            ● marks[7]
//!          ●           across_k to starboard, ahead_k forward of the centre of the vehicle;
//!        ●             their distances along the lane are evenly spaced from nearest to farthest
//!       ● marks[0]
//!      │  ▲
//! lane │  ╱ vehicle: offset > 0 to starboard of the lane, heading error > 0 where it turns to starboard
//! ```

use std::f64::consts::{PI, TAU};

use ironbird_component::Component;
use ironbird_kernel::{Periodic, QueryIn, SignalIn, SignalOut, Step};
use ironbird_kinematics::LaneMarks;
use ironbird_solvers::Trajectory;

use super::question::{RoadAnswer, RoadQuestion};

/// Where a vehicle is on its lane, and the points of the lane ahead that a camera would see: exact, without
/// errors.
#[derive(Component)]
#[component(type = "road.at", periodic, rate = "50 Hz", check = Self::fits)]
pub struct RoadAt {
    /// The lane.
    #[query]
    source: QueryIn<RoadQuestion, RoadAnswer>,
    /// Distance along the lane from the vehicle to the nearest point that is seen.
    #[parameter(unit = "m", default = 5.0, min = 0)]
    nearest: f64,
    /// Distance along the lane to the farthest point that is seen.
    #[parameter(unit = "m", default = 40.0, above = 0)]
    farthest: f64,
    /// Width of the vehicle, for its clearance.
    #[parameter(unit = "m", default = 1.85, above = 0)]
    vehicle_width: f64,
    /// Place of the vehicle to the north.
    #[input(unit = "m")]
    north: SignalIn<Trajectory>,
    /// Place of the vehicle to the east.
    #[input(unit = "m")]
    east: SignalIn<Trajectory>,
    /// Where the vehicle points, from north to east.
    #[input(unit = "rad")]
    heading: SignalIn<Trajectory>,
    /// How far the vehicle is to starboard of the middle of the lane.
    #[output(unit = "m")]
    offset: SignalOut<f64>,
    /// How much further to starboard the vehicle points than the lane leads, within half a turn.
    #[output(unit = "rad")]
    heading_error: SignalOut<f64>,
    /// Curvature of the lane beside the vehicle, positive to starboard.
    #[output(unit = "1/m")]
    curvature: SignalOut<f64>,
    /// How far along the lane the vehicle is.
    #[output(unit = "m")]
    distance: SignalOut<f64>,
    /// How far the side of the vehicle is from the nearer edge of the lane; negative where it is beyond.
    #[output(unit = "m")]
    clearance: SignalOut<f64>,
    /// Points of the middle of the lane ahead, as seen from the vehicle.
    #[output(unit = "ahead: m, across: m")]
    marks: SignalOut<LaneMarks>,
    /// Where along the lane it was last.
    last: Option<f64>,
}

impl RoadAt {
    fn fits(&self) -> Result<(), String> {
        if self.nearest < self.farthest {
            return Ok(());
        }
        Err(format!("nearest = {} m must be below farthest = {} m", self.nearest, self.farthest))
    }

    fn marks(
        &self,
        step: &mut Step<'_>,
        distance: f64,
        place: [f64; 2],
        heading: f64,
    ) -> LaneMarks {
        let (sin, cos) = libm::sincos(heading);
        let mut marks = LaneMarks { valid: true, ..LaneMarks::default() };
        let apart = (self.farthest - self.nearest) / (LaneMarks::POINTS - 1) as f64;
        for k in 0..LaneMarks::POINTS {
            let further = self.nearest + apart * k as f64;
            let point = step.ask(self.source, &RoadQuestion::Along(distance + further));
            let [north, east] = [point.place[0] - place[0], point.place[1] - place[1]];
            marks.ahead[k] = north * cos + east * sin;
            marks.across[k] = east * cos - north * sin;
        }
        marks
    }
}

impl Periodic for RoadAt {
    fn step(&mut self, step: &mut Step<'_>) {
        let now = step.now();
        let value = |port: SignalIn<Trajectory>| step.signal(port).at(now);
        let (place, heading) = ([value(self.north), value(self.east)], value(self.heading));
        if !(place[0].is_finite() && place[1].is_finite() && heading.is_finite()) {
            step.fail("the vehicle is nowhere: its place or heading is not a number");
            return;
        }
        let question = RoadQuestion::Nearest { place, near: self.last };
        let point = step.ask(self.source, &question);
        if !point.offset.is_finite() {
            step.fail("the lane has no points: its file could not be read again");
            return;
        }
        self.last = Some(point.distance);
        let turned = heading - point.heading;
        step.write(self.offset, point.offset);
        step.write(self.heading_error, turned - TAU * ((turned + PI) / TAU).floor());
        step.write(self.curvature, point.curvature);
        step.write(self.distance, point.distance);
        let aside = 0.5 * (point.width - self.vehicle_width) - point.offset.abs();
        step.write(self.clearance, aside);
        let marks = self.marks(step, point.distance, place, heading);
        step.write(self.marks, marks);
    }
}
