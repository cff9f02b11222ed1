//! Which outputs are streamed: what is recorded, what requirements look at, and the states of components.

use std::collections::BTreeMap;

use ironbird_component::{Direction, PortDescription};
use ironbird_experiment::checked::{Act, PortAt, Signal, Window};
use ironbird_experiment::is_at_or_below;
use ironbird_kernel::{Duration, PortKind, Rate, Sampling, Schema, Tap};
use ironbird_record::scene::{ScanSource, sensors};
use ironbird_record::{Channel, DrawnTaps, Kind, ScenePart};

use crate::build::Wiring;
use crate::scene::{Moving, moving};
use crate::states::{Source, state_name};

/// How often it is recorded where bodies are, for those who draw them.
const POSES: Rate = Rate::hz(25);
/// How often it is recorded what sensors with beams see: such a message may be long.
const SCANS: Rate = Rate::hz(5);

/// At most so many values are sampled before they are handed on, since between two instants all are taken at once.
const SAMPLED_AT_ONCE: u64 = 1 << 13;

/// The taps of a run, and which of them are recorded.
pub struct Taps {
    /// For the kernel.
    pub taps: Vec<Tap>,
    /// For the recorder.
    pub channels: Vec<Channel>,
    /// Number of the channel of each tap that is recorded.
    pub channel_of: Vec<Option<usize>>,
    /// The taps that show states of components.
    pub states: Vec<Source>,
    /// The taps that show what is drawn.
    pub drawn: DrawnTaps,
    /// The taps of each signal that requirements look at.
    watched: BTreeMap<PortAt, Vec<u32>>,
    schemas: BTreeMap<PortAt, Schema>,
    /// Numbers of the taps by output and, for those that sample, rate.
    numbers: BTreeMap<(PortAt, Option<(u64, u64)>), u32>,
}

/// All outputs that somebody beside components looks at.
pub fn seen(wiring: &Wiring) -> Vec<PortAt> {
    let scenario = wiring.scenario();
    let records = scenario.records.iter().map(|record| record.port.clone());
    let requirements = scenario.requirements.iter().map(|r| &r.condition);
    let triggers = scenario.triggers.iter().map(|t| &t.condition);
    let stops = scenario.stops.iter().map(|s| &s.condition);
    let faults = scenario.faults.iter().filter_map(|fault| match &fault.window {
        Window::While(condition) => Some(condition),
        Window::Times(..) | Window::Commanded => None,
    });
    let conditions = requirements.chain(triggers).chain(stops).chain(faults);
    let signals = conditions.flat_map(|c| c.signals.iter().map(|signal| signal.port.clone()));
    let mut seen: Vec<PortAt> = records.chain(signals).collect();
    seen.sort();
    seen.dedup();
    seen
}

impl Taps {
    /// The taps of a scenario; `probes` says where outputs are seen that may be faulty.
    pub fn new(wiring: &Wiring, probes: &BTreeMap<PortAt, String>, scene: &[ScenePart]) -> Self {
        let scenario = wiring.scenario();
        let mut taps = Taps {
            taps: Vec::new(),
            channels: Vec::new(),
            channel_of: Vec::new(),
            states: Vec::new(),
            drawn: DrawnTaps::default(),
            watched: BTreeMap::new(),
            schemas: BTreeMap::new(),
            numbers: BTreeMap::new(),
        };
        // Of several entries about one output, the last counts.
        let last: BTreeMap<&PortAt, usize> =
            scenario.records.iter().enumerate().map(|(n, record)| (&record.port, n)).collect();
        for (number, record) in scenario.records.iter().enumerate() {
            if last[&record.port] != number {
                continue;
            }
            let Some(port) = output(wiring, &record.port) else { continue };
            let channel = taps.channels.len();
            taps.channels.push(channel_of(wiring.experiment.port_name(&record.port), port));
            taps.add(wiring, probes, &record.port, record.sampling, Some(channel));
        }
        let ticks = ticks(scenario.duration);
        for requirement in &scenario.requirements {
            for signal in &requirement.condition.signals {
                taps.watch(wiring, probes, signal, ticks);
            }
        }
        for (component, owner) in wiring.experiment.components.iter().enumerate() {
            for port in &owner.interface.ports {
                let Some(name) = state_name(port) else { continue };
                let at = PortAt { component, port: port.name.clone() };
                let tap = taps.add(wiring, probes, &at, Sampling::EveryWrite, None);
                taps.states.push(Source { tap, component: owner.path.clone(), name });
            }
        }
        taps.draw(wiring, scene);
        taps
    }

    /// Adds the taps of what is drawn.
    fn draw(&mut self, wiring: &Wiring, scene: &[ScenePart]) {
        // What is drawn is what is there, not what a fault makes of it on the way to others.
        let probes = BTreeMap::new();
        for Moving { outputs, placing, body } in moving(&wiring.experiment, scene) {
            let sampling = Sampling::Every(POSES);
            let taps = outputs.iter().map(|at| self.add(wiring, &probes, at, sampling, None));
            let taps: Vec<u32> = taps.collect();
            self.drawn.add_body(body, placing, &taps);
        }
        for (number, seen) in sensors(scene).iter().enumerate() {
            let component =
                wiring.experiment.components.iter().position(|c| c.path == seen.component);
            let Some(component) = component else { continue };
            let at = PortAt { component, port: seen.beams.distances.clone() };
            let source = output(wiring, &at)
                .and_then(|port| ScanSource::new(seen.beams, &port.value.schema()));
            let Some(source) = source else { continue };
            let tap = self.add(wiring, &probes, &at, Sampling::Every(SCANS), None);
            self.drawn.add_sensor(number, source, tap);
        }
    }

    fn watch(
        &mut self,
        wiring: &Wiring,
        probes: &BTreeMap<PortAt, String>,
        signal: &Signal,
        ticks: Rate,
    ) {
        let Some(port) = output(wiring, &signal.port) else { return };
        self.schemas.insert(signal.port.clone(), port.value.schema());
        // What is continuous moves between its writes: it is looked at in between, too.
        let wanted = [Sampling::EveryWrite, Sampling::Every(ticks)];
        let wanted = if signal.continuous { &wanted[..] } else { &wanted[..1] };
        for &sampling in wanted {
            let number = self.add(wiring, probes, &signal.port, sampling, None);
            let known = self.watched.entry(signal.port.clone()).or_default();
            if !known.contains(&number) {
                known.push(number);
            }
        }
    }

    fn add(
        &mut self,
        wiring: &Wiring,
        probes: &BTreeMap<PortAt, String>,
        at: &PortAt,
        sampling: Sampling,
        channel: Option<usize>,
    ) -> u32 {
        let owner = wiring.owner(at);
        let (component, port) = match probes.get(at) {
            Some(probe) => (probe.clone(), "out".to_owned()),
            None => (owner.path.clone(), at.port.clone()),
        };
        let removed =
            |act: &Act| matches!(act, Act::Remove(path) if is_at_or_below(&owner.path, path));
        let acts = wiring.scenario().actions.iter().flat_map(|timed| &timed.acts);
        let transient = owner.dormant.is_some() || acts.into_iter().any(removed);
        // One tap does for the recording and for all requirements.
        let key = (
            at.clone(),
            match sampling {
                Sampling::EveryWrite => None,
                Sampling::Every(rate) => Some((rate.numerator(), rate.denominator())),
            },
        );
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let number = self.taps.len() as u32;
        self.numbers.insert(key, number);
        self.taps.push(Tap { component, port, sampling, transient });
        self.channel_of.push(channel);
        number
    }

    /// So far may a run go on without handing on what was sampled: memory must hold that.
    pub fn longest_stretch(&self) -> Duration {
        let rates = self.taps.iter().filter_map(|tap| match tap.sampling {
            Sampling::Every(rate) => Some(rate.numerator() as f64 / rate.denominator() as f64),
            Sampling::EveryWrite => None,
        });
        let seconds = SAMPLED_AT_ONCE as f64 / rates.sum::<f64>();
        Duration::from_secs_f64_ceil(seconds).unwrap_or(Duration::FOREVER).max(Duration::EPSILON)
    }

    /// The tap that takes this output at this rate, and the layout of its values.
    pub fn sampled(&self, wiring: &Wiring, at: &PortAt, rate: Rate) -> Option<(u32, Schema)> {
        let key = (at.clone(), Some((rate.numerator(), rate.denominator())));
        Some((*self.numbers.get(&key)?, output(wiring, at)?.value.schema()))
    }

    /// The taps that show a signal, and its layout.
    pub fn of(&self, signal: &Signal) -> (Vec<u32>, Schema) {
        let taps = self.watched.get(&signal.port).cloned().unwrap_or_default();
        let unknown = || Schema::Struct { name: String::new(), fields: Vec::new() };
        (taps, self.schemas.get(&signal.port).cloned().unwrap_or_else(unknown))
    }
}

fn output<'a>(wiring: &'a Wiring, at: &PortAt) -> Option<&'a PortDescription> {
    let mut ports = wiring.owner(at).interface.ports.iter();
    ports.find(|port| port.direction == Direction::Output && port.name == at.port)
}

fn channel_of(name: String, port: &PortDescription) -> Channel {
    let schema = port.value.schema();
    let unit = port.units.of("").to_string();
    let leaf_units = schema.leaves().into_iter().map(|leaf| {
        let unit = port.units.of(&leaf.path).to_string();
        (leaf.path, unit)
    });
    let continuous = port.value.is_continuous();
    let leaf_units: BTreeMap<String, String> =
        leaf_units.filter(|(_, leaf)| *leaf != unit && !continuous).collect();
    let kind = match (continuous, port.kind) {
        (true, _) => Kind::Continuous,
        (_, PortKind::Event) => Kind::Event,
        (_, PortKind::Signal) => Kind::Signal,
    };
    let frame = port.frame.clone().unwrap_or_default();
    Channel { name, schema, unit, leaf_units, frame, doc: port.doc.clone(), kind }
}

/// How often requirements look at continuous signals between their events: about 20 000 times in a
/// run, at a period of 1, 2 or 5 times a power of ten.
fn ticks(duration: Duration) -> Rate {
    let wanted = (duration.as_ps() / 20_000).max(1_000_000);
    let mut period = 1_000_000u64;
    while let Some(next) = [2, 5, 10].map(|f| period * f).into_iter().rev().find(|p| *p <= wanted) {
        if next == period {
            break;
        }
        period = next;
    }
    Rate::from_period(Duration::from_ps(period)).unwrap_or(Rate::hz(1000))
}
