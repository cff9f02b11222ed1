//! A host in a simulation: transfers, bytes and pulses of a script, at their times.

use ironbird_component::{Component, Registry, RegistryError};
use ironbird_devices::{BusReply, BusRequest, Pulse};
use ironbird_kernel::{Atomic, Context, Duration, EventOut, Inputs, Outputs, Payload, Start, Time};
use ironbird_test_rig::{Rig, Run, seconds, text};

/// Does what its script says: `<time in µs> <chip> <bytes in hex> <bytes to read>`, or `<time in µs> <width in µs>`, one
/// a line. What follows a line `repeat <µs>` is done again and again, so much later each time.
#[derive(Component)]
#[component(type = "test.host", event_driven, start = Self::begin, changed = Self::prepare)]
pub struct Host {
    /// What it does.
    #[parameter(fixed)]
    script: String,
    /// Transfers.
    #[output]
    request: EventOut<BusRequest>,
    /// Pulses.
    #[output]
    pulse: EventOut<Pulse>,
    done: u32,
    now: Time,
    #[skip]
    plan: Vec<(u64, Deed)>,
    #[skip]
    repeated: Repeated,
}

/// From which deed on the script begins again, and after how long.
#[derive(Default)]
struct Repeated {
    first: usize,
    period: u64,
}

enum Deed {
    Transfer { chip: u8, written: Vec<u8>, read: u32 },
    Pulse { width: u64 },
}

impl Host {
    fn begin(&mut self, start: &mut Start<'_>) {
        self.now = start.now();
    }

    fn prepare(&mut self) {
        self.plan.clear();
        for line in self.script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |word: &str| word.parse::<u64>().expect("a number");
            match words.as_slice() {
                ["repeat", period] => {
                    self.repeated = Repeated { first: self.plan.len(), period: number(period) };
                }
                [at, width] => self.plan.push((number(at), Deed::Pulse { width: number(width) })),
                [at, chip, written, read] => {
                    let hex = |pair: &[u8]| {
                        let pair = std::str::from_utf8(pair).expect("ASCII");
                        u8::from_str_radix(pair, 16).expect("hex")
                    };
                    let written = match *written {
                        "-" => Vec::new(),
                        some => some.as_bytes().chunks(2).map(hex).collect(),
                    };
                    let (chip, read) = (number(chip) as u8, number(read) as u32);
                    self.plan.push((number(at), Deed::Transfer { chip, written, read }));
                }
                _ => panic!("what is {line:?}?"),
            }
        }
    }

    /// Which deed is next, and when it is due.
    fn next(&self) -> (usize, Time) {
        let (done, count) = (self.done as usize, self.plan.len());
        let Repeated { first, period } = self.repeated;
        if done < count {
            return (done, Time::ZERO + Duration::from_us(self.plan[done].0));
        }
        if period == 0 {
            return (0, Time::NEVER);
        }
        let (round, place) = ((done - first) / (count - first), (done - first) % (count - first));
        let later = round as u64 * period;
        let (at, _) = self.plan[first + place];
        (first + place, Time::ZERO + Duration::from_us(at + later))
    }
}

impl Atomic for Host {
    fn time_advance(&self) -> Duration {
        self.next().1.since(self.now)
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        match &self.plan[self.next().0].1 {
            Deed::Transfer { chip, written, read } => {
                let written = Payload::new(written.as_slice());
                let (transfer, chip, read) = (self.done, *chip, *read);
                out.send(
                    self.request,
                    BusRequest { transfer, chip, clock: 1_000_000, written, read },
                );
            }
            Deed::Pulse { width } => {
                let ended = out.now();
                let width = Duration::from_us(*width);
                let began = Time::from_ps(ended.as_ps() - width.as_ps());
                out.send(self.pulse, Pulse { began, ended });
            }
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.now = context.now();
        self.done += 1;
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Host>()
}

/// A chip on a bus with a host that does this.
pub fn on_a_bus(kind: &str, settings: &[ironbird_test_rig::Setting<'_>], script: &str) -> Rig {
    let mut rig = Rig::of(&[ironbird_devices::register, register]);
    rig.add("chip", kind, settings);
    rig.add("host", "test.host", &[("script", text(script))]);
    rig.link("host.request", "chip.request");
    rig
}

/// What it answered, in order.
pub fn replies(run: &Run) -> Vec<BusReply> {
    run.samples("chip.reply").into_iter().map(|(_, reply)| reply).collect()
}

/// An inertial unit in a world that turns and shakes.
pub fn inertial_unit(settings: &[ironbird_test_rig::Setting<'_>], script: &str) -> Rig {
    let mut rig = on_a_bus("device.mpu9250", settings, script);
    let over_time = |value: &dyn Fn(f64) -> [f64; 3]| -> Vec<(Time, [f64; 3])> {
        (0..2000).map(|k| (seconds(1e-3 * f64::from(k)), value(1e-3 * f64::from(k)))).collect()
    };
    rig.script("rates", &over_time(&|t| [libm::sin(3.0 * t), libm::cos(5.0 * t), 0.3]));
    rig.script("forces", &over_time(&|t| [libm::sin(20.0 * t), 0.1, -9.8 + libm::cos(9.0 * t)]));
    rig.script("field", &over_time(&|t| [2e-5, 1e-6 * libm::sin(t), 4e-5]));
    rig.link("rates.out", "chip.angular_velocity");
    rig.link("forces.out", "chip.specific_force");
    rig.link("field.out", "chip.magnetic_field");
    rig
}

/// Turns the FIFO and the auxiliary bus on, and reads frames and words every 2 ms.
pub const READS_FIFO: &str = "
    100 0 1A41 0
    200 0 23F8 0
    300 0 6A60 0
    repeat 2000
    2000 0 F20000 0
    2000 0 F400000000000000000000000000000000000000000000000000000000 0
    2100 0 BB0000000000000000000000000000 0
";
