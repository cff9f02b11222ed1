//! Thrusters.
//!
//! ```text
//! u' = (c - u) / T                             c: the command from -1 to 1
//! F  =  Σ a_k  u^k      u >= 0                 along the direction
//! F  = -Σ b_k |u|^k     u < 0
//! ```

use nalgebra::Vector3;

/// Coefficients of a force over a command, of degrees 0 to 5.
pub type ForcePolynomial = [f64; 6];

/// A thruster.
#[derive(Clone, Debug, PartialEq)]
pub struct Thruster {
    /// From the centre of mass: forward, starboard, down, in m.
    pub place: Vector3<f64>,
    /// Where it pushes to, length one.
    pub direction: Vector3<f64>,
    /// a_k, N.
    pub forward: ForcePolynomial,
    /// b_k, N.
    pub reverse: ForcePolynomial,
    /// T, s.
    pub time_constant: f64,
}

impl Thruster {
    /// The force (N) along the direction, and u'.
    #[inline]
    pub fn at(&self, command: f64, state: f64) -> (f64, f64) {
        let (coefficients, sign) =
            if state < 0.0 { (&self.reverse, -1.0) } else { (&self.forward, 1.0) };
        let size = state.abs();
        let force = coefficients.iter().rev().fold(0.0, |sum, term| sum * size + term);
        (sign * force, (command - state) / self.time_constant)
    }
}
