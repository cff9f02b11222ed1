//! What a ground station shows of each vehicle.

use ironbird_component::{PortDescription, ValueType};
use ironbird_kernel::{EventOut, Outputs, Payload, PortKind, Ports, SignalOut, Time, Value};
use ironbird_kinematics::{GEODETIC_UNITS, Geodetic};

use super::services::known_units;
use crate::vehicle::Known;

/// A vehicle is connected as long as a heartbeat came within this many seconds.
const CONNECTED: f64 = 3.0;

/// What is shown of a battery that a vehicle does not know: no condition holds of it.
const UNKNOWN: f64 = f64::NAN;

/// A message of a vehicle for people.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct StatusText {
    /// The number of the `MAV_SEVERITY`: 0 emergency, 3 error, 4 warning, 6 information.
    pub severity: u8,
    /// What it says, in UTF-8.
    pub text: Payload,
}

/// A request that failed.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct Failure {
    /// The number of the `MAV_RESULT` that denied it; 0 if nothing came.
    pub result: u8,
    /// What failed and why, in UTF-8.
    pub text: Payload,
}

/// Where things about a vehicle are shown.
#[derive(Clone, Copy, Default)]
pub(super) struct VehicleOutputs {
    position: SignalOut<Geodetic>,
    altitude: SignalOut<f64>,
    velocity: SignalOut<[f64; 3]>,
    roll: SignalOut<f64>,
    pitch: SignalOut<f64>,
    yaw: SignalOut<f64>,
    armed: SignalOut<bool>,
    landed: SignalOut<bool>,
    connected: SignalOut<bool>,
    mode: SignalOut<u32>,
    mission_item: SignalOut<u32>,
    battery: SignalOut<f64>,
    voltage: SignalOut<f64>,
    loop_rate: SignalOut<f64>,
    heard: SignalOut<f64>,
    link_loss: SignalOut<f64>,
    failures: SignalOut<u64>,
    pub status_text: EventOut<StatusText>,
    pub command_failed: EventOut<Failure>,
}

/// The name of an output of a vehicle: without a number where there is only one.
fn name(vehicle: usize, of: usize, part: &str) -> String {
    if of == 1 { format!("vehicle.{part}") } else { format!("vehicle[{vehicle}].{part}") }
}

impl VehicleOutputs {
    pub fn declare(ports: &mut Ports, vehicle: usize, of: usize) -> Self {
        let name = |part: &str| name(vehicle, of, part);
        VehicleOutputs {
            position: ports.signal_out(&name("position"), Geodetic::default()),
            altitude: ports.signal_out(&name("altitude"), 0.0),
            velocity: ports.signal_out(&name("velocity"), [0.0; 3]),
            roll: ports.signal_out(&name("roll"), 0.0),
            pitch: ports.signal_out(&name("pitch"), 0.0),
            yaw: ports.signal_out(&name("yaw"), 0.0),
            armed: ports.signal_out(&name("armed"), false),
            landed: ports.signal_out(&name("landed"), true),
            connected: ports.signal_out(&name("connected"), false),
            mode: ports.signal_out(&name("mode"), 0),
            mission_item: ports.signal_out(&name("mission_item"), 0),
            battery: ports.signal_out(&name("battery"), UNKNOWN),
            voltage: ports.signal_out(&name("voltage"), UNKNOWN),
            loop_rate: ports.signal_out(&name("loop_rate"), 0.0),
            heard: ports.signal_out(&name("heard"), 0.0),
            link_loss: ports.signal_out(&name("link_loss"), 0.0),
            failures: ports.signal_out(&name("failures"), 0),
            status_text: ports.event_out(&name("status_text")),
            command_failed: ports.event_out(&name("command_failed")),
        }
    }

    pub fn write(&self, out: &mut Outputs<'_>, known: &Known, start: Time, failures: u64) {
        let heard = out.now().since(known.heartbeat.unwrap_or(start)).as_secs_f64();
        let [roll, pitch, yaw] = known.attitude;
        out.write(self.position, known.position);
        out.write(self.velocity, known.velocity);
        for (port, number) in [
            (self.altitude, known.altitude),
            (self.roll, roll),
            (self.pitch, pitch),
            (self.yaw, yaw),
            (self.battery, known.battery.unwrap_or(UNKNOWN)),
            (self.voltage, known.voltage.unwrap_or(UNKNOWN)),
            (self.loop_rate, known.loop_rate),
            (self.heard, heard),
            (self.link_loss, known.link_loss()),
        ] {
            out.write(port, number);
        }
        out.write(self.armed, known.is_armed);
        out.write(self.landed, known.is_landed());
        out.write(self.connected, known.heartbeat.is_some() && heard <= CONNECTED);
        out.write(self.mode, known.mode);
        out.write(self.mission_item, known.mission_item);
        out.write(self.failures, failures);
    }
}

/// The descriptions of the outputs of a vehicle.
pub(super) fn describe(vehicle: usize, of: usize) -> Vec<PortDescription> {
    let port = |part: &str, kind: PortKind, value: ValueType, units: &str, doc: &str| {
        PortDescription::output(&name(vehicle, of, part), kind, value)
            .units(known_units(units))
            .doc(doc)
    };
    let number = |part: &str, units: &str, doc: &str| {
        port(part, PortKind::Signal, ValueType::of::<f64>(), units, doc)
    };
    let truth =
        |part: &str, doc: &str| port(part, PortKind::Signal, ValueType::of::<bool>(), "", doc);
    let count =
        |part: &str, doc: &str| port(part, PortKind::Signal, ValueType::of::<u32>(), "", doc);
    let geodetic = ValueType::of::<Geodetic>();
    let position = "Where it says that it is. The height is that of GLOBAL_POSITION_INT.";
    let velocity = "Its velocity over ground: north, east, down.";
    let failed = "A request that failed, and why.";
    vec![
        port("position", PortKind::Signal, geodetic, GEODETIC_UNITS, position).frame("geodetic"),
        number("altitude", "m", "Its altitude above home."),
        port("velocity", PortKind::Signal, ValueType::of::<[f64; 3]>(), "m/s", velocity)
            .frame("ned"),
        number("roll", "rad", "Its roll angle."),
        number("pitch", "rad", "Its pitch angle."),
        number("yaw", "rad", "Its heading, from north to east."),
        truth("armed", "Whether its motors may run."),
        truth(
            "landed",
            "Whether it stands on the ground: as it says, or else while it is not armed.",
        ),
        truth("connected", "Whether a heartbeat came within the last 3 s."),
        count("mode", "The number of its flight mode."),
        count("mission_item", "The item of its mission that it is at."),
        number(
            "battery",
            "",
            "What is left of its battery, from 0 to 1; NaN while that is not known.",
        ),
        number("voltage", "V", "Voltage of its battery; NaN while it is not known."),
        number(
            "loop_rate",
            "Hz",
            "How often its control loop runs, as it says in NAMED_VALUE_FLOAT \"loop_rate\".",
        ),
        number(
            "heard",
            "s",
            "Time since its last heartbeat, or since the start; written ten times a second.",
        ),
        number("link_loss", "", "The share of its messages that never came, by their numbers."),
        port(
            "failures",
            PortKind::Signal,
            ValueType::of::<u64>(),
            "",
            "How many requests have failed.",
        ),
        port(
            "status_text",
            PortKind::Event,
            ValueType::of::<StatusText>(),
            "",
            "What it says to people.",
        ),
        port("command_failed", PortKind::Event, ValueType::of::<Failure>(), "", failed),
    ]
}
