//! The services of a ground station: what they are called and what they ask.

use ironbird_component::{LeafUnits, ServiceDescription, ServiceType};
use ironbird_kernel::{CallIn, Inputs, Outputs, Ports, Reply};
use serde::{Deserialize, Serialize};

use super::arguments::{Altitude, Answer, Argument, ForVehicle, MessageRate, Offset, Spot};
use crate::modes::Mode;

/// What a service does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Does {
    SetMode(u32),
    /// Uploads the mission of this number.
    Upload(usize),
    Arm,
    TakeOff,
    StartMission,
    GoTo,
    GoToOffset,
    Land,
    ReturnToLaunch,
    Disarm,
    SetMessageRate,
}

/// One service: its name, and the end where requests come in.
pub(super) struct Service {
    pub name: String,
    pub does: Does,
    pub description: ServiceDescription,
    door: Box<dyn Door>,
}

/// Who waits for an answer, and from which service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ticket {
    pub service: usize,
    caller: u64,
    number: u64,
}

/// A request: the ticket, the vehicle if one is named, and numbers.
pub(super) type Asked = (Ticket, Option<i32>, [f64; 3]);

/// The end of a service where requests come in, whatever its argument is.
trait Door: Send {
    fn declare(&mut self, ports: &mut Ports, name: &str);
    fn requests(&self, inputs: &Inputs<'_>, service: usize) -> Vec<Asked>;
    fn answer(&self, out: &mut Outputs<'_>, ticket: Ticket, answer: Answer);
}

struct Typed<A>(CallIn<A, Answer>);

impl<A: Argument> Door for Typed<A> {
    fn declare(&mut self, ports: &mut Ports, name: &str) {
        self.0 = ports.service(name);
    }

    fn requests(&self, inputs: &Inputs<'_>, service: usize) -> Vec<Asked> {
        let requests = inputs.events(self.0.request);
        let asked = requests.map(|request| {
            let ticket = Ticket { service, caller: request.caller, number: request.number };
            (ticket, request.content.vehicle(), request.content.numbers())
        });
        asked.collect()
    }

    fn answer(&self, out: &mut Outputs<'_>, ticket: Ticket, content: Answer) {
        let Ticket { caller, number, .. } = ticket;
        out.send(self.0.reply, Reply { caller, number, content });
    }
}

impl Service {
    pub fn declare(&mut self, ports: &mut Ports) {
        self.door.declare(ports, &self.name);
    }

    pub fn requests(&self, inputs: &Inputs<'_>, number: usize) -> Vec<Asked> {
        self.door.requests(inputs, number)
    }

    pub fn answer(&self, out: &mut Outputs<'_>, ticket: Ticket, answer: Answer) {
        self.door.answer(out, ticket, answer);
    }
}

/// All services, in the order in which requests of one instant are carried out.
pub(super) fn all(missions: &[String], modes: &[Mode], several: bool) -> Vec<Service> {
    let mut list = List { services: Vec::new(), several };
    for (number, mission) in missions.iter().enumerate() {
        let name = format!("upload-mission.{mission}");
        list.add::<()>(&name, Does::Upload(number), "", "Sends this mission to the vehicle.");
    }
    for mode in modes {
        let (name, doc) = (format!("set-mode.{}", mode.name), format!("The vehicle {}.", mode.doc));
        list.add::<()>(&name, Does::SetMode(mode.number), "", &doc);
    }
    list.add::<()>("arm", Does::Arm, "", "Lets the motors run.");
    let doc = "Takes off and climbs to an altitude above home.";
    list.add::<Altitude>("take-off", Does::TakeOff, "altitude: m", doc);
    let doc = "Begins the mission that the vehicle has.";
    list.add::<()>("start-mission", Does::StartMission, "", doc);
    let units = "latitude: rad, longitude: rad, altitude: m";
    let doc = "Goes to a place on the Earth, at an altitude above home.";
    list.add::<Spot>("go-to", Does::GoTo, units, doc);
    let units = "north: m, east: m, altitude: m";
    list.add::<Offset>(
        "go-to-offset",
        Does::GoToOffset,
        units,
        "Goes to a place as seen from home.",
    );
    list.add::<()>("land", Does::Land, "", "Lands where the vehicle is.");
    let doc = "Returns to where the vehicle was launched.";
    list.add::<()>("return-to-launch", Does::ReturnToLaunch, "", doc);
    list.add::<()>("disarm", Does::Disarm, "", "Stops the motors.");
    let doc = "Asks for a message, by its number, so many times a second; 0 Hz: not at all.";
    list.add::<MessageRate>("set-message-rate", Does::SetMessageRate, "frequency: Hz", doc);
    list.services
}

struct List {
    services: Vec<Service>,
    /// Whether a vehicle must be named.
    several: bool,
}

impl List {
    fn add<A: Argument>(&mut self, name: &str, does: Does, units: &str, doc: &str) {
        let (service, door): (ServiceType, Box<dyn Door>) = if self.several {
            let door = Typed::<ForVehicle<A>>(CallIn::default());
            (ServiceType::of::<ForVehicle<A>, Answer>(), Box::new(door))
        } else {
            (ServiceType::of::<A, Answer>(), Box::new(Typed::<A>(CallIn::default())))
        };
        let description = ServiceDescription::new(name, service).units(known_units(units)).doc(doc);
        self.services.push(Service { name: name.into(), does, description, door });
    }
}

/// Units that stand in this crate; the tests of the services read them all.
pub(super) fn known_units(text: &str) -> LeafUnits {
    match text {
        "" => LeafUnits::plain(),
        text => text.parse().unwrap_or_else(|error| panic!("{text:?} are units of ours: {error}")),
    }
}
