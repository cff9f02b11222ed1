//! Hydrodynamics: derivatives of the force of the water on a link.
//!
//! Names are those of the plugin: `xDotU` added mass, `xU` linear, `xUabsU` (in older files `xUU`) quadratic, for the
//! forces x, y, z, k, m, n and the velocities U, V, W, P, Q, R; negative where the water resists.

use ironbird_sdf::{Model, Plugin, SdfError};
use nalgebra::{Matrix6, Vector3};

use super::notes::{Contents, Notes};
use super::plugin::link_named;

/// Derivatives about the origin of a link, in the axes of the file.
pub(super) struct Hydro {
    pub link: usize,
    pub added: Matrix6<f64>,
    pub linear: Matrix6<f64>,
    pub quadratic: Matrix6<f64>,
    /// Velocity of the water in the axes of the file.
    pub current: Vector3<f64>,
}

const FORCES: [&str; 6] = ["x", "y", "z", "k", "m", "n"];
const VELOCITIES: [&str; 6] = ["U", "V", "W", "P", "Q", "R"];

pub(super) fn hydrodynamics(
    plugin: &Plugin,
    model: &Model,
    notes: &mut Notes,
) -> Result<Option<Hydro>, SdfError> {
    let mut from = Contents::new(&plugin.element);
    let Some(link) = link_named(plugin, from.text("link_name"), model, notes) else {
        return Ok(None);
    };
    let mut hydro = Hydro {
        link,
        added: Matrix6::zeros(),
        linear: Matrix6::zeros(),
        quadratic: Matrix6::zeros(),
        current: from.vector("default_current", Vector3::zeros())?,
    };
    for (row, force) in FORCES.iter().enumerate() {
        for (column, velocity) in VELOCITIES.iter().enumerate() {
            let at = (row, column);
            hydro.added[at] = from.number(&format!("{force}Dot{velocity}"), 0.0)?;
            hydro.linear[at] = from.number(&format!("{force}{velocity}"), 0.0)?;
            let old = from.number(&format!("{force}{velocity}{velocity}"), 0.0)?;
            hydro.quadratic[at] = from.number(&format!("{force}{velocity}abs{velocity}"), old)?;
        }
    }
    if from.flag("disable_added_mass", false)? {
        hydro.added = Matrix6::zeros();
    }
    if from.flag("disable_coriolis", false)? {
        notes.add(plugin.place(), "the forces of turning added mass are simulated all the same");
    }
    from.ignore(&["namespace", "water_density", "topic"]);
    from.finish("Hydrodynamics", notes);
    // Kinetic energy of the water is a symmetric form.
    hydro.added = (hydro.added + hydro.added.transpose()) * 0.5;
    Ok(Some(hydro))
}
