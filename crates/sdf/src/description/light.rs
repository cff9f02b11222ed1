//! Lights.

use nalgebra::{Isometry3, Vector3};

use super::Context;
use crate::error::{SdfError, Warning};
use crate::fields::{Fields, name_of};
use crate::value::Colour;
use crate::xml::Element;

/// How a light spreads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LightKind {
    /// From a point in all directions.
    Point,
    /// In parallel, as from the sun.
    Directional,
    /// In a cone.
    Spot,
}

/// A light.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// Its name.
    pub name: String,
    /// How it spreads.
    pub kind: LightKind,
    /// Where it is: in the world, or in its link.
    pub pose: Isometry3<f64>,
    /// Colour on surfaces.
    pub diffuse: Colour,
    /// Colour of reflections.
    pub specular: Colour,
    /// Factor on both.
    pub intensity: f64,
    /// Unit vector along which it shines, in its own frame.
    pub direction: Vector3<f64>,
    /// How it fades.
    pub attenuation: Attenuation,
    /// The cone of a spot.
    pub spot: Spot,
    /// Whether things throw shadows in it.
    pub cast_shadows: bool,
}

/// Brightness at a distance d: 1 / (constant + linear d + quadratic d^2), and nothing beyond the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attenuation {
    /// m.
    pub range: f64,
    /// Without unit.
    pub constant: f64,
    /// 1/m.
    pub linear: f64,
    /// 1/m^2.
    pub quadratic: f64,
}

/// A cone.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spot {
    /// Full brightness within, rad.
    pub inner_angle: f64,
    /// Dark beyond, rad.
    pub outer_angle: f64,
    /// How it fades between.
    pub falloff: f64,
}

pub(super) fn light(
    element: &Element,
    context: Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Light, SdfError> {
    let kind = match element.attribute("type").unwrap_or("point") {
        "point" | "" => LightKind::Point,
        "directional" => LightKind::Directional,
        "spot" => LightKind::Spot,
        other => {
            let what = format!("there is no light of type {other}");
            return Err(element.error(what, "write point, directional or spot"));
        }
    };
    let mut fields = Fields::new(element, warnings);
    fields.ignore(&["visualize", "light_on"]);
    let pose = context.frames.pose(context.scope, fields.one("pose"), context.base)?;
    let mut attenuation = Attenuation { range: 10.0, constant: 1.0, linear: 1.0, quadratic: 0.0 };
    if let Some(element) = fields.one("attenuation") {
        let mut fields = Fields::new(element, fields.warnings());
        attenuation = Attenuation {
            range: fields.limit("range", attenuation.range)?,
            constant: fields.number("constant", attenuation.constant)?,
            linear: fields.number("linear", attenuation.linear)?,
            quadratic: fields.number("quadratic", attenuation.quadratic)?,
        };
        fields.finish();
    }
    let mut spot = Spot::default();
    if let Some(element) = fields.one("spot") {
        let mut fields = Fields::new(element, fields.warnings());
        spot = Spot {
            inner_angle: fields.number("inner_angle", 0.0)?,
            outer_angle: fields.number("outer_angle", 0.0)?,
            falloff: fields.number("falloff", 0.0)?,
        };
        fields.finish();
    }
    // Point lights have a direction of zeros in real files.
    let direction = fields.vector("direction", -Vector3::z())?;
    let direction = direction.try_normalize(1e-12).unwrap_or(-Vector3::z());
    let light = Light {
        name: name_of(element)?.into(),
        kind,
        pose,
        diffuse: fields.colour("diffuse", [1.0; 4]),
        specular: fields.colour("specular", [0.1, 0.1, 0.1, 1.0]),
        intensity: fields.number("intensity", 1.0)?,
        direction,
        attenuation,
        spot,
        cast_shadows: fields.flag("cast_shadows", false)?,
    };
    fields.finish();
    Ok(light)
}
