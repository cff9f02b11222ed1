//! How an aircraft is drawn.

use ironbird_component::scenery::{Body, BodyKind, ControlSurface, Reading, Rotor};

use super::file::Aircraft;
use super::servos::Tail;

/// Length and height of an aircraft as parts of its span: usual proportions, since no file gives them.
const LENGTH: f64 = 0.7;
const HEIGHT: f64 = 0.2;
/// Where its propeller is: so far ahead, as a part of its length.
const NOSE: f64 = 0.49;

/// Names of outputs.
pub(super) struct Names<'a> {
    pub servos: [&'a str; 3],
    pub motor_speed: &'a str,
}

/// Wings as wide as the file says, surfaces that move, and a propeller.
pub(super) fn body(craft: &Aircraft, names: &Names<'_>) -> Body {
    let surfaces = ["aileron", "elevator", "rudder"];
    let surfaces = surfaces.iter().zip(names.servos).map(|(surface, servo)| ControlSurface {
        name: (*surface).into(),
        deflection: match craft.servos.tail {
            // Servos that take no time have no position of their own.
            Tail::Conventional if craft.servos.lags() => Reading::output(servo),
            // Ruddervators are neither elevator nor rudder: what is wanted of both is shown.
            Tail::V if *surface == "aileron" && craft.servos.lags() => Reading::output(servo),
            Tail::Conventional | Tail::V => Reading::input(surface),
        },
    });
    let span = craft.airframe.reference.span;
    let size = [LENGTH * span, span, HEIGHT * span];
    let propeller = Rotor {
        position: [NOSE * size[0], 0.0, 0.0],
        radius: 0.0,
        turns: 1,
        speed: Some(Reading::output(names.motor_speed)),
    };
    Body {
        kind: BodyKind::Aircraft,
        size,
        surfaces: surfaces.collect(),
        rotors: vec![propeller],
        ..Body::default()
    }
}
