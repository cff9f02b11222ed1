//! `world`: a world as a component.
//!
//! ```text
//!   wind, rain ───────────────► ┌───────┐ ──► quad.motion, quad.specific_force, …    what is true of each body
//!   quad.north, quad.yaw … ───► │ world │ ──► quad.imu.gyroscope …                   what its sensors measure
//!   rover.wheel-1 … ──────────► └───────┘
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `world_type.rs` | the type: its parameters, and a component from them |
//! | `model.rs` | the component: inputs into the world, steps, outputs out of it |
//! | `truth.rs` | the ports that every body has |
//! | `inputs.rs` | the ports by which it is driven |
//! | `measured.rs` | the ports of its sensors |
//! | `lidar_beam.rs` | the adapter that shows one beam of a lidar |
//! | `saved.rs` | the world in a checkpoint |
//! | `scenery.rs` | what it looks like |

mod inputs;
mod lidar_beam;
mod measured;
mod model;
mod saved;
mod scenery;
mod truth;
mod world_type;

pub(crate) use lidar_beam::LidarBeam;
pub use measured::Scan;
pub(crate) use truth::TRUTH;
pub use world_type::WorldType;

use ironbird_component::{LeafUnits, PortDescription, ValueType};
use ironbird_kernel::{PortKind, Value};

/// A signal output.
fn output<T: Value>(name: &str, units: &str, frame: Option<&str>, doc: &str) -> PortDescription {
    described(
        PortDescription::output(name, PortKind::Signal, ValueType::of::<T>()),
        units,
        frame,
        doc,
    )
}

/// A signal input that need not be linked.
fn input<T: Value>(name: &str, units: &str, frame: Option<&str>, doc: &str) -> PortDescription {
    let port = PortDescription::input(name, PortKind::Signal, ValueType::of::<T>()).optional();
    described(port, units, frame, doc)
}

fn described(
    port: PortDescription,
    units: &str,
    frame: Option<&str>,
    doc: &str,
) -> PortDescription {
    let units = units.parse().unwrap_or_else(|_| LeafUnits::plain());
    let port = port.units(units).doc(doc);
    match frame {
        Some(frame) => port.frame(frame),
        None => port,
    }
}
