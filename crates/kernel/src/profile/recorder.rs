//! What an engine and its worker tell while they run: the part of a profile that has to be quick.

use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

use super::choice::Choice;
use super::over_time::{MOMENTS, Moments, Waits};
use super::{ComponentCost, LinkLoad, Moment, PartProfile, Wait};
use crate::engine::{Engine, RouteKind};
use crate::graph::Graph;
use crate::time::Time;

/// Rounds without a wait before a worker looks at the clock.
const ROUNDS_PER_LOOK: u32 = 64;

/// A call of so many nanoseconds is taken for an interruption where instants are much quicker …
const LONG: u64 = 1_000_000;
/// … unless there are so many of them.
const NOT_BY_CHANCE: u64 = 8;

/// Long calls of a node: how many were seen, and nanoseconds, as seen and weighted.
#[derive(Clone, Copy, Default)]
struct Long {
    seen: u64,
    plain: u64,
    weighted: u64,
}

impl Long {
    fn spent(self) -> u64 {
        if self.seen < NOT_BY_CHANCE { self.plain } else { self.weighted }
    }
}

/// What an engine's numbers mean, while it is there.
#[derive(Default)]
pub(crate) struct Names {
    /// Path of each node.
    components: Vec<String>,
    /// Slot of the source, and both ends, of each link.
    links: Vec<(u32, String, String)>,
    slots: usize,
}

impl Names {
    pub fn of(engine: &Engine, graph: &Graph) -> Self {
        let nodes = 0..engine.nodes.len() as u32;
        let port = |component: u32, port: u16, is_output: bool| {
            let layout = graph.layout_of(component);
            let ports = if is_output { &layout.outputs } else { &layout.inputs };
            let name = ports.get(usize::from(port)).map_or("?", |spec| &*spec.name);
            format!("{}.{name}", engine.paths.component_path(component))
        };
        let mut links = Vec::new();
        for node in nodes.clone() {
            let source = engine.paths.component(node);
            for (output, slot) in (0_u16..).zip(engine.slots_of(node)) {
                let routes = engine.route_start[slot as usize] as usize
                    ..engine.route_start[slot as usize + 1] as usize;
                for route in &engine.routes[routes] {
                    let (target, input) = match route.kind {
                        RouteKind::Bag => (engine.paths.component(route.target), route.port),
                        RouteKind::Pipe => {
                            let (_, _, target, input, _) = engine.pipes[route.target as usize].key;
                            (target, input)
                        }
                    };
                    links.push((slot, port(source, output, true), port(target, input, false)));
                }
            }
        }
        let components = nodes.map(|node| engine.paths.path(node)).collect();
        Names { components, links, slots: engine.values.outs.len() }
    }
}

/// Keeps the profile of one partition.
pub(crate) struct Recorder {
    origin: Instant,
    began: u64,
    has_begun: bool,
    has_timeline: bool,
    names: Names,
    /// What a reading of the clock takes, in nanoseconds.
    clock: u64,

    /// By node: calls, and nanoseconds; behind the last node what belongs to none.
    calls: Vec<u64>,
    spent: Vec<u64>,
    long: Vec<Long>,
    /// Messages by slot of their source.
    sent: Vec<u64>,
    instants: Choice,
    advances: Choice,
    /// Whether this instant, or this advance, is looked at; since when, who, and how often.
    pub is_looking: bool,
    is_advancing: bool,
    since: Instant,
    in_hand: usize,
    looks: u64,
    beginning: Instant,
    /// Instants of this engine, and of those before it.
    seen: u64,
    seen_before: u64,

    /// Since when it computes.
    awake: Instant,
    rounds: u32,
    wall: u64,
    computing: u64,
    waited: Vec<u64>,
    moments: Moments,
    /// How it was at the end of the last stretch.
    end: Moment,
    waits: Waits,

    /// What engines did that are gone, by names.
    past: BTreeMap<String, (u64, u64)>,
    past_links: BTreeMap<(String, String), u64>,
}

impl Recorder {
    pub fn new(has_timeline: bool) -> Self {
        let origin = Instant::now();
        Recorder {
            origin,
            began: 0,
            has_begun: false,
            has_timeline,
            names: Names::default(),
            clock: cost_of_clock(),
            calls: Vec::new(),
            spent: Vec::new(),
            long: Vec::new(),
            sent: Vec::new(),
            instants: Choice::new(),
            advances: Choice::new(),
            is_looking: false,
            is_advancing: false,
            since: origin,
            in_hand: 0,
            looks: 0,
            beginning: origin,
            seen: 0,
            seen_before: 0,
            awake: origin,
            rounds: 0,
            wall: 0,
            computing: 0,
            waited: Vec::new(),
            moments: Moments::default(),
            end: Moment::default(),
            waits: Waits::default(),
            past: BTreeMap::new(),
            past_links: BTreeMap::new(),
        }
    }

    /// Goes on with another engine, of a system of `partitions`.
    pub fn attach(&mut self, names: Names, partitions: usize) {
        for (path, (calls, spent)) in self.costs() {
            self.past.insert(path, (calls, spent));
        }
        self.past_links = self.loads();
        self.calls = vec![0; names.components.len()];
        self.spent = vec![0; names.components.len() + 1];
        self.long = vec![Long::default(); names.components.len() + 1];
        self.sent = vec![0; names.slots];
        self.names = names;
        self.waited.resize(partitions.max(self.waited.len()), 0);
        (self.is_looking, self.is_advancing) = (false, false);
        self.seen_before += std::mem::take(&mut self.seen);
    }

    /// Calls and nanoseconds of all components, those that are gone included.
    fn costs(&self) -> BTreeMap<String, (u64, u64)> {
        let mut costs = self.past.clone();
        let spent = self.spent.iter().zip(&self.long).map(|(spent, long)| spent + long.spent());
        let here = self.names.components.iter().zip(self.calls.iter().zip(spent));
        for (path, (calls, spent)) in here {
            let cost = costs.entry(path.clone()).or_default();
            *cost = (cost.0 + calls, cost.1 + spent);
        }
        costs
    }

    fn loads(&self) -> BTreeMap<(String, String), u64> {
        let mut loads = self.past_links.clone();
        for (slot, from, to) in &self.names.links {
            *loads.entry((from.clone(), to.clone())).or_default() += self.sent[*slot as usize];
        }
        loads
    }

    /// Instants that may take the quick ways: none of them is looked at.
    pub fn unseen(&self, most: u32) -> u32 {
        self.instants.left.min(u64::from(most)) as u32
    }

    /// So many have passed, none of which was looked at.
    pub fn passed(&mut self, instants: u32) {
        self.instants.left -= u64::from(instants).min(self.instants.left);
    }

    pub fn begin_instant(&mut self) {
        if self.instants.left > 0 {
            self.instants.left -= 1;
            return;
        }
        self.is_looking = true;
        self.looks = 0;
        self.in_hand = self.calls.len();
        self.since = Instant::now();
        self.beginning = self.since;
    }

    pub fn end_instant(&mut self) {
        if self.is_looking {
            self.turn_to(self.calls.len());
            self.is_looking = false;
            let took = (self.since - self.beginning).as_nanos() as u64;
            self.instants.looked(took, self.looks + 1);
        }
    }

    /// From here on time is that of another node.
    pub fn turn_to(&mut self, node: usize) {
        let now = Instant::now();
        let spent = ((now - self.since).as_nanos() as u64).saturating_sub(self.clock);
        self.charge(spent, self.instants.weight);
        (self.since, self.in_hand) = (now, node);
        self.looks += 1;
    }

    /// Nanoseconds of the node in hand, each of which stands for so many.
    fn charge(&mut self, spent: u64, weight: u64) {
        if spent < LONG || weight == 1 {
            self.spent[self.in_hand] += spent * weight;
            return;
        }
        let long = &mut self.long[self.in_hand];
        long.seen += 1;
        long.plain += spent;
        long.weighted += spent * weight;
    }

    /// A node makes a transition or a step.
    #[inline]
    pub fn call(&mut self, node: u32) {
        self.calls[node as usize] += 1;
        if self.is_looking {
            self.turn_to(node as usize);
        }
    }

    /// A run-ahead model is about to advance.
    pub fn begin_advance(&mut self, node: u32) {
        self.call(node);
        if self.is_looking {
            return;
        }
        self.is_advancing = self.advances.left == 0;
        if self.is_advancing {
            self.in_hand = node as usize;
            self.since = Instant::now();
        } else {
            self.advances.left -= 1;
        }
    }

    pub fn end_advance(&mut self) {
        if std::mem::take(&mut self.is_advancing) {
            let took = self.since.elapsed().as_nanos() as u64;
            let spent = took.saturating_sub(self.clock);
            self.charge(spent, self.advances.weight);
            // What it usually takes is what it took: reading the clock is all that looking costs.
            self.advances.looked(spent, 2);
            self.advances.adapt_alone(self.clock);
        }
    }

    /// Nodes have stepped so many times each.
    pub fn stepped(&mut self, nodes: impl Iterator<Item = u32>, times: u32) {
        for node in nodes {
            self.calls[node as usize] += u64::from(times);
        }
    }

    pub fn sent(&mut self, slot: u32, messages: u64) {
        self.sent[slot as usize] += messages;
    }

    /// How many messages an output has sent.
    pub fn sent_by(&self, slot: u32) -> Option<u64> {
        self.sent.get(slot as usize).copied()
    }

    fn wall(&self, at: Instant) -> u64 {
        at.saturating_duration_since(self.origin).as_nanos() as u64
    }

    pub fn begin_stretch(&mut self) {
        self.awake = Instant::now();
        if !std::mem::replace(&mut self.has_begun, true) {
            let began = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            self.began = began.map_or(0, |since| since.as_nanos() as u64);
            self.origin = self.awake;
        } else if self.has_timeline {
            let until = self.wall(self.awake);
            self.waits.keep(Wait { from: self.wall, until, awaited: None });
        }
    }

    /// A stretch has ended: the partition is at `now` after so many instants.
    pub fn end_stretch(&mut self, now: Time, instants: u64) {
        self.computed_until(Instant::now(), now, instants);
        self.end = self.moment(now);
    }

    /// It goes on from here.
    pub fn came_to(&mut self, now: Time, instants: u64) {
        self.computed_until(Instant::now(), now, instants);
    }

    /// It did not wait in this round.
    #[inline]
    pub fn went_on(&mut self, now: Time, instants: u64) {
        self.rounds += 1;
        if self.rounds >= ROUNDS_PER_LOOK {
            self.came_to(now, instants);
        }
    }

    /// It has computed until `at`.
    fn computed_until(&mut self, at: Instant, now: Time, instants: u64) {
        self.rounds = 0;
        self.computing += at.saturating_duration_since(self.awake).as_nanos() as u64;
        self.awake = at;
        self.wall = self.wall(at);
        self.seen = instants;
        self.instants.adapt(self.seen_before + self.seen, self.computing, self.clock);
        if self.moments.is_due(self.wall) {
            let moment = self.moment(now);
            self.moments.keep(moment);
        }
    }

    /// It has waited for a partition.
    pub fn waited(
        &mut self,
        awaited: usize,
        (started, ended): (Instant, Instant),
        now: Time,
        instants: u64,
    ) {
        self.computed_until(started, now, instants);
        let wait = Wait { from: self.wall, until: self.wall(ended), awaited: Some(awaited as u32) };
        self.waited[awaited] += wait.until - wait.from;
        (self.awake, self.wall) = (ended, wait.until);
        if self.has_timeline {
            self.waits.keep(wait);
        }
    }

    fn moment(&self, now: Time) -> Moment {
        // Where a stretch begins, the promises of others say less than what was reached in the one before.
        let now = now.max(self.end.now);
        let now = self.moments.kept.last().map_or(now, |last| last.now.max(now));
        let (wall, computing) = (self.wall, self.computing);
        Moment { wall, now, computing, waited: self.waited.clone() }
    }

    /// Moments from the beginning to the end of the last stretch.
    fn moments(&self) -> Vec<Moment> {
        let mut moments = self.moments.kept.clone();
        if moments.last().is_none_or(|last| last.wall < self.end.wall) {
            moments.truncate(MOMENTS - 1);
            moments.push(self.end.clone());
        }
        moments
    }

    /// The profile of a partition that rests while others went on to `now`.
    pub fn profile_at_rest(&self, now: Time) -> PartProfile {
        let mut profile = self.profile();
        if let Some(last) = profile.moments.last() {
            let wall = self.wall(Instant::now()).max(last.wall);
            let moment = Moment { wall, now: last.now.max(now), ..last.clone() };
            profile.moments.truncate(MOMENTS - 1);
            profile.moments.push(moment);
        }
        profile
    }

    pub fn profile(&self) -> PartProfile {
        let costs = self.costs();
        let estimated: u64 = costs.values().map(|(_, spent)| spent).sum();
        // An estimate; but nobody computes longer than all together.
        let scale = (self.computing as f64 / estimated.max(1) as f64).min(1.0);
        let component = |(path, (calls, spent)): (String, (u64, u64))| ComponentCost {
            path,
            calls,
            computing: (spent as f64 * scale) as u64,
            waited: None,
        };
        let link = |((from, to), sent)| LinkLoad { from, to, sent };
        let mut components: Vec<_> = costs.into_iter().map(component).collect();
        components.sort_by(|a, b| crate::path::compare_paths(&a.path, &b.path));
        PartProfile {
            began: self.began,
            wall: self.wall,
            computing: self.computing,
            waited: self.waited.clone(),
            components,
            links: self.loads().into_iter().map(link).collect(),
            moments: self.moments(),
            waits: self.waits.kept.clone(),
            shortest_wait: self.waits.shortest,
        }
    }
}

/// What a reading of the clock takes, in nanoseconds.
fn cost_of_clock() -> u64 {
    let started = Instant::now();
    let mut last = started;
    for _ in 0..32 {
        last = Instant::now();
    }
    ((last - started).as_nanos() / 32) as u64
}
