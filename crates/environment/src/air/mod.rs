//! The air: the standard atmosphere, and wind.
//!
//! ```text
//! wind.steady ─┐
//! wind.dryden ─┼─ north, east, down ──► wind.sum ── north, east, down ──► wind_north, wind_east, wind_down
//! wind.gust   ─┘                                                            of an aircraft
//! wind.dryden ─── p, q, r ─────────────────────────────────────────────────► gust_p, gust_q, gust_r
//! ```
//!
//! A world asks without components: [`WindField`] has profile, regions and gusts, [`dryden::DrydenField`] is the
//! turbulence of one vehicle, [`StandardAtmosphere`] the density, [`daylight`] the light.
//!
//! All winds are shown as where the air moves to. `p`, `q` and `r` are the angular velocity of the air.

mod atmosphere;
pub mod dryden;
mod field;
mod gust;
mod light;
mod log;
mod profile;
mod region;
mod standard;
mod steady;
mod sum;

use ironbird_component::{Registry, RegistryError};

pub use atmosphere::{Atmosphere, HeightKind};
pub use dryden::DrydenTurbulence;
pub use field::{DiscreteGust, WindField};
pub use gust::{Extent, Gust, GustAxes, GustShape};
pub use light::daylight;
pub use log::{BeyondLog, WindLog};
pub use profile::{Profile, WindProfile};
pub use region::{RegionShape, WindRegion};
pub use standard::{Air, SEA_LEVEL_PRESSURE, StandardAtmosphere};
pub use steady::SteadyWind;
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
