//! Rule 13: a stream belongs to (seed, repetition, path, name). Adding, removing or moving a model
//! leaves the numbers of all others as they were.

mod models;

use ironbird_kernel::{
    Action, Graph, Link, Model, Options, Periodic, Ports, RandomIn, Rate, Seed, Simulation, Step,
    Time,
};
use models::{Chatter, Log, ms, run, spread_over, us};

type Numbers = Log<(Time, u64)>;

fn chatterers(names: &[&str], options: Options) -> Vec<Vec<(Time, u64)>> {
    let logs: Vec<Numbers> = names.iter().map(|_| Log::default()).collect();
    let mut graph = Graph::new();
    let root = graph.root();
    for (name, log) in names.iter().zip(&logs) {
        graph.add(root, name, Chatter::logging(log)).unwrap();
    }
    run(graph, options, ms(20));
    logs.iter().map(Log::entries).collect()
}

#[test]
fn models_that_are_added_leave_the_numbers_of_others() {
    let few = chatterers(&["b", "d"], spread_over(1));
    let many = chatterers(&["e", "d", "c", "b", "a"], spread_over(1));
    assert!(few[0].len() > 20);
    assert_eq!((&many[3], &many[1]), (&few[0], &few[1]));
    assert_ne!(few[0], few[1]);
}

#[test]
fn numbers_do_not_depend_on_placement() {
    let names = ["a", "b", "c", "d"];
    let alone = chatterers(&names, spread_over(1));
    for partitions in 2..=4 {
        assert_eq!(chatterers(&names, spread_over(partitions)), alone);
    }
}

#[test]
fn seed_and_repetition_both_change_every_number() {
    let numbers = |seed, repetition| {
        let seed = Seed { seed, repetition };
        chatterers(&["a"], Options { seed, ..spread_over(1) })[0][0].1
    };
    let all = [numbers(1, 0), numbers(1, 1), numbers(2, 0), numbers(2, 1)];
    let mut different = all.to_vec();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 4, "{all:?}");
    assert_eq!(numbers(1, 0), all[0]);
}

/// Draws `count` numbers at every step.
struct Draws {
    random: RandomIn,
    other: RandomIn,
    count: usize,
    log: Log<(Time, Vec<u64>)>,
}

impl Model for Draws {
    fn ports(&mut self, ports: &mut Ports) {
        self.random = ports.random("noise");
        self.other = ports.random("drift");
    }
}

impl Periodic for Draws {
    fn step(&mut self, step: &mut Step<'_>) {
        let now = step.now();
        let mut drawn: Vec<u64> =
            (0..self.count).map(|_| step.random(self.random).bits()).collect();
        drawn.push(step.random(self.other).bits());
        self.log.push((now, drawn));
    }
}

fn drawn(count: usize, script: &[(Time, Action)]) -> Vec<(Time, Vec<u64>)> {
    let log = Log::default();
    let mut graph = Graph::new();
    let (random, other) = Default::default();
    let draws = Draws { random, other, count, log: log.clone() };
    graph.add_periodic(graph.root(), "x", draws, Rate::hz(1_000)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    for (at, action) in script {
        simulation.schedule(*at, action.clone()).unwrap();
    }
    simulation.run_until(ms(10)).unwrap();
    log.entries()
}

#[test]
fn a_drop_out_leaves_later_numbers_as_they_were() {
    let whole = drawn(3, &[]);
    let component = || "x".to_owned();
    let script = [
        (us(2_500), Action::Stop { component: component() }),
        (us(6_500), Action::Start { component: component() }),
    ];
    let dropped = drawn(3, &script);
    let kept: Vec<_> =
        whole.iter().filter(|(at, _)| *at <= ms(2) || *at >= ms(7)).cloned().collect();
    assert_eq!(dropped, kept);
}

#[test]
fn how_many_numbers_a_step_draws_leaves_the_next_step_and_other_streams() {
    let (one, three) = (drawn(1, &[]), drawn(3, &[]));
    for ((_, one), (_, three)) in one.iter().zip(&three) {
        assert_eq!((one[0], one[1]), (three[0], three[3]));
        assert_ne!(one[0], one[1]);
    }
}

#[test]
fn a_model_that_hears_more_draws_the_same_numbers() {
    let numbers = |linked| {
        let log: Numbers = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let a = graph.add(root, "a", Chatter::default()).unwrap();
        let b = graph.add(root, "b", Chatter::logging(&log)).unwrap();
        if linked {
            graph.link(a.port("out"), b.port("in"), Link::direct()).unwrap();
        }
        run(graph, spread_over(1), ms(20));
        log.entries()
    };
    assert_eq!(numbers(true), numbers(false));
}
