//! What single sensors do for the filter: outliers, silence, insistence, compass, fixes, misalignment.

use ironbird_control::navigation::{Assumptions, ErrorStateFilter, Estimate, Planet};
use ironbird_kernel::{Duration, Time};
use ironbird_kinematics::EarthModel;
use nalgebra::{UnitQuaternion, Vector3};

use crate::noise::{Suite, tactical};
use crate::truth::{Readings, Survey, Voyage, planet};

/// A vehicle with its sensors and its filter, at 100 Hz.
struct Aboard {
    planet: Planet,
    assumed: Assumptions,
    voyage: Voyage<Survey>,
    suite: Suite,
    filter: ErrorStateFilter,
    ticks: u64,
}

impl Aboard {
    fn starting(assumed: Assumptions, wrong: impl FnOnce(&mut Estimate)) -> Self {
        let planet = planet(EarthModel::Wgs84);
        let voyage = Voyage::starting(Survey, planet);
        let mut suite = Suite::new(7, &assumed);
        let mut start = suite.alignment(&voyage.truth);
        wrong(&mut start);
        let filter = ErrorStateFilter::starting(Time::ZERO, &start, &planet, &assumed);
        Aboard { planet, assumed, voyage, suite, filter, ticks: 0 }
    }

    fn now(&self) -> Time {
        Time::ZERO + Duration::from_ms(10 * self.ticks)
    }

    /// Goes on with the inertial sensors; `hear` is called each 0.2 s.
    fn sail(&mut self, seconds: u64, mut hear: impl FnMut(&mut Aboard, &Readings)) {
        for _ in 0..100 * seconds {
            self.ticks += 1;
            let now = self.now();
            self.voyage.go_on(now.as_secs_f64());
            let ideal = self.voyage.readings();
            let [rate, force] = self.suite.inertial(&ideal, 0.01);
            self.filter.turn(now, rate, &self.planet);
            self.filter.push(now, force, &self.planet, &self.assumed);
            if self.ticks.is_multiple_of(20) {
                hear(self, &ideal);
            }
        }
    }

    fn hear_dvl(&mut self, ideal: &Readings) {
        let measured = self.suite.dvl(ideal);
        self.hear_velocity(measured);
    }

    fn hear_velocity(&mut self, measured: Vector3<f64>) {
        let now = self.now();
        self.filter.measure_velocity(now, measured, &self.planet, &self.assumed);
    }

    fn hear_gps(&mut self) {
        let Estimate { position, velocity, .. } = self.voyage.truth;
        let noise = &mut self.suite.noise;
        let fix = [position + noise.vector(1.5), velocity + noise.vector(0.05)];
        let now = self.now();
        self.filter.measure_fix(now, fix, &self.planet, &self.assumed);
    }

    fn estimate(&self) -> Estimate {
        self.filter.estimate(self.now(), &self.planet)
    }

    /// Truth less estimate: place, velocity, angle.
    fn errors(&self) -> [Vector3<f64>; 3] {
        let (estimate, truth) = (self.estimate(), &self.voyage.truth);
        let turned: UnitQuaternion<f64> =
            truth.attitude.quaternion() * estimate.attitude.quaternion().inverse();
        let position = truth.position - estimate.position;
        [position, truth.velocity - estimate.velocity, turned.scaled_axis()]
    }

    fn deviation(&self, state: usize) -> f64 {
        self.filter.covariance()[(state, state)].sqrt()
    }
}

#[test]
fn an_outlier_is_refused_and_changes_nothing() {
    let mut aboard = Aboard::starting(tactical(), |_| {});
    aboard.sail(60, Aboard::hear_dvl);
    let (before, refused) = (aboard.estimate(), aboard.filter.refused());
    let outlier = aboard.voyage.readings().dvl + Vector3::new(0.1, 0.0, 0.0);
    aboard.hear_velocity(outlier);
    assert_eq!(aboard.filter.refused(), refused + 1);
    assert_eq!(aboard.estimate(), before);
}

#[test]
fn without_the_dvl_the_filter_knows_less_and_less() {
    let mut aboard = Aboard::starting(tactical(), |_| {});
    aboard.sail(60, Aboard::hear_dvl);
    let known = aboard.deviation(0);
    aboard.sail(60, |_, _| {});
    let [error, ..] = aboard.errors();
    assert!(aboard.deviation(0) > 2.0 * known, "{known} m, then {} m", aboard.deviation(0));
    for axis in 0..3 {
        assert!(error[axis].abs() < 4.0 * aboard.deviation(axis), "{error}");
    }
}

#[test]
fn a_sensor_that_insists_is_believed_in_the_end() {
    let assumed = Assumptions { initial_velocity: 1e-3, ..tactical() };
    let mut aboard = Aboard::starting(assumed, |start| start.velocity.x += 1.0);
    aboard.sail(4, Aboard::hear_dvl);
    assert!(aboard.filter.refused() >= 19);
    aboard.sail(20, Aboard::hear_dvl);
    let [_, velocity, _] = aboard.errors();
    assert!(velocity.norm() < 0.02, "{velocity}");
}

#[test]
fn the_compass_tells_the_heading() {
    let assumed = Assumptions {
        initial_heading: 5.0_f64.to_radians(),
        compass_bias: 0.5_f64.to_radians(),
        ..tactical()
    };
    let mut aboard = Aboard::starting(assumed, |_| {});
    aboard.sail(120, |aboard, ideal| {
        aboard.hear_dvl(ideal);
        let (heading, now) = (aboard.suite.heading(ideal, 0.2), aboard.now());
        aboard.filter.measure_heading(now, heading, &aboard.planet, &aboard.assumed);
    });
    let ([_, _, angle], deviation) = (aboard.errors(), aboard.deviation(8));
    assert!(deviation < 0.6_f64.to_radians(), "{} deg", deviation.to_degrees());
    assert!(angle.z.abs() < 3.0 * deviation, "{} deg", angle.z.to_degrees());
}

#[test]
fn fixes_tell_the_place() {
    let assumed = Assumptions { initial_horizontal: 50.0, ..tactical() };
    let mut aboard = Aboard::starting(assumed, |_| {});
    assert!(aboard.errors()[0].norm() > 10.0);
    aboard.sail(60, |aboard, ideal| {
        aboard.hear_dvl(ideal);
        aboard.hear_gps();
    });
    let [position, ..] = aboard.errors();
    assert!(position.norm() < 0.5, "{position}");
}

#[test]
fn fixes_tell_the_misalignment_of_the_dvl() {
    let misalignment = 10.0_f64.to_radians();
    let assumed = Assumptions { dvl_misalignment: 8.0_f64.to_radians(), ..tactical() };
    let mut aboard = Aboard::starting(assumed, |_| {});
    let mount = UnitQuaternion::from_scaled_axis(Vector3::z() * -misalignment);
    aboard.sail(150, |aboard, ideal| {
        let measured = mount * aboard.suite.dvl(ideal);
        aboard.hear_velocity(measured);
        aboard.hear_gps();
    });
    let (found, deviation) = (aboard.filter.dvl_misalignment(), aboard.deviation(18));
    assert!(deviation < 0.2_f64.to_radians(), "{} deg", deviation.to_degrees());
    assert!((found - misalignment).abs() < 4.0 * deviation, "{} deg", found.to_degrees());
}

#[test]
fn the_covariance_stays_symmetric_and_positive() {
    let mut aboard = Aboard::starting(tactical(), |_| {});
    aboard.sail(300, |aboard, ideal| {
        aboard.hear_dvl(ideal);
        aboard.hear_gps();
        let covariance = aboard.filter.covariance();
        assert_eq!(*covariance, covariance.transpose());
        let known = covariance.fixed_view::<18, 18>(0, 0).into_owned();
        assert!(known.cholesky().is_some(), "at {}", aboard.now());
    });
}
