//! A servo: pulses become an angle, as fast as it can turn.
//!
//! ```text
//! target = trim ± travel (2 (width - low)/(high - low) - 1), within lower … upper
//! |angle'| <= speed
//! ```

use std::f64::consts::FRAC_PI_4;

use ironbird_component::Parameters;
use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

use crate::device::{Device, DeviceParameters, Fault, FaultMode, Line, Moment, Quantity, Shown};
use crate::throttle::PulseRange;
use crate::{Pulse, SerialByte};

/// How often a servo that moves shows its angle.
const STEP: Duration = Duration::from_ms(1);

/// What can be set of a servo.
#[derive(Clone, Debug, Parameters)]
pub struct ServoParameters {
    #[group]
    pulses: PulseRange,
    /// How far it turns to either side between the middle and the ends of the range.
    #[parameter(unit = "rad", default = FRAC_PI_4, min = 0)]
    travel: f64,
    /// Its angle at a pulse in the middle of the range, and at the start.
    #[parameter(unit = "rad", default = 0.0)]
    trim: f64,
    /// Whether wider pulses turn it the other way.
    #[parameter(default = false)]
    reversed: bool,
    /// Where it is stopped.
    #[parameter(unit = "rad", default = -FRAC_PI_4)]
    lower: f64,
    /// Where it is stopped on the other side.
    #[parameter(unit = "rad", default = FRAC_PI_4)]
    upper: f64,
    /// How fast it turns: 60 deg in 0.15 s is 7 rad/s.
    #[parameter(unit = "rad/s", default = 7.0, above = 0)]
    speed: f64,
    #[group]
    fault: Fault,
}

impl DeviceParameters for ServoParameters {
    fn fault(&self) -> &Fault {
        &self.fault
    }

    fn factor(&self, _: Quantity, _: usize) -> u32 {
        0
    }

    fn check(&self) -> Result<(), String> {
        self.pulses.check()?;
        if self.lower <= self.upper {
            return Ok(());
        }
        Err("`lower` must not be more than `upper`".into())
    }
}

/// A servo.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Servo {
    angle: f64,
    target: f64,
    /// When it moves on.
    moves: Option<Time>,
}

impl Device for Servo {
    type Parameters = ServoParameters;

    const TYPE: &'static str = "device.servo";
    const DOC: &'static str = "\
A servo: pulses become an angle.

It turns towards the angle of the last pulse no faster than it can, within its stops. Without pulses it holds.";
    const LINE: Line = Line::Pulses;
    const MEASURES: &'static [Quantity] = &[];
    const SHOWS: &'static [Shown] = &[Shown {
        name: "angle",
        unit: Some("rad"),
        doc: "Where it is, every 1 ms while it moves.",
    }];
    const FAULTS: &'static [FaultMode] =
        &[FaultMode::Dead, FaultMode::Stuck, FaultMode::Intermittent];

    fn start(&mut self, moment: &mut Moment<'_, ServoParameters>) {
        let ServoParameters { trim, lower, upper, .. } = *moment.parameters;
        let angle = trim.clamp(lower, upper);
        *self = Servo { angle, target: angle, moves: None };
    }

    fn pulse(&mut self, moment: &mut Moment<'_, ServoParameters>, pulse: Pulse) {
        let parameters = moment.parameters;
        if moment.has(FaultMode::Dead) || moment.has(FaultMode::Stuck) {
            return;
        }
        let Some(place) = parameters.pulses.place(&pulse) else { return };
        let share = 2.0 * place / parameters.pulses.span() - 1.0;
        let side = if parameters.reversed { -share } else { share };
        let target = parameters.trim + parameters.travel * side;
        self.target = target.clamp(parameters.lower, parameters.upper);
        if self.target != self.angle && self.moves.is_none() {
            self.moves = Some(moment.now + STEP);
        }
    }

    fn next_event(&self) -> Time {
        self.moves.unwrap_or(Time::NEVER)
    }

    fn act(&mut self, moment: &mut Moment<'_, ServoParameters>) -> Option<SerialByte> {
        if moment.has(FaultMode::Dead) || moment.has(FaultMode::Stuck) {
            // Without power it stays where it is, until a pulse finds it well.
            self.moves = None;
            return None;
        }
        let most = moment.parameters.speed * STEP.as_secs_f64();
        let way = self.target - self.angle;
        let arrives = way.abs() <= most;
        self.angle = if arrives { self.target } else { self.angle + most.copysign(way) };
        self.moves = (!arrives).then_some(moment.now + STEP);
        None
    }

    fn show(&self, _: &ServoParameters, _: FaultMode, _: usize) -> f64 {
        self.angle
    }
}
