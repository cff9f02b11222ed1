//! Actuators: they follow a command late, at a limited rate, within limits.
//!
//! ```text
//! x' = (c - x) / T, at most `rate` in size; c: the command, held within the limits
//! ```
//!
//! Solved exactly over a step: at full rate while |c - x| > T · rate, then exponentially.

mod fin;
mod propeller;

pub use fin::Fin;
pub use propeller::Propeller;

/// Where `from` is after `elapsed` seconds on its way to `to`: a lag of `time_constant` (s), changing by
/// no more than `rate` per second. A time constant of 0 is none.
fn follow(from: f64, to: f64, elapsed: f64, time_constant: f64, rate: f64) -> f64 {
    let distance = to - from;
    // Beyond this distance the lag wants more than the rate allows.
    let near = rate * time_constant;
    let far = (distance.abs() - near).max(0.0);
    let at_full_rate = far / rate;
    if elapsed <= at_full_rate {
        return from + (rate * elapsed).copysign(distance);
    }
    let left = distance - far.copysign(distance);
    if time_constant > 0.0 {
        to - left * libm::exp((at_full_rate - elapsed) / time_constant)
    } else {
        to
    }
}

#[cfg(test)]
mod tests {
    use super::follow;

    #[test]
    fn near_the_command_it_is_a_lag() {
        let after = follow(0.0, 1.0, 0.5, 0.5, 1e9);
        assert!((after - (1.0 - libm::exp(-1.0))).abs() < 1e-6, "{after}");
    }

    #[test]
    fn far_from_the_command_it_goes_at_its_rate() {
        assert_eq!(follow(1.0, -9.0, 2.0, 0.1, 3.0), -5.0);
    }

    #[test]
    fn many_short_steps_end_where_one_long_step_ends() {
        let long = follow(0.0, 1.0, 2.0, 0.3, 0.7);
        let short = (0..200).fold(0.0, |x, _| follow(x, 1.0, 0.01, 0.3, 0.7));
        assert!((long - short).abs() < 1e-12, "{long} {short}");
    }

    #[test]
    fn without_a_lag_it_arrives_and_stays() {
        assert_eq!(follow(0.0, 1.0, 0.5, 0.0, 1.0), 0.5);
        assert_eq!(follow(0.0, 1.0, 1.5, 0.0, 1.0), 1.0);
        assert_eq!(follow(1.0, 1.0, 1.0, 0.0, 1.0), 1.0);
    }
}
