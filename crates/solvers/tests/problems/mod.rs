//! Small reference problems, each with what is known about its solution. Larger ones are in
//! `ironbird_workloads::continuous`.
#![allow(dead_code, reason = "each test file uses some of them")]

use ironbird_kernel::{Duration, Time};
use ironbird_solvers::{Block, Error, Method, Number, Point, Settings, Solver};
use serde::{Deserialize, Serialize};

/// The instant `s` seconds after the start.
pub fn at(s: f64) -> Time {
    Time::ZERO + Duration::from_secs_f64_ceil(s).expect("a time in a test is positive")
}

/// Runs to `s` seconds and reads all states.
pub fn states_at<B: Block>(solver: &mut Solver<B>, s: f64) -> Result<Vec<f64>, Error> {
    solver.run(at(s))?;
    (0..solver.block().states()).map(|state| solver.sample(state, at(s))).collect()
}

/// x' = A x with A = ((-2, 1), (1, -3)), x(0) = (1, -0.5).
///
/// A is symmetric: its eigenvalues are (-5 +- sqrt 5)/2, and the columns of V are orthogonal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Linear;

impl Block for Linear {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, state: usize) -> f64 {
        [1.0, -0.5][state]
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            0 => at.x(1) - at.x(0) * 2.0,
            _ => at.x(0) - at.x(1) * 3.0,
        }
    }
}

impl Linear {
    fn modes() -> ([f64; 2], [[f64; 2]; 2]) {
        let root = 5f64.sqrt();
        let values = [(-5.0 + root) / 2.0, (-5.0 - root) / 2.0];
        // (A - l) v = 0: v = (1, l + 2), normalized.
        let vectors = values.map(|l| {
            let length = (1.0 + (l + 2.0) * (l + 2.0)).sqrt();
            [1.0 / length, (l + 2.0) / length]
        });
        (values, vectors)
    }

    pub fn exact(t: f64) -> [f64; 2] {
        let (values, vectors) = Self::modes();
        let mut x = [0.0; 2];
        for (l, v) in values.iter().zip(vectors) {
            let weight = (v[0] - 0.5 * v[1]) * libm::exp(l * t);
            x = [x[0] + weight * v[0], x[1] + weight * v[1]];
        }
        x
    }

    /// |V| |Re(L)^-1 L| |V^-1| D, with real L and V^-1 = V^T.
    pub fn bound(quantum: f64) -> [f64; 2] {
        let (_, v) = Self::modes();
        let inner = v.map(|v| (v[0].abs() + v[1].abs()) * quantum);
        [0, 1].map(|i| v[0][i].abs() * inner[0] + v[1][i].abs() * inner[1])
    }
}

/// x1' = 0.01 x2, x2' = -100 x1 - 100 x2 + 2020, x(0) = (0, 20): eigenvalues -0.01 and -99.99.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stiff;

impl Block for Stiff {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, state: usize) -> f64 {
        [0.0, 20.0][state]
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            0 => at.x(1) * 0.01,
            _ => at.x(0) * -100.0 - at.x(1) * 100.0 + 2020.0,
        }
    }
}

impl Stiff {
    pub fn exact(t: f64) -> [f64; 2] {
        // y = x - (20.2, 0): y1' = 0.01 y2, y2' = -100 (y1 + y2). Along an eigenvector y2 = 100 l y1.
        let root = (100.0 * 100.0 - 4.0f64).sqrt();
        let l = [(-100.0 + root) / 2.0, (-100.0 - root) / 2.0];
        // a + b = -20.2, 100 (l0 a + l1 b) = 20
        let a = (0.2 + 20.2 * l[1]) / (l[0] - l[1]);
        let b = -20.2 - a;
        let (a, b) = (a * libm::exp(l[0] * t), b * libm::exp(l[1] * t));
        [20.2 + a + b, 100.0 * (l[0] * a + l[1] * b)]
    }
}

/// x' = 0.1 x - 0.1 x y, y' = 0.1 x y - 0.1 y; x - ln x + y - ln y stays the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LotkaVolterra;

impl Block for LotkaVolterra {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, _: usize) -> f64 {
        0.5
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let (x, y) = (at.x(0), at.x(1));
        match state {
            0 => (x - x * y) * 0.1,
            _ => (x * y - y) * 0.1,
        }
    }
}

impl LotkaVolterra {
    pub fn invariant(x: &[f64]) -> f64 {
        x[0] - libm::log(x[0]) + x[1] - libm::log(x[1])
    }
}

/// x' = v, v' = -x, from (1, 0): a circle.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Oscillator;

impl Block for Oscillator {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, state: usize) -> f64 {
        [1.0, 0.0][state]
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            0 => at.x(1),
            _ => -at.x(0),
        }
    }
}

/// x' = y, y' = 100 (1 - x^2) y - x: long rests, and jumps between them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VanDerPol;

impl Block for VanDerPol {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, state: usize) -> f64 {
        [2.0, 0.0][state]
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let (x, y) = (at.x(0), at.x(1));
        match state {
            0 => y,
            _ => (-(x * x) + 1.0) * y * 100.0 - x,
        }
    }
}

/// Every method, at a precision that makes them comparable.
pub fn every_method(tolerance: f64) -> impl Iterator<Item = Settings> {
    Method::ALL.into_iter().map(move |method| Settings::new(method).tolerance(tolerance, tolerance))
}
