//! Commands and their acknowledgement (<https://mavlink.io/en/services/command.html>).

use mavlink::dialects::common::{
    COMMAND_INT_DATA, COMMAND_LONG_DATA, MavCmd, MavFrame, MavModeFlag, MavResult,
};
use serde::{Deserialize, Serialize};

use super::{End, Meaning, Target};
use crate::stream::MavMessage;

/// What a vehicle is told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Order {
    Arm,
    Disarm,
    SetMode {
        number: u32,
    },
    /// To an altitude above home, in metres.
    TakeOff {
        altitude: f32,
    },
    /// Where it is, to an altitude above the sea, in metres: PX4 takes a place of 0 for one in the Atlantic.
    TakeOffHere {
        altitude: f32,
    },
    Land,
    ReturnToLaunch,
    StartMission,
    /// Degrees times 10⁷, and metres above home.
    GoTo {
        latitude: i32,
        longitude: i32,
        altitude: f32,
    },
    /// Microseconds between two messages of a kind; -1: none.
    MessageInterval {
        message: u32,
        interval: f32,
    },
}

impl Order {
    fn command(self) -> MavCmd {
        match self {
            Order::Arm | Order::Disarm => MavCmd::MAV_CMD_COMPONENT_ARM_DISARM,
            Order::SetMode { .. } => MavCmd::MAV_CMD_DO_SET_MODE,
            Order::TakeOff { .. } | Order::TakeOffHere { .. } => MavCmd::MAV_CMD_NAV_TAKEOFF,
            Order::Land => MavCmd::MAV_CMD_NAV_LAND,
            Order::ReturnToLaunch => MavCmd::MAV_CMD_NAV_RETURN_TO_LAUNCH,
            Order::StartMission => MavCmd::MAV_CMD_MISSION_START,
            Order::GoTo { .. } => MavCmd::MAV_CMD_DO_REPOSITION,
            Order::MessageInterval { .. } => MavCmd::MAV_CMD_SET_MESSAGE_INTERVAL,
        }
    }

    /// The parameters of COMMAND_LONG.
    fn parameters(self) -> [f32; 7] {
        let first = |one: f32, two: f32| [one, two, 0.0, 0.0, 0.0, 0.0, 0.0];
        match self {
            Order::Arm => first(1.0, 0.0),
            Order::SetMode { number } => {
                let custom = MavModeFlag::MAV_MODE_FLAG_CUSTOM_MODE_ENABLED;
                first(f32::from(custom.bits()), number as f32)
            }
            Order::TakeOff { altitude } => [0.0, 0.0, 0.0, f32::NAN, 0.0, 0.0, altitude],
            Order::TakeOffHere { altitude } => {
                [f32::NAN, f32::NAN, f32::NAN, f32::NAN, f32::NAN, f32::NAN, altitude]
            }
            Order::MessageInterval { message, interval } => first(message as f32, interval),
            _ => [0.0; 7],
        }
    }
}

/// An order that is being given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Command(pub Order);

impl Command {
    pub fn message(&self, target: Target, attempt: u32) -> MavMessage {
        let Target { system: target_system, component: target_component } = target;
        let command = self.0.command();
        if let Order::GoTo { latitude, longitude, altitude } = self.0 {
            // At its own speed, in guided mode, with its own heading.
            const CHANGE_MODE: f32 = 1.0;
            return MavMessage::COMMAND_INT(COMMAND_INT_DATA {
                param1: -1.0,
                param2: CHANGE_MODE,
                param3: 0.0,
                param4: f32::NAN,
                x: latitude,
                y: longitude,
                z: altitude,
                command,
                target_system,
                target_component,
                frame: MavFrame::MAV_FRAME_GLOBAL_RELATIVE_ALT,
                current: 0,
                autocontinue: 0,
            });
        }
        let [param1, param2, param3, param4, param5, param6, param7] = self.0.parameters();
        MavMessage::COMMAND_LONG(COMMAND_LONG_DATA {
            param1,
            param2,
            param3,
            param4,
            param5,
            param6,
            param7,
            command,
            target_system,
            target_component,
            confirmation: u8::try_from(attempt).unwrap_or(u8::MAX),
        })
    }

    pub fn hear(&mut self, message: &MavMessage) -> Meaning {
        match message {
            MavMessage::COMMAND_ACK(ack) if ack.command == self.0.command() => match ack.result {
                MavResult::MAV_RESULT_ACCEPTED => Meaning::End(End::Accepted),
                MavResult::MAV_RESULT_IN_PROGRESS => Meaning::Wait,
                other => Meaning::End(End::Denied(other as u8)),
            },
            _ => Meaning::Nothing,
        }
    }
}
