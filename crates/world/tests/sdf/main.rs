//! SDF files as worlds that fly, drive and swim.

mod as_component;
mod flying;
mod folders;
mod many_commands;
mod moving;
mod real_files;
mod telling;
mod wind_and_water;

use std::path::{Path, PathBuf};

use ironbird_world::geometry::Fixed;
use ironbird_world::{Body, Scene, Stepping, World};

/// A file of this test, or of the examples.
pub fn file(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = here.join("../../examples/world/sdf").join(name);
    if example.exists() { example } else { here.join("tests/sdf/files").join(name) }
}

/// What a file describes.
pub fn scene(path: &Path) -> Scene {
    ironbird_world::sdf::read(path, &[]).unwrap()
}

/// A world made of that.
pub fn world_of(scene: &Scene) -> World {
    let plans = scene.vehicles.iter().map(|vehicle| vehicle.body.clone()).collect();
    let stepping = Stepping { step: scene.step.unwrap_or(1e-3), ..Stepping::default() };
    World::new(Fixed::new(scene.fixed.clone()), scene.weather.clone(), plans, stepping).unwrap()
}

/// The world of a file of this test.
pub fn world(name: &str) -> World {
    world_of(&scene(&file(name)))
}

/// A number of a body by its name.
pub fn own(body: &Body, name: &str) -> f64 {
    let found = body.own().find(|(other, _)| *other == name);
    found.unwrap_or_else(|| panic!("no {name} in {:?}", body.own().collect::<Vec<_>>())).1
}

/// Gives a body a command.
pub fn command(world: &mut World, body: usize, name: &str, value: f64) {
    let channels = world.body(body).commands();
    let number = channels.iter().position(|channel| channel.name == name);
    let number = number.unwrap_or_else(|| panic!("no {name} in {channels:?}"));
    let limited = channels[number].limit(value);
    world.body_mut(body).state.commands[number] = limited;
}
