//! What older versions of SDF said in other ways, said in that of 1.7 and later; the ways are those of the `.convert`
//! files of libsdformat.
//!
//! | before | said | now |
//! |---|---|---|
//! | 1.5 | axes of joints are those of the model | `<xyz expressed_in="__model__">` |
//! | 1.7 | `<use_parent_model_frame>true</…>` | `<xyz expressed_in="__model__">` |
//! | 1.7 | `<pose frame="…">` | `<pose relative_to="…">` |
//!
//! In files of 1.7 and later the old ways have no effect in Gazebo, and none here.

use crate::error::Warning;
use crate::xml::Element;

/// Brings a file of a version up to date.
pub(crate) fn update(element: &mut Element, version: (u32, u32), warnings: &mut Vec<Warning>) {
    for child in &mut element.children {
        match child.name.as_str() {
            "plugin" => continue,
            "axis" | "axis2" => update_axis(child, version, warnings),
            "pose" => update_pose(child, version, warnings),
            _ => {}
        }
        update(child, version, warnings);
    }
}

fn update_axis(axis: &mut Element, version: (u32, u32), warnings: &mut Vec<Warning>) {
    let flag = axis.child("use_parent_model_frame").cloned();
    axis.children.retain(|child| child.name != "use_parent_model_frame");
    // A flag that cannot be read is the default.
    let said = flag.as_ref().and_then(|flag| flag.as_flag().ok().flatten());
    match (version, flag) {
        ((1, 7..) | (2.., _), Some(flag)) => {
            let message = "use_parent_model_frame has no effect since SDF 1.7; expressed_in=\"__model__\" has";
            warnings.push(Warning::new(&flag.place, message));
        }
        ((1, 7..) | (2.., _), None) => {}
        (version, _) if said.unwrap_or(version <= (1, 4)) => {
            if axis.child("xyz").is_none() {
                let xyz = Element::empty("xyz", axis);
                axis.children.push(xyz);
            }
            let directions = axis.children.iter_mut().filter(|child| child.name == "xyz");
            directions.for_each(|xyz| xyz.set_attribute("expressed_in", "__model__"));
        }
        _ => {}
    }
}

fn update_pose(pose: &mut Element, version: (u32, u32), warnings: &mut Vec<Warning>) {
    for child in &pose.children {
        let message = format!("<{}> in <pose> has no effect", child.name);
        warnings.push(Warning::new(&child.place, message));
    }
    let Some(frame) = pose.attribute("frame").filter(|frame| !frame.is_empty()) else { return };
    if version < (1, 7) {
        let frame = frame.to_owned();
        pose.set_attribute("relative_to", frame);
    } else {
        let message = "the attribute frame of a pose has no effect since SDF 1.7; relative_to has";
        warnings.push(Warning::new(&pose.place, message));
    }
}
