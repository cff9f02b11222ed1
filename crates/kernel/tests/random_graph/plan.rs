//! A random system as plain data, from which the kernel's graph and the oracle are both built.

use ironbird_kernel::{Duration, Rate, Seed, Time};

use super::behaviour::{AtomicPlan, CpuPlan, PortType};

/// A random system and what happens to it.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: Seed,
    /// Parent and name; number 0 is the root. A parent has the lower number.
    pub composites: Vec<(usize, String)>,
    pub models: Vec<ModelPlan>,
    pub links: Vec<LinkPlan>,
    /// Stretches of links that go through a port of a composite, shared by all that use it.
    pub exits: Vec<PortStretch>,
    pub entries: Vec<PortStretch>,
    /// Strength of each query provider, `field[0]`, `field[1]` ….
    pub fields: Vec<i64>,
    pub script: Vec<(Time, ActionPlan)>,
    pub monitors: Vec<MonitorPlan>,
    pub end: Time,
    /// Whether it may be spread over partitions.
    pub may_be_cut: bool,
}

#[derive(Clone, Debug)]
pub struct ModelPlan {
    pub parent: usize,
    pub name: String,
    pub salt: u64,
    pub inputs: Vec<InputPlan>,
    pub outputs: Vec<PortType>,
    pub draws: bool,
    /// The provider that answers its queries.
    pub asks: Option<usize>,
    pub priority: Option<i32>,
    pub kind: KindPlan,
}

#[derive(Clone, Debug)]
pub enum KindPlan {
    Atomic(AtomicPlan),
    Periodic(Rate),
    RunAhead(CpuPlan),
}

#[derive(Clone, Copy, Debug)]
pub struct InputPlan {
    pub of: PortType,
    pub waking: bool,
    /// A signal without a source.
    pub unlinked: bool,
}

/// A model's port: number of the model, number of the port.
pub type PortAt = (usize, usize);

/// How one stretch of a link carries values.
#[derive(Clone, Debug, Default)]
pub struct Stretch {
    pub latency: Duration,
    pub previous: bool,
    /// Drop percentage and possible delays; the name is that of the stretch.
    pub disturbance: Option<(u64, Vec<u64>)>,
}

/// The stretch between a model's output and a port of a composite that stands for it: out of the
/// composite it lies in (`exits`), or into the one where readers are (`entries`).
#[derive(Clone, Debug)]
pub struct PortStretch {
    pub from: PortAt,
    pub composite: usize,
    pub stretch: Stretch,
}

#[derive(Clone, Debug)]
pub struct LinkPlan {
    pub from: PortAt,
    pub to: PortAt,
    /// Numbers in `exits` and `entries` that the link goes through.
    pub exit: Option<usize>,
    pub entry: Option<usize>,
    /// The last stretch, to the reader.
    pub stretch: Stretch,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ActionPlan {
    SetModel { model: usize, name: &'static str, value: i64 },
    SetField { field: usize, value: i64 },
    SetLink { link: String, value: i64 },
    Stop(Whom),
    Start(Whom),
    Reset(Whom),
    SetRate { model: usize, rate: Rate },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    Model(usize),
    Composite(usize),
}

/// Looks at a number in a hash of the watched signals.
#[derive(Clone, Debug)]
pub struct MonitorPlan {
    pub name: String,
    pub watched: Vec<PortAt>,
    /// True when the hash of what it sees is divisible by this.
    pub divisor: u64,
    /// Before this it never holds.
    pub after: Time,
    /// `None` ends the run.
    pub actions: Option<Vec<ActionPlan>>,
}

/// A link from model to model, as it is when hierarchy is gone.
#[derive(Clone, Debug)]
pub struct Way {
    pub from: PortAt,
    pub to: PortAt,
    pub latency: Duration,
    /// Names of the interposers passed, in order, with what they do.
    pub passed: Vec<(String, (u64, Vec<u64>))>,
}

impl Plan {
    pub fn composite_path(&self, composite: usize) -> String {
        let (parent, name) = &self.composites[composite];
        match (composite, parent) {
            (0, _) => String::new(),
            (_, 0) => name.clone(),
            (_, parent) => format!("{}.{name}", self.composite_path(*parent)),
        }
    }

    pub fn path(&self, model: usize) -> String {
        let ModelPlan { parent, name, .. } = &self.models[model];
        match parent {
            0 => name.clone(),
            parent => format!("{}.{name}", self.composite_path(*parent)),
        }
    }

    pub fn is_inside(&self, model: usize, composite: usize) -> bool {
        let mut at = self.models[model].parent;
        while at != composite && at != 0 {
            at = self.composites[at].0;
        }
        at == composite
    }

    /// The models that an action on somebody reaches.
    pub fn reached(&self, whom: Whom) -> Vec<usize> {
        match whom {
            Whom::Model(model) => vec![model],
            Whom::Composite(composite) => {
                (0..self.models.len()).filter(|&m| self.is_inside(m, composite)).collect()
            }
        }
    }

    pub fn whom_path(&self, whom: Whom) -> String {
        match whom {
            Whom::Model(model) => self.path(model),
            Whom::Composite(composite) => self.composite_path(composite),
        }
    }

    /// Whether a link carries a part of what its source shows.
    pub fn selects(&self, link: &LinkPlan) -> bool {
        let (from, to) = (link.from, link.to);
        self.models[from.0].outputs[from.1] != self.models[to.0].inputs[to.1].of
    }

    /// The stretches of a link in order, each with the name of its interposer if it has one.
    pub fn stretches(&self, link: usize) -> Vec<(String, &Stretch)> {
        let LinkPlan { exit, entry, stretch, .. } = &self.links[link];
        let exit = exit.map(|e| (format!("exit {e}"), &self.exits[e].stretch));
        let entry = entry.map(|e| (format!("entry {e}"), &self.entries[e].stretch));
        exit.into_iter().chain(entry).chain([(format!("link {link}"), stretch)]).collect()
    }

    /// All links without hierarchy: latencies add up, and `previous` is a latency of at least one
    /// picosecond.
    pub fn ways(&self) -> Vec<Way> {
        (0..self.links.len())
            .map(|number| {
                let stretches = self.stretches(number);
                let latency = stretches.iter().fold(Duration::ZERO, |sum, (_, s)| sum + s.latency);
                let previous = stretches.iter().any(|(_, s)| s.previous);
                let passed = stretches.into_iter();
                let passed = passed.filter_map(|(name, s)| Some((name, s.disturbance.clone()?)));
                let LinkPlan { from, to, .. } = self.links[number];
                let least = if previous { Duration::EPSILON } else { Duration::ZERO };
                Way { from, to, latency: latency.max(least), passed: passed.collect() }
            })
            .collect()
    }

    /// The models that a monitor joins to one placement unit.
    pub fn joined_by(&self, monitor: &MonitorPlan) -> Vec<usize> {
        let mut models: Vec<usize> = monitor.watched.iter().map(|&(model, _)| model).collect();
        for action in monitor.actions.iter().flatten() {
            match action {
                ActionPlan::SetModel { model, .. } | ActionPlan::SetRate { model, .. } => {
                    models.push(*model);
                }
                ActionPlan::Stop(whom) | ActionPlan::Start(whom) | ActionPlan::Reset(whom) => {
                    models.extend(self.reached(*whom));
                }
                ActionPlan::SetLink { link, .. } => {
                    let on = |way: &&Way| way.passed.iter().any(|(name, _)| name == link);
                    models.extend(self.ways().iter().filter(on).map(|way| way.from.0));
                }
                ActionPlan::SetField { .. } => {}
            }
        }
        models
    }

    /// The placement unit of each model, named by its first member.
    pub fn units(&self) -> Vec<usize> {
        let mut unit: Vec<usize> = (0..self.models.len()).collect();
        let mut join = |a: usize, b: usize| {
            let (a, b) = (unit[a].min(unit[b]), unit[a].max(unit[b]));
            unit.iter_mut().filter(|u| **u == b).for_each(|u| *u = a);
        };
        for way in self.ways().iter().filter(|way| way.latency == Duration::ZERO) {
            join(way.from.0, way.to.0);
        }
        for monitor in &self.monitors {
            self.joined_by(monitor).windows(2).for_each(|pair| join(pair[0], pair[1]));
        }
        unit
    }

    /// The least latency from each model to each other in picoseconds, over links and monitors. What comes to a periodic
    /// model over a link waits for its next step, so no way leads on from there.
    pub fn least_latencies(&self) -> Vec<Vec<u64>> {
        let count = self.models.len();
        let is_periodic = |model: usize| matches!(self.models[model].kind, KindPlan::Periodic(_));
        let (last, leading_on): (Vec<Way>, Vec<Way>) =
            self.ways().into_iter().partition(|way| is_periodic(way.to.0));
        let mut least = vec![vec![u64::MAX; count]; count];
        for way in leading_on {
            let known = &mut least[way.from.0][way.to.0];
            *known = way.latency.as_ps().min(*known);
        }
        for monitor in &self.monitors {
            let joined = self.joined_by(monitor);
            for (&a, &b) in joined.iter().flat_map(|a| joined.iter().map(move |b| (a, b))) {
                least[a][b] = 0;
            }
        }
        (0..count).for_each(|model| least[model][model] = 0);
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    let around = least[from][middle].saturating_add(least[middle][to]);
                    least[from][to] = least[from][to].min(around);
                }
            }
        }
        let on_the_way = least.clone();
        for (from, of_source) in least.iter_mut().enumerate() {
            for way in &last {
                let whole = on_the_way[from][way.from.0].saturating_add(way.latency.as_ps());
                of_source[way.to.0] = of_source[way.to.0].min(whole);
            }
        }
        least
    }
}
