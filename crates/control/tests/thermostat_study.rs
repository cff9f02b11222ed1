//! The study of `examples/thermostat`, wired by hand: what its requirements say holds and fails as its
//! files promise.

use ironbird_environment::ColdSnap;
use ironbird_kernel::{AnyValue, Interposer, Parameter, Passage, RandomStream, Rate, Scalar, Time};
use ironbird_solvers::Trajectory;
use ironbird_test_rig::{Rig, Run, Setting, hours, real};

/// What becomes of the readings between two times.
#[derive(Clone)]
struct Broken {
    from: Time,
    until: Time,
    how: Fault,
    last: Option<f64>,
}

#[derive(Clone)]
enum Fault {
    Bias(f64),
    Stuck,
}

impl Interposer for Broken {
    fn pass(&mut self, now: Time, value: &mut dyn AnyValue, _: &mut RandomStream) -> Passage {
        let read = value.leaf_at(0).map_or(0.0, |leaf| leaf.as_f64());
        let shown = match (&self.how, self.from <= now && now < self.until) {
            (_, false) => read,
            (Fault::Bias(bias), true) => read + bias,
            (Fault::Stuck, true) => self.last.unwrap_or(read),
        };
        self.last = Some(shown);
        value.set_leaf_at(0, Scalar::Float(shown)).expect("a number");
        Passage::Deliver
    }
    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }
}

/// A day in winter with a cold snap from 16:00 to 20:00 and a fault of the thermometer.
fn day(from: f64, until: f64, how: Fault, thermostat: &[Setting<'_>]) -> Run {
    let mut rig = Rig::of(&[
        ironbird_control::register,
        ironbird_environment::register,
        ironbird_plant::register,
        ironbird_sensors::register,
    ]);
    rig.add("air", "environment.outside-air", &[("mean", real(2.0)), ("amplitude", real(5.0))]);
    rig.add("room", "plant.room", &[("gains", real(100.0))]);
    rig.add_at("thermometer", "sensor.thermometer", Some(Rate::new(1, 10).unwrap()), &[]);
    rig.add_at("thermostat", "control.thermostat", Some(Rate::new(1, 60).unwrap()), thermostat);
    rig.link("air.temperature", "room.outside");
    rig.link("room.temperature", "thermometer.temperature");
    let broken = Broken { from: hours(from), until: hours(until), how, last: None };
    rig.link_via("thermometer.reading", "thermostat.temperature", broken);
    rig.link("thermostat.heating", "room.heating");
    let snap = ColdSnap { drop: 8.0, duration: 4.0 * 3600.0 };
    rig.call::<_, bool>(hours(16.0), "air.cold-snap", &snap);
    rig.run(hours(24.0), &["room.temperature", "room.energy", "thermostat.alarm"])
}

/// By how much the room stays between 19.5 degC and 23.5 degC from the second hour on; negative if it does
/// not.
fn comfort(run: &Run) -> f64 {
    let (low, high) = run.track("room.temperature").range(hours(1.0), hours(24.0), 5.0);
    (low - 19.5).min(23.5 - high)
}

fn is_ever_alarmed(run: &Run) -> bool {
    run.samples::<bool>("thermostat.alarm").iter().any(|(_, alarm)| *alarm)
}

const WATCHDOG: Setting<'static> = ("watchdog.after", Parameter::Real(600.0));

#[test]
fn a_bias_and_a_cold_snap_are_survived_with_a_margin() {
    let run = day(8.0, 10.0, Fault::Bias(0.5), &[WATCHDOG]);
    assert!(comfort(&run) > 0.4);
    assert!(!is_ever_alarmed(&run));
    let energy = run.track("room.energy").at(hours(24.0)) / 3.6e6;
    assert!((11.0..15.0).contains(&energy), "{energy} kWh");
}

#[test]
fn a_stuck_sensor_fails_the_comfort_whenever_it_gets_stuck() {
    for minutes in 0..12 {
        let from = 8.0 + f64::from(minutes) / 12.0;
        let margin = comfort(&day(from, from + 4.0, Fault::Stuck, &[]));
        assert!(margin < -0.8, "stuck from {from} h: {margin} K");
    }
}

#[test]
fn a_watchdog_saves_the_comfort_whenever_the_sensor_gets_stuck() {
    for minutes in 0..12 {
        let from = 8.0 + f64::from(minutes) / 12.0;
        let run = day(from, from + 4.0, Fault::Stuck, &[WATCHDOG]);
        let margin = comfort(&run);
        assert!(margin > 0.1, "stuck from {from} h: {margin} K");
        assert!(is_ever_alarmed(&run));
    }
}

#[test]
fn the_same_day_twice_is_the_same_to_the_last_bit() {
    let temperatures =
        || day(8.0, 10.0, Fault::Bias(0.5), &[]).samples::<Trajectory>("room.temperature");
    assert_eq!(temperatures(), temperatures());
}
