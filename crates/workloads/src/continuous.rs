//! Hybrid differential equations whose solutions, or costs elsewhere, are known.

use ironbird_kernel::{Duration, Time};
use ironbird_solvers::{Block, Direction, Edit, Number, Point, Values, Watched};
use serde::{Deserialize, Serialize};

/// A ball that falls from 10 m and keeps 80 % of its speed at each bounce.
///
/// ```text
/// h' = v      v' = -g      h = 0: v becomes -0.8 v
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ball {
    /// When it hit the ground.
    pub impacts: Vec<Time>,
}

impl Ball {
    /// The state h, in metres.
    pub const HEIGHT: usize = 0;
    /// The state v, in metres per second.
    pub const SPEED: usize = 1;
    const GRAVITY: f64 = 9.81;

    /// The instants of impact, in seconds: each flight lasts 80 % of the one before.
    pub fn exact_impacts() -> impl Iterator<Item = f64> {
        let fall = (20.0 / Self::GRAVITY).sqrt();
        let mut flight = 2.0 * fall;
        let mut t = fall;
        std::iter::once(fall).chain(std::iter::repeat_with(move || {
            flight *= 0.8;
            t += flight;
            t
        }))
    }
}

impl Block for Ball {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, state: usize) -> f64 {
        if state == Self::HEIGHT { 10.0 } else { 0.0 }
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            Self::HEIGHT => at.x(Self::SPEED),
            _ => N::constant(-Self::GRAVITY),
        }
    }
    fn crossings(&self) -> usize {
        1
    }
    fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        at.x(Self::HEIGHT)
    }
    fn watches(&self, _: usize) -> Watched {
        Watched::Falling
    }
    fn on_crossing(&mut self, _: usize, _: Direction, edit: &mut Edit<'_>) {
        edit.set(Self::SPEED, -0.8 * edit.x(Self::SPEED));
        self.impacts.push(edit.now());
        edit.announce();
    }
}

/// A buck converter in discontinuous conduction, switched at 10 kHz and half duty.
///
/// ```text
/// C uC' = iL - uC/R                                    C = 100 uF, R = 10 ohm
/// L iL' = (U/Rs - iL) Rs Rd / (Rs + Rd) - uC           L = 100 uH, U = 24 V
/// ```
///
/// Switch and diode are resistances of 10 micro-ohm (on) or 100 kilo-ohm (off). The switch follows
/// the clock; the diode conducts while the current through it, (iL Rs - U) / (Rs + Rd), is positive.
/// With both off the time constant is 2 ns, beside a period of 100 us: a stiff circuit. In 100
/// periods qss-solver 4.3.0 takes 2,523 steps of LIQSS2 at a quantum of 1e-3.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Buck {
    switch: f64,
    diode: f64,
    half_periods: u64,
}

impl Buck {
    /// The state uC, in volts.
    pub const VOLTAGE: usize = 0;
    /// The state iL, in amperes.
    pub const CURRENT: usize = 1;
    const ON: f64 = 1e-5;
    const OFF: f64 = 1e5;
    const SUPPLY: f64 = 24.0;
}

impl Default for Buck {
    fn default() -> Self {
        Buck { switch: Self::OFF, diode: Self::OFF, half_periods: 0 }
    }
}

impl Block for Buck {
    fn states(&self) -> usize {
        2
    }
    fn initial(&self, _: usize) -> f64 {
        0.0
    }
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let (voltage, current) = (at.x(Self::VOLTAGE), at.x(Self::CURRENT));
        if state == Self::VOLTAGE {
            return (current - voltage / 10.0) / 1e-4;
        }
        let parallel = self.switch * self.diode / (self.switch + self.diode);
        ((-current + Self::SUPPLY / self.switch) * parallel - voltage) / 1e-4
    }
    fn crossings(&self) -> usize {
        1
    }
    fn crossing<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        (at.x(Self::CURRENT) * self.switch - Self::SUPPLY) / (self.switch + self.diode)
    }
    fn on_crossing(&mut self, _: usize, direction: Direction, _: &mut Edit<'_>) {
        self.diode = if direction == Direction::Rising { Self::ON } else { Self::OFF };
    }
    fn next_time_event(&self) -> Time {
        Time::ZERO + Duration::from_us(50 * self.half_periods)
    }
    fn on_time_event(&mut self, _: &mut Edit<'_>) {
        self.switch = if self.half_periods.is_multiple_of(2) { Self::ON } else { Self::OFF };
        self.half_periods += 1;
    }
}

/// A front that travels through N cells, few of which move at a time (advection and reaction).
///
/// ```text
/// u_j' = (u_(j-1) - u_j) N - 1000 u_j (u_j - 1/2) (u_j - 1)      u_0 = 1
/// ```
///
/// The first third of the cells start at 1, the others at 0. With 20,000 cells and a quantum of 1e-3
/// qss-solver 4.3.0 takes 807,546 steps of LIQSS2 in the first second.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Advection {
    /// N.
    pub cells: usize,
}

impl Block for Advection {
    fn states(&self) -> usize {
        self.cells
    }
    fn initial(&self, state: usize) -> f64 {
        if state < self.cells / 3 { 1.0 } else { 0.0 }
    }
    #[inline]
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let u = at.x(state);
        let before = if state == 0 { N::constant(1.0) } else { at.x(state - 1) };
        (before - u) * self.cells as f64 - u * (u - 0.5) * (u - 1.0) * 1000.0
    }
    fn derivatives(&self, at: &Values<'_>, out: &mut [f64]) {
        let (x, n) = (at.states(), self.cells as f64);
        let cell = |before: f64, u: f64| (before - u) * n - u * (u - 0.5) * (u - 1.0) * 1000.0;
        out[0] = cell(1.0, x[0]);
        for (slot, pair) in out[1..].iter_mut().zip(x.windows(2)) {
            *slot = cell(pair[0], pair[1]);
        }
    }
}
