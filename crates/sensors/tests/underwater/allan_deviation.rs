//! The overlapping Allan deviation (IEEE Std 952-1997, annex C; NIST SP 1065, section 5.2.4).
//!
//! ```text
//! θ_k = τ₀ (y_0 + … + y_{k-1})
//! σ²(m τ₀) = Σ_k (θ_{k+2m} - 2 θ_{k+m} + θ_k)² / (2 (m τ₀)² (n - 2 m + 1))
//! ```

/// A record of samples, prepared for its Allan variance.
pub struct Record {
    interval: f64,
    /// θ.
    integral: Vec<f64>,
}

impl Record {
    /// Of samples with this time between them.
    pub fn new(samples: &[f64], interval: f64) -> Self {
        let mut integral = vec![0.0];
        integral.extend(samples.iter().scan(0.0, |sum, y| {
            *sum += y * interval;
            Some(*sum)
        }));
        Record { interval, integral }
    }

    /// σ² of means over `m` samples.
    pub fn allan_variance(&self, m: usize) -> f64 {
        let (first, second, third) = (&self.integral, &self.integral[m..], &self.integral[2 * m..]);
        let squares = first.iter().zip(second).zip(third).map(|((a, b), c)| {
            let difference = c - 2.0 * b + a;
            difference * difference
        });
        let tau = m as f64 * self.interval;
        squares.sum::<f64>() / (2.0 * tau * tau * third.len() as f64)
    }
}

#[test]
fn it_is_that_of_the_published_test_suite() {
    // NIST SP 1065, section 12.4: 1000 numbers of a generator, and their overlapping Allan deviations.
    let mut n = 1_234_567_890_u64;
    let numbers: Vec<f64> = (0..1000)
        .map(|_| {
            let number = n as f64 / 2_147_483_647.0;
            n = 16_807 * n % 2_147_483_647;
            number
        })
        .collect();
    for (m, published) in [(1, 2.922_319e-1), (10, 9.159_953e-2), (100, 3.241_343e-2)] {
        let ours = Record::new(&numbers, 1.0).allan_variance(m).sqrt();
        assert!((ours - published).abs() < 1e-7, "{m}: {ours}");
    }
}

#[test]
fn a_ramp_has_its_slope_over_root_two() {
    let ramp: Vec<f64> = (0..1000).map(|k| 3.0 + 0.25 * k as f64).collect();
    let deviation = Record::new(&ramp, 0.5).allan_variance(40).sqrt();
    // Slope 0.5 per second, averaged over 20 s.
    assert!((deviation - 0.5 * 20.0 / 2f64.sqrt()).abs() < 1e-9, "{deviation}");
}
