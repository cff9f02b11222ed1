//! The ports of a computer.

use ironbird_component::{LeafUnits, PortDescription, ValueType};
use ironbird_devices::{BusReply, BusRequest, Pulse, SerialByte};
use ironbird_kernel::{
    EventIn, EventOut, Inputs, Outputs, PortKind, Ports, SignalIn, SignalOut, Value,
};
use ironbird_network::EthernetFrame;

use super::report::Faults;
use super::{Computer, Status};
use crate::peripherals::{BUSES, CHANNELS, LINES, Outgoing, UARTS};

/// The temperature at which a clock is right, in K.
pub const ROOM_TEMPERATURE: f64 = 298.15;

/// A bus: what is asked, what is answered.
#[derive(Clone, Copy)]
struct Bus {
    request: EventOut<BusRequest>,
    reply: EventIn<BusReply>,
}

/// Handles of all ports.
pub struct AllPorts {
    spi: Vec<Bus>,
    i2c: Vec<Bus>,
    uart: Vec<(EventOut<SerialByte>, EventIn<SerialByte>)>,
    pins: Vec<(SignalOut<bool>, SignalIn<bool>)>,
    pwm: Vec<EventOut<Pulse>>,
    nic: (EventOut<EthernetFrame>, EventIn<EthernetFrame>),
    temperature: SignalIn<f64>,
    busy: SignalOut<f64>,
    instructions: SignalOut<u64>,
    cycles: SignalOut<u64>,
    registers: SignalOut<u64>,
    resets: SignalOut<u32>,
    faults: SignalOut<u32>,
}

fn event_in<T: Value>(name: &str, doc: &str) -> PortDescription {
    PortDescription::input(name, PortKind::Event, ValueType::of::<T>()).doc(doc)
}

fn event_out<T: Value>(name: &str, doc: &str) -> PortDescription {
    PortDescription::output(name, PortKind::Event, ValueType::of::<T>()).doc(doc)
}

fn signal_out<T: Value>(name: &str, doc: &str) -> PortDescription {
    PortDescription::output(name, PortKind::Signal, ValueType::of::<T>()).doc(doc)
}

/// What others can link to.
pub fn describe() -> Vec<PortDescription> {
    let mut ports = Vec::new();
    for (kind, bus) in [("spi", "SPI"), ("i2c", "I2C")] {
        for number in 0..BUSES {
            let request = format!("{kind}[{number}].request");
            let reply = format!("{kind}[{number}].reply");
            ports.push(event_out::<BusRequest>(&request, &format!("Transfers on {bus} begin.")));
            ports.push(event_in::<BusReply>(&reply, "What the chips on it answer."));
        }
    }
    for number in 0..UARTS {
        let name = |way| format!("uart[{number}].{way}");
        ports.push(event_out::<SerialByte>(&name("sent"), "Bytes that it sends."));
        ports.push(event_in::<SerialByte>(&name("received"), "Bytes that come."));
    }
    for number in 0..LINES {
        ports.push(signal_out::<bool>(&format!("pin_out[{number}]"), "Level of an output line."));
        let bool_type = ValueType::of::<bool>();
        let pin = PortDescription::input(&format!("pin_in[{number}]"), PortKind::Signal, bool_type);
        ports.push(pin.optional().waking().doc("Level of an input line."));
    }
    for number in 0..CHANNELS {
        ports.push(event_out::<Pulse>(&format!("pwm[{number}]"), "Pulses, each when it ends."));
    }
    ports.push(event_out::<EthernetFrame>("nic.sent", "Frames that it sends."));
    ports.push(event_in::<EthernetFrame>("nic.received", "Frames that come."));
    let kelvin = "K".parse().unwrap_or_else(|_| LeafUnits::plain());
    let temperature =
        PortDescription::input("temperature", PortKind::Signal, ValueType::of::<f64>());
    let doc = "Temperature of its clock; 25 degC where it is not linked.";
    ports.push(temperature.units(kelvin).optional().waking().doc(doc));
    ports.extend([
        signal_out::<f64>("busy", "Share of the time in which it executes, since the last status."),
        signal_out::<u64>("instructions", "Instructions that it has executed."),
        signal_out::<u64>("cycles", "Cycles of its clock."),
        signal_out::<u64>("registers", "A number made of all registers of the processor."),
        signal_out::<u32>("resets", "How often it began anew."),
        signal_out::<u32>("faults", "Faults of its software: exceptions that no program wants."),
    ]);
    ports
}

impl AllPorts {
    /// Declares them to the kernel.
    pub fn declare(ports: &mut Ports) -> Self {
        let mut bus = |kind: &str, number: usize| Bus {
            request: ports.event_out(&format!("{kind}[{number}].request")),
            reply: ports.event_in(&format!("{kind}[{number}].reply")),
        };
        let spi = (0..BUSES).map(|number| bus("spi", number)).collect();
        let i2c = (0..BUSES).map(|number| bus("i2c", number)).collect();
        let uart = (0..UARTS).map(|number| {
            let name = |way| format!("uart[{number}].{way}");
            (ports.event_out(&name("sent")), ports.event_in(&name("received")))
        });
        let uart = uart.collect();
        let pins = (0..LINES).map(|number| {
            let out = ports.signal_out(&format!("pin_out[{number}]"), false);
            (out, ports.waking_signal_in_or(&format!("pin_in[{number}]"), false))
        });
        let pins = pins.collect();
        let pwm = (0..CHANNELS).map(|number| ports.event_out(&format!("pwm[{number}]"))).collect();
        AllPorts {
            spi,
            i2c,
            uart,
            pins,
            pwm,
            nic: (ports.event_out("nic.sent"), ports.event_in("nic.received")),
            temperature: ports.waking_signal_in_or("temperature", ROOM_TEMPERATURE),
            busy: ports.signal_out("busy", 0.0),
            instructions: ports.signal_out("instructions", 0),
            cycles: ports.signal_out("cycles", 0),
            registers: ports.signal_out("registers", 0),
            resets: ports.signal_out("resets", 0),
            faults: ports.signal_out("faults", 0),
        }
    }

    /// Gives the computer what has come. A new temperature is returned.
    pub fn take(&self, computer: &mut Computer, inputs: &Inputs<'_>) -> Option<f64> {
        computer.receive(|peripherals| {
            for (number, bus) in self.spi.iter().enumerate() {
                inputs.events(bus.reply).for_each(|reply| peripherals.answer_spi(number, reply));
            }
            for (number, bus) in self.i2c.iter().enumerate() {
                inputs.events(bus.reply).for_each(|reply| peripherals.answer_i2c(number, reply));
            }
            for (number, (_, line)) in self.uart.iter().enumerate() {
                inputs.events(*line).for_each(|byte| peripherals.receive_byte(number, *byte));
            }
            for (number, (_, pin)) in self.pins.iter().enumerate() {
                if inputs.is_written(*pin) {
                    peripherals.set_pin(number, *inputs.signal(*pin));
                }
            }
            inputs.events(self.nic.1).for_each(|frame| peripherals.receive_frame(frame));
        });
        inputs.is_written(self.temperature).then(|| *inputs.signal(self.temperature))
    }

    /// Shows what goes out now.
    pub fn show(&self, computer: &mut Computer, faults: &Faults, out: &mut Outputs<'_>) {
        let (outbox, status) = computer.take_output();
        for outgoing in outbox {
            match outgoing {
                Outgoing::Serial(number, byte) => out.send(self.uart[number].0, byte),
                Outgoing::Spi(number, request) => out.send(self.spi[number].request, request),
                Outgoing::I2c(number, request) => out.send(self.i2c[number].request, request),
                Outgoing::Pulse(number, pulse) => out.send(self.pwm[number], pulse),
                Outgoing::Frame(frame) => out.send(self.nic.0, frame),
                Outgoing::Pins(levels) => {
                    for (number, (pin, _)) in self.pins.iter().enumerate() {
                        out.write(*pin, levels >> number & 1 != 0);
                    }
                }
            }
        }
        if let Some(Status { busy, instructions, cycles, registers, resets }) = status {
            out.write(self.busy, busy);
            out.write(self.instructions, instructions);
            out.write(self.cycles, cycles);
            out.write(self.registers, registers);
            out.write(self.resets, resets);
            out.write(self.faults, faults.count());
        }
    }
}
