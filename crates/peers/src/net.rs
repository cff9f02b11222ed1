//! `simbricks.net`: an end of an Ethernet whose other end is in another simulator.

use std::sync::Arc;

use ironbird_component::{
    ComponentType, Description, Given, Instance, InstantiateError, Interface, Made,
    ParameterDescription, ParameterKind, Place, PortDescription, Settings, ValueType,
};
use ironbird_kernel::{EventIn, EventOut, Inputs, Outputs, Parameter, PortKind, Ports};
use ironbird_simbricks::layout::net::Packet;
use ironbird_simbricks::{Link, Message, Protocol};

use crate::line::{Greeting, Line, Trouble};
use crate::linked::{Linked, Talk, common_ports};
use crate::parameters::{self, OWN};
use ironbird_network::EthernetFrame;

const DOC: &str = "\
An end of an Ethernet whose other end is in another simulator: a network card, a switch, a traffic generator.

Frames that arrive at `send` are at the other simulator after the latency of the link; what it sends comes out at \
`received`. Two of them joined crosswise are a wire between two simulators, or a place to look at what passes. The link \
is SimBricks' NET.";

/// The type `simbricks.net`.
pub(crate) struct NetType {
    description: Description,
    interface: Arc<Interface>,
}

impl NetType {
    pub fn new() -> Self {
        let frames = ValueType::of::<EthernetFrame>();
        let send = PortDescription::input("send", PortKind::Event, frames);
        let received = PortDescription::output("received", PortKind::Event, frames);
        let own = [
            send.doc("Frames to the other simulator."),
            received.doc("Frames from the other simulator."),
        ];
        let ports = own.into_iter().chain(common_ports()).collect();
        let interface = Arc::new(Interface { ports, ..Interface::default() });
        let doc = "Whether the peer is told that the run has ended. SimBricks' own network programs take that for an error.";
        let tells_end = ParameterDescription::required("tells_end", ParameterKind::Bool, doc)
            .or([Parameter::Bool(false)])
            .fixed();
        let mut description = parameters::description("simbricks.net", DOC, [tells_end]);
        description.interface = Some(interface.clone());
        NetType { description, interface }
    }
}

impl ComponentType for NetType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let given = Given::new(settings, place);
        let sends_terminate: bool = given.read(&self.description.parameters[OWN])?;
        let layer = |name| Link { sends_terminate, ..Link::new(name, Protocol::NET) };
        let plan = parameters::plan(&given, &self.description, layer)?;
        let model = Linked::new(plan, Frames::default());
        Ok(Made::event_driven(model).with_interface(self.interface.clone()))
    }
}

/// Frames on their way.
#[derive(Default)]
struct Frames {
    ports: Option<(EventIn<EthernetFrame>, EventOut<EthernetFrame>)>,
    outgoing: Vec<EthernetFrame>,
    incoming: Vec<EthernetFrame>,
}

impl Talk for Frames {
    type Content = EthernetFrame;

    fn ports(&mut self, ports: &mut Ports) {
        self.ports = Some((ports.event_in("send"), ports.event_out("received")));
    }

    fn greeting(&self) -> Greeting {
        Box::new(|_| Ok(()))
    }

    fn collect(&mut self, inputs: &Inputs<'_>) {
        if let Some((send, _)) = self.ports {
            self.outgoing.extend(inputs.events(send).cloned());
        }
    }

    fn speak(&mut self, now: u64, line: &mut Line) -> Result<(), Trouble> {
        for frame in self.outgoing.drain(..) {
            let length = frame.bytes.len();
            let len = u16::try_from(length).map_err(|_| {
                let link = line.endpoint().name();
                Trouble(format!("link `{link}`: no frame has {length} bytes: 65535 are the most"))
            })?;
            line.send(now, &Packet { len, port: 0 }, &frame.bytes)?;
        }
        Ok(())
    }

    fn read(message: &Message<'_>) -> Result<EthernetFrame, Trouble> {
        let packet: Packet = message.upper()?;
        let mut bytes = vec![0; usize::from(packet.len)];
        message.payload(&mut bytes)?;
        Ok(EthernetFrame::new(bytes))
    }

    fn take(&mut self, _: u64, frame: EthernetFrame, _: &mut Line) -> Result<(), Trouble> {
        self.incoming.push(frame);
        Ok(())
    }

    fn has_news(&self) -> bool {
        !self.incoming.is_empty()
    }

    fn show(&mut self, out: &mut Outputs<'_>) {
        if let Some((_, received)) = self.ports {
            self.incoming.drain(..).for_each(|frame| out.send(received, frame));
        }
    }
}
