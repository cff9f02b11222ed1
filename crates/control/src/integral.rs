//! The integral of a controller whose command has limits.

use serde::{Deserialize, Serialize};

/// An integral that stands still while it would drive the command further beyond a limit (K. J. Åström,
/// T. Hägglund, *Advanced PID Control*, 2006, section 3.5).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Integral(pub f64);

impl Integral {
    /// Adds `growth` where that is allowed; the command is the integral and `rest`, within limits.
    pub fn command(&mut self, rest: f64, growth: f64, lowest: f64, highest: f64) -> f64 {
        let grown = self.0 + growth;
        let command = rest + grown;
        let winds_up =
            (command > highest && grown > self.0) || (command < lowest && grown < self.0);
        if !winds_up {
            self.0 = grown;
        }
        (rest + self.0).clamp(lowest, highest)
    }

    /// The same for an integral that stays within ±`bound` itself.
    pub fn bounded(
        &mut self,
        rest: f64,
        growth: f64,
        bound: f64,
        [lowest, highest]: [f64; 2],
    ) -> f64 {
        let growth = (self.0 + growth).clamp(-bound, bound) - self.0;
        self.command(rest, growth, lowest, highest)
    }
}
