//! Worlds.

use nalgebra::Vector3;

use super::Context;
use super::joint::{Joint, joint};
use super::light::{Light, light};
use super::model::{Frame, Model, models};
use super::plugin::{Plugin, plugin};
use crate::error::{Place, SdfError, Warning};
use crate::fields::Fields;
use crate::frames::{Frames, WORLD};
use crate::search::Search;
use crate::value::Colour;
use crate::xml::Element;

/// A world.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// Its name.
    pub name: String,
    /// How it is to be computed.
    pub physics: Physics,
    /// m/s^2.
    pub gravity: Vector3<f64>,
    /// tesla.
    pub magnetic_field: Vector3<f64>,
    /// The air at the origin.
    pub atmosphere: Atmosphere,
    /// Velocity of the wind, m/s.
    pub wind: Vector3<f64>,
    /// Where on Earth its origin is, where that is said.
    pub spherical_coordinates: Option<SphericalCoordinates>,
    /// Its light without lights.
    pub scene: Scene,
    /// Lights.
    pub lights: Vec<Light>,
    /// Models.
    pub models: Vec<Model>,
    /// Joints between models.
    pub joints: Vec<Joint>,
    /// Frames.
    pub frames: Vec<Frame>,
    /// What it does.
    pub plugins: Vec<Plugin>,
    /// Positions that a saved state gives joints.
    pub joint_positions: Vec<JointPosition>,
    /// Its line, with its file.
    pub place: Place,
}

/// How a world is to be computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Physics {
    /// The engine, as written.
    pub engine: String,
    /// Step, s.
    pub max_step_size: f64,
    /// Simulated seconds per second; 0 is as fast as it goes.
    pub real_time_factor: f64,
    /// Steps per second of the clock.
    pub real_time_update_rate: f64,
    /// Most points of contact between two collisions.
    pub max_contacts: u64,
}

/// The air at the origin; the temperature changes with height by a constant gradient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Atmosphere {
    /// K.
    pub temperature: f64,
    /// K/m.
    pub temperature_gradient: f64,
    /// Pa.
    pub pressure: f64,
}

/// Where on a planet the origin is.
#[derive(Debug, Clone, PartialEq)]
pub struct SphericalCoordinates {
    /// `EARTH_WGS84`, `MOON_SCS`, `CUSTOM_SURFACE`, as written.
    pub surface_model: String,
    /// `ENU` and others, as written.
    pub world_frame_orientation: String,
    /// Degrees north.
    pub latitude_deg: f64,
    /// Degrees east.
    pub longitude_deg: f64,
    /// m above the surface.
    pub elevation: f64,
    /// Degrees by which x is turned from east to north.
    pub heading_deg: f64,
}

/// Light without lights.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// On all surfaces.
    pub ambient: Colour,
    /// Where nothing is.
    pub background: Colour,
}

/// A position of a joint in a saved state.
#[derive(Debug, Clone, PartialEq)]
pub struct JointPosition {
    /// The model.
    pub model: String,
    /// The joint in it.
    pub joint: String,
    /// 0 for the first axis, 1 for the second.
    pub axis: u64,
    /// rad or m.
    pub position: f64,
}

/// Elements of a world that change nothing here.
const LOOKS: [&str; 3] = ["gui", "audio", "road"];
/// Elements of a scene that only look.
const LOOKS_OF_SCENES: [&str; 5] = ["sky", "shadows", "fog", "grid", "origin_visual"];
/// Elements of physics that are for other engines, or for the clock.
const OF_OTHER_ENGINES: [&str; 5] = ["ode", "bullet", "dart", "simbody", "ogre"];

pub(crate) fn worlds(
    root: &Element,
    search: Search<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<World>, SdfError> {
    root.children_named("world").map(|element| world(element, search, warnings)).collect()
}

fn world(
    element: &Element,
    search: Search<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<World, SdfError> {
    let frames = Frames::of(element)?;
    let context = Context { frames: &frames, search, scope: 0, base: WORLD, is_static: false };
    let mut fields = Fields::new(element, warnings);
    fields.ignore(&LOOKS);
    let mut world = World {
        name: element.attribute("name").unwrap_or("default").into(),
        physics: Physics::default(),
        // The defaults of the specification.
        gravity: Vector3::new(0.0, 0.0, -9.8),
        magnetic_field: Vector3::new(5.5645e-6, 22.8758e-6, -42.3884e-6),
        atmosphere: Atmosphere::default(),
        wind: Vector3::zeros(),
        spherical_coordinates: None,
        scene: Scene::default(),
        lights: Vec::new(),
        models: Vec::new(),
        joints: Vec::new(),
        frames: Vec::new(),
        plugins: fields.all("plugin").into_iter().map(|child| plugin(child, "")).collect(),
        joint_positions: Vec::new(),
        place: element.place.clone(),
    };
    let several = fields.all("physics");
    let is_default = |physics: &&&Element| {
        physics.attribute("default").is_some_and(|default| ["true", "1"].contains(&default))
    };
    if let Some(chosen) = several.iter().find(is_default).or(several.first()) {
        read_physics(chosen, &mut world, fields.warnings())?;
    }
    world.gravity = fields.vector("gravity", world.gravity)?;
    world.magnetic_field = fields.vector("magnetic_field", world.magnetic_field)?;
    if let Some(element) = fields.one("atmosphere") {
        world.atmosphere = atmosphere(element, fields.warnings())?;
    }
    if let Some(wind) = fields.one("wind") {
        let mut fields = Fields::new(wind, fields.warnings());
        world.wind = fields.vector("linear_velocity", Vector3::zeros())?;
        fields.finish();
    }
    if let Some(element) = fields.one("spherical_coordinates") {
        world.spherical_coordinates = Some(spherical_coordinates(element, fields.warnings())?);
    }
    if let Some(scene) = fields.one("scene") {
        let mut fields = Fields::new(scene, fields.warnings());
        fields.ignore(&LOOKS_OF_SCENES);
        world.scene.ambient = fields.colour("ambient", world.scene.ambient);
        world.scene.background = fields.colour("background", world.scene.background);
        fields.finish();
    }
    for element in fields.all("light") {
        world.lights.push(light(element, context, fields.warnings())?);
    }
    for element in fields.all("joint") {
        world.joints.push(joint(element, context, fields.warnings())?);
    }
    for element in fields.all("frame") {
        let node = frames.node(0, element);
        let (name, pose) = (frames.scoped_name(node), frames.in_world(node));
        world.frames.push(Frame { name, pose, link: frames.link(node) });
    }
    for state in fields.all("state") {
        read_state(state, &mut world, fields.warnings())?;
    }
    fields.all("model");
    fields.finish();
    world.models = models(element, &frames, search, warnings)?;
    Ok(world)
}

fn read_physics(
    element: &Element,
    world: &mut World,
    warnings: &mut Vec<Warning>,
) -> Result<(), SdfError> {
    let mut fields = Fields::new(element, warnings);
    fields.ignore(&OF_OTHER_ENGINES);
    let physics = &mut world.physics;
    physics.engine = element.attribute("type").unwrap_or("ode").into();
    let step = fields.one("max_step_size");
    physics.max_step_size =
        step.map_or(Ok(None), Element::as_number)?.unwrap_or(physics.max_step_size);
    if physics.max_step_size <= 0.0 {
        let what = format!("the step is {} s", physics.max_step_size);
        return Err(step.unwrap_or(element).error(what, "write a step above zero, such as 0.001"));
    }
    physics.real_time_factor = fields.number("real_time_factor", physics.real_time_factor)?;
    physics.real_time_update_rate =
        fields.number("real_time_update_rate", physics.real_time_update_rate)?;
    physics.max_contacts = fields.count("max_contacts", physics.max_contacts)?;
    // Both were here up to SDF 1.5.
    world.gravity = fields.vector("gravity", world.gravity)?;
    world.magnetic_field = fields.vector("magnetic_field", world.magnetic_field)?;
    fields.finish();
    Ok(())
}

fn atmosphere(element: &Element, warnings: &mut Vec<Warning>) -> Result<Atmosphere, SdfError> {
    let default = Atmosphere::default();
    let mut fields = Fields::new(element, warnings);
    let air = Atmosphere {
        temperature: fields.number("temperature", default.temperature)?,
        temperature_gradient: fields
            .number("temperature_gradient", default.temperature_gradient)?,
        pressure: fields.number("pressure", default.pressure)?,
    };
    fields.finish();
    if air.temperature <= 0.0 || air.pressure <= 0.0 {
        let what = format!("air of {} K and {} Pa", air.temperature, air.pressure);
        return Err(element.error(what, "write a temperature and a pressure above zero"));
    }
    Ok(air)
}

fn spherical_coordinates(
    element: &Element,
    warnings: &mut Vec<Warning>,
) -> Result<SphericalCoordinates, SdfError> {
    let mut fields = Fields::new(element, warnings);
    fields.ignore(&["surface_axis_equatorial", "surface_axis_polar"]);
    let coordinates = SphericalCoordinates {
        surface_model: fields.text("surface_model").unwrap_or("EARTH_WGS84").into(),
        world_frame_orientation: fields.text("world_frame_orientation").unwrap_or("ENU").into(),
        latitude_deg: fields.number("latitude_deg", 0.0)?,
        longitude_deg: fields.number("longitude_deg", 0.0)?,
        elevation: fields.number("elevation", 0.0)?,
        heading_deg: fields.number("heading_deg", 0.0)?,
    };
    fields.finish();
    if coordinates.latitude_deg.abs() > 90.0 {
        let what = format!("the latitude is {} degrees", coordinates.latitude_deg);
        return Err(element.error(what, "write one from -90 to 90"));
    }
    Ok(coordinates)
}

/// Positions of joints in a saved state. The poses in it are those at another time, so Gazebo does not use them.
fn read_state(
    state: &Element,
    world: &mut World,
    warnings: &mut Vec<Warning>,
) -> Result<(), SdfError> {
    let message = "of a saved state only positions of joints are read";
    warnings.push(Warning::new(&state.place, message));
    for model in state.children_named("model") {
        for joint in model.children_named("joint") {
            for angle in joint.children_named("angle") {
                let Some(position) = angle.as_number()? else { continue };
                world.joint_positions.push(JointPosition {
                    model: model.attribute("name").unwrap_or("").into(),
                    joint: joint.attribute("name").unwrap_or("").into(),
                    axis: angle.attribute("axis").and_then(|axis| axis.parse().ok()).unwrap_or(0),
                    position,
                });
            }
        }
    }
    Ok(())
}

impl Default for Physics {
    fn default() -> Self {
        Self {
            engine: "ode".into(),
            max_step_size: 0.001,
            real_time_factor: 1.0,
            real_time_update_rate: 1000.0,
            max_contacts: 20,
        }
    }
}

impl Default for Atmosphere {
    fn default() -> Self {
        Self { temperature: 288.15, temperature_gradient: -0.0065, pressure: 101_325.0 }
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self { ambient: [0.4, 0.4, 0.4, 1.0], background: [0.7, 0.7, 0.7, 1.0] }
    }
}
