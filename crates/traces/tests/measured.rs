//! What the trace of CARET's sample says of the system: checked against figures that stand in the trace
//! itself, read by hand with `babeltrace2`.

mod reference;

use ironbird_traces::caret::Architecture;
use ironbird_traces::ctf::Trace;
use ironbird_traces::measured::Measured;
use ironbird_traces::ros2::{Observed, Trigger};

const MILLISECOND: i64 = 1_000_000;

fn sample() -> Option<(Observed, Measured)> {
    let folder = reference::caret()?;
    let trace = Trace::open(&folder.join("end_to_end_sample")).unwrap();
    let observed = Observed::from_events(trace.events());
    let architecture = Architecture::read(&folder.join("architecture.yaml")).unwrap();
    let measured = Measured::new(&architecture, &observed);
    Some((observed, measured))
}

#[test]
fn the_trace_alone_tells_nodes_callbacks_and_executions() {
    let Some((observed, _)) = sample() else { return };
    assert_eq!(observed.nodes.len(), 6);
    assert_eq!(observed.nodes[0].name, "/actuator_dummy_node");
    let runs: usize = observed.callbacks.iter().map(|callback| callback.executions.len()).sum();
    assert_eq!(runs, 480, "as many as there are events `callback_start`");
    let unfinished = observed.callbacks.iter().flat_map(|callback| &callback.executions);
    assert_eq!(unfinished.filter(|run| run.end_ns.is_none()).count(), 0);
    let timers = observed.callbacks.iter().filter_map(|callback| match callback.trigger {
        Trigger::Timer { period_ns, .. } => period_ns,
        _ => None,
    });
    assert_eq!(timers.collect::<Vec<_>>(), [100 * MILLISECOND; 3]);
    assert_eq!(observed.executors[0].kind, "multi_threaded_executor");
    assert_eq!(observed.groups.len(), 6);
    assert_eq!(observed.gaps.len(), 1, "{:?}", observed.gaps);
}

#[test]
fn executions_of_a_thread_do_not_overlap_and_those_of_a_group_neither() {
    let Some((observed, _)) = sample() else { return };
    let mut runs: Vec<(i64, i64, i64, usize)> = observed
        .callbacks
        .iter()
        .flat_map(|callback| callback.executions.iter().map(move |run| (callback, run)))
        .map(|(callback, run)| {
            (run.start_ns, run.end_ns.unwrap(), run.thread, callback.group.unwrap())
        })
        .collect();
    runs.sort_unstable();
    for (number, (_, end, thread, group)) in runs.iter().enumerate() {
        for (start, _, other_thread, other_group) in &runs[number + 1..] {
            assert!(start > end || (thread != other_thread && group != other_group));
        }
    }
}

#[test]
fn every_callback_of_the_architecture_is_found_with_its_execution_times() {
    let Some((_, measured)) = sample() else { return };
    let figures = [
        ("/actuator_dummy_node/callback_0", 47),
        ("/drive_node/callback_0", 49),
        ("/filter_node/callback_0", 49),
        ("/message_driven_node/callback_0", 48),
        ("/message_driven_node/callback_1", 49),
        ("/sensor_dummy_node/callback_0", 49),
        ("/timer_driven_node/callback_0", 49),
        ("/timer_driven_node/callback_1", 41),
    ];
    assert_eq!(measured.callbacks.len(), figures.len());
    for (name, count) in figures {
        let callback = measured.callback(name).unwrap();
        println!("{name}: {}", callback.execution_times);
        assert_eq!(callback.execution_times.count(), count, "{name}");
        // All of them work for 20 ms, and are interrupted by others now and then.
        let median = callback.execution_times.median().unwrap();
        assert!((20 * MILLISECOND..21 * MILLISECOND).contains(&median), "{name}: {median} ns");
    }
}

#[test]
fn publishing_callbacks_that_the_file_leaves_open_are_found_in_the_trace() {
    let Some((_, measured)) = sample() else { return };
    let publishes = |name: &str| measured.callback(name).unwrap().publishes.clone();
    assert_eq!(publishes("/message_driven_node/callback_1"), ["/topic3"]);
    assert_eq!(publishes("/timer_driven_node/callback_0"), ["/topic4"]);
    assert!(publishes("/message_driven_node/callback_0").is_empty());
}

#[test]
fn messages_take_a_fifth_of_a_millisecond_and_wait_where_their_group_is_busy() {
    let Some((_, measured)) = sample() else { return };
    assert_eq!(measured.communications.len(), 5);
    for sent in &measured.communications {
        let transport = sent.transport.median().unwrap();
        assert!((150_000..250_000).contains(&transport), "{}: {transport} ns", sent.topic);
        assert_eq!(sent.waiting.count(), sent.latency.count());
    }
    let waits = |topic: &str| {
        let sent = measured.communications.iter().find(|sent| sent.topic == topic).unwrap();
        sent.waiting.median().unwrap() > 0
    };
    assert!(waits("/topic2"), "the callback for /drive runs at that time");
    assert!(!waits("/topic1") && !waits("/topic4"));
}

#[test]
fn data_is_followed_along_the_path_as_its_own_stamps_say() {
    let Some((observed, measured)) = sample() else { return };
    let path = measured.path("target").unwrap();
    println!("first start to last end: {}", path.latency);
    println!("first publication to last start: {}", path.message_latency);
    assert_eq!(path.flows.len(), 47);
    assert_eq!(path.callbacks.len(), 7);
    // The nodes of the sample hand the stamp of the sensor's message on: independent evidence of the flow.
    for flow in &path.flows {
        let (callback, run) = *flow.executions.last().unwrap();
        let message = observed.callbacks[callback].executions[run].message.as_ref().unwrap();
        let first = &observed.publications[flow.publications[0]];
        assert!(first.header_stamp.is_some());
        assert_eq!(message.header_stamp, first.header_stamp);
    }
    assert_eq!(path.latency.median().unwrap() / MILLISECOND, 237);
    assert_eq!(path.message_latency.median().unwrap() / MILLISECOND, 196);
}
