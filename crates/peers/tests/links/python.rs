//! Peers in Python, with the modules that we give to people who write a simulator in it.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use ironbird_kernel::{Outcome, Parameter, Time};
use ironbird_test_rig::{Rig, text};

use crate::peer::{Sockets, heard, on, rig};

/// A script that runs until the link ends.
struct Script(Child);

impl Script {
    fn start(script: &str, arguments: &[&str]) -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let python = std::env::var_os("IRONBIRD_PYTHON").unwrap_or_else(|| "python3".into());
        let mut command = Command::new(&python);
        command.args(["-B", "-u"]).arg(here.join("tests/links").join(script));
        command.arg(here.join("../../docs/python")).args(arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Script(child.unwrap_or_else(|error| panic!("{python:?} does not start ({error})")))
    }

    /// What it printed, and what it complained of.
    fn end(self) -> (String, String) {
        let output = self.0.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr))
    }
}

fn us(us: u64) -> Time {
    Time::from_ps(us * 1_000_000)
}

#[test]
fn frames_go_to_python_and_back() {
    let mut all = Vec::new();
    for swapped in [false, true] {
        let sockets = Sockets::new();
        let [mut here, mut there] = sockets.link("eth", ":latency=400");
        if swapped {
            std::mem::swap(&mut here, &mut there);
        }
        let script = Script::start("echo.py", &[&there, "20"]);
        let mut rig = rig();
        rig.add("beacon", "test.beacon", &[]);
        rig.add("net", "simbricks.net", &on(&here, &[]));
        rig.link("beacon.frames", "net.send");
        let run = rig.run(Time::from_ps(us(20).as_ps() - 1), &["net.received"]);
        assert!(matches!(run.outcome, Outcome::Reached(_)), "{:?}", run.outcome);
        let back = heard(run.samples("net.received"));
        drop(run);
        let (printed, complaint) = script.end();
        assert_eq!(complaint, "");
        all.push((back, printed));
    }
    let (back, printed) = &all[0];
    let expected: Vec<_> = (0..10).map(|k| (1000 * k + 800, k as u8)).collect();
    assert_eq!(*back, expected);
    let lines = (0..10).map(|k| format!("{} 60 {k}\n", 1000 * k + 400)).collect::<String>();
    assert_eq!(*printed, lines);
    assert_eq!(all[0], all[1]);
}

/// A board whose rotors are told something at 15 ms.
fn board(link: &str, sensors: &str) -> Rig {
    let mut rig = rig();
    let more = [
        ("device", Parameter::Integer(3)),
        ("sensors", text(sensors)),
        ("actuators", text("rotor_speed x2 as motor")),
    ];
    rig.add("device", "simbricks.physical-device", &on(link, &more));
    for (motor, value) in [("motor_1", 20.0), ("motor_2", 2000.0)] {
        rig.script(&format!("to_{motor}"), &[(us(0), 0.0), (us(15_000), value)]);
        rig.link(&format!("to_{motor}.out"), &format!("device.{motor}"));
    }
    rig
}

#[test]
fn a_world_in_python_serves_our_device() {
    let mut all = Vec::new();
    for swapped in [false, true] {
        let sockets = Sockets::new();
        let [mut here, mut there] = sockets.link("world", ":latency=100000");
        if swapped {
            std::mem::swap(&mut here, &mut there);
        }
        let script = Script::start("clock_world.py", &[&there, "3"]);
        let rig = board(&here, "altitude push 100 Hz, angular_velocity poll 50 Hz");
        let run =
            rig.run(us(100_000), &["device.altitude", "device.angular_velocity", "device.ended"]);
        assert!(matches!(run.outcome, Outcome::Reached(_)), "{:?}", run.outcome);
        let times = |samples: Vec<(Time, f64)>| {
            samples.into_iter().map(|(t, v)| (t.as_ps() / 1_000_000, v)).collect::<Vec<_>>()
        };
        let altitudes = times(run.samples("device.altitude"));
        let rates = run.samples::<[f64; 3]>("device.angular_velocity");
        assert_eq!(rates.len(), 2);
        // -10⁹ rad/s are cut.
        assert_eq!(rates[0], (us(20_200), [20.0, 0.25, -2147.483648]));
        assert_eq!(run.samples::<bool>("device.ended").len(), 1);
        drop(run);
        let (printed, complaint) = script.end();
        assert!(complaint.contains("a value of angular_velocity does not fit"), "{complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        all.push((altitudes, printed));
    }
    let expected: Vec<_> = (1..=6).map(|k| (10_000 * k + 100, (10 * k) as f64)).collect();
    assert_eq!(all[0].0, expected);
    assert!(all[0].1.ends_with("15100 0 20.0\n15100 1 900.0\n"), "{}", all[0].1);
    assert_eq!(all[0], all[1]);
}

#[test]
fn what_cannot_be_is_refused_on_both_sides() {
    let sensors = "altitude push 100 Hz, angular_velocity poll 50 Hz";
    let cases = [
        ("4", sensors, "speaks of device 4", "(3, 2, 2)"),
        ("3", "altitude push 100 Hz", "counts 2 sensors", "(3, 1, 2)"),
        ("3", "altitude push 1 kHz, angular_velocity poll 50 Hz", "must be 1 to 500 Hz", ""),
    ];
    for (device, sensors, ours, theirs) in cases {
        let sockets = Sockets::new();
        let [listen, connect] = sockets.link("world", ":latency=100000");
        let script = Script::start("clock_world.py", &[&listen, device]);
        let message = board(&connect, sensors).failure(us(100_000));
        assert!(message.contains(ours), "{message}");
        let (_, complaint) = script.end();
        assert!(complaint.contains(theirs), "{complaint}");
    }
}

#[test]
fn a_script_that_is_killed_ends_the_run() {
    let sockets = Sockets::new();
    let [listen, connect] = sockets.link("eth", "");
    let mut script = Script::start("echo.py", &[&listen, "1000000000"]);
    let mut rig = rig();
    rig.add("beacon", "test.beacon", &[]);
    rig.add("net", "simbricks.net", &on(&connect, &[]));
    rig.link("beacon.frames", "net.send");
    let message = std::thread::scope(|threads| {
        let run = threads.spawn(|| rig.failure(Time::from_ps(u64::MAX / 2)));
        // Its first word says that it runs.
        script.0.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        script.0.kill().unwrap();
        run.join().unwrap()
    });
    script.end();
    assert!(message.contains("net") && message.contains("is gone"), "{message}");
}
