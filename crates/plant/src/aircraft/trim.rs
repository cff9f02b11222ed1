//! Steady flight, and how an aircraft moves about it.
//!
//! Trim: wings level at a given airspeed, height and angle of the path, the seven unknowns alpha, beta,
//! aileron, elevator, rudder, throttle and speed of the shaft such that
//!
//! ```text
//! u' = v' = w' = p' = q' = r' = 0,   motor speed' = 0
//! ```
//!
//! by Newton's method with differences. A glider has the angle of its path as an unknown in place of the
//! throttle.
//!
//! Modes: eigenvalues of the matrix of (u, v, w, p, q, r, roll, pitch) about the trim, with the shaft at a
//! constant speed, by central differences of the same right-hand side.

use nalgebra::{Complex, SMatrix, SVector};

use super::dynamics::{Change, Deflections, Situation};
use super::file::Aircraft;
use super::propulsion::{Kind, Shaft};
use super::servos::{Limits, SERVOS, Tail};

/// What flight is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// m/s.
    pub airspeed: f64,
    /// m.
    pub height: f64,
    /// Upwards, rad.
    pub path_angle: f64,
    /// m/s².
    pub gravity: f64,
    /// State of charge of the battery, 1 when full.
    pub charge: f64,
}

/// Steady flight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trim {
    /// rad.
    pub alpha: f64,
    /// rad.
    pub beta: f64,
    /// Of the path, upwards, rad.
    pub path_angle: f64,
    /// Of aileron, elevator, rudder and flap, rad.
    pub deflections: [f64; 4],
    /// From 0 to 1.
    pub throttle: f64,
    /// rad/s.
    pub motor_speed: f64,
    /// Velocity in the body, m/s.
    pub velocity: [f64; 3],
    /// Of the nose, upwards, rad.
    pub pitch: f64,
}

/// Why there is no steady flight.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum TrimError {
    #[error(
        "no steady flight at {airspeed} m/s: that is too slow, the air carries at most {percent:.0} % of \
         the weight; fly faster"
    )]
    TooSlow { airspeed: f64, percent: f64 },
    #[error(
        "no steady flight at {airspeed} m/s was found: what is left is {left:.3} m/s²; try another \
         airspeed"
    )]
    None { airspeed: f64, left: f64 },
    #[error(
        "steady flight at {airspeed} m/s needs an angle of attack of {alpha:.0} deg: nobody knows what \
         the air does there"
    )]
    Steep { airspeed: f64, alpha: f64 },
    #[error("steady flight at {airspeed} m/s needs a throttle of {throttle:.2}: it has 0 to 1")]
    Throttle { airspeed: f64, throttle: f64 },
    #[error(
        "steady flight at {airspeed} m/s needs the servo of the {surface} at {needed:.1} deg, beyond its \
         limits"
    )]
    Surface { airspeed: f64, surface: &'static str, needed: f64 },
}

type Unknowns = SVector<f64, 7>;

/// One step of Newton's method more than this is not needed where it works at all.
const MOST_STEPS: usize = 60;
/// Largest acceleration (m/s², rad/s²) that counts as none.
const STEADY: f64 = 1e-9;
/// No aircraft file is meant for angles of attack beyond this: a wing that does not stall, hanging on its
/// propeller, is no steady flight.
const STEEPEST: f64 = 40.0;

impl Aircraft {
    /// Steady, straight flight with level wings.
    pub fn trim(&self, wanted: &Wanted) -> Result<Trim, TrimError> {
        self.balanced(wanted).map_err(|error| {
            let carried = self.most_lift(wanted);
            let percent = 100.0 * carried / (wanted.gravity * libm::cos(wanted.path_angle));
            let airspeed = wanted.airspeed;
            if percent < 100.0 { TrimError::TooSlow { airspeed, percent } } else { error }
        })
    }

    /// The largest acceleration (m/s²) that the air gives upwards at any angle of attack up to the steepest, with
    /// all surfaces in the middle.
    fn most_lift(&self, wanted: &Wanted) -> f64 {
        let upwards = |share: u32| {
            let alpha = f64::from(share) * 0.025 * STEEPEST.to_radians();
            let velocity = [libm::cos(alpha), 0.0, libm::sin(alpha)];
            let trim = Trim {
                velocity: velocity.map(|part| part * wanted.airspeed),
                pitch: alpha,
                ..Trim::default()
            };
            let mut at = situation(&trim, &Wanted { gravity: 0.0, ..*wanted });
            at.shaft.failed = true;
            let [x, _, z] = self.airframe.change(&at).velocity;
            x * velocity[2] - z * velocity[0]
        };
        (0..=40).map(upwards).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The shaft has flat regions (a propeller that is faster than its table, a motor without current) where
    /// Newton's method gets stuck: it is started from several speeds of it.
    fn balanced(&self, wanted: &Wanted) -> Result<Trim, TrimError> {
        let first = self.balanced_from(0.5, wanted);
        let others = || [0.75, 0.3, 0.9].into_iter().map(|share| self.balanced_from(share, wanted));
        first.or_else(|error| others().find_map(Result::ok).ok_or(error))
    }

    /// `share` is that of the highest speed of the shaft to begin with.
    fn balanced_from(&self, share: f64, wanted: &Wanted) -> Result<Trim, TrimError> {
        let airspeed = wanted.airspeed;
        let mut x = self.guess(share, wanted);
        let mut rest = self.residual(&x, wanted);
        for _ in 0..MOST_STEPS {
            if rest.amax() < STEADY {
                break;
            }
            let Some(full) = self.jacobian(&x, wanted).lu().solve(&rest) else { break };
            // Shorter steps where a full one does not help.
            let shorten = (0..8).map(|halvings| f64::from(1u32 << halvings).recip());
            let better = shorten.map(|part| x - full * part).find(|next| {
                let norm = self.residual(next, wanted).norm();
                norm < rest.norm()
            });
            let Some(next) = better else { break };
            (x, rest) = (next, self.residual(&next, wanted));
        }
        if rest.amax() > 1e3 * STEADY || !rest.iter().all(|part| part.is_finite()) {
            return Err(TrimError::None { airspeed, left: rest.norm() });
        }
        let trim = self.flight(&x, wanted);
        if trim.alpha.abs() > STEEPEST.to_radians() {
            return Err(TrimError::Steep { airspeed, alpha: trim.alpha.to_degrees() });
        }
        if !(-1e-9..=1.0 + 1e-9).contains(&trim.throttle) {
            return Err(TrimError::Throttle { airspeed, throttle: trim.throttle });
        }
        let names = match self.servos.tail {
            Tail::Conventional => ["aileron", "elevator", "rudder", "flap"],
            Tail::V => ["aileron", "left ruddervator", "right ruddervator", "flap"],
        };
        let positions = self.servo_positions(&trim);
        for k in 0..SERVOS {
            let Limits { low, high } = self.servos.limits[k];
            if !(low - 1e-9..=high + 1e-9).contains(&positions[k]) {
                let needed = positions[k].to_degrees();
                return Err(TrimError::Surface { airspeed, surface: names[k], needed });
            }
        }
        Ok(trim)
    }

    /// Where the servos stand in a trim.
    pub fn servo_positions(&self, trim: &Trim) -> [f64; SERVOS] {
        let [aileron, elevator, rudder, flap] = trim.deflections;
        match self.servos.tail {
            Tail::Conventional => [aileron, elevator, rudder, flap],
            Tail::V => [aileron, elevator + rudder, elevator - rudder, flap],
        }
    }

    fn guess(&self, share: f64, wanted: &Wanted) -> Unknowns {
        let constant = self.airframe.propulsion.motor.constant;
        let speed = match (&self.airframe.propulsion.battery, constant > 0.0) {
            (Some(battery), true) => share * battery.open_circuit.at(wanted.charge) / constant,
            _ => 0.0,
        };
        let throttle = match self.airframe.propulsion.kind {
            Kind::Disc { constant, .. } => (1.2 * wanted.airspeed / constant).min(0.9),
            Kind::None => -0.1,
            _ => share + 0.05,
        };
        Unknowns::from([0.05, 0.0, 0.0, 0.0, 0.0, throttle, speed])
    }

    fn flight(&self, x: &Unknowns, wanted: &Wanted) -> Trim {
        let [alpha, beta, aileron, elevator, rudder, sixth, motor_speed] = (*x).into();
        let glides = self.airframe.propulsion.kind == Kind::None;
        let (throttle, path_angle) = if glides { (0.0, sixth) } else { (sixth, wanted.path_angle) };
        let (sin_a, cos_a) = (libm::sin(alpha), libm::cos(alpha));
        let (sin_b, cos_b) = (libm::sin(beta), libm::cos(beta));
        let velocity = [cos_a * cos_b, sin_b, sin_a * cos_b].map(|part| part * wanted.airspeed);
        // sin(path) = cos(beta) (cos(alpha) sin(pitch) - sin(alpha) cos(pitch)) with level wings.
        let pitch = alpha + libm::asin((libm::sin(path_angle) / cos_b).clamp(-1.0, 1.0));
        let deflections = [aileron, elevator, rudder, 0.0];
        Trim { alpha, beta, path_angle, deflections, throttle, motor_speed, velocity, pitch }
    }

    fn residual(&self, x: &Unknowns, wanted: &Wanted) -> Unknowns {
        let trim = self.flight(x, wanted);
        let mut at = situation(&trim, wanted);
        at.attitude = attitude(0.0, trim.pitch);
        let Change { velocity: [a, b, c], rates: [p, q, r], motor_speed, .. } =
            self.airframe.change(&at);
        let last = if self.airframe.propulsion.has_motor() { motor_speed } else { x[6] };
        Unknowns::from([a, b, c, p, q, r, last])
    }

    fn jacobian(&self, x: &Unknowns, wanted: &Wanted) -> SMatrix<f64, 7, 7> {
        let steps = [1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-3];
        let column = |k: usize| {
            let mut step = Unknowns::zeros();
            step[k] = steps[k];
            let difference =
                self.residual(&(x + step), wanted) - self.residual(&(x - step), wanted);
            difference / (2.0 * steps[k])
        };
        SMatrix::from_columns(&[0, 1, 2, 3, 4, 5, 6].map(column))
    }

    /// The matrix of (u, v, w, p, q, r, roll, pitch) about a trim.
    pub fn linearised(&self, trim: &Trim, wanted: &Wanted) -> SMatrix<f64, 8, 8> {
        let base = situation(trim, wanted);
        let rate = |x: &SVector<f64, 8>| {
            let mut at = base;
            at.velocity =
                [trim.velocity[0] + x[0], trim.velocity[1] + x[1], trim.velocity[2] + x[2]];
            at.rates = [x[3], x[4], x[5]];
            let (roll, pitch) = (x[6], trim.pitch + x[7]);
            at.attitude = attitude(roll, pitch);
            let Change { velocity, rates, .. } = self.airframe.change(&at);
            let (sin, cos) = (libm::sin(roll), libm::cos(roll));
            let turn = (at.rates[1] * sin + at.rates[2] * cos) * libm::tan(pitch);
            let (roll_rate, pitch_rate) =
                (at.rates[0] + turn, at.rates[1] * cos - at.rates[2] * sin);
            let [a, b, c] = velocity;
            let [p, q, r] = rates;
            SVector::from([a, b, c, p, q, r, roll_rate, pitch_rate])
        };
        let column = |k: usize| {
            let mut step = SVector::zeros();
            step[k] = 1e-5;
            (rate(&step) - rate(&-step)) / 2e-5
        };
        SMatrix::from_columns(&[0, 1, 2, 3, 4, 5, 6, 7].map(column))
    }

    /// The modes about a trim.
    pub fn modes(&self, trim: &Trim, wanted: &Wanted) -> Modes {
        let matrix = self.linearised(trim, wanted);
        // Longitudinal and lateral motion hardly touch each other in straight flight.
        let part = |of: [usize; 4]| SMatrix::<f64, 4, 4>::from_fn(|i, k| matrix[(of[i], of[k])]);
        let along = ordered(part([0, 2, 4, 7]).complex_eigenvalues());
        let across = ordered(part([1, 3, 5, 6]).complex_eigenvalues());
        // That tells which is which; the propeller couples them a little.
        let whole: [Complex<f64>; 8] = matrix.complex_eigenvalues().into();
        let nearest = |value: Complex<f64>| {
            let far = |other: &Complex<f64>| size(*other - value);
            whole.into_iter().min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(value)
        };
        let oscillates = |value: &&Complex<f64>| value.im > 0.0;
        let dutch_roll = across.iter().find(oscillates).copied();
        let mut real = across.iter().filter(|value| value.im == 0.0);
        Modes {
            short_period: nearest(along[0]),
            phugoid: nearest(along[3]),
            dutch_roll: nearest(dutch_roll.unwrap_or(across[0])),
            roll: real.next().map_or(f64::NAN, |value| nearest(*value).re),
            spiral: real.next_back().map_or(f64::NAN, |value| nearest(*value).re),
        }
    }
}

fn size(value: Complex<f64>) -> f64 {
    libm::hypot(value.re, value.im)
}

/// From the fastest to the slowest; of a pair the one above the axis first.
fn ordered(values: SVector<Complex<f64>, 4>) -> [Complex<f64>; 4] {
    let mut values: [Complex<f64>; 4] = values.into();
    values.sort_by(|a, b| {
        let order = size(*b).total_cmp(&size(*a));
        order.then(b.im.total_cmp(&a.im))
    });
    // The slowest pair is shown by its member above the axis, too.
    if values[3].im < 0.0 {
        values.swap(2, 3);
    }
    values
}

/// The natural motions of an aircraft, 1/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modes {
    /// Nodding about a steady path.
    pub short_period: Complex<f64>,
    /// Slow exchange of height and speed.
    pub phugoid: Complex<f64>,
    /// Wagging of nose and wings.
    pub dutch_roll: Complex<f64>,
    /// How a roll dies out; not a number where it swings together with the spiral.
    pub roll: f64,
    /// How a bank grows or dies out; not a number where it swings together with the roll.
    pub spiral: f64,
}

/// The situation of a trim, level and heading north.
pub(super) fn situation(trim: &Trim, wanted: &Wanted) -> Situation<f64> {
    let [aileron, elevator, rudder, flap] = trim.deflections;
    Situation {
        down: -wanted.height,
        velocity: trim.velocity,
        attitude: attitude(0.0, trim.pitch),
        rates: [0.0; 3],
        wind: [0.0; 3],
        gust: [0.0; 3],
        deflections: Deflections { aileron, elevator, rudder, flap },
        shaft: Shaft {
            throttle: trim.throttle,
            motor_speed: trim.motor_speed,
            charge: wanted.charge,
            failed: false,
        },
        gravity: wanted.gravity,
    }
}

fn attitude(roll: f64, pitch: f64) -> [f64; 4] {
    let attitude = ironbird_kinematics::Attitude::from_euler(roll, pitch, 0.0);
    [attitude.w, attitude.x, attitude.y, attitude.z]
}
