//! Frames and transforms, attitude, the Earth, and how a vehicle moves.
//!
//! | frame | name at ports | is |
//! |---|---|---|
//! | local level | `ned` | north, east, down from an origin on the ellipsoid: a Cartesian frame that touches it there ([`TangentPlane`]) |
//! | body | `body` | of a vehicle: x forward, y starboard, z down; [`Attitude`] turns it to `ned` |
//! | sensor | `sensor` | of a sensor, turned against the body by its mounting |
//! | Earth-centred, Earth-fixed | `ecef` | WGS 84 |
//! | geodetic | `geodetic` | latitude, longitude, height on WGS 84 ([`Geodetic`]) |

mod attitude;
mod earth;
mod geodetic;
mod motion;
mod sample;
mod tangent_plane;

pub use attitude::Attitude;
pub use earth::{Earth, EarthModel, EarthParameters, Origin, ROTATION, STANDARD_GRAVITY};
pub use geodetic::{ECCENTRICITY_SQUARED, FLATTENING, Geodetic, SEMI_MAJOR};
pub use motion::{MOTION_UNITS, Motion};
pub use sample::{Alignment, Fix, ScalarSample, VectorSample};
pub use tangent_plane::TangentPlane;
