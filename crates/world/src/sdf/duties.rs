//! What the plugins of a model do.

use ironbird_sdf::{Model, SdfError};

use super::aero::{self, Lifting};
use super::axes::Axes;
use super::controls::{self, Control};
use super::motors::{self, Motor};
use super::notes::Notes;
use super::plugin::{Purpose, purpose};
use super::water::{self, Hydro};
use super::world::{Everywhere, flood, flow, not_run};
use crate::scene::Scene;

/// All that acts on a model.
#[derive(Default)]
pub(super) struct Duties {
    pub motors: Vec<Motor>,
    pub lifting: Vec<Lifting>,
    pub hydro: Vec<Hydro>,
    pub controls: Vec<Control>,
    /// Whether water carries it.
    pub buoyant: bool,
    /// Force of the wind per mass and speed.
    pub wind_factor: Option<f64>,
}

pub(super) fn duties(
    model: &Model,
    axes: &Axes,
    everywhere: &Everywhere,
    scene: &mut Scene,
    notes: &mut Notes,
) -> Result<Duties, SdfError> {
    let is_named =
        |name: &String| name == &model.name || name.starts_with(&format!("{}::", model.name));
    let mut found = Duties {
        buoyant: everywhere
            .buoyant
            .as_ref()
            .is_some_and(|named| named.is_empty() || named.iter().any(is_named)),
        wind_factor: everywhere.wind_factor,
        ..Duties::default()
    };
    for plugin in &model.plugins {
        match purpose(plugin) {
            Purpose::BuiltIn => {}
            Purpose::LiftDrag => found.lifting.extend(aero::lift_drag(plugin, model, notes)?),
            Purpose::AdvancedLiftDrag => {
                found.lifting.extend(aero::advanced(plugin, model, notes)?)
            }
            Purpose::Motor => found.motors.extend(motors::motor(plugin, model, notes)?),
            Purpose::Thruster => {
                let count = found.motors.len() as u64;
                found.motors.extend(motors::thruster(plugin, model, count, notes)?);
            }
            Purpose::Hydrodynamics => {
                if let Some(hydro) = water::hydrodynamics(plugin, model, notes)? {
                    flood(scene);
                    flow(axes.vector(&hydro.current), plugin, scene, notes);
                    found.hydro.push(hydro);
                }
            }
            Purpose::JointPosition => {
                found.controls.extend(controls::controller(plugin, model, false, notes)?);
            }
            Purpose::JointSpeed => {
                found.controls.extend(controls::controller(plugin, model, true, notes)?);
            }
            Purpose::JointForce => found.controls.extend(controls::force(plugin, model, notes)?),
            // After all others: its channels may go to them.
            Purpose::ArduPilot => {}
            Purpose::Buoyancy | Purpose::WindEffects | Purpose::Unknown => not_run(plugin, notes),
        }
    }
    for plugin in model.plugins.iter().filter(|plugin| purpose(plugin) == Purpose::ArduPilot) {
        let channels = controls::ardupilot(plugin, model, &mut found.controls, notes)?;
        found.controls.extend(channels);
    }
    found.motors.sort_by_key(|motor| motor.number);
    Ok(found)
}
