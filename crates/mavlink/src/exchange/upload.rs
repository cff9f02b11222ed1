//! A mission goes to a vehicle (<https://mavlink.io/en/services/mission.html>).
//!
//! ```text
//! station                 vehicle
//!   MISSION_COUNT(n) ──────►
//!           ◄────── MISSION_REQUEST_INT(0)
//!   MISSION_ITEM_INT(0) ───►
//!           ⋮
//!           ◄────── MISSION_ACK
//! ```

use mavlink::dialects::common::{
    MISSION_COUNT_DATA, MISSION_ITEM_INT_DATA, MavCmd, MavFrame, MavMissionResult,
};
use num_traits::FromPrimitive;
use serde::{Deserialize, Serialize};

use super::{End, Meaning, Target};
use crate::stream::MavMessage;

/// An item of a mission as it goes over the air.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Item {
    /// Number of a `MAV_CMD`.
    pub command: u16,
    /// Number of a `MAV_FRAME`.
    pub frame: u8,
    pub parameters: [f32; 4],
    /// Degrees times 10⁷ in a global frame.
    pub x: i32,
    pub y: i32,
    pub z: f32,
    pub goes_on: bool,
}

/// A mission on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Upload {
    items: Vec<Item>,
    /// The item that the vehicle asked for last.
    asked: Option<u16>,
}

impl Upload {
    pub fn new(items: Vec<Item>) -> Self {
        Upload { items, asked: None }
    }

    pub fn message(&self, target: Target) -> MavMessage {
        let Target { system: target_system, component: target_component } = target;
        let asked = self.asked.and_then(|asked| Some((asked, self.items.get(usize::from(asked))?)));
        let Some((seq, item)) = asked else {
            let count = self.items.len() as u16;
            let data = MISSION_COUNT_DATA { count, target_system, target_component };
            return MavMessage::MISSION_COUNT(data);
        };
        let [param1, param2, param3, param4] = item.parameters;
        MavMessage::MISSION_ITEM_INT(MISSION_ITEM_INT_DATA {
            param1,
            param2,
            param3,
            param4,
            x: item.x,
            y: item.y,
            z: item.z,
            seq,
            // Both were checked when the mission was read.
            command: MavCmd::from_u16(item.command).unwrap_or_default(),
            target_system,
            target_component,
            frame: MavFrame::from_u8(item.frame).unwrap_or_default(),
            current: u8::from(seq == 0),
            autocontinue: u8::from(item.goes_on),
        })
    }

    pub fn hear(&mut self, message: &MavMessage) -> Meaning {
        let seq = match message {
            MavMessage::MISSION_REQUEST_INT(request) => request.seq,
            #[allow(deprecated)]
            MavMessage::MISSION_REQUEST(request) => request.seq,
            MavMessage::MISSION_ACK(ack) => {
                let is_through = self.asked.map(usize::from) == self.items.len().checked_sub(1);
                return match ack.mavtype {
                    // One that comes too early belongs to a mission before.
                    MavMissionResult::MAV_MISSION_ACCEPTED if !is_through => Meaning::Nothing,
                    MavMissionResult::MAV_MISSION_ACCEPTED => Meaning::End(End::Accepted),
                    other => Meaning::End(End::Denied(other as u8)),
                };
            }
            _ => return Meaning::Nothing,
        };
        if usize::from(seq) >= self.items.len() {
            return Meaning::Nothing;
        }
        let is_new = self.asked.replace(seq) != Some(seq);
        if is_new { Meaning::Next } else { Meaning::Again }
    }
}
