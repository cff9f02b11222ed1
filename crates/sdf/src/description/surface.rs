//! How a collision touches.

use nalgebra::Vector3;

use super::Context;
use crate::error::{SdfError, Warning};
use crate::fields::Fields;
use crate::xml::Element;

/// Friction, bounce and softness; the defaults are those of the specification.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// Coefficient of friction along `fdir1`, or in all directions.
    pub mu: f64,
    /// Coefficient across `fdir1`.
    pub mu2: f64,
    /// First direction of friction in the frame of the collision; none where it is not said.
    pub fdir1: Option<Vector3<f64>>,
    /// The link in whose frame `fdir1` is, where it is not that of the collision (`gz:expressed_in`, as wheels with
    /// oblique rollers have it).
    pub fdir1_link: Option<String>,
    /// Slip speed per force along `fdir1`, m/s/N.
    pub slip1: f64,
    /// The same across.
    pub slip2: f64,
    /// Coefficient of friction against turning on the spot.
    pub torsional: Option<f64>,
    /// Bounce: 0 none, 1 elastic.
    pub restitution: f64,
    /// Speed below which nothing bounces, m/s.
    pub bounce_threshold: f64,
    /// Stiffness, N/m.
    pub kp: f64,
    /// Damping, N s/m.
    pub kd: f64,
    /// Largest speed of the correction of a penetration, m/s.
    pub max_vel: f64,
    /// Penetration that is left, m.
    pub min_depth: f64,
    /// Collisions touch where both have a common bit.
    pub collide_bitmask: u32,
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            mu: 1.0,
            mu2: 1.0,
            fdir1: None,
            fdir1_link: None,
            slip1: 0.0,
            slip2: 0.0,
            torsional: None,
            restitution: 0.0,
            bounce_threshold: 1e5,
            kp: 1e12,
            kd: 1.0,
            max_vel: 0.01,
            min_depth: 0.0,
            collide_bitmask: 0xffff,
        }
    }
}

pub(super) fn surface(
    element: &Element,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Surface, SdfError> {
    let mut surface = Surface::default();
    let mut fields = Fields::new(element, warnings);
    if let Some(bounce) = fields.one("bounce") {
        let mut fields = Fields::new(bounce, fields.warnings());
        surface.restitution = fields.size("restitution_coefficient", 0.0)?;
        surface.bounce_threshold = fields.limit("threshold", surface.bounce_threshold)?;
        fields.finish();
    }
    if let Some(friction) = fields.one("friction") {
        read_friction(friction, &mut surface, context, fields.warnings())?;
    }
    if let Some(contact) = fields.one("contact") {
        read_contact(contact, &mut surface, fields.warnings())?;
    }
    fields.ignore(&["soft_contact"]);
    fields.finish();
    Ok(surface)
}

fn read_friction(
    element: &Element,
    surface: &mut Surface,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<(), SdfError> {
    let mut fields = Fields::new(element, warnings);
    let (ode, bullet) = (fields.one("ode"), fields.one("bullet"));
    if let Some(ode) = ode {
        let mut fields = Fields::new(ode, fields.warnings());
        // Real files write -1 and huge numbers for "as much as it takes".
        surface.mu = friction(fields.limit("mu", 1.0)?);
        surface.mu2 = friction(fields.limit("mu2", 1.0)?);
        surface.fdir1 = first_direction(&mut fields)?;
        let frame = ode.child("fdir1").and_then(|direction| {
            ["gz:expressed_in", "ignition:expressed_in"]
                .iter()
                .find_map(|key| direction.attribute(key))
        });
        if let Some(frame) = frame.filter(|frame| !frame.is_empty()) {
            surface.fdir1_link = context.frames.link_named(context.scope, frame);
            if surface.fdir1_link.is_none() {
                fields.warn(format!("there is no link {frame}, so fdir1 is that of the collision"));
            }
        }
        surface.slip1 = fields.number("slip1", 0.0)?;
        surface.slip2 = fields.number("slip2", 0.0)?;
        fields.finish();
    }
    if let Some(bullet) = bullet {
        let mut fields = Fields::new(bullet, fields.warnings());
        let mu = friction(fields.limit("friction", 1.0)?);
        let mu2 = friction(fields.limit("friction2", mu)?);
        let direction = first_direction(&mut fields)?;
        fields.ignore(&["rolling_friction"]);
        fields.finish();
        // What is said for ODE counts.
        if ode.is_none() {
            (surface.mu, surface.mu2, surface.fdir1) = (mu, mu2, direction);
        }
    }
    if let Some(torsional) = fields.one("torsional") {
        let mut fields = Fields::new(torsional, fields.warnings());
        surface.torsional = Some(fields.size("coefficient", 1.0)?);
        fields.ignore(&["use_patch_radius", "patch_radius", "surface_radius", "ode"]);
        fields.finish();
    }
    fields.finish();
    Ok(())
}

fn friction(mu: f64) -> f64 {
    if mu < 0.0 { f64::INFINITY } else { mu }
}

/// Zero, which real files have, stands for no direction.
fn first_direction(fields: &mut Fields<'_, '_>) -> Result<Option<Vector3<f64>>, SdfError> {
    let direction = fields.vector("fdir1", Vector3::zeros())?;
    Ok(direction.try_normalize(1e-12))
}

fn read_contact(
    element: &Element,
    surface: &mut Surface,
    warnings: &mut Vec<Warning>,
) -> Result<(), SdfError> {
    let mut fields = Fields::new(element, warnings);
    // Only for polygons that touch polygons, or other engines.
    fields.ignore(&[
        "collide_without_contact",
        "collide_without_contact_bitmask",
        "category_bitmask",
    ]);
    fields.ignore(&["poissons_ratio", "elastic_modulus"]);
    let all = u64::from(surface.collide_bitmask);
    // 32 bits are what Gazebo keeps.
    surface.collide_bitmask = fields.count("collide_bitmask", all)? as u32;
    for engine in ["bullet", "ode"] {
        let Some(parameters) = fields.one(engine) else { continue };
        let mut fields = Fields::new(parameters, fields.warnings());
        surface.kp = fields.limit("kp", surface.kp)?;
        surface.kd = fields.limit("kd", surface.kd)?;
        if engine == "ode" {
            surface.max_vel = fields.limit("max_vel", surface.max_vel)?;
            surface.min_depth = fields.number("min_depth", surface.min_depth)?;
        }
        fields.ignore(&[
            "soft_cfm",
            "soft_erp",
            "split_impulse",
            "split_impulse_penetration_threshold",
        ]);
        fields.finish();
    }
    fields.finish();
    Ok(())
}
