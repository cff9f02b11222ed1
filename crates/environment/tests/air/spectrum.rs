//! Power in octave bands: Welch's periodogram with a Hann window.

use std::f64::consts::TAU;

/// Length of a segment.
pub const SEGMENT: usize = 4096;

/// The mean power of segments that overlap by half, in bands of bins 2ⁿ to 2ⁿ⁺¹, from bin 4 to half of the
/// sampling rate.
pub fn octaves(samples: &[f64]) -> Vec<f64> {
    let window: Vec<f64> =
        (0..SEGMENT).map(|k| 0.5 - 0.5 * libm::cos(TAU * k as f64 / SEGMENT as f64)).collect();
    let weight: f64 = window.iter().map(|w| w * w).sum();
    let mut power = vec![0.0; SEGMENT / 2];
    let mut segments = 0.0;
    for start in (0..=samples.len() - SEGMENT).step_by(SEGMENT / 2) {
        let mut re: Vec<f64> =
            samples[start..][..SEGMENT].iter().zip(&window).map(|(x, w)| x * w).collect();
        let mut im = vec![0.0; SEGMENT];
        transform(&mut re, &mut im);
        for (bin, sum) in power.iter_mut().enumerate() {
            *sum += re[bin] * re[bin] + im[bin] * im[bin];
        }
        segments += 1.0;
    }
    // One-sided, and per bin: the sum over all bins is the variance.
    let scale = 2.0 / (weight * SEGMENT as f64 * segments);
    bands().map(|(from, to)| scale * power[from..to].iter().sum::<f64>()).collect()
}

/// The bins of the bands.
pub fn bands() -> impl Iterator<Item = (usize, usize)> {
    (2..SEGMENT.ilog2() - 1).map(|n| (1 << n, 1 << (n + 1)))
}

/// The power that a spectrum over the frequency in Hz puts into the bands, with what sampling at `rate` folds
/// into them.
pub fn expected(rate: f64, density: impl Fn(f64) -> f64) -> Vec<f64> {
    let width = rate / SEGMENT as f64;
    let folded = |f: f64| {
        let images = (1..400).map(|k| {
            let image = f64::from(k) * rate;
            density(image - f) + density(image + f)
        });
        density(f) + images.sum::<f64>()
    };
    let bin = |bin: usize| width * folded(bin as f64 * width);
    bands().map(|(from, to)| (from..to).map(bin).sum()).collect()
}

/// The discrete Fourier transform of 2ⁿ numbers, in place (Cooley and Tukey).
fn transform(re: &mut [f64], im: &mut [f64]) {
    let count = re.len();
    for index in 0..count {
        let other = index.reverse_bits() >> (usize::BITS - count.ilog2());
        if other > index {
            re.swap(index, other);
            im.swap(index, other);
        }
    }
    let mut half = 1;
    while half < count {
        for k in 0..half {
            let (sine, cosine) = libm::sincos(-TAU * k as f64 / (2 * half) as f64);
            for at in (k..count).step_by(2 * half) {
                let far = at + half;
                let (x, y) = (re[far] * cosine - im[far] * sine, re[far] * sine + im[far] * cosine);
                (re[far], im[far]) = (re[at] - x, im[at] - y);
                (re[at], im[at]) = (re[at] + x, im[at] + y);
            }
        }
        half *= 2;
    }
}

#[test]
fn a_sinusoid_has_its_power_in_its_band() {
    let samples: Vec<f64> =
        (0..2 * SEGMENT).map(|k| 3.0 * libm::sin(TAU * 24.0 * k as f64 / SEGMENT as f64)).collect();
    for ((from, to), power) in bands().zip(octaves(&samples)) {
        let inside = (from..to).contains(&24);
        assert!((power - if inside { 4.5 } else { 0.0 }).abs() < 1e-9, "{from} to {to}: {power}");
    }
}
