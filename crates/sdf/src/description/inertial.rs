//! Mass and its distribution.

use nalgebra::{Isometry3, Matrix3, Matrix6, SymmetricEigen};

use super::auto_inertia::work_out;
use super::{Collision, Context};
use crate::error::{SdfError, Warning};
use crate::fields::Fields;
use crate::xml::Element;

/// What a link weighs.
#[derive(Debug, Clone, PartialEq)]
pub struct Inertial {
    /// Mass, kg.
    pub mass: f64,
    /// The centre of mass, and the axes that the moments are about, in the frame of the link.
    pub pose: Isometry3<f64>,
    /// Moments and products of inertia about the centre of mass, kg m^2, as a symmetric matrix.
    pub moments: Matrix3<f64>,
    /// Mass of the fluid that moves along, in the order x, y, z, roll, pitch, yaw (SDF 1.10).
    pub fluid_added_mass: Option<Matrix6<f64>>,
}

impl Default for Inertial {
    fn default() -> Self {
        Self {
            mass: 1.0,
            pose: Isometry3::identity(),
            moments: Matrix3::identity(),
            fluid_added_mass: None,
        }
    }
}

/// Density where none is said: that of water, as in the specification.
const DENSITY: f64 = 1000.0;

pub(super) fn inertial(
    element: &Element,
    context: Context<'_>,
    collisions: &[Collision],
    warnings: &mut Vec<Warning>,
) -> Result<Inertial, SdfError> {
    let mut fields = Fields::new(element, warnings);
    let pose = context.frames.pose(context.scope, fields.one("pose"), context.base)?;
    let auto = element.attribute("auto").is_some_and(|auto| ["true", "1"].contains(&auto));
    let density = fields.size("density", DENSITY)?;
    fields.ignore(&["auto_inertia_params"]);
    let said = fields.one("mass").map_or(Ok(None), Element::as_number)?;
    let mut mass = said.unwrap_or(1.0);
    let mut moments = Matrix3::identity();
    if let Some(element) = fields.one("inertia") {
        let mut fields = Fields::new(element, fields.warnings());
        let mut get = |name, default| fields.number(name, default);
        let (xx, yy, zz) = (get("ixx", 1.0)?, get("iyy", 1.0)?, get("izz", 1.0)?);
        let (xy, xz, yz) = (get("ixy", 0.0)?, get("ixz", 0.0)?, get("iyz", 0.0)?);
        moments = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        fields.finish();
    }
    let fluid_added_mass = fields
        .one("fluid_added_mass")
        .map(|element| added_mass(element, fields.warnings()))
        .transpose()?;
    if mass < 0.0 || mass == 0.0 && !context.is_static {
        let what = format!("the mass is {mass}");
        return Err(element.error(what, "write a mass above zero, or make the model static"));
    }
    if !auto && let Some(fault) = fault_of(&moments) {
        if !context.is_static {
            return Err(element.error(fault, "write moments that a body can have"));
        }
        fields.warn(format!("{fault}; the model is static, so this has no effect"));
        moments = Matrix3::identity();
    } else if !auto && !is_body(&moments) {
        fields.warn("no body has these moments: the largest is above the sum of the others");
    }
    if mass == 0.0 {
        fields.warn("the mass is 0; the model is static, so this has no effect");
        mass = 1.0;
    }
    fields.finish();
    let mut inertial = Inertial { mass, pose, moments, fluid_added_mass };
    if auto && let Some(left_out) = work_out(&mut inertial, density, said, collisions) {
        warnings.push(Warning::new(&element.place, left_out));
    }
    Ok(inertial)
}

/// Why a matrix is not one of moments of inertia: it must be positive definite (Sylvester's criterion).
fn fault_of(moments: &Matrix3<f64>) -> Option<String> {
    for (axis, name) in ["ixx", "iyy", "izz"].into_iter().enumerate() {
        let moment = moments[(axis, axis)];
        if moment <= 0.0 {
            return Some(format!("{name} is {moment}"));
        }
    }
    // Scaled, so that tiny and huge bodies are judged alike.
    let scaled = moments / moments.diagonal().max();
    let second = scaled[(0, 0)] * scaled[(1, 1)] - scaled[(0, 1)] * scaled[(0, 1)];
    let positive = second > 0.0 && scaled.determinant() > 0.0;
    (!positive).then(|| "the matrix of inertia is not positive definite".into())
}

/// Whether the principal moments fulfil the triangle inequality, with some room for rounded files.
fn is_body(moments: &Matrix3<f64>) -> bool {
    let scaled = moments / moments.diagonal().max();
    let principal = SymmetricEigen::new(scaled).eigenvalues;
    let largest = principal.max();
    largest <= (principal.sum() - largest) * 1.01
}

fn added_mass(element: &Element, warnings: &mut Vec<Warning>) -> Result<Matrix6<f64>, SdfError> {
    let mut fields = Fields::new(element, warnings);
    let mut matrix = Matrix6::zeros();
    let axes = ["x", "y", "z", "p", "q", "r"];
    for row in 0..6 {
        for column in row..6 {
            let value = fields.number(&format!("{}{}", axes[row], axes[column]), 0.0)?;
            matrix[(row, column)] = value;
            matrix[(column, row)] = value;
        }
    }
    fields.finish();
    Ok(matrix)
}
