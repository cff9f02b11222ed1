//! Rule 15: checkpoints do not depend on placement, go on in another process with the same result,
//! refuse everything that is not theirs, and name what cannot save itself.

mod models;

use std::process::Command;

use ironbird_kernel::{
    Action, AnyValue, Checkpoint, CheckpointError, Duration, Graph, Interposer, Link, LoadError,
    Model, Monitor, Options, Outcome, Parameter, Passage, Periodic, Ports, Provider, QueryIn,
    RandomStream, Rate, Readings, SaveError, SignalIn, SignalOut, Simulation, StateReader,
    StateWriter, Step, Time, Watched,
};
use models::{Chatter, Collects, Log, Processor, Relays, Sends, Ticks, ms, spread_over, us};
use xxhash_rust::xxh3::xxh3_64;

/// Drops every third value it sees.
#[derive(Clone, Default)]
struct DropsThird {
    seen: u64,
}

impl Interposer for DropsThird {
    fn pass(&mut self, _: Time, _: &mut dyn AnyValue, random: &mut RandomStream) -> Passage {
        self.seen += 1;
        if self.seen.is_multiple_of(3) {
            return Passage::Drop;
        }
        Passage::Delay(Duration::from_us(random.below(40)))
    }
    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.seen)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.seen = state.get()?;
        Ok(())
    }
}

/// Everything there is, in a ring of chatterers over links of 70 µs:
///
/// ```text
/// c[0] ─► c[1] ─► c[2] ─(drops)─► c[3] ─► c[4] ─► cpu ─► c[0]      beside: ticks (3 kHz)
/// ```
fn system() -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let mut members: Vec<_> =
        (0..5).map(|n| graph.add(root, &format!("c[{n}]"), Chatter::default()).unwrap()).collect();
    let cpu = Processor::showing((1..200).map(|k| us(437 * k)));
    members.push(graph.add_run_ahead(root, "cpu", cpu).unwrap());
    for n in 0..6 {
        let mut link = Link::direct().latency(Duration::from_us(70));
        if n == 2 {
            link = link.via("drops", DropsThird::default());
        }
        let (from, to) = (members[n], members[(n + 1) % 6]);
        graph.link(from.port("out"), to.port("in"), link).unwrap();
    }
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(3_000)).unwrap();
    graph
}

const SAVED_AT: Time = Time::from_ps(20_030_000_000);
const END: Time = Time::from_ps(50_000_000_000);

fn started(graph: Graph, partitions: usize) -> Simulation {
    let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
    assert_eq!(simulation.run_until(SAVED_AT).unwrap(), Outcome::Reached(SAVED_AT));
    simulation
}

fn digest_at_end(mut simulation: Simulation) -> u64 {
    assert_eq!(simulation.run_until(END).unwrap(), Outcome::Reached(END));
    simulation.digest()
}

#[test]
fn a_restored_run_goes_on_to_the_same_digest_under_every_placement() {
    let whole = digest_at_end(Simulation::new(system(), spread_over(1)).unwrap());
    for (saved_on, restored_on) in [(1, 1), (4, 1), (1, 4), (3, 7), (7, 2)] {
        let checkpoint = started(system(), saved_on).checkpoint().unwrap();
        assert_eq!(checkpoint.time(), SAVED_AT);
        let restored = Simulation::restore(system(), spread_over(restored_on), &checkpoint);
        let restored = restored.unwrap();
        assert_eq!(restored.now(), SAVED_AT);
        assert_eq!(
            digest_at_end(restored),
            whole,
            "saved on {saved_on}, restored on {restored_on}"
        );
    }
}

/// Adds what it sees of another vehicle to what it shows of its own.
#[derive(Default)]
struct Swarm {
    seen: SignalIn<f64>,
    shown: SignalOut<f64>,
    sum: f64,
}

impl Model for Swarm {
    fn ports(&mut self, ports: &mut Ports) {
        self.seen = ports.signal_in_or("quad[3].imu.seen", 1.0);
        self.shown = ports.signal_out("quad[12].shown", 0.0);
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.sum)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.sum = state.get()?;
        Ok(())
    }
}

impl Periodic for Swarm {
    fn step(&mut self, step: &mut Step<'_>) {
        self.sum = 0.5 * self.sum + step.signal(self.seen) + 1.0;
        step.write(self.shown, self.sum);
    }
}

#[test]
fn links_between_ports_whose_names_have_several_parts_are_found_again() {
    let swarm = || {
        let mut graph = Graph::new();
        let root = graph.root();
        let mut add = |name| graph.add_periodic(root, name, Swarm::default(), Rate::hz(1_000));
        let (a, b) = (add("a").unwrap(), add("b").unwrap());
        let late = || Link::direct().latency(Duration::from_us(1_300));
        graph.link(a.port("quad[12].shown"), b.port("quad[3].imu.seen"), late()).unwrap();
        graph.link(b.port("quad[12].shown"), a.port("quad[3].imu.seen"), late()).unwrap();
        graph
    };
    let whole = digest_at_end(Simulation::new(swarm(), spread_over(1)).unwrap());
    for (saved_on, restored_on) in [(1, 2), (2, 1)] {
        let checkpoint = started(swarm(), saved_on).checkpoint().unwrap();
        let restored = Simulation::restore(swarm(), spread_over(restored_on), &checkpoint);
        assert_eq!(digest_at_end(restored.unwrap()), whole);
    }
}

#[test]
fn the_bytes_are_the_same_for_every_placement() {
    let alone = started(system(), 1).checkpoint().unwrap().to_bytes();
    for partitions in 2..=7 {
        let bytes = started(system(), partitions).checkpoint().unwrap().to_bytes();
        assert!(
            bytes == alone,
            "{partitions} partitions: {} and {} bytes",
            bytes.len(),
            alone.len()
        );
    }
}

#[test]
fn the_bytes_do_not_tell_how_many_cycles_neighbours_made() {
    // Both act at 1 ms: neighbours in phase 1, over three cycles; `ticks` in phase 2.
    let bytes = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
        let sink = graph.add(root, "sink", Chatter::default()).unwrap();
        let late = Link::direct().latency(Duration::from_us(300));
        graph.link(ticks.port("out"), sink.port("in"), late).unwrap();
        let source = graph.add(root, "source", Sends::once(ms(1), 1.0)).unwrap();
        let near = graph.add(root, "near", Chatter::default()).unwrap();
        graph.link(source.port("out"), near.port("in"), Link::direct()).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        simulation.run_until(us(1_200)).unwrap();
        simulation.checkpoint().unwrap().to_bytes()
    };
    let (one, three) = (bytes(1), bytes(3));
    let differ: Vec<usize> = (28..one.len()).filter(|&n| one[n] != three[n]).collect();
    assert!(one == three, "bytes {differ:?} of {} differ", one.len());
}

#[test]
fn the_bytes_do_not_tell_how_far_an_idle_model_was_allowed_to_go() {
    let bytes = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_run_ahead(root, "cpu", Processor::showing([us(10)]).resting()).unwrap();
        graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        simulation.run_until(us(2_500)).unwrap();
        simulation.checkpoint().unwrap().to_bytes()
    };
    assert!(bytes(1) == bytes(2));
}

const CHILD: &str = "IRONBIRD_TEST_RESTORES";

#[test]
fn a_fresh_process_goes_on_from_the_file_under_another_split() {
    if let Ok(file) = std::env::var(CHILD) {
        let checkpoint = Checkpoint::read(file).unwrap();
        let restored = Simulation::restore(system(), spread_over(1), &checkpoint).unwrap();
        println!("digest={}", digest_at_end(restored));
        return;
    }
    let whole = digest_at_end(Simulation::new(system(), spread_over(1)).unwrap());
    let file = std::env::temp_dir().join(format!("ironbird-{}.checkpoint", std::process::id()));
    started(system(), 4).checkpoint().unwrap().write(&file).unwrap();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_fresh_process_goes_on_from_the_file_under_another_split"])
        .arg("--nocapture")
        .env(CHILD, &file)
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = String::from_utf8_lossy(&child.stdout);
    assert!(text.contains(&format!("digest={whole}\n")), "{text}");
    assert!(!file.with_extension("partial").exists());
}

#[test]
fn eight_forks_leave_the_parent_as_it_was() {
    let whole = digest_at_end(Simulation::new(system(), spread_over(2)).unwrap());
    let parent = started(system(), 2);
    let checkpoint = parent.checkpoint().unwrap();
    let digests: Vec<u64> = (0..8)
        .map(|fork| {
            let placed = spread_over(1 + fork as usize % 4);
            let mut fork_run = Simulation::restore(system(), placed, &checkpoint).unwrap();
            let (component, name) = ("c[1]".into(), "state".into());
            let action = Action::SetParameter { component, name, value: Parameter::Integer(fork) };
            fork_run.schedule(ms(30), action).unwrap();
            digest_at_end(fork_run)
        })
        .collect();
    let mut different = digests.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 8, "each fork goes its own way: {digests:?}");
    assert_eq!(digest_at_end(parent), whole);
}

#[test]
fn a_missing_file_and_an_unwritable_place_are_named() {
    let error = Checkpoint::read("/nowhere/at.all").unwrap_err();
    assert_eq!(error.to_string(), "cannot read the checkpoint \"/nowhere/at.all\"");
    let error = started(system(), 1).checkpoint().unwrap().write("/nowhere/at.all").unwrap_err();
    assert_eq!(error.to_string(), "cannot write the checkpoint \"/nowhere/at.all\"");
}

fn bytes() -> Vec<u8> {
    started(system(), 1).checkpoint().unwrap().to_bytes()
}

#[test]
fn a_checkpoint_cut_short_at_any_length_is_refused() {
    let bytes = bytes();
    assert!(Checkpoint::from_bytes(&bytes).is_ok());
    for length in 0..bytes.len() {
        match Checkpoint::from_bytes(&bytes[..length]) {
            Err(CheckpointError::NotACheckpoint) => assert!(length < 8, "{length}"),
            Err(CheckpointError::Damaged) => assert!(length >= 8, "{length}"),
            other => panic!("{length}: {other:?}"),
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Checkpoint::from_bytes(&longer), Err(CheckpointError::Damaged)));
}

#[test]
fn a_flipped_byte_anywhere_is_refused() {
    let original = bytes();
    for place in 0..original.len() {
        let mut bytes = original.clone();
        bytes[place] ^= 1 << (place % 8);
        let checkpoint = Checkpoint::from_bytes(&bytes);
        match (place, checkpoint) {
            (0..8, Err(CheckpointError::NotACheckpoint))
            | (8..12, Err(CheckpointError::WrongVersion { .. }))
            | (12.., Err(CheckpointError::Damaged)) => {}
            // The fingerprint of the graph is not part of the sum.
            (12..20, Ok(checkpoint)) => {
                let restored = Simulation::restore(system(), spread_over(1), &checkpoint);
                assert!(matches!(restored, Err(CheckpointError::OtherGraph { .. })), "{place}");
            }
            (_, other) => panic!("byte {place}: {other:?}"),
        }
    }
}

#[test]
fn another_version_is_refused_with_both_versions() {
    let mut bytes = bytes();
    bytes[8..12].copy_from_slice(&77u32.to_le_bytes());
    let error = Checkpoint::from_bytes(&bytes).unwrap_err();
    assert!(matches!(error, CheckpointError::WrongVersion { found: 77, supported: 2 }));
    let text = "the checkpoint has version 77; this program reads version 2";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_well_summed_checkpoint_with_a_wrong_byte_never_panics() {
    // Flips every byte of the body in turn and mends the sum: an error, or a run, but no panic.
    let graph = || {
        let mut graph = Graph::new();
        let root = graph.root();
        let a = graph.add_periodic(root, "a", Flag::default(), Rate::hz(1_000)).unwrap();
        let b = graph.add(root, "b", Chatter::default()).unwrap();
        graph.add_run_ahead(root, "c", Processor::showing([ms(3)])).unwrap();
        let link = Link::direct().latency(Duration::from_ms(2));
        graph.link(a.port("out"), b.port("in"), link).unwrap();
        graph
    };
    let mut simulation = Simulation::new(graph(), spread_over(1)).unwrap();
    simulation.run_until(us(1_500)).unwrap();
    let original = simulation.checkpoint().unwrap().to_bytes();
    let mut panics = Vec::new();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for place in 28..original.len() {
        for flip in [1u8, 0x80] {
            let mut bytes = original.clone();
            bytes[place] ^= flip;
            let sum = xxh3_64(&bytes[28..]);
            bytes[20..28].copy_from_slice(&sum.to_le_bytes());
            let outcome = std::panic::catch_unwind(|| {
                let Ok(checkpoint) = Checkpoint::from_bytes(&bytes) else { return };
                let _ = Simulation::restore(graph(), spread_over(1), &checkpoint);
            });
            if outcome.is_err() {
                panics.push(place);
            }
        }
    }
    std::panic::set_hook(hook);
    assert!(panics.is_empty(), "{} panics, at bytes {panics:?}", panics.len());
}

/// Shows a truth value.
#[derive(Default)]
struct Flag {
    flag: SignalOut<bool>,
    out: ironbird_kernel::EventOut<f64>,
}

impl Model for Flag {
    fn ports(&mut self, ports: &mut Ports) {
        self.flag = ports.signal_out("flag", true);
        self.out = ports.event_out("out");
    }
    fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
        Ok(())
    }
    fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
        Ok(())
    }
}

impl Periodic for Flag {
    fn step(&mut self, step: &mut Step<'_>) {
        let even = step.tick().is_multiple_of(2);
        step.write(self.flag, even);
        step.send(self.out, 1.0);
    }
}

fn restore_error(graph: Graph) -> String {
    let checkpoint = started(system(), 1).checkpoint().unwrap();
    Simulation::restore(graph, spread_over(1), &checkpoint).err().unwrap().to_string()
}

#[test]
fn another_system_is_refused_and_the_difference_told() {
    let mut more = system();
    more.add(more.root(), "extra", Chatter::default()).unwrap();
    let theirs = "the checkpoint belongs to another system: ";
    assert_eq!(restore_error(more), format!("{theirs}it has no component \"extra\""));
    let mut less = system();
    less.remove(less.find("ticks").unwrap()).unwrap();
    let text = format!("{theirs}it has a component \"ticks\" that is not here");
    assert_eq!(restore_error(less), text);
    let mut linked = system();
    let (from, to) = (linked.find("ticks").unwrap(), linked.find("c[0]").unwrap());
    linked.link(from.port("out"), to.port("in"), Link::direct()).unwrap();
    let text = format!("{theirs}its components are the same, their ports or links are not");
    assert_eq!(restore_error(linked), text);
}

#[test]
fn a_component_of_another_kind_under_the_same_name_is_another_system() {
    // The same ports, once event-driven and once run ahead.
    let event_driven = |graph: &mut Graph| graph.add(graph.root(), "x", SameAtomic::default());
    let periodic = |graph: &mut Graph| {
        graph.add_periodic(graph.root(), "x", SamePeriodic::default(), Rate::hz(1_000))
    };
    let mut graph = Graph::new();
    event_driven(&mut graph).unwrap();
    let checkpoint = Simulation::new(graph, spread_over(1)).unwrap().checkpoint().unwrap();
    let mut other = Graph::new();
    periodic(&mut other).unwrap();
    let restored = Simulation::restore(other, spread_over(1), &checkpoint);
    assert!(matches!(restored, Err(CheckpointError::OtherGraph { .. })));
}

macro_rules! same_ports {
    ($name:ident) => {
        #[derive(Default)]
        struct $name {
            out: SignalOut<u64>,
        }
        impl Model for $name {
            fn ports(&mut self, ports: &mut Ports) {
                self.out = ports.signal_out("out", 0);
            }
            fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
                Ok(())
            }
            fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
                Ok(())
            }
        }
    };
}
same_ports!(SameAtomic);
same_ports!(SamePeriodic);

impl ironbird_kernel::Atomic for SameAtomic {
    fn time_advance(&self) -> Duration {
        Duration::FOREVER
    }
    fn output(&mut self, _: &mut ironbird_kernel::Outputs<'_>) {}
    fn internal(&mut self, _: &mut ironbird_kernel::Context<'_>) {}
    fn external(
        &mut self,
        _: &mut ironbird_kernel::Context<'_>,
        _: Duration,
        _: &ironbird_kernel::Inputs<'_>,
    ) {
    }
}

impl Periodic for SamePeriodic {
    fn step(&mut self, _: &mut Step<'_>) {}
}

#[test]
fn components_and_links_that_cannot_save_themselves_are_named() {
    let mut graph = system();
    let root = graph.root();
    let group = graph.composite(root, "group").unwrap();
    graph.add(group, "b", Relays::default()).unwrap();
    graph.add(root, "a", Collects::into(&Log::default())).unwrap();
    let error = started(graph, 2).checkpoint().unwrap_err();
    let text = "these components cannot save their state: a, group.b";
    assert_eq!(error.to_string(), text);
    assert!(matches!(error, CheckpointError::CannotSave { components } if components.len() == 2));
}

#[test]
fn an_interposer_that_cannot_save_itself_is_named_with_its_link() {
    #[derive(Clone)]
    struct Passes;
    impl Interposer for Passes {
        fn pass(&mut self, _: Time, _: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
            Passage::Deliver
        }
        fn replicate(&self) -> Box<dyn Interposer> {
            Box::new(self.clone())
        }
    }
    let mut graph = Graph::new();
    let root = graph.root();
    let a = graph.add(root, "a", Chatter::default()).unwrap();
    let b = graph.add(root, "b", Chatter::default()).unwrap();
    let link = Link::direct().latency(Duration::from_us(1)).via("wire", Passes);
    graph.link(a.port("out"), b.port("in"), link).unwrap();
    let error = Simulation::new(graph, spread_over(1)).unwrap().checkpoint().unwrap_err();
    let text = "these components cannot save their state: the link a.out -> b.in";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_run_that_has_ended_cannot_be_saved() {
    let mut graph = system();
    let watched = vec![Watched { component: "ticks".into(), port: "count".into() }];
    let five = |now: &Readings<'_>| *now.signal::<u64>(0).unwrap() == 5;
    graph.monitor(Monitor::stop_when("five", watched, five)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    simulation.run_until(END).unwrap();
    assert!(matches!(simulation.checkpoint(), Err(CheckpointError::Ended { .. })));
}

#[test]
fn a_monitor_that_held_does_not_fire_again_after_a_restore() {
    let graph = || {
        let mut graph = system();
        let watched = vec![Watched { component: "ticks".into(), port: "count".into() }];
        let late = |now: &Readings<'_>| *now.signal::<u64>(0).unwrap() >= 5;
        let (component, name) = ("c[1]".into(), "state".into());
        let set = Action::SetParameter { component, name, value: Parameter::Integer(3) };
        let act = ironbird_kernel::Response::Act(vec![set]);
        graph.monitor(Monitor::new("late", watched, late, act)).unwrap();
        graph
    };
    let whole = digest_at_end(Simulation::new(graph(), spread_over(1)).unwrap());
    let checkpoint = started(graph(), 3).checkpoint().unwrap();
    let restored = Simulation::restore(graph(), spread_over(1), &checkpoint).unwrap();
    assert_eq!(digest_at_end(restored), whole);
}

/// Answers with its parameter.
#[derive(Clone)]
struct Gain(f64);

impl Provider<(), f64> for Gain {
    fn answer(&self, _: Time, (): &()) -> f64 {
        self.0
    }
    fn set_parameter(
        &mut self,
        _: &str,
        value: Parameter,
    ) -> Result<(), ironbird_kernel::ParameterError> {
        if let Parameter::Real(gain) = value {
            self.0 = gain;
        }
        Ok(())
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.0)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.0 = state.get()?;
        Ok(())
    }
}

#[derive(Default)]
struct Asks {
    query: QueryIn<(), f64>,
    out: SignalOut<f64>,
}

impl Model for Asks {
    fn ports(&mut self, ports: &mut Ports) {
        self.query = ports.query("gain");
        self.out = ports.signal_out("out", 0.0);
    }
    fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
        Ok(())
    }
    fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
        Ok(())
    }
}

impl Periodic for Asks {
    fn step(&mut self, step: &mut Step<'_>) {
        let gain = step.ask(self.query, &());
        step.write(self.out, gain);
    }
}

#[test]
fn a_changed_parameter_of_a_provider_a_stopped_component_and_a_rate_survive() {
    let graph = || {
        let mut graph = system();
        let root = graph.root();
        let gain = graph.provide(root, "gain", Gain(1.0)).unwrap();
        let asks = graph.add_periodic(root, "asks", Asks::default(), Rate::hz(1_000)).unwrap();
        graph.bind_query(asks.port("gain"), gain).unwrap();
        graph
    };
    let path = |path: &str| path.to_owned();
    let schedule = |simulation: &mut Simulation| {
        let value = Parameter::Real(4.0);
        let set = Action::SetParameter { component: path("gain"), name: path("gain"), value };
        let rate = Rate::hz(7_000);
        let actions = [
            (ms(5), set),
            (ms(6), Action::Stop { component: path("c[2]") }),
            (ms(7), Action::SetRate { component: path("ticks"), rate }),
            (ms(8), Action::Stop { component: path("cpu") }),
            (ms(30), Action::Start { component: path("c[2]") }),
            (ms(31), Action::Start { component: path("cpu") }),
        ];
        for (at, action) in actions {
            if at >= simulation.now() {
                simulation.schedule(at, action).unwrap();
            }
        }
    };
    let mut whole = Simulation::new(graph(), spread_over(1)).unwrap();
    schedule(&mut whole);
    let whole = digest_at_end(whole);
    let mut first = Simulation::new(graph(), spread_over(4)).unwrap();
    schedule(&mut first);
    first.run_until(SAVED_AT).unwrap();
    let checkpoint = first.checkpoint().unwrap();
    let mut second = Simulation::restore(graph(), spread_over(2), &checkpoint).unwrap();
    schedule(&mut second);
    assert_eq!(digest_at_end(second), whole);
}

#[test]
fn the_digest_of_components_that_were_removed_survives() {
    let remove = |graph: &mut Graph| graph.remove(graph.find("ticks")?);
    let mut whole = Simulation::new(system(), spread_over(1)).unwrap();
    whole.edit_at(ms(10), remove).unwrap();
    whole.run_until(SAVED_AT).unwrap();
    let checkpoint = whole.checkpoint().unwrap();
    let mut graph = system();
    remove(&mut graph).unwrap();
    let restored = Simulation::restore(graph, spread_over(2), &checkpoint).unwrap();
    assert_eq!(digest_at_end(restored), digest_at_end(whole));
}

#[test]
fn a_restored_run_keeps_its_seed() {
    let seed = ironbird_kernel::Seed { seed: 11, repetition: 3 };
    let options = |seed| Options { seed, ..spread_over(1) };
    let whole = digest_at_end(Simulation::new(system(), options(seed)).unwrap());
    let mut first = Simulation::new(system(), options(seed)).unwrap();
    first.run_until(SAVED_AT).unwrap();
    let checkpoint = first.checkpoint().unwrap();
    let other = options(ironbird_kernel::Seed::default());
    let restored = Simulation::restore(system(), other, &checkpoint).unwrap();
    assert_eq!(digest_at_end(restored), whole);
}
