//! Traces, the text of babeltrace2, and architecture files.

use std::sync::Arc;

use ironbird_document::Source;
use ironbird_traces::caret::Architecture;
use ironbird_traces::ctf::{Event, Trace, read_babeltrace_text};
use ironbird_traces::measured::Measured;
use ironbird_traces::ros2::Observed;

/// What is made of events stays within what the trace holds, and times do not go back.
fn observe(events: Vec<Event>) -> Observed {
    assert!(events.is_sorted_by_key(|event| event.time_ns));
    let observed = Observed::from_events(events);
    for callback in &observed.callbacks {
        let _ = callback.execution_times().median();
    }
    observed
}

/// Metadata up to the first line of dashes, and one stream behind it. Without such a line all is metadata,
/// as in a file of packets, and also all is a stream beside well-known metadata.
pub fn trace(bytes: &[u8]) {
    let line = b"\n---\n";
    let parts = bytes.windows(line.len()).position(|window| window == line);
    match parts {
        Some(at) => read(&bytes[..at], &bytes[at + line.len()..]),
        None => {
            read(bytes, &[]);
            read(METADATA.as_bytes(), bytes);
        }
    }
}

fn read(metadata: &[u8], stream: &[u8]) {
    let streams = vec![("stream".to_owned(), stream.to_vec())];
    let Ok(trace) = Trace::from_bytes(metadata, streams) else { return };
    let mut events = trace.events();
    // As many as take one bit each.
    let found: Vec<Event> = (&mut events).collect();
    assert!(found.len() <= 8 * stream.len());
    let _ = (events.discarded(), events.damage());
    observe(found);
}

/// A text of events up to the first line of dashes, and an architecture behind it.
pub fn architecture(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (events, yaml) = text.split_once("\n---\n").unwrap_or(("", &text));
    let source = Source { name: "a.yaml".into(), folder: ".".into(), text: yaml.to_owned() };
    let architecture = Architecture::parse(&Arc::new(source));
    let Ok(mut events) = read_babeltrace_text(events) else { return };
    events.sort_by_key(|event| event.time_ns);
    let observed = observe(events);
    if let Ok(architecture) = architecture {
        let _ = Measured::new(&architecture, &observed);
    }
}

/// Streams without headers: every byte counts.
const METADATA: &str = "
    typealias integer { size = 8; align = 8; } := byte;
    clock { name = c; };
    trace { byte_order = le; };
    stream {
        event.header := struct {
            byte id;
            integer { size = 8; align = 8; map = clock.c.value; } timestamp;
        };
        event.context := struct { byte _vpid; byte _vtid; };
    };
    event { name = \"ros2:callback_start\"; id = 0; fields := struct { byte _callback; }; };
    event { name = \"ros2:callback_end\"; id = 1; fields := struct { byte _callback; }; };
    event { name = \"ros2:rclcpp_publish\"; id = 2; fields := struct { byte _message; }; };
    event { name = \"ros2:rcl_publish\"; id = 3;
        fields := struct { byte _publisher_handle; byte _message; }; };
    event { name = \"ros2:rclcpp_timer_callback_added\"; id = 4;
        fields := struct { byte _timer_handle; byte _callback; }; };
    event { name = \"ros2:rcl_timer_init\"; id = 5;
        fields := struct { byte _timer_handle; byte _period; }; };
    event { name = \"x\"; id = 6; fields := struct { byte _n; byte _list[_n]; string _s; }; };";
