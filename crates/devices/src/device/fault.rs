//! What may be wrong with a chip. Scenarios set it at an instant; chance decides where a mode says so.

use ironbird_component::{Choice, ParameterDescription, ParameterKind, Parameters};
use ironbird_kernel::{Duration, RandomStream, Time};
use serde::{Deserialize, Serialize};

/// A fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum FaultMode {
    /// All is well.
    #[default]
    None,
    /// It does not answer: a bus reads ones or sees no acknowledgement, a serial line is silent, a motor gets nothing.
    Dead,
    /// What it measures does not change any more; a servo does not move.
    Stuck,
    /// It is dead for a while and well for a while, by chance.
    Intermittent,
    /// It says that it is another chip; a barometer's calibration has a wrong check sum.
    WrongIdentity,
    /// It never acknowledges (I2C), and is dead on SPI.
    Nack,
    /// Bytes that it sends have a wrong bit, by chance.
    BitFlips,
    /// Nothing gets into the FIFO any more.
    FrozenFifo,
    /// Its noise is larger.
    Noise,
    /// It knows no height.
    #[choice(name = "2d-only")]
    TwoDimensional,
    /// It receives fewer satellites.
    SatellitesLost,
    /// It has no fix.
    NoFix,
}

/// What is wrong with a chip.
#[derive(Clone, Debug, Parameters)]
pub struct Fault {
    /// What is wrong.
    #[parameter(default = FaultMode::None)]
    pub mode: FaultMode,
    /// Share of time in which an intermittent chip is dead.
    #[parameter(default = 0.5, above = 0, below = 1)]
    pub duty: f64,
    /// How long an intermittent chip is dead on average; each time is drawn from an exponential distribution.
    #[parameter(unit = "s", default = 0.1, min = 1e-3)]
    pub mean_time: f64,
    /// How likely a byte has a wrong bit.
    #[parameter(default = 0.01, min = 0, max = 1)]
    pub probability: f64,
    /// By how much noise is larger.
    #[parameter(default = 10.0, min = 0)]
    pub noise: f64,
    /// How many satellites are lost.
    #[parameter(default = 6, min = 0, max = 60)]
    pub satellites: u32,
}

impl Fault {
    /// Whether a chip with these faults can have this one.
    pub(super) fn check(&self, possible: &[FaultMode]) -> Result<(), String> {
        if self.mode == FaultMode::None || possible.contains(&self.mode) {
            return Ok(());
        }
        let name = |mode: &FaultMode| FaultMode::NAMES[mode.number()];
        let names: Vec<_> = possible.iter().map(name).collect();
        let (mode, names) = (name(&self.mode), names.join(", "));
        Err(format!("this chip cannot have the fault \"{mode}\": its faults are none, {names}"))
    }

    /// The parameters of a chip without those of faults that it cannot have.
    pub(super) fn restrict(
        mut parameters: Vec<ParameterDescription>,
        possible: &[FaultMode],
    ) -> Vec<ParameterDescription> {
        parameters.retain(|one| belongs_to(&one.path).is_none_or(|mode| possible.contains(&mode)));
        let mode = parameters.iter_mut().find(|one| one.path == "fault.mode");
        if let Some(ParameterKind::Choice { variants }) = mode.map(|one| &mut one.kind) {
            let modes = [FaultMode::None].into_iter().chain(possible.iter().copied());
            *variants = modes.map(|mode| FaultMode::NAMES[mode.number()].into()).collect();
        }
        parameters
    }
}

/// The mode for which a parameter of [`Fault`] is there.
fn belongs_to(parameter: &str) -> Option<FaultMode> {
    match parameter {
        "fault.duty" | "fault.mean_time" => Some(FaultMode::Intermittent),
        "fault.probability" => Some(FaultMode::BitFlips),
        "fault.noise" => Some(FaultMode::Noise),
        "fault.satellites" => Some(FaultMode::SatellitesLost),
        _ => None,
    }
}

/// The chance in faults.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Chance {
    /// While it is intermittent: whether it is dead, and until when it stays so.
    phase: Option<(bool, Time)>,
}

impl Chance {
    /// What is wrong now. An intermittent chip is well at first.
    pub fn present(&mut self, now: Time, fault: &Fault, random: &mut RandomStream) -> FaultMode {
        if fault.mode != FaultMode::Intermittent {
            self.phase = None;
            return fault.mode;
        }
        let well = fault.mean_time * (1.0 - fault.duty) / fault.duty;
        let mut last = |dead: bool| {
            let mean = if dead { fault.mean_time } else { well };
            // A time that is too short to be told from none would never end.
            let drawn = Duration::from_secs_f64_ceil(mean * random.exponential());
            drawn.unwrap_or(Duration::FOREVER).max(Duration::from_us(1))
        };
        let (mut dead, mut until) = match self.phase {
            Some(phase) => phase,
            None => (false, now + last(false)),
        };
        while until <= now {
            dead = !dead;
            until += last(dead);
        }
        self.phase = Some((dead, until));
        if dead { FaultMode::Dead } else { FaultMode::None }
    }

    /// When that changes.
    pub fn next(&self) -> Time {
        self.phase.map_or(Time::NEVER, |(_, until)| until)
    }
}

/// Turns a bit of bytes around, of each with this probability.
pub(super) fn flip_bits(bytes: &mut [u8], probability: f64, random: &mut RandomStream) {
    for byte in bytes {
        if random.chance(probability) {
            *byte ^= 1 << random.below(8);
        }
    }
}
