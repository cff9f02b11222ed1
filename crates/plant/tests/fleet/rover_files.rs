//! What is wrong with a rover file is said with its line.

use ironbird_plant::rover::Rover;
use ironbird_plant::vehicle::Vehicle;

const GOOD: &str = r#"name = "a rover"
source = "this test"
[mass]
mass = "20 kg"
ixx = "0.4 kg*m^2"
iyy = "0.4 kg*m^2"
izz = "0.6 kg*m^2"
[tyre]
friction = [1.0, 0.8]
stiffness = "200 1/m"
slip_stiffness = 10
rolling_resistance = 0.01
[motor]
torque = "5 N*m"
speed = "60 rad/s"
time_constant = "0.2 s"
[steering]
limit = "30 deg"
time_constant = "0.1 s"
rate = "60 deg/s"
[[wheels]]
place = ["0.3 m", "0 m", "0 m"]
radius = "0.1 m"
inertia = "1e-3 kg*m^2"
spring = "20 kN/m"
damper = "200 N*s/m"
steered = true
[[wheels]]
place = ["-0.3 m", "0 m", "0 m"]
radius = "0.1 m"
inertia = "1e-3 kg*m^2"
spring = "20 kN/m"
driven = true
"#;

fn read(text: &str) -> Result<Rover, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rover.toml");
    std::fs::write(&file, text).unwrap();
    Rover::read(&file).map_err(|problem| problem.to_string())
}

#[test]
fn a_good_file_is_read() {
    let rover = read(GOOD).unwrap();
    assert_eq!(rover.parts().tyre.friction, [1.0, 0.8]);
    assert_eq!(rover.parts().wheels.len(), 2);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (good, bad, message) in [
        ("friction = [1.0, 0.8]", "friction = [1.0, 0.8, 2.0]", "rover.toml:9"),
        ("friction = [1.0, 0.8]", "friction = 0", "above zero"),
        ("friction = [1.0, 0.8]", "grip = 1", "no key \"grip\""),
        ("slip_stiffness = 10", "slip_stiffness = \"10 m\"", "expected a number"),
        ("rolling_resistance = 0.01", "rolling_resistance = 3", "from 0 to 1"),
        ("[motor]", "wet = 0\n[motor]", "\"wet\" must be above zero"),
        ("mass = \"20 kg\"", "mass = \"20 m\"", "rover.toml:4"),
        ("mass = \"20 kg\"", "mass = \"-20 kg\"", "above zero"),
        ("izz = \"0.6 kg*m^2\"", "izz = \"6 kg*m^2\"", "no body has such inertia"),
        ("limit = \"30 deg\"", "limit = \"80 deg\"", "below 1.2 rad"),
        ("steered = true", "steered = false", "steered wheels"),
        ("driven = true", "driven = false", "at least one driven wheel"),
        ("driven = true", "driven = true\nfrictionless = true", "there must be steered wheels"),
        ("[steering]", "[steer]", "no key \"steer\""),
        ("source = \"this test\"", "", "\"source\" is missing"),
    ] {
        assert!(GOOD.contains(good), "{good}");
        let error = read(&GOOD.replace(good, bad)).unwrap_err();
        assert!(error.contains(message), "{bad}: {error}");
    }
}

#[test]
fn inertia_that_no_body_has_is_read_where_the_file_says_that_it_knows() {
    let text = GOOD.replace("izz = \"0.6 kg*m^2\"", "izz = \"6 kg*m^2\"");
    let refused = read(&text).unwrap_err();
    let line = "allow_impossible_inertia = true";
    assert!(refused.ends_with(&format!("add {line} to [mass])")), "{refused}");
    let known = read(&text.replace("[mass]", &format!("[mass]\n{line}"))).unwrap();
    assert_eq!(known.inertia().tensor[(2, 2)], 6.0);
}

#[test]
fn too_many_wheels_are_refused() {
    let wheel = &GOOD[GOOD.rfind("[[wheels]]").unwrap()..];
    let error = read(&format!("{GOOD}{}", wheel.repeat(6))).unwrap_err();
    assert!(error.contains("24 at most"), "{error}");
}
