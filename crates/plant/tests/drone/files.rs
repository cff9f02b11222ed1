//! Files of way-points: what is read, and what is refused with which words.

use ironbird_kernel::{Outcome, Time};
use ironbird_kinematics::Motion;
use ironbird_test_rig::{real, seconds, text};

use crate::surroundings::{drone, rig, write};

fn refusal(content: &str) -> String {
    let mission = write(content);
    mission.plain(&rig().refusal("mission.waypoints", &[mission.file()]))
}

#[test]
fn damaged_missions_are_refused() {
    let expected = [
        ("", "file.csv, line 1 (header): there is neither \"depth\" nor \"height\""),
        (
            "0,0,10,2\n100,0,10,2\n",
            "file.csv, line 1 (header): there is neither \"depth\" nor \"height\"",
        ),
        (
            "north,north,east,depth,speed\n",
            "file.csv, line 1 (header): columns 1 and 2 are both called \"north\"; which one is meant \
             cannot be told",
        ),
        (
            "# plan\nnorth,depth,speed\n0,10,2\n",
            "file.csv, line 2 (header): there is no column \"east\"; name the one that holds it: columns \
             = \"… as east\"",
        ),
        (
            "north,east,depth,height,speed\n0,0,1,1,2\n",
            "file.csv, line 1 (header): there are both \"depth\" and \"height\"; a mission has one",
        ),
        (
            "north,east,latitude,longitude,depth,speed\n0,0,1,1,1,2\n",
            "file.csv, line 1 (header): there are columns of \"north\", \"east\" and of \"latitude\", \
             \"longitude\"; a mission has one of the two",
        ),
        (
            "north,east,depth,speed\n0,0,10,2\n1 00,0,10,2\n",
            "file.csv, line 3, column 1 (north): \"1 00\" is not a finite number; expected north in m",
        ),
        (
            "north,east,depth,speed\n0,0,10,2\n\n100,inf,10,2\n",
            "file.csv, line 4, column 2 (east): \"inf\" is not a finite number; expected east in m",
        ),
        (
            "north,east,depth,speed\n0,0,10,2\n100,0,,2\n",
            "file.csv, line 3, column 3 (depth): \"\" is not a finite number; expected depth in m",
        ),
        (
            "north,east,depth,speed\n0,0,10,2\n100,0,10\n",
            "file.csv, line 3: 3 cells, but the header has 4 columns",
        ),
        (
            "north,east,depth,speed\n0,0,10,2\n100,0,10,0\n",
            "file.csv, line 3, column 4 (speed): a speed of 0 m/s; expected one above 0",
        ),
        (
            "north,east,height,speed\n0,0,10,2\n100,0,-1,2\n",
            "file.csv, line 3, column 3 (height): -1 m above the sea bed lies in it",
        ),
        (
            "north,east,depth,speed\n0,0,10,2\n# again\n0,0,20,2\n",
            "file.csv, line 4: the same place as on line 2; a drone goes forward to the next way-point",
        ),
        (
            "latitude,longitude,depth,speed\n91,0,10,2\n",
            "file.csv, line 2, column 1 (latitude): a latitude of 91 deg; expected -90 to 90",
        ),
        (
            "north,east,depth,speed\n0,0,10,2\n",
            "file.csv: 1 way-points; a mission has at least two",
        ),
    ];
    for (content, message) in expected {
        assert_eq!(refusal(content), message);
    }
}

#[test]
fn what_is_no_text_is_refused() {
    let mission = write("");
    let (_, file) = mission.file();
    let ironbird_kernel::Parameter::Text(path) = &file else { panic!("a path") };
    std::fs::write(path, b"north,east,depth,speed\n0,0,1\xff,2\n").unwrap();
    let message = mission.plain(&rig().refusal("mission.waypoints", &[mission.file()]));
    assert_eq!(message, "file.csv, line 2: it cannot be read: it is no text in UTF-8");
}

#[test]
fn other_names_and_units_go_through_the_column_map() {
    let mission = write("  Lat ,Lon,z,v\n 48.3 , -4.4 , 1000, 3.888769\n48.31,-4.4,1000,5\n");
    let mut rig = rig();
    let columns = text("Lat as latitude, Lon as longitude, z as depth: cm, v as speed: kn");
    let origin = [("origin.latitude", real(48.3)), ("origin.longitude", real(-4.4))];
    let [latitude, longitude] = origin;
    let settings = [mission.file(), ("columns", columns), latitude, longitude];
    rig.add("mission", "mission.waypoints", &settings);
    rig.add("drone", "drone.spline", &[]);
    rig.bind("drone.mission", "mission");
    let run = rig.run(seconds(1.0), &["drone.motion"]);
    let (_, motion): (Time, Motion) = run.samples("drone.motion")[0];
    assert!(motion.position[0].abs() < 1e-8 && (motion.position[2] - 10.0).abs() < 1e-8);
    let [north, east, _] = motion.velocity;
    assert!((north - 2.000_6).abs() < 1e-4 && east.abs() < 1e-6, "{north} {east}");
}

#[test]
fn a_map_that_does_not_fit_the_file_is_refused() {
    let mission = write("North,east,depth,speed\n0,0,10,2\n100,0,10,2\n");
    let refusal = |columns: &str| {
        let settings = [mission.file(), ("columns", text(columns))];
        mission.plain(&rig().refusal("mission.waypoints", &settings))
    };
    assert_eq!(
        refusal("Nord as north"),
        "file.csv, line 1 (header): there is no column \"Nord\"; did you mean \"North\"?; there are \
         \"North\", \"east\", \"depth\", \"speed\""
    );
    assert_eq!(
        refusal("North as norht"),
        "\"columns\": \"North as norht\": \"norht\" is none of north, east, latitude, longitude, depth, \
         height, speed; write \"column as north\""
    );
}

#[test]
fn a_mission_of_depths_needs_no_bed() {
    let mission = write("north, east, depth, speed\n0,0,10,2\n300,0,10,2\n");
    let run = drone("drone.spline", &mission, &[]).run(seconds(1.0), &["drone.height"]);
    assert!(matches!(run.outcome, Outcome::Reached(_)), "{:?}", run.outcome);
    assert!(run.numbers("drone.height").is_empty(), "there is no height without a bed");
}
