//! Each term of the error model alone does what its equation says.

use ironbird_kernel::Parameter;
use ironbird_kinematics::VectorSample;
use ironbird_test_rig::{real, seconds};

use crate::wired::{add, gyroscope, rig, script, three, vectors};

const TRUTH: [f64; 3] = [0.1, -0.25, 0.003];

fn one(name: &str, value: f64) -> Vec<(String, Parameter)> {
    vec![(name.into(), real(value))]
}

fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
    (mean, (squares / count).sqrt())
}

#[test]
fn ideal_inertial_sensors_read_the_truth() {
    for (kind, input) in
        [("sensor.gyroscope", "angular_velocity"), ("sensor.accelerometer", "specific_force")]
    {
        let mut rig = rig();
        script(&mut rig, "truth", &[(0.0, TRUTH), (0.2, [1.0, -0.0, 1e-300])]);
        add(&mut rig, "sensor", kind, 10, &[]);
        rig.link("truth.out", &format!("sensor.{input}"));
        let read = vectors(&rig.run(seconds(0.3), &["sensor.reading"]), "sensor.reading");
        let bits = |v: &[f64; 3]| v.map(f64::to_bits);
        let expected = [TRUTH, TRUTH, [1.0, -0.0, 1e-300], [1.0, -0.0, 1e-300]];
        assert!(read.iter().map(bits).eq(expected.iter().map(bits)), "{read:?}");
    }
}

#[test]
fn a_bias_is_added_to_its_axis() {
    let read = gyroscope(TRUTH, &one("error.bias[1]", 0.5), 0.2);
    assert_eq!(read, [[0.1, 0.25, 0.003]; 3]);
}

#[test]
fn a_scale_factor_grows_with_the_truth() {
    let read = gyroscope([2.0, 0.0, -4.0], &three("error.scale", 0.25), 0.1);
    assert_eq!(read, [[2.5, 0.0, -5.0]; 2]);
}

#[test]
fn a_drift_grows_with_time_and_stays_when_it_ends() {
    let mut rig = rig();
    script(&mut rig, "truth", &[(0.0, [1.0; 3])]);
    add(&mut rig, "gyroscope", "sensor.gyroscope", 2, &one("error.drift[2]", 0.5));
    rig.link("truth.out", "gyroscope.angular_velocity");
    rig.set(seconds(1.25), "gyroscope.error.drift[2]", real(0.0));
    let read = vectors(&rig.run(seconds(2.0), &["gyroscope.reading"]), "gyroscope.reading");
    let third: Vec<f64> = read.iter().map(|value| value[2]).collect();
    assert_eq!(third, [1.0, 1.25, 1.5, 1.5, 1.5]);
}

#[test]
fn a_reading_is_a_multiple_of_the_digit_and_no_more_than_the_limit() {
    let mut settings = three("error.quantisation", 0.25);
    settings.extend(three("error.saturation", 0.9));
    let read = gyroscope([0.6, -7.0, 0.95], &settings, 0.0);
    assert_eq!(read, [[0.5, -0.9, 0.9]]);
}

#[test]
fn noise_of_a_sample_has_its_deviation_from_the_first_one_on() {
    let read = gyroscope(TRUTH, &three("error.noise", 0.02), 2000.0);
    assert_ne!(read[0], TRUTH);
    for (axis, truth) in TRUTH.into_iter().enumerate() {
        let numbers: Vec<f64> = read.iter().map(|value| value[axis]).collect();
        let (mean, deviation) = mean_and_deviation(&numbers);
        assert!((mean - truth).abs() < 4.0 * 0.02 / 20_000f64.sqrt(), "{axis}: {mean}");
        assert!((deviation / 0.02 - 1.0).abs() < 0.02, "{axis}: {deviation}");
    }
}

#[test]
fn the_spreads_are_drawn_once_and_have_their_deviation() {
    let count = 300;
    let mut rig = rig();
    script(&mut rig, "truth", &[(0.0, [2.0; 3])]);
    let outputs: Vec<String> = (0..count).map(|k| format!("gyroscope-{k}.reading")).collect();
    let mut settings = three("error.bias_spread", 0.01);
    settings.extend([("error.scale_spread[2]".into(), real(0.03))]);
    for k in 0..count {
        let name = format!("gyroscope-{k}");
        add(&mut rig, &name, "sensor.gyroscope", 1, &settings);
        rig.link("truth.out", &format!("{name}.angular_velocity"));
    }
    let listened: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let run = rig.run(seconds(3.0), &listened);
    let mut last = Vec::new();
    for output in &outputs {
        let read = vectors(&run, output);
        assert!(read.iter().all(|value| *value == read[0]), "{output} does not stay");
        last.push(read[0]);
    }
    // Bias and twice the scale factor.
    let both = (0.01f64 * 0.01 + 0.06 * 0.06).sqrt();
    for (axis, expected) in [(0, 0.01), (1, 0.01), (2, both)] {
        let numbers: Vec<f64> = last.iter().map(|value| value[axis]).collect();
        let (mean, deviation) = mean_and_deviation(&numbers);
        assert!((mean - 2.0).abs() < 4.0 * expected / 300f64.sqrt(), "{axis}: {mean}");
        assert!((deviation / expected - 1.0).abs() < 0.12, "{axis}: {deviation}");
    }
}

#[test]
fn a_term_leaves_the_random_numbers_of_the_others_as_they_were() {
    let noise = three("error.noise", 0.02);
    let alone = gyroscope([0.0; 3], &noise, 1.0);
    let mut walking = noise;
    walking.extend(three("error.random_walk", 1e-9));
    walking.extend(three("error.instability", 1e-9));
    let both = gyroscope([0.0; 3], &walking, 1.0);
    assert_ne!(alone, both);
    for (a, b) in alone.as_flattened().iter().zip(both.as_flattened()) {
        assert!((a - b).abs() < 1e-7, "{a} {b}");
    }
}

#[test]
fn after_a_stop_the_noise_is_that_of_a_run_without_it() {
    let run = |stops: bool| {
        let mut rig = rig();
        script(&mut rig, "truth", &[(0.0, [0.0; 3])]);
        add(&mut rig, "gyroscope", "sensor.gyroscope", 10, &three("error.noise_density", 0.1));
        rig.link("truth.out", "gyroscope.angular_velocity");
        if stops {
            rig.pause(seconds(0.95), seconds(1.45), "gyroscope");
        }
        rig.run(seconds(3.0), &["gyroscope.reading"]).samples::<VectorSample>("gyroscope.reading")
    };
    let (whole, stopped) = (run(false), run(true));
    assert_eq!((whole.len(), stopped.len()), (31, 26));
    for (time, sample) in stopped {
        let (_, same) = whole.iter().find(|(other, _)| *other == time).expect("the same grid");
        for (a, b) in sample.value.iter().zip(same.value) {
            assert!((a - b).abs() < 1e-12, "{time}: {a} {b}");
        }
    }
}

#[test]
fn parameters_that_are_switched_off_leave_the_truth() {
    let mut rig = rig();
    script(&mut rig, "truth", &[(0.0, TRUTH)]);
    add(&mut rig, "gyroscope", "sensor.gyroscope", 1, &one("error.bias[0]", 1.0));
    rig.link("truth.out", "gyroscope.angular_velocity");
    rig.set(seconds(0.5), "gyroscope.error.bias[0]", real(0.0));
    rig.set(seconds(1.5), "gyroscope.error.noise[1]", real(1.0));
    rig.set(seconds(2.5), "gyroscope.error.noise[1]", real(0.0));
    let read = vectors(&rig.run(seconds(3.0), &["gyroscope.reading"]), "gyroscope.reading");
    assert_eq!(read[0], [1.1, -0.25, 0.003]);
    assert_eq!((read[1], read[3]), (TRUTH, TRUTH));
    assert!(read[2][1] != TRUTH[1] && read[2][0] == TRUTH[0]);
}

#[test]
fn what_was_drawn_at_the_start_cannot_be_changed_later() {
    let mut rig = rig();
    script(&mut rig, "truth", &[(0.0, TRUTH)]);
    add(&mut rig, "gyroscope", "sensor.gyroscope", 1, &[]);
    rig.link("truth.out", "gyroscope.angular_velocity");
    rig.set(seconds(1.0), "gyroscope.error.bias_spread[0]", real(1.0));
    let outcome = format!("{:?}", rig.run(seconds(2.0), &[]).outcome);
    assert!(outcome.contains("it cannot be changed while the system runs"), "{outcome}");
}

#[test]
fn wrong_parameters_are_refused() {
    let refusal =
        |path: &str, value: f64| rig().refusal("sensor.gyroscope", &[(path, real(value))]);
    assert_eq!(
        refusal("error.noise[1]", -1.0),
        "parameter \"error.noise[1]\": -1 rad/s is not allowed: it must be at least 0 rad/s"
    );
    assert_eq!(
        refusal("error.instability_time[0]", 0.0),
        "parameter \"error.instability_time[0]\": 0 s is not allowed: it must be above 0 s"
    );
    assert_eq!(
        refusal("error.noize[0]", 0.0),
        "parameter \"error.noize[0]\": sensor.gyroscope has no such parameter; did you mean \
         \"error.noise[0]\"?"
    );
}
