//! Component types that show the same thing in another frame.
//!
//! ```text
//!              attitude                true mounting                    assumed mounting
//!                 │                          │                                 │
//! ned ──► ned-to-body ──► body ──► body-to-sensor ──► sensor ──► … ──► sensor-to-body ──► body
//!  │
//!  ├──► ned-to-ecef ──► ecef ──► ecef-to-geodetic ──► geodetic
//!  └──► ned-to-geodetic ────────────────────────────────► geodetic
//! ```

mod any_unit;
mod body_to_sensor;
mod ecef_and_geodetic;
mod inertial;
mod latest;
mod ned_and_body;
mod ned_and_ecef;
mod ned_and_geodetic;
mod sensor_to_body;

use ironbird_component::{Registry, RegistryError};

use any_unit::OfAnyUnit;
use body_to_sensor::BodyToSensor;
use ecef_and_geodetic::{EcefToGeodetic, GeodeticToEcef};
use inertial::Inertial;
use latest::{Latest, LatestNumber};
use ned_and_body::{BodyToNed, NedToBody};
use ned_and_ecef::{EcefToNed, NedToEcef};
use ned_and_geodetic::{GeodeticToNed, NedToGeodetic};
use sensor_to_body::{SensorToBody, SensorVectorToBody};

use crate::attitude::Attitude;
use crate::geodetic::Geodetic;

/// Adds the adapters of frames.
pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(OfAnyUnit::<NedToBody>::new()))?;
    registry.register_type(Box::new(OfAnyUnit::<BodyToNed>::new()))?;
    registry.register_type(Box::new(OfAnyUnit::<BodyToSensor>::new()))?;
    registry.register_type(Box::new(OfAnyUnit::<SensorToBody>::new()))?;
    registry.register_type(Box::new(OfAnyUnit::<SensorVectorToBody>::new()))?;
    registry.register_type(Box::new(OfAnyUnit::<Latest>::new()))?;
    registry.register_type(Box::new(OfAnyUnit::<LatestNumber>::new()))?;
    registry.register::<NedToEcef>()?;
    registry.register::<EcefToNed>()?;
    registry.register::<NedToGeodetic>()?;
    registry.register::<GeodeticToNed>()?;
    registry.register::<EcefToGeodetic>()?;
    registry.register::<GeodeticToEcef>()?;
    registry.register::<Inertial>()
}

/// Why a run cannot go on with this attitude.
fn no_rotation(attitude: &Attitude) -> String {
    let Attitude { w, x, y, z } = attitude;
    format!(
        "the attitude is no rotation: its quaternion ({w}, {x}, {y}, {z}) must have length 1; see \
         what its source shows"
    )
}

/// Why a run cannot go on with this place.
fn no_place(place: &Geodetic) -> String {
    let Geodetic { latitude, longitude, height } = place;
    format!(
        "latitude {latitude} rad, longitude {longitude} rad, height {height} m is no place: the \
         latitude must lie within a quarter turn of the equator; see what its source shows"
    )
}
