//! `mavlink.ground-station`: speaks to vehicles as a ground station does, in simulated time.
//!
//! ```text
//! frames_in  ─► ┌─────────┐ ─► frames_out          UDP, one message a datagram
//! serial_in  ─► │ station │ ─► serial_out          at the baud rate
//! services   ─► │         │ ─► vehicle.altitude, …
//!               └─────────┘
//! ```

mod arguments;
mod lines;
mod model;
mod outputs;
mod services;

use std::net::Ipv4Addr;
use std::sync::Arc;

use ironbird_component::scenery::Scenery;
use ironbird_component::{
    ComponentType, Configuration, Description, Files, Given, Instance, InstantiateError, Interface,
    Kind, Made, Parameters, Place, PortDescription, Settings, ValueType,
};
use ironbird_devices::SerialByte;
use ironbird_kernel::{PortKind, path};
use ironbird_network::EthernetFrame;
use ironbird_network::udp::{Host, MacAddress};

use crate::exchange::LONGEST_NAME;
use crate::mission::Plan;
use crate::modes::Modes;
pub use arguments::{Altitude, Answer, ForVehicle, MessageRate, Offset, Spot, Verdict};
use lines::Sender;
pub use outputs::{Failure, StatusText};

const DOC: &str = "\
A ground station that speaks MAVLink 2.

It sends a heartbeat each second and listens for UDP datagrams at `frames_in` (port 14550) and bytes at `serial_in`. It \
answers where a vehicle was heard last. Vehicles have the system numbers from `first_system` on. What a vehicle says is \
shown at `vehicle.altitude` and so on; where there are several, at `vehicle[0].altitude`.

Services give orders. An order is sent again until the vehicle answers, or `attempts` are made; the reply of the \
service comes then. Where there are several vehicles, each service has the argument `vehicle`, from 0; -1 stands for \
all. Orders to one vehicle are given one after the other; those of one instant in the order in which they are listed, \
after `set-parameter`.

The files of `missions` are tables with the columns action (take-off, waypoint, land, delay, return-to-launch), north \
and east (m from home) or latitude and longitude (deg), altitude (m above home) and time (s), or QGroundControl's plain \
text \"QGC WPL 110\". A mission is uploaded by `upload-mission.` and the name of its file without ending.";

#[derive(Parameters)]
struct StationParameters {
    /// How many vehicles there are.
    #[parameter(default = 1, min = 1, max = 250, fixed)]
    vehicles: u32,
    /// The system number of the first vehicle; the others follow.
    #[parameter(default = 1, min = 1, max = 250, fixed)]
    first_system: u8,
    /// The system number of the station.
    #[parameter(default = 255, min = 1, max = 255, fixed)]
    system: u8,
    /// The component number of the station.
    #[parameter(default = 190, min = 1, max = 255, fixed)]
    component: u8,
    /// Its IPv4 address.
    #[parameter(default = "10.0.0.1", fixed)]
    ip: String,
    /// Its Ethernet address.
    #[parameter(default = "02:00:00:00:00:01", fixed)]
    mac: String,
    /// The UDP port on which it listens and from which it sends.
    #[parameter(default = 14_550, min = 1, fixed)]
    port: u16,
    /// Bits per second of the serial line.
    #[parameter(default = 57_600, min = 300, max = 10_000_000, fixed)]
    baud: u32,
    /// How long it waits for an answer before it asks again.
    #[parameter(unit = "s", default = 1.0, above = 0, max = 3600)]
    timeout: f64,
    /// How often it asks before it gives up.
    #[parameter(default = 5, min = 1, max = 1000)]
    attempts: u32,
    /// Files with missions.
    #[parameter(default = Files::default(), fixed)]
    missions: Files,
    /// Whose flight modes the vehicles have.
    #[parameter(default = Modes::Ironbird, fixed)]
    modes: Modes,
    /// For `set-parameter`: the vehicle, from 0; -1 stands for all.
    #[parameter(default = 0, min = -1, max = 249)]
    vehicle: i32,
    /// For `set-parameter`: the name of the parameter.
    #[parameter(default = "")]
    parameter: String,
    /// For `set-parameter`: its value. To set this sends it.
    #[parameter(default = 0.0)]
    value: f64,
}

/// The type `mavlink.ground-station`.
pub(crate) struct StationType {
    description: Description,
}

impl StationType {
    pub fn new() -> Self {
        let mut description = Description::new("mavlink.ground-station", Kind::EventDriven, DOC);
        description.parameters = StationParameters::describe();
        description.configurations = vec![Configuration {
            name: "set-parameter".into(),
            parameters: ["vehicle", "parameter", "value"].map(Into::into).to_vec(),
            doc: "Sets a parameter of the vehicle.".into(),
        }];
        StationType { description }
    }
}

impl ComponentType for StationType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let parameters = StationParameters::read(&Given::new(settings, place))?;
        let last = u32::from(parameters.first_system) + parameters.vehicles - 1;
        if last > 254 {
            let message = format!(
                "{} vehicles would have the system numbers up to {last}; 254 is the last",
                parameters.vehicles
            );
            return Err(InstantiateError::of("vehicles", message));
        }
        if (u32::from(parameters.first_system)..=last).contains(&u32::from(parameters.system)) {
            return Err(InstantiateError::of("system", "a vehicle has this number"));
        }
        let sender = parameters.sender()?;
        let missions = read_missions(&parameters.missions)
            .map_err(|message| InstantiateError::of("missions", message))?;
        let (names, plans): (Vec<String>, Vec<Plan>) = missions.into_iter().unzip();
        let services = services::all(&names, parameters.modes.all(), parameters.vehicles > 1);
        let paths = names.iter().zip(&plans).map(|(name, plan)| plan.path(name)).collect();
        let scenery = Scenery { paths, ..Scenery::default() };
        let interface = Arc::new(interface(&services, parameters.vehicles as usize));
        let model = model::Station::new(parameters, sender, plans, services);
        Ok(Made::event_driven(model).with_scenery(Some(scenery)).with_interface(interface))
    }
}

impl StationParameters {
    fn sender(&self) -> Result<Sender, InstantiateError> {
        let ip: Ipv4Addr = self.ip.parse().map_err(|_| {
            let message = format!("\"{}\" is no IPv4 address; expected one like 10.0.0.1", self.ip);
            InstantiateError::of("ip", message)
        })?;
        let mac = mac_address(&self.mac).ok_or_else(|| {
            let example = "expected six bytes like 02:00:00:00:00:01, the first of them even";
            InstantiateError::of(
                "mac",
                format!("\"{}\" is no Ethernet address of one; {example}", self.mac),
            )
        })?;
        let host = Host { mac, ip };
        let (port, baud) = (self.port, self.baud);
        Ok(Sender { host, port, baud, system: self.system, component: self.component })
    }

    /// Why a parameter of a vehicle cannot have this name.
    fn wrong_name(name: &str) -> Option<String> {
        let fits = (1..=LONGEST_NAME).contains(&name.len()) && name.is_ascii();
        (!fits).then(|| format!("a name of 1 to {LONGEST_NAME} ASCII characters"))
    }
}

/// Reads the Ethernet address `02:00:00:00:00:01`; an address of a group is none.
pub fn mac_address(text: &str) -> Option<MacAddress> {
    let bytes = text.split(':').map(|byte| match byte.len() {
        2 => u8::from_str_radix(byte, 16).ok(),
        _ => None,
    });
    let address: MacAddress = bytes.collect::<Option<Vec<u8>>>()?.try_into().ok()?;
    (address[0] & 1 == 0).then_some(address)
}

/// The missions by the names of their files.
fn read_missions(Files(files): &Files) -> Result<Vec<(String, Plan)>, String> {
    let mut missions: Vec<(String, Plan)> = Vec::new();
    for file in files {
        let written = file.display();
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = stem.filter(|stem| path::is_valid_name(stem) && !stem.contains('['));
        let name = name.ok_or_else(|| {
            format!("\"{written}\": a service is called as the file without its ending, which must be letters, digits, _ and -")
        })?;
        if missions.iter().any(|(other, _)| *other == name) {
            return Err(format!("two files are called \"{name}\""));
        }
        missions.push((name, Plan::read(file)?));
    }
    Ok(missions)
}

fn interface(services: &[services::Service], vehicles: usize) -> Interface {
    let (frames, bytes) = (ValueType::of::<EthernetFrame>(), ValueType::of::<SerialByte>());
    let input = |name: &str, value| PortDescription::input(name, PortKind::Event, value).waking();
    let output = |name: &str, value| PortDescription::output(name, PortKind::Event, value);
    let mut ports = vec![
        input("frames_in", frames).doc("Frames from the network."),
        input("serial_in", bytes).doc("Bytes from the serial line."),
        output("frames_out", frames).doc("Frames to the network."),
        output("serial_out", bytes).doc("Bytes to the serial line."),
        PortDescription::output("wrong_checks", PortKind::Signal, ValueType::of::<u64>())
            .doc("Messages whose check sum was wrong."),
    ];
    ports.extend((0..vehicles).flat_map(|vehicle| outputs::describe(vehicle, vehicles)));
    let services = services.iter().map(|service| service.description.clone()).collect();
    Interface { ports, services, ..Interface::default() }
}
