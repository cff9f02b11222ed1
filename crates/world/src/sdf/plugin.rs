//! What plugins are for, whatever version of Gazebo they are written for.

use ironbird_sdf::{Model, Plugin};

use super::notes::Notes;

/// What a plugin is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Part of every world here, or shown at ports, or a picture.
    BuiltIn,
    LiftDrag,
    AdvancedLiftDrag,
    Motor,
    Thruster,
    Hydrodynamics,
    Buoyancy,
    WindEffects,
    JointPosition,
    JointSpeed,
    JointForce,
    ArduPilot,
    Unknown,
}

/// Classes, or parts of the names of libraries, without what joins their words. Longer ones first.
const KNOWN: [(&str, Purpose); 14] = [
    ("advancedliftdrag", Purpose::AdvancedLiftDrag),
    ("liftdrag", Purpose::LiftDrag),
    ("multicoptermotormodel", Purpose::Motor),
    ("genericmotormodel", Purpose::Motor),
    ("gazebomotormodel", Purpose::Motor),
    ("hydrodynamics", Purpose::Hydrodynamics),
    ("buoyancy", Purpose::Buoyancy),
    ("windeffects", Purpose::WindEffects),
    ("jointpositioncontroller", Purpose::JointPosition),
    ("jointtrajectorycontroller", Purpose::Unknown),
    ("jointcontroller", Purpose::JointSpeed),
    ("applyjointforce", Purpose::JointForce),
    ("ardupilotplugin", Purpose::ArduPilot),
    ("thruster", Purpose::Thruster),
];

/// What every world here does without being asked, or shows at ports; and pictures.
const BUILT_IN: [&str; 27] = [
    "physics",
    "sensors",
    "imu",
    "navsat",
    "usercommands",
    "scenebroadcaster",
    "contact",
    "airpressure",
    "airspeed",
    "altimeter",
    "magnetometer",
    "forcetorque",
    "applylinkwrench",
    "jointstatepublisher",
    "odometrypublisher",
    "posepublisher",
    "gstcameraplugin",
    "camerazoomplugin",
    "thermal",
    "thermalsensor",
    "label",
    "particleemitter",
    "minimalscene",
    "gzscenemanager",
    "worldcontrol",
    "worldstats",
    "logicalcamera",
];

/// What a plugin is for: by its class, and where that is a free name, by its library.
pub(super) fn purpose(plugin: &Plugin) -> Purpose {
    let squeezed = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_ascii_lowercase()
    };
    let (class, library) = (squeezed(plugin.class()), squeezed(&plugin.filename));
    if let Some((_, purpose)) = KNOWN.iter().find(|(known, _)| *known == class) {
        return *purpose;
    }
    let stripped = ["libgazebo", "libignitiongazebo", "ignitiongazebo", "gzsim", "lib"]
        .iter()
        .find_map(|start| library.strip_prefix(start))
        .unwrap_or(&library);
    let bare = |word: &str| {
        [format!("{word}system"), format!("{word}plugin"), word.to_owned()]
            .iter()
            .any(|w| w == stripped)
    };
    if BUILT_IN.iter().any(|known| *known == class || bare(known)) {
        return Purpose::BuiltIn;
    }
    let known = KNOWN.iter().find(|(known, _)| library.contains(known));
    known.map_or(Purpose::Unknown, |(_, purpose)| *purpose)
}

/// The link that a plugin names.
pub(super) fn link_named(
    plugin: &Plugin,
    name: Option<&str>,
    model: &Model,
    notes: &mut Notes,
) -> Option<usize> {
    let find = |name: &str| model.links.iter().position(|link| link.name == name);
    named(plugin, name, &model.name, "link", find, notes)
}

/// The joint that a plugin names.
pub(super) fn joint_named(
    plugin: &Plugin,
    name: Option<&str>,
    model: &Model,
    notes: &mut Notes,
) -> Option<usize> {
    let find = |name: &str| model.joints.iter().position(|joint| joint.name == name);
    named(plugin, name, &model.name, "joint", find, notes)
}

fn named(
    plugin: &Plugin,
    name: Option<&str>,
    model: &str,
    what: &str,
    find: impl Fn(&str) -> Option<usize>,
    notes: &mut Notes,
) -> Option<usize> {
    let class = plugin.class();
    let Some(name) = name else {
        notes.add(plugin.place(), format!("the plugin {class} names no {what}; it does nothing"));
        return None;
    };
    let within = name.strip_prefix(model).and_then(|rest| rest.strip_prefix("::"));
    let found = find(&plugin.scoped(name)).or_else(|| find(name)).or_else(|| find(within?));
    if found.is_none() {
        let text = format!("there is no {what} {name}; the plugin {class} does nothing");
        notes.add(plugin.place(), text);
    }
    found
}
