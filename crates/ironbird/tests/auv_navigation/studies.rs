//! The studies of the folder.

use super::study::{Ran, Study, names, open_study};

pub fn study(name: &str) -> Study {
    with(name, &[])
}

/// A study with some values set as on the command line.
pub fn with(name: &str, sets: &[&str]) -> Study {
    open_study("auv-navigation", name, sets)
}

/// The angle in degrees by which the estimated track is turned against the true one, clockwise from
/// above, and how much larger it is: the least squares of both about the start.
pub fn turn_and_size(ran: &Ran) -> (f64, f64) {
    let true_track = ran.samples("drone.adapter.position");
    let estimates = ran.samples("navigation.function.position");
    let (mut along, mut across, mut size) = (0.0, 0.0, 0.0);
    for ((_, p), (_, q)) in true_track.iter().zip(&estimates) {
        along += p[0] * q[0] + p[1] * q[1];
        across += p[0] * q[1] - p[1] * q[0];
        size += p[0] * p[0] + p[1] * p[1];
    }
    (libm::atan2(across, along).to_degrees(), libm::hypot(along, across) / size)
}

#[test]
fn every_study_of_the_folder_is_well_formed() {
    let names = names("auv-navigation");
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        // auv.toml is the system of all of them, of which each uses a part; ideal.toml likewise.
        if !["auv", "ideal"].contains(&name.as_str()) {
            let warnings = study(&name).warnings.0.len();
            assert_eq!(warnings, usize::from(name == "figure-10"), "{name}");
        }
    }
}
