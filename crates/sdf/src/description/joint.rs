//! Joints between links.

use nalgebra::{Isometry3, Vector3};

use super::Context;
use super::link::named;
use super::sensor::{Sensor, sensor};
use crate::error::{Place, SdfError, Warning};
use crate::fields::Fields;
use crate::xml::Element;

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// Not at all.
    Fixed,
    /// Turns about its axis, within limits.
    Revolute,
    /// Turns about its axis without limits.
    Continuous,
    /// Slides along its axis.
    Prismatic,
    /// Turns in all directions.
    Ball,
    /// Turns about two axes that cross.
    Universal,
    /// Turns about two axes, one after the other.
    Revolute2,
    /// Slides along its axis as it turns about it, by so many metres per turn.
    Screw {
        /// m per turn (SDF 1.10: `screw_thread_pitch`; the older `thread_pitch` is converted).
        pitch: f64,
    },
    /// The turns of its links have a fixed ratio.
    Gearbox {
        /// Turns of the child per turn of the parent.
        ratio: f64,
    },
}

/// A joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name, with those of nested models around it: `a::b`.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// A link of the outermost model, or `world`. For a joint of a world: `model::link`.
    pub parent: String,
    /// The same.
    pub child: String,
    /// In the frame of the outermost model; for a joint of a world, in the world.
    pub pose: Isometry3<f64>,
    /// The axis of motion.
    pub axis: Option<Axis>,
    /// The second axis of motion.
    pub axis2: Option<Axis>,
    /// The body that a gearbox turns in.
    pub gearbox_reference_body: Option<String>,
    /// Sensors in it.
    pub sensors: Vec<Sensor>,
    /// Its line, with its file.
    pub place: Place,
}

/// An axis of motion. Positions are angles in rad or lengths in m.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Unit vector in the frame of the joint.
    pub xyz: Vector3<f64>,
    /// Least position; minus infinity for none.
    pub lower: f64,
    /// Largest position; infinity for none.
    pub upper: f64,
    /// Largest effort; infinity for none.
    pub effort: f64,
    /// Largest speed; infinity for none.
    pub velocity: f64,
    /// Stiffness of its stops.
    pub stop_stiffness: f64,
    /// Damping of its stops.
    pub stop_dissipation: f64,
    /// Effort per speed.
    pub damping: f64,
    /// Effort of dry friction.
    pub friction: f64,
    /// Where its spring rests.
    pub spring_reference: f64,
    /// Effort of its spring per position.
    pub spring_stiffness: f64,
    /// Where it begins.
    pub initial_position: f64,
    /// A joint that this one follows.
    pub mimic: Option<Mimic>,
}

/// One joint following another: position = multiplier (leader - reference) + offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Mimic {
    /// The joint that leads, as written.
    pub joint: String,
    /// Factor.
    pub multiplier: f64,
    /// Offset.
    pub offset: f64,
    /// Position of the leader that counts as zero.
    pub reference: f64,
}

impl Default for Axis {
    fn default() -> Self {
        Self {
            xyz: Vector3::z(),
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            effort: f64::INFINITY,
            velocity: f64::INFINITY,
            stop_stiffness: 1e8,
            stop_dissipation: 1.0,
            damping: 0.0,
            friction: 0.0,
            spring_reference: 0.0,
            spring_stiffness: 0.0,
            initial_position: 0.0,
            mimic: None,
        }
    }
}

pub(super) fn joint(
    element: &Element,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Joint, SdfError> {
    let node = context.frames.node(context.scope, element);
    let context = Context { base: node, ..context };
    let mut fields = Fields::new(element, warnings);
    fields.one("pose");
    // Parameters of solvers.
    fields.ignore(&["physics", "disable_collision", "origin"]);
    let mut end = |name: &str| -> Result<String, SdfError> {
        let end = fields.one(name).filter(|end| !end.text.is_empty()).ok_or_else(|| {
            let what = format!("the joint has no {name}");
            element.error(what, format!("write <{name}>link</{name}>"))
        })?;
        context.frames.joined_link(context.scope, end)
    };
    let (parent, child) = (end("parent")?, end("child")?);
    if parent == child {
        let what = format!("the joint joins {parent} with itself");
        return Err(element.error(what, "name two links"));
    }
    let kind = kind(&mut fields)?;
    let mut axis_of = |name: &str| -> Result<Option<Axis>, SdfError> {
        fields.one(name).map(|element| axis(element, kind, context, fields.warnings())).transpose()
    };
    let (mut axis, axis2) = (axis_of("axis")?, axis_of("axis2")?);
    if axis.is_none() && !matches!(kind, JointKind::Fixed | JointKind::Ball) {
        fields.warn("the joint has no axis; it gets 0 0 1");
        axis = Some(Axis::default());
    }
    let mut sensors = Vec::new();
    for (element, name) in named(&mut fields, "sensor") {
        sensors.push(sensor(element, name, context, fields.warnings())?);
    }
    let gearbox_reference_body = fields.text("gearbox_reference_body").map(str::to_owned);
    fields.finish();
    let pose = match context.scope {
        0 => context.frames.in_world(node),
        _ => context.frames.in_model(node),
    };
    let name = context.frames.scoped_name(node);
    let place = element.place.clone();
    Ok(Joint {
        name,
        kind,
        parent,
        child,
        pose,
        axis,
        axis2,
        gearbox_reference_body,
        sensors,
        place,
    })
}

fn kind(fields: &mut Fields<'_, '_>) -> Result<JointKind, SdfError> {
    let element = fields.element;
    Ok(match element.attribute("type").unwrap_or("") {
        "fixed" => JointKind::Fixed,
        "revolute" => JointKind::Revolute,
        "continuous" => JointKind::Continuous,
        "prismatic" => JointKind::Prismatic,
        "ball" => JointKind::Ball,
        "universal" => JointKind::Universal,
        "revolute2" => JointKind::Revolute2,
        "screw" => {
            // The older one is in radians per metre, and of the other sign.
            let old = fields.number("thread_pitch", 1.0)?;
            let old = if old == 0.0 { 0.0 } else { -2.0 * std::f64::consts::PI / old };
            JointKind::Screw { pitch: fields.number("screw_thread_pitch", old)? }
        }
        "gearbox" => JointKind::Gearbox { ratio: fields.number("gearbox_ratio", 1.0)? },
        other => {
            let what = format!("there is no joint of type `{other}`");
            let help = "write fixed, revolute, continuous, prismatic, ball, universal, revolute2, screw or \
                        gearbox";
            return Err(element.error(what, help));
        }
    })
}

fn axis(
    element: &Element,
    kind: JointKind,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Axis, SdfError> {
    let mut axis = Axis::default();
    let mut fields = Fields::new(element, warnings);
    let xyz = fields.one("xyz");
    axis.xyz = xyz.map_or(Ok(None), Element::as_direction)?.unwrap_or(axis.xyz);
    if let Some(xyz) = xyz
        && let Some(frame) = xyz.attribute("expressed_in").filter(|frame| !frame.is_empty())
    {
        axis.xyz = context.frames.direction(context.scope, frame, axis.xyz, context.base, xyz)?;
    }
    axis.initial_position = fields.number("initial_position", 0.0)?;
    if let Some(limit) = fields.one("limit") {
        let mut fields = Fields::new(limit, fields.warnings());
        axis.lower = endless(fields.limit("lower", axis.lower)?);
        axis.upper = endless(fields.limit("upper", axis.upper)?);
        axis.effort = unless_negative(fields.limit("effort", axis.effort)?);
        axis.velocity = unless_negative(fields.limit("velocity", axis.velocity)?);
        axis.stop_stiffness = fields.limit("stiffness", axis.stop_stiffness)?;
        axis.stop_dissipation = fields.number("dissipation", axis.stop_dissipation)?;
        fields.finish();
    }
    if axis.lower > axis.upper {
        // As ODE has it.
        let (lower, upper) = (axis.lower, axis.upper);
        fields
            .warn(format!("the lower limit {lower} is above the upper {upper}, so there is none"));
        (axis.lower, axis.upper) = (f64::NEG_INFINITY, f64::INFINITY);
    }
    if kind == JointKind::Continuous {
        (axis.lower, axis.upper) = (f64::NEG_INFINITY, f64::INFINITY);
    }
    if let Some(dynamics) = fields.one("dynamics") {
        let mut fields = Fields::new(dynamics, fields.warnings());
        axis.damping = fields.number("damping", 0.0)?;
        axis.friction = fields.size("friction", 0.0)?;
        axis.spring_reference = fields.number("spring_reference", 0.0)?;
        axis.spring_stiffness = fields.number("spring_stiffness", 0.0)?;
        fields.finish();
    }
    if axis.damping < 0.0 {
        fields.warn(format!("the damping is {}, so motion speeds up", axis.damping));
    }
    if let Some(element) = fields.one("mimic") {
        let mut fields = Fields::new(element, fields.warnings());
        axis.mimic = Some(Mimic {
            joint: element.attribute("joint").unwrap_or("").to_owned(),
            multiplier: fields.number("multiplier", 1.0)?,
            offset: fields.number("offset", 0.0)?,
            reference: fields.number("reference", 0.0)?,
        });
        fields.finish();
    }
    fields.finish();
    Ok(axis)
}

/// 1e16 is how older files say that there is no limit.
fn endless(limit: f64) -> f64 {
    if limit.abs() >= 1e16 { f64::INFINITY.copysign(limit) } else { limit }
}

/// -1 is how older files say that there is no limit.
fn unless_negative(limit: f64) -> f64 {
    if limit < 0.0 { f64::INFINITY } else { limit }
}
