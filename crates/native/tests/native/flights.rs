//! Stand-ins of autopilots fly the examples: programs of ours that speak to their simulators as PX4 and ArduPilot do.

use std::path::{Path, PathBuf};
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
const SIH_LIKE: &str = include_str!("programs/sih_like.c");
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

/// The real PX4, if the environment names it: the program and its folder of scripts.
fn px4() -> Option<String> {
    let program = PathBuf::from(std::env::var_os("IRONBIRD_PX4")?);
    let build = program.parent()?.parent()?;
    Some(format!("{} -d {}", program.display(), build.join("etc").display()))
}

/// The real ArduPilot SITL, if the environment names it.
fn ardupilot() -> Option<String> {
    std::env::var("IRONBIRD_ARDUCOPTER_SITL").ok()
}

/// Flies an example with a program, more settings and more of an experiment.
fn fly_with(example: &str, program: &Compiled, settings: &[&str], more: &str) -> Outcomes {
    let own = format!("autopilot.command={}", program.path().display());
    fly_set(example, &[&[own.as_str()], settings].concat(), more)
}

/// Flies an example with settings and more of an experiment.
fn fly_set(example: &str, settings: &[&str], more: &str) -> Outcomes {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/native");
    let settings: Vec<String> = settings.iter().map(|text| (*text).to_owned()).collect();
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
fn a_program_that_behaves_as_px4_in_its_own_simulator_flies_the_example() {
    let Some(program) = stand_in(SIH_LIKE) else { return };
    let flown = fly("px4-sih.toml", &program, &[]);
    assert_passed(&flown, 5);
    for transport in ["memory", "socket"] {
        let transport = format!("autopilot.transport={transport}");
        assert_eq!(fly("px4-sih.toml", &program, &[&transport]).hash, flown.hash, "{transport}");
    }
    if let Some(px4) = px4() {
        assert_passed(&fly_set("px4-sih.toml", &[&format!("autopilot.command={px4}")], ""), 5);
    }
}

#[test]
fn programs_that_behave_as_px4_and_ardupilot_fly_side_by_side() {
    let (Some(px4_like), Some(ardupilot_like)) = (stand_in(PX4_LIKE), stand_in(ARDUPILOT_LIKE))
    else {
        return;
    };
    let [left, right] =
        [&px4_like, &ardupilot_like].map(|program| program.path().display().to_string());
    let fly = |left: &str, right: &str| {
        let settings = [format!("px4.command={left}"), format!("ardupilot.command={right}")];
        let flown = fly_set("together.toml", &settings.each_ref().map(String::as_str), "");
        assert_passed(&flown, 6);
        flown.hash
    };
    assert_eq!(fly(&left, &right), fly(&left, &right));
    if let (Some(px4), Some(ardupilot)) = (px4(), ardupilot()) {
        assert_eq!(fly(&px4, &ardupilot), fly(&px4, &ardupilot));
    }
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
