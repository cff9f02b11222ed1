//! The physical interface: devices of a world, on either side of a link.
//!
//! | file | holds |
//! |---|---|
//! | `parts.rs` | sensors and actuators as users write them |
//! | `signals.rs` | the ports of metrics and actuators |
//! | `world_side.rs` | `simbricks.physical-world` |
//! | `device_side.rs` | `simbricks.physical-device` |
//! | `saturation.rs` | values that do not fit, told once |

mod device_side;
mod parts;
mod saturation;
mod signals;
mod world_side;

pub(crate) use device_side::DeviceSideType;
pub(crate) use world_side::WorldSideType;

use ironbird_component::{
    Description, Given, InstantiateError, ParameterDescription, ParameterKind, PortDescription,
    ValueType,
};
use ironbird_kernel::{Parameter, PortKind};

use crate::parameters::OWN;

fn truth(name: &str, doc: &str) -> PortDescription {
    PortDescription::output(name, PortKind::Signal, ValueType::of::<bool>()).doc(doc)
}

/// The parameters of a device: its number, its sensors, its actuators.
fn device_parameters(sensors: &str, actuators: &str) -> [ParameterDescription; 3] {
    let number = ParameterKind::Integer { min: 0, max: i64::from(u32::MAX) };
    let number = ParameterDescription::required(
        "device",
        number,
        "The number by which both sides know the device.",
    );
    let text = |path, doc| {
        ParameterDescription::required(path, ParameterKind::Text, doc)
            .or([Parameter::Text(String::new())])
            .fixed()
    };
    [
        number.or([Parameter::Integer(0)]).fixed(),
        text("sensors", sensors),
        text("actuators", actuators),
    ]
}

/// What was given of [`device_parameters`].
fn read_device(
    given: &Given<'_>,
    description: &Description,
) -> Result<(u32, String, String), InstantiateError> {
    let own = &description.parameters[OWN..];
    Ok((given.read(&own[0])?, given.read(&own[1])?, given.read(&own[2])?))
}
