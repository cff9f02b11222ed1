//! Lifting surfaces of the plugins LiftDrag and AdvancedLiftDrag.

use ironbird_sdf::{Model, Plugin, SdfError};
use nalgebra::Vector3;

use super::axes;
use super::notes::{Contents, Notes};
use super::plugin::{joint_named, link_named};
use crate::aero::{AdvancedLiftDrag, ControlSurface, Derivatives, LiftDrag, Surface, Wing};

/// A surface on a link of a model, in the frame of that link; joints that turn control surfaces by their numbers.
pub(super) enum Lifting {
    Plain { link: usize, surface: Surface, control: Option<usize> },
    Whole { link: usize, wing: Box<Wing>, controls: Vec<Option<usize>> },
}

impl Lifting {
    pub fn link(&self) -> usize {
        match self {
            Lifting::Plain { link, .. } | Lifting::Whole { link, .. } => *link,
        }
    }
}

/// A LiftDrag.
pub(super) fn lift_drag(
    plugin: &Plugin,
    model: &Model,
    notes: &mut Notes,
) -> Result<Option<Lifting>, SdfError> {
    let mut from = Contents::new(&plugin.element);
    let usual = Surface::default();
    let Some(link) = link_named(plugin, from.text("link_name"), model, notes) else {
        return Ok(None);
    };
    let surface = Surface {
        a0: from.number("a0", usual.a0)?,
        cla: from.number("cla", usual.cla)?,
        cda: from.number("cda", usual.cda)?,
        alpha_stall: from.number("alpha_stall", usual.alpha_stall)?,
        cla_stall: from.number("cla_stall", usual.cla_stall)?,
        cda_stall: from.number("cda_stall", usual.cda_stall)?,
        area: from.number("area", usual.area)?,
        air_density: from.number("air_density", usual.air_density)?,
        cp: axes::vector(&from.vector("cp", usual.cp)?),
        forward: axes::vector(&from.vector("forward", usual.forward)?),
        upward: axes::vector(&from.vector("upward", usual.upward)?),
        radial_symmetry: from.flag("radial_symmetry", false)?,
        control_joint_rad_to_cl: from
            .number("control_joint_rad_to_cl", usual.control_joint_rad_to_cl)?,
    };
    let control = match from.text("control_joint_name") {
        Some(name) => joint_named(plugin, Some(name), model, notes),
        None => None,
    };
    // The plugin reads the pitching moment and sets it to zero.
    from.ignore(&["cma", "cma_stall", "topic", "robotNamespace", "windSubTopic", "wind_vel"]);
    from.finish("LiftDrag", notes);
    if surface.forward == Vector3::zeros() {
        // Gazebo reads such a file: there is a force where v · forward is above zero, which is never.
        let text = "<forward> of this LiftDrag is 0 0 0, so that air never comes from ahead: the surface has no force, as \
                    in Gazebo; give it a direction";
        notes.add(plugin.place(), text);
        return Ok(None);
    }
    LiftDrag::new(&surface).map_err(|error| wrong(plugin, &error))?;
    Ok(Some(Lifting::Plain { link, surface, control }))
}

fn wrong(plugin: &Plugin, error: &crate::aero::AeroError) -> SdfError {
    SdfError::new(plugin.place(), error.to_string(), "correct this plugin")
}

/// An AdvancedLiftDrag.
pub(super) fn advanced(
    plugin: &Plugin,
    model: &Model,
    notes: &mut Notes,
) -> Result<Option<Lifting>, SdfError> {
    let mut from = Contents::new(&plugin.element);
    let Some(link) = link_named(plugin, from.text("link_name"), model, notes) else {
        return Ok(None);
    };
    let mut set = |ending: &str| -> Result<Derivatives, SdfError> {
        // What the plugin assumes where a file says nothing.
        let usual = |letters: &str| match (letters, ending) {
            ("CL", "a") => 1.0,
            ("CD", "0") => 0.01,
            _ => 0.0,
        };
        let mut number = |letters: &str| from.number(&format!("{letters}{ending}"), usual(letters));
        Ok(Derivatives {
            lift: number("CL")?,
            drag: number("CD")?,
            side: number("CY")?,
            roll: number("Cell")?,
            pitch: number("Cem")?,
            yaw: number("Cen")?,
        })
    };
    let (zero, alpha, beta) = (set("0")?, set("a")?, set("b")?);
    let (roll_rate, pitch_rate, yaw_rate) = (set("p")?, set("q")?, set("r")?);
    let usual = Wing::default();
    let mut wing = Wing {
        zero,
        alpha,
        beta,
        roll_rate,
        pitch_rate,
        yaw_rate,
        alpha_stall: from.number("alpha_stall", usual.alpha_stall)?,
        cema_stall: from.number("Cema_stall", 0.0)?,
        area: from.number("area", usual.area)?,
        aspect_ratio: from.number("AR", usual.aspect_ratio)?,
        chord: from.number("mac", usual.chord)?,
        efficiency: from.number("eff", usual.efficiency)?,
        air_density: from.number("air_density", usual.air_density)?,
        cp: axes::vector(&from.vector("cp", usual.cp)?),
        forward: axes::vector(&from.vector("forward", usual.forward)?),
        upward: axes::vector(&from.vector("upward", usual.upward)?),
        ..usual
    };
    let mut controls = Vec::new();
    for element in from.all("control_surface") {
        let mut from = Contents::new(element);
        let joint = joint_named(plugin, from.text("name"), model, notes);
        let direction = from.number("direction", 1.0)?;
        let mut number = |letters: &str| from.number(&format!("{letters}_ctrl"), 0.0);
        let per_degree = Derivatives {
            lift: number("CL")?,
            drag: number("CD")?,
            side: number("CY")?,
            roll: number("Cell")?,
            pitch: number("Cem")?,
            yaw: number("Cen")?,
        };
        from.ignore(&["index"]);
        from.finish("a control surface", notes);
        wing.controls.push(ControlSurface { direction, per_degree });
        controls.push(joint);
    }
    from.ignore(&["num_ctrl_surfaces", "a0", "CLa_stall", "CDa_stall", "topic", "robotNamespace"]);
    from.ignore(&["windSubTopic", "linkName", "ref_pt_x", "ref_pt_y", "ref_pt_z"]);
    from.finish("AdvancedLiftDrag", notes);
    AdvancedLiftDrag::new(&wing).map_err(|error| wrong(plugin, &error))?;
    Ok(Some(Lifting::Whole { link, wing: Box::new(wing), controls }))
}
