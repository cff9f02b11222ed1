//! The ports of a native computer: as many as its wiring names.

use ironbird_component::{PortDescription, ValueType};
use ironbird_devices::{BusReply, BusRequest, SerialByte};
use ironbird_kernel::{EventIn, EventOut, Inputs, Outputs, PortKind, Ports, SignalOut, Value};
use ironbird_native_shim::protocol::{Counters, Input};

use super::serial_line::SerialLine;
use super::transfers::Transfers;
use super::wiring::{LineKind, Wiring};
use crate::{Datagram, StreamBytes};

/// A line: what is sent, what comes.
enum LinePorts {
    Serial(EventOut<SerialByte>, EventIn<SerialByte>),
    Datagrams(EventOut<Datagram>, EventIn<Datagram>),
    Stream(EventOut<StreamBytes>, EventIn<StreamBytes>),
}

/// Handles of all ports.
pub struct AllPorts {
    buses: Vec<(EventOut<BusRequest>, EventIn<BusReply>)>,
    lines: Vec<LinePorts>,
    calls: SignalOut<u64>,
    clock_reads: SignalOut<u64>,
    switches: SignalOut<u64>,
    advances: SignalOut<u64>,
    transfers: SignalOut<u64>,
    lookahead: SignalOut<f64>,
    faults: SignalOut<u32>,
    steady: SignalOut<bool>,
}

/// What leaves a native computer. Numbers are places in the wiring.
#[derive(Clone, Debug)]
pub enum Outgoing {
    /// A transfer begins on a bus.
    Request(u32, BusRequest),
    /// A byte on a serial line.
    Byte(usize, SerialByte),
    /// A datagram.
    Datagram(usize, Datagram),
    /// Bytes of a connection.
    Bytes(usize, StreamBytes),
}

/// What a native computer says of itself from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Identity {
    /// A number made of its program's file. Every format of a recording holds 52 bits of it.
    pub program: u64,
    /// What a read of a clock takes, in s.
    pub clock_read: f64,
    /// What any other call takes, in s.
    pub call: f64,
    /// How late sleeps end, in s.
    pub timer_slack: f64,
    /// Reads of a clock in a row after which it jumps; 0 for never.
    pub spin_reads: u32,
}

/// What a native computer says of itself now and then.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// What the program has done so far.
    pub counters: Counters,
    /// Simulated time between two moments at which the program had nothing to do, in s, on average.
    pub lookahead: f64,
    /// Faults of the program.
    pub faults: u32,
    /// Whether its memory is the same in every run.
    pub is_steady: bool,
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

fn line_ports<T: Value>(name: &str) -> [PortDescription; 2] {
    [
        event_out::<T>(&format!("{name}.sent"), "What the program sends."),
        event_in::<T>(&format!("{name}.received"), "What comes for the program."),
    ]
}

/// What others can link to.
pub fn describe(wiring: &Wiring) -> Vec<PortDescription> {
    let mut ports = Vec::new();
    for bus in &wiring.buses {
        let name = bus.port();
        ports.push(event_out::<BusRequest>(&format!("{name}.request"), "Transfers begin."));
        ports.push(event_in::<BusReply>(&format!("{name}.reply"), "What the chips on it answer."));
    }
    for line in &wiring.lines {
        ports.extend(match line.kind {
            LineKind::Serial { .. } => line_ports::<SerialByte>(&line.port()),
            LineKind::Datagrams => line_ports::<Datagram>(&line.port()),
            LineKind::Stream => line_ports::<StreamBytes>(&line.port()),
        });
    }
    let seconds = || "s".parse().unwrap_or_else(|_| ironbird_component::LeafUnits::plain());
    ports.extend([
        signal_out::<u64>("calls", "Calls of the program that were answered in virtual time."),
        signal_out::<u64>("clock_reads", "Reads of its clocks."),
        signal_out::<u64>("switches", "Switches between its threads."),
        signal_out::<u64>(
            "advances",
            "How often its clock moved since no thread had anything to do.",
        ),
        signal_out::<u64>("transfers", "Its transfers on buses."),
        signal_out::<f64>("lookahead", "How far its clock moved then, on average.")
            .units(seconds()),
        signal_out::<u32>("faults", "Its faults: crashes, ends of its own, leaks."),
        signal_out::<bool>(
            "steady",
            "Whether memory that it never wrote is the same in every run.",
        ),
        signal_out::<u64>(
            "program",
            "A number of 52 bits made of all bytes of the program's file.",
        ),
        signal_out::<f64>("charge.clock_read", "What a read of a clock takes.").units(seconds()),
        signal_out::<f64>("charge.call", "What any other call takes.").units(seconds()),
        signal_out::<f64>("charge.timer_slack", "How late sleeps end.").units(seconds()),
        signal_out::<u32>(
            "charge.spin_reads",
            "Reads of a clock in a row after which it jumps; 0: it does not.",
        ),
    ]);
    ports
}

impl AllPorts {
    /// Declares them to the kernel.
    pub fn declare(wiring: &Wiring, identity: &Identity, ports: &mut Ports) -> Self {
        let buses = wiring.buses.iter().map(|bus| {
            let name = bus.port();
            let request = ports.event_out(&format!("{name}.request"));
            (request, ports.event_in(&format!("{name}.reply")))
        });
        let buses = buses.collect();
        let lines = wiring.lines.iter().map(|line| {
            let (sent, received) =
                (format!("{}.sent", line.port()), format!("{}.received", line.port()));
            match line.kind {
                LineKind::Serial { .. } => {
                    LinePorts::Serial(ports.event_out(&sent), ports.event_in(&received))
                }
                LineKind::Datagrams => {
                    LinePorts::Datagrams(ports.event_out(&sent), ports.event_in(&received))
                }
                LineKind::Stream => {
                    LinePorts::Stream(ports.event_out(&sent), ports.event_in(&received))
                }
            }
        });
        let lines = lines.collect();
        // They never change.
        let _: SignalOut<u64> = ports.signal_out("program", identity.program);
        let _: SignalOut<f64> = ports.signal_out("charge.clock_read", identity.clock_read);
        let _: SignalOut<f64> = ports.signal_out("charge.call", identity.call);
        let _: SignalOut<f64> = ports.signal_out("charge.timer_slack", identity.timer_slack);
        let _: SignalOut<u32> = ports.signal_out("charge.spin_reads", identity.spin_reads);
        AllPorts {
            buses,
            lines,
            calls: ports.signal_out("calls", 0),
            clock_reads: ports.signal_out("clock_reads", 0),
            switches: ports.signal_out("switches", 0),
            advances: ports.signal_out("advances", 0),
            transfers: ports.signal_out("transfers", 0),
            lookahead: ports.signal_out("lookahead", 0.0),
            faults: ports.signal_out("faults", 0),
            steady: ports.signal_out("steady", true),
        }
    }

    /// Takes what has come: answers of chips go to `transfers`, the rest to the program.
    pub fn take(
        &self,
        inputs: &Inputs<'_>,
        transfers: &mut Transfers,
        serial: &[Option<SerialLine>],
        to_program: &mut Vec<Input>,
    ) {
        for (bus, (_, reply)) in self.buses.iter().enumerate() {
            inputs.events(*reply).for_each(|reply| transfers.answer(bus as u32, reply));
        }
        for (number, line) in self.lines.iter().enumerate() {
            let port = number as u32;
            match line {
                LinePorts::Serial(_, received) => {
                    let baud = serial[number].as_ref().map_or(0, |line| line.baud);
                    // A byte of another rate is noise, which a driver throws away.
                    let heard = inputs.events(*received).filter(|byte| byte.is_readable_at(baud));
                    let bytes: Vec<u8> = heard.map(|byte| byte.byte).collect();
                    if !bytes.is_empty() {
                        to_program.push(Input::BytesIn { port, bytes });
                    }
                }
                LinePorts::Datagrams(_, received) => {
                    to_program.extend(inputs.events(*received).map(|datagram| {
                        let (from_port, bytes) = (datagram.remote_port, datagram.bytes.to_vec());
                        Input::DatagramIn { port, from_port, bytes }
                    }));
                }
                LinePorts::Stream(_, received) => {
                    let pieces = inputs.events(*received).filter(|piece| !piece.bytes.is_empty());
                    to_program.extend(
                        pieces.map(|piece| Input::BytesIn { port, bytes: piece.bytes.to_vec() }),
                    );
                }
            }
        }
    }

    /// Shows what goes out now.
    pub fn show(&self, outgoing: Outgoing, out: &mut Outputs<'_>) {
        match outgoing {
            Outgoing::Request(bus, request) => out.send(self.buses[bus as usize].0, request),
            Outgoing::Byte(line, byte) => {
                if let LinePorts::Serial(sent, _) = self.lines[line] {
                    out.send(sent, byte);
                }
            }
            Outgoing::Datagram(line, datagram) => {
                if let LinePorts::Datagrams(sent, _) = self.lines[line] {
                    out.send(sent, datagram);
                }
            }
            Outgoing::Bytes(line, bytes) => {
                if let LinePorts::Stream(sent, _) = self.lines[line] {
                    out.send(sent, bytes);
                }
            }
        }
    }

    /// Shows how the program does.
    pub fn show_status(&self, status: &Status, out: &mut Outputs<'_>) {
        let Counters { clock_reads, calls, switches, advances, transfers } = status.counters;
        out.write(self.calls, calls);
        out.write(self.clock_reads, clock_reads);
        out.write(self.switches, switches);
        out.write(self.advances, advances);
        out.write(self.transfers, transfers);
        out.write(self.lookahead, status.lookahead);
        out.write(self.faults, status.faults);
        out.write(self.steady, status.is_steady);
    }
}
