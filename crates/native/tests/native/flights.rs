//! Stand-ins of autopilots fly the examples: programs of ours that speak to their simulators as PX4 and ArduPilot do.

use std::path::Path;
use std::sync::Arc;

use ironbird_component::Registry;
use ironbird_experiment::{check, load_text};
use ironbird_kernel::Time;
use ironbird_kinematics::Attitude;
use ironbird_record::Status;
use ironbird_runner::{How, Interrupt, Job, Outcomes, run};
use ironbird_test_rig::{Rig, seconds, text};

use crate::programs::{Compiled, compile_with};

const MAVLINK: &str = include_str!("programs/mavlink.c");
const FLIGHT: &str = include_str!("programs/flight.c");
const PX4_LIKE: &str = include_str!("programs/px4_like.c");
const ARDUPILOT_LIKE: &str = include_str!("programs/ardupilot_like.c");

fn stand_in(source: &str) -> Option<Compiled> {
    compile_with(&[MAVLINK, FLIGHT, source].concat(), &["-pthread", "-lm"])
}

fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    for register in [
        ironbird_kinematics::register,
        ironbird_mavlink::register,
        ironbird_native::register,
        ironbird_network::register,
        ironbird_world::register,
    ] {
        register(&mut registry).expect("names of their own");
    }
    registry
}

/// Flies an example with a program, more settings and more of an experiment.
fn fly_with(example: &str, program: &Compiled, settings: &[&str], more: &str) -> Outcomes {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/native");
    let own = format!("autopilot.command={}", program.path().display());
    let settings: Vec<String> =
        std::iter::once(own).chain(settings.iter().map(|text| (*text).to_owned())).collect();
    let registry = registry();
    let experiment = format!("ironbird = 1\nextends = \"{example}\"\n{more}");
    let root = load_text("flight.toml", &folder, &experiment, &settings);
    let checked = root.and_then(|root| check(&root, &registry));
    let (experiment, _) =
        checked.unwrap_or_else(|problems| panic!("{}", problems.render(false, 120)));
    let job = Job {
        experiment: Arc::new(experiment),
        registry: &registry,
        scenario: 0,
        repetition: 0,
        how: How { digest: true, ..How::default() },
    };
    run(&job, &Interrupt::default(), &mut |_| ()).expect("it runs")
}

fn fly(example: &str, program: &Compiled, settings: &[&str]) -> Outcomes {
    fly_with(example, program, settings, "")
}

fn assert_passed(outcomes: &Outcomes, requirements: usize) {
    println!("{} in {:.2} s of wall time", outcomes.at, outcomes.wall);
    assert_eq!(outcomes.verdicts.len(), requirements);
    for verdict in &outcomes.verdicts {
        assert_eq!(verdict.status, Status::Passed, "{verdict:?}");
    }
}

/// Whatever way the program is run, the flight is the same to the last bit.
fn assert_same_flights(example: &str, program: &Compiled, settings: &[&str]) {
    let fly = |backend: &str, transport: &str| {
        let backend = format!("autopilot.backend={backend}");
        let transport = format!("autopilot.transport={transport}");
        let settings = [settings, &[&backend, &transport]].concat();
        let outcomes = fly(example, program, &settings);
        let up = outcomes.verdicts.iter().find(|verdict| verdict.name == "it takes off");
        assert_eq!(up.map(|verdict| verdict.status), Some(Status::Passed));
        (outcomes.hash, outcomes.digest)
    };
    let first = fly("coroutines", "memory");
    assert!(first.1.is_some());
    for (backend, transport) in [
        ("coroutines", "memory"),
        ("coroutines", "socket"),
        ("kernel-threads", "memory"),
        ("kernel-threads", "socket"),
    ] {
        assert_eq!(fly(backend, transport), first, "{backend}, {transport}");
    }
}

#[test]
fn a_program_that_behaves_as_px4_flies_the_example() {
    let Some(program) = stand_in(PX4_LIKE) else { return };
    assert_passed(&fly("px4.toml", &program, &[]), 6);
}

#[test]
fn a_program_that_behaves_as_px4_drifts_when_it_loses_its_satellite_receiver() {
    let Some(program) = stand_in(PX4_LIKE) else { return };
    let lost = "[[at]]\nname = \"lost\"\ntime = \"26 s\"\nset = { link.gps = false }";
    let outcomes = fly_with("px4.toml", &program, &[], lost);
    for verdict in &outcomes.verdicts {
        let expected = match verdict.name.as_str() {
            "it hovers" => Status::Failed,
            _ => Status::Passed,
        };
        assert_eq!(verdict.status, expected, "{verdict:?}");
    }
}

#[test]
fn a_program_that_behaves_as_px4_flies_the_same_whatever_way_it_is_run() {
    let Some(program) = stand_in(PX4_LIKE) else { return };
    // It flies from 4 s on.
    let early = ["duration=8 s", "at.take-off.time=3 s", "at.arming.time=4 s"];
    assert_same_flights("px4.toml", &program, &early);
}

#[test]
fn a_program_that_behaves_as_ardupilot_flies_the_example() {
    let Some(program) = stand_in(ARDUPILOT_LIKE) else { return };
    assert_passed(&fly("ardupilot-json.toml", &program, &[]), 5);
}

#[test]
fn a_program_that_behaves_as_ardupilot_flies_the_same_whatever_way_it_is_run() {
    let Some(program) = stand_in(ARDUPILOT_LIKE) else { return };
    // It flies from 1 s on.
    assert_same_flights(
        "ardupilot-json.toml",
        &program,
        &["duration=14 s", "at.take-off.time=1 s"],
    );
}

#[test]
fn a_program_that_behaves_as_ardupilot_sends_again_what_is_not_answered() {
    let Some(program) = stand_in(ARDUPILOT_LIKE) else { return };
    for arguments in ["", " --servo-32"] {
        let mut rig = Rig::of(&[ironbird_native::register]);
        for port in ["angular_velocity", "specific_force", "velocity"] {
            rig.script(port, &[(Time::ZERO, [0.0; 3])]);
        }
        rig.script("attitude", &[(Time::ZERO, Attitude::default())]);
        let command = format!("{}{arguments}", program.path().display());
        let sockets = "udp remote 9002 = udp[0], udp remote 14550 = udp[1]";
        let computer = [("command", text(&command)), ("sockets", text(sockets))];
        rig.add("computer", "host.native", &computer);
        rig.add("link", "ardupilot.json-link", &[]);
        for port in ["angular_velocity", "specific_force", "velocity", "attitude"] {
            rig.link(&format!("{port}.out"), &format!("link.{port}"));
        }
        rig.link("computer.udp[0].sent", "link.servos");
        rig.link("link.state", "computer.udp[0].received");
        // The first packet is lost, and those that are sent in its place 1 and 2 s later; the one at 3 s is heard.
        rig.pause(Time::ZERO, seconds(2.5), "link");
        let counters = ["link.packets", "link.missed", "link.refused", "link.restarts"];
        let run = rig.run(seconds(5.0), &counters);
        let [packets, missed, refused, restarts] =
            counters.map(|output| run.samples::<u64>(output).last().expect("shown").1);
        assert!((1_990..=2_010).contains(&packets), "1 kHz for 2 s: {packets}");
        assert_eq!((missed, refused, restarts), (0, 0, 0));
    }
}
