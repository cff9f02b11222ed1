//! A heated room as two heat capacities.
//!
//! ```text
//!            heating + gains
//!                  │
//!   outside ──G_w──┤ air, C_a ├──G_s──┤ walls, C_m ├──G_o── outside
//!        windows, ventilation    surfaces          insulation
//!
//! C_a T' = P_heating + P_gains - G_w (T - T_outside) - G_s (T - T_walls)
//! C_m T_walls' = G_s (T - T_walls) - G_o (T_walls - T_outside)
//! E' = P_heating
//! ```
//!
//! Typical values per m² of floor: 10 kJ/K for air and furniture (the default of ISO 52016-1); for
//! walls of the class "medium" of ISO 13790, table 12, 165 kJ/K behind 2.5 m² of surface at
//! 9.1 W/(m² K). The defaults are these for 20 m².

use ironbird_component::{Component, Followed, Held, Shown};
use ironbird_solvers::{Block, Number, Point};
use serde::{Deserialize, Serialize};

const AIR: usize = 0;
const WALLS: usize = 1;
const ENERGY: usize = 2;

const HEATING: usize = 0;
const OUTSIDE: usize = 1;

/// A heated room: air and walls, each of one temperature.
///
/// The air is warmed by the heating and by the people and devices in the room, and loses heat through
/// windows and ventilation at once, and through the walls slowly. The defaults are a corner room of
/// 20 m² in a building of medium weight and little insulation: at 0 degC outside, 630 W keep it at
/// 20 degC.
///
/// Equations: C_a T' = P_heating + P_gains - G_w (T - T_outside) - G_s (T - T_walls) and
/// C_m T_walls' = G_s (T - T_walls) - G_o (T_walls - T_outside).
#[derive(Component, Serialize, Deserialize)]
#[component(type = "plant.room", continuous)]
pub struct Room {
    /// Heat capacity C_a of the air and the furniture.
    #[parameter(unit = "J/K", default = 200e3, above = 0)]
    air_capacity: f64,
    /// Heat capacity C_m of the walls, floor and ceiling.
    #[parameter(unit = "J/K", default = 3.3e6, above = 0)]
    wall_capacity: f64,
    /// Conductance G_w from the air to the outside: windows and ventilation.
    #[parameter(unit = "W/K", default = 12.5, min = 0)]
    window_conductance: f64,
    /// Conductance G_s between the air and the surfaces of the walls; 0 W/K leaves the air alone.
    #[parameter(unit = "W/K", default = 455.0, min = 0)]
    surface_conductance: f64,
    /// Conductance G_o from the walls to the outside.
    #[parameter(unit = "W/K", default = 20.0, min = 0)]
    wall_conductance: f64,
    /// Heat P_gains of people, devices and the sun.
    #[parameter(unit = "W", default = 0.0)]
    gains: f64,
    /// Temperature of air and walls at the start.
    #[parameter(unit = "degC", default = 20.0, min = -273.15, fixed)]
    initial_temperature: f64,
    /// Power P_heating that heats the air.
    #[input(index = HEATING, unit = "W")]
    heating: Held,
    /// Temperature T_outside of the air outside.
    #[input(index = OUTSIDE, unit = "degC")]
    outside: Followed,
    /// Temperature T of the air in the room.
    #[output(state = AIR, unit = "degC")]
    temperature: Shown,
    /// Temperature T_walls of the walls.
    #[output(state = WALLS, unit = "degC")]
    wall_temperature: Shown,
    /// Heat that the heating has given since the start.
    #[output(state = ENERGY, unit = "J")]
    energy: Shown,
}

impl Block for Room {
    fn states(&self) -> usize {
        3
    }

    fn inputs(&self) -> usize {
        2
    }

    fn initial(&self, state: usize) -> f64 {
        if state == ENERGY { 0.0 } else { self.initial_temperature }
    }

    /// Temperatures are of the order of 1 K, energies of the order of 1 kWh.
    fn scale(&self, state: usize) -> f64 {
        if state == ENERGY { 3.6e6 } else { 1.0 }
    }

    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let into_walls = || (at.x(AIR) - at.x(WALLS)) * self.surface_conductance;
        match state {
            AIR => {
                let lost = (at.x(AIR) - at.u(OUTSIDE)) * self.window_conductance;
                (at.u(HEATING) + self.gains - lost - into_walls()) / self.air_capacity
            }
            WALLS => {
                let lost = (at.x(WALLS) - at.u(OUTSIDE)) * self.wall_conductance;
                (into_walls() - lost) / self.wall_capacity
            }
            _ => at.u(HEATING),
        }
    }
}
