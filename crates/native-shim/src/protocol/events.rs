//! What happens to a program, and what it does.

use super::wire::{DecodeError, Reader, Write};

/// What happens to the program at the `now` of a resume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A bus transfer is answered. Its thread goes on at `ends`, the end of wire time.
    BusReply {
        /// Which transfer.
        transfer: u32,
        /// Whether the chip acknowledged its address and every byte.
        acknowledged: bool,
        /// What was read.
        read: Vec<u8>,
        /// When the last bit is over.
        ends: u64,
    },
    /// Bytes arrive at a serial port or a connection.
    BytesIn {
        /// Index of the port.
        port: u32,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A datagram arrives.
    DatagramIn {
        /// Index of the port.
        port: u32,
        /// The sender's network port.
        from_port: u16,
        /// What it carries.
        bytes: Vec<u8>,
    },
    /// Somebody connects to a listening port, or a connection that the program asked for stands.
    Connected {
        /// Index of the port.
        port: u32,
    },
    /// The other side closed the connection, or refused it.
    Disconnected {
        /// Index of the port.
        port: u32,
    },
    /// A signal for the process.
    Signal {
        /// Its number.
        number: u8,
    },
    /// Fork: the copy continues from this instant, and talks to the host over the named transport, spelt as in
    /// [`TRANSPORT_VARIABLE`](super::TRANSPORT_VARIABLE) with a path (`/proc/PID/fd/N` of the host, for one). It begins
    /// with a [`Hello`](super::Hello), so in shared memory the first turn is the program's. Its process is a sibling of
    /// the program's, in a group of its own. Only coroutines can be copied.
    Snapshot {
        /// The transport of the copy.
        transport: String,
        /// The folder of the copy, which must hold all that the program's working folder holds. Where it is empty both
        /// work in one, and share their positions in files.
        folder: String,
        /// A file for what the copy prints; where it is empty both print to one.
        output: String,
    },
    /// Report the counters with the next yield.
    AskCounters,
    /// End the program now. Its exit handlers do not run.
    Stop,
}

/// What the program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A bus transfer begins.
    BusRequest {
        /// Which transfer of this program; the reply repeats it.
        transfer: u32,
        /// Index of the bus.
        bus: u32,
        /// Select line (SPI) or address (I2C).
        chip: u8,
        /// Clock of the bus in Hz; 0 where the program does not say.
        clock: u32,
        /// What is written.
        written: Vec<u8>,
        /// How many bytes are to be read after that (I2C).
        read: u32,
    },
    /// Bytes leave by a serial port or a connection.
    BytesOut {
        /// Index of the port.
        port: u32,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A datagram leaves.
    DatagramOut {
        /// Index of the port.
        port: u32,
        /// The network port that it goes to.
        to_port: u16,
        /// What it carries.
        bytes: Vec<u8>,
    },
    /// The program connects and waits for [`Input::Connected`] or [`Input::Disconnected`].
    Connect {
        /// Index of the port.
        port: u32,
    },
    /// The program listens.
    Listen {
        /// Index of the port.
        port: u32,
    },
    /// The program closed a connection.
    Closed {
        /// Index of the port.
        port: u32,
    },
    /// The program opened a device for the first time.
    Opened {
        /// Its index in the list of the setup.
        device: u32,
    },
    /// The program writes a file outside of its folder for the first time: it stays when the run is over.
    WroteOutside {
        /// The file.
        path: String,
    },
    /// The program set the speed of a serial port.
    Speed {
        /// Index of the port.
        port: u32,
        /// Bits per second.
        baud: u32,
    },
    /// The answer to a snapshot.
    Forked {
        /// The process of the copy.
        pid: u32,
    },
    /// The program ended by itself.
    Exited {
        /// Its status.
        code: i32,
    },
    /// The program was ended by a fault of its own.
    Crashed {
        /// The signal.
        signal: u8,
        /// The thread's name.
        thread: String,
        /// Where it was.
        address: u64,
        /// The function that is there, with its library; empty if nobody knows.
        symbol: String,
    },
    /// A call escaped the shim, or asked for something that has no virtual counterpart.
    Leaked {
        /// What leaked.
        what: String,
        /// Where: symbol and address.
        place: String,
        /// The thread's name.
        thread: String,
        /// What can be done.
        advice: String,
    },
    /// No thread can ever go on.
    Deadlock {
        /// Who waits for whom, a line for each thread.
        text: String,
    },
    /// What was counted so far: on request, and with the last yield.
    Counters(Counters),
}

/// What the shim counts from the start of the program on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Reads of any clock.
    pub clock_reads: u64,
    /// All other intercepted calls.
    pub calls: u64,
    /// Switches from one thread to another.
    pub switches: u64,
    /// Times that the clock moved to a deadline because nobody was runnable.
    pub advances: u64,
    /// Bus transfers.
    pub transfers: u64,
}

impl Input {
    pub(super) fn put(&self, to: &mut Vec<u8>) {
        match self {
            Self::BusReply { transfer, acknowledged, read, ends } => {
                to.put_u8(0);
                to.put_u32(*transfer);
                to.put_bool(*acknowledged);
                to.put_bytes(read);
                to.put_u64(*ends);
            }
            Self::BytesIn { port, bytes } => {
                to.put_u8(1);
                to.put_u32(*port);
                to.put_bytes(bytes);
            }
            Self::DatagramIn { port, from_port, bytes } => {
                to.put_u8(2);
                to.put_u32(*port);
                to.put_u16(*from_port);
                to.put_bytes(bytes);
            }
            Self::Connected { port } => {
                to.put_u8(3);
                to.put_u32(*port);
            }
            Self::Disconnected { port } => {
                to.put_u8(4);
                to.put_u32(*port);
            }
            Self::Signal { number } => {
                to.put_u8(5);
                to.put_u8(*number);
            }
            Self::Snapshot { transport, folder, output } => {
                to.put_u8(6);
                to.put_text(transport);
                to.put_text(folder);
                to.put_text(output);
            }
            Self::AskCounters => to.put_u8(7),
            Self::Stop => to.put_u8(8),
        }
    }

    pub(super) fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match from.u8("input")? {
            0 => Self::BusReply {
                transfer: from.u32("transfer")?,
                acknowledged: from.bool("acknowledged")?,
                read: from.bytes("read")?,
                ends: from.u64("ends")?,
            },
            1 => Self::BytesIn { port: from.u32("port")?, bytes: from.bytes("bytes")? },
            2 => Self::DatagramIn {
                port: from.u32("port")?,
                from_port: from.u16("from_port")?,
                bytes: from.bytes("bytes")?,
            },
            3 => Self::Connected { port: from.u32("port")? },
            4 => Self::Disconnected { port: from.u32("port")? },
            5 => Self::Signal { number: from.u8("signal")? },
            6 => Self::Snapshot {
                transport: from.text("transport")?,
                folder: from.text("folder")?,
                output: from.text("output")?,
            },
            7 => Self::AskCounters,
            8 => Self::Stop,
            found => return Err(DecodeError::Unknown { field: "input", found }),
        })
    }
}

impl Output {
    pub(super) fn put(&self, to: &mut Vec<u8>) {
        match self {
            Self::BusRequest { transfer, bus, chip, clock, written, read } => {
                to.put_u8(0);
                to.put_u32(*transfer);
                to.put_u32(*bus);
                to.put_u8(*chip);
                to.put_u32(*clock);
                to.put_bytes(written);
                to.put_u32(*read);
            }
            Self::BytesOut { port, bytes } => {
                to.put_u8(1);
                to.put_u32(*port);
                to.put_bytes(bytes);
            }
            Self::DatagramOut { port, to_port, bytes } => {
                to.put_u8(2);
                to.put_u32(*port);
                to.put_u16(*to_port);
                to.put_bytes(bytes);
            }
            Self::Connect { port } => {
                to.put_u8(3);
                to.put_u32(*port);
            }
            Self::Listen { port } => {
                to.put_u8(4);
                to.put_u32(*port);
            }
            Self::Closed { port } => {
                to.put_u8(5);
                to.put_u32(*port);
            }
            Self::Opened { device } => {
                to.put_u8(6);
                to.put_u32(*device);
            }
            Self::Speed { port, baud } => {
                to.put_u8(7);
                to.put_u32(*port);
                to.put_u32(*baud);
            }
            Self::Forked { pid } => {
                to.put_u8(8);
                to.put_u32(*pid);
            }
            Self::Exited { code } => {
                to.put_u8(9);
                to.put_i32(*code);
            }
            Self::Crashed { signal, thread, address, symbol } => {
                to.put_u8(10);
                to.put_u8(*signal);
                to.put_text(thread);
                to.put_u64(*address);
                to.put_text(symbol);
            }
            Self::Leaked { what, place, thread, advice } => {
                to.put_u8(11);
                to.put_text(what);
                to.put_text(place);
                to.put_text(thread);
                to.put_text(advice);
            }
            Self::Deadlock { text } => {
                to.put_u8(12);
                to.put_text(text);
            }
            Self::Counters(counters) => {
                to.put_u8(13);
                to.put_u64(counters.clock_reads);
                to.put_u64(counters.calls);
                to.put_u64(counters.switches);
                to.put_u64(counters.advances);
                to.put_u64(counters.transfers);
            }
            Self::WroteOutside { path } => {
                to.put_u8(14);
                to.put_text(path);
            }
        }
    }

    pub(super) fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match from.u8("output")? {
            0 => Self::BusRequest {
                transfer: from.u32("transfer")?,
                bus: from.u32("bus")?,
                chip: from.u8("chip")?,
                clock: from.u32("clock")?,
                written: from.bytes("written")?,
                read: from.u32("read")?,
            },
            1 => Self::BytesOut { port: from.u32("port")?, bytes: from.bytes("bytes")? },
            2 => Self::DatagramOut {
                port: from.u32("port")?,
                to_port: from.u16("to_port")?,
                bytes: from.bytes("bytes")?,
            },
            3 => Self::Connect { port: from.u32("port")? },
            4 => Self::Listen { port: from.u32("port")? },
            5 => Self::Closed { port: from.u32("port")? },
            6 => Self::Opened { device: from.u32("device")? },
            7 => Self::Speed { port: from.u32("port")?, baud: from.u32("baud")? },
            8 => Self::Forked { pid: from.u32("pid")? },
            9 => Self::Exited { code: from.i32("code")? },
            10 => Self::Crashed {
                signal: from.u8("signal")?,
                thread: from.text("thread")?,
                address: from.u64("address")?,
                symbol: from.text("symbol")?,
            },
            11 => Self::Leaked {
                what: from.text("what")?,
                place: from.text("place")?,
                thread: from.text("thread")?,
                advice: from.text("advice")?,
            },
            12 => Self::Deadlock { text: from.text("text")? },
            13 => Self::Counters(Counters {
                clock_reads: from.u64("clock_reads")?,
                calls: from.u64("calls")?,
                switches: from.u64("switches")?,
                advances: from.u64("advances")?,
                transfers: from.u64("transfers")?,
            }),
            14 => Self::WroteOutside { path: from.text("path")? },
            found => return Err(DecodeError::Unknown { field: "output", found }),
        })
    }
}
