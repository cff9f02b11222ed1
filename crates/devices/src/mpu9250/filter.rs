//! The digital low pass of a sensor: the data sheet's bandwidth, and its delay.
//!
//! ```text
//! y[k] = a y[k-1] + (1 - a) u[k]        |H(2π f_c/f_s)|² = 1/2:  a = (2 - c) - √((2 - c)² - 1),  c = cos(2π f_c/f_s)
//! output = y, delayed by what its own delay a/(1 - a)/f_s lacks of the data sheet's
//! ```
//!
//! All delays of the data sheet are those of a first-order low pass plus about 2 ms (gyroscope) or 1.2 ms
//! (accelerometer) of the 1 kHz filters.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

/// Bandwidth in Hz, delay in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    pub bandwidth: f64,
    pub delay: f64,
}

/// How many past values are kept.
const KEPT: usize = 8;

/// A low pass of three axes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LowPass {
    weight: f64,
    /// Of the delay that is added: whole samples, and the share of one more.
    delay: usize,
    share: f64,
    smooth: [f64; 3],
    past: [[f64; 3]; KEPT],
    newest: usize,
    is_running: bool,
}

impl LowPass {
    /// Sets bandwidth and delay for a rate in Hz; what went in stays in.
    pub fn tune(&mut self, band: Band, rate: f64) {
        let c = libm::cos(TAU * (band.bandwidth / rate).min(0.5));
        let a = (2.0 - c) - ((2.0 - c) * (2.0 - c) - 1.0).sqrt();
        let lacking = (band.delay * rate - a / (1.0 - a)).clamp(0.0, (KEPT - 2) as f64);
        self.weight = 1.0 - a;
        self.delay = lacking as usize;
        self.share = lacking - self.delay as f64;
    }

    /// The next sample: what comes in, and what goes out. The first one fills all of the past.
    #[inline]
    pub fn step(&mut self, value: [f64; 3]) -> [f64; 3] {
        if !self.is_running {
            self.is_running = true;
            (self.smooth, self.past) = (value, [value; KEPT]);
        }
        for (smooth, value) in self.smooth.iter_mut().zip(value) {
            *smooth += self.weight * (value - *smooth);
        }
        self.newest = (self.newest + 1) % KEPT;
        self.past[self.newest] = self.smooth;
        let later = self.past[(self.newest + KEPT - self.delay) % KEPT];
        let earlier = self.past[(self.newest + KEPT - self.delay - 1) % KEPT];
        std::array::from_fn(|axis| later[axis] + self.share * (earlier[axis] - later[axis]))
    }

    /// Forgets what went in.
    pub fn clear(&mut self) {
        self.is_running = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer to a sine: amplitude and phase, by correlation over whole periods.
    fn response(band: Band, rate: f64, frequency: f64) -> (f64, f64) {
        let mut filter = LowPass::default();
        filter.tune(band, rate);
        let omega = TAU * frequency / rate;
        let settled = (20.0 * rate / band.bandwidth) as u32;
        let count = (rate / frequency).round() as u32 * 20;
        let (mut in_phase, mut quadrature) = (0.0, 0.0);
        for k in 0..settled + count {
            let phase = omega * f64::from(k);
            let out = filter.step([libm::sin(phase), 0.0, 0.0])[0];
            if k >= settled {
                in_phase += out * libm::sin(phase);
                quadrature += out * libm::cos(phase);
            }
        }
        let n = f64::from(count) / 2.0;
        let (a, b) = (in_phase / n, quadrature / n);
        (libm::hypot(a, b), -libm::atan2(b, a) / (TAU * frequency))
    }

    #[test]
    fn at_the_bandwidth_half_of_the_power_is_left() {
        for (bandwidth, rate) in [(250.0, 8000.0), (50.0, 1000.0), (20.0, 1000.0), (5.0, 1000.0)] {
            let (amplitude, _) = response(Band { bandwidth, delay: 0.0 }, rate, bandwidth);
            assert!((amplitude * amplitude - 0.5).abs() < 0.01, "{bandwidth}: {amplitude}");
        }
    }

    #[test]
    fn slow_signals_are_late_by_the_delay() {
        for (bandwidth, rate, delay) in [
            (250.0, 8000.0, 0.97e-3),
            (184.0, 1000.0, 2.9e-3),
            (41.0, 1000.0, 5.9e-3),
            (5.0, 1000.0, 33.48e-3),
        ] {
            // Whole samples in a period.
            let slow = rate / f64::round(50.0 * rate / bandwidth);
            let (_, late) = response(Band { bandwidth, delay }, rate, slow);
            assert!((late - delay).abs() < 0.01 * delay, "{bandwidth}: {late}");
        }
    }
}
