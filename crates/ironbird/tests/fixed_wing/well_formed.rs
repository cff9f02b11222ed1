//! All studies of the folder.

use super::study::{names, open_study};

#[test]
fn every_study_of_the_folder_is_well_formed() {
    let names = names("fixed-wing");
    assert!(names.len() >= 7, "{names:?}");
    for name in names {
        // These are extended by the others, who say who owns the route.
        if name != "uav" {
            let study = open_study("fixed-wing", &name, &[]);
            assert_eq!(study.warnings.0.len(), 0, "{name}: {}", study.warnings);
        }
    }
}

#[test]
fn the_open_loop_and_the_way_points_hold() {
    for name in ["open-loop", "waypoints", "two-pids"] {
        open_study("fixed-wing", name, &[]).run(0, 0).holds();
    }
}
