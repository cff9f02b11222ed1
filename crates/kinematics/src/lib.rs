//! Frames and transforms, attitude, the Earth, and how a vehicle moves.
//!
//! | frame | name at ports | is |
//! |---|---|---|
//! | local level | `ned` | north, east, down from an origin on the ellipsoid: a Cartesian frame that touches it there ([`TangentPlane`]) |
//! | body | `body` | of a vehicle: x forward, y starboard, z down; [`Attitude`] turns it to `ned` |
//! | sensor | `sensor` | of a sensor, turned against the body by its mounting |
//! | Earth-centred, Earth-fixed | `ecef` | WGS 84 |
//! | geodetic | `geodetic` | latitude, longitude, height on WGS 84 ([`Geodetic`]) |
//!
//! The types are adapters: they show the same thing in another frame.
//!
//! | type | from | to |
//! |---|---|---|
//! | `adapter.ned-to-body`, `adapter.body-to-ned` | a vector of any unit, and an attitude | the vector |
//! | `adapter.body-to-sensor` | a vector of any unit | what a sensor sees of it, as it is mounted ([`Mounting`]) |
//! | `adapter.sensor-to-body` | a [`VectorSample`] of any unit | the same by the mounting that a driver assumes |
//! | `adapter.sensor-vector-to-body` | a vector of any unit, as a sensor shows it | the same by that mounting |
//! | `adapter.latest` | a [`VectorSample`] of any unit in any frame | the latest valid one as a vector |
//! | `adapter.latest-number` | a [`ScalarSample`] of any unit | the latest valid one as a number |
//! | `adapter.ned-to-ecef`, `adapter.ecef-to-ned` | place and velocity | place and velocity |
//! | `adapter.ned-to-geodetic`, `adapter.geodetic-to-ned` | a place | a place |
//! | `adapter.ecef-to-geodetic`, `adapter.geodetic-to-ecef` | a place | a place |
//! | `adapter.inertial` | how a vehicle moves over ground | specific force and angular velocity: what inertial sensors feel |

mod adapter;
mod attitude;
mod earth;
mod ellipsoid;
mod geodetic;
mod gravity;
mod lane_marks;
mod leg;
mod mission;
mod motion;
mod mounting;
mod rigid;
mod sample;
mod tangent_plane;
mod utm;

use ironbird_component::{Registry, RegistryError};

pub use attitude::{Attitude, half_turn};
pub use earth::{Earth, EarthModel, EarthParameters, Origin, ROTATION, STANDARD_GRAVITY};
pub use ellipsoid::Ellipsoid;
pub use geodetic::{ECCENTRICITY_SQUARED, FLATTENING, GEODETIC_UNITS, Geodetic, SEMI_MAJOR};
pub use lane_marks::LaneMarks;
pub use leg::{LEG_UNITS, Leg};
pub use mission::{Level, Mission, Waypoint};
pub use motion::{MOTION_FRAMES, MOTION_UNITS, Motion};
pub use mounting::Mounting;
pub use rigid::{Channel, RigidMotion, Wrench};
pub use sample::{Alignment, Fix, ScalarSample, VectorSample};
pub use tangent_plane::TangentPlane;
pub use utm::{MapPlace, Utm, UtmError};

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    adapter::register(registry)
}
