//! What a vehicle has said of itself.

use ironbird_kernel::Time;
use ironbird_kinematics::Geodetic;
use mavlink::dialects::common::{MavAutopilot, MavLandedState, MavModeFlag, MavType};
use serde::{Deserialize, Serialize};

use crate::stream::MavMessage;

/// What is known of a vehicle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Known {
    /// When its last heartbeat came.
    pub heartbeat: Option<Time>,
    pub is_armed: bool,
    /// Whether its autopilot is PX4.
    pub is_px4: bool,
    pub mode: u32,
    said_landed: Option<bool>,
    pub position: Geodetic,
    has_position: bool,
    /// Metres above home.
    pub altitude: f64,
    /// North, east and down in m/s.
    pub velocity: [f64; 3],
    /// Roll, pitch and yaw in radians.
    pub attitude: [f64; 3],
    /// What is left of the battery, 0 to 1, and its voltage in V, where it knows them.
    pub battery: Option<f64>,
    pub voltage: Option<f64>,
    pub loop_rate: f64,
    pub mission_item: u32,
    said_home: Option<Geodetic>,
    /// Where it was when it was last heard without being armed.
    start: Option<Geodetic>,
    /// The number of its last message, by component.
    sequences: std::collections::BTreeMap<u8, u8>,
    received: u64,
    missed: u64,
}

/// A message of a vehicle for people.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub severity: u8,
    pub text: String,
}

impl Known {
    /// A message has come from `component` of the vehicle.
    pub fn count(&mut self, component: u8, sequence: u8) {
        // A message whose number lies behind was delayed or is a copy: nothing is missing.
        const FARTHEST: u8 = 127;
        self.received += 1;
        let last = self.sequences.get(&component).copied();
        let missing = last.map_or(0, |last| sequence.wrapping_sub(last).wrapping_sub(1));
        if missing <= FARTHEST {
            self.missed += u64::from(missing);
            self.sequences.insert(component, sequence);
        }
    }

    /// The share of its messages that never came.
    pub fn link_loss(&self) -> f64 {
        match self.received + self.missed {
            0 => 0.0,
            all => self.missed as f64 / all as f64,
        }
    }

    /// Whether it stands on the ground; who does not say it stands there while it is not armed.
    pub fn is_landed(&self) -> bool {
        self.said_landed.unwrap_or(!self.is_armed)
    }

    /// Its home: what it says, or else where it was before it was armed.
    pub fn home(&self) -> Option<Geodetic> {
        self.said_home.or(self.start)
    }

    /// Takes note of a message.
    pub fn hear(&mut self, now: Time, message: &MavMessage) -> Option<Said> {
        match message {
            MavMessage::HEARTBEAT(data) => {
                let is_vehicle = data.autopilot != MavAutopilot::MAV_AUTOPILOT_INVALID
                    && data.mavtype != MavType::MAV_TYPE_GCS;
                if is_vehicle {
                    self.heartbeat = Some(now);
                    let armed = MavModeFlag::MAV_MODE_FLAG_SAFETY_ARMED;
                    self.is_armed = data.base_mode.contains(armed);
                    self.is_px4 = data.autopilot == MavAutopilot::MAV_AUTOPILOT_PX4;
                    self.mode = data.custom_mode;
                }
            }
            MavMessage::GLOBAL_POSITION_INT(data) => {
                self.position = place(data.lat, data.lon, data.alt);
                self.has_position = true;
                self.altitude = f64::from(data.relative_alt) * 1e-3;
                self.velocity = [data.vx, data.vy, data.vz].map(|cm| f64::from(cm) * 1e-2);
            }
            MavMessage::ATTITUDE(data) => {
                self.attitude = [data.roll, data.pitch, data.yaw].map(f64::from);
            }
            MavMessage::SYS_STATUS(data) => {
                // -1 and UINT16_MAX stand for "not known"; it may have been known before.
                let (left, millivolts) = (data.battery_remaining, data.voltage_battery);
                self.battery = (left >= 0).then(|| f64::from(left) / 100.0);
                self.voltage = (millivolts != u16::MAX).then(|| f64::from(millivolts) * 1e-3);
            }
            MavMessage::EXTENDED_SYS_STATE(data) => {
                self.said_landed = match data.landed_state {
                    MavLandedState::MAV_LANDED_STATE_UNDEFINED => None,
                    state => Some(state == MavLandedState::MAV_LANDED_STATE_ON_GROUND),
                };
            }
            MavMessage::HOME_POSITION(data) => {
                self.said_home = Some(place(data.latitude, data.longitude, data.altitude));
            }
            MavMessage::MISSION_CURRENT(data) => self.mission_item = data.seq.into(),
            MavMessage::NAMED_VALUE_FLOAT(data) if data.name.to_str() == Ok("loop_rate") => {
                self.loop_rate = data.value.into();
            }
            MavMessage::STATUSTEXT(data) => {
                let end = data.text.iter().position(|byte| *byte == 0).unwrap_or(data.text.len());
                let text = String::from_utf8_lossy(&data.text[..end]).into_owned();
                return Some(Said { severity: data.severity as u8, text });
            }
            _ => {}
        }
        if self.has_position && !self.is_armed {
            self.start = Some(self.position);
        }
        None
    }
}

/// A place from degrees times 10⁷ and millimetres.
fn place(latitude: i32, longitude: i32, altitude: i32) -> Geodetic {
    let degrees = |e7: i32| f64::from(e7) * 1e-7;
    Geodetic::from_degrees(degrees(latitude), degrees(longitude), f64::from(altitude) * 1e-3)
}
