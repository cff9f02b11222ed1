//! What random models do, as plain data and plain functions: the kernel's adapters and the oracle
//! both call these, and nothing here knows who calls.

use ironbird_kernel::{
    Advance, Duration, Grid, Parameter, ParameterError, Payload, RandomStream, Rate, Time, Value,
};
use serde::{Deserialize, Serialize};

/// What event ports carry. `hops` bounds how often it causes others in the same instant.
#[derive(Clone, Debug, PartialEq, Value)]
pub struct Note {
    pub hash: u64,
    pub real: f64,
    pub hops: u32,
    pub bytes: Payload,
}

/// What some signal ports hold; the others hold an `f64`.
#[derive(Clone, Debug, PartialEq, Value)]
pub struct Reading {
    pub hash: u64,
    pub level: f64,
    pub hops: u32,
}

impl Reading {
    /// The leaf that a link into a real number carries.
    pub const LEVEL: usize = 1;

    pub fn first(salt: u64) -> Self {
        Reading { hash: salt, level: real_of(salt), hops: 0 }
    }
}

/// A value of any of the three port types.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Note(Note),
    Real(f64),
    Reading(Reading),
}

impl Item {
    /// What a link into a real number carries of it.
    pub fn level(self) -> Item {
        match self {
            Item::Reading(reading) => Item::Real(reading.level),
            other => other,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortType {
    Note,
    Real,
    Reading,
}

/// What a model sees at one input port; signals with whether they were written now.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrived {
    Notes(Vec<Note>),
    Real(f64, bool),
    Reading(Reading, bool),
}

/// What a model writes, by port, in the order written.
pub type Shown = Vec<(usize, Item)>;

pub fn mix(a: u64, b: u64) -> u64 {
    let mixed = (a ^ b.rotate_left(23)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 27)
}

/// In [0, 1).
pub fn real_of(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1u64 << 53) as f64
}

/// The part of the state that all kinds share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Core {
    pub hash: u64,
    pub level: f64,
    pub gain: i64,
}

impl Core {
    pub fn new(salt: u64) -> Self {
        Core { hash: mix(salt, 1), level: real_of(salt), gain: 1 }
    }

    fn take(&mut self, port: usize, hash: u64, real: f64) {
        self.hash = mix(self.hash, mix(hash, port as u64));
        self.level = libm::sin(self.level + real * self.gain as f64);
    }

    /// Draws as many numbers as the state says: none to two.
    fn draw(&mut self, random: Option<&mut RandomStream>) {
        let Some(random) = random else { return };
        for _ in 0..self.hash % 3 {
            self.hash = mix(self.hash, random.below(1_000_003));
            self.level = libm::cos(self.level + random.normal());
        }
    }

    /// Takes in all that arrived; the most hops of anything.
    fn absorb(&mut self, inputs: &[Arrived]) -> u32 {
        let mut hops = 0;
        for (port, arrived) in inputs.iter().enumerate() {
            match arrived {
                Arrived::Notes(notes) => {
                    for note in notes {
                        let bytes = note.bytes.iter().fold(0, |sum, &b| mix(sum, u64::from(b)));
                        self.take(port, note.hash ^ bytes, note.real);
                        hops = hops.max(note.hops);
                    }
                }
                Arrived::Real(value, written) => {
                    self.take(port, value.to_bits() ^ u64::from(*written), *value);
                }
                Arrived::Reading(reading, written) => {
                    self.take(port, reading.hash ^ u64::from(*written), reading.level);
                    hops = hops.max(if *written { reading.hops } else { 0 });
                }
            }
        }
        hops
    }

    /// A function of the state alone: which ports, how often, what.
    fn show(&self, outputs: &[PortType], hops: u32) -> Shown {
        let mut shown = Vec::new();
        for (port, kind) in outputs.iter().enumerate() {
            let hash = mix(self.hash, 100 + port as u64);
            let level = libm::atan2(self.level, 1.0 + real_of(hash));
            match kind {
                PortType::Note => {
                    for index in 0..[0, 1, 1, 2][(hash % 4) as usize] {
                        let hash = mix(hash, index);
                        let length =
                            if hash.is_multiple_of(5) { (hash >> 40) as usize % 40 } else { 0 };
                        let bytes = Payload::new(vec![hash as u8; length]);
                        shown.push((port, Item::Note(Note { hash, real: level, hops, bytes })));
                    }
                }
                PortType::Real if !hash.is_multiple_of(4) => shown.push((port, Item::Real(level))),
                PortType::Reading if !hash.is_multiple_of(4) => {
                    shown.push((port, Item::Reading(Reading { hash, level, hops })));
                    if hash % 8 == 1 {
                        let hash = !hash;
                        shown.push((port, Item::Reading(Reading { hash, level, hops })));
                    }
                }
                _ => {}
            }
        }
        // The order in which a model writes its ports must not matter.
        if self.hash.is_multiple_of(2) {
            shown.sort_by_key(|(port, _)| std::cmp::Reverse(*port));
        }
        shown
    }

    /// Before the first instant: reads linked signals, and may replace own ones.
    pub fn initialize(
        &mut self,
        inputs: &[Arrived],
        outputs: &[PortType],
        answer: f64,
        random: Option<&mut RandomStream>,
    ) -> Shown {
        self.absorb(inputs);
        self.level = libm::sin(self.level + answer);
        self.draw(random);
        let signals = |(_, item): &(usize, Item)| !matches!(item, Item::Note(_));
        self.show(outputs, 0).into_iter().filter(signals).collect()
    }

    fn set_gain(&mut self, name: &str, value: &Parameter) -> Result<(), ParameterError> {
        match (name, value) {
            ("gain", Parameter::Integer(gain)) => {
                self.gain = *gain;
                Ok(())
            }
            _ => Err(ParameterError::Unknown { name: name.into() }),
        }
    }
}

/// The constants of an event-driven model.
#[derive(Clone, Debug)]
pub struct AtomicPlan {
    /// Possible time advances, in picoseconds.
    pub delays: Vec<u64>,
    /// Internal transitions before it only reacts.
    pub energy: u32,
    pub hops: u32,
    pub external_first: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtomicState {
    pub core: Core,
    sigma: Duration,
    hops: u32,
    energy: u32,
}

impl AtomicState {
    pub fn new(plan: &AtomicPlan, salt: u64) -> Self {
        let sigma = Duration::from_ps(plan.delays[salt as usize % plan.delays.len()]);
        AtomicState { core: Core::new(salt), sigma, hops: plan.hops, energy: plan.energy }
    }

    pub fn time_advance(&self) -> Duration {
        self.sigma
    }

    pub fn output(&self, outputs: &[PortType]) -> Shown {
        self.core.show(outputs, self.hops)
    }

    fn new_delay(&mut self, plan: &AtomicPlan) {
        let choice = (self.core.hash >> 7) as usize % plan.delays.len();
        self.sigma = Duration::from_ps(plan.delays[choice]);
    }

    pub fn internal(&mut self, plan: &AtomicPlan, now: Time, random: Option<&mut RandomStream>) {
        self.core.hash = mix(self.core.hash, now.as_ps());
        self.core.draw(random);
        self.energy = self.energy.saturating_sub(1);
        self.hops = plan.hops;
        if self.energy == 0 {
            self.sigma = Duration::FOREVER;
        } else {
            self.new_delay(plan);
        }
    }

    pub fn external(
        &mut self,
        plan: &AtomicPlan,
        elapsed: Duration,
        inputs: &[Arrived],
        answer: f64,
        random: Option<&mut RandomStream>,
    ) {
        self.core.hash = mix(self.core.hash, elapsed.as_ps());
        let hops = self.core.absorb(inputs);
        self.core.level = libm::sin(self.core.level + answer);
        self.core.draw(random);
        if hops > 0 && self.core.hash.is_multiple_of(2) {
            (self.sigma, self.hops) = (Duration::ZERO, hops - 1);
        } else if self.energy > 0 && self.core.hash % 8 == 1 {
            self.new_delay(plan);
        } else if !self.sigma.is_forever() {
            self.sigma = Duration::from_ps(self.sigma.as_ps().saturating_sub(elapsed.as_ps()));
        }
    }

    /// `pace` replaces the time advance, so that the kernel has to reconsider it.
    pub fn set_parameter(&mut self, name: &str, value: &Parameter) -> Result<(), ParameterError> {
        match (name, value) {
            ("pace", Parameter::Integer(ps)) if *ps >= 0 => {
                self.sigma = Duration::from_ps(*ps as u64);
                Ok(())
            }
            _ => self.core.set_gain(name, value),
        }
    }
}

/// One step of a periodic model, whose whole state is its core.
pub fn periodic_step(
    core: &mut Core,
    tick: u64,
    inputs: &[Arrived],
    answer: f64,
    random: Option<&mut RandomStream>,
    outputs: &[PortType],
) -> Shown {
    core.hash = mix(core.hash, tick);
    core.absorb(inputs);
    core.level = libm::exp(-core.level * core.level) + 0.1 * answer;
    core.draw(random);
    core.show(outputs, 2)
}

pub fn set_periodic_parameter(
    core: &mut Core,
    name: &str,
    value: &Parameter,
) -> Result<(), ParameterError> {
    core.set_gain(name, value)
}

/// The constants of a run-ahead model: a small virtual CPU.
#[derive(Clone, Debug)]
pub struct CpuPlan {
    pub rate: Rate,
    /// One instruction in this many shows something.
    pub shows_every: u64,
    /// Instructions after which it sleeps until something arrives.
    pub awake: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CpuState {
    pub core: Core,
    anchor: Option<Time>,
    next: u64,
    awake: u32,
}

impl CpuState {
    pub fn new(plan: &CpuPlan, salt: u64) -> Self {
        CpuState { core: Core::new(salt), anchor: None, next: 0, awake: plan.awake }
    }

    /// Instruction k starts at tick k of the clock; what passed while it was stopped is skipped.
    fn clock(&mut self, plan: &CpuPlan, now: Time) -> Grid {
        let grid = Grid::new(*self.anchor.get_or_insert(now), plan.rate);
        self.next = self.next.max(grid.first_tick_from(now));
        grid
    }

    pub fn advance(
        &mut self,
        plan: &CpuPlan,
        now: Time,
        until: Time,
        random: Option<&mut RandomStream>,
    ) -> Advance {
        if self.awake == 0 {
            return Advance::Idle;
        }
        let grid = self.clock(plan, now);
        loop {
            let at = grid.tick(self.next);
            if at >= until {
                return Advance::Reached;
            }
            self.core.hash = mix(self.core.hash, self.next);
            self.next += 1;
            self.awake -= 1;
            if self.core.hash.is_multiple_of(plan.shows_every) {
                self.core.draw(random);
                return Advance::Output(at);
            }
            if self.awake == 0 {
                return Advance::Idle;
            }
        }
    }

    pub fn output(&self, outputs: &[PortType]) -> Shown {
        self.core.show(outputs, 2)
    }

    pub fn input(
        &mut self,
        plan: &CpuPlan,
        now: Time,
        inputs: &[Arrived],
        answer: f64,
        random: Option<&mut RandomStream>,
    ) {
        self.core.absorb(inputs);
        self.core.level = libm::sin(self.core.level + answer);
        self.core.draw(random);
        self.clock(plan, now);
        self.awake = plan.awake;
    }

    pub fn set_parameter(&mut self, name: &str, value: &Parameter) -> Result<(), ParameterError> {
        self.core.set_gain(name, value)
    }
}
