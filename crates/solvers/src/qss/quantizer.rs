//! How each method chooses the quantized trajectory q of a state, and how long it lasts.

use crate::dual::Dual;
use crate::number::Flow;
use crate::roots::{leave_band, leave_band_of_parabola};
use crate::series::Series;

/// A quantization method. Polynomials count seconds from the present instant.
pub(crate) trait Quantizer {
    /// What right-hand sides are evaluated with.
    type Number: Flow;
    /// The degree of x; that of q is one lower.
    const ORDER: usize;
    /// Whether it wants df_i/dx_i, so that every derivative is evaluated on its own.
    const IMPLICIT: bool = false;
    /// How far q and x may be apart, in quanta.
    const BAND: f64;

    /// The new q of a state.
    ///
    /// * `x` its trajectory, and `q` the quantized one until now;
    /// * `slope` a = df_i/dx_i;
    /// * `quantum` D.
    fn quantize(x: &[f64; 4], q: &[f64; 4], slope: f64, quantum: f64) -> [f64; 3];

    /// Seconds until the state must be quantized again, if nothing else happens.
    fn horizon(x: &[f64; 4], q: &[f64; 4], quantum: f64) -> f64;
}

/// Quantized states of order 1: q = x, until |q - x| = D.
pub(crate) struct Qss1;

impl Quantizer for Qss1 {
    type Number = f64;
    const ORDER: usize = 1;
    const BAND: f64 = 1.0;

    fn quantize(x: &[f64; 4], _q: &[f64; 4], _slope: f64, _quantum: f64) -> [f64; 3] {
        [x[0], 0.0, 0.0]
    }

    fn horizon(x: &[f64; 4], q: &[f64; 4], quantum: f64) -> f64 {
        let distance = q[0] - x[0];
        if distance.abs() >= quantum {
            return 0.0;
        }
        leave_band_of_parabola(distance, -x[1], 0.0, quantum)
    }
}

/// Quantized states of order 2: q = x + x' s, until |q - x| = D.
pub(crate) struct Qss2;

impl Quantizer for Qss2 {
    type Number = Series<2>;
    const ORDER: usize = 2;
    const BAND: f64 = 1.0;

    fn quantize(x: &[f64; 4], _q: &[f64; 4], _slope: f64, _quantum: f64) -> [f64; 3] {
        [x[0], x[1], 0.0]
    }

    fn horizon(x: &[f64; 4], q: &[f64; 4], quantum: f64) -> f64 {
        let distance = q[0] - x[0];
        if distance.abs() >= quantum {
            return 0.0;
        }
        leave_band_of_parabola(distance, q[1] - x[1], -x[2], quantum)
    }
}

/// Quantized states of order 3: q = x + x' s + x''/2 s^2, until |q - x| = D.
pub(crate) struct Qss3;

impl Quantizer for Qss3 {
    type Number = Series<3>;
    const ORDER: usize = 3;
    const BAND: f64 = 1.0;

    fn quantize(x: &[f64; 4], _q: &[f64; 4], _slope: f64, _quantum: f64) -> [f64; 3] {
        [x[0], x[1], x[2]]
    }

    fn horizon(x: &[f64; 4], q: &[f64; 4], quantum: f64) -> f64 {
        leave_band(&[q[0] - x[0], q[1] - x[1], q[2] - x[2], -x[3]], quantum)
    }
}

/// Linearly implicit quantized states of order 1.
///
/// With x' = a q + u, q is the value one quantum ahead in the direction in which x then moves:
/// q = x + D if a (x + D) + u > 0, q = x - D if a (x - D) + u < 0, and otherwise the equilibrium in
/// between, q = -u / a. The state is quantized again when x reaches q.
pub(crate) struct Liqss1;

impl Quantizer for Liqss1 {
    type Number = Dual<f64>;
    const ORDER: usize = 1;
    const IMPLICIT: bool = true;
    const BAND: f64 = 2.0;

    fn quantize(x: &[f64; 4], q: &[f64; 4], slope: f64, quantum: f64) -> [f64; 3] {
        let rest = x[1] - slope * q[0];
        let (up, down) = (x[0] + quantum, x[0] - quantum);
        let (rises, falls) = (slope * up + rest > 0.0, slope * down + rest < 0.0);
        let chosen = match (rises, falls) {
            (true, false) => up,
            (false, true) => down,
            // An unstable equilibrium lies in between: go on the way x is going.
            (true, true) => {
                if slope * x[0] + rest >= 0.0 {
                    up
                } else {
                    down
                }
            }
            (false, false) if slope != 0.0 => -rest / slope,
            (false, false) => x[0],
        };
        [chosen, 0.0, 0.0]
    }

    fn horizon(x: &[f64; 4], q: &[f64; 4], quantum: f64) -> f64 {
        let distance = q[0] - x[0];
        let reach = distance / x[1];
        if reach > 0.0 {
            return reach;
        }
        let band = Self::BAND * quantum;
        if distance.abs() >= band {
            return 0.0;
        }
        leave_band_of_parabola(distance, -x[1], 0.0, band)
    }
}
