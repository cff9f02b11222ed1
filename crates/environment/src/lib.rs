//! What surrounds a system.
//!
//! | type | is |
//! |---|---|
//! | [`environment.outside-air`](OutsideAir) | the temperature of the air outside, by day and by night |
//! | [`environment.atmosphere`](air::Atmosphere) | the standard atmosphere at a height |
//! | [`wind.steady`](air::SteadyWind), [`wind.dryden`](air::DrydenTurbulence), [`wind.gust`](air::Gust), [`wind.log`](air::WindLog) | a wind: steady, turbulent, a discrete gust, from a log |
//! | [`wind.sum`](air::WindSum) | several winds at once |
//! | [`sea-current.sinusoidal`](sea::SinusoidalCurrent), [`sea-current.s111`](sea::S111CurrentParameters), [`sea-current.log`](sea::LogCurrentParameters) | a source of the sea current: a model, a forecast, a log |
//! | [`sea-current.at`](sea::SeaCurrentAt) | the sea current where a vehicle is |
//! | [`sea-bed.model`](sea::SeaBedModel), [`sea-bed.geotiff`](sea::GeotiffBedParameters) | a source of the sea bed: a model, a chart |
//! | [`sea-bed.at`](sea::SeaBedAt) | the sea bed where a vehicle is, and how high the vehicle is above it |
//! | [`road.lane`](road::RoadLane) | the lane of a road, from a file |
//! | [`road.at`](road::RoadAt) | the lane where a vehicle is, and what is to be seen of it |
//!
//! [`magnetic`] has the magnetic field of the Earth.

pub mod air;
pub mod magnetic;
mod outside_air;
pub mod road;
pub mod sea;

use ironbird_component::{Registry, RegistryError};

pub use outside_air::{ColdSnap, OutsideAir};

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<OutsideAir>()?;
    air::register(registry)?;
    road::register(registry)?;
    sea::register(registry)
}
