//! Steady flight is that of an independent computation, and flight from it stays steady.

use ironbird_kernel::Parameter;
use ironbird_plant::aircraft::{AircraftFile, TrimError, Wanted};
use ironbird_test_rig::{real, text};

use super::flight::{AIRCRAFT, AIRSPEEDS, file_of, fly, ms, rig};
use super::reference::{compared, level};

#[test]
fn trim_is_within_one_percent_of_an_independent_computation() {
    let mut worst: f64 = 0.0;
    for case in compared() {
        let [aileron, elevator, rudder, _] = case.trim.deflections;
        let ours = [
            ("alpha", case.trim.alpha),
            ("beta", case.trim.beta),
            ("pitch", case.trim.pitch),
            ("aileron", aileron),
            ("elevator", elevator),
            ("rudder", rudder),
            ("throttle", case.trim.throttle),
            ("motor_speed", case.trim.motor_speed),
        ];
        for (name, ours) in ours {
            let theirs = case.number(name);
            // 1 % of an angle of nothing is nothing: a thousandth of a degree counts as equal.
            let off = (ours - theirs).abs() / theirs.abs().max(0.0017);
            worst = worst.max(off);
            assert!(off < 0.01, "{}: {name} is {ours}, there {theirs}", case.title);
        }
    }
    println!("trim within {:.5} %", 100.0 * worst);
}

#[test]
fn an_aircraft_that_starts_trimmed_stays_so() {
    for (aircraft, airspeed) in AIRCRAFT.into_iter().zip(AIRSPEEDS) {
        let settings = [
            ("initial.trim_airspeed", real(airspeed)),
            ("initial.trim_heading", real(70.0)),
            ("initial.about_trim", Parameter::Bool(true)),
            ("solver.method", text("dopri5")),
            ("solver.absolute", real(1e-10)),
            ("solver.relative", real(1e-10)),
        ];
        let flown = fly(rig(aircraft, &settings), ms(5_000));
        let names = ["u", "v", "w", "p", "q", "r", "motor_speed"];
        let (start, end) = (flown.states(names, ms(0)), flown.states(names, ms(5_000)));
        for ((name, start), end) in names.iter().zip(start).zip(end) {
            // The battery sinks a little, and the motor with it.
            let bound = 2e-3 * start.abs().max(1.0);
            assert!((end - start).abs() < bound, "{aircraft}: {name} from {start} to {end}");
        }
        let [north, east, down] = flown.states(["north", "east", "down"], ms(5_000));
        let heading = libm::atan2(east, north).to_degrees();
        // Sideslip balances the propeller and what is not symmetric.
        assert!((heading - 70.0).abs() < 0.1, "{aircraft}: heading {heading}");
        assert!((libm::hypot(north, east) - 5.0 * airspeed).abs() < 0.01, "{aircraft}");
        assert!((down + 100.0).abs() < 0.01, "{aircraft}: {down}");
    }
}

#[test]
fn a_glider_descends_by_its_drag_over_its_lift() {
    // Without power and without wind: tan(path) = -D / L.
    let text = std::fs::read_to_string(file_of("aerosonde")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (before, rest) = text.split_once("[propulsion]").unwrap();
    let (_, servos) = rest.split_once("[servos]").unwrap();
    let file = folder.path().join("glider.toml");
    std::fs::write(&file, format!("{before}[servos]{servos}")).unwrap();
    std::fs::create_dir(folder.path().join("aerosonde")).unwrap();
    let table = "aerosonde/cl-stall.csv";
    let from = file_of("aerosonde").with_file_name(table);
    std::fs::copy(from, folder.path().join(table)).unwrap();
    let trim = AircraftFile::read(&file, "").unwrap().trim(&level(22.0, 0.0)).unwrap();
    let lift = 0.28 + 3.45 * trim.alpha - 0.36 * trim.deflections[1];
    let linear: f64 = 0.28 + 3.45 * trim.alpha;
    let aspect = 2.8956 * 2.8956 / 0.55;
    let drag = 0.0437 + linear * linear / (std::f64::consts::PI * 0.9 * aspect);
    assert!((libm::tan(trim.path_angle) + drag / lift).abs() < 1e-5, "{trim:?}");
}

#[test]
fn too_slow_too_fast_and_too_steep_flight_is_refused_with_the_reason() {
    let craft = AircraftFile::read(&file_of("ultra-stick-25e"), "").unwrap();
    let refusal = |wanted: Wanted| craft.trim(&wanted).unwrap_err().to_string();
    let slow = refusal(level(3.0, 100.0));
    assert!(slow.contains("3 m/s") && slow.contains("too slow"), "{slow}");
    // Its wing does not stall in its file: it would hang on its propeller, at 54 deg.
    let hanging = refusal(level(4.0, 100.0));
    assert!(hanging.contains("the air carries at most 5"), "{hanging}");
    let fast = refusal(level(60.0, 100.0));
    assert!(fast.contains("60 m/s"), "{fast}");
    let steep = Wanted { path_angle: 1.0, ..level(17.0, 100.0) };
    let steep = refusal(steep);
    assert!(steep.contains("throttle"), "{steep}");
}

#[test]
fn a_battery_that_is_half_empty_needs_more_throttle() {
    let craft = AircraftFile::read(&file_of("v-tail"), "").unwrap();
    let throttle = |charge| craft.trim(&Wanted { charge, ..level(14.0, 100.0) }).unwrap().throttle;
    // The shaft turns as fast, at 11.52 V in place of 12.6 V, less what the inner resistance takes.
    let ratio = throttle(0.5) / throttle(1.0);
    assert!((1.09..1.10).contains(&ratio), "{ratio}");
    let empty = craft.trim(&Wanted { charge: 0.0, ..level(14.0, 100.0) });
    assert!(matches!(empty, Err(TrimError::None { .. } | TrimError::Throttle { .. })), "{empty:?}");
}
