//! Where the time on the wall goes: who was called how often, what went over links, who waited for whom.

mod models;
mod span_memory;

use ironbird_kernel::{
    Duration, Graph, Link, Look, Options, PartProfile, Placement, Profiling, Rate, Simulation,
};
use models::{Chatter, Polls, Reads, Ticks, ms, without_hanging};
use span_memory::{Way, processes};

/// ```text
/// a (1 kHz) ── 1 ms ──► x ◄── 1 ms ──► y ── 1 ms ──► p (500 Hz)
///     └── count, in place ──► r (1 kHz)
/// ```
fn system() -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let link = || Link::direct().latency(Duration::from_ms(1));
    let a = graph.add_periodic(root, "a", Ticks::default(), Rate::hz(1_000)).unwrap();
    let r = graph.add_periodic(root, "r", Reads::default(), Rate::hz(1_000)).unwrap();
    let p = graph.add_periodic(root, "p", Polls::default(), Rate::hz(500)).unwrap();
    let [x, y] = ["x", "y"].map(|name| graph.add(root, name, Chatter::default()).unwrap());
    graph.link(a.port("count"), r.port("in"), Link::direct()).unwrap();
    graph.link(a.port("out"), x.port("in"), link()).unwrap();
    graph.link(x.port("out"), y.port("in"), link()).unwrap();
    graph.link(y.port("out"), x.port("in"), link()).unwrap();
    graph.link(y.port("out"), p.port("in"), link()).unwrap();
    graph
}

const END: u64 = 400;

fn options(partitions: usize, profile: Profiling) -> Options {
    Options { placement: Placement::AtMost(partitions), profile, ..Options::default() }
}

fn profiled(partitions: usize, profile: Profiling) -> (Simulation, Vec<PartProfile>) {
    let mut simulation = Simulation::new(system(), options(partitions, profile)).unwrap();
    simulation.run_until(ms(END / 2)).unwrap();
    simulation.run_until(ms(END)).unwrap();
    let parts = simulation.profile();
    (simulation, parts)
}

fn calls(parts: &[PartProfile]) -> Vec<(String, u64)> {
    let components = parts.iter().flat_map(|part| &part.components);
    let mut calls: Vec<_> = components.map(|c| (c.path.clone(), c.calls)).collect();
    calls.sort();
    calls
}

fn sent(parts: &[PartProfile]) -> Vec<(String, String, u64)> {
    let links = parts.iter().flat_map(|part| &part.links);
    let mut sent: Vec<_> = links.map(|l| (l.from.clone(), l.to.clone(), l.sent)).collect();
    sent.sort();
    sent
}

#[test]
fn messages_can_be_counted_while_it_runs() {
    let seen = |profile: Profiling| {
        let mut simulation = Simulation::new(system(), options(1, profile)).unwrap();
        simulation.run_until(ms(END)).unwrap();
        let mut look = Look::at(vec![("a".into(), "out".into())]);
        let mut sent = None;
        simulation.look(&mut look, |_, bytes| sent = Some(bytes.to_vec()));
        sent
    };
    assert_eq!(seen(Profiling::Shares), Some(END.to_le_bytes().to_vec()));
    assert_eq!(seen(Profiling::Off), None);
}

#[test]
fn nothing_is_kept_unless_it_is_asked_for() {
    assert_eq!(profiled(3, Profiling::Off).1, []);
}

#[test]
fn every_call_and_every_message_counts_in_any_placement() {
    let (simulation, alone) = profiled(1, Profiling::Shares);
    assert_eq!(alone.len(), 1);
    let of = |path: &str| calls(&alone).into_iter().find(|(p, _)| p == path).unwrap().1;
    assert_eq!((of("a"), of("r"), of("p")), (END, END, END / 2));
    let statistics = simulation.statistics();
    let transitions = of("x") + of("y");
    let made = statistics.internal + statistics.external;
    assert!(transitions > END && transitions <= made, "{transitions} of {made}");
    let load = |from: &str, to: &str| {
        let found = sent(&alone).into_iter().find(|(f, t, _)| (&**f, &**t) == (from, to));
        found.unwrap_or_else(|| panic!("no link {from} -> {to} in {:?}", sent(&alone))).2
    };
    assert_eq!(load("a.out", "x.in"), END);
    assert_eq!(load("y.out", "x.in"), load("y.out", "p.in"));
    // What is read in place goes over no link.
    assert!(!sent(&alone).iter().any(|(from, ..)| from == "a.count"), "{:?}", sent(&alone));
    for partitions in 2..=4 {
        let (_, parts) = profiled(partitions, Profiling::Timeline);
        assert_eq!(parts.len(), partitions);
        assert_eq!(calls(&parts), calls(&alone));
        assert_eq!(sent(&parts), sent(&alone));
    }
}

#[test]
fn time_is_computing_or_waiting_or_between_stretches() {
    let (simulation, parts) = profiled(3, Profiling::Timeline);
    for (number, part) in parts.iter().enumerate() {
        let waited: u64 = part.waited.iter().sum();
        assert!(part.computing > 0 && part.computing + waited <= part.wall, "{part:?}");
        let by_components: u64 = part.components.iter().map(|c| c.computing).sum();
        assert!(by_components > 0 && by_components <= part.computing, "{part:?}");
        let statistics = simulation.statistics();
        let counted = statistics.waits.iter().filter(|wait| wait.waiting == number);
        assert_eq!(waited, counted.map(|wait| wait.nanoseconds).sum::<u64>());
        let last = part.moments.last().unwrap();
        assert!(last.now <= ms(END) && last.now > ms(END - 10), "{last:?}");
        assert_eq!((last.computing, &last.waited), (part.computing, &part.waited));
        let ordered = |pair: &[ironbird_kernel::Moment]| {
            pair[0].wall <= pair[1].wall && pair[0].now <= pair[1].now
        };
        assert!(part.moments.windows(2).all(ordered), "{part:?}");
        assert!(part.waits.iter().all(|wait| wait.from <= wait.until));
        assert!(part.waits.windows(2).all(|pair| pair[0].until <= pair[1].from));
        let between = part.waits.iter().filter(|wait| wait.awaited.is_none()).count();
        assert_eq!(between, 1, "one pause between two stretches");
    }
}

#[test]
fn what_was_counted_outlives_a_change_of_the_system() {
    let mut simulation = Simulation::new(system(), options(3, Profiling::Shares)).unwrap();
    simulation
        .edit_at(ms(END / 4), |graph| {
            let reads = graph.get("r").expect("it is there");
            graph.remove(reads)
        })
        .unwrap();
    simulation.run_until(ms(END)).unwrap();
    let all = calls(&simulation.profile());
    assert_eq!(all.iter().filter(|(path, _)| path == "r").map(|(_, n)| n).sum::<u64>(), END / 4);
    assert_eq!(all.iter().filter(|(path, _)| path == "a").map(|(_, n)| n).sum::<u64>(), END);
}

#[test]
fn process_0_has_the_profiles_of_all_when_they_are_dismissed() {
    let alone = profiled(1, Profiling::Shares).1;
    let mut all = without_hanging(|| {
        processes(3, &Way::plain(), |span| {
            let first = span.number == 0;
            let options = options(3, Profiling::Timeline);
            let mut simulation = Simulation::new_in_span(system(), options, span).unwrap();
            if first {
                simulation.run_until(ms(END)).unwrap();
                simulation.dismiss();
            } else {
                simulation.follow().unwrap();
            }
            simulation.profile()
        })
    });
    assert_eq!(all[1].len(), 1);
    let parts = all.swap_remove(0);
    assert_eq!(parts.len(), 3);
    assert_eq!(calls(&parts), calls(&alone));
    assert_eq!(sent(&parts), sent(&alone));
    assert!(parts.iter().all(|part| !part.moments.is_empty()));
    assert!(parts.iter().any(|part| !part.waits.is_empty()));
}
