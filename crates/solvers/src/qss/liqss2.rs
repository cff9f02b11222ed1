//! Linearly implicit quantized states of order 2.
//!
//! Seen from one state, x' = a q + u0 + u1 s, with a = df_i/dx_i, and e(s) = q(s) - x(s) is a
//! parabola. While a < 0 the quantized trajectory q0 + q1 s is chosen so that after some time h
//! this parabola has its vertex, at half the initial distance on the other side:
//!
//! ```text
//! x(h) = q0 + q1 h + (q0 - x)/2,   x'(h) = q1
//!
//! q0 = ((3/2 x + h u0 + h^2/2 u1) (1 - h a) + (h^2/2 a - h) (u0 + h u1))
//!      / (3/2 (1 - h a) + h^2 a^2/2)
//! q1 = (a q0 + u0 + h u1) / (1 - h a)
//! ```
//!
//! an implicit step, stable for any h. (The published method has x(h) = q0 + q1 h. Then q leads x all
//! the time, and travelling waves run ahead; here the mean of q - x over a step is zero.) The
//! longest h is taken for which q0 stays within a quantum of x. As h grows, q tends to the line on
//! which x would stay:
//!
//! ```text
//! q1 = -u1 / a,   q0 = (q1 - u0) / a
//! ```

use super::quantizer::Quantizer;
use crate::dual::Dual;
use crate::roots::leave_band_of_parabola;
use crate::series::Series;

/// For small h the distance |q0 - x| is 2/3 h^2 |x''/2|; a little less than what this allows, since
/// a longer step would have to be taken back.
const FIRST_STEP: f64 = 1.4;

/// A step lasts somewhat longer than h: about its vertex the parabola hardly moves.
const BEYOND_VERTEX: f64 = 1.2;

pub(crate) struct Liqss2;

impl Quantizer for Liqss2 {
    type Number = Dual<Series<2>>;
    const ORDER: usize = 2;
    const IMPLICIT: bool = true;
    const BAND: f64 = 1.0;

    #[inline]
    fn quantize(x: &[f64; 4], q: &[f64; 4], a: f64, quantum: f64) -> [f64; 3] {
        let (x0, x1, c2) = (x[0], x[1], x[2]);
        if a >= 0.0 {
            // Explicit: e goes from D/2 to -D, again with mean zero. A straight line needs no lead.
            let lead = if c2 == 0.0 { 0.0 } else { (0.5 * quantum).copysign(c2) };
            return [x0 + lead, x1, 0.0];
        }
        let (u0, u1) = (x1 - a * q[0], 2.0 * c2 - a * q[1]);
        let time_constant = 1.0 / a;
        let q1 = -u1 * time_constant;
        let q0 = (q1 - u0) * time_constant;
        if (q0 - x0).abs() <= quantum {
            return [q0, q1, 0.0];
        }
        let mut h =
            if c2 != 0.0 { (FIRST_STEP * quantum / c2.abs()).sqrt() } else { -time_constant };
        for _ in 0..32 {
            let (ha, half) = (h * a, 0.5 * h * h);
            let ahead = u0 + h * u1;
            let top = (1.5 * x0 + h * u0 + half * u1) * (1.0 - ha) + (half * a - h) * ahead;
            let q0 = top / (1.5 * (1.0 - ha) + half * a * a);
            let distance = (q0 - x0).abs();
            if distance <= quantum {
                return [q0, (a * q0 + ahead) / (1.0 - ha), 0.0];
            }
            h *= (0.9 * quantum / distance).sqrt();
        }
        [x0, x1, 0.0]
    }

    #[inline]
    fn horizon(x: &[f64; 4], q: &[f64; 4], quantum: f64) -> f64 {
        let distance = q[0] - x[0];
        // Rounding alone must not call a state that has just been quantized.
        if distance.abs() > quantum * (1.0 + 1e-9) {
            return 0.0;
        }
        let approach = q[1] - x[1];
        let vertex = approach / (2.0 * x[2]);
        if vertex > 0.0 && (distance + 0.5 * approach * vertex).abs() <= quantum {
            // It stays within the band all the way, as it was meant to.
            return BEYOND_VERTEX * vertex;
        }
        leave_band_of_parabola(distance, approach, -x[2], quantum)
    }
}
