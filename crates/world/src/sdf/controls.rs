//! What turns joints: JointPositionController, JointController, ApplyJointForce, and the channels of ArduPilotPlugin.
//!
//! | plugin | command |
//! |---|---|
//! | JointPositionController, JointController, ApplyJointForce | `JOINT_command` in rad or m, rad/s or m/s, N m or N |
//! | ArduPilotPlugin, `<control channel="N">` | `channel-N`, from 0 to 1: multiplier (value + offset) is what is wanted |
//!
//! A channel of type COMMAND goes to the controller that listens to its topic. A channel at rest is where nothing is
//! wanted: at -offset, as far as it can be.

use ironbird_kinematics::Channel;
use ironbird_sdf::{Element, Model, Plugin, SdfError};

use super::notes::{Contents, Notes, plain};
use super::plugin::joint_named;
use crate::jointed::Goal;
use crate::joints::SpeedPid;

/// A joint that a command drives.
pub(super) struct Control {
    /// The joint, by its number in the model.
    pub joint: usize,
    pub goal: Goal,
    pub multiplier: f64,
    pub offset: f64,
    pub channel: Channel,
    /// What it listens to.
    topic: Option<String>,
}

/// Gains and limits that a plugin has where its file says nothing.
struct Usual {
    gains: [f64; 3],
    integral: (f64, f64),
    command: (f64, f64),
}

fn pid(from: &mut Contents<'_>, usual: &Usual) -> Result<SpeedPid, SdfError> {
    let [p, i, d] = usual.gains;
    let mut pid = SpeedPid::new(
        from.number("p_gain", p)?,
        from.number("i_gain", i)?,
        from.number("d_gain", d)?,
    );
    pid.offset = from.number("cmd_offset", 0.0)?;
    let low = from.number("i_min", usual.integral.0)?;
    pid.integral_range = (low, from.number("i_max", usual.integral.1)?);
    let low = from.number("cmd_min", usual.command.0)?;
    pid.command_range = (low, from.number("cmd_max", usual.command.1)?);
    Ok(pid)
}

fn channel(name: String, unit: &'static str, rest: f64, doc: &'static str) -> Channel {
    Channel { name, unit, range: (-1e9, 1e9), rest, doc }
}

/// A controller of one joint; `speed` where it is one of speed.
pub(super) fn controller(
    plugin: &Plugin,
    model: &Model,
    speed: bool,
    notes: &mut Notes,
) -> Result<Option<Control>, SdfError> {
    let mut from = Contents::new(&plugin.element);
    let Some(joint) = joint_named(plugin, from.text("joint_name"), model, notes) else {
        return Ok(None);
    };
    let name = format!("{}_command", plain(&model.joints[joint].name));
    let topic = from.text("topic").or(from.element.text_of("sub_topic")).map(str::to_owned);
    let everything = (-1000.0, 1000.0);
    let (goal, channel) = if speed {
        let usual = Usual { gains: [1.0, 0.0, 0.0], integral: (-1.0, 1.0), command: everything };
        let by_force = from.flag("use_force_commands", false)?;
        let pid = pid(&mut from, &usual)?;
        let rest = from.number("initial_velocity", 0.0)?;
        let doc = "Speed that the joint is to have, rad/s or m/s.";
        (Goal::Speed(by_force.then_some(pid)), channel(name, "1", rest, doc))
    } else {
        let usual = Usual { gains: [1.0, 0.1, 0.01], integral: (-1.0, 1.0), command: everything };
        let by_speed = from.flag("use_velocity_commands", false)?;
        let pid = pid(&mut from, &usual)?;
        let rest = from.number("initial_position", 0.0)?;
        let doc = "Position that the joint is to have, rad or m.";
        let goal = if by_speed {
            Goal::PositionBySpeed(pid.command_range.1.abs())
        } else {
            Goal::Position(Some(pid))
        };
        (goal, channel(name, "1", rest, doc))
    };
    from.ignore(&["sub_topic", "joint_index", "use_actuator_msg", "actuator_number", "namespace"]);
    from.ignore(&["robotNamespace"]);
    from.finish(plugin.class(), notes);
    Ok(Some(Control { joint, goal, multiplier: 1.0, offset: 0.0, channel, topic }))
}

/// An ApplyJointForce.
pub(super) fn force(
    plugin: &Plugin,
    model: &Model,
    notes: &mut Notes,
) -> Result<Option<Control>, SdfError> {
    let mut from = Contents::new(&plugin.element);
    let Some(joint) = joint_named(plugin, from.text("joint_name"), model, notes) else {
        return Ok(None);
    };
    let name = format!("{}_command", plain(&model.joints[joint].name));
    let topic = from.text("topic").map(str::to_owned);
    from.finish("ApplyJointForce", notes);
    let channel = channel(name, "1", 0.0, "Effort in the joint, N m or N.");
    let goal = Goal::Effort;
    Ok(Some(Control { joint, goal, multiplier: 1.0, offset: 0.0, channel, topic }))
}

/// The channels of an ArduPilotPlugin. `known` are the other controllers of the model: those that a channel commands
/// get its command.
pub(super) fn ardupilot(
    plugin: &Plugin,
    model: &Model,
    known: &mut [Control],
    notes: &mut Notes,
) -> Result<Vec<Control>, SdfError> {
    let mut from = Contents::new(&plugin.element);
    let mut found = Vec::new();
    for element in from.all("control") {
        if let Some(control) = ardupilot_channel(plugin, element, model, known, notes)? {
            found.push(control);
        }
    }
    if let Some(address) = from.one("fdm_addr").or(from.one("listen_addr")) {
        let text = "no autopilot is called at this address; its channels are inputs of the world";
        notes.add(&address.place, text);
    }
    // How the autopilot is reached, and in which axes it is told of motion.
    from.ignore(&[
        "fdm_addr",
        "fdm_port_in",
        "fdm_port_out",
        "listen_addr",
        "connectionTimeoutMaxCount",
    ]);
    from.ignore(&["lock_step", "no_time_sync", "have_32_channels", "imuName", "imu_topic"]);
    from.ignore(&["modelXYZToAirplaneXForwardZDown", "gazeboXYZToNED"]);
    from.finish("ArduPilotPlugin", notes);
    Ok(found)
}

fn ardupilot_channel(
    plugin: &Plugin,
    element: &Element,
    model: &Model,
    known: &mut [Control],
    notes: &mut Notes,
) -> Result<Option<Control>, SdfError> {
    let number = element.attribute("channel").and_then(|text| text.parse::<u32>().ok());
    let Some(number) = number else {
        return Err(element.error("the control has no channel", "write <control channel=\"0\">"));
    };
    let mut from = Contents::new(element);
    let (multiplier, offset) = (from.number("multiplier", 1.0)?, from.number("offset", 0.0)?);
    let slowdown = from.number("controlVelocitySlowdownSim", 1.0)?;
    let usual = Usual { gains: [0.1, 0.0, 0.0], integral: (0.0, 0.0), command: (-1.0, 1.0) };
    let pid = pid(&mut from, &usual)?;
    let by_force = from.flag("useForce", true)?.then_some(pid);
    let kind = from.text("type").unwrap_or("VELOCITY");
    let (joint_name, topic) = (from.text("jointName"), from.text("cmd_topic"));
    // The value of the channel is between them, 0 to 1, whatever they are.
    from.ignore(&["servo_min", "servo_max", "turningDirection", "rotorVelocitySlowdownSim"]);
    from.finish("a channel of ArduPilotPlugin", notes);
    let channel = Channel {
        name: format!("channel-{number}"),
        unit: "1",
        range: (0.0, 1.0),
        rest: (-offset).clamp(0.0, 1.0),
        doc: "Output of the autopilot, from 0 to 1.",
    };
    let mut control = |goal: Goal, multiplier: f64| {
        let joint = joint_named(plugin, joint_name, model, notes)?;
        Some(Control { joint, goal, multiplier, offset, channel: channel.clone(), topic: None })
    };
    Ok(match kind {
        "VELOCITY" => {
            let slowdown = if slowdown == 0.0 { 1.0 } else { slowdown };
            control(Goal::Speed(by_force), multiplier / slowdown)
        }
        "POSITION" => control(Goal::Position(by_force), multiplier),
        "EFFORT" => control(Goal::Effort, multiplier),
        "COMMAND" => {
            let listens =
                |control: &&mut Control| topic.is_some() && control.topic.as_deref() == topic;
            match known.iter_mut().find(listens) {
                Some(other) => {
                    (other.multiplier, other.offset, other.channel) = (multiplier, offset, channel);
                }
                None => {
                    let text = format!(
                        "nothing listens to {}",
                        topic.unwrap_or("a channel without topic")
                    );
                    notes.add(&element.place, format!("{text}; this channel does nothing"));
                }
            }
            None
        }
        other => {
            let what = format!("a channel of type {other}");
            let help = "write VELOCITY, POSITION, EFFORT or COMMAND";
            return Err(element.error(what, help));
        }
    })
}
