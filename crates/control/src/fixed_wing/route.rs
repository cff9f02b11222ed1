//! A list of way-points and the leg of it that is flown: when a way-point is passed, and what comes then.
//!
//! ```text
//!                      │ line through the way-point, across the leg
//!       leg          ╭─┼─╮
//!  ●─────────────────┤ ● │ acceptance      passed: within the acceptance radius, or beyond the line
//!                    ╰─┼─╯
//! ```
//!
//! The second half of the rule is ArduPilot's "past the interval finish line": an aircraft that misses
//! the circle does not turn back for it.

use ironbird_kinematics::{Leg, Level, Mission};
use serde::{Deserialize, Serialize};

use crate::track::Track;

/// A place of a [`Route`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoutePoint {
    /// North, east, down in m.
    pub place: [f64; 3],
    /// Speed in m/s from here to the next point; on the way to the first point that one's speed holds.
    pub speed: f64,
}

/// When a way-point counts as passed, and what comes after the last.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passing {
    /// A way-point is passed within this horizontal distance, in m.
    pub acceptance: f64,
    /// Whether the first way-point follows the last.
    pub repeat: bool,
}

/// A list of way-points, of which one is the present target.
///
/// The first leg leads from where the vehicle is to the first way-point. After the last one the last leg
/// stays, and the vehicle goes on along it; the route is finished then.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Route {
    points: Vec<RoutePoint>,
    /// Where the present leg begins.
    from: [f64; 3],
    /// Speed on the present leg.
    speed: f64,
    /// The way-point where the present leg ends.
    target: usize,
    /// How many way-points were passed since the first route began.
    passed: u32,
    /// The number of the present leg.
    number: u32,
    finished: bool,
}

impl Route {
    /// The points of a mission whose levels are coordinates down.
    pub fn points_of(mission: &Mission) -> Result<Vec<RoutePoint>, String> {
        if mission.level == Level::Height {
            return Err("the mission has heights above the ground, but legs need places: give it \
                        the coordinate \"depth\" (-100 m is 100 m above the origin)"
                .into());
        }
        let points = mission.waypoints.iter();
        let points =
            points.map(|w| RoutePoint { place: [w.north, w.east, w.level], speed: w.speed });
        Ok(points.collect())
    }

    /// Begins a list of way-points at `position`, in place of any other. The numbers of legs and of
    /// passed way-points go on.
    pub fn begin(&mut self, points: Vec<RoutePoint>, position: [f64; 3]) -> Result<(), String> {
        let Some(first) = points.first() else {
            return Err("the mission has no way-points: it needs at least one".into());
        };
        for (number, RoutePoint { place, speed }) in points.iter().enumerate() {
            if !place.iter().all(|x| x.is_finite()) {
                return Err(format!(
                    "way-point {number} of the mission is at {place:?} m: it must be at numbers"
                ));
            }
            if !(*speed > 0.0 && speed.is_finite()) {
                return Err(format!(
                    "way-point {number} of the mission has a speed of {speed} m/s: it must be above \
                     0 m/s"
                ));
            }
        }
        self.number = self.number.wrapping_add(u32::from(self.has_begun()));
        self.from = position;
        self.speed = first.speed;
        self.points = points;
        self.target = 0;
        self.finished = false;
        Ok(())
    }

    /// Passes what is passed at `position`: each way-point once at most, so that it ends even where all
    /// of a repeated route lies within the acceptance radius. Returns how many were passed.
    pub fn advance(&mut self, position: [f64; 3], passing: &Passing) -> u32 {
        let mut count = 0;
        while !self.finished
            && (count as usize) < self.points.len()
            && self.is_passed(position, passing.acceptance)
        {
            let here = self.points[self.target];
            count += 1;
            match self.target + 1 {
                next if next < self.points.len() => self.target = next,
                _ if passing.repeat => self.target = 0,
                _ => {
                    // The last leg stays.
                    self.finished = true;
                    break;
                }
            }
            (self.from, self.speed) = (here.place, here.speed);
            self.number = self.number.wrapping_add(1);
        }
        self.passed = self.passed.wrapping_add(count);
        count
    }

    fn is_passed(&self, position: [f64; 3], acceptance: f64) -> bool {
        let to = self.points[self.target].place;
        let track = Track::new([self.from[0], self.from[1]], [to[0], to[1]], position);
        track.is_none_or(|track| track.left() <= acceptance || track.along >= track.length)
    }

    /// The leg to follow; it is not valid before the route has begun.
    pub fn leg(&self) -> Leg {
        match self.points.get(self.target) {
            Some(to) => Leg {
                from: self.from,
                to: to.place,
                speed: self.speed,
                number: self.number,
                valid: true,
            },
            None => Leg::default(),
        }
    }

    /// Whether it has way-points.
    pub fn has_begun(&self) -> bool {
        !self.points.is_empty()
    }

    /// The number of the way-point where the leg ends, from 0.
    pub fn target(&self) -> u32 {
        u32::try_from(self.target).unwrap_or(u32::MAX)
    }

    /// How many way-points were passed in all.
    pub fn passed(&self) -> u32 {
        self.passed
    }

    /// Whether the last way-point was passed.
    pub fn is_finished(&self) -> bool {
        self.finished
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONCE: Passing = Passing { acceptance: 10.0, repeat: false };
    const AGAIN: Passing = Passing { acceptance: 10.0, repeat: true };

    /// A square of 100 m at 50 m height.
    fn square() -> Vec<RoutePoint> {
        let to = |north, east| RoutePoint { place: [north, east, -50.0], speed: 17.0 };
        vec![to(100.0, 0.0), to(100.0, 100.0), to(0.0, 100.0), to(0.0, 0.0)]
    }

    fn begun() -> Route {
        let mut route = Route::default();
        route.begin(square(), [0.0, 0.0, -40.0]).expect("a route");
        route
    }

    #[test]
    fn there_is_no_leg_before_it_begins() {
        assert!(!Route::default().leg().valid);
    }

    #[test]
    fn the_first_leg_begins_where_the_vehicle_is() {
        let leg = begun().leg();
        assert_eq!((leg.from, leg.to), ([0.0, 0.0, -40.0], [100.0, 0.0, -50.0]));
    }

    #[test]
    fn a_waypoint_is_passed_within_the_radius() {
        let mut route = begun();
        assert_eq!(route.advance([89.9, 0.0, -50.0], &ONCE), 0);
        assert_eq!(route.advance([93.0, 7.0, -50.0], &ONCE), 1);
        let leg = route.leg();
        assert_eq!((leg.from, leg.to), ([100.0, 0.0, -50.0], [100.0, 100.0, -50.0]));
        assert_eq!((leg.number, route.target()), (1, 1));
    }

    #[test]
    fn a_waypoint_that_is_missed_is_passed_abeam() {
        let mut route = begun();
        assert_eq!(route.advance([99.9, -40.0, -50.0], &ONCE), 0);
        assert_eq!(route.advance([100.0, -40.0, -50.0], &ONCE), 1);
    }

    #[test]
    fn after_the_last_waypoint_the_last_leg_stays() {
        let mut route = begun();
        for place in [[100.0, 0.0], [100.0, 100.0], [0.0, 100.0], [0.0, 0.0]] {
            assert!(!route.is_finished());
            assert_eq!(route.advance([place[0], place[1], -50.0], &ONCE), 1);
        }
        assert!(route.is_finished());
        let leg = route.leg();
        assert_eq!((leg.from, leg.to), ([0.0, 100.0, -50.0], [0.0, 0.0, -50.0]));
        assert_eq!(route.advance([0.0, -100.0, -50.0], &ONCE), 0);
        assert_eq!(route.passed(), 4);
        assert_eq!(leg.number, 3);
    }

    #[test]
    fn a_route_that_replaces_another_has_legs_of_other_numbers() {
        let mut route = begun();
        route.advance([100.0, 0.0, -50.0], &ONCE);
        let before = route.leg();
        route.begin(square(), [100.0, 0.0, -50.0]).expect("a route");
        let after = route.leg();
        assert_eq!((before.number, after.number, route.passed()), (1, 2, 1));
        assert_eq!(after.from, [100.0, 0.0, -50.0]);
    }

    #[test]
    fn a_repeated_route_goes_from_the_last_waypoint_to_the_first() {
        let mut route = begun();
        for place in [[100.0, 0.0], [100.0, 100.0], [0.0, 100.0], [0.0, 0.0]] {
            route.advance([place[0], place[1], -50.0], &AGAIN);
        }
        let leg = route.leg();
        assert_eq!((leg.from, leg.to), ([0.0, 0.0, -50.0], [100.0, 0.0, -50.0]));
        assert_eq!((leg.number, route.target(), route.is_finished()), (4, 0, false));
    }

    #[test]
    fn a_repeated_route_within_the_radius_does_not_hang() {
        let mut route = begun();
        let wide = Passing { acceptance: 1e3, repeat: true };
        assert_eq!(route.advance([0.0, 0.0, -50.0], &wide), 4);
        assert_eq!(route.target(), 0);
    }

    #[test]
    fn the_speed_of_a_waypoint_holds_from_there() {
        let mut points = square();
        points[0].speed = 12.0;
        points[1].speed = 20.0;
        let mut route = Route::default();
        route.begin(points, [0.0; 3]).expect("a route");
        assert_eq!(route.leg().speed, 12.0);
        route.advance([100.0, 0.0, -50.0], &ONCE);
        assert_eq!(route.leg().speed, 12.0);
        route.advance([100.0, 100.0, -50.0], &ONCE);
        assert_eq!(route.leg().speed, 20.0);
    }

    #[test]
    fn points_that_lead_nowhere_are_refused() {
        let mut route = Route::default();
        let nowhere = RoutePoint { place: [f64::NAN, 0.0, 0.0], speed: 17.0 };
        let refused = route.begin(vec![nowhere], [0.0; 3]).expect_err("no place");
        assert!(refused.contains("way-point 0 of the mission is at [NaN"), "{refused}");
        let still = RoutePoint { place: [0.0; 3], speed: 0.0 };
        let refused = route.begin(vec![still], [0.0; 3]).expect_err("no speed");
        assert!(refused.contains("a speed of 0 m/s"), "{refused}");
        assert!(route.begin(Vec::new(), [0.0; 3]).is_err());
    }
}
