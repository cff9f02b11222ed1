//! The air: the standard atmosphere, and wind.
//!
//! ```text
//! wind.steady ─┐
//! wind.dryden ─┼─ north, east, down ──► wind.sum ── north, east, down ──► wind_north, wind_east, wind_down
//! wind.gust   ─┘                                                            of an aircraft
//! wind.dryden ─── p, q, r ─────────────────────────────────────────────────► gust_p, gust_q, gust_r
//! ```
//!
//! All winds are shown as where the air moves to. `p`, `q` and `r` are the angular velocity of the air.

mod atmosphere;
pub mod dryden;
mod gust;
mod log;
mod standard;
mod steady;
mod sum;

use ironbird_component::{Registry, RegistryError};

pub use atmosphere::{Atmosphere, HeightKind};
pub use dryden::DrydenTurbulence;
pub use gust::{Extent, Gust, GustAxes, GustShape};
pub use log::{BeyondLog, WindLog};
pub use standard::{Air, SEA_LEVEL_PRESSURE, StandardAtmosphere};
pub use steady::{Profile, SteadyWind};
pub use sum::WindSum;

/// Adds the types of this module.
pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Atmosphere>()?;
    registry.register::<SteadyWind>()?;
    registry.register::<DrydenTurbulence>()?;
    registry.register::<Gust>()?;
    registry.register::<WindSum>()?;
    registry.register::<WindLog>()
}
