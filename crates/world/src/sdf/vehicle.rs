//! Which kind of body joined links are.
//!
//! | they have | they become |
//! |---|---|
//! | no joint that moves, and nothing acts | a rigid body that falls |
//! | rotors of MulticopterMotorModel, at most [`MOST_ROTORS`], and nothing else moves or acts | [`Multirotor`] |
//! | Hydrodynamics, and nothing or at most [`MOST_STATES`] thrusters | [`Submersible`] |
//! | anything else | an articulated body ([`JointedPlan`]) |
//!
//! Rotors and thrusters are part of what carries them, and so are links on joints that cannot move.

use std::collections::BTreeSet;
use std::sync::Arc;

use ironbird_kinematics::RigidMotion;
use ironbird_plant::multirotor::{Drive as RotorDrive, MOST_ROTORS, Multirotor, MultirotorParts};
use ironbird_plant::submersible::{Buoyancy, Hydrodynamics, Submersible, Thruster};
use ironbird_plant::vehicle::{Inertia, MOST_STATES};
use ironbird_sdf::{Model, SdfError};
use nalgebra::{Matrix6, Vector3};

use super::acting::actors;
use super::assembly::{Assembly, Built, assemblies};
use super::axes::{self, Axes};
use super::duties::{Duties, duties};
use super::motors::Pushes;
use super::notes::{Notes, free, plain};
use super::world::Everywhere;
use super::{sensors, shapes};
use crate::body_plan::{BodyPlan, Drive};
use crate::jointed::{Goal, JointedPlan};
use crate::joints::Base;
use crate::scene::{Scene, VehiclePlan};

/// Adds the bodies of a model that moves.
pub(super) fn add(
    model: &Model,
    axes: &Axes,
    everywhere: &Everywhere,
    scene: &mut Scene,
    notes: &mut Notes,
) -> Result<(), SdfError> {
    let duties = duties(model, axes, everywhere, scene, notes)?;
    let rigid: BTreeSet<usize> = duties.motors.iter().map(|motor| motor.joint).collect();
    let spun = duties.controls.iter().filter(|control| matches!(control.goal, Goal::Speed(_)));
    let turning: BTreeSet<usize> = spun.map(|control| control.joint).collect();
    for (number, assembly) in assemblies(model, notes).into_iter().enumerate() {
        let built = assembly.build(&rigid, &turning, notes)?;
        let name = match number {
            0 => plain(&model.name),
            _ => plain(&format!("{}::{}", model.name, assembly.root().name)),
        };
        let taken = |name: &str| scene.vehicles.iter().any(|other| other.body.name == name);
        let name = free(name, taken);
        let drive = drive(&assembly, &built, &duties, &name, notes)?;
        let vehicle = VehiclePlan {
            sensors: carried(&assembly, &built, notes),
            body: BodyPlan {
                motion: start(&assembly, &built, axes),
                colliders: touching(&assembly, &built, notes)?,
                pilot: None,
                drive,
                name,
            },
        };
        scene.vehicles.push(vehicle);
    }
    Ok(())
}

/// Where its first link's centre of mass is.
fn start(assembly: &Assembly<'_>, built: &Built, axes: &Axes) -> RigidMotion {
    let root = axes.pose(&(assembly.model.pose * assembly.root().pose));
    let position = root.translation.vector + root.rotation * built.centre;
    RigidMotion { position, attitude: root.rotation, ..RigidMotion::default() }
}

fn touching(
    assembly: &Assembly<'_>,
    built: &Built,
    notes: &mut Notes,
) -> Result<Vec<crate::geometry::Collider>, SdfError> {
    let mut found = Vec::new();
    for (number, link) in assembly.links() {
        let Some(attached) = built.attachment(number) else { continue };
        for collision in &link.collisions {
            let pose = attached.place * axes::shape(&collision.pose);
            let shape = shapes::collider(collision, pose, true, &link.place, notes)?;
            found.extend(shape.map(|shape| shape.on(attached.link)));
        }
    }
    Ok(found)
}

fn carried(
    assembly: &Assembly<'_>,
    built: &Built,
    notes: &mut Notes,
) -> Vec<crate::sensor::SensorPlan> {
    let mut found: Vec<crate::sensor::SensorPlan> = Vec::new();
    for (number, link) in assembly.links() {
        let Some(attached) = built.attachment(number) else { continue };
        for sensor in &link.sensors {
            let pose = attached.place * axes::pose(&sensor.pose);
            for mut plan in sensors::plans(sensor, attached.link, pose, notes) {
                let taken = |name: &str| found.iter().any(|other| other.name == name);
                if taken(&plan.name) {
                    plan.name = free(format!("{}_{}", plain(&link.name), plan.name), taken);
                }
                found.push(plan);
            }
        }
    }
    found
}

/// What moves it.
fn drive(
    assembly: &Assembly<'_>,
    built: &Built,
    duties: &Duties,
    name: &str,
    notes: &mut Notes,
) -> Result<Drive, SdfError> {
    let own = |link: usize| assembly.links().any(|(number, _)| number == link);
    for (_, link) in assembly.links() {
        if link.kinematic {
            notes.add(&link.place, format!("the link {} moves as forces tell it", link.name));
        }
        if link.inertial.fluid_added_mass.is_some() {
            notes.add(&link.place, "fluid_added_mass has no effect; write a Hydrodynamics plugin");
        }
    }
    let is_rigid = built.tree.links() == 1 && built.tree.base() == Base::Floating;
    let has_lift = duties.lifting.iter().any(|lifting| own(lifting.link()));
    let hydro: Vec<_> = duties.hydro.iter().filter(|hydro| own(hydro.link)).collect();
    let motors: Vec<_> = duties.motors.iter().filter(|motor| own(motor.link)).collect();
    let rotors = motors.iter().filter(|motor| matches!(motor.pushes, Pushes::Air(_))).count();
    let odd = assembly.links().any(|(_, link)| {
        let decay = &link.velocity_decay;
        !link.gravity || decay.linear > 0.0 || decay.angular > 0.0
    });
    let wrong = |what: String| {
        let help = "correct this model";
        SdfError::new(&assembly.model.place, format!("the model {name}: {what}"), help)
    };
    let inertia = || {
        let whole = built.of_first_link();
        Inertia { mass: whole.mass, tensor: whole.tensor, added: None }
    };
    let plain_air = is_rigid && !has_lift && !odd && hydro.is_empty() && !duties.buoyant;
    if plain_air && rotors == motors.len() && (1..=MOST_ROTORS).contains(&rotors) {
        let parts = multirotor(assembly, built, duties, inertia());
        return Ok(Drive::Vehicle(Arc::new(Multirotor::new(parts).map_err(wrong)?)));
    }
    let pushed = rotors == 0 && motors.len() <= MOST_STATES;
    if is_rigid && !has_lift && !odd && hydro.len() == 1 && pushed {
        let turned = built.attachment(hydro[0].link);
        if turned.is_some_and(|at| at.place.rotation.angle() < 1e-9) {
            let vehicle = submersible(assembly, built, duties, inertia()).map_err(wrong)?;
            return Ok(Drive::Vehicle(Arc::new(vehicle)));
        }
    }
    let actors = actors(assembly, built, duties, notes)?;
    if is_rigid && actors.is_empty() {
        return Ok(Drive::Inert(inertia()));
    }
    let shown = built
        .joints
        .iter()
        .map(|(joint, link)| (plain(&assembly.model.joints[*joint].name), *link));
    Ok(Drive::Jointed(Arc::new(JointedPlan {
        shown: shown.collect(),
        actors,
        positions: built.positions.clone(),
        tree: built.tree.clone(),
    })))
}

/// Rotors on a rigid body.
fn multirotor(
    assembly: &Assembly<'_>,
    built: &Built,
    duties: &Duties,
    inertia: Inertia,
) -> MultirotorParts {
    let rotors = duties.motors.iter().filter_map(|motor| {
        let attached = built.attachment(motor.link)?;
        let Pushes::Air(rotor) = &motor.pushes else { return None };
        let mut rotor = *rotor;
        // Averaged over a turn: about the axis only what lies along it counts.
        let own = built.inertia(motor.link);
        rotor.inertia = rotor.axis.dot(&(own.tensor * rotor.axis));
        rotor.at = attached.point(&Vector3::zeros());
        rotor.axis = attached.direction(&rotor.axis);
        Some(rotor)
    });
    let exposed: f64 = windy(assembly).map(|link| link.inertial.mass).sum();
    MultirotorParts {
        name: assembly.model.name.clone(),
        source: assembly.model.place.to_string(),
        inertia,
        rotors: rotors.collect(),
        drive: RotorDrive::Speed,
        linear_drag: Vector3::repeat(duties.wind_factor.unwrap_or(0.0) * exposed),
        quadratic_drag: Vector3::zeros(),
        rain_area: 0.0,
        trim: Vector3::zeros(),
        warming: None,
    }
}

/// Links that the wind takes along.
pub(super) fn windy<'a>(
    assembly: &'a Assembly<'_>,
) -> impl Iterator<Item = &'a ironbird_sdf::Link> {
    let usual = assembly.model.enable_wind;
    assembly.links().map(|(_, link)| link).filter(move |link| link.enable_wind.unwrap_or(usual))
}

/// A rigid body under water.
fn submersible(
    assembly: &Assembly<'_>,
    built: &Built,
    duties: &Duties,
    inertia: Inertia,
) -> Result<Submersible, String> {
    let hydro = duties.hydro.iter().find_map(|hydro| Some((hydro, built.attachment(hydro.link)?)));
    let (mut added, mut linear) = (Matrix6::zeros(), Matrix6::zeros());
    let (mut quadratic, mut origin) = (Matrix6::zeros(), Vector3::zeros());
    if let Some((hydro, attached)) = hydro {
        (added, linear, quadratic) = (hydro.added, hydro.linear, hydro.quadratic);
        origin = attached.point(&Vector3::zeros());
    }
    let hydrodynamics = Hydrodynamics::from_derivatives(&added, &linear, &quadratic, origin);
    let (mut volume, mut moment) = (0.0, Vector3::zeros());
    let (mut top, mut bottom) = (f64::INFINITY, f64::NEG_INFINITY);
    for (number, link) in assembly.links().filter(|_| duties.buoyant) {
        let Some(attached) = built.attachment(number) else { continue };
        for collision in &link.collisions {
            let Some((own, height)) = shapes::volume(collision) else { continue };
            let middle = attached.point(&axes::vector(&collision.pose.translation.vector));
            (volume, moment) = (volume + own, moment + middle * own);
            (top, bottom) = (top.min(middle.z - 0.5 * height), bottom.max(middle.z + 0.5 * height));
        }
    }
    let buoyancy = if volume > 0.0 && bottom > top {
        Buoyancy { volume, centre: moment / volume, height: bottom - top }
    } else {
        Buoyancy { volume: 0.0, centre: Vector3::zeros(), height: 1.0 }
    };
    let thrusters = duties.motors.iter().filter_map(|motor| {
        let attached = built.attachment(motor.link)?;
        let Pushes::Water(thruster) = &motor.pushes else { return None };
        Some(Thruster {
            place: attached.point(&thruster.place),
            direction: attached.direction(&thruster.direction),
            ..thruster.clone()
        })
    });
    Submersible::new(inertia, hydrodynamics, buoyancy, thrusters.collect())
}
