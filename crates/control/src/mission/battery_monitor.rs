//! `mission.battery-monitor`: when a battery is low, and when it no longer reaches home.
//!
//! ```text
//!  home        r: from the vehicle to home, d = |r|
//!   ●          w: wind, V: airspeed, P: power of cruise
//!   ▲ ╲        s: state of charge, C: energy of the full battery
//!   │  ╲ r
//!   │   ╲      τ = C (s - s_reserve) / P: how long it can still fly
//!   │    ▲
//!
//! low:       s = s_low
//! critical:  |r - w τ|² = V² τ²
//! ```
//!
//! In the time τ the air carries the vehicle by w τ while it flies V τ at most: home is reached as long as
//! what is left of r is no longer than that. It is the wind triangle of a straight course home, and free of
//! roots, so that a straight flight at constant power has its event at the exact time.
//!
//! Against a wind that is as fast as the vehicle, w >= V, home is reached only from the cone up-wind of it,
//! r·w >= d sqrt(w² - V²), and not later than t = d² / (r·w + sqrt((r·w)² + (V² - w²) d²)); on leaving that
//! cone, the battery is critical whatever it holds.

use ironbird_component::{Announced, Component, Followed, Held};
use ironbird_kernel::Time;
use ironbird_solvers::{Block, Direction, Edit, Number, Point, Watched};
use serde::{Deserialize, Serialize};

const CHARGE: usize = 0;
const NORTH: usize = 1;
const EAST: usize = 2;
const WIND_NORTH: usize = 3;
const WIND_EAST: usize = 4;

const LOW: usize = 0;
const CRITICAL: usize = 1;
const BLOWN_AWAY: usize = 2;

/// A micrometre: even at home the battery is critical when it is down to its reserve.
const NEAR: f64 = 1e-6;

/// Watches a battery: says when it is low, and when it no longer reaches home in this wind, each once and
/// at the exact time.
///
/// It is `low` when the charge falls to `low_charge`, or at `low_at`, whichever is first. It is `critical`
/// when the energy above `reserve` is what a straight way home takes, at `cruise_power` and
/// `cruise_airspeed`, or when the wind does not let it come home at all.
#[derive(Component, Serialize, Deserialize)]
#[component(type = "mission.battery-monitor", continuous)]
pub struct BatteryMonitor {
    /// Energy of the full battery.
    #[parameter(unit = "kJ", above = 0)]
    capacity: f64,
    /// State of charge at which it is low; 1 is full.
    #[parameter(default = 0.3, min = 0, max = 1)]
    low_charge: f64,
    /// Time at which it is low whatever it holds; 0 s for never.
    #[parameter(unit = "s", default = 0.0, min = 0, fixed)]
    low_at: f64,
    /// State of charge that is to be left on coming home.
    #[parameter(default = 0.1, min = 0, max = 1)]
    reserve: f64,
    /// Electric power of level flight.
    #[parameter(unit = "W", above = 0)]
    cruise_power: f64,
    /// Airspeed of level flight.
    #[parameter(unit = "m/s", default = 17.0, above = 0)]
    cruise_airspeed: f64,
    /// North and east of home.
    #[parameter(unit = "m", default = [0.0, 0.0])]
    home: [f64; 2],
    /// State of charge; 1 is full.
    #[input(index = CHARGE)]
    charge: Followed,
    /// North of the vehicle.
    #[input(index = NORTH, unit = "m")]
    north: Followed,
    /// East of the vehicle.
    #[input(index = EAST, unit = "m")]
    east: Followed,
    /// Velocity of the air to the north.
    #[input(index = WIND_NORTH, unit = "m/s", default = 0.0)]
    wind_north: Held,
    /// Velocity of the air to the east.
    #[input(index = WIND_EAST, unit = "m/s", default = 0.0)]
    wind_east: Held,
    /// The battery is low.
    #[output(event = LOW)]
    low: Announced,
    /// The battery no longer reaches home.
    #[output(event = CRITICAL)]
    critical: Announced,
    is_low: bool,
    is_critical: bool,
    is_blown_away: bool,
    /// The scripted time has come.
    is_scripted: bool,
    /// All is well before the first instant, so that what begins low is announced.
    has_begun: bool,
}

impl BatteryMonitor {
    fn scripted_time(&self) -> Time {
        match self.low_at > 0.0 {
            // The nearest picosecond; the conversion saturates.
            true => Time::from_ps((self.low_at * 1e12).round() as u64),
            false => Time::NEVER,
        }
    }

    /// r·w, d² and V² - w².
    fn homeward<N: Number>(&self, at: &impl Point<N>) -> (N, N, N) {
        let (north, east) = (-at.u(NORTH) + self.home[0], -at.u(EAST) + self.home[1]);
        let (wind_north, wind_east) = (at.u(WIND_NORTH), at.u(WIND_EAST));
        let along = north * wind_north + east * wind_east;
        let squared = north * north + east * east + NEAR * NEAR;
        let wind = wind_north * wind_north + wind_east * wind_east;
        (along, squared, -wind + self.cruise_airspeed * self.cruise_airspeed)
    }

    /// Above zero while the battery reaches home; see the file.
    fn reach<N: Number>(&self, at: &impl Point<N>) -> N {
        let time = (at.u(CHARGE) - self.reserve) * (1e3 * self.capacity / self.cruise_power);
        let (along, squared, surplus) = self.homeward(at);
        if time.value() <= 0.0 || self.is_blown_away {
            return N::constant(-1.0);
        }
        if surplus.value() > 0.0 {
            // V² τ² - |r - w τ|²
            return surplus * time * time + along * time * 2.0 - squared;
        }
        let root = along * along + surplus * squared;
        if root.value() <= 0.0 || along.value() <= 0.0 {
            return N::constant(-1.0);
        }
        time - squared / (along + root.sqrt())
    }

    /// r·w - d sqrt(w² - V²), where the wind is faster than the vehicle.
    fn within_the_cone<N: Number>(&self, at: &impl Point<N>) -> N {
        let (along, squared, surplus) = self.homeward(at);
        match surplus.value() < 0.0 {
            true => along - (-surplus * squared).sqrt(),
            false => N::constant(1.0),
        }
    }
}

impl Block for BatteryMonitor {
    fn states(&self) -> usize {
        0
    }

    fn inputs(&self) -> usize {
        5
    }

    fn initial(&self, _: usize) -> f64 {
        0.0
    }

    fn derivative<N: Number>(&self, _: usize, _: &impl Point<N>) -> N {
        N::constant(0.0)
    }

    fn crossings(&self) -> usize {
        3
    }

    fn crossing<N: Number>(&self, crossing: usize, at: &impl Point<N>) -> N {
        let is_done = match crossing {
            LOW => self.is_low,
            CRITICAL => self.is_critical,
            _ => self.is_critical || self.is_blown_away,
        };
        if is_done || !self.has_begun {
            return N::constant(1.0);
        }
        match crossing {
            LOW if self.is_scripted => N::constant(-1.0),
            LOW => at.u(CHARGE) - self.low_charge,
            CRITICAL => self.reach(at),
            _ => self.within_the_cone(at),
        }
    }

    fn watches(&self, _: usize) -> Watched {
        Watched::Falling
    }

    fn on_crossing(&mut self, crossing: usize, _: Direction, edit: &mut Edit<'_>) {
        match crossing {
            LOW => self.is_low = true,
            CRITICAL => self.is_critical = true,
            BLOWN_AWAY => {
                self.is_blown_away = true;
                return;
            }
            _ => return,
        }
        edit.announce();
    }

    fn next_time_event(&self) -> Time {
        match (self.has_begun, self.is_scripted) {
            (false, _) => Time::ZERO,
            (true, false) => self.scripted_time(),
            (true, true) => Time::NEVER,
        }
    }

    fn on_time_event(&mut self, edit: &mut Edit<'_>) {
        self.is_scripted = edit.now() >= self.scripted_time();
        self.has_begun = true;
    }
}
