//! What a program is told before its `main` begins.

use super::wire::{DecodeError, Reader, Write};

/// How threads are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// Threads as coroutines on one kernel thread, each with the thread-local storage of a pthread. Needs
    /// FSGSBASE and `PR_GET_TID_ADDRESS`; where one is missing the shim takes kernel threads and says so in its hello.
    #[default]
    Coroutines,
    /// Kernel threads that hand a token to each other.
    KernelThreads,
}

/// After `reads` clock reads in a row with no other call, the clock jumps to the next event, but at most this far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpinRule {
    /// How many clock reads make a spin.
    pub reads: u32,
    /// The longest jump, in picoseconds.
    pub at_most: u64,
}

/// What happens to traffic with addresses that no [`Socket`] names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Networks {
    /// Connections are refused and datagrams fail with "network is unreachable".
    #[default]
    Refuse,
    /// Connections never complete and datagrams vanish.
    Silent,
}

/// Whether the program may start other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Children {
    /// The run ends.
    #[default]
    Refused,
    /// They run in wall time while the program's time stands still, until all of them wait for the program.
    Helpers {
        /// How long they may take until then, in milliseconds of wall time; after that the run ends.
        patience_ms: u64,
    },
}

/// A path that the program opens and that is not a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// The path as the program spells it.
    pub path: String,
    /// What stands there.
    pub kind: DeviceKind,
}

/// What stands at the path of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// `/dev/spidevB.C`: a chip on an SPI bus.
    Spi {
        /// Index of the bus, as in the bus requests.
        bus: u32,
        /// The chip's select line.
        chip: u8,
    },
    /// `/dev/i2c-B`: an I2C bus.
    I2c {
        /// Index of the bus.
        bus: u32,
    },
    /// A serial port.
    Serial {
        /// Index of the port, as in the events with bytes.
        port: u32,
        /// Bits per second until the program sets others. The host's line begins with the same.
        baud: u32,
    },
    /// A seeded source of random bytes. `/dev/random` and `/dev/urandom` are always one.
    Random,
    /// Nothing: opening it fails with "no such device".
    Refused,
}

/// An end point of the network that leads to the host. Addresses are not looked at, only ports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Socket {
    /// Index of the port, as in the events; one numbering with the serial ports.
    pub port: u32,
    /// Which of the program's sockets it is.
    pub kind: SocketKind,
}

/// Which of the program's sockets leads to the host. A port of 0 stands for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SocketKind {
    /// The datagram socket that is bound to `local`, or the one that sends to `remote`.
    Datagram {
        /// The program's port.
        local: u16,
        /// The other side's port.
        remote: u16,
    },
    /// A stream socket that listens. One connection at a time.
    Listen {
        /// The program's port.
        local: u16,
    },
    /// A stream socket that connects.
    Connect {
        /// The other side's port.
        remote: u16,
    },
}

/// Everything that a program's run depends on, apart from its files and its inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// How threads are made.
    pub backend: Backend,
    /// What reading a clock costs, in picoseconds.
    pub clock_read_charge: u64,
    /// What any other call costs, in picoseconds.
    pub call_charge: u64,
    /// How much later than asked a sleep of a thread without real-time priority ends, in picoseconds.
    pub timer_slack: u64,
    /// `CLOCK_REALTIME` at virtual time 0, in nanoseconds since 1970.
    pub realtime_epoch_ns: u64,
    /// `CLOCK_MONOTONIC` at virtual time 0, in picoseconds.
    pub monotonic_start: u64,
    /// Real time at which the run began, in nanoseconds since 1970: files that are younger belong to it.
    pub begun_ns: u64,
    /// Seed of all random bytes.
    pub seed: u64,
    /// Jump over spinning on the clock, or not.
    pub spin: Option<SpinRule>,
    /// What traffic that leads nowhere meets.
    pub networks: Networks,
    /// Whether calls that escape the shim end the run.
    pub leak_net: bool,
    /// Whether it may start other programs.
    pub children: Children,
    /// The folder that the program runs in; empty for the one it was started in.
    pub folder: String,
    /// Paths that are devices.
    pub devices: Vec<Device>,
    /// Sockets that lead to the host.
    pub sockets: Vec<Socket>,
}

impl Setup {
    pub(super) fn put(&self, to: &mut Vec<u8>) {
        put_backend(self.backend, to);
        to.put_u64(self.clock_read_charge);
        to.put_u64(self.call_charge);
        to.put_u64(self.timer_slack);
        to.put_u64(self.realtime_epoch_ns);
        to.put_u64(self.monotonic_start);
        to.put_u64(self.begun_ns);
        to.put_u64(self.seed);
        match self.spin {
            None => to.put_bool(false),
            Some(rule) => {
                to.put_bool(true);
                to.put_u32(rule.reads);
                to.put_u64(rule.at_most);
            }
        }
        to.put_u8(match self.networks {
            Networks::Refuse => 0,
            Networks::Silent => 1,
        });
        to.put_bool(self.leak_net);
        match self.children {
            Children::Refused => to.put_u8(0),
            Children::Helpers { patience_ms } => {
                to.put_u8(1);
                to.put_u64(patience_ms);
            }
        }
        to.put_text(&self.folder);
        to.put_count(self.devices.len());
        for device in &self.devices {
            device.put(to);
        }
        to.put_count(self.sockets.len());
        for socket in &self.sockets {
            socket.put(to);
        }
    }

    pub(super) fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            backend: get_backend(from)?,
            clock_read_charge: from.u64("clock_read_charge")?,
            call_charge: from.u64("call_charge")?,
            timer_slack: from.u64("timer_slack")?,
            realtime_epoch_ns: from.u64("realtime_epoch_ns")?,
            monotonic_start: from.u64("monotonic_start")?,
            begun_ns: from.u64("begun_ns")?,
            seed: from.u64("seed")?,
            spin: if from.bool("spin")? {
                Some(SpinRule {
                    reads: from.u32("spin.reads")?,
                    at_most: from.u64("spin.at_most")?,
                })
            } else {
                None
            },
            networks: match from.u8("networks")? {
                0 => Networks::Refuse,
                1 => Networks::Silent,
                found => return Err(DecodeError::Unknown { field: "networks", found }),
            },
            leak_net: from.bool("leak_net")?,
            children: match from.u8("children")? {
                0 => Children::Refused,
                1 => Children::Helpers { patience_ms: from.u64("children.patience_ms")? },
                found => return Err(DecodeError::Unknown { field: "children", found }),
            },
            folder: from.text("folder")?,
            devices: from.list("devices", Device::get)?,
            sockets: from.list("sockets", Socket::get)?,
        })
    }
}

pub(super) fn put_backend(backend: Backend, to: &mut Vec<u8>) {
    to.put_u8(match backend {
        Backend::Coroutines => 0,
        Backend::KernelThreads => 1,
    });
}

pub(super) fn get_backend(from: &mut Reader<'_>) -> Result<Backend, DecodeError> {
    match from.u8("backend")? {
        0 => Ok(Backend::Coroutines),
        1 => Ok(Backend::KernelThreads),
        found => Err(DecodeError::Unknown { field: "backend", found }),
    }
}

impl Device {
    fn put(&self, to: &mut Vec<u8>) {
        to.put_text(&self.path);
        match self.kind {
            DeviceKind::Spi { bus, chip } => {
                to.put_u8(0);
                to.put_u32(bus);
                to.put_u8(chip);
            }
            DeviceKind::I2c { bus } => {
                to.put_u8(1);
                to.put_u32(bus);
            }
            DeviceKind::Serial { port, baud } => {
                to.put_u8(2);
                to.put_u32(port);
                to.put_u32(baud);
            }
            DeviceKind::Random => to.put_u8(3),
            DeviceKind::Refused => to.put_u8(4),
        }
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let path = from.text("device path")?;
        let kind = match from.u8("device kind")? {
            0 => DeviceKind::Spi { bus: from.u32("spi bus")?, chip: from.u8("spi chip")? },
            1 => DeviceKind::I2c { bus: from.u32("i2c bus")? },
            2 => DeviceKind::Serial {
                port: from.u32("serial port")?,
                baud: from.u32("serial baud")?,
            },
            3 => DeviceKind::Random,
            4 => DeviceKind::Refused,
            found => return Err(DecodeError::Unknown { field: "device kind", found }),
        };
        Ok(Self { path, kind })
    }
}

impl Socket {
    fn put(&self, to: &mut Vec<u8>) {
        to.put_u32(self.port);
        match self.kind {
            SocketKind::Datagram { local, remote } => {
                to.put_u8(0);
                to.put_u16(local);
                to.put_u16(remote);
            }
            SocketKind::Listen { local } => {
                to.put_u8(1);
                to.put_u16(local);
            }
            SocketKind::Connect { remote } => {
                to.put_u8(2);
                to.put_u16(remote);
            }
        }
    }

    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let port = from.u32("socket port")?;
        let kind = match from.u8("socket kind")? {
            0 => SocketKind::Datagram {
                local: from.u16("local port")?,
                remote: from.u16("remote port")?,
            },
            1 => SocketKind::Listen { local: from.u16("local port")? },
            2 => SocketKind::Connect { remote: from.u16("remote port")? },
            found => return Err(DecodeError::Unknown { field: "socket kind", found }),
        };
        Ok(Self { port, kind })
    }
}
