//! How a run is advanced: to an instant, by a step, until it is paused; it goes on as if it had
//! never been interrupted.

mod models;

use std::sync::{Arc, OnceLock};

use ironbird_kernel::{
    Action, Duration, Graph, Link, Model, Outcome, PauseHandle, Periodic, Ports, Rate, Simulation,
    Step, Time,
};
use models::{
    Chatter, Log, Processor, Reads, Sends, Ticks, ms, run, spread_over, us, without_hanging,
};

fn ring(count: usize) -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let members: Vec<_> = (0..count)
        .map(|n| graph.add(root, &format!("c[{n}]"), Chatter::default()).unwrap())
        .collect();
    for n in 0..count {
        let link = Link::direct().latency(Duration::from_us(80));
        let (from, to) = (members[n], members[(n + 1) % count]);
        graph.link(from.port("out"), to.port("in"), link).unwrap();
    }
    graph
}

#[test]
fn everything_before_the_end_has_happened_and_nothing_of_it() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::into(&log), Rate::hz(1_000)).unwrap();
    let mut simulation = run(graph, spread_over(1), ms(2));
    assert_eq!(log.entries(), [(ms(0), 0), (ms(1), 1)]);
    assert_eq!(simulation.now(), ms(2));
    // Going back is no advance.
    assert_eq!(simulation.run_until(ms(1)), Ok(Outcome::Reached(ms(2))));
    simulation.run_until(ms(2) + Duration::EPSILON).unwrap();
    assert_eq!(log.entries().len(), 3);
}

#[test]
fn stretches_of_any_length_give_the_digest_of_one_run() {
    for partitions in [1, 3] {
        let whole = run(ring(6), spread_over(partitions), ms(60)).digest();
        let mut pieces = Simulation::new(ring(6), spread_over(partitions)).unwrap();
        for stop in [1, 2, 79_999, 80_000, 80_001, 1_000_000, 59_999_999] {
            let stop = Time::from_ps(stop * 1_000);
            assert_eq!(pieces.run_until(stop), Ok(Outcome::Reached(stop)));
        }
        pieces.run_until(ms(60)).unwrap();
        assert_eq!(pieces.digest(), whole, "{partitions} partitions");
    }
}

#[test]
fn a_step_is_one_instant() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "a", Ticks::into(&log), Rate::hz(1_000)).unwrap();
    graph.add_periodic(root, "b", Ticks::into(&log), Rate::hz(500)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    for (steps, at) in [(2, ms(0)), (3, ms(1)), (5, ms(2)), (6, ms(3))] {
        let reached = at + Duration::EPSILON;
        assert_eq!(simulation.step(), Ok(Outcome::Reached(reached)));
        assert_eq!(log.entries().len(), steps);
    }
}

#[test]
fn steps_stop_at_actions_and_edits_too() {
    let mut simulation = Simulation::new(ring(1), spread_over(1)).unwrap();
    simulation.schedule(us(3), Action::Stop { component: "c[0]".into() }).unwrap();
    simulation.edit_at(us(2), |graph| graph.composite(graph.root(), "x").map(drop)).unwrap();
    for at in [us(2), us(3)] {
        assert_eq!(simulation.step(), Ok(Outcome::Reached(at + Duration::EPSILON)));
        assert!(simulation.graph().find("x").is_ok());
    }
}

#[test]
fn a_thousand_steps_give_the_digest_of_one_run_on_any_number_of_threads() {
    for partitions in [1, 3] {
        let mut steps = Simulation::new(ring(3), spread_over(partitions)).unwrap();
        for _ in 0..200 {
            steps.step().unwrap();
        }
        let whole = run(ring(3), spread_over(1), steps.now());
        assert_eq!(steps.digest(), whole.digest(), "{partitions} partitions");
    }
}

#[test]
fn a_step_beside_a_processor_reaches_the_next_event_not_the_next_picosecond() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_run_ahead(root, "processor", Processor::showing([us(1_500)])).unwrap();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    for at in [ms(0), ms(1), us(1_500), ms(2)] {
        assert_eq!(simulation.step(), Ok(Outcome::Reached(at + Duration::EPSILON)));
    }
}

#[test]
fn a_step_where_nothing_is_left_to_happen_does_not_leap_to_the_end_of_time() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add(root, "source", Sends::once(ms(1), 1.0)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    simulation.step().unwrap();
    simulation.step().unwrap();
    assert!(simulation.now() < ms(2), "now is {}", simulation.now());
    simulation.schedule(ms(2), Action::Stop { component: "source".into() }).unwrap();
}

#[test]
fn a_pause_from_another_thread_leaves_a_run_that_goes_on_to_the_same_digest() {
    let whole = run(ring(6), spread_over(1), ms(400)).digest();
    for partitions in [1, 2, 4, 6] {
        let (digest, pauses) = without_hanging(move || {
            let mut simulation = Simulation::new(ring(6), spread_over(partitions)).unwrap();
            let mut pauses = 0;
            loop {
                // A pause that comes at once leaves little progress: after some, let it run.
                let handle = (pauses < 50).then(|| simulation.pause_handle());
                let pauser = std::thread::spawn(move || handle.iter().for_each(|h| h.pause()));
                let outcome = simulation.run_until(ms(400)).unwrap();
                pauser.join().unwrap();
                match outcome {
                    Outcome::Paused(at) => {
                        assert_eq!(simulation.now(), at);
                        assert!(at <= ms(400));
                        pauses += 1;
                    }
                    outcome => {
                        assert_eq!(outcome, Outcome::Reached(ms(400)));
                        return (simulation.digest(), pauses);
                    }
                }
            }
        });
        println!("{partitions} partitions: {pauses} pauses");
        assert_eq!(digest, whole, "{partitions} partitions, {pauses} pauses");
    }
}

#[test]
fn a_pause_at_the_beginning_of_a_stretch_never_goes_back() {
    let whole = run(ring(6), spread_over(1), ms(400)).digest();
    for partitions in [1, 2, 4, 6] {
        let mut simulation = Simulation::new(ring(6), spread_over(partitions)).unwrap();
        for from in [ms(100), ms(200), ms(300)] {
            simulation.run_until(from).unwrap();
            simulation.pause_handle().pause();
            let Outcome::Paused(at) = simulation.run_until(ms(400)).unwrap() else {
                panic!("nothing pauses it")
            };
            assert!(at >= from, "{partitions} partitions: from {from} to {at}");
            // Put together anew from here.
            simulation.edit_at(at, |_| Ok(())).unwrap();
        }
        simulation.run_until(ms(400)).unwrap();
        assert_eq!(simulation.digest(), whole, "{partitions} partitions");
    }
}

#[test]
fn pauses_in_the_middle_of_a_run_happen_and_leave_the_digest_as_it_was() {
    /// Asks for a pause at every step, if it has something to ask with.
    struct Pauses(Arc<OnceLock<PauseHandle>>);
    impl Model for Pauses {
        fn ports(&mut self, _: &mut Ports) {}
    }
    impl Periodic for Pauses {
        fn step(&mut self, _: &mut Step<'_>) {
            if let Some(handle) = self.0.get() {
                handle.pause();
            }
        }
    }
    let with_pauser = |handle: &Arc<OnceLock<PauseHandle>>| {
        let mut graph = ring(6);
        let pauser = Pauses(handle.clone());
        graph.add_periodic(graph.root(), "pauser", pauser, Rate::hz(50)).unwrap();
        graph
    };
    let whole = run(with_pauser(&Arc::default()), spread_over(1), ms(400)).digest();
    for partitions in [1, 3, 7] {
        let handle = Arc::default();
        let graph = with_pauser(&handle);
        let (digest, pauses) = without_hanging(move || {
            let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
            assert!(handle.set(simulation.pause_handle()).is_ok());
            let mut pauses = 0;
            while let Outcome::Paused(at) = simulation.run_until(ms(400)).unwrap() {
                assert_eq!(simulation.now(), at);
                pauses += 1;
            }
            assert_eq!(simulation.now(), ms(400));
            (simulation.digest(), pauses)
        });
        assert!((1..=20).contains(&pauses), "{partitions} partitions: {pauses} pauses");
        assert_eq!(digest, whole, "{partitions} partitions");
    }
}

#[test]
fn a_pause_is_heard_soon_even_where_an_instant_takes_long() {
    /// Takes 10 ms of wall time for a step.
    struct Slow;
    impl Model for Slow {
        fn ports(&mut self, _: &mut Ports) {}
    }
    impl Periodic for Slow {
        fn step(&mut self, _: &mut Step<'_>) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
    let outcome = without_hanging(|| {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_periodic(root, "slow", Slow, Rate::hz(1_000)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
        let handle = simulation.pause_handle();
        let pauser = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            handle.pause();
        });
        // 1.5 s of wall time without a pause.
        let outcome = simulation.run_until(ms(150)).unwrap();
        pauser.join().unwrap();
        outcome
    });
    assert!(matches!(outcome, Outcome::Paused(at) if at < ms(120)), "{outcome:?}");
}

#[test]
fn what_is_scheduled_during_a_pause_happens() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::into(&log), Rate::hz(1_000)).unwrap();
    let mut simulation = run(graph, spread_over(1), ms(3));
    simulation.schedule(ms(3), Action::Stop { component: "ticks".into() }).unwrap();
    let late = simulation.schedule(us(2_999), Action::Stop { component: "ticks".into() });
    let text = "the action on \"ticks\" at 0.002999 s lies before 0.003 s, which has passed";
    assert_eq!(late.unwrap_err().to_string(), text);
    simulation.run_until(ms(10)).unwrap();
    assert_eq!(log.entries().len(), 3);
}

#[test]
fn recording_in_the_middle_of_a_run_changes_nothing() {
    let whole = run(ring(4), spread_over(2), ms(30)).digest();
    let mut simulation = run(ring(4), spread_over(2), ms(10));
    simulation.record("c[1]", "state").unwrap();
    simulation.run_until(ms(30)).unwrap();
    let samples = simulation.samples::<u64>("c[1]", "state").unwrap();
    assert!(samples.len() > 10 && samples.iter().all(|(at, _)| *at >= ms(10)));
    assert_eq!(simulation.digest(), whole);
}

#[test]
fn nothing_has_happened_at_or_after_the_instant_of_a_pause() {
    without_hanging(|| {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let ticks = graph.add_periodic(root, "ticks", Ticks::into(&log), Rate::hz(50_000)).unwrap();
        let reads = graph.add_periodic(root, "reads", Reads::into(&log), Rate::hz(30_000)).unwrap();
        let link = Link::direct().latency(Duration::from_ms(1));
        graph.link(ticks.port("count"), reads.port("in"), link).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(2)).unwrap();
        for _ in 0..200 {
            simulation.pause_handle().pause();
            let outcome = simulation.run_until(ms(60_000)).unwrap();
            let Outcome::Paused(at) = outcome else { panic!("{outcome:?}") };
            let late: Vec<_> = log.entries().into_iter().filter(|(time, _)| *time >= at).collect();
            assert!(late.is_empty(), "paused at {at}, but {late:?}");
            simulation.run_until(at + Duration::from_us(700)).unwrap();
        }
    });
}
