//! The modes are those of an independent computation, of the books' formulas, and of flights.

use ironbird_kernel::{Parameter, Time};
use ironbird_kinematics::Attitude;
use ironbird_plant::aircraft::{AircraftFile, Modes};
use ironbird_test_rig::{real, text};
use nalgebra::{Complex, SMatrix, SVector};

use super::flight::{AIRCRAFT, AIRSPEEDS, Flown, file_of, fly, ms, rig};
use super::reference::{compared, level};

fn size(value: Complex<f64>) -> f64 {
    libm::hypot(value.re, value.im)
}

/// How far apart two are, as a part of the second.
fn apart(ours: Complex<f64>, theirs: Complex<f64>) -> f64 {
    let ours = Complex::new(ours.re, ours.im.abs());
    size(ours - Complex::new(theirs.re, theirs.im.abs())) / size(theirs)
}

#[test]
fn modes_are_within_one_percent_of_an_independent_computation() {
    let mut worst: f64 = 0.0;
    for case in compared() {
        let pair = |name: &str| {
            let [re, im] = case.pair(name);
            Complex::new(re, im)
        };
        let modes = case.modes;
        let all = [
            ("short_period", modes.short_period, pair("short_period")),
            ("phugoid", modes.phugoid, pair("phugoid")),
            ("dutch_roll", modes.dutch_roll, pair("dutch_roll")),
            ("roll", Complex::from(modes.roll), Complex::from(case.number("roll"))),
            ("spiral", Complex::from(modes.spiral), Complex::from(case.number("spiral"))),
        ];
        for (name, ours, theirs) in all {
            let off = apart(ours, theirs);
            worst = worst.max(off);
            assert!(off < 0.01, "{}: {name} is {ours}, there {theirs}", case.title);
        }
    }
    println!("modes within {:.5} %", 100.0 * worst);
}

/// R. W. Beard, T. W. McLain, "Small Unmanned Aircraft" (2012), table 5.1 and 5.2 and section 5.6: the
/// derivatives of the Aerosonde in closed form, and the reduced-order modes made of them.
#[test]
fn the_aerosonde_has_the_modes_of_the_books_formulas() {
    let craft = AircraftFile::read(&file_of("aerosonde"), "").unwrap();
    let wanted = level(25.0, 0.0);
    let trim = craft.trim(&wanted).unwrap();
    let modes = craft.modes(&trim, &wanted);
    let (jx, jy, jz, jxz) = (0.8244, 1.135, 1.759, 0.1204);
    let (mass, area, span, chord) = (13.5, 0.55, 2.8956, 0.18994);
    let (rho, speed) = (1.225, 25.0);
    // Gammas of (3.13).
    let gamma = jx * jz - jxz * jxz;
    let (g3, g4, g8) = (jz / gamma, jxz / gamma, jx / gamma);
    let by_rate = rho * speed * area * span * span / 4.0;
    let by_angle = rho * speed * speed * area * span / 2.0;
    // Roll: L_p.
    let roll = by_rate * (g3 * -0.26 + g4 * 0.022);
    assert!((modes.roll / roll - 1.0).abs() < 0.15, "{} and {roll}", modes.roll);
    // Dutch roll (5.46 in the book's reduced form): Y_v, N_r, N_v.
    let (y_v, n_r) =
        (rho * area * speed / (2.0 * mass) * -0.98, by_rate * (g4 * 0.14 + g8 * -0.35));
    let n_beta = by_angle * (g4 * -0.12 + g8 * 0.25);
    let frequency = (y_v * n_r + n_beta).sqrt();
    assert!((size(modes.dutch_roll) / frequency - 1.0).abs() < 0.1, "{frequency}");
    // Short period: M_q, M_w, Z_w, Z_q = u.
    let pressure = rho * speed * speed * area / 2.0;
    let m_q = pressure * chord / jy * -3.6 * chord / (2.0 * speed);
    let m_alpha = pressure * chord / jy * -0.38;
    let lift = 0.28 + 3.45 * trim.alpha;
    let drag = 0.0437 + lift * lift * 0.0232;
    let z_alpha = -pressure / (mass * speed) * (3.45 + drag);
    let frequency = (z_alpha * m_q - m_alpha).sqrt();
    let damping = -(z_alpha + m_q) / (2.0 * frequency);
    let ours = -modes.short_period.re / size(modes.short_period);
    assert!((size(modes.short_period) / frequency - 1.0).abs() < 0.05, "{frequency}");
    assert!((ours / damping - 1.0).abs() < 0.1, "{ours} and {damping}");
}

/// A doublet: this much for so many milliseconds, then the opposite.
fn doublet(rig: &mut ironbird_test_rig::Rig, input: &str, from: u64, size: f64, half: u64) {
    let values: [(Time, f64); 4] =
        [(ms(0), 0.0), (ms(from), size), (ms(from + half), -size), (ms(from + 2 * half), 0.0)];
    rig.script(input, &values);
    rig.link(&format!("{input}.out"), &format!("plane.{input}"));
}

/// In which plane an aircraft is shaken. Not in both at once: drag that depends on the magnitude of sideslip
/// would join them.
#[derive(Clone, Copy)]
enum Shake {
    Along,
    Across,
}

/// Flies about trim with small doublets.
fn shaken(aircraft: &str, airspeed: f64, propelled: bool, shake: Shake, end: Time) -> Flown {
    let settings = [
        ("initial.trim_airspeed", real(airspeed)),
        ("initial.about_trim", Parameter::Bool(true)),
        ("ideal_servos", Parameter::Bool(true)),
        ("propelled", Parameter::Bool(propelled)),
        ("solver.method", text("dopri5")),
        ("solver.absolute", real(1e-11)),
        ("solver.relative", real(1e-11)),
    ];
    let mut rig = rig(aircraft, &settings);
    match shake {
        Shake::Along => doublet(&mut rig, "elevator", 0, 0.002, 100),
        Shake::Across => {
            doublet(&mut rig, "aileron", 0, 0.002, 100);
            doublet(&mut rig, "rudder", 200, 0.002, 150);
        }
    }
    fly(rig, end)
}

fn modes_of(aircraft: &str, airspeed: f64, propelled: bool) -> Modes {
    let mut craft = AircraftFile::read(&file_of(aircraft), "").unwrap();
    if !propelled {
        craft.airframe.propulsion = Default::default();
    }
    let wanted = level(airspeed, 100.0);
    craft.modes(&craft.trim(&wanted).unwrap(), &wanted)
}

/// Eigenvalues of the matrix that takes deviations from the start to those `step` ms later, fitted to a
/// flight by least squares; the fastest first.
fn fitted(
    state: impl Fn(Time) -> [f64; 4],
    [from, until]: [u64; 2],
    step: u64,
) -> [Complex<f64>; 4] {
    type Matrix = SMatrix<f64, 4, 4>;
    let start = SVector::from(state(ms(0)));
    let at = |time: u64| SVector::from(state(ms(time))) - start;
    let (mut next, mut now) = (Matrix::zeros(), Matrix::zeros());
    for time in (from..until).step_by(step as usize) {
        let (x, y) = (at(time), at(time + step));
        next += y * x.transpose();
        now += x * x.transpose();
    }
    let transition = next * now.try_inverse().expect("every mode is excited");
    let seconds = 1e-3 * step as f64;
    let mut found: [Complex<f64>; 4] = transition.complex_eigenvalues().into();
    for value in &mut found {
        let (size, angle) = (size(*value), libm::atan2(value.im, value.re));
        *value = Complex::new(libm::log(size), angle) / seconds;
    }
    found.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
    found
}

fn roll_and_pitch(flown: &Flown, at: Time) -> [f64; 2] {
    let [w, x, y, z] = flown.states(["qw", "qx", "qy", "qz"], at);
    let [roll, pitch, _] = Attitude { w, x, y, z }.to_euler();
    [roll, pitch]
}

fn along(flown: &Flown, at: Time) -> [f64; 4] {
    let [u, w, q] = flown.states(["u", "w", "q"], at);
    [u, w, q, roll_and_pitch(flown, at)[1]]
}

fn across(flown: &Flown, at: Time) -> [f64; 4] {
    let [v, p, r] = flown.states(["v", "p", "r"], at);
    [v, p, r, roll_and_pitch(flown, at)[0]]
}

/// As gliders: a motor would be one state more.
#[test]
fn after_a_doublet_every_aircraft_swings_with_its_fast_modes() {
    for (aircraft, airspeed) in AIRCRAFT.into_iter().zip(AIRSPEEDS) {
        let modes = modes_of(aircraft, airspeed, false);
        let shaken = |shake| shaken(aircraft, airspeed, false, shake, ms(6_000));
        let flown = shaken(Shake::Along);
        let [short_period, ..] = fitted(|at| along(&flown, at), [200, 2_000], 20);
        let flown = shaken(Shake::Across);
        let found = fitted(|at| across(&flown, at), [500, 5_000], 20);
        let swings = |value: &&Complex<f64>| value.im.abs() > 0.1;
        let dutch_roll = *found.iter().find(swings).unwrap();
        let roll = *found.iter().find(|value| !swings(value)).unwrap();
        let pairs = [
            ("short period", short_period, modes.short_period),
            ("dutch roll", dutch_roll, modes.dutch_roll),
            ("roll", roll, Complex::from(modes.roll)),
        ];
        for (name, flown, linear) in pairs {
            let off = apart(flown, linear);
            println!("{aircraft}: {name} {flown:.4}, linear {linear:.4}: {:.2} %", 100.0 * off);
            assert!(off < 0.03, "{aircraft}: {name} is {flown}, linear {linear}");
        }
    }
}

/// The Aerosonde in level flight: its book knows no motor, with which others also sway.
#[test]
fn the_slow_modes_of_a_flight_are_those_of_the_linear_model() {
    let modes = modes_of("aerosonde", 25.0, true);
    let shaken = |shake| shaken("aerosonde", 25.0, true, shake, ms(41_000));
    let flown = shaken(Shake::Along);
    let slowest = fitted(|at| along(&flown, at), [3_000, 40_000], 200)[3];
    assert!(apart(slowest, modes.phugoid) < 0.03, "{slowest} and {}", modes.phugoid);
    let flown = shaken(Shake::Across);
    let spiral = fitted(|at| across(&flown, at), [500, 40_000], 20)[3].re;
    assert!((spiral / modes.spiral - 1.0).abs() < 0.05, "{spiral} and {}", modes.spiral);
}
