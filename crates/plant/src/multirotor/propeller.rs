//! Propellers and motors from thrust stands.
//!
//! ```text
//! thrust    T = k_T ω²                    k_T = C_T ρ D⁴ / (2 π)²    T = C_T ρ n² D⁴
//! motor     ω = a₀ + a₁ x + a₂ x²         x = throttle · voltage
//! ```
//!
//! k_T minimises the squares of the differences of thrust, a₀ to a₂ those of speed, over the lines where the propeller
//! turns. C_T as propeller data have it: J. B. Brandt, M. S. Selig, Propeller Performance Data at Low Reynolds Numbers,
//! AIAA 2011-1255.

use nalgebra::{Matrix3, Vector3};

/// One line of a thrust stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandLine {
    /// Throttle, from 0 to 1.
    pub throttle: f64,
    /// Voltage at the motor's controller in V.
    pub voltage: f64,
    /// Speed in rad/s.
    pub speed: f64,
    /// Thrust in N.
    pub thrust: f64,
}

/// What fits a stand's lines best, and how well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PropellerFit {
    /// k_T in N s²/rad².
    pub thrust: f64,
    /// a₀ in rad/s, a₁ in rad/s/V, a₂ in rad/s/V².
    pub curve: [f64; 3],
    /// Root mean square of the error of the thrust from the speed, over the largest thrust.
    pub thrust_error: f64,
    /// Root mean square of the error of the speed from throttle and voltage, over the highest speed.
    pub speed_error: f64,
    /// Root mean square of the error of the thrust from throttle and voltage, over the largest thrust.
    pub both_error: f64,
    /// Lines that counted.
    pub lines: usize,
}

impl PropellerFit {
    /// C_T of a propeller of this diameter in m, in air of this density in kg/m³.
    pub fn coefficient(&self, diameter: f64, density: f64) -> f64 {
        let tau = core::f64::consts::TAU;
        let squared = diameter * diameter;
        self.thrust * tau * tau / (density * squared * squared)
    }
}

/// Fits a propeller and its motor; needs four lines where it turns.
pub fn fit(lines: &[StandLine]) -> Result<PropellerFit, String> {
    let finite = |line: &&StandLine| {
        let StandLine { throttle, voltage, speed, thrust } = line;
        [throttle, voltage, speed, thrust].iter().all(|number| number.is_finite())
    };
    let turning: Vec<&StandLine> =
        lines.iter().filter(finite).filter(|line| line.speed > 0.0).collect();
    let count = turning.len();
    if count < 4 {
        return Err(format!("{count} lines in which the propeller turns: a fit needs 4"));
    }
    let sum = |of: &dyn Fn(&StandLine) -> f64| turning.iter().map(|line| of(line)).sum::<f64>();
    let square = |line: &StandLine| line.speed * line.speed;
    let thrust = sum(&|line| line.thrust * square(line)) / sum(&|line| square(line) * square(line));
    let powers = |line: &StandLine| {
        let x = line.throttle * line.voltage;
        Vector3::new(1.0, x, x * x)
    };
    let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for line in &turning {
        let powers = powers(line);
        normal += powers * powers.transpose();
        right += powers * line.speed;
    }
    let curve = normal
        .cholesky()
        .map(|solved| solved.solve(&right))
        .filter(|curve| curve.iter().all(|a| a.is_finite()))
        .ok_or("the lines must differ in throttle times voltage, in three places at least")?;
    let rms = |of: &dyn Fn(&StandLine) -> f64| {
        let squares = sum(&|line| of(line) * of(line));
        (squares / count as f64).sqrt()
    };
    let most =
        |of: &dyn Fn(&StandLine) -> f64| turning.iter().map(|line| of(line)).fold(0.0, f64::max);
    let (most_thrust, most_speed) = (most(&|line| line.thrust), most(&|line| line.speed));
    if !(thrust > 0.0 && most_thrust > 0.0) {
        return Err("the propeller must push: its thrust is not above zero".into());
    }
    let modelled = |line: &StandLine| curve.dot(&powers(line));
    Ok(PropellerFit {
        thrust,
        curve: curve.into(),
        thrust_error: rms(&|line| thrust * square(line) - line.thrust) / most_thrust,
        speed_error: rms(&|line| modelled(line) - line.speed) / most_speed,
        both_error: rms(&|line| thrust * modelled(line) * modelled(line) - line.thrust)
            / most_thrust,
        lines: count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(throttle: f64) -> StandLine {
        let voltage = 11.0 - throttle;
        let x = throttle * voltage;
        let speed = 100.0 + 150.0 * x - 4.0 * x * x;
        StandLine { throttle, voltage, speed, thrust: 2e-6 * speed * speed }
    }

    #[test]
    fn a_fit_finds_what_made_the_lines() {
        let lines: Vec<StandLine> = (1..=9).map(|n| line(0.1 * f64::from(n))).collect();
        let found = fit(&lines).unwrap();
        assert!((found.thrust / 2e-6 - 1.0).abs() < 1e-12);
        for (found, made) in found.curve.into_iter().zip([100.0, 150.0, -4.0]) {
            assert!((found - made).abs() < 1e-6 * made.abs(), "{found}");
        }
        assert!(found.thrust_error < 1e-9 && found.speed_error < 1e-9 && found.both_error < 1e-9);
        assert_eq!(found.lines, 9);
        // A propeller of 0.2 m: k_T (2 π)² / (ρ D⁴).
        assert!((found.coefficient(0.2, 1.225) - 0.04028).abs() < 1e-5);
    }

    #[test]
    fn too_little_is_refused() {
        let stopped = StandLine { speed: 0.0, ..line(0.5) };
        assert!(fit(&[line(0.5), line(0.6), line(0.7), stopped]).unwrap_err().contains("3 lines"));
        assert!(fit(&[line(0.5); 5]).unwrap_err().contains("must differ"));
        let pulling = [0.2, 0.4, 0.6, 0.8].map(|x| StandLine { thrust: -1.0, ..line(x) });
        assert!(fit(&pulling).unwrap_err().contains("must push"));
    }
}
