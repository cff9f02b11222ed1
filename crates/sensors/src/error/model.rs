//! The state of the error model, and its step from sample to sample.

use std::array;

use ironbird_kernel::{RandomIn, RandomStream, Start, Step, Time};
use serde::{Deserialize, Serialize};

use super::{ErrorTerms, Terms};
use crate::counter::nearest_mark;

/// The errors of a sensor of N axes; see [the equations](super).
///
/// It needs one random stream. Each of its processes draws at a place of its own in it, so that one
/// that is switched on leaves the numbers of the others as they were.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "[Axis; N]: Serialize", deserialize = "[Axis; N]: Deserialize<'de>"))]
pub(crate) struct ErrorModel<const N: usize> {
    axes: [Axis; N],
    last: Option<Sampled>,
    #[serde(skip)]
    needed: Needed,
}

/// What is random or grows, of one axis, and what follows from its parameters.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Axis {
    /// Drawn at the start.
    turn_on_bias: f64,
    turn_on_scale: f64,
    ramp: f64,
    walk: f64,
    instability: f64,
    #[serde(skip)]
    terms: Terms,
    /// φ and √(1 - φ²)·instability of the time between samples that [`Needed::elapsed`] names.
    #[serde(skip)]
    decay: f64,
    #[serde(skip)]
    renewal: f64,
}

/// When the last sample was taken.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Sampled {
    at: Time,
    tick: u64,
}

/// Which parts of the model have something to do.
#[derive(Clone, Copy, Debug, Default)]
struct Needed {
    anything: bool,
    noise: bool,
    walk: bool,
    instability: bool,
    /// The time between samples for which the axes know their decay.
    elapsed: Option<f64>,
}

/// Where in a tick of its stream a process draws.
#[derive(Clone, Copy)]
enum Process {
    Noise,
    Walk,
    Instability,
    /// In tick 0 only.
    TurnOn,
}

impl Process {
    /// Moves to the first number of this process in a tick.
    fn of(self, stream: &mut RandomStream, tick: u64) -> &mut RandomStream {
        stream.seek(tick.wrapping_mul(4).wrapping_add(self as u64));
        stream
    }
}

impl<const N: usize> Default for ErrorModel<N> {
    fn default() -> Self {
        let axes = array::from_fn(|_| Axis::default());
        ErrorModel { axes, last: None, needed: Needed::default() }
    }
}

impl<const N: usize> ErrorModel<N> {
    /// Takes the parameters; to be called whenever they are there or new.
    pub fn prepare(&mut self, terms: &impl ErrorTerms<N>) {
        for (axis, terms) in self.axes.iter_mut().zip(terms.axes()) {
            axis.terms = terms;
        }
        let any = |is: fn(&Axis) -> bool| self.axes.iter().any(is);
        self.needed = Needed {
            anything: any(Axis::errs),
            noise: any(|a| a.terms.noise > 0.0 || a.terms.noise_density > 0.0),
            walk: any(|a| a.terms.random_walk > 0.0),
            instability: any(|a| a.terms.instability > 0.0 || a.instability != 0.0),
            elapsed: None,
        };
        if !self.needed.anything {
            // Nothing grows while there is nothing.
            self.last = None;
        }
    }

    /// Draws what is drawn once.
    pub fn start(&mut self, terms: &impl ErrorTerms<N>, start: &mut Start<'_>, random: RandomIn) {
        let stream = Process::TurnOn.of(start.random(random), 0);
        *self = ErrorModel::default();
        for (axis, terms) in self.axes.iter_mut().zip(terms.axes()) {
            axis.turn_on_bias = terms.bias_spread * stream.normal();
            axis.turn_on_scale = terms.scale_spread * stream.normal();
            axis.instability = terms.instability * stream.normal();
        }
        self.prepare(terms);
    }

    /// Whether a reading is the truth, bit for bit.
    #[inline]
    pub fn is_ideal(&self) -> bool {
        !self.needed.anything
    }

    /// What is read where `truth` is there.
    #[inline]
    pub fn read(&mut self, step: &mut Step<'_>, random: RandomIn, truth: [f64; N]) -> [f64; N] {
        if self.is_ideal() { truth } else { self.err(step, random, truth) }
    }

    #[inline(never)]
    fn err(&mut self, step: &mut Step<'_>, random: RandomIn, truth: [f64; N]) -> [f64; N] {
        let (now, tick) = (step.now(), step.tick());
        let last = self.last.replace(Sampled { at: now, tick });
        let elapsed = last.map_or(0.0, |last| now.since(last.at).as_secs_f64());
        let ticks = last.map_or(0, |last| tick.saturating_sub(last.tick));
        let stream = step.random(random);
        for axis in &mut self.axes {
            axis.ramp += axis.terms.drift * elapsed;
        }
        if self.needed.walk {
            let stream = Process::Walk.of(stream, tick);
            for axis in &mut self.axes {
                axis.walk += axis.terms.random_walk * elapsed.sqrt() * stream.normal();
            }
        }
        if self.needed.instability {
            self.know_decay(elapsed);
            let stream = Process::Instability.of(stream, tick);
            for axis in &mut self.axes {
                axis.instability = axis.decay * axis.instability + axis.renewal * stream.normal();
            }
        }
        let mut noise = [0.0; N];
        if self.needed.noise {
            // 1/T: after a gap, still the time between two ticks.
            let rate = if elapsed > 0.0 { ticks as f64 / elapsed } else { 0.0 };
            let stream = Process::Noise.of(stream, tick);
            for (noise, axis) in noise.iter_mut().zip(&self.axes) {
                *noise = axis.noise(rate) * stream.normal();
            }
        }
        array::from_fn(|i| self.axes[i].reading(truth[i], noise[i]))
    }

    fn know_decay(&mut self, elapsed: f64) {
        if self.needed.elapsed == Some(elapsed) {
            return;
        }
        self.needed.elapsed = Some(elapsed);
        for axis in &mut self.axes {
            let exponent = -elapsed / axis.terms.instability_time;
            axis.decay = libm::exp(exponent);
            // 1 - φ² without loss where φ is near one.
            axis.renewal = axis.terms.instability * (-libm::expm1(2.0 * exponent)).sqrt();
        }
    }
}

impl Axis {
    /// Whether a reading may differ from the truth.
    fn errs(&self) -> bool {
        let Terms { bias, scale, drift, noise, noise_density, .. } = self.terms;
        let Terms { random_walk, instability, quantisation, saturation, .. } = self.terms;
        let set = [bias, scale, drift, noise, noise_density, random_walk, instability];
        let held = [self.turn_on_bias, self.turn_on_scale, self.ramp, self.walk, self.instability];
        let shown = [quantisation, saturation];
        set.into_iter().chain(held).chain(shown).any(|number| number != 0.0)
    }

    /// Standard deviation of the white noise of a sample at this rate.
    fn noise(&self, rate: f64) -> f64 {
        let Terms { noise, noise_density, .. } = self.terms;
        (noise * noise + noise_density * noise_density * rate).sqrt()
    }

    fn reading(&self, truth: f64, noise: f64) -> f64 {
        let terms = &self.terms;
        let gain = 1.0 + (terms.scale + self.turn_on_scale);
        let bias = terms.bias + self.turn_on_bias + self.ramp + self.walk + self.instability;
        let digits = nearest_mark(gain * truth + bias + noise, terms.quantisation);
        if terms.saturation > 0.0 {
            digits.clamp(-terms.saturation, terms.saturation)
        } else {
            digits
        }
    }
}
