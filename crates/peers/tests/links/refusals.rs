//! What is wrong with parameters is said before anything runs.

use ironbird_kernel::Parameter;
use ironbird_test_rig::{Setting, text};

use crate::peer::rig;

fn refusal(type_name: &str, settings: &[Setting<'_>]) -> String {
    rig().refusal(type_name, settings)
}

#[test]
fn a_link_that_makes_no_sense_is_refused() {
    for (link, expected) in [
        ("socket:a", "neither `connect:` nor `listen:`"),
        ("connect:", "the path of the socket is empty"),
        ("connect:a:sync=false", "would depend on the speed of the machine"),
        ("connect:a:latency=0", "its latency is 0"),
        ("connect:a:latency=100:sync_interval=200", "exceeds its latency"),
        (&format!("connect:{}", "x".repeat(200)), "longer than the 107 bytes allowed"),
    ] {
        let message = refusal("simbricks.net", &[("link", text(link))]);
        assert!(
            message.starts_with("parameter \"link\"") && message.contains(expected),
            "{message}"
        );
    }
    assert!(refusal("simbricks.net", &[]).contains("it must be given"));
}

#[test]
fn a_device_that_makes_no_sense_is_refused() {
    let device = |type_name: &str, sensors: &str, actuators: &str| {
        let link = text("connect:a");
        let settings = [("link", link), ("sensors", text(sensors)), ("actuators", text(actuators))];
        refusal(&format!("simbricks.physical-{type_name}"), &settings)
    };
    for (type_name, sensors, actuators, expected) in [
        ("device", "altitude", "", "\"altitude\" is neither pushed nor polled"),
        ("device", "pressure from altitude", "", "\"pressure\" cannot come from \"altitude\""),
        ("device", "altitude push 1 Hz, altitude push 1 Hz", "", "two ports \"altitude\""),
        ("device", "altitude push 1 Hz as ready", "", "two ports \"ready\""),
        ("device", "", "rotor_speed from 0 to 1 rad/s", "\"from\" means nothing here"),
        ("world", "altitude push 1 Hz", "", "\"push\" means nothing here"),
        ("world", "", "share x2, share as share_1", "two ports \"share_1\""),
        ("world", "", "share from 1 to 0", "which is no range"),
        ("world", "", "angle from 0 to 3 m", "is a length"),
    ] {
        let message = device(type_name, sensors, actuators);
        assert!(message.contains(expected), "{message}");
    }
    let settings = [("link", text("connect:a")), ("device", Parameter::Integer(-1))];
    assert!(refusal("simbricks.physical-world", &settings).contains("device"));
}
