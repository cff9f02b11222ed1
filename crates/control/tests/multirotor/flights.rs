//! Hovering, steps, wind and recovery, without any tuning for the vehicle.

use ironbird_control::multirotor::{Gains, Mode};
use nalgebra::{UnitQuaternion, Vector3};

use crate::{EXAMPLES, Flight};

#[test]
fn it_hovers_where_it_is() {
    for file in EXAMPLES {
        let mut flight = Flight::new(file, Mode::Position);
        // Lift goes with the square of the speed: motors that grow warm lose it at r = 2 l g / T at most, and the pilot's
        // integral follows with a lag of r / (k_v k_i k_p). For the Crazyflie that is 69 mm.
        let parts = flight.craft.parts();
        let Gains { velocity, velocity_integral, position, .. } = Gains::of(parts);
        let most = parts.warming.map_or(1e-3, |warming| {
            let lost = 2.0 * warming.loss * 9.80665 / warming.time_constant;
            lost / (velocity * velocity_integral * position)
        });
        flight.fly(5.0, [0.0; 4], |_, motion| {
            assert!(motion.position.norm() < most, "{file}: {}", motion.position);
        });
        assert!(flight.tilt() < 1e-3, "{file}");
    }
}

#[test]
fn a_step_of_two_metres_is_made_soon_and_without_much_overshoot() {
    for file in EXAMPLES {
        for axis in 0..3 {
            let mut flight = Flight::new(file, Mode::Position);
            let mut wanted = [0.0; 4];
            wanted[axis] = -2.0;
            let (mut risen, mut furthest) = (f64::INFINITY, 0.0_f64);
            flight.fly(15.0, wanted, |time, motion| {
                let way = -motion.position[axis];
                furthest = furthest.max(way);
                if way > 1.8 {
                    risen = risen.min(time);
                }
            });
            assert!(risen < 6.0, "{file}, axis {axis}: 90 % after {risen} s");
            assert!(furthest < 2.4, "{file}, axis {axis}: as far as {furthest} m");
            let target = Vector3::new(wanted[0], wanted[1], wanted[2]);
            let left = (flight.motion.position - target).norm();
            assert!(left < 0.06, "{file}, axis {axis}: {left} m are left");
        }
    }
}

#[test]
fn it_turns_to_a_heading_the_short_way_and_stays() {
    for file in EXAMPLES {
        let mut flight = Flight::new(file, Mode::Position);
        let mut most = 0.0_f64;
        flight
            .fly(10.0, [0.0, 0.0, 0.0, -2.0], |_, motion| most = most.max(motion.position.norm()));
        let (_, _, yaw) = flight.motion.attitude.euler_angles();
        assert!((yaw + 2.0).abs() < 0.02, "{file}: {yaw} rad");
        assert!(most < 0.1, "{file}: {most} m away on the way");
    }
}

#[test]
fn a_velocity_is_flown() {
    for file in EXAMPLES {
        let mut flight = Flight::new(file, Mode::Velocity);
        flight.fly(10.0, [1.5, -1.0, -0.5, 0.0], |_, _| {});
        let left = flight.motion.velocity - Vector3::new(1.5, -1.0, -0.5);
        assert!(left.norm() < 0.05, "{file}: {left}");
    }
}

#[test]
fn an_attitude_is_held_with_its_thrust() {
    for file in EXAMPLES {
        let mut flight = Flight::new(file, Mode::Attitude);
        flight.fly(2.0, [0.1, -0.1, 0.4, 1.0], |_, _| {});
        let (roll, pitch, yaw) = flight.motion.attitude.euler_angles();
        let wrong = (roll - 0.1).abs() + (pitch + 0.1).abs() + (yaw - 0.4).abs();
        assert!(wrong < 0.03, "{file}: {roll} {pitch} {yaw}");
        assert!(
            flight.motion.velocity.x > 0.5,
            "nose down drives forward: {}",
            flight.motion.velocity
        );
    }
}

#[test]
fn it_stays_in_the_wind_and_comes_back_after_a_gust() {
    for file in ["multirotor/x500.toml", "multirotor/iris.toml"] {
        let mut flight = Flight::new(file, Mode::Position);
        flight.around.wind = Vector3::new(6.0, 3.0, 0.0);
        let mut most = 0.0_f64;
        flight.fly(20.0, [0.0; 4], |_, motion| most = most.max(motion.position.norm()));
        assert!(0.01 < most && most < 1.5, "{file}: {most} m away");
        assert!(flight.motion.position.norm() < 0.05, "{file}: {}", flight.motion.position);
        flight.around.wind.x = -4.0;
        flight.fly(20.0, [0.0; 4], |_, _| {});
        assert!(flight.motion.position.norm() < 0.05, "{file}: {}", flight.motion.position);
    }
}

#[test]
fn it_recovers_from_sixty_degrees_of_tilt() {
    for file in EXAMPLES {
        let mut flight = Flight::new(file, Mode::Position);
        flight.motion.attitude = UnitQuaternion::from_euler_angles(60.0_f64.to_radians(), 0.2, 0.5);
        flight.motion.rates = Vector3::new(1.0, -0.5, 0.5);
        flight.fly(0.8, [0.0; 4], |_, _| {});
        assert!(flight.tilt() < 0.8, "{file}: {} rad after 0.8 s", flight.tilt());
        flight.fly(14.0, [0.0; 4], |_, motion| {
            assert!(motion.position.norm() < 8.0, "{file}: {}", motion.position);
        });
        assert!(flight.tilt() < 0.02, "{file}");
        assert!(flight.motion.position.norm() < 0.1, "{file}: {}", flight.motion.position);
    }
}

#[test]
fn set_points_that_are_no_numbers_mean_rest() {
    let mut flight = Flight::new("multirotor/x500.toml", Mode::Position);
    flight.fly(1.0, [f64::NAN; 4], |_, motion| assert!(motion.position.norm() < 1e-3));
}
