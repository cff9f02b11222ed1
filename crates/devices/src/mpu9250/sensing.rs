//! Gyroscope, accelerometer and thermometer: from what is true to the words in the registers.
//!
//! ```text
//! truth along the chip's axes + offset + white noise ─► low pass, delay ─► ·sensitivity ─► rounded, 16 bits
//! ```
//!
//! White noise of density n at the rate f has the deviation n √(f/2), so that what passes the low pass has the density
//! of the data sheet and the power of its bandwidth.

use ironbird_kernel::{Grid, RandomStream, Rate, Time};
use ironbird_kinematics::STANDARD_GRAVITY;
use serde::{Deserialize, Serialize};

use super::filter::{Band, LowPass};
use super::register_map::*;

/// Gyroscope with DLPF_CFG 0 … 7 (register map, CONFIG).
const GYROSCOPE: [Band; 8] = [
    Band { bandwidth: 250.0, delay: 0.97e-3 },
    Band { bandwidth: 184.0, delay: 2.9e-3 },
    Band { bandwidth: 92.0, delay: 3.9e-3 },
    Band { bandwidth: 41.0, delay: 5.9e-3 },
    Band { bandwidth: 20.0, delay: 9.9e-3 },
    Band { bandwidth: 10.0, delay: 17.85e-3 },
    Band { bandwidth: 5.0, delay: 33.48e-3 },
    Band { bandwidth: 3600.0, delay: 0.17e-3 },
];

/// Gyroscope without DLPF: Fchoice_b bit 0 set, or only bit 1.
const GYROSCOPE_WIDEST: Band = Band { bandwidth: 8800.0, delay: 0.064e-3 };
const GYROSCOPE_WIDE: Band = Band { bandwidth: 3600.0, delay: 0.11e-3 };

/// Accelerometer with A_DLPFCFG 0 … 7 (register map, ACCEL_CONFIG 2).
const ACCELEROMETER: [Band; 8] = [
    Band { bandwidth: 218.1, delay: 1.88e-3 },
    Band { bandwidth: 218.1, delay: 1.88e-3 },
    Band { bandwidth: 99.0, delay: 2.88e-3 },
    Band { bandwidth: 44.8, delay: 4.88e-3 },
    Band { bandwidth: 21.2, delay: 8.87e-3 },
    Band { bandwidth: 10.2, delay: 16.83e-3 },
    Band { bandwidth: 5.05, delay: 32.48e-3 },
    Band { bandwidth: 420.0, delay: 1.38e-3 },
];

/// Accelerometer without DLPF.
const ACCELEROMETER_WIDE: Band = Band { bandwidth: 1046.0, delay: 0.503e-3 };

/// Steps per deg/s for 250, 500, 1000 and 2000 deg/s.
const STEPS_PER_DEGREE: [f64; 4] = [131.0, 65.5, 32.8, 16.4];

/// Steps per g for 2, 4, 8 and 16 g.
const STEPS_PER_G: [f64; 4] = [16_384.0, 8_192.0, 4_096.0, 2_048.0];

/// The lowest rate of the filters in Hz.
const SLOW: u32 = 1_000;

/// Which rates the registers ask for, in Hz, and how often one sample shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Rates {
    gyroscope: u32,
    accelerometer: u32,
    divider: u32,
}

impl Rates {
    fn of(registers: &[u8]) -> Self {
        let at = |register: u8| registers[usize::from(register)];
        let bypassed = at(GYRO_CONFIG) & 3 != 0;
        let gyroscope = match at(CONFIG) & 7 {
            _ if bypassed => 32_000,
            0 | 7 => 8_000,
            _ => SLOW,
        };
        let accelerometer = if at(ACCEL_CONFIG2) & ACCEL_BYPASS != 0 { 4_000 } else { SLOW };
        // The divider works behind the 1 kHz filters only.
        let divider = if gyroscope == SLOW { 1 + u32::from(at(SMPLRT_DIV)) } else { 1 };
        Rates { gyroscope, accelerometer, divider }
    }

    fn base(self) -> u32 {
        self.gyroscope.max(self.accelerometer)
    }
}

/// How wrong a sensor is, in the units of its truth.
#[derive(Clone, Copy, Debug)]
pub struct Flaws {
    /// What it reads too much, beside what was drawn when power was switched on.
    pub offset: [f64; 3],
    /// Density of its noise, per √Hz.
    pub density: f64,
}

/// What is there to be measured, along the axes of the chip.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Truth {
    /// In rad/s.
    pub rate: [f64; 3],
    /// In m/s².
    pub force: [f64; 3],
    /// In K.
    pub temperature: f64,
}

/// The sensors of the chip.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sensing {
    pub truth: Truth,
    /// What was drawn when power was switched on.
    pub rate_offset: [f64; 3],
    pub force_offset: [f64; 3],
    /// The factory's words in the offset registers of the accelerometer.
    pub trim: [i16; 3],
    rates: Rates,
    /// The instants of its steps; none before power is switched on.
    grid: Option<Grid>,
    /// Steps of the faster filter since the anchor; samples of the gyroscope's.
    tick: u64,
    samples: u64,
    /// When the next step is.
    next: Time,
    gyroscope: LowPass,
    accelerometer: LowPass,
    rate: [f64; 3],
    force: [f64; 3],
}

impl Sensing {
    /// The registers ask for something else.
    pub fn configure(&mut self, now: Time, registers: &[u8]) {
        let rates = Rates::of(registers);
        if rates != self.rates {
            self.rates = rates;
            self.begin(now);
        }
        let at = |register: u8| registers[usize::from(register)];
        let gyroscope = match at(GYRO_CONFIG) & 3 {
            0 => GYROSCOPE[usize::from(at(CONFIG) & 7)],
            2 => GYROSCOPE_WIDE,
            _ => GYROSCOPE_WIDEST,
        };
        self.gyroscope.tune(gyroscope, f64::from(rates.gyroscope));
        let accelerometer = match at(ACCEL_CONFIG2) & ACCEL_BYPASS {
            0 => ACCELEROMETER[usize::from(at(ACCEL_CONFIG2) & 7)],
            _ => ACCELEROMETER_WIDE,
        };
        self.accelerometer.tune(accelerometer, f64::from(rates.accelerometer));
    }

    /// Sampling begins anew.
    pub fn restart(&mut self, now: Time) {
        self.begin(now);
        self.clear_filters();
    }

    fn begin(&mut self, now: Time) {
        let rate = Rate::new(u64::from(self.rates.base()), 1);
        self.grid = rate.ok().map(|rate| Grid::new(now, rate));
        (self.tick, self.samples) = (0, 0);
        self.look_ahead();
    }

    fn look_ahead(&mut self) {
        self.next = self.grid.map_or(Time::NEVER, |grid| grid.tick(self.tick + 1));
    }

    /// Forgets what is in the filters.
    pub fn clear_filters(&mut self) {
        self.gyroscope.clear();
        self.accelerometer.clear();
    }

    /// When the next step is.
    pub fn next_step(&self) -> Time {
        self.next
    }

    /// A step of the filters. Returns whether there is a sample to be shown.
    pub fn step(
        &mut self,
        now: Time,
        of_gyroscope: Flaws,
        of_accelerometer: Flaws,
        random: &mut RandomStream,
    ) -> bool {
        // The next one; after a time in which the component was stopped, the last one that it missed.
        self.tick = match now == self.next {
            true => self.tick + 1,
            false => self.grid.map_or(0, |grid| grid.count(now)),
        };
        self.look_ahead();
        let Rates { gyroscope, accelerometer, divider } = self.rates;
        let base = u64::from(self.rates.base());
        let is_due = |rate: u32| self.tick.is_multiple_of(base / u64::from(rate.max(1)));
        let (gyroscope_due, accelerometer_due) = (is_due(gyroscope), is_due(accelerometer));
        if accelerometer_due {
            let wrong = of_accelerometer.apply(
                self.truth.force,
                self.force_offset,
                f64::from(accelerometer),
                random,
            );
            self.force = self.accelerometer.step(wrong);
        }
        if !gyroscope_due {
            return false;
        }
        let wrong =
            of_gyroscope.apply(self.truth.rate, self.rate_offset, f64::from(gyroscope), random);
        self.rate = self.gyroscope.step(wrong);
        self.samples += 1;
        self.samples.is_multiple_of(u64::from(divider))
    }

    /// Whether the auxiliary bus has its turn at this sample: at 1 kHz at most, since a transfer takes longer than a
    /// sample of the fast modes.
    pub fn is_turn_of_auxiliary_bus(&self) -> bool {
        self.samples.is_multiple_of(u64::from(self.rates.gyroscope / SLOW).max(1))
    }

    /// The words of accelerometer, thermometer and gyroscope, as the registers ask for them, into their registers.
    pub fn show(&self, registers: &mut [u8]) {
        let at = |register: u8| registers[usize::from(register)];
        let word = |register: u8| i16::from_be_bytes([at(register), at(register + 1)]);
        let (gyroscope_scale, accelerometer_scale) =
            (usize::from(at(GYRO_CONFIG) >> 3 & 3), usize::from(at(ACCEL_CONFIG) >> 3 & 3));
        let (off, standby) = (at(PWR_MGMT_2), at(PWR_MGMT_1) & GYRO_STANDBY != 0);
        let mut words = [None; 7];
        for axis in 0..3usize {
            let bit = 4 >> axis;
            if off >> 3 & bit == 0 {
                // 15 bits in steps of 0.98 mg, against what the factory wrote.
                let written = word(XA_OFFSET_H + 3 * axis as u8) >> 1;
                let trimmed = f64::from(written) - f64::from(self.trim[axis] >> 1);
                let force = self.force[axis] / STANDARD_GRAVITY + 0.98e-3 * trimmed;
                words[axis] = Some(force * STEPS_PER_G[accelerometer_scale]);
            }
            if off & bit == 0 && !standby {
                // Offsets are in steps of the range of 1000 deg/s.
                let offset = f64::from(word(XG_OFFSET_H + 2 * axis as u8)) / STEPS_PER_DEGREE[2];
                let rate = self.rate[axis].to_degrees() + offset;
                words[4 + axis] = Some(rate * STEPS_PER_DEGREE[gyroscope_scale]);
            }
        }
        words[3] = Some((self.truth.temperature - 273.15 - 21.0) * 333.87);
        for (index, word) in words.into_iter().enumerate() {
            // An axis that is switched off keeps its last word.
            if let Some(word) = word {
                let place = usize::from(ACCEL_XOUT_H) + 2 * index;
                registers[place..place + 2].copy_from_slice(&nearest(word).to_be_bytes());
            }
        }
    }
}

/// The nearest whole number, of two the even one; at the ends of 16 bits what is too large. Doubles from 2^52 on have no
/// fractions, so a sum with such a number is rounded: faster than the call that `round_ties_even` is on processors of 2003.
fn nearest(value: f64) -> i16 {
    const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;
    (value.clamp(f64::from(i16::MIN), f64::from(i16::MAX)) + WHOLE - WHOLE) as i16
}

impl Flaws {
    /// What goes into the filter at this rate in Hz.
    #[inline]
    fn apply(
        self,
        truth: [f64; 3],
        drawn: [f64; 3],
        rate: f64,
        random: &mut RandomStream,
    ) -> [f64; 3] {
        let deviation = self.density * (rate / 2.0).sqrt();
        let noise = if deviation > 0.0 { random.normals() } else { [0.0; 3] };
        std::array::from_fn(|axis| {
            truth[axis] + self.offset[axis] + drawn[axis] + deviation * noise[axis]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_nearest_whole_numbers() {
        let ties = (-9..9).map(|k| f64::from(k) / 2.0);
        let more = [
            32_766.5,
            32_767.4,
            1e9,
            f64::INFINITY,
            -32_768.4,
            -1e300,
            f64::NAN,
            0.499_999_999_999_999_94,
        ];
        for value in ties.chain(more) {
            assert_eq!(nearest(value), value.round_ties_even() as i16, "{value}");
        }
    }
}
