//! Random numbers that belong to a component, not to the order in which components run.
//!
//! A stream is keyed by a hash of (seed, repetition, component path, stream name). Its numbers are
//! a function of that key and a counter (Philox 2x64-10; Salmon et al., SC 2011), so a model that
//! is added, removed or moved leaves the numbers of all others as they were. A periodic component
//! draws at (tick, index): after a drop-out it finds the numbers it would have had anyway. Other
//! models count their draws.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::box_muller::box_muller;

/// What all streams of a run are derived from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// The experiment's seed.
    pub seed: u64,
    /// Which repetition of the experiment this is.
    pub repetition: u64,
}

/// One stream of one component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomStream {
    key: u64,
    tick: u64,
    index: u64,
    /// The second half of the last 128 bits, for the next odd index.
    spare: u64,
}

/// Ten rounds of Philox 2x64 with the constants of the paper: 128 random bits for every pair of
/// key and counter.
fn philox_2x64(key: u64, counter: [u64; 2]) -> [u64; 2] {
    const MULTIPLIER: u64 = 0xD2B7_4407_B1CE_6E93;
    const WEYL: u64 = 0x9E37_79B9_7F4A_7C15;
    let [mut low, mut high] = counter;
    let mut key = key;
    for _ in 0..10 {
        let product = u128::from(low) * u128::from(MULTIPLIER);
        (low, high) = ((product >> 64) as u64 ^ key ^ high, product as u64);
        key = key.wrapping_add(WEYL);
    }
    [low, high]
}

impl RandomStream {
    /// The stream `name` of the component at `path`.
    pub fn new(seed: Seed, path: &str, name: &str) -> Self {
        // Lengths in front: ("ab", "c") and ("a", "bc") are different streams.
        let mut text = Vec::with_capacity(32 + path.len() + name.len());
        text.extend_from_slice(&seed.seed.to_le_bytes());
        text.extend_from_slice(&seed.repetition.to_le_bytes());
        text.extend_from_slice(&(path.len() as u64).to_le_bytes());
        text.extend_from_slice(path.as_bytes());
        text.extend_from_slice(name.as_bytes());
        RandomStream::from_key(xxh3_64(&text))
    }

    /// The stream of a key of one's own choice, for use outside a simulation.
    pub fn from_key(key: u64) -> Self {
        RandomStream { key, tick: 0, index: 0, spare: 0 }
    }

    /// Moves to the first number of `tick`.
    pub fn seek(&mut self, tick: u64) {
        (self.tick, self.index) = (tick, 0);
    }

    /// Moves to `tick`; within it, goes on. What was drawn before the first step belongs to tick 0.
    #[inline]
    pub fn go_to(&mut self, tick: u64) {
        if self.tick != tick {
            self.seek(tick);
        }
    }

    /// 64 random bits: number i of a tick is word i mod 2 of counter (i div 2, tick).
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.index += 1;
        if self.index.is_multiple_of(2) {
            return self.spare;
        }
        let [bits, spare] = philox_2x64(self.key, [self.index / 2, self.tick]);
        self.spare = spare;
        bits
    }

    /// Uniform in [0, 1): a multiple of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        to_unit(self.bits())
    }

    /// A whole number in 0..bound, without bias (Lemire's method); 0 for an empty range.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.bits()) * u128::from(bound);
            if product as u64 >= threshold {
                return (product >> 64) as u64;
            }
        }
    }

    /// True with `probability`.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Exponential with mean 1, by the ziggurat of Marsaglia and Tsang (J. Stat. Software 5(8), 2000)
    /// with 256 layers: most draws cost one product and one comparison.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        let ziggurat = Ziggurat::get();
        let mut offset = 0.0;
        loop {
            let bits = self.bits();
            let layer = (bits & 0xff) as usize;
            // The upper 53 bits are a uniform number; the lower 8 choose the layer.
            let x = to_unit(bits) * ziggurat.x[layer];
            if x < ziggurat.x[layer + 1] {
                return offset + x;
            }
            if layer == 0 {
                // The tail is the distribution itself, moved.
                offset += ziggurat.x[1];
                continue;
            }
            let (high, low) = (ziggurat.f[layer + 1], ziggurat.f[layer]);
            if low + self.uniform() * (high - low) < libm::exp(-x) {
                return offset + x;
            }
        }
    }

    /// Normal with mean 0 and deviation 1: Box and Muller's sqrt(-2 ln u) cos(2 pi v). The second
    /// number of the pair is not kept, so that a draw depends on its index alone.
    pub fn normal(&mut self) -> f64 {
        let (first, second) = (self.bits(), self.bits());
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - to_unit(first)));
        radius * libm::cos(2.0 * std::f64::consts::PI * to_unit(second))
    }

    /// As many draws of [`normal`](RandomStream::normal), with the same bits: the processor works on several at a time.
    pub fn normals<const N: usize>(&mut self) -> [f64; N] {
        const LANES: usize = 4;
        let mut all = [0.0; N];
        for some in all.chunks_mut(LANES) {
            let (mut u, mut v) = ([1.0; LANES], [0.0; LANES]);
            for (u, v) in u.iter_mut().zip(&mut v).take(some.len()) {
                (*u, *v) = (1.0 - self.uniform(), self.uniform());
            }
            some.copy_from_slice(&box_muller(u, v)[..some.len()]);
        }
        all
    }
}

/// Uniform in [0, 1) of uniform bits.
#[inline]
fn to_unit(bits: u64) -> f64 {
    (bits >> 11) as f64 * UNIT
}

/// 2^-53.
const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

/// Layers of equal area under exp(-x): layer i reaches from 0 to x[i] and from f[i] to f[i+1]; the
/// lowest one, 0, has the tail beyond x[1] in it.
struct Ziggurat {
    x: [f64; 257],
    f: [f64; 257],
}

impl Ziggurat {
    /// Where the tail begins, and the area of a layer, for 256 layers (Marsaglia and Tsang).
    const R: f64 = 7.697_117_470_131_05;
    const AREA: f64 = 0.003_949_659_822_581_557;

    #[inline]
    fn get() -> &'static Ziggurat {
        static TABLE: OnceLock<Ziggurat> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut x = [0.0; 257];
            x[0] = Ziggurat::AREA / libm::exp(-Ziggurat::R);
            x[1] = Ziggurat::R;
            for i in 2..256 {
                x[i] = -libm::log(Ziggurat::AREA / x[i - 1] + libm::exp(-x[i - 1]));
            }
            let f = x.map(|x| libm::exp(-x));
            Ziggurat { x, f }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known answers published with Random123 for Philox 2x64-10.
    #[test]
    fn philox_gives_the_published_numbers() {
        assert_eq!(philox_2x64(0, [0, 0]), [0xca00_a045_9843_d731, 0x66c2_4222_c9a8_45b5]);
        let ones = u64::MAX;
        assert_eq!(philox_2x64(ones, [ones, ones]), [0x65b0_21d6_0cd8_310f, 0x4d02_f322_2f86_df20]);
    }

    #[test]
    fn several_normal_numbers_are_those_that_come_one_by_one() {
        for before in 0..3 {
            let mut together = stream();
            for _ in 0..before {
                together.bits();
            }
            let mut apart = together.clone();
            let one_by_one = [(); 5].map(|()| apart.normal());
            assert_eq!(together.normals::<5>(), one_by_one);
            assert_eq!(together, apart);
        }
    }

    fn stream() -> RandomStream {
        RandomStream::new(Seed { seed: 7, repetition: 0 }, "sensors.dvl", "noise")
    }

    #[test]
    fn numbers_after_a_drop_out_are_those_without_it() {
        let mut whole = stream();
        let all: Vec<_> = (0..10)
            .map(|tick| {
                whole.seek(tick);
                [whole.normal(), whole.normal()]
            })
            .collect();
        let mut resumed = stream();
        resumed.seek(6);
        assert_eq!([resumed.normal(), resumed.normal()], all[6]);
    }

    #[test]
    fn every_part_of_the_key_matters() {
        let base = stream().bits();
        let others = [
            RandomStream::new(Seed { seed: 8, repetition: 0 }, "sensors.dvl", "noise"),
            RandomStream::new(Seed { seed: 7, repetition: 1 }, "sensors.dvl", "noise"),
            RandomStream::new(Seed { seed: 7, repetition: 0 }, "sensors.dv", "lnoise"),
            RandomStream::new(Seed { seed: 7, repetition: 0 }, "sensors.dvl", "drift"),
        ];
        assert!(others.into_iter().all(|mut other| other.bits() != base));
    }

    #[test]
    fn distributions_have_their_mean_and_deviation() {
        let (mut stream, n) = (stream(), 200_000);
        let mut moments = |draw: fn(&mut RandomStream) -> f64| {
            let draws: Vec<f64> = (0..n).map(|_| draw(&mut stream)).collect();
            let mean = draws.iter().sum::<f64>() / f64::from(n);
            let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            (mean, libm::sqrt(variance / f64::from(n)))
        };
        let near = |(mean, deviation): (f64, f64), m: f64, d: f64| {
            assert!((mean - m).abs() < 0.01 && (deviation - d).abs() < 0.01, "{mean} {deviation}");
        };
        near(moments(RandomStream::uniform), 0.5, libm::sqrt(1.0 / 12.0));
        near(moments(RandomStream::exponential), 1.0, 1.0);
        near(moments(RandomStream::normal), 0.0, 1.0);
        // The quantiles of the exponential, the tail beyond the ziggurat's base among them.
        let draws: Vec<f64> = (0..2_000_000).map(|_| stream.exponential()).collect();
        for at in [0.01, 0.1, 0.7, 2.0, 5.0, 7.6, 7.8, 9.0] {
            let (above, expected) =
                (draws.iter().filter(|x| **x > at).count() as f64, libm::exp(-at));
            let deviation = libm::sqrt(2e6 * expected * (1.0 - expected));
            assert!((above - 2e6 * expected).abs() < 4.5 * deviation, "{at}: {above}");
        }
        let mut counts = [0u32; 6];
        (0..60_000).for_each(|_| counts[stream.below(6) as usize] += 1);
        assert!(counts.iter().all(|&c| (9_600..10_400).contains(&c)), "{counts:?}");
    }
}
