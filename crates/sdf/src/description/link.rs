//! Links: rigid bodies with what is fixed to them.

use std::collections::BTreeSet;

use nalgebra::Isometry3;

use super::Context;
use super::geometry::{Geometry, Use, geometry};
use super::inertial::{Inertial, inertial};
use super::light::{Light, light};
use super::plugin::{Plugin, plugin};
use super::sensor::{Sensor, sensor};
use super::surface::{Surface, surface};
use crate::error::{Place, SdfError, Warning};
use crate::fields::Fields;
use crate::value::Colour;
use crate::xml::Element;

/// A rigid body.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Its name, with those of nested models around it: `a::b`.
    pub name: String,
    /// In the frame of the outermost model.
    pub pose: Isometry3<f64>,
    /// What it weighs.
    pub inertial: Inertial,
    /// Whether gravity acts on it.
    pub gravity: bool,
    /// Whether it is moved by commands instead of forces.
    pub kinematic: bool,
    /// Whether wind acts on it; none where its model says.
    pub enable_wind: Option<bool>,
    /// Whether it collides with links of the same model; none where its model says.
    pub self_collide: Option<bool>,
    /// Damping of its motion.
    pub velocity_decay: VelocityDecay,
    /// Shapes that touch.
    pub collisions: Vec<Collision>,
    /// Shapes that are seen.
    pub visuals: Vec<Visual>,
    /// Sensors on it.
    pub sensors: Vec<Sensor>,
    /// Lights on it.
    pub lights: Vec<Light>,
    /// Whether the model it is in is static.
    pub is_static: bool,
    /// Its line, with its file.
    pub place: Place,
}

/// Exponential damping, 1/s.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct VelocityDecay {
    /// Of the velocity.
    pub linear: f64,
    /// Of the rates of turn.
    pub angular: f64,
}

/// A shape that touches.
#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    /// Its name.
    pub name: String,
    /// In the link.
    pub pose: Isometry3<f64>,
    /// The shape.
    pub geometry: Geometry,
    /// How it touches.
    pub surface: Surface,
    /// Most points of contact between two collisions; none where it is not said.
    pub max_contacts: Option<u64>,
    /// kg/m^3, for an inertia worked out from shapes.
    pub density: Option<f64>,
}

/// A shape that is seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Visual {
    /// Its name.
    pub name: String,
    /// In the link.
    pub pose: Isometry3<f64>,
    /// The shape.
    pub geometry: Geometry,
    /// Its colours; none where only the mesh has some.
    pub material: Option<Material>,
    /// 0 opaque, 1 invisible.
    pub transparency: f64,
    /// How lidars see it.
    pub laser_retro: f64,
    /// What is attached to it.
    pub plugins: Vec<Plugin>,
}

/// Colours.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Without a light.
    pub ambient: Colour,
    /// In light.
    pub diffuse: Colour,
    /// Of reflections.
    pub specular: Colour,
    /// Of its own light.
    pub emissive: Colour,
}

/// Elements of a visual that only look.
const LOOKS: [&str; 4] = ["cast_shadows", "visibility_flags", "meta", "origin"];
/// Elements of a material that only look.
const LOOKS_OF_MATERIALS: [&str; 7] =
    ["script", "shader", "lighting", "render_order", "double_sided", "shininess", "pbr"];

pub(super) fn link(
    element: &Element,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Link, SdfError> {
    let node = context.frames.node(context.scope, element);
    let context = Context { base: node, ..context };
    let mut fields = Fields::new(element, warnings);
    fields.one("pose");
    fields.ignore(&["audio_sink", "audio_source", "must_be_base_link"]);
    let mut found = Link {
        name: context.frames.scoped_name(node),
        pose: context.frames.in_model(node),
        inertial: Inertial::default(),
        gravity: fields.flag("gravity", true)?,
        kinematic: fields.flag("kinematic", false)?,
        enable_wind: fields.one("enable_wind").map_or(Ok(None), Element::as_flag)?,
        self_collide: fields.one("self_collide").map_or(Ok(None), Element::as_flag)?,
        velocity_decay: VelocityDecay::default(),
        collisions: Vec::new(),
        visuals: Vec::new(),
        sensors: Vec::new(),
        lights: Vec::new(),
        is_static: context.is_static,
        place: element.place.clone(),
    };
    if let Some(decay) = fields.one("velocity_decay") {
        let mut fields = Fields::new(decay, fields.warnings());
        let (linear, angular) = (fields.size("linear", 0.0)?, fields.size("angular", 0.0)?);
        found.velocity_decay = VelocityDecay { linear, angular };
        fields.finish();
    }
    for (element, name) in named(&mut fields, "collision") {
        found.collisions.push(collision(element, name, context, fields.warnings())?);
    }
    if let Some(element) = fields.one("inertial") {
        found.inertial = inertial(element, context, &found.collisions, fields.warnings())?;
    }
    for (element, name) in named(&mut fields, "visual") {
        found.visuals.push(visual(element, name, context, fields.warnings())?);
    }
    for (element, name) in named(&mut fields, "sensor") {
        found.sensors.push(sensor(element, name, context, fields.warnings())?);
    }
    for element in fields.all("light") {
        found.lights.push(light(element, context, fields.warnings())?);
    }
    fields.finish();
    Ok(found)
}

/// Children with their names. One without a name gets one, as nothing refers to it; one that is not the first of
/// its name is warned of.
pub(super) fn named<'a>(fields: &mut Fields<'a, '_>, kind: &str) -> Vec<(&'a Element, String)> {
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for (number, element) in fields.all(kind).into_iter().enumerate() {
        let name = match element.attribute("name").filter(|name| !name.is_empty()) {
            Some(name) => name.to_owned(),
            None => {
                let name = format!("{kind}_{number}");
                fields.warn_at(element, format!("this {kind} has no name; it is called {name}"));
                name
            }
        };
        if !names.insert(name.clone()) {
            fields.warn_at(element, format!("there are two {kind}s of the name {name}"));
        }
        found.push((element, name));
    }
    found
}

fn collision(
    element: &Element,
    name: String,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Collision, SdfError> {
    let mut fields = Fields::new(element, warnings);
    fields.ignore(&["laser_retro", "auto_inertia_params", "origin"]);
    let pose = context.frames.pose(context.scope, fields.one("pose"), context.base)?;
    let geometry = geometry(&mut fields, context, Use::Collision)?;
    let max_contacts = fields.one("max_contacts").map_or(Ok(None), Element::as_count)?;
    let density = fields.one("density").map_or(Ok(None), Element::as_number)?;
    let surface = match fields.one("surface") {
        Some(element) => surface(element, context, fields.warnings())?,
        None => Surface::default(),
    };
    fields.finish();
    Ok(Collision { name, pose, geometry, surface, max_contacts, density })
}

fn visual(
    element: &Element,
    name: String,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Visual, SdfError> {
    let mut fields = Fields::new(element, warnings);
    fields.ignore(&LOOKS);
    let pose = context.frames.pose(context.scope, fields.one("pose"), context.base)?;
    let geometry = geometry(&mut fields, context, Use::Visual)?;
    let prefix = context.frames.prefix(context.scope);
    let plugins = fields.all("plugin").into_iter().map(|child| plugin(child, prefix)).collect();
    let material = fields.one("material").map(|element| {
        let mut fields = Fields::new(element, fields.warnings());
        fields.ignore(&LOOKS_OF_MATERIALS);
        let material = Material {
            ambient: fields.colour("ambient", [1.0; 4]),
            diffuse: fields.colour("diffuse", [1.0; 4]),
            specular: fields.colour("specular", [0.0, 0.0, 0.0, 1.0]),
            emissive: fields.colour("emissive", [0.0, 0.0, 0.0, 1.0]),
        };
        fields.finish();
        material
    });
    let transparency = fields.number("transparency", 0.0)?;
    let laser_retro = fields.number("laser_retro", 0.0)?;
    fields.finish();
    Ok(Visual { name, pose, geometry, material, transparency, laser_retro, plugins })
}
