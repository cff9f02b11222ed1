//! Signals of time: step, ramp, sine and square wave.

use std::f64::consts::TAU;

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalOut, Step};

use super::block_type::ShapedBlock;

/// A signal that jumps once.
#[derive(Component)]
#[component(type = "block.step", periodic, rate = "100 Hz")]
pub struct StepSource {
    /// When it jumps.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    time: f64,
    /// What it is before.
    #[parameter(default = 0.0)]
    before: f64,
    /// What it is from then on.
    #[parameter(default = 1.0)]
    after: f64,
    /// Unit of the signal, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    unit: String,
    /// The signal.
    #[output]
    out: SignalOut<f64>,
}

/// A signal that is constant, then goes straight, then is constant again.
#[derive(Component)]
#[component(type = "block.ramp", periodic, rate = "100 Hz", check = Self::check)]
pub struct Ramp {
    /// When it begins to change.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    start: f64,
    /// When it ends to change; if not given, never.
    #[parameter(unit = "s", default = 1e300, min = 0)]
    end: f64,
    /// What it is at first.
    #[parameter(default = 0.0)]
    initial: f64,
    /// How much it changes per second.
    #[parameter(default = 1.0)]
    slope: f64,
    /// Unit of the signal, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    unit: String,
    /// The signal.
    #[output]
    out: SignalOut<f64>,
}

/// A sine wave: offset + amplitude sin(2 π frequency t + phase).
#[derive(Component)]
#[component(type = "block.sine", periodic, rate = "100 Hz")]
pub struct Sine {
    /// Its greatest distance from `offset`.
    #[parameter(default = 1.0)]
    amplitude: f64,
    /// Cycles per second.
    #[parameter(unit = "Hz", above = 0)]
    frequency: f64,
    /// Phase at the time 0 s.
    #[parameter(unit = "rad", default = 0.0)]
    phase: f64,
    /// Its mean.
    #[parameter(default = 0.0)]
    offset: f64,
    /// Unit of the signal, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    unit: String,
    /// The signal.
    #[output]
    out: SignalOut<f64>,
}

/// A square wave: `high` during the first part of every period, then `low`.
#[derive(Component)]
#[component(type = "block.square", periodic, rate = "100 Hz")]
pub struct Square {
    /// How long a cycle lasts.
    #[parameter(unit = "s", above = 0)]
    period: f64,
    /// The part of the period during which it is high.
    #[parameter(default = 0.5, min = 0, max = 1)]
    duty: f64,
    /// When the first cycle begins; before, it is low.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    start: f64,
    /// What it is while it is high.
    #[parameter(default = 1.0)]
    high: f64,
    /// What it is while it is low.
    #[parameter(default = 0.0)]
    low: f64,
    /// Unit of the signal, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    unit: String,
    /// The signal.
    #[output]
    out: SignalOut<f64>,
}

impl Ramp {
    fn check(&self) -> Result<(), String> {
        let Ramp { start, end, .. } = *self;
        if start <= end {
            return Ok(());
        }
        Err(format!("\"end\" ({end} s) must not be before \"start\" ({start} s)"))
    }
}

impl ShapedBlock for StepSource {}

impl ShapedBlock for Ramp {}

impl ShapedBlock for Sine {}

impl ShapedBlock for Square {}

impl Periodic for StepSource {
    fn step(&mut self, step: &mut Step<'_>) {
        let jumped = step.now().as_secs_f64() >= self.time;
        step.write(self.out, if jumped { self.after } else { self.before });
    }
}

impl Periodic for Ramp {
    fn step(&mut self, step: &mut Step<'_>) {
        let elapsed = step.now().as_secs_f64().clamp(self.start, self.end) - self.start;
        step.write(self.out, self.initial + self.slope * elapsed);
    }
}

impl Periodic for Sine {
    fn step(&mut self, step: &mut Step<'_>) {
        let angle = TAU * self.frequency * step.now().as_secs_f64() + self.phase;
        step.write(self.out, self.offset + self.amplitude * libm::sin(angle));
    }
}

impl Periodic for Square {
    fn step(&mut self, step: &mut Step<'_>) {
        let elapsed = step.now().as_secs_f64() - self.start;
        let cycles = elapsed / self.period;
        let high = elapsed >= 0.0 && cycles - cycles.floor() < self.duty;
        step.write(self.out, if high { self.high } else { self.low });
    }
}
