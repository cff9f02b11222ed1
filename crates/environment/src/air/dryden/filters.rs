//! Noise filters of unit variance, discretised exactly: whatever the step, the samples have the statistics
//! of the continuous process at these times.
//!
//! Along the way, of length L, with c = V/L:
//!
//! ```text
//! u' = -c u + √(2 c) n                             Φ ~ 1 / (1 + (L Ω)²)
//! ```
//!
//! Across it, and the slope of it that a vehicle of some size feels, with k = V/d:
//!
//! ```text
//! x' = -c x + √c n
//! y' = c (x - y)                v = √3 x + (1 - √3) y        Φ ~ (1 + 3 (L Ω)²) / (1 + (L Ω)²)²
//! z' = k (v - z)                slope = (v - z) / d          = (s/V) / (1 + s/k) v
//! ```
//!
//! A linear system x' = A x + noise of stationary covariance P goes over a step h by F = exp(A h) and noise
//! of covariance P - F P Fᵀ. Both have closed forms here.

use ironbird_kernel::RandomStream;
use nalgebra::{Matrix3, RowVector3, Vector3};
use serde::{Deserialize, Serialize};

/// A first-order process.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Along {
    value: f64,
}

impl Along {
    /// Its first value.
    pub fn draw(&mut self, random: &mut RandomStream) -> f64 {
        self.value = random.normal();
        self.value
    }

    /// Its value a time `h` later; `c` in 1/s.
    pub fn step(&mut self, c: f64, h: f64, random: &mut RandomStream) -> f64 {
        let decay = libm::exp(-c * h);
        let renewal = (-libm::expm1(-2.0 * c * h)).sqrt();
        self.value = decay * self.value + renewal * random.normal();
        self.value
    }
}

/// A process across the way, and the state that smooths its slope.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Across {
    state: [f64; 3],
    #[serde(skip)]
    transition: Option<Transition>,
}

/// The step of [`Across`] for one set of rates and one time.
#[derive(Clone, Copy, Debug)]
struct Transition {
    rates: [f64; 2],
    time: f64,
    forward: Matrix3<f64>,
    noise: Matrix3<f64>,
}

/// What v is of x and y.
const ROOT_3: f64 = 1.732_050_807_568_877_2;
const SHAPE: RowVector3<f64> = RowVector3::new(ROOT_3, 1.0 - ROOT_3, 0.0);

impl Across {
    /// Its first value, and v - z; `rates` are c and k in 1/s.
    pub fn draw(&mut self, rates: [f64; 2], random: &mut RandomStream) -> [f64; 2] {
        let spread = root(covariance(rates)) * normals(random);
        self.take(spread)
    }

    /// Its value and v - z a time `h` later.
    pub fn step(&mut self, rates: [f64; 2], h: f64, random: &mut RandomStream) -> [f64; 2] {
        let known = self.transition.filter(|known| known.rates == rates && known.time == h);
        let transition = known.unwrap_or_else(|| Transition::new(rates, h));
        self.transition = Some(transition);
        let Transition { forward, noise, .. } = transition;
        self.take(forward * Vector3::from(self.state) + noise * normals(random))
    }

    fn take(&mut self, state: Vector3<f64>) -> [f64; 2] {
        self.state = state.into();
        let value = (SHAPE * state).x;
        [value, value - state.z]
    }
}

impl Transition {
    fn new(rates: [f64; 2], h: f64) -> Self {
        let (forward, settled) = (forward(rates, h), covariance(rates));
        let noise = root(settled - forward * settled * forward.transpose());
        Transition { rates, time: h, forward, noise }
    }
}

fn normals(random: &mut RandomStream) -> Vector3<f64> {
    Vector3::new(random.normal(), random.normal(), random.normal())
}

/// exp(A h)
fn forward([c, k]: [f64; 2], h: f64) -> Matrix3<f64> {
    let (slow, fast) = (libm::exp(-c * h), libm::exp(-k * h));
    let (apart, d) = (k - c, (k - c) * h);
    // ∫ k e^(-k (h-s)) e^(-c s) ds and ∫ k e^(-k (h-s)) c s e^(-c s) ds over the step; where c and k nearly
    // agree, by their series.
    let (first, second) = if d.abs() > 1e-2 {
        let first = (slow - fast) / apart;
        (first, (h * slow - first) / apart)
    } else {
        let series = |terms: [f64; 5]| terms.iter().rev().fold(0.0, |sum, term| sum * d + term);
        (
            h * fast * series([1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0]),
            h * h * fast * series([1.0 / 2.0, 1.0 / 3.0, 1.0 / 8.0, 1.0 / 30.0, 1.0 / 144.0]),
        )
    };
    let (first, second) = (k * first, k * c * second);
    Matrix3::new(
        slow,
        0.0,
        0.0, //
        c * h * slow,
        slow,
        0.0, //
        SHAPE.x * first + SHAPE.y * second,
        SHAPE.y * first,
        fast,
    )
}

/// The covariance that the states settle at: A P + P Aᵀ + noise = 0.
fn covariance([c, k]: [f64; 2]) -> Matrix3<f64> {
    let [xx, xy, yy] = [0.5, 0.25, 0.25];
    let [xv, yv] = [SHAPE.x * xx + SHAPE.y * xy, SHAPE.x * xy + SHAPE.y * yy];
    let xz = k * xv / (c + k);
    let yz = (c * xz + k * yv) / (c + k);
    let zz = SHAPE.x * xz + SHAPE.y * yz;
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

/// A lower triangle whose square is a covariance. What rounding makes of a variance of nothing is nothing.
fn root(m: Matrix3<f64>) -> Matrix3<f64> {
    let mut l = Matrix3::zeros();
    for column in 0..3 {
        let square: f64 = m[(column, column)] - l.row(column).norm_squared();
        if square <= 0.0 {
            continue;
        }
        l[(column, column)] = square.sqrt();
        for row in column + 1..3 {
            l[(row, column)] =
                (m[(row, column)] - l.row(row).dot(&l.row(column))) / l[(column, column)];
        }
    }
    l
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_variance_is_one() {
        let settled = covariance([0.3, 7.0]);
        assert!(((SHAPE * settled * SHAPE.transpose()).x - 1.0).abs() < 1e-15);
    }

    #[test]
    fn two_half_steps_are_one_step() {
        for rates in [[0.3, 7.0], [7.0, 0.3], [2.0, 2.0], [2.0, 2.001]] {
            let (half, whole) = (forward(rates, 0.05), forward(rates, 0.1));
            assert!((half * half - whole).norm() < 1e-13, "{rates:?}");
        }
    }

    #[test]
    fn a_short_step_follows_the_differential_equation() {
        let (c, k, h) = (0.5, 11.0, 1e-6);
        let rate = (forward([c, k], h) - Matrix3::identity()) / h;
        let exact = Matrix3::new(-c, 0.0, 0.0, c, -c, 0.0, k * SHAPE.x, k * SHAPE.y, -k);
        assert!((rate - exact).norm() < 1e-3, "{rate}");
    }

    #[test]
    fn the_noise_of_a_step_keeps_the_covariance() {
        for (rates, h) in [([0.3, 7.0], 0.02), ([0.3, 7.0], 30.0), ([1e-3, 40.0], 1e-3)] {
            let Transition { forward, noise, .. } = Transition::new(rates, h);
            let settled = covariance(rates);
            let next = forward * settled * forward.transpose() + noise * noise.transpose();
            assert!((next - settled).norm() < 1e-14, "{rates:?} {h}");
        }
    }
}
