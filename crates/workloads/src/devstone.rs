//! DEVStone: synthetic DEVS models of known size whose transitions can be counted on paper.
//!
//! A model has `depth` nested coupled models; the innermost holds one atomic. One event enters at
//! time 0, every atomic passes on what it gets without delay, and no atomic does any work of its
//! own: what is measured is the engine. Glinsky and Wainer, "DEVStone", DS-RT 2005; HOmod: Risco
//! Martín et al., "Reconsidering the performance of DEVS modeling and simulation environments
//! using the DEVStone benchmark", Simulation 2017.

use ironbird_kernel::{
    Atomic, ComponentRef, Context, Duration, EventIn, EventOut, Graph, GraphError, Inputs, Link,
    Model, Outputs, PortKind, Ports,
};

/// How a level is wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wiring {
    /// Low level of interconnections: the level's input goes to each of its w-1 atomics.
    Li,
    /// High input: LI, and atomic i feeds atomic i+1.
    Hi,
    /// High output: HI with a second input for the atomics, whose outputs also leave the level.
    Ho,
    /// HO modified: a triangle of atomics feeds a row that floods the level below.
    HoMod,
}

/// One DEVStone model.
#[derive(Clone, Copy, Debug)]
pub struct Devstone {
    /// How a level is wired.
    pub wiring: Wiring,
    /// Atomics of a level, and one: w.
    pub width: u64,
    /// Nested levels: d.
    pub depth: u64,
}

/// What a run of a DEVStone model comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Atomic models.
    pub atomics: u64,
    /// Internal transitions.
    pub internal: u64,
    /// External transitions.
    pub external: u64,
}

impl Devstone {
    /// A model as wide as it is deep.
    pub const fn square(wiring: Wiring, side: u64) -> Self {
        Devstone { wiring, width: side, depth: side }
    }

    fn has_second_input(self) -> bool {
        matches!(self.wiring, Wiring::Ho | Wiring::HoMod)
    }

    /// How many atomic models there are.
    pub fn atomics(self) -> u64 {
        let (w, d) = (self.width, self.depth);
        match self.wiring {
            Wiring::Li | Wiring::Hi | Wiring::Ho => (w - 1) * (d - 1) + 1,
            Wiring::HoMod => (w - 1 + w * (w - 1) / 2) * (d - 1) + 1,
        }
    }

    /// How many internal transitions a run makes: as many as external ones.
    pub fn internal_transitions(self) -> u64 {
        let (w, d) = (self.width, self.depth);
        match self.wiring {
            Wiring::Li => (w - 1) * (d - 1) + 1,
            Wiring::Hi | Wiring::Ho => (d - 1) * (w * (w - 1) / 2) + 1,
            Wiring::HoMod => {
                let level = |k: u64| {
                    let floods = (k - 1) * (w - 1);
                    (1 + floods) * (w * (w - 1) / 2) + (w - 1) * (w + floods)
                };
                1 + (1..d).map(level).sum::<u64>()
            }
        }
    }

    /// Internal and external transitions together: the work of a run.
    pub fn transitions(self) -> u64 {
        2 * self.internal_transitions()
    }

    /// What a run must come to.
    pub fn tally(self) -> Tally {
        let internal = self.internal_transitions();
        Tally { atomics: self.atomics(), internal, external: internal }
    }
}

/// The model on our kernel: a seeder and the nested levels.
pub fn graph(model: Devstone) -> Result<Graph, GraphError> {
    let mut graph = Graph::new();
    let root = graph.root();
    let seeder = graph.add(root, "seeder", Relay { is_due: true, ..Relay::default() })?;
    let mut level = add_level(&mut graph, root, model)?;
    graph.link(seeder.port("output"), level.port("input-1"), Link::direct())?;
    if model.has_second_input() {
        graph.link(seeder.port("output"), level.port("input-2"), Link::direct())?;
    }
    for _ in 1..model.depth {
        let below = add_level(&mut graph, level, model)?;
        graph.link(level.port("input-1"), below.port("input-1"), Link::direct())?;
        graph.link(below.port("output-1"), level.port("output-1"), Link::direct())?;
        match model.wiring {
            Wiring::HoMod => add_triangle(&mut graph, level, below, model.width)?,
            Wiring::Ho => {
                graph.link(level.port("input-1"), below.port("input-2"), Link::direct())?;
                add_row(&mut graph, level, model, "input-2")?;
            }
            Wiring::Li | Wiring::Hi => add_row(&mut graph, level, model, "input-1")?,
        }
        level = below;
    }
    let inner = graph.add(level, "inner", Relay::default())?;
    graph.link(level.port("input-1"), inner.port("input"), Link::direct())?;
    graph.link(inner.port("output"), level.port("output-1"), Link::direct())?;
    Ok(graph)
}

fn add_level(
    graph: &mut Graph,
    parent: ComponentRef,
    model: Devstone,
) -> Result<ComponentRef, GraphError> {
    let level = graph.composite(parent, "level")?;
    graph.input::<u32>(level, "input-1", PortKind::Event)?;
    if model.has_second_input() {
        graph.input::<u32>(level, "input-2", PortKind::Event)?;
    }
    graph.output::<u32>(level, "output-1", PortKind::Event)?;
    graph.output::<u32>(level, "output-2", PortKind::Event)?;
    Ok(level)
}

/// The w-1 atomics of LI, HI and HO.
fn add_row(
    graph: &mut Graph,
    level: ComponentRef,
    model: Devstone,
    input: &str,
) -> Result<(), GraphError> {
    let mut before = None;
    for i in 1..model.width {
        let atomic = graph.add(level, &format!("atomic[{i}]"), Relay::default())?;
        graph.link(level.port(input), atomic.port("input"), Link::direct())?;
        if let Some(before) = before.filter(|_| model.wiring != Wiring::Li) {
            let before: ComponentRef = before;
            graph.link(before.port("output"), atomic.port("input"), Link::direct())?;
        }
        if model.wiring == Wiring::Ho {
            graph.link(atomic.port("output"), level.port("output-2"), Link::direct())?;
        }
        before = Some(atomic);
    }
    Ok(())
}

/// HOmod: a row into the level below, a row into all of that row, then ever shorter rows of which
/// atomic i feeds atomic i+1 of the row before.
fn add_triangle(
    graph: &mut Graph,
    level: ComponentRef,
    below: ComponentRef,
    width: u64,
) -> Result<(), GraphError> {
    let mut rows: Vec<Vec<ComponentRef>> = Vec::new();
    for (row, length) in [width - 1].into_iter().chain((1..width).rev()).enumerate() {
        let mut atomics = Vec::new();
        for i in 0..length {
            let name = format!("row-{row}-atomic[{i}]");
            let atomic = graph.add(level, &name, Relay::default())?;
            if row == 0 || i == 0 {
                graph.link(level.port("input-2"), atomic.port("input"), Link::direct())?;
            }
            match row {
                0 => graph.link(atomic.port("output"), below.port("input-2"), Link::direct())?,
                1 => {
                    for to in &rows[0] {
                        graph.link(atomic.port("output"), to.port("input"), Link::direct())?;
                    }
                }
                _ => {
                    let to = rows[row - 1][i as usize + 1];
                    graph.link(atomic.port("output"), to.port("input"), Link::direct())?;
                }
            }
            atomics.push(atomic);
        }
        rows.push(atomics);
    }
    Ok(())
}

/// A DEVStone atomic: answers what it gets at once.
#[derive(Default)]
pub struct Relay {
    input: EventIn<u32>,
    output: EventOut<u32>,
    is_due: bool,
}

impl Model for Relay {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("input");
        self.output = ports.event_out("output");
    }
}

impl Atomic for Relay {
    fn time_advance(&self) -> Duration {
        if self.is_due { Duration::ZERO } else { Duration::FOREVER }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        out.send(self.output, 0);
    }

    fn internal(&mut self, _: &mut Context<'_>) {
        self.is_due = false;
    }

    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.is_due = inputs.events(self.input).next().is_some();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_give_the_known_counts() {
        for (wiring, side, atomics, internal) in [
            (Wiring::Li, 200, 39_602, 39_602),
            (Wiring::Hi, 200, 39_602, 3_960_101),
            (Wiring::Ho, 200, 39_602, 3_960_101),
            (Wiring::HoMod, 20, 3_972, 689_872),
            (Wiring::HoMod, 30, 13_457, 5_500_982),
        ] {
            let model = Devstone::square(wiring, side);
            assert_eq!(model.tally(), Tally { atomics, internal, external: internal }, "{model:?}");
        }
    }
}
