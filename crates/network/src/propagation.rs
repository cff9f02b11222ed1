//! How strong a radio signal arrives, and how many packets that costs.
//!
//! ```text
//! P = power + 2 gain - L(d) - X                 dBm, strength of a packet
//! L(d) = 20 log10(4π f / c) + 10 n log10(d)     dB, path loss over d metres (log-distance model)
//! X ~ N(0, fading)                              dB, anew for each packet
//! ```
//!
//! The bits are those of frequency-shift keying that is received without its phase (J. G. Proakis, *Digital
//! Communications*, section 4.5: binary orthogonal signals, noncoherent detection). With γ the energy of a bit over the
//! noise density,
//!
//! ```text
//! bit error rate e = ½ exp(-γ / 2)
//! γ = γ₀ 10^((P - sensitivity) / 10)            γ₀ = -2 ln(2 · 10⁻³): one bit in 1000 wrong at the sensitivity
//! packet error rate = 1 - (1 - e)^bits
//! ```

use std::f64::consts::PI;

use ironbird_component::Parameters;
use ironbird_kernel::{Duration, RandomStream};

/// Metres per second.
const SPEED_OF_LIGHT: f64 = 299_792_458.0;
/// Nearer than this the formula of the path loss does not hold.
const NEAREST: f64 = 1.0;
/// What a station shows before it has heard anything, in dBm.
pub(crate) const SILENCE: f64 = -200.0;

/// The radios and what is between them.
#[derive(Clone, Parameters)]
pub struct Propagation {
    /// Carrier frequency.
    #[parameter(unit = "MHz", default = 433.0, min = 1, max = 1e6)]
    frequency: f64,
    /// What a transmitter gives, in dBm: 20 is 100 mW.
    #[parameter(default = 20.0, min = -60, max = 90)]
    power: f64,
    /// Gain of each antenna in dBi.
    #[parameter(default = 2.0, min = -60, max = 60)]
    gain: f64,
    /// The strength in dBm at which one bit in 1000 is wrong.
    #[parameter(default = -105.0, min = -200, max = 0)]
    sensitivity: f64,
    /// How fast the signal gets weaker: 2 in free space, about 3 over ground, 4 among houses.
    #[parameter(default = 2.3, min = 1, max = 8)]
    exponent: f64,
    /// Standard deviation of the strength from packet to packet, in dB.
    #[parameter(default = 3.0, min = 0, max = 40)]
    fading: f64,
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reception {
    /// In dBm.
    pub strength: f64,
    pub is_right: bool,
}

impl Propagation {
    /// Strength in dBm over a distance in metres, without fading.
    pub(crate) fn mean_strength(&self, distance: f64) -> f64 {
        let first_metre = 20.0 * libm::log10(4.0 * PI * 1e6 * self.frequency / SPEED_OF_LIGHT);
        let loss = first_metre + 10.0 * self.exponent * libm::log10(distance.max(NEAREST));
        self.power + 2.0 * self.gain - loss
    }

    /// The probability that a packet of so many bytes has no wrong bit.
    pub(crate) fn right(&self, strength: f64, bytes: u64) -> f64 {
        let at_sensitivity = -2.0 * libm::log(2e-3);
        let margin = libm::pow(10.0, (strength - self.sensitivity) / 10.0);
        let bit_error = 0.5 * libm::exp(-0.5 * at_sensitivity * margin);
        libm::exp(8.0 * bytes as f64 * libm::log1p(-bit_error))
    }

    /// Lets a packet of so many bytes arrive over a distance in metres, or not.
    pub(crate) fn receive(&self, distance: f64, bytes: u64, fate: &mut RandomStream) -> Reception {
        let strength = self.mean_strength(distance) - self.fading * fate.normal();
        Reception { strength, is_right: fate.chance(self.right(strength, bytes)) }
    }
}

/// How far two places are apart, in metres.
pub(crate) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    libm::sqrt(x * x + y * y + z * z)
}

/// How long a signal is on its way over so many metres.
pub(crate) fn travel_time(distance: f64) -> Duration {
    Duration::from_secs_f64_ceil(distance / SPEED_OF_LIGHT).unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free_space() -> Propagation {
        Propagation {
            frequency: 433.0,
            power: 20.0,
            gain: 2.0,
            sensitivity: -105.0,
            exponent: 2.0,
            fading: 0.0,
        }
    }

    #[test]
    fn free_space_at_433_megahertz_costs_85_decibels_over_a_kilometre() {
        // Friis: 32.44 + 20 log10(433) + 20 log10(1) = 85.17 dB.
        let strength = free_space().mean_strength(1000.0);
        assert!((strength - (24.0 - 85.17)).abs() < 0.01, "{strength}");
        let near = free_space().mean_strength(0.0);
        assert_eq!(near, free_space().mean_strength(1.0));
    }

    #[test]
    fn at_the_sensitivity_one_bit_in_1000_is_wrong() {
        let right = free_space().right(-105.0, 1);
        assert!((right - libm::pow(0.999, 8.0)).abs() < 1e-12, "{right}");
        let packet = free_space().right(-105.0, 100);
        assert!((packet - libm::pow(0.999, 800.0)).abs() < 1e-12, "{packet}");
    }

    #[test]
    fn three_decibels_more_make_almost_all_packets_right() {
        assert!(free_space().right(-102.0, 250) > 0.995);
        assert!(free_space().right(-108.0, 250) < 1e-9);
    }

    #[test]
    fn light_takes_a_microsecond_for_300_metres() {
        assert_eq!(travel_time(299.792_458).as_ps(), 1_000_000);
        assert_eq!(distance([1.0, 2.0, 2.0], [0.0; 3]), 3.0);
    }
}
