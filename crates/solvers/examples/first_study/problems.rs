//! The two blocks.

use ironbird_kernel::{Duration, Time};
use ironbird_solvers::{Block, Direction, Edit, Number, Point, Watched};

/// A ball that falls from 10 m and keeps 80 % of its speed at each bounce.
#[derive(Default)]
pub struct Ball {
    /// When it hit the ground.
    pub impacts: Vec<Time>,
}

impl Ball {
    pub const HEIGHT: usize = 0;
    const SPEED: usize = 1;
    const GRAVITY: f64 = 9.81;

    /// The first flight lasts sqrt(2 h / g), the next one 0.8 times twice as long, and so on.
    pub fn impact_error(&self) -> f64 {
        let mut exact = (20.0 / Self::GRAVITY).sqrt();
        let mut flight = 2.0 * exact;
        let mut worst: f64 = 0.0;
        for impact in &self.impacts {
            worst = worst.max((impact.as_secs_f64() - exact).abs());
            flight *= 0.8;
            exact += flight;
        }
        worst
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
    }
}

/// A buck converter in discontinuous conduction.
///
/// ```text
/// C uC' = iL - uC/R                                    C = 100 uF, R = 10 ohm
/// L iL' = (U/Rs - iL) Rs Rd / (Rs + Rd) - uC           L = 100 uH, U = 24 V
/// ```
///
/// Switch and diode are resistances of 10 micro-ohm (on) or 100 kilo-ohm (off). With both off the
/// time constant is 2 ns, beside a period of 100 us: a stiff circuit.
pub struct Buck {
    switch: f64,
    diode: f64,
    half_periods: u64,
}

impl Buck {
    pub const VOLTAGE: usize = 0;
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

    /// The current through the diode.
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
