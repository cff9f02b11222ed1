//! A component that says given bytes at given times, in the place of a program.

use ironbird_component::{Component, Registry, RegistryError};
use ironbird_kernel::{EventOut, Payload, Periodic, Step};
use ironbird_native::{Datagram, StreamBytes};

/// Says each line of its script: a millisecond, and bytes in hexadecimal.
#[derive(Component)]
#[component(type = "test.mouth", periodic, rate = "1 kHz")]
struct Mouth {
    /// What it says.
    #[parameter(default = "", fixed)]
    script: String,
    #[output]
    bytes: EventOut<StreamBytes>,
    /// To port 9002.
    #[output]
    datagrams: EventOut<Datagram>,
}

impl Periodic for Mouth {
    fn step(&mut self, step: &mut Step<'_>) {
        let tick = step.tick().to_string();
        let lines = self.script.lines().filter_map(|line| line.split_once(' '));
        let said: Vec<Payload> = lines
            .filter(|(at, _)| *at == tick)
            .map(|(_, hex)| {
                let digits: Vec<u8> =
                    hex.chars().map(|digit| digit.to_digit(16).expect("a digit") as u8).collect();
                Payload::new(
                    digits.chunks(2).map(|pair| 16 * pair[0] + pair[1]).collect::<Vec<_>>(),
                )
            })
            .collect();
        for bytes in said {
            step.send(self.bytes, StreamBytes { bytes: bytes.clone() });
            step.send(self.datagrams, Datagram { remote_port: 9002, bytes });
        }
    }
}

pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Mouth>()
}

/// A line of its script.
pub fn says(millisecond: u64, bytes: &[u8]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{millisecond} {hex}\n")
}
