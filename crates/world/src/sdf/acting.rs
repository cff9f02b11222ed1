//! What acts on the links of an articulated body.

use std::sync::Arc;

use ironbird_kinematics::Channel;
use ironbird_plant::submersible::{Buoyancy, Hydrodynamics, Thruster};
use ironbird_sdf::SdfError;
use nalgebra::{Matrix6, Vector3};

use super::aero::Lifting;
use super::assembly::{Assembly, Built};
use super::axes;
use super::duties::Duties;
use super::motors::{Motor, Pushes};
use super::notes::{Notes, free, plain};
use super::shapes;
use super::vehicle::windy;
use crate::aero::{AdvancedLiftDrag, LiftDrag};
use crate::jointed::{
    DrivenJoint, Floating, JointController, LiftingSurface, LinkActor, MotionDecay, Resistance,
    RotorOnLink, ThrusterOnLink, Weightless, WindDrag, WingSurface,
};
use crate::joints::Attachment;

type Actor = Arc<dyn LinkActor>;

/// All that acts on an assembly.
pub(super) fn actors(
    assembly: &Assembly<'_>,
    built: &Built,
    duties: &Duties,
    notes: &mut Notes,
) -> Result<Vec<Actor>, SdfError> {
    let mut found: Vec<Actor> = Vec::new();
    controllers(assembly, built, duties, notes, &mut found);
    for motor in &duties.motors {
        if let Some(attached) = built.attachment(motor.link) {
            let taken = |name: &str| {
                found.iter().flat_map(|actor| actor.commands()).any(|channel| channel.name == name)
            };
            let actor = pushing(motor, attached, built, assembly, taken);
            found.push(actor);
        }
    }
    for lifting in &duties.lifting {
        if let Some(attached) = built.attachment(lifting.link()) {
            let made = surface(lifting, attached, built);
            found.push(made.map_err(|error| {
                SdfError::new(&assembly.model.place, error.to_string(), "correct this surface")
            })?);
        }
    }
    for hydro in &duties.hydro {
        let Some(attached) = built.attachment(hydro.link) else { continue };
        if hydro.added != Matrix6::zeros() {
            let text =
                "added mass has no effect on a body with joints that move, or surfaces that lift";
            notes.add(&assembly.model.place, text);
        }
        let zero = Vector3::zeros();
        let ours =
            Hydrodynamics::from_derivatives(&hydro.added, &hydro.linear, &hydro.quadratic, zero);
        // Of one axis after the other: turned with their link.
        let turn = *attached.place.rotation.to_rotation_matrix().matrix();
        let mut six = Matrix6::zeros();
        six.fixed_view_mut::<3, 3>(0, 0).copy_from(&turn);
        six.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
        found.push(Arc::new(Resistance {
            link: attached.link,
            origin: attached.point(&zero),
            linear: six * ours.linear * six.transpose(),
            quadratic: six * ours.quadratic * six.transpose(),
        }));
    }
    for (number, link) in assembly.links() {
        let Some(attached) = built.attachment(number) else { continue };
        let inertia = built.inertia(number);
        let (on, mass) = (attached.link, inertia.mass);
        let centre = attached.point(&inertia.centre);
        for collision in link.collisions.iter().filter(|_| duties.buoyant) {
            let Some((volume, height)) = shapes::volume(collision) else { continue };
            let centre = attached.point(&axes::vector(&collision.pose.translation.vector));
            let buoyancy = Buoyancy { volume, centre, height };
            found.push(Arc::new(Floating { link: on, buoyancy }));
        }
        if !link.gravity {
            found.push(Arc::new(Weightless { link: on, centre, mass }));
        }
        let decay = &link.velocity_decay;
        if decay.linear > 0.0 || decay.angular > 0.0 {
            let turn = attached.place.rotation.to_rotation_matrix();
            let tensor = turn.matrix() * inertia.tensor * turn.matrix().transpose();
            let (linear, angular) = (decay.linear * mass, tensor * decay.angular);
            found.push(Arc::new(MotionDecay { link: on, centre, linear, angular }));
        }
        let factor = duties.wind_factor.unwrap_or(0.0);
        if factor > 0.0 && windy(assembly).any(|other| other.name == link.name) {
            found.push(Arc::new(WindDrag { link: on, centre, per_speed: factor * mass }));
        }
    }
    Ok(found)
}

/// Joints that commands drive: those with one command together.
fn controllers(
    assembly: &Assembly<'_>,
    built: &Built,
    duties: &Duties,
    notes: &mut Notes,
    found: &mut Vec<Actor>,
) {
    let mut made: Vec<JointController> = Vec::new();
    for control in &duties.controls {
        let joint = &assembly.model.joints[control.joint];
        let is_own = assembly.links().any(|(_, link)| link.name == joint.child);
        let Some(&link) = built.joints.get(&control.joint).filter(|_| is_own) else {
            if is_own {
                let text =
                    format!("the joint {} does not move; what drives it does nothing", joint.name);
                notes.add(&joint.place, text);
            }
            continue;
        };
        let (goal, multiplier, offset) = (control.goal, control.multiplier, control.offset);
        let driven = DrivenJoint { link, goal, multiplier, offset };
        let same = made.iter_mut().find(|other| other.command[0].name == control.channel.name);
        match same {
            Some(other) => other.joints.push(driven),
            None => made
                .push(JointController { command: [control.channel.clone()], joints: vec![driven] }),
        }
    }
    found.extend(made.into_iter().map(|made| Arc::new(made) as Actor));
}

/// A rotor or thruster on a link of the tree.
fn pushing(
    motor: &Motor,
    attached: Attachment,
    built: &Built,
    assembly: &Assembly<'_>,
    taken: impl Fn(&str) -> bool,
) -> Actor {
    let name = plain(&assembly.model.links[motor.link].name);
    let link = attached.link;
    match &motor.pushes {
        Pushes::Air(rotor) => {
            let mut rotor = *rotor;
            rotor.inertia = rotor.axis.dot(&(built.inertia(motor.link).tensor * rotor.axis));
            rotor.at = attached.point(&Vector3::zeros());
            rotor.axis = attached.direction(&rotor.axis);
            let channel = Channel {
                name: free(format!("motor_{}", motor.number + 1), taken),
                unit: "rad/s",
                range: (0.0, rotor.fastest),
                rest: 0.0,
                doc: "Speed that a motor is to have.",
            };
            Arc::new(RotorOnLink { link, rotor, command: [channel] })
        }
        Pushes::Water(thruster) => {
            let thruster = Thruster {
                place: attached.point(&thruster.place),
                direction: attached.direction(&thruster.direction),
                ..thruster.clone()
            };
            let channel = Channel {
                name: free(format!("{name}_thrust"), taken),
                unit: "1",
                range: (-1.0, 1.0),
                rest: 0.0,
                doc: "Command of a thruster.",
            };
            Arc::new(ThrusterOnLink { link, thruster, command: [channel] })
        }
    }
}

/// A lifting surface on a link of the tree.
fn surface(
    lifting: &Lifting,
    attached: Attachment,
    built: &Built,
) -> Result<Actor, crate::aero::AeroError> {
    let moved = |joint: &usize| built.joints.get(joint).copied();
    let link = attached.link;
    Ok(match lifting {
        Lifting::Plain { surface, control, .. } => {
            let control = control.as_ref().and_then(moved);
            let surface = LiftDrag::new(&surface.placed(&attached.place))?;
            Arc::new(LiftingSurface { link, surface, control })
        }
        Lifting::Whole { wing, controls, .. } => {
            let controls = controls.iter().map(|joint| joint.as_ref().and_then(moved)).collect();
            let wing = AdvancedLiftDrag::new(&wing.placed(&attached.place))?;
            Arc::new(WingSurface { link, wing, controls })
        }
    })
}
