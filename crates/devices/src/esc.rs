//! A motor's speed controller (ESC): pulses become a speed.
//!
//! ```text
//! share = (width - low - dead band) / (high - low - dead band), in `steps` steps
//! speed = share · max_speed             curve = "speed"
//! speed = √share · max_speed            curve = "thrust": thrust, which grows with speed², is linear in the share
//! ```

use ironbird_component::{Choice, Parameters};
use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

use crate::device::{Device, DeviceParameters, Fault, FaultMode, Line, Moment, Quantity, Shown};
use crate::throttle::PulseRange;
use crate::{Pulse, SerialByte};

/// What is linear in the command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Curve {
    /// The speed.
    #[default]
    Speed,
    /// The thrust of a propeller.
    Thrust,
}

/// What can be set of a speed controller.
#[derive(Clone, Debug, Parameters)]
pub struct EscParameters {
    #[group]
    pulses: PulseRange,
    /// By how much a pulse must be wider than the lowest before the motor turns.
    #[parameter(unit = "us", default = 10.0, min = 0)]
    dead_band: f64,
    /// How long the lowest pulses must come before it obeys others.
    #[parameter(unit = "s", default = 0.3, min = 0)]
    arming_time: f64,
    /// After how long without pulses it stops the motor; it must then be armed again.
    #[parameter(unit = "s", default = 0.25, above = 0)]
    timeout: f64,
    /// Speed of the motor at the widest pulse.
    #[parameter(unit = "rad/s", default = 1000.0, above = 0)]
    max_speed: f64,
    /// What is linear in the command.
    #[parameter(default = Curve::Speed)]
    curve: Curve,
    /// How many steps the command has; 0: it is not rounded.
    #[parameter(default = 1000)]
    steps: u32,
    #[group]
    fault: Fault,
}

impl DeviceParameters for EscParameters {
    fn fault(&self) -> &Fault {
        &self.fault
    }

    fn factor(&self, _: Quantity, _: usize) -> u32 {
        0
    }

    fn check(&self) -> Result<(), String> {
        self.pulses.check()?;
        if self.dead_band < self.pulses.span() {
            return Ok(());
        }
        Err("`dead_band` must be less than the range of the pulses".into())
    }
}

/// A speed controller.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Esc {
    /// Since when the lowest pulses come.
    low_since: Option<Time>,
    is_armed: bool,
    /// When it stops for lack of pulses.
    stops: Option<Time>,
    share: f64,
}

impl Esc {
    fn switch_off(&mut self) {
        *self = Esc::default();
    }

    fn obey(&mut self, parameters: &EscParameters, now: Time, place: f64) {
        let beyond = (place - parameters.dead_band).max(0.0);
        if beyond > 0.0 {
            self.low_since = None;
        } else {
            let since = *self.low_since.get_or_insert(now);
            self.is_armed |= now.since(since).as_secs_f64() >= parameters.arming_time;
        }
        if self.is_armed {
            let share = beyond / (parameters.pulses.span() - parameters.dead_band);
            self.share = match parameters.steps {
                0 => share,
                steps => (share * f64::from(steps)).round_ties_even() / f64::from(steps),
            };
        }
    }
}

impl Device for Esc {
    type Parameters = EscParameters;

    const TYPE: &'static str = "device.esc";
    const DOC: &'static str = "\
A speed controller of a motor: pulses become a speed.

It obeys pulses of 1000 to 2000 us at any frequency, or an eighth as wide (OneShot125), after it has seen the lowest ones \
for a while; without pulses it stops the motor. `speed` is for motors that are told a speed, `share` for those that are \
told a share of what they can.";
    const LINE: Line = Line::Pulses;
    const MEASURES: &'static [Quantity] = &[];
    const SHOWS: &'static [Shown] = &[
        Shown { name: "speed", unit: Some("rad/s"), doc: "The speed that the motor is told." },
        Shown { name: "share", unit: Some("1"), doc: "The command, 0 to 1." },
        Shown { name: "armed", unit: None, doc: "Whether it obeys." },
    ];
    const FAULTS: &'static [FaultMode] =
        &[FaultMode::Dead, FaultMode::Stuck, FaultMode::Intermittent];

    fn start(&mut self, _: &mut Moment<'_, EscParameters>) {
        self.switch_off();
    }

    fn pulse(&mut self, moment: &mut Moment<'_, EscParameters>, pulse: Pulse) {
        if moment.has(FaultMode::Dead) {
            return self.switch_off();
        }
        let parameters = moment.parameters;
        let Some(place) = parameters.pulses.place(&pulse) else { return };
        let timeout = Duration::from_secs_f64_ceil(parameters.timeout);
        self.stops = timeout.map(|timeout| moment.now + timeout);
        self.obey(parameters, moment.now, place);
    }

    fn next_event(&self) -> Time {
        self.stops.unwrap_or(Time::NEVER)
    }

    fn act(&mut self, _: &mut Moment<'_, EscParameters>) -> Option<SerialByte> {
        self.switch_off();
        None
    }

    fn show(&self, parameters: &EscParameters, fault: FaultMode, output: usize) -> f64 {
        let share = if fault == FaultMode::Dead { 0.0 } else { self.share };
        match (output, parameters.curve) {
            (0, Curve::Speed) => share * parameters.max_speed,
            (0, Curve::Thrust) => share.sqrt() * parameters.max_speed,
            (1, _) => share,
            _ => f64::from(u8::from(self.is_armed && fault != FaultMode::Dead)),
        }
    }
}
