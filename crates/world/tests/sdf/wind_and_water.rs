//! Forces of air and water on links, each against its formula.

use ironbird_world::World;
use nalgebra::Vector3;

use super::{command, file, own, scene, world_of};

fn number(world: &World, name: &str) -> usize {
    world.bodies().position(|body| body.name() == name).unwrap()
}

fn windy() -> World {
    let scene = scene(&file("windy.sdf"));
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    world_of(&scene)
}

#[test]
fn a_balloon_is_taken_along_by_the_wind() {
    let mut world = windy();
    world.advance(1000).unwrap();
    // v' = k (w - v), to the east, without weight.
    let velocity = world.body(number(&world, "balloon")).state.motion.velocity;
    let expected = Vector3::new(0.0, 2.0 * (1.0 - libm::exp(-0.5)), 0.0);
    assert!((velocity - expected).norm() < 1e-9, "{velocity}");
}

#[test]
fn motion_decays() {
    let mut world = windy();
    let body = number(&world, "damped");
    world.body_mut(body).state.motion.velocity = Vector3::new(3.0, 0.0, -1.0);
    world.body_mut(body).state.motion.rates = Vector3::new(0.0, 0.5, 0.0);
    world.moved();
    world.advance(1000).unwrap();
    let motion = &world.body(body).state.motion;
    let left = Vector3::new(3.0, 0.0, -1.0) * libm::exp(-0.5);
    assert!((motion.velocity - left).norm() < 1e-9, "{}", motion.velocity);
    assert!((motion.rates.y - 0.5 * libm::exp(-2.0)).abs() < 1e-9, "{}", motion.rates);
}

#[test]
fn a_plane_is_pulled_lifted_and_steered() {
    let mut world = windy();
    let body = number(&world, "plane");
    command(&mut world, body, "motor_1", 600.0);
    command(&mut world, body, "elevator_joint_command", 0.2);
    // Carried by the wind it feels no air.
    world.body_mut(body).state.motion.velocity = Vector3::new(0.0, 2.0, 0.0);
    world.moved();
    world.advance(1).unwrap();
    // The elevator moves with 2 rad/s.
    assert!((own(world.body(body), "elevator_joint_position") - 1e-3).abs() < 1e-6);
    world.advance(299).unwrap();
    assert!((own(world.body(body), "elevator_joint_position") - 0.2).abs() < 1e-9);

    // In the air at 15 m/s, straight ahead: lift and moment at no angle, and those of the elevator.
    let place = |world: &mut World| {
        let motion = &mut world.body_mut(body).state.motion;
        motion.velocity = Vector3::new(0.0, 17.0, 0.0);
        motion.rates = Vector3::zeros();
        motion.attitude = nalgebra::UnitQuaternion::from_axis_angle(
            &Vector3::z_axis(),
            std::f64::consts::FRAC_PI_2,
        );
        world.moved();
        world.feel();
    };
    place(&mut world);
    let mass = 1.021;
    let pressure = 0.5 * 1.2041 * 225.0 * 0.34;
    let degrees = -0.2_f64.to_degrees();
    // Stall is a little way off: some e^-5 of the lift is that of a plate.
    let lift = pressure * (0.15 + 0.01 * degrees);
    let felt = world.body(body).specific_force() * mass;
    assert!((felt.z + lift).abs() < 0.03 * pressure * 0.15 + 0.02, "{felt}, lift {lift}");
    let thrust = 1e-5 * 600.0 * 600.0;
    assert!(felt.x < thrust && felt.x > thrust - 4.0, "{felt}, thrust {thrust}");
    let pitch = pressure * 0.22 * (0.07 - 0.02 * degrees);
    let nose_up = world.body(body).state.angular_acceleration.y;
    assert!(nose_up > 0.5 * pitch / 0.2, "{nose_up} rad/s², moment {pitch}");
}

#[test]
fn thrusters_drive_a_body_under_water_to_where_resistance_balances_them() {
    let scene = scene(&file("uuv.sdf"));
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    let mut world = world_of(&scene);
    let body = number(&world, "uuv");
    let start = world.body(body).state.motion.position;
    for thruster in ["thruster_0", "thruster_1"] {
        command(&mut world, body, thruster, 0.5);
    }
    world.advance(20_000).unwrap();
    // 2 · 40 · 0.5 = 10 v + 15 v²
    let expected = (-10.0 + (100.0_f64 + 4.0 * 15.0 * 40.0).sqrt()) / 30.0;
    let motion = &world.body(body).state.motion;
    let speed = motion.to_body(&motion.velocity).x;
    assert!((speed - expected).abs() < 0.01 * expected, "{speed} m/s, not {expected}");
    assert!((motion.position.z - start.z).abs() < 0.5, "neutral: {}", motion.position);
    // Water does not carry what the plugin does not name.
    let stone = &world.body(number(&world, "stone")).state.motion;
    assert!((stone.velocity.z - 9.8 * 20.0).abs() < 1e-6, "{}", stone.velocity);
}
