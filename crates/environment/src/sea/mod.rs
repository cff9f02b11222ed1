//! The sea: how it flows and how deep it is.
//!
//! ```text
//! sea-current.sinusoidal ┐                       position ┐
//! sea-current.s111       ├─◄─ SeaPoint ── sea-current.at ◄┴ velocity
//! sea-current.log        ┘ SeaCurrent ──►       └─► current, current_acceleration
//!
//! sea-bed.model   ┐                              position
//! sea-bed.geotiff ┴─◄─ SeaPoint ── sea-bed.at ◄──┘
//!                     SeaBed ──►       └─► depth, slope, height
//! ```
//!
//! A source answers a question about one point ([`SeaPoint`]); which source it is, an experiment
//! chooses by binding it. What a file does not know is an answer too ([`SeaUnknown`]).

mod bed_at;
mod bed_drawn;
mod bed_geotiff;
mod bed_model;
mod chart_place;
mod current_at;
mod current_log;
mod current_s111;
mod current_sinusoidal;
mod date_time;
mod from_file;
pub mod geotiff;
mod nearest;
mod question;
pub mod s111;

use ironbird_component::{Registry, RegistryError};

pub use bed_at::SeaBedAt;
pub use bed_geotiff::{GeotiffBedParameters, Interpolation, Positive};
pub use bed_model::SeaBedModel;
pub use current_at::SeaCurrentAt;
pub use current_log::{LogColumns, LogCurrentParameters, LogTimeUnit};
pub use current_s111::S111CurrentParameters;
pub use current_sinusoidal::SinusoidalCurrent;
pub use from_file::Outside;
pub use question::{BedAnswer, CurrentAnswer, SeaBed, SeaCurrent, SeaPoint, SeaUnknown};

/// Adds the types of this module.
pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<SinusoidalCurrent>()?;
    registry.register_type(from_file::component_type::<S111CurrentParameters>())?;
    registry.register_type(from_file::component_type::<LogCurrentParameters>())?;
    registry.register::<SeaCurrentAt>()?;
    registry.register::<SeaBedModel>()?;
    registry.register_type(from_file::component_type::<GeotiffBedParameters>())?;
    registry.register::<SeaBedAt>()
}
