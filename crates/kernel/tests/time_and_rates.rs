//! Rule 1: rates are exact rationals; tick k of rate f is at anchor + ceil(k·10¹²/f). A restarted
//! component resumes on its grid with its state and held outputs; a changed rate re-anchors.

mod models;

use ironbird_kernel::{
    Action, Duration, Graph, Link, Model, Options, Periodic, Ports, Rate, SignalOut, Simulation,
    Step, Time,
};
use models::{Log, Reads, Ticks, ms, run, spread_over, us};

fn options() -> [Options; 2] {
    [true, false].map(|fused| Options { fused, ..spread_over(1) })
}

fn ticks_at(
    rate: Rate,
    until: Time,
    script: &[(Time, Action)],
    options: Options,
) -> Vec<(Time, u64)> {
    let log = Log::default();
    let mut graph = Graph::new();
    graph.add_periodic(graph.root(), "x", Ticks::into(&log), rate).unwrap();
    let mut simulation = Simulation::new(graph, options).unwrap();
    for (at, action) in script {
        simulation.schedule(*at, action.clone()).unwrap();
    }
    simulation.run_until(until).unwrap();
    log.entries()
}

#[test]
fn a_3_khz_clock_ticks_at_whole_picoseconds_rounded_up_and_never_drifts() {
    for options in options() {
        let ticks = ticks_at(Rate::hz(3_000), ms(1_001), &[], options);
        assert_eq!(ticks.len(), 3_003);
        assert_eq!(ticks[1], (Time::from_ps(333_333_334), 1));
        assert_eq!(ticks[2], (Time::from_ps(666_666_667), 2));
        assert_eq!(ticks[3], (ms(1), 3));
        assert_eq!(ticks[2_999], (Time::from_ps(999_666_666_667), 2_999));
        assert_eq!(ticks[3_000], (ms(1_000), 3_000));
    }
}

#[test]
fn a_168_mhz_clock_counts_exactly_168_cycles_in_a_microsecond() {
    for options in options() {
        let ticks = ticks_at(Rate::hz(168_000_000), us(3), &[], options);
        assert_eq!(ticks.len(), 3 * 168);
        // 10^12 / 168 10^6 = 5952.38…
        assert_eq!(ticks[1].0, Time::from_ps(5_953));
        assert_eq!(ticks[2].0, Time::from_ps(11_905));
        assert_eq!((ticks[168], ticks[336]), ((us(1), 168), (us(2), 336)));
    }
}

#[test]
fn a_rate_may_be_a_fraction_of_a_hertz() {
    let rate = Rate::new(1_000, 3).unwrap();
    let ticks = ticks_at(rate, ms(10), &[], spread_over(1));
    assert_eq!(ticks, [(ms(0), 0), (ms(3), 1), (ms(6), 2), (ms(9), 3)]);
}

#[test]
fn a_restarted_component_resumes_on_its_grid_with_the_tick_numbers_of_the_grid() {
    let stop = Action::Stop { component: "x".into() };
    let start = Action::Start { component: "x".into() };
    for options in options() {
        let script = [(us(2_500), stop.clone()), (us(5_100), start.clone())];
        let ticks = ticks_at(Rate::hz(1_000), ms(8), &script, options);
        let expected = [(ms(0), 0), (ms(1), 1), (ms(2), 2), (ms(6), 6), (ms(7), 7)];
        assert_eq!(ticks, expected);
    }
    // Stopped at the instant of a tick it does not step; started at one it does.
    for options in options() {
        let script = [(ms(2), stop.clone()), (ms(4), start.clone())];
        let ticks = ticks_at(Rate::hz(1_000), ms(6), &script, options);
        assert_eq!(ticks, [(ms(0), 0), (ms(1), 1), (ms(4), 4), (ms(5), 5)]);
    }
}

#[test]
fn a_stopped_component_holds_its_outputs_and_its_state() {
    /// Counts its steps.
    #[derive(Default)]
    struct Counts {
        out: SignalOut<u64>,
        count: u64,
    }
    impl Model for Counts {
        fn ports(&mut self, ports: &mut Ports) {
            self.out = ports.signal_out("out", 0);
        }
    }
    impl Periodic for Counts {
        fn step(&mut self, step: &mut Step<'_>) {
            self.count += 1;
            step.write(self.out, self.count);
        }
    }
    for (partitions, latency) in [(1, 0), (2, 1)] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let counts =
            graph.add_periodic(root, "counts", Counts::default(), Rate::hz(1_000)).unwrap();
        let reads = graph.add_periodic(root, "reads", Reads::into(&log), Rate::hz(1_000)).unwrap();
        let link = Link::direct().latency(Duration::from_ps(latency));
        graph.link(counts.port("out"), reads.port("in"), link).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        let component = || "counts".to_owned();
        simulation.schedule(us(2_500), Action::Stop { component: component() }).unwrap();
        simulation.schedule(us(5_500), Action::Start { component: component() }).unwrap();
        simulation.run_until(ms(8)).unwrap();
        let seen: Vec<u64> = log.entries().into_iter().map(|(_, value)| value).collect();
        let expected =
            if latency == 0 { [1, 2, 3, 3, 3, 3, 4, 5] } else { [0, 1, 2, 3, 3, 3, 3, 4] };
        assert_eq!(seen, expected);
    }
}

#[test]
fn a_changed_rate_anchors_its_grid_at_the_change_and_goes_on_counting() {
    let set = |hertz| Action::SetRate { component: "x".into(), rate: Rate::hz(hertz) };
    for options in options() {
        let ticks = ticks_at(Rate::hz(1_000), us(4_000), &[(us(2_250), set(2_000))], options);
        let expected = [
            (us(0), 0),
            (us(1_000), 1),
            (us(2_000), 2),
            (us(2_250), 3),
            (us(2_750), 4),
            (us(3_250), 5),
            (us(3_750), 6),
        ];
        assert_eq!(ticks, expected);
    }
    // At the instant of a tick there is one step, not two.
    for options in options() {
        let ticks = ticks_at(Rate::hz(1_000), us(4_000), &[(us(2_000), set(500))], options);
        assert_eq!(ticks, [(us(0), 0), (us(1_000), 1), (us(2_000), 2)]);
    }
}

#[test]
fn a_changed_rate_of_a_stopped_component_counts_from_the_change() {
    let component = || "x".to_owned();
    let script = [
        (us(1_500), Action::Stop { component: component() }),
        (us(2_200), Action::SetRate { component: component(), rate: Rate::hz(2_000) }),
        (us(3_000), Action::Start { component: component() }),
    ];
    for options in options() {
        let ticks = ticks_at(Rate::hz(1_000), us(4_500), &script, options);
        let times: Vec<Time> = ticks.iter().map(|(at, _)| *at).collect();
        assert_eq!(times, [us(0), us(1_000), us(3_200), us(3_700), us(4_200)]);
        let numbers: Vec<u64> = ticks.iter().map(|(_, tick)| *tick).collect();
        assert!(numbers.is_sorted() && numbers.windows(2).all(|n| n[0] < n[1]), "{numbers:?}");
    }
}

#[test]
fn clocks_of_different_rates_meet_exactly_where_their_ticks_are_whole() {
    let (fast, slow) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "fast", Ticks::into(&fast), Rate::hz(3_000)).unwrap();
    graph.add_periodic(root, "slow", Ticks::into(&slow), Rate::hz(1_000)).unwrap();
    let simulation = run(graph, spread_over(1), ms(100));
    assert_eq!((fast.entries().len(), slow.entries().len()), (300, 100));
    assert_eq!(simulation.statistics().instants, 300);
    assert_eq!(simulation.statistics().steps, 400);
}
