//! Rotors and thrusters: MulticopterMotorModel, GenericMotorModel with a polynomial of the force, Thruster.
//!
//! Their links become part of what carries them. Thrust is along z of the link, at its origin; drag and rolling
//! moment are those of `plant::multirotor::rotor`. `rotorVelocitySlowdownSim`, which makes Gazebo's rotors turn more
//! slowly than their thrust says, has no effect: forces are those of the real speed. The radius of a rotor, which the
//! plugin does not have, is what its link's shapes sweep (`disk.rs`).

use ironbird_plant::multirotor::{Rotor, Turns};
use ironbird_plant::submersible::Thruster;
use ironbird_sdf::{Element, Model, Plugin, SdfError};
use nalgebra::Vector3;

use super::axes;
use super::disk::swept_radius;
use super::notes::{Contents, Notes};
use super::plugin::{joint_named, link_named};

/// A rotor or thruster on a link of a model, in the frame of that link.
pub(super) struct Motor {
    pub link: usize,
    /// The joint that turns it.
    pub joint: usize,
    /// By which commands are ordered.
    pub number: u64,
    pub pushes: Pushes,
}

pub(super) enum Pushes {
    Air(Rotor),
    Water(Thruster),
}

/// Children that say where commands come from, or what Gazebo's own joints do.
const OF_TOPICS: [&str; 14] = [
    "robotNamespace",
    "commandSubTopic",
    "motorSpeedPubTopic",
    "rotorVelocitySlowdownSim",
    "actuator_number",
    "motorType",
    "gravity_magnitude",
    "namespace",
    "topic",
    "sub_topic",
    "controlMethod",
    "minCommand",
    "minDutyCycle",
    "maxDutyCycle",
];

/// A MulticopterMotorModel, or a GenericMotorModel.
pub(super) fn motor(
    plugin: &Plugin,
    model: &Model,
    notes: &mut Notes,
) -> Result<Option<Motor>, SdfError> {
    let mut from = Contents::new(&plugin.element);
    let link = link_named(plugin, from.text("linkName"), model, notes);
    let joint = joint_named(plugin, from.text("jointName"), model, notes);
    let (Some(link), Some(joint)) = (link, joint) else { return Ok(None) };
    let kind = plugin.element.text_of("motorType").unwrap_or("velocity");
    let positive = polynomial(&mut from, &["force_polynomial", "positiveThrustPolynomial"])?;
    let negative = polynomial(&mut from, &["negativeThrustPolynomial"])?;
    if !(kind == "velocity" || kind == "force_polynomial" || positive.is_some()) {
        let text = format!("a motor of type {kind} is not simulated");
        notes.add(plugin.place(), text);
        return Ok(None);
    }
    let number =
        from.number("motorNumber", from.element.number("actuator_number")?.unwrap_or(0.0))?;
    let thrust = from.number("motorConstant", 8.54858e-6)?;
    let turns = match from.text("turningDirection") {
        Some("cw") => Turns::Clockwise,
        _ => Turns::CounterClockwise,
    };
    let rotor = Rotor {
        axis: -Vector3::z(),
        turns,
        thrust,
        torque: thrust * from.number("momentConstant", 0.016)?,
        drag: from.number("rotorDragCoefficient", 1e-4)?,
        rolling: from.number("rollingMomentCoefficient", 1e-6)?,
        rise: from.number("timeConstantUp", 1.0 / 80.0)?.max(1e-6),
        fall: from.number("timeConstantDown", 1.0 / 40.0)?.max(1e-6),
        fastest: from.number("maxRotVelocity", 838.0)?,
        ..Rotor::default()
    };
    if !(rotor.fastest > 0.0 && rotor.fastest.is_finite()) {
        let what = format!("the motor turns with {} rad/s at most", rotor.fastest);
        return Err(plugin.element.error(what, "write a <maxRotVelocity> above zero"));
    }
    let pushes = match positive {
        None => Pushes::Air(Rotor { radius: swept_radius(&model.links[link], notes), ..rotor }),
        Some(forward) => Pushes::Water(Thruster {
            place: Vector3::zeros(),
            direction: -Vector3::z(),
            forward,
            reverse: negative.unwrap_or(forward),
            time_constant: rotor.rise,
        }),
    };
    from.ignore(&OF_TOPICS);
    from.finish("a motor", notes);
    Ok(Some(Motor { link, joint, number: number.max(0.0) as u64, pushes }))
}

/// Coefficients of growing degree, with or without brackets and commas; none where none is given.
fn polynomial(from: &mut Contents<'_>, names: &[&str]) -> Result<Option<[f64; 6]>, SdfError> {
    for name in names {
        let Some(element) = from.one(name) else { continue };
        let text = element.text.replace(['[', ']', ','], " ");
        let numbers = Element { text, ..element.clone() }.number_list()?;
        if numbers.len() > 6 {
            let what = format!("a polynomial with {} coefficients", numbers.len());
            return Err(element.error(what, "give at most six"));
        }
        let mut all = [0.0; 6];
        all[..numbers.len()].copy_from_slice(&numbers);
        return Ok(Some(all));
    }
    Ok(None)
}

/// A Thruster of Gazebo: its command is the part of its largest thrust, along the axis of its joint.
pub(super) fn thruster(
    plugin: &Plugin,
    model: &Model,
    count: u64,
    notes: &mut Notes,
) -> Result<Option<Motor>, SdfError> {
    let mut from = Contents::new(&plugin.element);
    let Some(joint) = joint_named(plugin, from.text("joint_name"), model, notes) else {
        return Ok(None);
    };
    let named = &model.joints[joint];
    let Some(link) = model.links.iter().position(|link| link.name == named.child) else {
        return Ok(None);
    };
    let most = from.number("max_thrust_cmd", 1000.0)?;
    let least = from.number("min_thrust_cmd", -1000.0)?;
    let at = axes::pose(&(model.links[link].pose.inverse() * named.pose));
    let axis = named.axis.as_ref().map_or(Vector3::z(), |axis| axis.xyz);
    let linear = |slope: f64| [0.0, slope, 0.0, 0.0, 0.0, 0.0];
    let thruster = Thruster {
        place: at.translation.vector,
        direction: at.rotation * axes::vector(&axis),
        forward: linear(most),
        reverse: linear(-least),
        time_constant: 1e-3,
    };
    from.ignore(&[
        "namespace",
        "topic",
        "thrust_coefficient",
        "fluid_density",
        "propeller_diameter",
    ]);
    from.ignore(&["velocity_control", "use_angvel_cmd", "p_gain", "i_gain", "d_gain", "deadband"]);
    from.finish("Thruster", notes);
    Ok(Some(Motor { link, joint, number: count, pushes: Pushes::Water(thruster) }))
}
