//! A drone on its way along a path: what both kinds of pre-computed drones do at every step.
//!
//! ```text
//! p = path(s),   v = path'(s) ṡ,   a = path''(s) ṡ² + path'(s) s̈
//! ```
//!
//! The track over ground is as planned whatever the current does: the drone points along its velocity
//! through the water (crab steering, [`heading`](super::heading)). While it stops at the end, and after,
//! it points as if it still went at the speed with which it began to stop.

use ironbird_kernel::{SignalIn, SignalOut, Start, Step, Time};
use ironbird_kinematics::Motion;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::bed_follower::{BedFollower, Following};
use super::heading::Heading;
use super::pace::{Along, Pace};
use super::path::{Mark, Path};

/// What an input for the depth of the sea bed shows where nothing is linked.
pub const NO_BED: f64 = f64::NEG_INFINITY;

/// How a drone is to go.
#[derive(Clone, Copy, Debug)]
pub struct Orders {
    /// Speed over ground in m/s; 0 for that of the way-points.
    pub speed: f64,
    /// Largest acceleration along the path, in m/s².
    pub acceleration: f64,
    /// Largest speed through the water, in m/s.
    pub max_water_speed: f64,
    pub following: Following,
}

/// The ports of a drone on a path.
#[derive(Clone, Copy)]
pub struct TravelPorts {
    pub current: SignalIn<[f64; 3]>,
    pub current_acceleration: SignalIn<[f64; 3]>,
    pub sea_bed: SignalIn<f64>,
    pub motion: SignalOut<Motion>,
    pub finished: SignalOut<bool>,
    pub height: SignalOut<f64>,
}

/// Where a drone is on its way.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Travel {
    pace: Pace,
    mark: Mark,
    /// The speed at which it began to stop.
    stopping_from: Option<f64>,
    finished: bool,
    distance: f64,
    heading: Heading,
    /// Its vertical motion above a sea bed, and when it was last looked at.
    above_bed: Option<(BedFollower, Time)>,
}

/// What surrounds a drone.
#[derive(Clone, Copy, Debug)]
struct Sea {
    current: Vector3<f64>,
    current_rate: Vector3<f64>,
    bed: f64,
}

impl Travel {
    /// Sets out: it is on its way at the wanted speed from the start.
    pub fn begin(
        &mut self,
        path: &Path,
        orders: &Orders,
        ports: &TravelPorts,
        start: &mut Start<'_>,
    ) -> Result<(), String> {
        let bed = *start.signal(ports.sea_bed);
        if path.above_bed && bed == NO_BED {
            return Err(
                "the mission says heights above the sea bed: link \"sea_bed\" to the depth of \
                        the bed below the drone"
                    .into(),
            );
        }
        let speed = wanted(path, self.mark, orders);
        let along = Along { speed, ..Along::default() };
        let stopping = along.stopping_distance(orders.acceleration);
        if stopping > path.length {
            return Err(format!(
                "the mission is {:.1} m long, but from {speed} m/s it takes {stopping:.1} m to stop; \
                 lower the speed or raise \"acceleration\"",
                path.length
            ));
        }
        self.pace = Pace::steady(start.now(), speed);
        let sea = Sea {
            current: Vector3::from(*start.signal(ports.current)),
            current_rate: Vector3::from(*start.signal(ports.current_acceleration)),
            bed,
        };
        // The sea may not be known before the first step, which does this again.
        let mut first = self.clone();
        let motion = first.advance(start.now(), path, orders, &sea)?;
        start.write(ports.motion, motion);
        if bed != NO_BED {
            start.write(ports.height, bed - motion.position[2]);
        }
        Ok(())
    }

    /// One step.
    #[inline]
    pub fn step(&mut self, path: &Path, orders: &Orders, ports: &TravelPorts, step: &mut Step<'_>) {
        let sea = Sea {
            current: Vector3::from(*step.signal(ports.current)),
            current_rate: Vector3::from(*step.signal(ports.current_acceleration)),
            bed: *step.signal(ports.sea_bed),
        };
        let was_finished = self.finished;
        match self.advance(step.now(), path, orders, &sea) {
            Ok(motion) => {
                step.write(ports.motion, motion);
                if sea.bed != NO_BED {
                    step.write(ports.height, sea.bed - motion.position[2]);
                }
                if self.finished != was_finished {
                    step.write(ports.finished, true);
                }
            }
            Err(reason) => step.fail(reason),
        }
    }

    // Into `step`, so that a motion is made where it is written.
    #[inline(always)]
    fn advance(
        &mut self,
        now: Time,
        path: &Path,
        orders: &Orders,
        sea: &Sea,
    ) -> Result<Motion, String> {
        let along = self.along(now, path, orders);
        let Along { distance, speed, acceleration } = along;
        let point = path.at(self.mark, distance);
        let mut position = point.place;
        let mut velocity = point.first * speed;
        let mut total = point.second * (speed * speed) + point.first * acceleration;
        let (held, held_rate) = match self.stopping_from {
            Some(from) => (from, 0.0),
            None => (speed, acceleration),
        };
        let mut ground = point.first * held;
        let mut ground_rate = point.second * (speed * held) + point.first * held_rate;
        if path.above_bed {
            let follower = self.follow_bed(now, position.z, orders.following, sea.bed)?;
            (position.z, velocity.z, total.z) =
                (follower.depth, follower.rate, follower.acceleration);
            (ground.z, ground_rate.z) = (follower.rate, follower.acceleration);
        }
        let water = ground - sea.current;
        let ahead = water.x * point.first.x + water.y * point.first.y;
        // Written such that NaN fails too.
        let can_hold =
            ahead > 0.0 && water.norm_squared() <= orders.max_water_speed * orders.max_water_speed;
        if !can_hold {
            return Err(too_strong(distance, held, water, ahead, orders.max_water_speed, sea));
        }
        self.heading.follow(water, ground_rate - sea.current_rate);
        Ok(Motion {
            position: position.into(),
            velocity: velocity.into(),
            acceleration: total.into(),
            attitude: self.heading.attitude,
            angular_velocity: self.heading.turning,
            distance,
        })
    }

    /// How far and fast it is along the path; begins a change of speed where one is due.
    #[inline(always)]
    fn along(&mut self, now: Time, path: &Path, orders: &Orders) -> Along {
        let mut along = self.pace.at(now);
        if self.stopping_from.is_some() {
            along.distance = along.distance.min(path.length);
            self.finished = self.finished || self.pace.is_over(now);
            path.seek(&mut self.mark, along.distance);
            return along;
        }
        path.seek(&mut self.mark, along.distance);
        let wanted = wanted(path, self.mark, orders);
        // As much as in the last step is gone before there is a next chance.
        let step = along.distance - self.distance;
        self.distance = along.distance;
        let left = path.length - along.distance;
        if along.must_stop(left - step, orders.acceleration) {
            self.pace = Pace::stop(now, along, left.max(0.0));
            self.stopping_from = Some(along.speed);
        } else if wanted != self.pace.wanted {
            self.pace = Pace::change(now, along, wanted, orders.acceleration);
        }
        along
    }

    /// The vertical motion at a height above the bed; no higher than the surface.
    fn follow_bed(
        &mut self,
        now: Time,
        height: f64,
        how: Following,
        bed: f64,
    ) -> Result<BedFollower, String> {
        if !bed.is_finite() {
            return Err(format!(
                "the depth of the sea bed is not known here: \"sea_bed\" says {bed}"
            ));
        }
        let wanted = (bed - height).max(0.0);
        let (follower, last) = self.above_bed.get_or_insert_with(|| (BedFollower::at(wanted), now));
        follower.follow(now.since(*last).as_secs_f64(), wanted, how);
        *last = now;
        Ok(*follower)
    }
}

fn wanted(path: &Path, mark: Mark, orders: &Orders) -> f64 {
    if orders.speed > 0.0 { orders.speed } else { path.speeds[mark.1].1 }
}

#[cold]
fn too_strong(
    distance: f64,
    speed: f64,
    water: Vector3<f64>,
    ahead: f64,
    limit: f64,
    sea: &Sea,
) -> String {
    let [north, east, down]: [f64; 3] = sea.current.into();
    let at = format!(
        "{distance:.1} m along the path the current of [{north}, {east}, {down}] m/s is too strong to \
         hold the track at {speed:.3} m/s over ground"
    );
    if ahead > 0.0 {
        format!(
            "{at}: the drone would need {:.3} m/s through the water, but \"max_water_speed\" is {limit} m/s",
            water.norm()
        )
    } else {
        format!("{at}: it carries the drone along faster than that")
    }
}
