//! Dryden turbulence beside its spectra.

use std::f64::consts::{PI, TAU};

use ironbird_kernel::{Rate, Time};
use ironbird_kinematics::Attitude;
use ironbird_test_rig::{
    Rig, Run, Setting, assert_goes_on_after_a_checkpoint, real, seconds, text,
};

use crate::spectrum::{SEGMENT, bands, expected, octaves};

const OUTPUTS: [&str; 6] =
    ["gusts.north", "gusts.east", "gusts.down", "gusts.p", "gusts.q", "gusts.r"];

const SPEED: f64 = 60.0;
const SPAN: f64 = 4.0;
const SIGMA: [f64; 3] = [1.0, 2.0, 3.0];
const LENGTH: [f64; 3] = [150.0, 100.0, 60.0];

fn given() -> Vec<Setting<'static>> {
    let mut settings = vec![("scales", text("given")), ("span", real(SPAN))];
    for (axis, name) in ["sigma[0]", "sigma[1]", "sigma[2]"].into_iter().enumerate() {
        settings.push((name, real(SIGMA[axis])));
    }
    for (axis, name) in ["length[0]", "length[1]", "length[2]"].into_iter().enumerate() {
        settings.push((name, real(LENGTH[axis])));
    }
    settings
}

fn rig(name: &str, hertz: u64, settings: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add_at(name, "wind.dryden", Some(Rate::hz(hertz)), settings);
    rig.script("speed", &[(Time::ZERO, SPEED)]);
    rig.link("speed.out", &format!("{name}.airspeed"));
    rig
}

fn run(hertz: u64, until: f64) -> Run {
    rig("gusts", hertz, &given()).run(seconds(until), &OUTPUTS)
}

fn variance(samples: &[f64]) -> f64 {
    samples.iter().map(|x| x * x).sum::<f64>() / samples.len() as f64
}

/// The spectra of MIL-F-8785C over the frequency in Hz: with Ω = 2π f / V, Φ(f) df = Φ(Ω) dΩ.
fn spectra(f: f64) -> [f64; 6] {
    let omega = TAU * f / SPEED;
    let square = |x: f64| x * x;
    let across = |axis: usize| {
        let reach = square(LENGTH[axis] * omega);
        square(SIGMA[axis]) * LENGTH[axis] / PI * (1.0 + 3.0 * reach) / square(1.0 + reach)
    };
    let u = square(SIGMA[0]) * 2.0 * LENGTH[0] / PI / (1.0 + square(LENGTH[0] * omega));
    let bound = 1.0 + square(4.0 * SPAN / PI * omega);
    let p = square(SIGMA[2]) / LENGTH[2] * 0.8 * libm::cbrt(PI * LENGTH[2] / (4.0 * SPAN)) / bound;
    let q = square(omega) / bound * across(2);
    let r = square(omega) / (1.0 + square(3.0 * SPAN / PI * omega)) * across(1);
    [u, across(1), across(2), p, q, r].map(|density| density * TAU / SPEED)
}

#[test]
fn a_million_samples_have_the_spectra_of_the_specification_in_every_octave() {
    let (hertz, count) = (20, 1_000_000);
    let run = run(hertz, (count - 1) as f64 / hertz as f64);
    for (index, output) in OUTPUTS.into_iter().enumerate() {
        let samples = run.numbers(output);
        assert_eq!(samples.len(), count);
        let theory = expected(hertz as f64, |f| spectra(f)[index]);
        for (((from, to), found), power) in bands().zip(octaves(&samples)).zip(theory) {
            // Four standard deviations of the mean of so many bins of so many segments, and some leakage.
            let averaged = ((to - from) * (count / SEGMENT)) as f64;
            let tolerance = 0.01 + 4.0 / averaged.sqrt();
            let error = (found / power - 1.0).abs();
            assert!(error < tolerance, "{output}, bins {from} to {to}: {found}, not {power}");
        }
    }
}

#[test]
fn its_statistics_do_not_depend_on_the_rate() {
    // The variances, and what is left of them after half a second.
    let statistics = [2u64, 20, 100].map(|hertz| {
        let run = run(hertz, 10_000.0);
        OUTPUTS.map(|output| {
            let samples = run.numbers(output);
            let later = &samples[hertz as usize / 2..];
            let product: f64 = samples.iter().zip(later).map(|(x, y)| x * y).sum();
            [variance(&samples), product / later.len() as f64]
        })
    });
    for (index, output) in OUTPUTS.into_iter().enumerate() {
        let reference = statistics[2][index];
        for found in &statistics[..2] {
            for moment in 0..2 {
                let error = (found[index][moment] - reference[moment]).abs();
                assert!(error < 0.06 * reference[0], "{output}: {statistics:?}");
            }
        }
    }
    for axis in 0..3 {
        let [variance, _] = statistics[2][axis];
        let error = variance / (SIGMA[axis] * SIGMA[axis]) - 1.0;
        assert!(error.abs() < 0.06, "axis {axis}: {variance}");
    }
    // u forgets by exp(-V t / L).
    let [variance, later] = statistics[2][0];
    assert!((later / variance - libm::exp(-SPEED * 0.5 / LENGTH[0])).abs() < 0.02);
}

#[test]
fn air_that_sinks_ahead_turns_the_nose_down() {
    let run = run(100, 500.0);
    let slope = |name: &str| -> Vec<f64> {
        run.numbers(name).windows(3).map(|three| three[2] - three[0]).collect()
    };
    let with = |rate: &str, slope: &[f64]| -> f64 {
        let rates = run.numbers(rate);
        let product: f64 = rates[1..].iter().zip(slope).map(|(x, y)| x * y).sum();
        product / (variance(&rates) * variance(slope)).sqrt() / slope.len() as f64
    };
    let (pitching, yawing) =
        (with("gusts.q", &slope("gusts.down")), with("gusts.r", &slope("gusts.east")));
    assert!(pitching < -0.2, "{pitching}");
    assert!(yawing > 0.2, "{yawing}");
}

#[test]
fn the_first_sample_is_as_strong_as_all_others() {
    // Many components, each with numbers of its own.
    let mut rig = Rig::of(&[ironbird_environment::register]);
    let names: Vec<String> = (0..300).map(|number| format!("gusts-{number}")).collect();
    for name in &names {
        rig.add(name, "wind.dryden", &given());
    }
    let outputs: Vec<String> = names
        .iter()
        .flat_map(|name| ["north", "east", "down"].map(|axis| format!("{name}.{axis}")))
        .collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let run = rig.run(Time::ZERO, &outputs);
    let first: Vec<f64> = outputs
        .iter()
        .enumerate()
        .map(|(index, output)| run.numbers(output)[0] / SIGMA[index % 3])
        .collect();
    // Three standard deviations of the variance of 900 numbers.
    assert!((variance(&first) - 1.0).abs() < 0.14, "{}", variance(&first));
}

#[test]
fn light_turbulence_near_the_ground_has_the_intensities_of_the_specification() {
    let run = rig("gusts", 2, &[("span", real(SPAN))]);
    let run = run.run(seconds(100_000.0), &OUTPUTS);
    // At 50 m, 164.04 ft, with 15 kn at 20 ft.
    let down = 0.1 * 15.0 * 1852.0 / 3600.0;
    let level = down / libm::pow(0.177 + 0.000823 * 50.0 / 0.3048, 0.4);
    for (output, sigma) in [("gusts.north", level), ("gusts.east", level), ("gusts.down", down)] {
        let found = variance(&run.numbers(output)).sqrt();
        assert!((found / sigma - 1.0).abs() < 0.02, "{output}: {found} m/s, not {sigma}");
    }
}

#[test]
fn the_same_name_and_seed_make_the_same_bits() {
    let once = |name: &str| {
        let run = rig(name, 50, &given()).run(seconds(5.0), &[&format!("{name}.q")]);
        run.numbers(&format!("{name}.q"))
    };
    assert_eq!(once("gusts"), once("gusts"));
    assert_ne!(once("gusts"), once("others"));
    let graph = || rig("gusts", 50, &given()).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(2.0), seconds(4.0));
}

#[test]
fn gusts_along_the_body_turn_with_it_and_gusts_along_the_wind_do_not() {
    let quarter = Attitude::from_euler(0.0, 0.0, PI / 2.0);
    let seen = |settings: &[Setting<'_>]| {
        let settings: Vec<Setting<'_>> =
            given().into_iter().chain(settings.iter().cloned()).collect();
        let mut rig = rig("gusts", 50, &settings);
        rig.script("attitude", &[(Time::ZERO, quarter)]);
        rig.link("attitude.out", "gusts.attitude");
        let run = rig.run(seconds(1.0), &OUTPUTS);
        OUTPUTS.map(|output| *run.numbers(output).last().unwrap())
    };
    let level = run(50, 1.0);
    let level = OUTPUTS.map(|output| *level.numbers(output).last().unwrap());
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    let body = seen(&[]);
    near(body[0], -level[1]);
    near(body[1], level[0]);
    // A wind from the south goes north.
    let wind = seen(&[("axes", text("wind")), ("direction", real(180.0))]);
    for axis in 0..6 {
        near(wind[axis], level[axis]);
    }
}

#[test]
fn a_vehicle_that_stands_still_meets_turbulence_that_drifts_past() {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("gusts", "wind.dryden", &given());
    rig.script("speed", &[(Time::ZERO, 0.0)]);
    rig.link("speed.out", "gusts.airspeed");
    let run = rig.run(seconds(1000.0), &OUTPUTS);
    for output in OUTPUTS {
        let samples = run.numbers(output);
        assert!(samples.iter().all(|x| x.is_finite()) && samples[0] != samples[1], "{output}");
    }
}

#[test]
fn inputs_that_are_no_numbers_end_the_run() {
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("gusts", "wind.dryden", &[]);
    rig.script("speed", &[(Time::ZERO, 10.0), (seconds(1.0), f64::INFINITY)]);
    rig.link("speed.out", "gusts.airspeed");
    let failure = rig.failure(seconds(2.0));
    assert!(failure.contains("the airspeed is inf m/s"), "{failure}");
}

#[test]
fn turbulence_without_size_is_refused() {
    let rig = Rig::of(&[ironbird_environment::register]);
    for (name, value) in
        [("span", 0.0), ("length[1]", 0.0), ("sigma[2]", -1.0), ("wind_20ft", -1.0)]
    {
        let refusal = rig.refusal("wind.dryden", &[(name, real(value))]);
        assert!(refusal.contains(name.split('[').next().unwrap()), "{refusal}");
    }
    assert!(rig.refusal("wind.dryden", &[("intensity", text("mild"))]).contains("mild"));
}
