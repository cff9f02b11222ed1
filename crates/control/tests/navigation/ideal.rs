//! With ideal sensors only the discretisation and rounding are left.

use ironbird_control::navigation::{
    Assumptions, DeadReckoning, ErrorStateFilter, Estimate, Planet, Strapdown,
};
use ironbird_kernel::{Duration, Time};
use ironbird_kinematics::EarthModel;

use crate::noise::tactical;
use crate::truth::{Path, Straight, Survey, Voyage, planet};

/// A method: how it begins, what it hears.
trait Navigator {
    fn begin(start: &Estimate, planet: &Planet) -> Self;
    fn follow(&mut self, now: Time, voyage: &Voyage<impl Path>, planet: &Planet);
    fn estimate(&self, now: Time, planet: &Planet) -> Estimate;
}

impl Navigator for DeadReckoning {
    fn begin(start: &Estimate, _: &Planet) -> Self {
        DeadReckoning::starting(Time::ZERO, start)
    }
    fn follow(&mut self, now: Time, voyage: &Voyage<impl Path>, planet: &Planet) {
        self.turn_and_measure_velocity(now, voyage.gyroscope(), voyage.dvl(), planet);
    }
    fn estimate(&self, now: Time, planet: &Planet) -> Estimate {
        self.estimate(now, planet)
    }
}

impl Navigator for Strapdown {
    fn begin(start: &Estimate, planet: &Planet) -> Self {
        Strapdown::starting(Time::ZERO, start, planet)
    }
    fn follow(&mut self, now: Time, voyage: &Voyage<impl Path>, planet: &Planet) {
        self.turn(now, voyage.gyroscope(), planet);
        self.push(now, voyage.accelerometer(), planet);
    }
    fn estimate(&self, now: Time, planet: &Planet) -> Estimate {
        self.estimate(now, planet)
    }
}

/// The filter with its assumptions; the DVL and the barometer speak at 50 Hz.
struct Filtered(ErrorStateFilter, Assumptions, u64);

impl Navigator for Filtered {
    fn begin(start: &Estimate, planet: &Planet) -> Self {
        let assumed = tactical();
        Filtered(ErrorStateFilter::starting(Time::ZERO, start, planet, &assumed), assumed, 0)
    }
    fn follow(&mut self, now: Time, voyage: &Voyage<impl Path>, planet: &Planet) {
        let Filtered(filter, assumed, count) = self;
        filter.turn(now, voyage.gyroscope(), planet);
        filter.push(now, voyage.accelerometer(), planet, assumed);
        if count.is_multiple_of(20) {
            filter.measure_velocity(now, voyage.dvl(), planet, assumed);
            filter.measure_depth(now, voyage.depth(), planet, assumed);
        }
        *count += 1;
    }
    fn estimate(&self, now: Time, planet: &Planet) -> Estimate {
        self.0.estimate(now, planet)
    }
}

/// The largest error in m with all sensors at 1 kHz.
fn largest_error<N: Navigator>(path: impl Path, seconds: u64, model: EarthModel) -> f64 {
    let planet = planet(model);
    let mut voyage = Voyage::starting(path, planet);
    let mut navigator = N::begin(&voyage.truth, &planet);
    navigator.follow(Time::ZERO, &voyage, &planet);
    let mut largest = 0.0_f64;
    for k in 1..=1000 * seconds {
        let now = Time::ZERO + Duration::from_ms(k);
        voyage.go_on(k as f64 * 1e-3);
        navigator.follow(now, &voyage, &planet);
        let error = navigator.estimate(now, &planet).position - voyage.truth.position;
        largest = largest.max(error.norm());
    }
    println!("largest error {largest:.3e} m");
    largest
}

#[test]
fn dead_reckoning_goes_20_km_straight_within_a_millimetre_on_a_flat_earth() {
    assert!(largest_error::<DeadReckoning>(Straight::new(), 4000, EarthModel::Flat) < 1e-3);
}

#[test]
fn dead_reckoning_goes_20_km_straight_within_a_millimetre_on_the_ellipsoid() {
    assert!(largest_error::<DeadReckoning>(Straight::new(), 4000, EarthModel::Wgs84) < 1e-3);
}

#[test]
fn inertial_navigation_goes_20_km_straight_within_a_millimetre_on_a_flat_earth() {
    assert!(largest_error::<Strapdown>(Straight::new(), 4000, EarthModel::Flat) < 1e-3);
}

#[test]
fn inertial_navigation_goes_20_km_straight_on_the_ellipsoid() {
    assert!(largest_error::<Strapdown>(Straight::new(), 4000, EarthModel::Wgs84) < 1e-3);
}

#[test]
fn dead_reckoning_surveys_half_an_hour_within_5_cm() {
    assert!(largest_error::<DeadReckoning>(Survey, 1800, EarthModel::Wgs84) < 0.05);
}

#[test]
fn inertial_navigation_surveys_half_an_hour_within_5_cm() {
    assert!(largest_error::<Strapdown>(Survey, 1800, EarthModel::Wgs84) < 0.05);
}

#[test]
fn the_filter_surveys_half_an_hour_within_5_cm() {
    assert!(largest_error::<Filtered>(Survey, 1800, EarthModel::Wgs84) < 0.05);
}

#[test]
fn samples_at_the_same_time_count_as_one_after_the_other_would() {
    let planet = planet(EarthModel::Wgs84);
    let mut voyage = Voyage::starting(Survey, planet);
    let start = voyage.truth;
    let mut both = DeadReckoning::starting(Time::ZERO, &start);
    let mut single = DeadReckoning::starting(Time::ZERO, &start);
    for k in 1..=200_000 {
        let now = Time::ZERO + Duration::from_ms(k);
        voyage.go_on(now.as_secs_f64());
        both.turn_and_measure_velocity(now, voyage.gyroscope(), voyage.dvl(), &planet);
        single.turn(now, voyage.gyroscope(), &planet);
        single.measure_velocity(now, voyage.dvl(), &planet);
    }
    let end = Time::ZERO + Duration::from_secs(200);
    let difference = both.estimate(end, &planet).position - single.estimate(end, &planet).position;
    assert!(difference.norm() < 1e-9, "{difference}");
}
