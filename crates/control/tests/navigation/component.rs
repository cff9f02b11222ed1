//! The component: its methods, what it keeps when they change, silence, late and damaged samples.

use std::path::Path;

use ironbird_component::{Place, Registry, ValueType};
use ironbird_control::navigation::Estimate;
use ironbird_kernel::{
    Action, ComponentRef, Duration, Graph, Link, Options, Outcome, Parameter, PortKind, Simulation,
    Time, Value, Wire,
};
use ironbird_kinematics::{Alignment, EarthModel, Fix, ScalarSample, VectorSample};
use ironbird_test_rig::{Rig, Run, Setting, real, seconds, text};
use nalgebra::Vector3;

use crate::truth::{Readings, Survey, Voyage, planet};

/// Water adds so much pressure per metre with the defaults of the component.
const PER_METRE: f64 = 1025.0 * 9.806_65;

/// The survey at 100 Hz from its start; it turns from 125 s to 150 s.
struct Course {
    moments: Vec<(Time, Estimate, Readings)>,
}

impl Course {
    fn lasting(seconds: u64) -> Self {
        let planet = planet(EarthModel::Wgs84);
        let mut voyage = Voyage::starting(Survey, planet);
        let moments = (0..=100 * seconds).map(|k| {
            let now = Time::ZERO + Duration::from_ms(10 * k);
            voyage.go_on(now.as_secs_f64());
            (now, voyage.truth, voyage.readings())
        });
        Course { moments: moments.collect() }
    }

    fn truth(&self, k: usize) -> Vector3<f64> {
        self.moments[k].1.position
    }

    /// A script of samples that arrive `late` after they were taken, as far as `taken` says so.
    fn samples(
        &self,
        late: Duration,
        taken: impl Fn(usize) -> bool,
        value: impl Fn(&Readings) -> Vector3<f64>,
    ) -> Vec<(Time, VectorSample)> {
        let moments = self.moments.iter().enumerate().filter(|(k, _)| taken(*k));
        let sample = |(_, (time, _, readings)): (usize, &(Time, Estimate, Readings))| {
            let value = value(readings).into();
            (*time + late, VectorSample { value, taken: *time, valid: true })
        };
        moments.map(sample).collect()
    }
}

fn is_sounded(k: usize) -> bool {
    k.is_multiple_of(20)
}

/// The component with all sensors, the DVL at 5 Hz from this script.
fn rig(course: &Course, dvl: &[(Time, VectorSample)], settings: &[Setting<'_>]) -> Rig {
    let mut rig = Rig::of(&[ironbird_control::register]);
    let start = &course.moments[0].1;
    let alignment = Alignment {
        position: start.position.into(),
        velocity: start.velocity.into(),
        attitude: start.attitude,
    };
    rig.script("alignment", &[(Time::ZERO, alignment)]);
    let all = |_: usize| true;
    rig.script("gyroscope", &course.samples(Duration::ZERO, all, |r| r.gyroscope));
    rig.script("accelerometer", &course.samples(Duration::ZERO, all, |r| r.accelerometer));
    rig.script("dvl", dvl);
    let barometer = course.moments.iter().map(|(taken, _, r)| {
        let value = 101_325.0 + PER_METRE * r.depth;
        (*taken, ScalarSample { value, taken: *taken, valid: true })
    });
    rig.script("barometer", &barometer.collect::<Vec<_>>());
    let mut all = vec![
        ("earth.model", text("wgs84")),
        ("earth.origin.latitude", real(48.3)),
        ("earth.origin.longitude", real(-4.6)),
    ];
    all.extend_from_slice(settings);
    rig.add("navigation", "navigation.function", &all);
    for input in ["alignment", "gyroscope", "accelerometer", "dvl", "barometer"] {
        rig.link(&format!("{input}.out"), &format!("navigation.{input}"));
    }
    rig
}

const POSITION: &str = "navigation.position";

/// The largest error of the place in m, looked at every 10 ms.
fn largest_error(run: &Run, course: &Course) -> f64 {
    let positions = run.samples::<[f64; 3]>(POSITION);
    let moments = positions.iter().step_by(10).enumerate();
    let errors = moments.map(|(k, (_, position))| Vector3::from(*position) - course.truth(k));
    errors.fold(0.0, |largest, error| largest.max(error.norm()))
}

#[test]
fn every_method_under_water_follows_the_vehicle_through_a_turn() {
    let course = Course::lasting(160);
    let dvl = course.samples(Duration::ZERO, is_sounded, |r| r.dvl);
    for (method, limit) in [("dvl-gyro", 0.003), ("inertial", 0.02), ("kalman", 0.003)] {
        let run = rig(&course, &dvl, &[("method", text(method))]).run(seconds(160.0), &[POSITION]);
        let largest = largest_error(&run, &course);
        assert!(largest < limit, "{method}: {largest} m");
    }
}

#[test]
fn samples_of_the_dvl_that_come_late_count_when_they_were_taken() {
    let course = Course::lasting(160);
    let dvl = course.samples(Duration::from_ms(137), is_sounded, |r| r.dvl);
    for method in ["dvl-gyro", "kalman"] {
        let run = rig(&course, &dvl, &[("method", text(method))]).run(seconds(160.0), &[POSITION]);
        let largest = largest_error(&run, &course);
        assert!(largest < 0.01, "{method}: {largest} m");
    }
}

#[test]
fn half_a_second_without_dvl_is_bridged() {
    let course = Course::lasting(20);
    let drops_out = |k: usize| is_sounded(k) && !(1000..1050).contains(&k);
    let dvl = course.samples(Duration::ZERO, drops_out, |r| r.dvl);
    for method in ["dvl-gyro", "kalman"] {
        let run = rig(&course, &dvl, &[("method", text(method))]).run(seconds(20.0), &[POSITION]);
        // The body pitches on while its last velocity holds; a straight line makes good for it.
        let largest = largest_error(&run, &course);
        assert!(largest < 0.02, "{method}: {largest} m");
        let end = Vector3::from(run.samples::<[f64; 3]>(POSITION)[20_000].1) - course.truth(2000);
        assert!(end.norm() < 0.003, "{method}: {end}");
    }
}

#[test]
fn a_new_method_goes_on_where_the_old_one_was() {
    let course = Course::lasting(40);
    let dvl = course.samples(Duration::ZERO, is_sounded, |r| r.dvl);
    let mut rig = rig(&course, &dvl, &[("method", text("kalman"))]);
    rig.set(seconds(10.0), "navigation.method", text("dvl-gyro"));
    rig.set(seconds(20.0), "navigation.method", text("inertial"));
    rig.set(seconds(30.0), "navigation.method", text("gps"));
    let run = rig.run(seconds(40.0), &[POSITION, "navigation.covariance"]);
    let positions = run.samples::<[f64; 3]>(POSITION);
    let error = |k: usize| (Vector3::from(positions[10 * k].1) - course.truth(k)).norm();
    for k in [999, 1000, 1001, 1999, 2000, 2001, 2999] {
        assert!(error(k) < 0.01, "{k}: {} m", error(k));
    }
    // Without a fix it stays where it was.
    assert_eq!(positions[30_001].1, positions[40_000].1);
    assert!(error(4000) > 10.0);
    let covariance = run.samples::<[f64; 9]>("navigation.covariance");
    assert!(covariance.iter().all(|(time, c)| (c[0] > 0.0) == (*time < seconds(10.0))));
}

#[test]
fn gps_shows_the_last_fix() {
    let course = Course::lasting(4);
    let planet = planet(EarthModel::Wgs84);
    let fix = |second: usize, valid: bool| {
        let (taken, truth, _) = &course.moments[100 * second];
        let position = planet.plane.to_ecef(truth.position).into();
        let velocity = planet.plane.direction_to_ecef(truth.velocity).into();
        (*taken, Fix { position, velocity, taken: *taken, valid })
    };
    let dvl = course.samples(Duration::ZERO, is_sounded, |r| r.dvl);
    let mut rig = rig(&course, &dvl, &[("method", text("gps"))]);
    rig.script("gps", &[fix(1, true), fix(2, true), fix(3, false)]);
    rig.link("gps.out", "navigation.gps");
    let run = rig.run(seconds(4.0), &[POSITION, "navigation.velocity"]);
    let positions = run.samples::<[f64; 3]>(POSITION);
    for (at, expected) in [(500, 0), (1500, 100), (2500, 200), (3500, 200)] {
        let error = Vector3::from(positions[at].1) - course.truth(expected);
        assert!(error.norm() < 1e-7, "{at}: {error}");
    }
    let velocity = Vector3::from(run.samples::<[f64; 3]>("navigation.velocity")[3500].1);
    assert!((velocity - course.moments[200].1.velocity).norm() < 1e-9);
}

#[test]
fn dead_reckoning_can_take_its_depth_from_the_barometer() {
    let course = Course::lasting(20);
    // A DVL that takes the vehicle to sink.
    let sinks = |r: &Readings| r.dvl + Vector3::new(0.0, 0.0, 0.1);
    let dvl = course.samples(Duration::ZERO, is_sounded, sinks);
    for (barometer, error) in [(false, 2.0), (true, 0.0)] {
        let settings = [("barometer_depth", Parameter::Bool(barometer))];
        let run = rig(&course, &dvl, &settings).run(seconds(20.0), &[POSITION]);
        let down = run.samples::<[f64; 3]>(POSITION)[20_000].1[2] - course.truth(2000).z;
        assert!((down - error).abs() < 0.02, "{down} m");
    }
}

#[test]
fn a_sample_that_is_no_number_is_rejected_and_harms_nothing() {
    let course = Course::lasting(5);
    let mut dvl = course.samples(Duration::ZERO, is_sounded, |r| r.dvl);
    dvl[10].1.value[1] = f64::NAN;
    for method in ["dvl-gyro", "kalman"] {
        let settings = [("method", text(method))];
        let run =
            rig(&course, &dvl, &settings).run(seconds(5.0), &[POSITION, "navigation.rejected"]);
        assert!(largest_error(&run, &course) < 0.003);
        let rejected = run.samples::<u64>("navigation.rejected");
        assert_eq!(rejected, [(seconds(2.0), 1)], "{method}");
    }
}

#[test]
fn without_a_gyroscope_the_run_fails_and_says_so() {
    let mut rig = Rig::of(&[ironbird_control::register]);
    rig.script("alignment", &[(Time::ZERO, Alignment::default())]);
    rig.add("navigation", "navigation.function", &[]);
    rig.link("alignment.out", "navigation.alignment");
    let outcome = format!("{:?}", rig.run(seconds(20.0), &[]).outcome);
    assert!(outcome.contains("no valid sample of the gyroscope for 10 s"), "{outcome}");
}

#[test]
fn a_sensor_that_falls_silent_for_long_ends_the_run_also_where_it_comes_back() {
    let course = Course::lasting(40);
    let dvl = course.samples(Duration::ZERO, is_sounded, |r| r.dvl);
    for (method, needs) in
        [("dvl-gyro", "the gyroscope"), ("kalman", "both gyroscope and accelerometer")]
    {
        let mut rig = rig(&course, &dvl, &[("method", text(method))]);
        // The component itself stands still: what it hears next is 15 s later.
        rig.pause(seconds(10.0), seconds(25.0), "navigation");
        let message = rig.failure(seconds(40.0));
        let silent = format!("has had no valid sample of {needs} for 10 s");
        assert!(message.contains(&silent), "{message}");
    }
}

#[test]
fn the_filter_refuses_what_comes_more_than_a_second_late() {
    let course = Course::lasting(30);
    let dvl = course.samples(Duration::from_ms(1_100), is_sounded, |r| r.dvl);
    let run = rig(&course, &dvl, &[("method", text("kalman"))])
        .run(seconds(30.0), &["navigation.rejected"]);
    // Five in a second; the first one is there from the start, the second comes at 0.2 s + 1.1 s.
    let rejected = run.samples::<u64>("navigation.rejected");
    assert_eq!(rejected.first().map(|(time, _)| *time), Some(seconds(1.3)));
    assert_eq!(rejected.last().map(|(_, count)| *count), Some(144));
}

#[test]
fn an_estimate_that_leaves_all_numbers_ends_the_run() {
    let course = Course::lasting(5);
    let mut dvl = course.samples(Duration::ZERO, is_sounded, |r| r.dvl);
    dvl[10].1.value = [f64::MAX; 3];
    let message = rig(&course, &dvl, &[("method", text("dvl-gyro"))]).failure(seconds(5.0));
    assert!(message.contains("the estimate has left all numbers"), "{message}");
}

/// A source that shows these values.
fn player<T: Value>(graph: &mut Graph, name: &str, values: &[(Time, T)]) -> ComponentRef {
    let encoded = values.iter().map(|(time, value)| {
        let mut wire = Wire::default();
        value.encode(&mut wire);
        (*time, wire.fixed().to_vec())
    });
    let (root, values): (_, Vec<_>) = (graph.root(), encoded.collect());
    ValueType::of::<T>().add_player(graph, root, name, PortKind::Signal, &values).unwrap()
}

/// The survey as components of a plain graph, which can be saved; the DVL is late, so that what is kept
/// for late samples counts.
fn graph(course: &Course) -> Graph {
    let mut registry = Registry::with_builtin();
    ironbird_control::register(&mut registry).unwrap();
    let (mut graph, place) = (Graph::new(), Place { folder: Path::new(".") });
    let root = graph.root();
    let settings =
        [("method".into(), text("kalman")), ("earth.model".into(), text("wgs84"))].into();
    let instance = registry.get("navigation.function").unwrap().instantiate(&settings, &place);
    let navigation = instance.unwrap().add_to(&mut graph, root, "navigation", None).unwrap();
    let alignment = player(&mut graph, "alignment", &[(Time::ZERO, Alignment::default())]);
    graph.link(alignment.port("out"), navigation.port("alignment"), Link::direct()).unwrap();
    let late = Duration::from_ms(95);
    for (name, samples) in [
        ("gyroscope", course.samples(Duration::ZERO, |_| true, |r| r.gyroscope)),
        ("accelerometer", course.samples(Duration::ZERO, |_| true, |r| r.accelerometer)),
        ("dvl", course.samples(late, |_| true, |r| r.dvl)),
    ] {
        let player = player(&mut graph, name, &samples);
        graph.link(player.port("out"), navigation.port(name), Link::direct()).unwrap();
    }
    graph
}

/// The places shown after the middle.
fn second_half(mut run: Simulation, end: Time) -> Vec<(Time, [f64; 3])> {
    run.record("navigation", "position").unwrap();
    assert_eq!(run.run_until(end).unwrap(), Outcome::Reached(end));
    run.samples("navigation", "position").unwrap()
}

#[test]
fn a_run_that_was_saved_goes_on_with_the_same_bits() {
    let course = Course::lasting(6);
    let (middle, end) = (seconds(3.0005), seconds(6.0));
    for method in ["kalman", "dvl-gyro", "inertial", "gps"] {
        let started = || {
            let mut run = Simulation::new(graph(&course), Options::default()).unwrap();
            let (component, name) = ("navigation".into(), "method".into());
            let action = Action::SetParameter { component, name, value: text(method) };
            run.schedule(seconds(1.0), action).unwrap();
            assert_eq!(run.run_until(middle).unwrap(), Outcome::Reached(middle));
            run
        };
        let saved = started().checkpoint().unwrap();
        let loaded = Simulation::restore(graph(&course), Options::default(), &saved).unwrap();
        assert_eq!(second_half(started(), end), second_half(loaded, end), "{method}");
    }
}
