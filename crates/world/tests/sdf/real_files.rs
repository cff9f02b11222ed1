//! PX4's x500 in its own worlds, where they are at hand.

use std::path::{Path, PathBuf};

use ironbird_world::{Scene, World};
use nalgebra::Vector3;

use super::{command, world_of};

/// The folder with files of others, if it is there.
fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("IRONBIRD_DATA").map_or(beside, PathBuf::from).join("sdf");
    if data.join("models/x500/model.sdf").exists() {
        return Some(data);
    }
    println!("skipped: {} is not there", data.display());
    None
}

/// PX4's quadrotor in one of its worlds, 20 m up.
fn x500_in(folder: &Path, name: &str) -> (Scene, World) {
    let world = folder.join("worlds").join(name);
    let models = vec![folder.join("models")];
    let mut scene = ironbird_world::sdf::read(&world, &models).unwrap();
    let mut alone =
        ironbird_world::sdf::read(&folder.join("models/x500/model.sdf"), &models).unwrap();
    scene.vehicles.append(&mut alone.vehicles);
    scene.warnings.append(&mut alone.warnings);
    let made = world_of(&scene);
    (scene, made)
}

fn hover(world: &mut World) {
    let body = world.bodies().position(|body| body.name() == "x500").unwrap();
    world.body_mut(body).state.motion.position.z -= 20.0;
    world.moved();
    let mass = world.body(body).mass();
    let speed = (mass * world.weather.gravity.norm() / (4.0 * 8.54858e-6)).sqrt();
    for motor in 1..=4 {
        command(world, body, &format!("motor_{motor}"), speed);
        world.body_mut(body).state.own[motor - 1] = speed;
    }
    world.feel();
}

#[test]
fn the_x500_hovers_in_the_default_world() {
    let Some(folder) = folder() else { return };
    let (scene, mut world) = x500_in(&folder, "default.sdf");
    assert!(!scene.fixed.is_empty());
    for warning in &scene.warnings {
        println!("{warning}");
    }
    hover(&mut world);
    assert!(world.body(0).state.acceleration.norm() < 1e-6, "{}", world.body(0).state.acceleration);
    let before = world.body(0).state.motion.position;
    world.advance(250).unwrap();
    // Its rotors are not exactly about its centre of mass.
    let moved = world.body(0).state.motion.position - before;
    assert!(moved.norm() < 0.05, "{moved}");
    println!("x500: {} kg", world.body(0).mass());
}

#[test]
fn wind_pushes_the_x500() {
    let Some(folder) = folder() else { return };
    let (scene, mut world) = x500_in(&folder, "windy.sdf");
    assert!(scene.weather.wind.steady != Vector3::zeros());
    hover(&mut world);
    world.advance(250).unwrap();
    let along = world.body(0).state.motion.velocity.dot(&scene.weather.wind.steady.normalize());
    assert!(along > 0.05, "{along} m/s with the wind after a second");
}
