//! A switch learns, floods, forgets and drops.

use ironbird_kernel::Parameter;
use ironbird_test_rig::{Rig, Setting, assert_goes_on_after_a_checkpoint, real, seconds};

use crate::talker::{arrivals, count, rig, talk};

fn switched(settings: &[Setting<'_>]) -> Rig {
    let mut rig = rig();
    rig.add("switch", "network.switch", settings);
    rig
}

const OUT: [&str; 4] =
    ["switch.port[0].out", "switch.port[1].out", "switch.port[2].out", "switch.port[3].out"];

fn numbers_at(run: &ironbird_test_rig::Run) -> [usize; 4] {
    OUT.map(|port| arrivals(run, port).len())
}

#[test]
fn a_frame_waits_until_all_of_it_is_there_and_leaves_at_the_bandwidth() {
    let mut rig = switched(&[("bandwidth", real(1e9)), ("latency", real(3e-6))]);
    talk(&mut rig, "one", "switch.port[0].in", &[("burst", 2)]);
    let run = rig.run(seconds(0.1), &OUT);
    let first = 3_000_000 + 1526 * 8_000;
    assert_eq!(arrivals(&run, OUT[1]), [(first, 0), (first + 1538 * 8_000, 1)]);
}

#[test]
fn the_unknown_and_all_are_looked_for_everywhere() {
    for to in [2, 255] {
        let mut rig = switched(&[]);
        talk(&mut rig, "one", "switch.port[0].in", &[("to", to)]);
        let mut outputs = OUT.to_vec();
        outputs.push("switch.flooded");
        let run = rig.run(seconds(0.1), &outputs);
        assert_eq!(numbers_at(&run), [0, 1, 1, 1]);
        assert_eq!(count(&run, "switch.flooded"), 1);
    }
}

#[test]
fn who_was_heard_is_found() {
    let mut rig = switched(&[]);
    talk(&mut rig, "two", "switch.port[2].in", &[("own", 2), ("to", 1)]);
    talk(&mut rig, "one", "switch.port[0].in", &[("start", 1000), ("times", 5)]);
    let run = rig.run(seconds(0.1), &OUT);
    // The first is looked for everywhere; the answers go to port 2 alone.
    assert_eq!(numbers_at(&run), [1, 1, 5, 1]);
}

#[test]
fn a_frame_for_somebody_behind_the_same_port_goes_nowhere() {
    let mut rig = switched(&[]);
    talk(&mut rig, "two", "switch.port[0].in", &[("own", 2), ("to", 3)]);
    talk(&mut rig, "one", "switch.port[0].in", &[("start", 1000)]);
    let run = rig.run(seconds(0.1), &OUT);
    assert_eq!(numbers_at(&run), [0, 1, 1, 1], "only the first one");
}

#[test]
fn who_was_silent_for_the_ageing_time_is_forgotten() {
    let mut rig = switched(&[("ageing", real(0.003)), ("latency", real(0.0))]);
    talk(&mut rig, "two", "switch.port[1].in", &[("own", 2), ("to", 1)]);
    // At 2 and 3 ms it is known, at 4 ms not.
    let again = [("start", 2000), ("times", 3)];
    talk(&mut rig, "one", "switch.port[0].in", &again);
    let run = rig.run(seconds(0.1), &OUT);
    assert_eq!(numbers_at(&run), [1, 3, 2, 2]);
}

#[test]
fn each_port_has_a_queue_of_its_own() {
    let mut rig = switched(&[("queue.frames", Parameter::Integer(2))]);
    talk(&mut rig, "two", "switch.port[1].in", &[("own", 2), ("to", 1)]);
    talk(&mut rig, "one", "switch.port[0].in", &[("start", 1000), ("burst", 8)]);
    talk(&mut rig, "three", "switch.port[3].in", &[("own", 3), ("start", 5000)]);
    let mut outputs = OUT.to_vec();
    outputs.extend(["switch.port[1].dropped", "switch.port[0].received", "switch.port[1].sent"]);
    let run = rig.run(seconds(0.1), &outputs);
    assert_eq!(count(&run, "switch.port[1].dropped"), 5);
    assert_eq!(count(&run, "switch.port[0].received"), 8);
    assert_eq!(count(&run, "switch.port[1].sent"), 4);
}

#[test]
fn a_saved_switch_goes_on_with_the_same_bits() {
    let graph = || {
        let mut rig = switched(&[("queue.frames", Parameter::Integer(3))]);
        talk(&mut rig, "two", "switch.port[1].in", &[("own", 2), ("to", 1), ("times", 9)]);
        let burst = [("burst", 6), ("times", 9), ("period", 700)];
        talk(&mut rig, "one", "switch.port[0].in", &burst);
        rig.into_graph()
    };
    assert_goes_on_after_a_checkpoint(graph, seconds(0.003_3), seconds(0.02));
}

#[test]
fn a_switch_has_two_ports_or_more() {
    let said = rig().refusal("network.switch", &[("ports", Parameter::Integer(1))]);
    assert_eq!(said, "parameter \"ports\": 1 is not allowed: it must be from 2 to 1024");
}
