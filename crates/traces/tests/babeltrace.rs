//! Our reader beside `babeltrace2`, event by event, on the trace of a real ROS 2 system.

mod reference;

use ironbird_traces::ctf::Trace;

#[test]
fn every_event_of_a_real_trace_is_that_of_babeltrace2() {
    let Some(folder) = reference::caret() else { return };
    let folder = folder.join("end_to_end_sample");
    let trace = Trace::open(&folder).unwrap();
    let mut events = trace.events();
    let ours: Vec<_> = (&mut events).collect();
    assert_eq!(ours.len(), 2880);
    assert_eq!((events.discarded(), events.damage()), (0, vec![]));
    assert!(ours.is_sorted_by_key(|event| event.time_ns));
    assert!(trace.environment().any(|fact| fact == ("tracer_name", "lttng-ust")));
    if reference::has("babeltrace2") {
        reference::assert_same(&ours, &reference::babeltrace(&folder));
    }
}
