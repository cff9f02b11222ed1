//! From a few knobs to a random system.

use ironbird_kernel::{Duration, RandomStream, Rate, Seed, Time};

use super::Knobs;
use super::behaviour::{AtomicPlan, CpuPlan, PortType};
use super::plan::{
    ActionPlan, InputPlan, KindPlan, LinkPlan, ModelPlan, MonitorPlan, Plan, PortAt, PortStretch,
    Stretch, Whom,
};

const END: u64 = 8_000_000_000;
const SHORTEST: Duration = Duration::from_us(10);

/// Time advances and latencies: equal to periods, tiny, and in between. In picoseconds.
const SPANS: [u64; 8] =
    [1, 2, 1_000, 100_000_000, 333_333_334, 1_000_000_000, 250_000_000, 1_999_999_999];

struct Generator {
    random: RandomStream,
    knobs: Knobs,
    plan: Plan,
}

/// A random system; the same for the same knobs.
pub fn generate(knobs: &Knobs) -> Plan {
    let plan = Plan {
        seed: Seed { seed: knobs.seed, repetition: knobs.seed >> 60 },
        composites: vec![(0, String::new())],
        models: Vec::new(),
        links: Vec::new(),
        exits: Vec::new(),
        entries: Vec::new(),
        fields: (0..knobs.fields).map(|f| 3 + f as i64).collect(),
        script: Vec::new(),
        monitors: Vec::new(),
        end: Time::from_ps(END),
        may_be_cut: true,
    };
    let random = RandomStream::from_key(knobs.seed);
    let mut generator = Generator { random, knobs: knobs.clone(), plan };
    generator.composites();
    generator.models();
    generator.links();
    generator.monitors();
    generator.separate_run_aheads();
    generator.script();
    generator.plan
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    fn percent(&mut self, percent: u64) -> bool {
        self.random.below(100) < percent
    }

    fn span(&mut self) -> u64 {
        match self.below(SPANS.len() + 2) {
            choice if choice < SPANS.len() => SPANS[choice],
            _ => 1 + self.random.below(3_000_000_000),
        }
    }

    fn rate(&mut self) -> Rate {
        let rates = [(1_000, 1), (3_000, 1), (7, 3), (2_000, 3), (500, 1), (12_345, 7), (4_000, 1)];
        let (numerator, denominator) = rates[self.below(rates.len())];
        Rate::new(numerator, denominator).expect("a fine rate")
    }

    fn composites(&mut self) {
        for number in 1..=self.knobs.composites {
            let parent = self.below(number);
            let name = if self.percent(50) { format!("x[{}]", number + 7) } else { "ab".into() };
            let taken = self.plan.composites.iter().skip(1).any(|c| *c == (parent, name.clone()));
            let name = if taken { format!("c{number}") } else { name };
            self.plan.composites.push((parent, name));
        }
    }

    fn models(&mut self) {
        let Knobs { atomics, periodics, run_aheads, fields, .. } = self.knobs;
        for number in 0..atomics + periodics + run_aheads {
            let stem = ["x", "m", "z-"][self.below(3)];
            let name = match stem {
                "x" => format!("x[{}]", 100 - number % 95),
                _ => format!("{stem}{number}"),
            };
            let kind = if number < atomics {
                let choices = 1 + self.below(4);
                let mut delays: Vec<u64> = (0..choices).map(|_| self.span()).collect();
                if self.percent(30) {
                    delays.push(0);
                }
                KindPlan::Atomic(AtomicPlan {
                    delays,
                    energy: 3 + self.below(60) as u32,
                    hops: self.below(4) as u32,
                    external_first: self.percent(30),
                })
            } else if number < atomics + periodics {
                KindPlan::Periodic(self.rate())
            } else {
                let rates = [(1_000_000, 1), (700_000, 3), (3_000, 1), (123_456, 1)];
                let (numerator, denominator) = rates[self.below(4)];
                let slow = numerator < 10_000;
                KindPlan::RunAhead(CpuPlan {
                    rate: Rate::new(numerator, denominator).expect("a fine rate"),
                    shows_every: if slow { 2 } else { 40 + self.random.below(400) },
                    awake: if self.percent(50) { u32::MAX } else { 300 },
                })
            };
            let event_driven = !matches!(kind, KindPlan::Periodic(_));
            let inputs = 1 + self.below(4);
            let inputs = (0..inputs).map(|_| self.input(event_driven)).collect();
            let outputs = 1 + self.below(4);
            let model = ModelPlan {
                parent: self.below(self.plan.composites.len()),
                name,
                salt: self.random.bits(),
                inputs,
                outputs: (0..outputs).map(|_| self.port_type()).collect(),
                draws: self.percent(60),
                asks: (fields > 0 && self.percent(60)).then(|| self.below(fields)),
                priority: None,
                kind,
            };
            self.plan.models.push(model);
        }
    }

    fn port_type(&mut self) -> PortType {
        [PortType::Note, PortType::Note, PortType::Real, PortType::Reading][self.below(4)]
    }

    fn input(&mut self, may_wake: bool) -> InputPlan {
        let of = self.port_type();
        let waking = of == PortType::Note || (may_wake && self.percent(50));
        InputPlan { of, waking, unlinked: false }
    }

    fn stretch(&mut self, immediate_percent: u64, event: bool) -> Stretch {
        let mut stretch = Stretch::default();
        if !self.percent(immediate_percent) {
            if !event && self.percent(25) {
                stretch.previous = true;
            } else {
                stretch.latency = Duration::from_ps(self.span());
            }
        }
        if self.percent(self.knobs.disturbed_percent) {
            let mut delays = vec![0];
            if self.percent(60) {
                delays.extend([self.span(), self.span()]);
            }
            let drop_percent = [0, 10, 50][self.below(3)];
            stretch.disturbance = Some((drop_percent, delays));
        }
        stretch
    }

    fn sources(&self, of: PortType) -> Vec<PortAt> {
        let models = self.plan.models.iter().enumerate();
        let ports = models.flat_map(|(m, model)| (0..model.outputs.len()).map(move |p| (m, p)));
        ports.filter(|&(m, p)| self.plan.models[m].outputs[p] == of).collect()
    }

    fn links(&mut self) {
        for model in 0..self.plan.models.len() {
            for port in 0..self.plan.models[model].inputs.len() {
                let of = self.plan.models[model].inputs[port].of;
                let mut sources = self.sources(of);
                if of == PortType::Real {
                    // A part of what they show.
                    sources.extend(self.sources(PortType::Reading));
                }
                if sources.is_empty() {
                    let input = &mut self.plan.models[model].inputs[port];
                    (input.unlinked, input.waking) = (true, of == PortType::Note);
                    continue;
                }
                let count = match of {
                    PortType::Note => self.random.below(self.knobs.fan_in + 1),
                    _ => 1,
                };
                for _ in 0..count {
                    let from = sources[self.below(sources.len())];
                    let same = |link: &LinkPlan| (link.from, link.to) == (from, (model, port));
                    if !self.knobs.parallel && self.plan.links.iter().any(same) {
                        continue;
                    }
                    self.link(from, (model, port), of == PortType::Note);
                }
            }
        }
        self.open_periodic_circles();
    }

    fn link(&mut self, from: PortAt, to: PortAt, event: bool) {
        let (outer, inner) = (self.plan.models[from.0].parent, self.plan.models[to.0].parent);
        // A port of the source's composite leads out of it, one of the target's into it.
        let leaves = outer != 0 && !self.plan.is_inside(to.0, outer);
        let enters = inner != 0 && !self.plan.is_inside(from.0, inner);
        let exit = leaves && self.percent(50);
        let entry = enters && self.percent(50);
        let immediate_percent = self.knobs.immediate_percent;
        let exit = exit.then(|| {
            let known = self.plan.exits.iter().position(|e| e.from == from);
            known.unwrap_or_else(|| {
                let stretch = self.stretch(90, event);
                self.plan.exits.push(PortStretch { from, composite: outer, stretch });
                self.plan.exits.len() - 1
            })
        });
        let entry = entry.then(|| {
            let entries = &self.plan.entries;
            // One source for each port, so one way to it.
            let same = |e: &PortStretch| e.from == from && e.composite == inner;
            let known = entries.iter().position(same);
            known.unwrap_or_else(|| {
                let stretch = self.stretch(90, event);
                self.plan.entries.push(PortStretch { from, composite: inner, stretch });
                self.plan.entries.len() - 1
            })
        });
        // An entry is fed either by the exit or by the model itself, the same for all its readers.
        let exit = match entry {
            Some(entry) => {
                let other = self.plan.links.iter().find(|l| l.entry == Some(entry));
                other.map_or(exit, |link| link.exit)
            }
            None => exit,
        };
        let stretch = self.stretch(immediate_percent, event);
        self.plan.links.push(LinkPlan { from, to, exit, entry, stretch });
    }

    /// Periodic components read lower numbers at once; one link may lead back, and the component it
    /// leads to goes first.
    fn open_periodic_circles(&mut self) {
        let mut back_to = None;
        for number in 0..self.plan.links.len() {
            let way = self.plan.ways().swap_remove(number);
            let periodic = |m: usize| matches!(self.plan.models[m].kind, KindPlan::Periodic(_));
            let (from, to) = (way.from.0, way.to.0);
            let at_once = way.latency == Duration::ZERO;
            if !at_once || from < to || from == to || !periodic(from) || !periodic(to) {
                continue;
            }
            if back_to.is_none() {
                back_to = Some(to);
                self.plan.models[to].priority = Some(-3);
            } else {
                self.plan.links[number].stretch.latency = Duration::EPSILON;
            }
        }
    }

    fn monitors(&mut self) {
        let mut with_run_ahead = false;
        let signals: Vec<PortAt> =
            [self.sources(PortType::Real), self.sources(PortType::Reading)].concat();
        if signals.is_empty() {
            return;
        }
        for number in 0..self.knobs.monitors {
            let watched: Vec<PortAt> =
                (0..1 + self.below(2)).map(|_| signals[self.below(signals.len())]).collect();
            let ends = self.knobs.stops && self.percent(60);
            let count = 1 + self.below(2);
            let actions = (!ends).then(|| (0..count).map(|_| self.action(true)).collect());
            let monitor = MonitorPlan {
                name: format!("monitor {number}"),
                watched,
                divisor: 2 + self.random.below(12),
                after: Time::from_ps(self.random.below(END / 2)),
                actions,
            };
            let run_ahead = |m: usize| matches!(self.plan.models[m].kind, KindPlan::RunAhead(_));
            let concerned = self.plan.joined_by(&monitor).into_iter().any(run_ahead);
            if concerned && with_run_ahead {
                continue;
            }
            with_run_ahead |= concerned;
            self.plan.monitors.push(monitor);
        }
        // One run-ahead model at most is concerned by all monitors together; see below.
        let models = self.plan.monitors.iter().flat_map(|m| self.plan.joined_by(m));
        let run_ahead = |m: &usize| matches!(self.plan.models[*m].kind, KindPlan::RunAhead(_));
        let mut concerned: Vec<usize> = models.filter(run_ahead).collect();
        concerned.sort_unstable();
        concerned.dedup();
        if concerned.len() > 1 {
            self.plan.monitors.clear();
        }
    }

    /// Partitions with a run-ahead model among them advance by the latency of their links at a time,
    /// so a system with such models either has no very short latencies or stays in one partition.
    /// Two run-ahead models that reach each other at once could never advance.
    fn separate_run_aheads(&mut self) {
        let run_ahead = |m: usize| matches!(self.plan.models[m].kind, KindPlan::RunAhead(_));
        let all: Vec<usize> = (0..self.plan.models.len()).filter(|&m| run_ahead(m)).collect();
        if all.is_empty() {
            return;
        }
        self.plan.may_be_cut = self.percent(75);
        for (number, way) in self.plan.ways().into_iter().enumerate() {
            let short = way.latency > Duration::ZERO && way.latency < SHORTEST;
            if short && (self.plan.may_be_cut || (all.contains(&way.to.0) && all.len() > 1)) {
                self.plan.links[number].stretch.latency = SHORTEST;
            }
        }
        let least = self.plan.least_latencies();
        let short = |a: usize, b: usize| least[a][b].saturating_add(least[b][a]) < SHORTEST.as_ps();
        if all.iter().any(|&a| all.iter().any(|&b| a != b && short(a, b))) {
            for link in self.plan.links.iter_mut().filter(|link| all.contains(&link.to.0)) {
                link.stretch.latency = link.stretch.latency.max(SHORTEST);
            }
        }
    }

    fn whom(&mut self) -> Whom {
        if self.plan.composites.len() > 1 && self.percent(25) {
            Whom::Composite(1 + self.below(self.plan.composites.len() - 1))
        } else {
            Whom::Model(self.below(self.plan.models.len()))
        }
    }

    fn action(&mut self, of_monitor: bool) -> ActionPlan {
        let model = self.below(self.plan.models.len());
        let value = 1 + self.below(9) as i64;
        let named: Vec<String> =
            self.plan.ways().into_iter().flat_map(|way| way.passed).map(|(name, _)| name).collect();
        let periodic = matches!(self.plan.models[model].kind, KindPlan::Periodic(_));
        let atomic = matches!(self.plan.models[model].kind, KindPlan::Atomic(_));
        match self.below(8) {
            0 if atomic && !of_monitor => {
                ActionPlan::SetModel { model, name: "pace", value: self.span() as i64 }
            }
            1 if !named.is_empty() => {
                ActionPlan::SetLink { link: named[self.below(named.len())].clone(), value }
            }
            2 if periodic => ActionPlan::SetRate { model, rate: self.rate() },
            3 => ActionPlan::Stop(self.whom()),
            4 => ActionPlan::Start(self.whom()),
            // A reset gives its energy back: a monitor could keep a fast model going for ever.
            5 if !of_monitor => ActionPlan::Reset(self.whom()),
            5 if periodic => ActionPlan::Reset(Whom::Model(model)),
            6 if self.knobs.fields > 0 && !of_monitor => {
                ActionPlan::SetField { field: self.below(self.knobs.fields), value }
            }
            _ => ActionPlan::SetModel { model, name: "gain", value },
        }
    }

    fn script(&mut self) {
        let mut at = Time::ZERO;
        for _ in 0..self.knobs.actions {
            at = match self.below(4) {
                0 => at,
                1 => Time::from_ps(1_000_000_000 * self.random.below(8)),
                _ => Time::from_ps(self.random.below(END)),
            };
            let action = self.action(false);
            self.plan.script.push((at, action));
        }
        self.plan.script.sort_by_key(|(at, _)| *at);
        // Something at the last instant, so that no single step leads past the end.
        let last = Time::from_ps(END - 1);
        self.plan.script.push((last, ActionPlan::SetModel { model: 0, name: "gain", value: 1 }));
    }
}
