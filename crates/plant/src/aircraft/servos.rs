//! What moves the surfaces of an aircraft.
//!
//! They follow their commands, held within the limits, as `limited_lag.rs` says.
//!
//! Four servos: aileron, elevator, rudder and flap, or with a V-tail aileron, left and right ruddervator and
//! flap. Ruddervators are positive with the trailing edge down:
//!
//! ```text
//! elevator = (left + right) / 2          left  = elevator + rudder
//! rudder   = (left - right) / 2          right = elevator - rudder
//! ```

use ironbird_solvers::Number;

use super::dynamics::Deflections;
use crate::limited_lag::limited_rate;

/// How many servos there are.
pub const SERVOS: usize = 4;

/// Kinds of tails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tail {
    /// Elevator and rudder.
    #[default]
    Conventional,
    /// Two ruddervators.
    V,
}

/// How far a surface goes, rad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Limits {
    pub low: f64,
    pub high: f64,
}

/// All servos of an aircraft.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Servos {
    /// Which surfaces there are.
    pub tail: Tail,
    /// T, s; 0 for servos that are where they are told to be.
    pub time_constant: f64,
    /// rad/s.
    pub rate_limit: f64,
    /// Of each servo.
    pub limits: [Limits; SERVOS],
}

/// What is wanted of the surfaces, rad.
#[derive(Clone, Copy, Debug)]
pub struct Commands<N> {
    /// Aileron, elevator, rudder, flap.
    pub surfaces: Deflections<N>,
    /// Left and right, added to what elevator and rudder want of them.
    pub ruddervators: [N; 2],
}

impl Servos {
    /// Whether deflections lag behind commands.
    pub fn lags(&self) -> bool {
        self.time_constant > 0.0
    }

    /// What each servo is told, within its limits.
    #[inline]
    pub fn commanded<N: Number>(&self, commands: &Commands<N>) -> [N; SERVOS] {
        let Deflections { aileron, elevator, rudder, flap } = commands.surfaces;
        let [left, right] = commands.ruddervators;
        let wanted = match self.tail {
            Tail::Conventional => [aileron, elevator, rudder, flap],
            Tail::V => [aileron, elevator + rudder + left, elevator - rudder + right, flap],
        };
        let within = |k: usize| {
            let Limits { low, high } = self.limits[k];
            wanted[k].max(N::constant(low)).min(N::constant(high))
        };
        [within(0), within(1), within(2), within(3)]
    }

    /// x'
    #[inline]
    pub fn rate<N: Number>(&self, command: N, position: N) -> N {
        if !self.lags() {
            return N::constant(0.0);
        }
        limited_rate(command, position, self.time_constant, self.rate_limit)
    }

    /// The deflections of surfaces whose servos are at `positions`.
    #[inline]
    pub fn deflections<N: Number>(&self, positions: [N; SERVOS]) -> Deflections<N> {
        let [aileron, second, third, flap] = positions;
        let (elevator, rudder) = match self.tail {
            Tail::Conventional => (second, third),
            Tail::V => ((second + third) * 0.5, (second - third) * 0.5),
        };
        Deflections { aileron, elevator, rudder, flap }
    }
}
