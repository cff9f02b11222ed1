//! Somebody who sends frames at known times.

use ironbird_component::{Component, Registry, RegistryError};
use ironbird_kernel::{Atomic, Context, Duration, EventOut, Inputs, Outputs, Time};
use ironbird_network::EthernetFrame;
use ironbird_test_rig::{Rig, Run, Setting, real};

/// Sends `burst` frames of `length` bytes each time, `times` times.
#[derive(Component)]
#[component(type = "test.talker", event_driven)]
struct Talker {
    #[parameter(unit = "us", default = 0.0)]
    start: f64,
    #[parameter(unit = "us", default = 1000.0)]
    period: f64,
    #[parameter(default = 1)]
    times: u32,
    #[parameter(default = 1)]
    burst: u32,
    #[parameter(default = 1514)]
    length: u32,
    /// The last byte of its own address; 255 stands for all.
    #[parameter(default = 1)]
    own: u8,
    /// The last byte of who is meant.
    #[parameter(default = 2)]
    to: u8,
    #[output]
    out: EventOut<EthernetFrame>,
    sent: u32,
    now: Time,
}

/// The address that ends in this byte.
pub fn address(last: u8) -> [u8; 6] {
    if last == 255 { [255; 6] } else { [2, 0, 0, 0, 0, last] }
}

impl Talker {
    fn due(&self) -> Time {
        let micros = self.start + self.period * f64::from(self.sent);
        Time::from_ps((micros * 1e6).round() as u64)
    }
}

impl Atomic for Talker {
    fn time_advance(&self) -> Duration {
        if self.sent < self.times { self.due().since(self.now) } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        for number in 0..self.burst {
            let mut bytes = vec![0; self.length as usize];
            bytes[..6].copy_from_slice(&address(self.to));
            bytes[6..12].copy_from_slice(&address(self.own));
            let number = self.sent * self.burst + number;
            bytes[14..18].copy_from_slice(&number.to_le_bytes());
            out.send(self.out, EthernetFrame::new(bytes));
        }
    }
    fn internal(&mut self, context: &mut Context<'_>) {
        self.sent += 1;
        self.now = context.now();
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Talker>()
}

/// A system of networks and talkers.
pub fn rig() -> Rig {
    Rig::of(&[ironbird_network::register, register])
}

/// Adds a talker and links it.
pub fn talk(rig: &mut Rig, name: &str, to: &str, settings: &[(&str, i32)]) {
    let settings: Vec<Setting<'_>> = settings
        .iter()
        .map(|(name, number)| match *name {
            "start" | "period" => (*name, real(f64::from(*number))),
            _ => (*name, ironbird_kernel::Parameter::Integer(i64::from(*number))),
        })
        .collect();
    rig.add(name, "test.talker", &settings);
    rig.link(&format!("{name}.out"), to);
}

/// When frames came out at a port, in picoseconds, and their numbers.
pub fn arrivals(run: &Run, output: &str) -> Vec<(u64, u32)> {
    let frames = run.samples::<EthernetFrame>(output).into_iter();
    let number =
        |frame: &EthernetFrame| u32::from_le_bytes(frame.bytes[14..18].try_into().unwrap());
    frames.map(|(time, frame)| (time.as_ps(), number(&frame))).collect()
}

/// The last value of a counter.
pub fn count(run: &Run, output: &str) -> u64 {
    run.samples::<u64>(output).last().map_or(0, |(_, count)| *count)
}
