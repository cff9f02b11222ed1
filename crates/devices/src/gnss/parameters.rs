//! What can be set of a satellite receiver.

use ironbird_component::{Choice, Parameters};

use super::calendar;
use crate::device::{DeviceParameters, Fault, Quantity};

/// Who sends the sentences, and which satellites it receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Talker {
    /// A receiver of GPS and GLONASS.
    #[default]
    #[choice(name = "GN")]
    Several,
    /// A receiver of GPS.
    #[choice(name = "GP")]
    Gps,
}

/// What a fix rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Solution {
    /// The satellites: quality 1.
    #[default]
    Autonomous,
    /// Corrections as well: quality 2.
    Differential,
    /// Whole cycles of the carrier: quality 4.
    RtkFixed,
    /// The carrier, not yet whole cycles: quality 5.
    RtkFloat,
}

impl Solution {
    /// In GGA.
    pub(super) fn quality(self) -> u8 {
        match self {
            Solution::Autonomous => 1,
            Solution::Differential => 2,
            Solution::RtkFixed => 4,
            Solution::RtkFloat => 5,
        }
    }

    /// In RMC and VTG.
    pub(super) fn mode(self) -> char {
        match self {
            Solution::Autonomous => 'A',
            Solution::Differential => 'D',
            Solution::RtkFixed => 'R',
            Solution::RtkFloat => 'F',
        }
    }
}

/// Rates of a serial line that a receiver can be told.
pub(super) const BAUDS: [u32; 9] =
    [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600];

/// Sentences that it can send.
pub(super) const SENTENCES: [&str; 5] = ["RMC", "GGA", "GSA", "GSV", "VTG"];

/// What can be set of a satellite receiver.
#[derive(Clone, Debug, Parameters)]
pub struct GnssParameters {
    /// Bits per second on its line at the start; a command can change it.
    #[parameter(default = 38_400, min = 4800, max = 921_600, fixed)]
    pub(super) baud: u32,
    /// Fixes per second at the start; a command can change it.
    #[parameter(unit = "Hz", default = 5.0, min = 1, max = 20, fixed)]
    pub(super) update_rate: f64,
    /// What it sends for every fix, in this order: RMC, GGA, GSA, GSV, VTG.
    #[parameter(default = "RMC GGA VTG GSA", fixed)]
    pub(super) sentences: String,
    /// Who it says that it is: GN receives GPS and GLONASS, GP receives GPS.
    #[parameter(default = Talker::Several)]
    pub(super) talker: Talker,
    /// How long after the time of a fix its first sentence begins.
    #[parameter(unit = "s", default = 0.1, min = 0, max = 10)]
    pub(super) latency: f64,
    /// How long it takes to the first fix: some 26 s from a cold start.
    #[parameter(unit = "s", default = 1.0, min = 0, fixed)]
    pub(super) time_to_first_fix: f64,
    /// Date and time (UTC) at the start of the run.
    #[parameter(default = "2026-06-01T12:00:00Z", fixed)]
    pub(super) start: String,
    /// What its fixes rest on.
    #[parameter(default = Solution::Autonomous)]
    pub(super) solution: Solution,
    /// Elevation above which it uses satellites.
    #[parameter(unit = "deg", default = 10.0, min = 0, max = 90)]
    pub(super) mask: f64,
    /// How many satellites it uses at most.
    #[parameter(default = 24, max = 56)]
    pub(super) channels: u32,
    /// Height of the geoid above the ellipsoid: sentences have altitudes above the sea.
    #[parameter(unit = "m", default = 0.0)]
    pub(super) geoid: f64,
    #[group]
    pub(super) error: GnssErrors,
    #[group]
    pub(super) factor: GnssFactors,
    #[group]
    pub(super) fault: Fault,
}

/// How wrong fixes are. A receiver with RTK errs by some 0.01 m and 0.02 m.
#[derive(Clone, Debug, Parameters)]
pub struct GnssErrors {
    /// Radius around the truth in which half of all fixes are (CEP).
    #[parameter(unit = "m", default = 2.5, min = 0)]
    pub(super) horizontal: f64,
    /// Standard deviation of the height.
    #[parameter(unit = "m", default = 4.0, min = 0)]
    pub(super) vertical: f64,
    /// Share of the variance that is new with every fix; the rest wanders slowly.
    #[parameter(default = 0.05, min = 0, max = 1)]
    pub(super) white: f64,
    /// Time over which the slow part is correlated.
    #[parameter(unit = "s", default = 300.0, above = 0)]
    pub(super) wander_time: f64,
    /// Standard deviation of each component of the velocity.
    #[parameter(unit = "m/s", default = 0.05, min = 0)]
    pub(super) speed: f64,
}

/// What values are multiplied by before they are rounded to whole numbers.
#[derive(Clone, Debug, Parameters)]
pub struct GnssFactors {
    /// Of latitude and longitude in degrees; 0: not rounded.
    #[parameter(default = 10_000_000, fixed)]
    position: u32,
    /// Of the height in m; 0: not rounded.
    #[parameter(default = 100, fixed)]
    height: u32,
    /// Of the components of the velocity in m/s; 0: not rounded.
    #[parameter(default = 1_000, fixed)]
    velocity: u32,
}

impl DeviceParameters for GnssParameters {
    fn fault(&self) -> &Fault {
        &self.fault
    }

    fn factor(&self, quantity: Quantity, part: usize) -> u32 {
        match (quantity, part) {
            (Quantity::Position, 2) => self.factor.height,
            (Quantity::Position, _) => self.factor.position,
            _ => self.factor.velocity,
        }
    }

    fn check(&self) -> Result<(), String> {
        calendar::parse(&self.start).map_err(|why| format!("`start`: {why}"))?;
        if !BAUDS.contains(&self.baud) {
            return Err(format!("`baud` = {} is none of {BAUDS:?}", self.baud));
        }
        let known = SENTENCES.join(", ");
        for word in self.sentences.split_whitespace() {
            if !SENTENCES.contains(&word) {
                return Err(format!("`sentences`: \"{word}\" is none of {known}"));
            }
        }
        if self.sentences.trim().is_empty() {
            return Err(format!("`sentences` must name at least one of {known}"));
        }
        Ok(())
    }
}
