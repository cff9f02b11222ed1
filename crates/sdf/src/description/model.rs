//! Models: links and joints, with nested models flattened into the outermost one.

use nalgebra::Isometry3;

use super::Context;
use super::joint::{Joint, joint};
use super::link::{Link, link};
use super::plugin::{Plugin, plugin};
use crate::error::{Place, SdfError, Warning};
use crate::fields::{Fields, name_of};
use crate::frames::{Frames, WORLD};
use crate::search::Search;
use crate::xml::Element;

/// A model with all that is in it, at any depth.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// In the world.
    pub pose: Isometry3<f64>,
    /// Whether it cannot move.
    pub is_static: bool,
    /// Whether its links collide with each other.
    pub self_collide: bool,
    /// Whether wind acts on it.
    pub enable_wind: bool,
    /// The link that its frame moves with; none where it has no links.
    pub canonical_link: Option<String>,
    /// Its links, those of nested models under scoped names.
    pub links: Vec<Link>,
    /// Its joints, likewise.
    pub joints: Vec<Joint>,
    /// Its frames, likewise.
    pub frames: Vec<Frame>,
    /// The models in it, likewise.
    pub models: Vec<NestedModel>,
    /// What it does, with the nested model that each plugin is in.
    pub plugins: Vec<Plugin>,
    /// Its line, with its file.
    pub place: Place,
}

impl Model {
    /// A link by its scoped name.
    pub fn link(&self, name: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.name == name)
    }

    /// A joint by its scoped name.
    pub fn joint(&self, name: &str) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.name == name)
    }
}

/// A model in a model.
#[derive(Debug, Clone, PartialEq)]
pub struct NestedModel {
    /// Its scoped name: `a::b`.
    pub name: String,
    /// In the outermost model.
    pub pose: Isometry3<f64>,
    /// Whether it, or a model around it, cannot move.
    pub is_static: bool,
}

/// A named frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its scoped name.
    pub name: String,
    /// In the outermost model; for a frame of a world, in the world.
    pub pose: Isometry3<f64>,
    /// The link that it moves with.
    pub link: Option<String>,
}

/// The models of a world or file.
pub(crate) fn models(
    outer: &Element,
    frames: &Frames,
    search: Search<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Model>, SdfError> {
    let context = Context { frames, search, scope: 0, base: WORLD, is_static: false };
    let models = outer.children_named("model");
    models.map(|element| model(element, context, warnings)).collect()
}

fn model(
    element: &Element,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Model, SdfError> {
    let node = context.frames.node(context.scope, element);
    let mut model = Model {
        name: name_of(element)?.into(),
        pose: context.frames.in_world(node),
        is_static: false,
        self_collide: element.flag("self_collide")?.unwrap_or(false),
        enable_wind: element.flag("enable_wind")?.unwrap_or(false),
        canonical_link: context.frames.link(node),
        links: Vec::new(),
        joints: Vec::new(),
        frames: Vec::new(),
        models: Vec::new(),
        plugins: Vec::new(),
        place: element.place.clone(),
    };
    model.is_static = read_into(&mut model, element, context, warnings)?;
    if model.links.is_empty() && !model.is_static {
        warnings
            .push(Warning::new(&element.place, format!("the model {} has no links", model.name)));
    }
    Ok(model)
}

/// Adds the contents of a model, which may be a nested one, and says whether it is static.
fn read_into(
    model: &mut Model,
    element: &Element,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<bool, SdfError> {
    let node = context.frames.node(context.scope, element);
    let mut fields = Fields::new(element, warnings);
    for name in ["pose", "self_collide", "enable_wind"] {
        fields.one(name);
    }
    fields.ignore(&["allow_auto_disable", "origin"]);
    let is_static = fields.flag("static", false)? || context.is_static;
    let scope = context.frames.inside(node);
    let context = Context { scope, base: node, is_static, ..context };
    for element in fields.all("link") {
        model.links.push(link(element, context, fields.warnings())?);
    }
    for element in fields.all("joint") {
        model.joints.push(joint(element, context, fields.warnings())?);
    }
    for element in fields.all("frame") {
        let node = context.frames.node(scope, element);
        model.frames.push(Frame {
            name: context.frames.scoped_name(node),
            pose: context.frames.in_model(node),
            link: context.frames.link(node),
        });
    }
    for element in fields.all("plugin") {
        model.plugins.push(plugin(element, context.frames.prefix(scope)));
    }
    for element in fields.all("model") {
        let node = context.frames.node(scope, element);
        let (name, pose) = (context.frames.scoped_name(node), context.frames.in_model(node));
        let at = model.models.len();
        model.models.push(NestedModel { name, pose, is_static });
        let nested = read_into(model, element, context, fields.warnings())?;
        model.models[at].is_static = nested;
    }
    fields.finish();
    Ok(is_static)
}
