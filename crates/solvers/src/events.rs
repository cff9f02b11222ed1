//! Zero crossings: which side a crossing function is on, and when it has passed to the other.

use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

use crate::block::{Direction, Watched};
use crate::error::Error;

/// More events than this of one crossing within [`WINDOW`] are chattering.
const LIMIT: u32 = 200;
const WINDOW: Duration = Duration::from_ns(1);

/// A function that is back at zero within this many seconds is taken to be on its way back.
const RETURN: f64 = 1e-9;

/// The side of zero on which a crossing function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Side {
    Below,
    Above,
}

impl Side {
    /// +1 above, -1 below.
    pub fn sign(self) -> f64 {
        match self {
            Side::Below => -1.0,
            Side::Above => 1.0,
        }
    }

    pub fn other(self) -> Side {
        match self {
            Side::Below => Side::Above,
            Side::Above => Side::Below,
        }
    }

    /// How one leaves this side.
    pub fn departure(self) -> Direction {
        match self {
            Side::Below => Direction::Rising,
            Side::Above => Direction::Falling,
        }
    }
}

/// One zero-crossing function between two of its events.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Crossing {
    pub side: Side,
    fired: u32,
    window: Time,
}

impl Crossing {
    /// A crossing function that moves as `z` (Taylor terms in time) from now on.
    pub fn new(z: &[f64; 4]) -> Self {
        Crossing { side: side_of(z).unwrap_or(Side::Above), fired: 0, window: Time::ZERO }
    }

    /// Whether a function that moves as `z` has left its side.
    ///
    /// An event lies on the first whole picosecond after the exact instant, so the function is
    /// slightly beyond zero when the handler turns it around. On its way back it has not left
    /// again.
    pub fn has_passed(&self, z: &[f64; 4], watched: Watched) -> bool {
        let inside = z[0] * self.side.sign();
        if inside == 0.0 {
            return side_of(z) == Some(self.side.other());
        }
        inside < 0.0 && !self.is_returning(z, watched)
    }

    /// Whether a function that is slightly beyond zero is on its way back.
    pub fn is_returning(&self, z: &[f64; 4], watched: Watched) -> bool {
        let back = self.side.other().departure();
        z[1] * self.side.sign() > 0.0
            && z[0].abs() <= RETURN * z[1].abs()
            && !watched.includes(back)
    }

    /// The handler of this crossing has run, and left the function to move as `z`. A function that
    /// goes straight back is on its old side again, unless going back is an event as well.
    pub fn rearm(&mut self, z: &[f64; 4], watched: Watched) {
        let arrived = self.side;
        let Some(side) = side_of(z) else { return };
        if z[0] != 0.0 {
            self.side = side;
            let turned = Crossing { side: side.other(), ..*self };
            if turned.is_returning(z, watched) {
                self.side = turned.side;
            }
        } else if !watched.includes(arrived.departure()) {
            self.side = side;
        }
    }

    /// Counts an event; an error if there are too many at one place.
    pub fn count(&mut self, crossing: usize, now: Time) -> Result<(), Error> {
        if self.window + WINDOW < now || self.fired == 0 {
            self.window = now;
            self.fired = 0;
        }
        self.fired += 1;
        if self.fired > LIMIT {
            return Err(Error::Chatter { crossing, times: LIMIT, window: WINDOW, at: now });
        }
        Ok(())
    }
}

/// The side on which a function is, or is about to be if it is zero.
fn side_of(z: &[f64; 4]) -> Option<Side> {
    let leading = z.iter().find(|term| **term != 0.0)?;
    Some(if *leading > 0.0 { Side::Above } else { Side::Below })
}
