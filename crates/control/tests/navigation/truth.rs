//! A vehicle whose motion is known exactly, and what ideal sensors aboard measure.

use std::f64::consts::PI;

use ironbird_control::navigation::{Estimate, Planet};
use ironbird_kinematics::{Attitude, EarthModel, EarthParameters, Origin};
use nalgebra::Vector3;

/// How the vehicle moves at an instant; its place is not closed, and integrated by [`Voyage`].
#[derive(Clone, Copy)]
pub struct Moment {
    pub velocity: Vector3<f64>,
    pub acceleration: Vector3<f64>,
    pub attitude: Attitude,
    /// Against north, east, down, in the body.
    pub rate: Vector3<f64>,
}

/// A path as a function of the time in seconds.
pub trait Path {
    fn velocity(&self, t: f64) -> Vector3<f64>;
    fn moment(&self, t: f64) -> Moment;
}

/// Straight on at 5 m/s, level, heading with the course.
pub struct Straight(Moment);

const COURSE: f64 = 0.6;

impl Straight {
    pub fn new() -> Self {
        let (sin, cos) = libm::sincos(COURSE);
        Straight(Moment {
            velocity: Vector3::new(cos, sin, 0.0) * 5.0,
            acceleration: Vector3::zeros(),
            attitude: Attitude::from_euler(0.0, 0.0, COURSE),
            rate: Vector3::zeros(),
        })
    }
}

impl Path for Straight {
    fn velocity(&self, _: f64) -> Vector3<f64> {
        self.0.velocity
    }
    fn moment(&self, _: f64) -> Moment {
        self.0
    }
}

/// A lawn-mower survey at 1.39 m/s: lanes of 125 s, smooth half turns of 25 s, left and right in turn;
/// slowly up and down; the body crabs by 4 degrees, rolls in the turns and pitches all the time.
pub struct Survey;

const SPEED: f64 = 1.39;
const LANE: f64 = 125.0;
const TURN: f64 = 25.0;
const CRAB: f64 = 0.07;

impl Survey {
    /// The course and its first two derivatives.
    fn course(t: f64) -> [f64; 3] {
        let lanes = (t / (LANE + TURN)).floor();
        let x = ((t - lanes * (LANE + TURN) - LANE) / TURN).max(0.0);
        let to_starboard = lanes % 2.0 == 0.0;
        let sign = if to_starboard { PI } else { -PI };
        // 35 x⁴ - 84 x⁵ + 70 x⁶ - 20 x⁷: three derivatives vanish at both ends.
        let (x2, y) = (x * x, 1.0 - x);
        let part = x2 * x2 * (35.0 - x * (84.0 - x * (70.0 - 20.0 * x)));
        let first = 140.0 * x2 * x * y * y * y / TURN;
        let second = 420.0 * x2 * y * y * (1.0 - 2.0 * x) / (TURN * TURN);
        let start = if to_starboard { 0.0 } else { PI };
        [COURSE + start + sign * part, sign * first, sign * second]
    }

    /// A sine of this angular frequency and amplitude, and its derivative.
    fn swing([w, a]: [f64; 2], t: f64) -> [f64; 2] {
        let (sin, cos) = libm::sincos(w * t);
        [a * sin, a * w * cos]
    }
}

const HEAVE: [f64; 2] = [2.0 * PI / 300.0, 0.1];

impl Path for Survey {
    fn velocity(&self, t: f64) -> Vector3<f64> {
        let (sin, cos) = libm::sincos(Survey::course(t)[0]);
        Vector3::new(SPEED * cos, SPEED * sin, Survey::swing(HEAVE, t)[0])
    }

    fn moment(&self, t: f64) -> Moment {
        let [course, turning, turning_more] = Survey::course(t);
        let (sin, cos) = libm::sincos(course);
        let [down, down_more] = Survey::swing(HEAVE, t);
        let [pitch, pitching] = Survey::swing([2.0 * PI / 7.0, 0.03], t);
        let (roll, rolling) = (0.5 * turning, 0.5 * turning_more);
        let ((sr, cr), (sp, cp)) = (libm::sincos(roll), libm::sincos(pitch));
        Moment {
            velocity: Vector3::new(SPEED * cos, SPEED * sin, down),
            acceleration: Vector3::new(-SPEED * turning * sin, SPEED * turning * cos, down_more),
            attitude: Attitude::from_euler(roll, pitch, course + CRAB),
            rate: Vector3::new(
                rolling - turning * sp,
                pitching * cr + turning * sr * cp,
                -pitching * sr + turning * cr * cp,
            ),
        }
    }
}

/// What ideal sensors measure.
#[derive(Clone, Copy)]
pub struct Readings {
    pub gyroscope: Vector3<f64>,
    pub accelerometer: Vector3<f64>,
    pub dvl: Vector3<f64>,
    pub depth: f64,
    pub heading: f64,
}

/// A vehicle on its way, in steps.
pub struct Voyage<P> {
    path: P,
    planet: Planet,
    t: f64,
    pub truth: Estimate,
    moment: Moment,
}

impl<P: Path> Voyage<P> {
    pub fn starting(path: P, planet: Planet) -> Self {
        let moment = path.moment(0.0);
        let (velocity, attitude) = (moment.velocity, moment.attitude);
        let truth = Estimate { position: Vector3::new(0.0, 0.0, 20.0), velocity, attitude };
        Voyage { path, planet, t: 0.0, truth, moment }
    }

    /// Goes on to `t`; the place by Gauss's quadrature with three points.
    pub fn go_on(&mut self, t: f64) {
        let (half, middle) = (0.5 * (t - self.t), 0.5 * (t + self.t));
        let reach = half * 0.6_f64.sqrt();
        let sum = (self.path.velocity(middle - reach) + self.path.velocity(middle + reach)) * 5.0
            + self.path.velocity(middle) * 8.0;
        self.truth.position += sum * (half / 9.0);
        self.moment = self.path.moment(t);
        (self.truth.velocity, self.truth.attitude) = (self.moment.velocity, self.moment.attitude);
        self.t = t;
    }

    pub fn gyroscope(&self) -> Vector3<f64> {
        self.moment.rate + self.moment.attitude.to_body(self.planet.rotation)
    }

    pub fn accelerometer(&self) -> Vector3<f64> {
        let Moment { velocity, acceleration, attitude, .. } = self.moment;
        let coriolis = self.planet.rotation.cross(&velocity) * 2.0;
        attitude.to_body(acceleration + coriolis - self.planet.earth.gravity(self.truth.position))
    }

    pub fn dvl(&self) -> Vector3<f64> {
        self.moment.attitude.to_body(self.moment.velocity)
    }

    pub fn depth(&self) -> f64 {
        self.planet.earth.depth(self.truth.position)
    }

    pub fn readings(&self) -> Readings {
        let ahead = self.moment.attitude.to_ned(Vector3::x());
        Readings {
            gyroscope: self.gyroscope(),
            accelerometer: self.accelerometer(),
            dvl: self.dvl(),
            depth: self.depth(),
            heading: libm::atan2(ahead.y, ahead.x),
        }
    }
}

/// The Earth off Brest, or a flat one.
pub fn planet(model: EarthModel) -> Planet {
    let origin = Origin { latitude: 48.3, longitude: -4.6, height: 0.0 };
    Planet::from(&EarthParameters { model, origin })
}
