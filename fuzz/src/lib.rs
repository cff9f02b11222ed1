//! What the fuzz targets do with bytes. Each must come back, whatever the bytes are: with an error
//! or with something that can be used. `tests/replay.rs` runs them over the corpus.

mod drone;
mod experiment;
mod expression;
mod logs;
mod sdf;
mod sea;
mod simbricks;
mod tables;
mod traces;
mod view;

pub use drone::{firmware, mavlink, mission, profile};
pub use experiment::experiment;
pub use expression::expression;
pub use logs::flight_log;
pub use sdf::{mesh, sdf};
pub use sea::{geotiff, s111};
pub use simbricks::{introduction, link};
pub use tables::table;
pub use traces::{architecture, trace};
pub use view::{commands, request};

use ironbird_kernel::{
    Atomic, Checkpoint, Context, Duration, EventIn, EventOut, Graph, Inputs, Link, LoadError,
    Model, Options, Outputs, Payload, Periodic, Ports, RandomIn, Rate, SaveError, SignalIn,
    SignalOut, Simulation, StateReader, StateWriter, Step, Time, Value, WireReader, path,
};
use ironbird_record::{
    Channel, Compression, Recorder, RunInfo, RunResult, Settings, read_anything,
};
use xxhash_rust::xxh3::xxh3_64;

/// A file as it is, and a file whose header and checksum are right, so that its body is reached.
pub fn checkpoint(bytes: &[u8]) {
    let _ = Checkpoint::from_bytes(bytes);
    let mut simulation = Simulation::new(system(), Options::default()).expect("well formed");
    simulation.run_until(Time::ZERO + Duration::from_ms(2)).expect("it runs");
    let real = simulation.checkpoint().expect("all can be saved").to_bytes();
    let mut forged = real[..20].to_vec();
    forged.extend_from_slice(&xxh3_64(bytes).to_le_bytes());
    forged.extend_from_slice(bytes);
    if let Ok(checkpoint) = Checkpoint::from_bytes(&forged)
        && let Ok(mut restored) = Simulation::restore(system(), Options::default(), &checkpoint)
    {
        let until = restored.now() + Duration::from_us(10);
        let _ = restored.run_until(until);
    }
}

/// The bytes of a checkpoint of the same system, for a corpus.
pub fn checkpoint_body() -> Vec<u8> {
    let mut simulation = Simulation::new(system(), Options::default()).expect("well formed");
    simulation.run_until(Time::ZERO + Duration::from_ms(2)).expect("it runs");
    simulation.checkpoint().expect("all can be saved").to_bytes()[28..].to_vec()
}

/// A file as it is, and a file with the bytes as the contents of a chunk, so that they are reached.
pub fn recording(bytes: &[u8]) {
    read_anything(bytes);
    let mut file = b"\x89MCAP0\r\n\x06".to_vec();
    file.extend_from_slice(&(40 + bytes.len() as u64).to_le_bytes());
    file.extend_from_slice(&[0; 16]);
    file.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    // No checksum, no compression.
    file.extend_from_slice(&[0; 8]);
    file.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    file.extend_from_slice(bytes);
    read_anything(&file);
}

/// A small recording, whose records also stand outside of chunks, for a corpus.
pub fn recording_file() -> Vec<u8> {
    let file = tempfile::NamedTempFile::new().expect("there is a place for it");
    let channels = [Channel::new("a.everything", Everything::schema())];
    let settings = Settings { compression: Compression::None, ..Settings::default() };
    let mut recorder =
        Recorder::create(file.path(), &RunInfo::default(), &channels, settings).expect("it opens");
    let value = Everything {
        flags: [true, false, true],
        mode: Mode::On,
        numbers: [1.5, f32::NAN],
        count: 7,
        image: Payload::new([1, 2, 3]),
        nothing: (),
    };
    let mut wire = ironbird_kernel::Wire::default();
    value.encode(&mut wire);
    let mut bytes = wire.fixed().to_vec();
    wire.payloads().iter().for_each(|payload| bytes.extend_from_slice(payload));
    recorder.value(0, Time::ZERO, &bytes).expect("it fits");
    recorder.finish(&RunResult::default()).expect("there is space");
    std::fs::read(file.path()).expect("it was just written")
}

#[derive(Clone, Debug, PartialEq, Value)]
enum Mode {
    Off,
    On,
}

#[derive(Clone, Debug, PartialEq, Value)]
struct Everything {
    flags: [bool; 3],
    mode: Mode,
    numbers: [f32; 2],
    count: u16,
    image: Payload,
    nothing: (),
}

/// Values of every kind of leaf: what decodes must encode to the same bytes.
pub fn value(bytes: &[u8]) {
    let Ok(mut reader) = WireReader::flat(bytes) else { return };
    if let Ok(value) = Everything::decode(&mut reader) {
        let mut wire = ironbird_kernel::Wire::default();
        value.encode(&mut wire);
        let again = Everything::decode(&mut WireReader::new(&wire)).expect("it was just written");
        assert_eq!(again.image, value.image);
        assert_eq!(again.count, value.count);
    }
}

/// Paths and names of any text: their order must be an order.
pub fn path(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parts: Vec<&str> = text.splitn(3, '\n').collect();
    for a in &parts {
        let _ = path::is_valid_name(a);
        let _ = path::nearest(a, parts.iter().copied());
        for b in &parts {
            assert_eq!(path::compare_paths(a, b), path::compare_paths(b, a).reverse());
            for c in &parts {
                let (ab, bc) = (path::compare_paths(a, b), path::compare_paths(b, c));
                if ab == bc {
                    assert_eq!(path::compare_paths(a, c), ab, "{a:?} {b:?} {c:?}");
                }
            }
        }
    }
}

/// A small system with every kind of state that a checkpoint holds.
fn system() -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let clock = graph.add(root, "clock", Clock::default()).expect("new");
    let filter =
        graph.add_periodic(root, "filter", Filter::default(), Rate::hz(3_000)).expect("new");
    let late = || Link::direct().latency(Duration::from_us(700));
    graph.link(clock.port("level"), filter.port("level"), late()).expect("they fit");
    graph.link(clock.port("tick"), filter.port("tick"), Link::direct()).expect("they fit");
    graph.link(filter.port("back"), clock.port("back"), late()).expect("they fit");
    graph
}

#[derive(Default)]
struct Clock {
    tick: EventOut<u64>,
    level: SignalOut<f64>,
    back: EventIn<u64>,
    noise: RandomIn,
    count: u64,
    value: f64,
}

impl Model for Clock {
    fn ports(&mut self, ports: &mut Ports) {
        self.tick = ports.event_out("tick");
        self.level = ports.signal_out("level", 0.0);
        self.back = ports.event_in("back");
        self.noise = ports.random("noise");
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.count, self.value))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.count, self.value) = state.get()?;
        Ok(())
    }
}

impl Atomic for Clock {
    fn time_advance(&self) -> Duration {
        Duration::from_us(333)
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.send(self.tick, self.count);
        out.write(self.level, self.value);
    }
    fn internal(&mut self, context: &mut Context<'_>) {
        self.count = self.count.wrapping_add(1);
        self.value = context.random(self.noise).normal();
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for back in inputs.events(self.back) {
            self.count = self.count.wrapping_add(*back);
        }
    }
}

#[derive(Default)]
struct Filter {
    level: SignalIn<f64>,
    tick: EventIn<u64>,
    back: EventOut<u64>,
    sum: f64,
}

impl Model for Filter {
    fn ports(&mut self, ports: &mut Ports) {
        self.level = ports.signal_in("level");
        self.tick = ports.event_in("tick");
        self.back = ports.event_out("back");
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.sum)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.sum = state.get()?;
        Ok(())
    }
}

impl Periodic for Filter {
    fn step(&mut self, step: &mut Step<'_>) {
        self.sum += *step.signal(self.level);
        let ticks = step.events(self.tick).count() as u64;
        step.send(self.back, ticks);
    }
}
