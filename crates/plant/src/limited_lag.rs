//! What moves a surface or a wheel: a lag that goes smoothly into its highest rate.
//!
//! ```text
//! x' = r / sqrt(1 + (r / rate)²),  r = (c - x) / T
//! ```
//!
//! r itself to 1 % up to a seventh of the rate. A corner in place of it would make x' a constant, which a
//! quantized solver has no reason to look at again: x would run past its command.

use ironbird_solvers::Number;

/// x' for a command c and a position x, with the time constant T above zero.
#[inline]
pub fn limited_rate<N: Number>(command: N, position: N, time_constant: f64, rate_limit: f64) -> N {
    let wanted = (command - position) * (1.0 / time_constant);
    if wanted.value() == 0.0 {
        // Where it is; up to its third power the law below is `wanted` itself.
        return wanted;
    }
    let share = wanted * (1.0 / rate_limit);
    wanted / (share * share + 1.0).sqrt()
}
