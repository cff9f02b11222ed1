//! A parameter is set (<https://mavlink.io/en/services/parameter.html>).

use mavlink::dialects::common::{MavParamType, MavResult, PARAM_SET_DATA};
use mavlink::types::CharArray;
use serde::{Deserialize, Serialize};

use super::{End, Meaning, Target};
use crate::stream::MavMessage;

/// The longest name of a parameter.
pub(crate) const LONGEST_NAME: usize = 16;

/// A parameter that is being set. The vehicle says which value it has then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SetParameter {
    pub name: String,
    pub value: f32,
}

impl SetParameter {
    pub fn message(&self, target: Target) -> MavMessage {
        MavMessage::PARAM_SET(PARAM_SET_DATA {
            param_value: self.value,
            target_system: target.system,
            target_component: target.component,
            param_id: CharArray::from(self.name.as_str()),
            param_type: MavParamType::MAV_PARAM_TYPE_REAL32,
        })
    }

    pub fn hear(&mut self, message: &MavMessage) -> Meaning {
        match message {
            MavMessage::PARAM_VALUE(said) if said.param_id.to_str() == Ok(self.name.as_str()) => {
                if said.param_value == self.value {
                    Meaning::End(End::Accepted)
                } else {
                    Meaning::End(End::Denied(MavResult::MAV_RESULT_DENIED as u8))
                }
            }
            _ => Meaning::Nothing,
        }
    }
}
