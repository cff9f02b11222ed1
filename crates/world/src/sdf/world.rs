//! What surrounds the models of a world.

use ironbird_kinematics::Geodetic;
use ironbird_sdf::{Plugin, SdfError, World};
use nalgebra::Vector3;

use super::axes::Axes;
use super::notes::{Contents, Notes};
use super::plugin::{Purpose, purpose};
use crate::scene::Scene;
use crate::weather::Density;

/// Where the surface of water lies that is everywhere, in m down.
const EVERYWHERE: f64 = -1e6;
/// Specific gas constant of dry air in J/(kg K).
const GAS_CONSTANT: f64 = 287.052_87;

/// What acts on all models.
#[derive(Default)]
pub(super) struct Everywhere {
    /// Force of the wind per mass and speed in 1/s.
    pub wind_factor: Option<f64>,
    /// Models that water carries; all where the list is empty.
    pub buoyant: Option<Vec<String>>,
}

/// Fills the scene with what the world says beside its models.
pub(super) fn surround(
    world: &World,
    scene: &mut Scene,
    notes: &mut Notes,
) -> Result<(Axes, Everywhere), SdfError> {
    let heading = world.spherical_coordinates.as_ref().map_or(0.0, |at| at.heading_deg);
    let axes = Axes::new(heading);
    scene.step = Some(world.physics.max_step_size);
    if world.physics.max_step_size > 0.1 {
        let text = format!("a step of {} s is too long; it is 0.1 s", world.physics.max_step_size);
        notes.add(&world.place, text);
        scene.step = Some(0.1);
    }
    let weather = &mut scene.weather;
    weather.gravity = axes.vector(&world.gravity);
    weather.wind.steady = axes.vector(&world.wind);
    let ground = world.atmosphere.pressure / (GAS_CONSTANT * world.atmosphere.temperature);
    weather.density = Density::Uniform(ground);
    scene.magnetic_field = Some(axes.vector(&world.magnetic_field));
    if let Some(at) = &world.spherical_coordinates {
        scene.origin =
            Some(Geodetic::from_degrees(at.latitude_deg, at.longitude_deg, at.elevation));
        if at.surface_model != "EARTH_WGS84" {
            notes.add(&world.place, format!("the planet is the Earth, not {}", at.surface_model));
        }
        if at.world_frame_orientation != "ENU" {
            let text = format!("axes are east, north, up, not {}", at.world_frame_orientation);
            notes.add(&world.place, text);
        }
    }
    for joint in &world.joints {
        let text = format!("the joint {} between models is not simulated", joint.name);
        notes.add(&joint.place, text);
    }
    if !world.joint_positions.is_empty() {
        notes.add(&world.place, "positions of joints in a saved state are not taken over");
    }
    let mut everywhere = Everywhere::default();
    for plugin in &world.plugins {
        match purpose(plugin) {
            Purpose::BuiltIn => {}
            Purpose::WindEffects => {
                let mut contents = Contents::new(&plugin.element);
                let factor = contents.number("force_approximation_scaling_factor", 1.0)?;
                everywhere.wind_factor = Some(factor);
                contents.finish("WindEffects", notes);
            }
            Purpose::Buoyancy => {
                let named = buoyancy(plugin, scene, notes)?;
                everywhere.buoyant = Some(named);
            }
            _ => not_run(plugin, notes),
        }
    }
    Ok((axes, everywhere))
}

/// Warns of a plugin that is not known.
pub(super) fn not_run(plugin: &Plugin, notes: &mut Notes) {
    let name = if plugin.name.is_empty() { &plugin.filename } else { &plugin.name };
    notes.add(plugin.place(), format!("the plugin {name} is not simulated"));
}

/// Water everywhere, as models with hydrodynamics assume it where nothing is said of its surface.
pub(super) fn flood(scene: &mut Scene) {
    if scene.weather.water.surface == f64::INFINITY {
        scene.weather.water.surface = EVERYWHERE;
    }
}

/// The current that a model's hydrodynamics assume: one for the whole world.
pub(super) fn flow(current: Vector3<f64>, plugin: &Plugin, scene: &mut Scene, notes: &mut Notes) {
    let known = &mut scene.weather.water.current;
    if current == Vector3::zeros() {
        return;
    }
    if *known != Vector3::zeros() && *known != current {
        notes.add(plugin.place(), "there is one current in the world, that of the first model");
        return;
    }
    *known = current;
}

/// The water of the Buoyancy plugin, and the models that it carries.
fn buoyancy(
    plugin: &Plugin,
    scene: &mut Scene,
    notes: &mut Notes,
) -> Result<Vec<String>, SdfError> {
    let mut contents = Contents::new(&plugin.element);
    let water = &mut scene.weather.water;
    water.density = contents.number("uniform_fluid_density", 1000.0)?;
    water.surface = EVERYWHERE;
    if let Some(graded) = contents.one("graded_buoyancy") {
        let mut contents = Contents::new(graded);
        water.density = contents.number("default_density", 1000.0)?;
        for change in contents.all("density_change") {
            let mut contents = Contents::new(change);
            let above = contents.number("above_depth", 0.0)?;
            let density = contents.number("density", 1.0)?;
            if water.surface > EVERYWHERE || density > 0.1 * water.density {
                notes.add(&change.place, "of layers of water only the first one is simulated");
            } else {
                water.surface = -above;
            }
            contents.finish("density_change", notes);
        }
        contents.finish("graded_buoyancy", notes);
    }
    let named = contents.all("enable").iter().map(|child| child.text.clone()).collect();
    contents.finish("Buoyancy", notes);
    Ok(named)
}
