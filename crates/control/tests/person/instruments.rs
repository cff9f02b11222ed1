//! What instruments show of a vehicle.

use ironbird_kinematics::Attitude;
use ironbird_test_rig::seconds;

use crate::{assert_near, rig};

#[test]
fn instruments_show_place_heading_and_speed_as_single_numbers() {
    let mut rig = rig();
    let heading = 2.0;
    let (sine, cosine) = libm::sincos(heading);
    rig.script("place", &[(seconds(0.0), [3.0, -4.0, -5.0])]);
    // 6 m/s forward, 1 m/s to starboard, climbing by 2 m/s.
    let velocity = [6.0 * cosine - sine, 6.0 * sine + cosine, -2.0];
    rig.script("motion", &[(seconds(0.0), velocity)]);
    rig.script("turn", &[(seconds(0.0), Attitude::from_euler(0.3, -0.2, heading))]);
    rig.add("panel", "person.instruments", &[]);
    rig.link("place.out", "panel.position");
    rig.link("motion.out", "panel.velocity");
    rig.link("turn.out", "panel.attitude");
    let shows = [
        ("panel.north", 3.0),
        ("panel.east", -4.0),
        ("panel.height", 5.0),
        ("panel.heading", heading),
        ("panel.speed", 6.0),
        ("panel.climb", 2.0),
    ];
    let run = rig.run(seconds(0.1), &shows.map(|(name, _)| name));
    for (name, expected) in shows {
        assert_near(*run.numbers(name).last().unwrap(), expected, 1e-12);
    }
}
