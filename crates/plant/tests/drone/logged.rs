//! Logs of others.

use ironbird_kernel::Time;
use ironbird_kinematics::Motion;
use ironbird_test_rig::{real, seconds, text};

use crate::surroundings::{rig, write};

#[test]
fn a_log_of_another_format_is_read_through_the_column_map() {
    let log = write(
        "# made elsewhere\nstamp [ms], Lat, Lon, Depth, Heading, Pitch, Roll, Battery\n\
         1000, 48.3, -4.4, 10, 90, 0, 0, full\n2000, , , , , , , low\n\
         3100, 48.3, -4.39999, 10, 92, 0, 0, low\n5000, 48.3, -4.39998, 10, 94, 0, 0, low\n",
    );
    let settings = [
        log.file(),
        (
            "columns",
            text(
                "stamp [ms] as time: ms, Lat as latitude, Lon as longitude, Depth as depth, \
                          Heading as yaw, Pitch as pitch, Roll as roll",
            ),
        ),
        ("origin.latitude", real(48.3)),
        ("origin.longitude", real(-4.4)),
    ];
    let mut rig = rig();
    rig.add("drone", "drone.log", &settings);
    let run = rig.run(seconds(5.0), &["drone.motion", "drone.finished"]);
    let samples: Vec<(Time, Motion)> = run.samples("drone.motion");
    let at = |time: f64| samples.iter().find(|(t, _)| *t >= seconds(time)).unwrap().1;
    // A degree of longitude is 74.2 km there.
    assert!(at(0.0).position[1].abs() < 1e-9 && (at(2.1).position[1] - 0.742).abs() < 1e-3);
    assert!((at(2.1).attitude.to_euler()[2].to_degrees() - 92.0).abs() < 1e-9);
    assert!((at(2.1).position[2] - 10.0).abs() < 1e-6);
    // It stands after the last line, 4 s after the first.
    assert_eq!((at(4.5).velocity, at(4.5).position), ([0.0; 3], at(5.0).position));
    let finished: Vec<(Time, bool)> = run.samples("drone.finished");
    assert_eq!(*finished.last().unwrap(), (seconds(4.0), true));
}

#[test]
fn without_attitudes_it_points_along_its_velocity() {
    let log = write("time,north,east,down\n0,0,0,5\n1,1,1,5\n2,2,2,5\n");
    let mut rig = rig();
    rig.add("drone", "drone.log", &[log.file(), ("skip", real(0.5))]);
    let run = rig.run(seconds(1.0), &["drone.motion"]);
    let (_, motion): (Time, Motion) = run.samples("drone.motion")[0];
    assert!((motion.attitude.to_euler()[2].to_degrees() - 45.0).abs() < 1e-12);
    assert!((motion.position[0] - 0.5).abs() < 1e-12);
}

fn refusal(content: &str) -> String {
    let log = write(content);
    log.plain(&rig().refusal("drone.log", &[log.file()]))
}

#[test]
fn damaged_logs_are_refused() {
    let expected = [
        (
            "time,north,east,down\n0,0,0,5\n2,1,1,5\n1,2,2,5\n",
            "file.csv, line 4, column 1 (time): 1 s does not come after 2 s; times must go forward",
        ),
        (
            "time,north,east,down\n0,0,0,5\n2,1,1,5\n\n# pause\n12,2,2,5\n",
            "file.csv, line 6, column 1 (time): a gap of 10.000 s since line 3; \"max_gap\" is 5 s",
        ),
        (
            "time,north,east,down\n0,0,0,5\n2,nan,1,5\n",
            "file.csv, line 3, column 2 (north): \"nan\" is not a finite number; expected north in m",
        ),
        (
            "time,north,east,down,roll,pitch,yaw\n0,0,0,5,0,0,0\n1,1,1,5,0,0,150\n",
            "file.csv, line 3, column 7 (yaw): a turn by 150 degrees since line 2; which way round \
             cannot be told",
        ),
        (
            "time,north,east,down,yaw\n0,0,0,5,0\n1,1,1,5,0\n",
            "file.csv, line 1 (header): there is no column \"roll\"; name the one that holds it: \
             columns = \"… as roll\"",
        ),
        ("time,north,east,down\n0,0,0,5\n", "file.csv: 1 lines of data; a track needs two"),
    ];
    for (content, message) in expected {
        assert_eq!(refusal(content), message);
    }
}
