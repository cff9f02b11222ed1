//! A chip as a component.

use std::sync::Arc;

use ironbird_component::{
    Component, Description, Given, InstantiateError, Interface, Kind, LeafUnits, Made, Parameters,
    Place, PortDescription, Settings, ValueType,
};
use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Inputs, LoadError, Model, Outputs, Parameter,
    ParameterError, Payload, PortKind, Ports, RandomIn, SaveError, SignalOut, Start, StateReader,
    StateWriter, Time,
};

use super::fault::{Chance, flip_bits};
use super::quantity::{Input, carried};
use super::{
    Answer, BusKind, Device, DeviceParameters, Fault, FaultMode, Line, Moment, Quantity, Transfer,
};
use crate::{BusReply, BusRequest, Pulse, SerialByte};

/// The component of a chip. It answers in the instant in which it is asked.
pub struct Wired<D: Device> {
    device: D,
    parameters: D::Parameters,
    chance: Chance,
    /// The fault that it had at the last transition.
    fault: FaultMode,
    /// The last transition.
    now: Time,
    /// Parameters have changed: what it shows may be another.
    reconsiders: bool,
    /// What the outputs show.
    shown: Vec<f64>,
    /// What leaves in this instant; none of it is ever saved.
    replies: Vec<BusReply>,
    sent: Option<SerialByte>,
    pulses: Vec<(usize, Pulse)>,
    news: bool,
    handles: Option<Handles>,
    buffer: Vec<u8>,
}

struct Handles {
    request: Option<EventIn<BusRequest>>,
    reply: Option<EventOut<BusReply>>,
    received: Option<EventIn<SerialByte>>,
    sent: Option<EventOut<SerialByte>>,
    pulse: Option<EventIn<Pulse>>,
    channels: Vec<EventOut<Pulse>>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    noise: RandomIn,
    faults: RandomIn,
}

#[derive(Clone, Copy)]
enum Output {
    Number(SignalOut<f64>),
    Flag(SignalOut<bool>),
}

/// Borrows of a component that a device needs at once.
macro_rules! moment {
    ($self:ident, $random:expr) => {
        &mut Moment {
            now: $self.now,
            parameters: &$self.parameters,
            random: $random,
            fault: $self.fault,
        }
    };
}

impl<D: Device> Wired<D> {
    fn new(parameters: D::Parameters) -> Self {
        Wired {
            device: D::default(),
            parameters,
            chance: Chance::default(),
            fault: FaultMode::None,
            now: Time::ZERO,
            reconsiders: false,
            shown: vec![0.0; D::SHOWS.len()],
            replies: Vec::new(),
            sent: None,
            pulses: Vec::new(),
            news: false,
            handles: None,
            buffer: Vec::new(),
        }
    }

    fn check(parameters: &D::Parameters) -> Result<(), String> {
        parameters.fault().check(D::FAULTS)?;
        parameters.check()
    }

    fn handles(&self) -> &Handles {
        self.handles.as_ref().unwrap_or_else(|| unreachable!("ports are declared first"))
    }

    /// Does what nobody has noticed since the last transition, up to this one.
    fn catch_up(&mut self, context: &mut Context<'_>) {
        let (noise, until) = (self.handles().noise, context.now());
        loop {
            let next = self.device.next_event();
            if next >= until.min(self.device.next_visible_event()) {
                return;
            }
            self.now = next;
            let sent = self.device.act(moment!(self, context.random(noise)));
            debug_assert!(sent.is_none(), "a byte would have been noticed");
        }
    }

    fn begin_transition(&mut self, context: &mut Context<'_>) {
        self.catch_up(context);
        self.now = context.now();
        self.reconsiders = false;
        let random = context.random(self.handles().faults);
        self.fault = self.chance.present(self.now, self.parameters.fault(), random);
    }

    fn act_if_due(&mut self, context: &mut Context<'_>) {
        if self.device.next_event() > self.now {
            return;
        }
        let (noise, faults) = (self.handles().noise, self.handles().faults);
        let sent = self.device.act(moment!(self, context.random(noise)));
        self.sent = sent.filter(|_| self.fault != FaultMode::Dead);
        if D::PULSES > 0 {
            self.pulses = self.device.take_pulses();
            if self.fault == FaultMode::Dead {
                self.pulses.clear();
            }
        }
        if let (Some(sent), FaultMode::BitFlips) = (&mut self.sent, self.fault) {
            let probability = self.parameters.fault().probability;
            flip_bits(std::slice::from_mut(&mut sent.byte), probability, context.random(faults));
        }
    }

    fn take_readings(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        let noise = self.handles().noise;
        for (index, quantity) in D::MEASURES.iter().enumerate() {
            if let Some(values) = self.handles().inputs[index].written(inputs) {
                let values = rounded(&self.parameters, *quantity, values);
                self.device.reading(moment!(self, context.random(noise)), *quantity, values);
            }
        }
    }

    fn answer(&mut self, context: &mut Context<'_>, request: &BusRequest) {
        let bus = self.parameters.bus();
        let transfer = Transfer {
            bus,
            chip: request.chip,
            written: &request.written,
            read: request.read as usize,
        };
        self.buffer.clear();
        let (noise, faults) = (self.handles().noise, self.handles().faults);
        let answer = match (self.fault, bus) {
            (FaultMode::Dead, _) | (FaultMode::Nack, BusKind::Spi) => return,
            _ => self.device.transfer(
                moment!(self, context.random(noise)),
                &transfer,
                &mut self.buffer,
            ),
        };
        let acknowledged = match (answer, self.fault) {
            (Answer::NotMeant, _) => return,
            (Answer::Refused, _) | (_, FaultMode::Nack) => false,
            (Answer::Taken, _) => true,
        };
        if self.fault == FaultMode::BitFlips {
            let probability = self.parameters.fault().probability;
            flip_bits(&mut self.buffer, probability, context.random(faults));
        }
        let length = match bus {
            BusKind::Spi => request.written.len(),
            BusKind::I2c => request.read as usize,
        };
        // Nobody drives the line where a chip says nothing.
        self.buffer.resize(length, 0xFF);
        if !acknowledged {
            self.buffer.fill(0xFF);
        }
        let read = Payload::new(self.buffer.as_slice());
        self.replies.push(BusReply { transfer: request.transfer, acknowledged, read });
    }

    /// Finds out which outputs have another value now.
    fn look_at_outputs(&mut self) {
        if self.fault == FaultMode::Stuck && D::LINE == Line::Pulses {
            return;
        }
        for (index, shown) in self.shown.iter_mut().enumerate() {
            let value = self.device.show(&self.parameters, self.fault, index);
            if value.to_bits() != shown.to_bits() {
                *shown = value;
                self.news = true;
            }
        }
    }
}

/// The port of a line on which a chip sends pulses.
fn channel_name(number: usize) -> String {
    format!("channel[{number}]")
}

/// What the chip gets of the physical world.
fn rounded<P: DeviceParameters>(parameters: &P, quantity: Quantity, values: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|part| carried(values[part], parameters.factor(quantity, part)))
}

impl<D: Device> Model for Wired<D> {
    fn ports(&mut self, ports: &mut Ports) {
        let (is_bus, is_serial) = (D::LINE == Line::Bus, D::LINE == Line::Serial);
        let outputs = D::SHOWS.iter().map(|shown| (shown.name, shown.unit.is_some()));
        self.handles = Some(Handles {
            request: is_bus.then(|| ports.event_in("request")),
            received: is_serial.then(|| ports.event_in("received")),
            pulse: (D::LINE == Line::Pulses).then(|| ports.event_in("pulse")),
            inputs: D::MEASURES.iter().map(|quantity| Input::declare(ports, *quantity)).collect(),
            reply: is_bus.then(|| ports.event_out("reply")),
            sent: is_serial.then(|| ports.event_out("sent")),
            channels: (0..D::PULSES).map(|n| ports.event_out(&channel_name(n))).collect(),
            outputs: outputs
                .map(|(name, is_number)| match is_number {
                    true => Output::Number(ports.signal_out(name, 0.0)),
                    false => Output::Flag(ports.signal_out(name, false)),
                })
                .collect(),
            noise: ports.random("noise"),
            faults: ports.random("faults"),
        });
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        self.now = start.now();
        let (noise, faults) = (self.handles().noise, self.handles().faults);
        self.fault = self.chance.present(self.now, self.parameters.fault(), start.random(faults));
        self.device.start(moment!(self, start.random(noise)));
        for (index, quantity) in D::MEASURES.iter().enumerate() {
            let Some(values) = self.handles().inputs[index].at_start(start) else { continue };
            let values = rounded(&self.parameters, *quantity, values);
            self.device.reading(moment!(self, start.random(noise)), *quantity, values);
        }
        self.look_at_outputs();
        self.news = false;
        for (index, value) in self.shown.iter().enumerate() {
            match self.handles().outputs[index] {
                Output::Number(port) => start.write(port, *value),
                Output::Flag(port) => start.write(port, *value != 0.0),
            }
        }
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        self.parameters.set(name, &value)?;
        Self::check(&self.parameters).map_err(|expected| ParameterError::Invalid {
            name: name.into(),
            value,
            expected,
        })?;
        self.reconsiders = true;
        Ok(())
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        self.parameters.save(state)?;
        state.put(&self.device)?;
        state.put(&self.chance)?;
        state.put(&self.now)?;
        state.put(&self.reconsiders)?;
        state.put(&self.shown)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.parameters.load(state)?;
        self.device = state.get()?;
        self.chance = state.get()?;
        self.now = state.get()?;
        self.reconsiders = state.get()?;
        self.shown = state.get()?;
        self.replies.clear();
        (self.sent, self.news) = (None, false);
        self.pulses.clear();
        Ok(())
    }
}

impl<D: Device> Atomic for Wired<D> {
    fn time_advance(&self) -> Duration {
        let is_silent = self.replies.is_empty() && self.sent.is_none() && self.pulses.is_empty();
        let waits = is_silent && !self.news;
        match waits && !self.reconsiders {
            true => {
                let visible = self.device.next_visible_event();
                visible.min(self.chance.next()).since(self.now)
            }
            false => Duration::ZERO,
        }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        let Some(handles) = &self.handles else { return };
        if let Some(port) = handles.reply {
            self.replies.drain(..).for_each(|reply| out.send(port, reply));
        }
        if let (Some(port), Some(byte)) = (handles.sent, self.sent.take()) {
            out.send(port, byte);
        }
        for (channel, pulse) in self.pulses.drain(..) {
            out.send(handles.channels[channel], pulse);
        }
        if std::mem::take(&mut self.news) {
            for (value, output) in self.shown.iter().zip(&handles.outputs) {
                match output {
                    Output::Number(port) => out.write(*port, *value),
                    Output::Flag(port) => out.write(*port, *value != 0.0),
                }
            }
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.begin_transition(context);
        self.act_if_due(context);
        self.look_at_outputs();
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.begin_transition(context);
        if self.device.next_visible_event() > self.now {
            self.act_if_due(context);
        }
        self.take_readings(context, inputs);
        let noise = self.handles().noise;
        if let Some(port) = self.handles().request {
            for request in inputs.events(port) {
                self.answer(context, request);
            }
        }
        if let Some(port) = self.handles().received {
            for byte in inputs.events(port) {
                self.device.byte(moment!(self, context.random(noise)), *byte);
            }
        }
        if let Some(port) = self.handles().pulse {
            for pulse in inputs.events(port) {
                self.device.pulse(moment!(self, context.random(noise)), *pulse);
            }
        }
        self.look_at_outputs();
    }
}

impl<D: Device> Component for Wired<D> {
    fn description() -> Description {
        let event_in = |name, value, doc| {
            PortDescription::input(name, PortKind::Event, value).doc(doc).waking()
        };
        let event_out =
            |name: &str, value, doc| PortDescription::output(name, PortKind::Event, value).doc(doc);
        let (bus_request, bus_reply) = (ValueType::of::<BusRequest>(), ValueType::of::<BusReply>());
        let (byte, pulse) = (ValueType::of::<SerialByte>(), ValueType::of::<Pulse>());
        let mut ports = match D::LINE {
            Line::Bus => vec![
                event_in("request", bus_request, "Transfers on its bus."),
                event_out("reply", bus_reply, "Its answers to those that are meant for it."),
            ],
            Line::Serial => vec![
                event_in("received", byte, "Bytes that its host sends."),
                event_out("sent", byte, "Bytes that it sends."),
            ],
            Line::Pulses => vec![event_in("pulse", pulse, "Pulses: its command.")],
        };
        ports.extend(
            (0..D::PULSES).map(|number| {
                event_out(&channel_name(number), pulse, "Pulses, each when it ends.")
            }),
        );
        ports.extend(D::MEASURES.iter().map(|quantity| quantity.describe()));
        ports.extend(D::SHOWS.iter().map(|shown| {
            let value = match shown.unit {
                Some(_) => ValueType::of::<f64>(),
                None => ValueType::of::<bool>(),
            };
            let port = PortDescription::output(shown.name, PortKind::Signal, value).doc(shown.doc);
            let units = shown.unit.and_then(|unit| unit.parse().ok());
            port.units(units.unwrap_or_else(LeafUnits::plain))
        }));
        let mut description = Description::new(D::TYPE, Kind::EventDriven, D::DOC);
        description.parameters = Fault::restrict(D::Parameters::describe(), D::FAULTS);
        description.interface = Some(Arc::new(Interface { ports, ..Interface::default() }));
        description
    }

    fn make(settings: &Settings, place: &Place<'_>) -> Result<Made, InstantiateError> {
        let parameters = D::Parameters::read(&Given::new(settings, place))?;
        Self::check(&parameters).map_err(InstantiateError::general)?;
        Ok(Made::event_driven(Wired::<D>::new(parameters)))
    }
}
