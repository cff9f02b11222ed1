//! Files of multirotors: those of the examples, and broken ones.

use std::path::Path;

use ironbird_plant::multirotor::{Drive, Multirotor, Turns, Warming};
use ironbird_plant::vehicle::Vehicle;

use crate::example;

const SMALL: &str = r#"
name = "small"
source = "made up"
[mass]
mass = "1 kg"
ixx = "0.01 kg*m^2"
iyy = "0.01 kg*m^2"
izz = "0.02 kg*m^2"
[rotors]
count = 4
arm = "0.2 m"
first = "45 deg"
first_turns = "ccw"
height = "30 mm"
thrust = "1e-5 N*s^2/rad^2"
max_speed = "8000 rpm"
rise = "20 ms"
fall = "30 ms"
[command]
kind = "throttle"
curve = ["100 rad/s", "900 rad/s"]
[drag]
linear = ["0.1 N*s/m", "0.1 N*s/m", "0.2 N*s/m"]
"#;

fn read(text: &str, adjust: &str) -> Result<Multirotor, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.toml");
    std::fs::write(&file, text).unwrap();
    Multirotor::read(&file, adjust).map_err(|problem| problem.to_string())
}

#[test]
fn a_ring_of_rotors_is_laid_out_clockwise_and_turns_in_turns() {
    let craft = read(SMALL, "").unwrap();
    let rotors = &craft.parts().rotors;
    let half = 0.2 * 0.5_f64.sqrt();
    let expected = [[half, half], [-half, half], [-half, -half], [half, -half]];
    for (n, (rotor, [x, y])) in rotors.iter().zip(expected).enumerate() {
        assert!((rotor.at.x - x).abs() + (rotor.at.y - y).abs() < 1e-12, "{}", rotor.at);
        assert_eq!(rotor.at.z, -0.03);
        assert_eq!(rotor.turns == Turns::CounterClockwise, n % 2 == 0);
    }
    assert!((rotors[0].fastest - 837.758).abs() < 1e-3);
    let names: Vec<&str> = craft.commands().iter().map(|channel| channel.name.as_str()).collect();
    assert_eq!(names, ["motor_1", "motor_2", "motor_3", "motor_4"]);
    assert_eq!(craft.states()[3], "speed_4");
}

#[test]
fn rotors_can_differ_and_a_trim_and_warm_motors_be_told() {
    let text = SMALL
        .replace("height =", "scale = [1, 1.1, 0.9, 1]\ntorque = \"2e-7 N*m*s^2/rad^2\"\nheight =");
    let more = "[trim]\nmoment = [\"1e-4 N*m\", \"0 N*m\", \"-1 mN*m\"]\n\
                [warming]\nloss = 0.03\ntime_constant = \"20 s\"\n";
    let craft =
        read(&format!("{text}{more}"), "rotors.scale[0] = 1.2, trim.moment[1] = 2e-4").unwrap();
    let parts = craft.parts();
    for (rotor, scale) in parts.rotors.iter().zip([1.2, 1.1, 0.9, 1.0]) {
        assert!((rotor.thrust / (scale * 1e-5) - 1.0).abs() < 1e-12);
        assert!((rotor.torque / (scale * 2e-7) - 1.0).abs() < 1e-12);
    }
    assert_eq!(parts.trim, nalgebra::Vector3::new(1e-4, 2e-4, -1e-3));
    assert_eq!(parts.warming, Some(Warming { loss: 0.03, time_constant: 20.0 }));
    for (wrong, message) in [
        (text.replace("[1, 1.1, 0.9, 1]", "[1, 1]"), "2 scales for 4 rotors"),
        (text.replace("0.9", "0"), "must be above zero"),
        (format!("{text}[trim]\nmoment = [\"1 N\", \"0 N\", \"0 N\"]\n"), "N"),
        (format!("{text}[trim]\n"), "moment"),
        (format!("{text}[warming]\nloss = 0.03\n"), "time_constant"),
        (format!("{text}[warming]\nloss = 0.9\ntime_constant = \"20 s\"\n"), "from 0 to 0.5"),
    ] {
        let refused = read(&wrong, "").unwrap_err();
        assert!(refused.contains(message), "{refused}");
    }
}

#[test]
fn the_examples_hover_within_their_means() {
    for file in ["multirotor/x500.toml", "multirotor/iris.toml", "crazyflie/crazyflie-2.1.toml"] {
        let craft = example(file);
        let parts = craft.parts();
        let most: f64 = parts.rotors.iter().map(|r| r.thrust * r.fastest * r.fastest).sum();
        let ratio = most / (parts.inertia.mass * 9.80665);
        assert!(1.2 < ratio && ratio < 3.0, "{file}: {ratio} times its weight");
        assert!(parts.rotors.iter().map(|r| r.turns.sign()).sum::<f64>() == 0.0);
    }
    let crazyflie = example("crazyflie/crazyflie-2.1.toml");
    assert!(matches!(crazyflie.parts().drive, Drive::Pwm { .. }));
    assert_eq!(crazyflie.commands().last().unwrap().name, "voltage");
}

#[test]
fn numbers_of_a_file_can_be_adjusted_in_its_units() {
    let adjusted = read(SMALL, "rotors.rise = 40, command.curve[1] = 800, mass.mass=2").unwrap();
    assert_eq!(adjusted.parts().rotors[0].rise, 0.04);
    assert_eq!(adjusted.parts().inertia.mass, 2.0);
    assert_eq!(adjusted.parts().drive, Drive::Throttle { curve: [100.0, 800.0, 0.0] });
    for (adjust, message) in [
        ("mass", "is not like"),
        ("mass.mass = heavy", "\"heavy\" is not a number"),
        ("mass.weight = 1", "the file has no number at \"mass.weight\""),
        ("command.curve[7] = 1", "the file has no number at \"command.curve[7]\""),
        ("command.curve[x = 1", "the file has no number"),
        ("mass = 1", "a table stands at \"mass\""),
        ("command.kind = 1", "\"throttle\" at \"command.kind\" is no number with a unit"),
        ("mass.mass = -1", "\"mass\" must be above zero"),
    ] {
        let refused = read(SMALL, adjust).unwrap_err();
        assert!(refused.contains(message), "{adjust}: {refused}");
    }
}

#[test]
fn inertia_that_no_body_has_is_read_where_the_file_says_that_it_knows() {
    let text = SMALL.replace("izz = \"0.02", "izz = \"0.5");
    let refused = read(&text, "").unwrap_err();
    let line = "allow_impossible_inertia = true";
    assert!(refused.ends_with(&format!("add {line} to [mass])")), "{refused}");
    let known = read(&text.replace("[mass]", &format!("[mass]\n{line}")), "").unwrap();
    assert_eq!(known.inertia().tensor[(2, 2)], 0.5);
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (from, to, message) in [
        ("mass = \"1 kg\"", "mass = \"1 m\"", "m"),
        ("mass = \"1 kg\"", "mass = \"-1 kg\"", "\"mass\" must be above zero"),
        ("izz = \"0.02", "izz = \"0.5", "no body has such inertia"),
        ("izz = \"0.02 kg*m^2\"", "izz = \"0.02 kg*m^2\"\nixy = \"1 kg*m^2\"", "too large"),
        ("count = 4", "count = 17", "17 rotors: there may be 1 to 16"),
        ("count = 4", "count = 0", "0 rotors"),
        ("count = 4\n", "", "the key \"count\" is missing"),
        (
            "first_turns = \"ccw\"",
            "first_turns = \"left\"",
            "turns \"cw\" or \"ccw\", not \"left\"",
        ),
        ("rise = \"20 ms\"", "raise = \"20 ms\"", "[rotors] has no key \"raise\""),
        ("thrust = \"1e-5 N*s^2/rad^2\"", "thrust = \"1e-5 N\"", "N"),
        ("kind = \"throttle\"", "kind = \"torque\"", "is no kind of command"),
        ("kind = \"throttle\"", "kind = \"speed\"", "has no key \"curve\""),
        ("kind = \"throttle\"", "kind = \"pwm\"", "\"900 rad/s\" is an angular rate"),
        (
            "curve = [\"100 rad/s\", \"900 rad/s\"]",
            "curve = [\"100 rad/s\"]",
            "two or three numbers",
        ),
        ("\"900 rad/s\"]", "\"-900 rad/s\"]", "must begin at zero or more, and rise"),
        (
            "kind = \"throttle\"\ncurve = [\"100 rad/s\", \"900 rad/s\"]",
            "kind = \"pwm\"\ncurve = [\"100 rad/s\", \"900 rad/s/V\"]\nvoltage = \"4 V\"\nfelt = 2",
            "\"felt\" must be from 0 to 1",
        ),
        ("linear = [\"0.1 N*s/m\", ", "linear = [", "drag is [forward, starboard, down]"),
        ("linear = [\"0.1", "linear = [\"-0.1", "must not be negative"),
        (
            "[command]",
            "[[rotor]]\nat = [\"1 m\", \"0 m\", \"0 m\"]\nturns = \"cw\"\n[command]",
            "is for rotors in a ring",
        ),
        ("name = \"small\"\n", "", "the key \"name\" is missing"),
        ("name = \"small\"", "name = small", "small.toml:2"),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let refused = read(&SMALL.replace(from, to), "").unwrap_err();
        assert!(refused.contains(message) && refused.contains("small.toml"), "{to}: {refused}");
    }
    let missing = Multirotor::read(Path::new("no-such.toml"), "").unwrap_err().to_string();
    assert!(missing.contains("no-such.toml"), "{missing}");
}

#[test]
fn listed_rotors_may_be_tilted() {
    let ring = "count = 4\narm = \"0.2 m\"\nfirst = \"45 deg\"\nfirst_turns = \"ccw\"\nheight = \"30 mm\"\n";
    let listed =
        "[[rotor]]\nat = [\"1 m\", \"0 m\", \"0 m\"]\nturns = \"cw\"\naxis = [3, 0, -4]\n[command]";
    let text = SMALL.replace(ring, "").replace("[command]", listed);
    let craft = read(&text, "").unwrap();
    assert_eq!(craft.parts().rotors[0].axis, nalgebra::Vector3::new(0.6, 0.0, -0.8));
    let lost = read(&text.replace("[3, 0, -4]", "[0, 0, 0]"), "").unwrap_err();
    assert!(lost.contains("needs a direction"), "{lost}");
}
