//! Every mistake in an aircraft file or one of its tables gets a message with its place.

use std::path::{Path, PathBuf};

use ironbird_plant::aircraft::{AircraftFile, AircraftVehicle};
use ironbird_plant::vehicle::Vehicle;
use ironbird_test_rig::{Rig, real, text};

use super::flight::file_of;

const GOOD: &str = r#"name = "test"
source = "this test"
[mass]
mass = "2 kg"
ixx = "0.1 kg*m^2"
iyy = "0.2 kg*m^2"
izz = "0.25 kg*m^2"
[reference]
area = "0.5 m^2"
span = "2 m"
chord = "0.25 m"
[parameters]
CLalpha = 4.5
[aerodynamics]
lift = [{ value = 0.2 }, { value = "CLalpha", times = ["alpha"] }]
drag = [{ table = "CD" }]
side = []
roll = []
pitch = [{ value = -0.5, times = ["alpha"] }, { value = -0.8, times = ["elevator"] }]
yaw = []
[tables.CD]
file = "cd.csv"
edge = "hold"
[tables.CT]
advance_ratio = [0.0, 1.0]
values = [0.1, 0.0]
[tables.CP]
advance_ratio = [0.0, 1.0]
values = [0.05, 0.0]
[propulsion]
kind = "propeller"
diameter = "0.3 m"
thrust = "CT"
power = "CP"
inertia = "0.0001 kg*m^2"
[propulsion.motor]
kv = "900 rpm/V"
resistance = "0.05 Ohm"
no_load_current = "1 A"
[battery]
voltage = "11.1 V"
capacity = "4 Ah"
[servos]
time_constant = "0.05 s"
rate_limit = "300 deg/s"
elevator = ["-30 deg", "30 deg"]
"#;
const TABLE: &str = "# drag\nalpha [deg],value\n-10,0.05\n0,0.03\n10,0.05\n";

struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new(aircraft: &str, table: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("plane.toml"), aircraft).unwrap();
        std::fs::write(folder.path().join("cd.csv"), table).unwrap();
        Files { folder }
    }

    fn plane(&self) -> PathBuf {
        self.folder.path().join("plane.toml")
    }

    /// The message, with file names in place of paths.
    fn message(&self, adjust: &str) -> String {
        let error = AircraftFile::read(&self.plane(), adjust).unwrap_err().to_string();
        error.replace(&format!("{}/", self.folder.path().display()), "")
    }
}

/// The message after one replacement in the aircraft file.
fn after(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    Files::new(&GOOD.replacen(from, to, 1), TABLE).message("")
}

/// The message with this table.
fn with_table(table: &str) -> String {
    Files::new(GOOD, table).message("")
}

fn assert_messages<const N: usize>(cases: [(&str, &str, &str); N]) {
    let mut wrong = Vec::new();
    for (from, to, expected) in cases {
        let found = after(from, to);
        if found != expected {
            wrong.push(format!("{to}\n    found    {found}\n    expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_file_without_mistakes_is_read() {
    AircraftFile::read(&Files::new(GOOD, TABLE).plane(), "CLalpha = 4").unwrap();
}

#[test]
fn tables_with_gaps_and_disorder_are_refused_with_file_line_and_column() {
    let cases = [
        (
            TABLE.replace("0,0.03", "0,"),
            "plane.toml:22: cd.csv, line 4, column 2 (value): this cell is empty: a table has no gaps",
        ),
        (
            TABLE.replace("0,0.03", "0"),
            "plane.toml:22: cd.csv, line 4: 1 cells, but the header has 2 columns",
        ),
        (
            TABLE.replace("0,0.03", "0,NaN"),
            "plane.toml:22: cd.csv, line 4, column 2 (value): \"NaN\" is not a number",
        ),
        (
            TABLE.replace("0,0.03", "0,much"),
            "plane.toml:22: cd.csv, line 4, column 2 (value): \"much\" is not a number",
        ),
        (
            TABLE.replace("10,0.05\n0", "10,0.05\n20"),
            "plane.toml:22: cd.csv, line 5: the axis \"alpha\" goes from 20 to 10 deg: its points must \
             ascend",
        ),
        (
            "alpha [deg],value\n0,0.03\n".into(),
            "plane.toml:22: cd.csv, line 2: the axis \"alpha\" has 1 points: it needs at least two",
        ),
        (
            TABLE.replace("[deg]", "[kg]"),
            "plane.toml:22: cd.csv, line 2 (header): the axis \"alpha\" is in kg: it must be in rad",
        ),
        (
            TABLE.replace("alpha", "alhpa"),
            "plane.toml:22: cd.csv, line 2 (header): there is no variable \"alhpa\"; did you mean \
             \"alpha\"?",
        ),
        (
            TABLE.replace("[deg]", "[deg"),
            "plane.toml:22: cd.csv, line 2 (header): \"alpha [deg\" has no \"]\"",
        ),
        (
            "alpha [deg] \\ beta [deg],0,10,5\n0,1,2,3\n1,1,2,3\n".into(),
            "plane.toml:22: cd.csv, line 1 (header): the axis \"beta\" goes from 10 to 5 deg: its points \
             must ascend",
        ),
        (
            "alpha [deg] \\ beta [deg],0,x\n0,1,2\n1,1,2\n".into(),
            "plane.toml:22: cd.csv, line 1 (header): \"x\" is no point of the axis \"beta\"",
        ),
        (
            "alpha [deg],0,1\n0,1,2\n1,1,2\n".into(),
            "plane.toml:22: cd.csv, line 1 (header): the first column is headed \"alpha [deg]\": a table \
             of two axes has both in it, as in \"alpha [deg] \\ beta [deg]\"",
        ),
    ];
    let mut wrong = Vec::new();
    for (table, expected) in cases {
        let found = with_table(&table);
        if found != expected {
            wrong.push(format!("{table}\n    found    {found}\n    expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tables_in_the_aircraft_file_are_checked_as_well() {
    assert_messages([
        ("values = [0.1, 0.0]", "values = [0.1]", "plane.toml:26: 2 points have 1 values"),
        (
            "advance_ratio = [0.0, 1.0]",
            "advance_ratio = [1.0, 0.0]",
            "plane.toml:25: the axis \"advance_ratio\" goes from 1 to 0: its points must ascend",
        ),
        (
            "advance_ratio = [0.0, 1.0]",
            "advance_ratio = [0.0, nan]",
            "plane.toml:25: expected a finite number",
        ),
        (
            "advance_ratio = [0.0, 1.0]",
            "advance = [0.0, 1.0]",
            "plane.toml:25: there is no variable \"advance\"; there are alpha, beta, airspeed, mach, p_hat, \
             q_hat, r_hat, alpha_rate_hat, aileron, elevator, rudder, flap, lift, advance_ratio, \
             motor_speed, charge",
        ),
        (
            "edge = \"hold\"",
            "edge = \"wrap\"",
            "plane.toml:23: \"wrap\" is no edge: hold, extrapolate or fail",
        ),
        (
            "file = \"cd.csv\"",
            "file = \"cd.csv\"\nunit = \"N\"",
            "plane.toml:16: this table is in N: it must be in 1",
        ),
    ]);
}

#[test]
fn names_that_nobody_knows_are_refused_with_the_nearest_one() {
    assert_messages([
        (
            "lift = [",
            "lifd = [",
            "plane.toml:15: [aerodynamics] has no key \"lifd\" (did you mean \"lift\"?)",
        ),
        (
            "\"CLalpha\"",
            "\"CLalfa\"",
            "plane.toml:15: there is no parameter \"CLalfa\" (did you mean \"CLalpha\"?)",
        ),
        (
            "times = [\"alpha\"]",
            "times = [\"alpa\"]",
            "plane.toml:15: there is no variable \"alpa\" (did you mean \"alpha\"?)",
        ),
        (
            "table = \"CD\"",
            "table = \"CE\"",
            "plane.toml:16: there is no table \"CE\" (did you mean \"CD\"?)",
        ),
        (
            "kind = \"propeller\"",
            "kind = \"rocket\"",
            "plane.toml:31: \"rocket\" is no propulsion: propeller, thrust-table or beard",
        ),
        ("{ value = 0.2 }", "{}", "plane.toml:15: a term has a `value`, a `table` or `times`"),
        (
            "[servos]",
            "[servos]\ntail = \"t\"",
            "plane.toml:44: \"t\" is no tail: conventional or v",
        ),
    ]);
}

#[test]
fn inertia_that_no_body_has_is_read_where_the_file_says_that_it_knows() {
    let known = GOOD.replace("ixx = \"0.1 kg", "allow_impossible_inertia = true\nixx = \"0.01 kg");
    let craft = AircraftFile::read(&Files::new(&known, TABLE).plane(), "").unwrap();
    assert_eq!(AircraftVehicle::new(craft).inertia().tensor[(0, 0)], 0.01);
    assert_messages([
        // It must still turn when it is pushed.
        (
            "izz = ",
            "allow_impossible_inertia = true\nixz = \"0.2 kg*m^2\"\nizz = ",
            "plane.toml:3: no body has such inertia: ixz² must be below ixx izz",
        ),
        (
            "izz = ",
            "allow_impossible_inertia = 1\nizz = ",
            "plane.toml:7: expected true or false, found a whole number",
        ),
    ]);
}

#[test]
fn what_physics_forbids_is_refused() {
    assert_messages([
        ("\"2 kg\"", "\"-2 kg\"", "plane.toml:4: \"mass\" must be above zero"),
        (
            "ixx = \"0.1 kg",
            "ixx = \"0.01 kg",
            "plane.toml:3: no body has such inertia: one of ixx, iyy and izz is above the sum of the other two (where \
             there are no better numbers, add allow_impossible_inertia = true to [mass])",
        ),
        (
            "izz = ",
            "ixz = \"0.2 kg*m^2\"\nizz = ",
            "plane.toml:3: no body has such inertia: ixz² must be below ixx izz",
        ),
        ("\"0.05 Ohm\"", "\"-0.05 Ohm\"", "plane.toml:38: \"resistance\" must be above zero"),
        ("\"1 A\"", "\"-1 A\"", "plane.toml:39: \"no_load_current\" must not be negative"),
        ("\"0.05 s\"", "\"-1 s\"", "plane.toml:44: \"time_constant\" must not be negative"),
        (
            "[\"-30 deg\", \"30 deg\"]",
            "[\"5 deg\", \"30 deg\"]",
            "plane.toml:46: limits enclose 0 rad",
        ),
        (
            "[\"-30 deg\", \"30 deg\"]",
            "[\"30 deg\"]",
            "plane.toml:46: limits are [lowest, highest]",
        ),
    ]);
}

#[test]
fn coefficients_that_go_in_a_circle_are_refused() {
    assert_messages([
        (
            "times = [\"alpha\"]",
            "times = [\"lift\"]",
            "plane.toml:15: \"lift\" cannot depend on \"lift\"",
        ),
        (
            "drag = [",
            "drag = [{ times = [\"alpha_rate_hat\"] }, ",
            "plane.toml:16: \"drag\" cannot depend on \"alpha_rate_hat\"",
        ),
        (
            "times = [\"alpha\"]",
            "times = [\"alpha_rate_hat\", \"alpha_rate_hat\"]",
            "plane.toml:15: a term may contain \"alpha_rate_hat\" once",
        ),
        (
            "advance_ratio = [0.0, 1.0]",
            "alpha_rate_hat = [0.0, 1.0]",
            "plane.toml:25: \"alpha_rate_hat\" stands in `times`, not on the axis of a table",
        ),
    ]);
}

#[test]
fn sections_units_and_axes_that_do_not_fit_are_refused() {
    assert_messages([
        (
            "[reference]",
            "[reverence]",
            "plane.toml:8: an aircraft has no key \"reverence\" (did you mean \"reference\"?)",
        ),
        (
            "thrust = \"CT\"",
            "thrust = \"CD\"",
            "plane.toml:33: this table is over \"alpha\": it must be over \"advance_ratio\"",
        ),
        (
            "[battery]\nvoltage = \"11.1 V\"\ncapacity = \"4 Ah\"\n",
            "",
            "plane.toml:36: a motor needs a [battery]",
        ),
    ]);
    let unit = after("mass = \"2 kg\"", "mass = \"2 m\"");
    assert!(unit.starts_with("plane.toml:4: ") && unit.contains("kg"), "{unit}");
    let plain = after("mass = \"2 kg\"", "mass = 2");
    assert!(plain.starts_with("plane.toml:4: ") && plain.contains("1 kg"), "{plain}");
    let (before, rest) = GOOD.split_once("[servos]").unwrap();
    assert!(!rest.is_empty());
    let missing = Files::new(before, TABLE).message("");
    assert!(missing.contains("the key \"servos\" is missing"), "{missing}");
}

#[test]
fn nonsense_in_adjust_is_refused() {
    let files = Files::new(GOOD, TABLE);
    assert_eq!(files.message("CLalpha"), "\"adjust\": \"CLalpha\" is not like \"Cmq = -8.2\"");
    assert_eq!(files.message("CLalpha = inf"), "\"adjust\": \"inf\" is not a number");
    assert_eq!(
        files.message("CLalfa = 1"),
        "\"adjust\": the aircraft has no parameter \"CLalfa\" (did you mean \"CLalpha\"?)"
    );
}

#[test]
fn files_that_are_missing_are_named() {
    let files = Files::new(GOOD, TABLE);
    std::fs::remove_file(files.folder.path().join("cd.csv")).unwrap();
    let message = files.message("");
    assert!(message.starts_with("plane.toml:22: cd.csv cannot be read: "), "{message}");
    let missing = AircraftFile::read(Path::new("no-such.toml"), "").unwrap_err().to_string();
    assert!(missing.contains("no-such.toml"), "{missing}");
}

#[test]
fn a_start_that_cannot_be_flown_is_refused_at_load() {
    let rig = Rig::of(&[ironbird_plant::register]);
    let file = file_of("v-tail").display().to_string();
    let refusal = |airspeed: f64| {
        rig.refusal(
            "plant.aircraft",
            &[("file", text(&file)), ("initial.trim_airspeed", real(airspeed))],
        )
    };
    let slow = refusal(5.0);
    assert!(
        slow.contains("no steady flight at 5 m/s: that is too slow, the air carries at most"),
        "{slow}"
    );
    let fast = refusal(80.0);
    assert!(fast.contains("steady flight at 80 m/s"), "{fast}");
}

#[test]
fn an_angle_on_an_axis_says_its_unit_and_stands_there_once() {
    let message = |table: &str| Files::new(GOOD, table).message("");
    let unknown = message("alpha,value\n-10,0.05\n10,0.05\n");
    assert!(
        unknown.ends_with("the axis \"alpha\" has no unit: write it as \"alpha [deg]\""),
        "{unknown}"
    );
    let twice = message("beta [deg] \\ beta [deg],0,1\n-10,0.05,0\n10,0.05,0\n");
    assert!(twice.ends_with("both axes are \"beta\""), "{twice}");
}

#[test]
fn a_servo_cannot_start_beyond_its_limits() {
    let rig = Rig::of(&[ironbird_plant::register]);
    let file = file_of("v-tail").display().to_string();
    let settings = [("file", text(&file)), ("initial.deflections[0]", real(3.0))];
    let refusal = rig.refusal("plant.aircraft", &settings);
    assert!(
        refusal.contains("put a servo at 171.9 deg: it goes from -25.0 deg to 25.0 deg"),
        "{refusal}"
    );
}
