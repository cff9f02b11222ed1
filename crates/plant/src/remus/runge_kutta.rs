//! The classical Runge-Kutta method of order 4.
//!
//! ```text
//! k₁ = f(x), k₂ = f(x + h/2 k₁), k₃ = f(x + h/2 k₂), k₄ = f(x + h k₃)
//! x(t + h) = x + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄) + O(h⁵)
//! ```

use super::dynamics::{ATTITUDE, Hull, Inputs, State};

/// The state after `steps` equal steps over `elapsed` seconds with the inputs held.
///
/// The attitude is scaled back to length one after each step, which does not change the order.
pub fn advance(hull: &Hull, mut state: State, inputs: &Inputs, elapsed: f64, steps: u32) -> State {
    let h = elapsed / f64::from(steps);
    for _ in 0..steps {
        let k1 = hull.rate(&state, inputs);
        let k2 = hull.rate(&(state + k1 * (0.5 * h)), inputs);
        let k3 = hull.rate(&(state + k2 * (0.5 * h)), inputs);
        let k4 = hull.rate(&(state + k3 * h), inputs);
        state += (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
        let mut attitude = state.fixed_rows_mut::<4>(ATTITUDE);
        let length = attitude.norm();
        attitude /= length;
    }
    state
}
