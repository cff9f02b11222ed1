//! A vehicle that does what it is told, without flying.

use std::net::Ipv4Addr;

use ironbird_component::{Component, Registry, RegistryError};
use ironbird_devices::SerialByte;
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, Outputs, Parameter, SignalOut, Time,
};
use ironbird_mavlink::{MavMessage, StreamParser, encode};
use ironbird_network::EthernetFrame;
use ironbird_network::udp::{Endpoint, Heard, Host};
use ironbird_test_rig::{Rig, Setting};
use mavlink::MavHeader;
use mavlink::dialects::common::*;

const STATION: Host = Host { mac: [2, 0, 0, 0, 0, 1], ip: Ipv4Addr::new(10, 0, 0, 1) };

/// Climbs 5 m/s while it is told to fly, and sends its heartbeat, position and attitude each 100 ms.
#[derive(Component)]
#[component(type = "test.vehicle", event_driven)]
struct Vehicle {
    #[parameter(default = 1)]
    system: u8,
    /// Of so many messages with orders, one is heard.
    #[parameter(default = 1, min = 1)]
    deaf: u32,
    /// The result of each command.
    #[parameter(default = 0)]
    result: u32,
    /// How many times it says that a command is in progress.
    #[parameter(default = 0)]
    progress: u32,
    /// Whether it speaks over the serial line.
    #[parameter(default = false)]
    serial: bool,
    /// Whether it says that it is PX4, and like it speaks MAVLink 1 until it hears MAVLink 2.
    #[parameter(default = false)]
    px4: bool,
    /// It is silent before this second.
    #[parameter(unit = "s", default = 0.0)]
    silence: f64,
    /// From this second on it does not know its battery.
    #[parameter(unit = "s", default = 1e9)]
    gauge_fails: f64,
    #[input]
    frames_in: EventIn<EthernetFrame>,
    #[output]
    frames_out: EventOut<EthernetFrame>,
    #[input]
    serial_in: EventIn<SerialByte>,
    #[output]
    serial_out: EventOut<SerialByte>,
    /// The kinds of messages that it heard, in order.
    #[output]
    heard: EventOut<u32>,
    /// The numbers of the commands that it heard.
    #[output]
    commands: EventOut<u32>,
    /// Command and place of each item of the mission that it has: command, x, y, z.
    #[output]
    items: EventOut<[f64; 4]>,
    #[output(initial = 0.0)]
    gain: SignalOut<f64>,
    orders: u32,
    sequence: u8,
    expected: u16,
    mission: Vec<[f64; 4]>,
    armed: bool,
    mode: u32,
    altitude: f64,
    climbs: f64,
    gain_now: f64,
    ticks: u64,
    now: Time,
    outbox: Vec<Vec<u8>>,
    heard_now: Vec<u32>,
    commands_now: Vec<u32>,
    items_now: Vec<[f64; 4]>,
    bytes: Vec<u8>,
    parser: StreamParser,
    heard_version_2: bool,
}

const TICK: Duration = Duration::from_ms(100);

impl Vehicle {
    fn host(&self) -> Host {
        let last = 100 + self.system;
        Host { mac: [2, 0, 0, 0, 1, self.system], ip: Ipv4Addr::new(10, 0, 0, last) }
    }

    fn say(&mut self, message: MavMessage) {
        let header =
            MavHeader { system_id: self.system.into(), component_id: 1, sequence: self.sequence };
        self.sequence = self.sequence.wrapping_add(1);
        self.outbox.push(match self.px4 && !self.heard_version_2 {
            true => {
                let mut raw = mavlink::MAVLinkV1MessageRaw::new();
                raw.serialize_message(header, &message);
                raw.raw_bytes().to_vec()
            }
            false => encode(header, &message),
        });
    }

    fn tick(&mut self) {
        self.altitude = (self.altitude + 0.1 * self.climbs).max(0.0);
        self.ticks += 1;
        let armed =
            if self.armed { MavModeFlag::MAV_MODE_FLAG_SAFETY_ARMED } else { MavModeFlag::empty() };
        self.say(MavMessage::HEARTBEAT(HEARTBEAT_DATA {
            custom_mode: self.mode,
            mavtype: MavType::MAV_TYPE_QUADROTOR,
            autopilot: match self.px4 {
                true => MavAutopilot::MAV_AUTOPILOT_PX4,
                false => MavAutopilot::MAV_AUTOPILOT_GENERIC,
            },
            base_mode: armed | MavModeFlag::MAV_MODE_FLAG_CUSTOM_MODE_ENABLED,
            system_status: MavState::MAV_STATE_ACTIVE,
            mavlink_version: 3,
        }));
        let millimetres = (self.altitude * 1e3) as i32;
        self.say(MavMessage::GLOBAL_POSITION_INT(GLOBAL_POSITION_INT_DATA {
            lat: 473_977_420,
            lon: 85_455_940,
            alt: 488_000 + millimetres,
            relative_alt: millimetres,
            vz: (-100.0 * self.climbs) as i16,
            ..Default::default()
        }));
        self.say(MavMessage::ATTITUDE(ATTITUDE_DATA {
            roll: 0.25,
            pitch: -0.5,
            yaw: 1.5,
            ..Default::default()
        }));
        let known = self.now.as_secs_f64() < self.gauge_fails;
        self.say(MavMessage::SYS_STATUS(SYS_STATUS_DATA {
            voltage_battery: if known { 11_100 } else { u16::MAX },
            battery_remaining: if known { 87 } else { -1 },
            ..Default::default()
        }));
        let name = "loop_rate".into();
        self.say(MavMessage::NAMED_VALUE_FLOAT(NAMED_VALUE_FLOAT_DATA {
            name,
            value: 400.0,
            time_boot_ms: 0,
        }));
        if self.ticks == 3 {
            let severity = MavSeverity::MAV_SEVERITY_WARNING;
            self.say(MavMessage::STATUSTEXT(STATUSTEXT_DATA {
                severity,
                text: "no compass".into(),
            }));
        }
    }

    fn hear(&mut self, message: &MavMessage) {
        self.heard_now.push(mavlink::Message::message_id(message));
        if matches!(message, MavMessage::HEARTBEAT(_)) {
            return;
        }
        self.orders += 1;
        if !self.orders.is_multiple_of(self.deaf) {
            return;
        }
        match message {
            MavMessage::COMMAND_LONG(data) => {
                if data.command == MavCmd::MAV_CMD_NAV_TAKEOFF {
                    let place = [data.param5, data.param6, data.param7].map(f64::from);
                    self.items_now.push([22.0, place[0], place[1], place[2]]);
                }
                self.command(data.command, data.param1, data.param2);
            }
            MavMessage::COMMAND_INT(data) => {
                self.items_now.push([
                    f64::from(data.command as u32),
                    data.x.into(),
                    data.y.into(),
                    data.z.into(),
                ]);
                self.command(data.command, data.param1, data.param2);
            }
            MavMessage::PARAM_SET(data) => {
                if data.param_id.to_str() != Ok("GAIN") {
                    return;
                }
                self.gain_now = f64::from(data.param_value).min(10.0);
                self.say(MavMessage::PARAM_VALUE(PARAM_VALUE_DATA {
                    param_value: self.gain_now as f32,
                    param_id: data.param_id,
                    param_count: 1,
                    param_index: 0,
                    param_type: data.param_type,
                }));
            }
            MavMessage::MISSION_COUNT(data) => {
                self.mission.clear();
                self.expected = data.count;
                self.want(0);
            }
            MavMessage::MISSION_ITEM_INT(item) => {
                let got = self.mission.len() as u16;
                if item.seq == got && got < self.expected {
                    let command = f64::from(item.command as u32);
                    self.mission.push([command, item.x.into(), item.y.into(), item.z.into()]);
                }
                let got = self.mission.len() as u16;
                if got < self.expected {
                    self.want(got);
                } else {
                    self.items_now.clone_from(&self.mission);
                    let mavtype = MavMissionResult::MAV_MISSION_ACCEPTED;
                    self.say(MavMessage::MISSION_ACK(MISSION_ACK_DATA {
                        target_system: 255,
                        target_component: 190,
                        mavtype,
                    }));
                }
            }
            _ => {}
        }
    }

    fn want(&mut self, seq: u16) {
        let data = MISSION_REQUEST_INT_DATA { seq, target_system: 255, target_component: 190 };
        self.say(MavMessage::MISSION_REQUEST_INT(data));
    }

    fn command(&mut self, command: MavCmd, first: f32, second: f32) {
        self.commands_now.push(command as u32);
        let result = match self.result {
            0 => MavResult::MAV_RESULT_ACCEPTED,
            1 => MavResult::MAV_RESULT_TEMPORARILY_REJECTED,
            _ => MavResult::MAV_RESULT_DENIED,
        };
        for _ in 0..self.progress {
            let result = MavResult::MAV_RESULT_IN_PROGRESS;
            self.say(MavMessage::COMMAND_ACK(COMMAND_ACK_DATA { command, result }));
        }
        if self.progress == 0 {
            self.say(MavMessage::COMMAND_ACK(COMMAND_ACK_DATA { command, result }));
        }
        if self.result != 0 {
            return;
        }
        match command {
            MavCmd::MAV_CMD_COMPONENT_ARM_DISARM => self.armed = first == 1.0,
            MavCmd::MAV_CMD_DO_SET_MODE => self.mode = second as u32,
            MavCmd::MAV_CMD_NAV_TAKEOFF => self.climbs = 5.0,
            MavCmd::MAV_CMD_NAV_LAND => self.climbs = -5.0,
            _ => {}
        }
    }

    fn due(&self) -> Time {
        Time::from_ps((self.silence * 1e12) as u64) + Duration::from_ps(TICK.as_ps() * self.ticks)
    }
}

impl Atomic for Vehicle {
    fn time_advance(&self) -> Duration {
        let has_news = !(self.outbox.is_empty() && self.heard_now.is_empty());
        if has_news { Duration::ZERO } else { self.due().since(self.now) }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let to = Endpoint { mac: STATION.mac, ip: STATION.ip, port: 14_550 };
        for bytes in std::mem::take(&mut self.outbox) {
            if self.serial {
                bytes.iter().for_each(|byte| {
                    out.send(self.serial_out, SerialByte { byte: *byte, baud: 57_600 })
                });
            } else {
                let frame = self.host().datagram(14_555, to, &bytes).expect("it is short");
                out.send(self.frames_out, frame);
            }
        }
        self.heard_now.drain(..).for_each(|id| out.send(self.heard, id));
        self.commands_now.drain(..).for_each(|id| out.send(self.commands, id));
        self.items_now.drain(..).for_each(|item| out.send(self.items, item));
        out.write(self.gain, self.gain_now);
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.now = context.now();
        if self.due() <= self.now {
            self.tick();
        }
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        let (host, is_silent) = (self.host(), context.now().as_secs_f64() < self.silence);
        let frames: Vec<EthernetFrame> = inputs.events(self.frames_in).cloned().collect();
        for frame in frames {
            if let Heard::Datagram { to_port: 14_555, payload, .. } = host.hear(&frame) {
                self.heard_version_2 |= payload.first() == Some(&0xFD);
                for (_, message) in StreamParser::default().push(payload) {
                    self.hear(&message);
                }
            }
        }
        let bytes: Vec<u8> = inputs.events(self.serial_in).map(|byte| byte.byte).collect();
        self.heard_version_2 |= bytes.first() == Some(&0xFD);
        for (_, message) in self.parser.push(&bytes) {
            self.hear(&message);
        }
        if is_silent {
            self.outbox.clear();
        }
        self.now = context.now();
    }
}

pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Vehicle>()
}

pub fn whole(number: i64) -> Parameter {
    Parameter::Integer(number)
}

/// A station and a vehicle, joined by frames and by a serial line.
pub fn joined(station: &[Setting<'_>], vehicle: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_mavlink::register, ironbird_network::register, register]);
    rig.add("station", "mavlink.ground-station", station);
    rig.add("vehicle", "test.vehicle", vehicle);
    rig.link("vehicle.frames_out", "station.frames_in");
    rig.link("station.frames_out", "vehicle.frames_in");
    rig.link("vehicle.serial_out", "station.serial_in");
    rig.link("station.serial_out", "vehicle.serial_in");
    rig
}

/// Another vehicle on the same Ethernet.
pub fn add_vehicle(rig: &mut Rig, name: &str, system: i64) {
    rig.add(name, "test.vehicle", &[("system", whole(system))]);
    rig.link(&format!("{name}.frames_out"), "station.frames_in");
    rig.link("station.frames_out", &format!("{name}.frames_in"));
}
