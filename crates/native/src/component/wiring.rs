//! What a program's paths and sockets lead to, as users write it.
//!
//! ```text
//! devices = """                        sockets = """
//! /dev/spidev0.1 = spi[0] chip 1       udp local 9003 = udp[0]
//! /dev/i2c-1 = i2c[0]                  udp remote 9002 = udp[1]
//! /dev/ttyS3 = uart[0] at 57600        tcp listen 5761 = tcp[0]
//! """                                  """
//! ```

use ironbird_native_shim::protocol::{Device, DeviceKind, Socket, SocketKind};

/// The highest number of a bus or line.
const HIGHEST: u32 = 63;
/// Bits per second of a serial line before the program has set any.
const BAUD: u32 = 9_600;

/// Which bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusKind {
    /// SPI.
    Spi,
    /// I2C.
    I2c,
}

/// A bus of the program: a pair of ports of the component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bus {
    /// Which kind.
    pub kind: BusKind,
    /// Its number among those of its kind.
    pub number: u32,
}

/// A line of the program: a pair of ports of the component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which kind.
    pub kind: LineKind,
    /// Its number among those of its kind.
    pub number: u32,
}

/// Which line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A serial line that begins with this many bits per second.
    Serial {
        /// Bits per second.
        baud: u32,
    },
    /// Datagrams.
    Datagrams,
    /// A connection.
    Stream,
}

/// Everything that a program's paths and sockets lead to. Buses and lines are known to the program by their places in
/// these lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wiring {
    /// Buses.
    pub buses: Vec<Bus>,
    /// Serial lines and sockets.
    pub lines: Vec<Line>,
    /// Paths, for the program.
    pub devices: Vec<Device>,
    /// Sockets, for the program.
    pub sockets: Vec<Socket>,
}

/// Entries of a text: one a line, or apart by commas; what follows a # is a remark.
fn entries(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    lines.flat_map(|line| line.split(',')).map(str::trim).filter(|entry| !entry.is_empty())
}

/// `spi[3]` as a name and a number.
fn numbered(text: &str) -> Option<(&str, u32)> {
    let (name, rest) = text.split_once('[')?;
    let number = rest.strip_suffix(']')?.parse().ok().filter(|number| *number <= HIGHEST)?;
    Some((name, number))
}

impl Wiring {
    /// Adds what is written in `devices`.
    ///
    /// # Errors
    /// With the entry that is wrong and what may be written.
    pub fn add_devices(&mut self, text: &str) -> Result<(), String> {
        for entry in entries(text) {
            self.add_device(entry).map_err(|why| format!("\"{entry}\": {why}"))?;
        }
        Ok(())
    }

    fn add_device(&mut self, entry: &str) -> Result<(), String> {
        const FORM: &str = "write a path and what it leads to, as in \"/dev/spidev0.0 = spi[0] chip 0\", \
                            \"/dev/i2c-1 = i2c[1]\", \"/dev/ttyS0 = uart[0]\", \"/dev/mem = refused\"";
        let (path, target) = entry.split_once('=').ok_or(FORM)?;
        let (path, target) = (path.trim(), target.trim());
        if !path.starts_with('/') {
            return Err(format!("\"{path}\" is no path of a device: it must begin with /"));
        }
        if self.devices.iter().any(|device| device.path == path) {
            return Err("this path leads somewhere already: name it once".into());
        }
        let words: Vec<&str> = target.split_whitespace().collect();
        let kind = match words[..] {
            ["refused"] => DeviceKind::Refused,
            ["random"] => DeviceKind::Random,
            _ => {
                let (name, number) = words.first().and_then(|word| numbered(word)).ok_or(FORM)?;
                match (name, &words[1..]) {
                    ("spi", &["chip", chip]) => {
                        let chip = chip.parse().ok().filter(|chip| *chip < 16);
                        let chip = chip.ok_or("the select line of a chip is from 0 to 15")?;
                        DeviceKind::Spi { bus: self.bus(BusKind::Spi, number), chip }
                    }
                    ("spi", _) => return Err("say which chip: \"spi[0] chip 0\"".into()),
                    ("i2c", &[]) => DeviceKind::I2c { bus: self.bus(BusKind::I2c, number) },
                    ("uart", &[]) => DeviceKind::Serial {
                        port: self.line(LineKind::Serial { baud: BAUD }, number)?,
                        baud: BAUD,
                    },
                    ("uart", &["at", baud]) => {
                        let baud =
                            baud.parse().ok().filter(|baud| (50..=10_000_000).contains(baud));
                        let baud = baud.ok_or("bits per second are from 50 to 10000000")?;
                        let port = self.line(LineKind::Serial { baud }, number)?;
                        DeviceKind::Serial { port, baud }
                    }
                    _ => return Err(FORM.into()),
                }
            }
        };
        self.devices.push(Device { path: path.into(), kind });
        Ok(())
    }

    /// Adds what is written in `sockets`.
    ///
    /// # Errors
    /// With the entry that is wrong and what may be written.
    pub fn add_sockets(&mut self, text: &str) -> Result<(), String> {
        for entry in entries(text) {
            self.add_socket(entry).map_err(|why| format!("\"{entry}\": {why}"))?;
        }
        Ok(())
    }

    fn add_socket(&mut self, entry: &str) -> Result<(), String> {
        const FORM: &str = "write a socket of the program and what it leads to, as in \"udp local 9003 = udp[0]\", \
                            \"udp remote 9002 = udp[1]\", \"tcp listen 5761 = tcp[0]\", \"tcp connect 4560 = tcp[1]\"";
        let (socket, target) = entry.split_once('=').ok_or(FORM)?;
        let words: Vec<&str> = socket.split_whitespace().collect();
        let (name, number) = numbered(target.trim()).ok_or(FORM)?;
        let [kind, side, port] = words[..] else { return Err(FORM.into()) };
        let port = port.parse().ok().filter(|port| *port > 0);
        let port: u16 = port.ok_or("ports are from 1 to 65535")?;
        let (line, kind) = match (kind, side, name) {
            ("udp", "local", "udp") => {
                (LineKind::Datagrams, SocketKind::Datagram { local: port, remote: 0 })
            }
            ("udp", "remote", "udp") => {
                (LineKind::Datagrams, SocketKind::Datagram { local: 0, remote: port })
            }
            ("tcp", "listen", "tcp") => (LineKind::Stream, SocketKind::Listen { local: port }),
            ("tcp", "connect", "tcp") => (LineKind::Stream, SocketKind::Connect { remote: port }),
            _ => return Err(FORM.into()),
        };
        if self.sockets.iter().any(|socket| socket.kind == kind) {
            return Err("this socket leads somewhere already: name it once".into());
        }
        let socket = Socket { port: self.line(line, number)?, kind };
        self.sockets.push(socket);
        Ok(())
    }

    /// The place of a bus, which several paths may share.
    fn bus(&mut self, kind: BusKind, number: u32) -> u32 {
        let bus = Bus { kind, number };
        let place = self.buses.iter().position(|known| *known == bus).unwrap_or_else(|| {
            self.buses.push(bus);
            self.buses.len() - 1
        });
        place as u32
    }

    /// The place of a new line.
    fn line(&mut self, kind: LineKind, number: u32) -> Result<u32, String> {
        let line = Line { kind, number };
        if self.lines.iter().any(|known| known.port() == line.port()) {
            return Err(format!(
                "there is another \"{}\" already: give it a number of its own",
                line.port()
            ));
        }
        self.lines.push(line);
        Ok(self.lines.len() as u32 - 1)
    }
}

impl Bus {
    /// The name of its ports: `spi[0]`.
    pub fn port(&self) -> String {
        let name = match self.kind {
            BusKind::Spi => "spi",
            BusKind::I2c => "i2c",
        };
        format!("{name}[{}]", self.number)
    }
}

impl Line {
    /// The name of its ports: `uart[0]`.
    pub fn port(&self) -> String {
        let name = match self.kind {
            LineKind::Serial { .. } => "uart",
            LineKind::Datagrams => "udp",
            LineKind::Stream => "tcp",
        };
        format!("{name}[{}]", self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_sockets_lead_to_ports() {
        let mut wiring = Wiring::default();
        let text = "/dev/spidev0.0 = spi[0] chip 0\n/dev/spidev0.1 = spi[0] chip 1 # the other one\n\n\
                    /dev/i2c-1 = i2c[2], /dev/ttyS0 = uart[0] at 57600, /dev/mem = refused";
        wiring.add_devices(text).unwrap();
        wiring.add_sockets("udp local 9003 = udp[0]\ntcp listen 5761 = tcp[0]").unwrap();
        let names: Vec<_> = wiring.buses.iter().map(Bus::port).collect();
        assert_eq!(names, ["spi[0]", "i2c[2]"]);
        let names: Vec<_> = wiring.lines.iter().map(Line::port).collect();
        assert_eq!(names, ["uart[0]", "udp[0]", "tcp[0]"]);
        assert_eq!(wiring.devices[1].kind, DeviceKind::Spi { bus: 0, chip: 1 });
        assert_eq!(wiring.devices[2].kind, DeviceKind::I2c { bus: 1 });
        assert_eq!(wiring.devices[3].kind, DeviceKind::Serial { port: 0, baud: 57_600 });
        assert_eq!(wiring.sockets[1].port, 2);
    }

    #[test]
    fn what_leads_nowhere_is_refused_with_what_may_be_written() {
        let device = |text: &str| Wiring::default().add_devices(text).unwrap_err();
        for (text, why) in [
            ("/dev/spidev0.0", "\"/dev/spidev0.0\": write a path and what it leads to, as in"),
            (
                "dev/spi = spi[0] chip 0",
                "\"dev/spi = spi[0] chip 0\": \"dev/spi\" is no path of a device",
            ),
            ("/dev/a = spi[0]", "\"/dev/a = spi[0]\": say which chip"),
            (
                "/dev/a = spi[0] chip 16",
                "\"/dev/a = spi[0] chip 16\": the select line of a chip is from 0",
            ),
            ("/dev/a = uart[0] at 1", "\"/dev/a = uart[0] at 1\": bits per second are from 50"),
            ("/dev/a = uart[64]", "\"/dev/a = uart[64]\": write a path"),
            (
                "/dev/a = i2c[0]\n/dev/a = i2c[1]",
                "\"/dev/a = i2c[1]\": this path leads somewhere already",
            ),
            (
                "/dev/a = uart[0]\n/dev/b = uart[0]",
                "\"/dev/b = uart[0]\": there is another \"uart[0]\"",
            ),
        ] {
            let refused = device(text);
            assert!(refused.starts_with(why), "{text}: {refused}");
        }
        let socket = |text: &str| Wiring::default().add_sockets(text).unwrap_err();
        assert!(socket("udp 9003 = udp[0]").contains("write a socket of the program"));
        assert!(socket("udp local 0 = udp[0]").contains("ports are from 1 to 65535"));
        assert!(socket("udp local 9 = tcp[0]").contains("write a socket of the program"));
    }
}
