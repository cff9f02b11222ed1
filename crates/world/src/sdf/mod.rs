//! SDF files, as the users of Gazebo have them, as scenes.
//!
//! ```text
//! ironbird_sdf::load ──► World ──► surroundings: step, gravity, wind, air, water, origin
//!                          └─► Model ──► what is static: the ground
//!                                └─► assemblies of joined links ──► bodies, with shapes and sensors
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `axes.rs` | from the axes of SDF to ours, here and only here |
//! | `world.rs` | what surrounds the models |
//! | `assembly.rs` | joined links as trees |
//! | `vehicle.rs` | what kind of body an assembly is |
//! | `duties.rs` | what the plugins of a model do |
//! | `acting.rs` | what acts on the links of an articulated body |
//! | `aero.rs`, `motors.rs`, `controls.rs`, `water.rs` | one kind of plugin each |
//! | `disk.rs` | the radius of a rotor |
//! | `plugin.rs` | which plugin is of which kind |
//! | `shapes.rs`, `heightmap.rs` | collisions |
//! | `sensors.rs` | sensors |
//! | `notes.rs` | warnings, names, contents of plugins |
//!
//! What has no effect is a warning with its file and line ([`Scene::warnings`]); what only looks is passed over.

mod acting;
mod aero;
mod assembly;
mod axes;
mod controls;
mod disk;
mod duties;
mod heightmap;
mod motors;
mod notes;
mod plugin;
mod sensors;
mod shapes;
mod vehicle;
mod water;
mod world;

use std::path::{Path, PathBuf};

use ironbird_sdf::{Link, Model, Place, SdfError};
use nalgebra::Isometry3;

use crate::geometry::{Collider, Form, Surface};
use crate::scene::Scene;
use axes::Axes;
use notes::Notes;
use world::Everywhere;

/// The first world of a file; or, of a file without one, its models on level ground. `folders` are where models and
/// meshes are looked for, beside the folders near the file.
pub fn read(path: &Path, folders: &[PathBuf]) -> Result<Scene, SdfError> {
    let sdf = ironbird_sdf::load(path, folders)?;
    let mut notes = Notes { warnings: sdf.warnings };
    let mut scene = Scene::default();
    let (models, axes, everywhere) = match sdf.worlds.first() {
        Some(world) => {
            let (axes, everywhere) = world::surround(world, &mut scene, &mut notes)?;
            (&world.models, axes, everywhere)
        }
        None => {
            let place = sdf.models.first().map(|model| &model.place);
            let file = Place { file: path.into(), line: 1 };
            notes.add(
                place.unwrap_or(&file),
                "this is a model without a world; it is on level ground",
            );
            if let Ok(plane) =
                Collider::new(Form::HalfSpace, Isometry3::identity(), Surface::default())
            {
                scene.fixed.push(plane);
            }
            (&sdf.models, Axes::new(0.0), Everywhere::default())
        }
    };
    for other in sdf.worlds.iter().skip(1) {
        notes.add(&other.place, format!("only the first world counts, not {}", other.name));
    }
    for model in models {
        add(model, &axes, &everywhere, &mut scene, &mut notes)?;
    }
    scene.warnings = notes.warnings.iter().map(ToString::to_string).collect();
    Ok(scene)
}

/// A model: ground, or bodies.
fn add(
    model: &Model,
    axes: &Axes,
    everywhere: &Everywhere,
    scene: &mut Scene,
    notes: &mut Notes,
) -> Result<(), SdfError> {
    if model.is_static {
        for plugin in &model.plugins {
            if plugin::purpose(plugin) != plugin::Purpose::BuiltIn {
                world::not_run(plugin, notes);
            }
        }
        for link in &model.links {
            fix(model, link, axes, scene, notes)?;
        }
        return Ok(());
    }
    if model.self_collide || model.links.iter().any(|link| link.self_collide == Some(true)) {
        notes.add(&model.place, "links of one model do not touch each other");
    }
    for link in model.links.iter().filter(|link| link.is_static) {
        fix(model, link, axes, scene, notes)?;
    }
    vehicle::add(model, axes, everywhere, scene, notes)
}

/// A link that does not move.
fn fix(
    model: &Model,
    link: &Link,
    axes: &Axes,
    scene: &mut Scene,
    notes: &mut Notes,
) -> Result<(), SdfError> {
    for sensor in &link.sensors {
        notes.add(&sensor.place, "a sensor on something that does not move is not simulated");
    }
    for collision in &link.collisions {
        let pose = axes.shape(&(model.pose * link.pose * collision.pose));
        scene.fixed.extend(shapes::collider(collision, pose, false, &link.place, notes)?);
    }
    Ok(())
}
