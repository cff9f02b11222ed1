//! Things on the ground, in the water and on joints.

use ironbird_world::World;
use nalgebra::Vector3;

use super::{command, file, own, scene, world};

fn drive(world: &mut World, left: f64, right: f64) {
    command(world, 0, "left_joint_command", left);
    command(world, 0, "right_joint_command", right);
}

#[test]
fn a_rover_drives_straight_and_turns() {
    let mut world = world("rover.sdf");
    drive(&mut world, 5.0, 5.0);
    world.advance(3000).unwrap();
    let motion = world.body(0).state.motion;
    // 5 rad/s of wheels of 0.1 m, to the east.
    assert!((motion.velocity.y - 0.5).abs() < 0.005, "{}", motion.velocity);
    assert!(
        motion.velocity.x.abs() < 0.005 && motion.position.x.abs() < 0.01,
        "{}",
        motion.position
    );
    assert!(world.body(0).state.reaction.overlap < 1e-3);
    drive(&mut world, -2.0, 2.0);
    world.advance(3000).unwrap();
    // To port, by (2 + 2) r / track; the wheels are 0.04 m wide, and stick at any point of that.
    let motion = world.body(0).state.motion;
    let track = -4.0 * 0.1 / motion.rates.z;
    assert!((0.36 - 1e-3..=0.44 + 1e-3).contains(&track), "{}", motion.rates);
    assert!(motion.rates.xy().norm() < 1e-6 && motion.velocity.z.abs() < 1e-6);
    drive(&mut world, 0.0, 0.0);
    world.advance(2000).unwrap();
    let motion = world.body(0).state.motion;
    assert!(motion.velocity.norm() < 5e-3 && motion.rates.norm() < 1e-2, "{}", motion.velocity);
}

#[test]
fn a_pendulum_has_its_period() {
    let mut world = world("pendulum.sdf");
    assert!((world.body(0).state.motion.position - Vector3::new(2.0, 1.0, -3.0)).norm() < 1e-12);
    let (mut last, mut crossings) = (own(world.body(0), "hinge_position"), Vec::new());
    assert!((last - 0.1).abs() < 1e-12);
    for step in 0..10_000_u32 {
        world.advance(1).unwrap();
        let now = own(world.body(0), "hinge_position");
        if last > 0.0 && now <= 0.0 {
            crossings.push(f64::from(step) + last / (last - now));
        }
        last = now;
    }
    let count = crossings.len();
    let period = 1e-3 * (crossings[count - 1] - crossings[0]) / (count - 1) as f64;
    // J = m l² + J₀ about the hinge; 1 + a²/16 for the amplitude.
    let (m, l) = (2.0_f64, 0.5);
    let small = std::f64::consts::TAU * ((m * l * l + 0.02) / (m * 9.81 * l)).sqrt();
    let expected = small * (1.0 + 0.01 / 16.0);
    assert!((period / expected - 1.0).abs() < 2e-5, "{period} s, not {expected} s");
}

#[test]
fn a_boat_floats_at_its_draught_and_drifts_with_the_current() {
    let mut world = world("boat.sdf");
    world.advance(60_000).unwrap();
    let motion = world.body(0).state.motion;
    // 40 kg on 0.5 m²: 0.08 m; the box's middle is 0.02 m above the water, its centre of mass 0.05 m below that.
    assert!((motion.position.z - 0.03).abs() < 1e-4, "{}", motion.position);
    assert!((motion.velocity - Vector3::new(0.1, 0.3, 0.0)).norm() < 1e-3, "{}", motion.velocity);
}

#[test]
fn boxes_fall_on_a_mesh_a_height_map_and_level_ground() {
    let scene = scene(&file("terrain.sdf"));
    let names: Vec<&str> = scene.vehicles.iter().map(|v| v.body.name.as_str()).collect();
    assert_eq!(names, ["on_the_hill", "on_the_table", "beside"]);
    let mut world = super::world_of(&scene);
    world.advance(2000).unwrap();
    for body in world.bodies() {
        let expected = match body.name() {
            "beside" => -0.1,
            "on_the_table" => -1.1,
            _ => -2.6,
        };
        let motion = &body.state.motion;
        assert!(
            (motion.position.z - expected).abs() < 1e-3,
            "{}: {}",
            body.name(),
            motion.position
        );
        assert!(motion.velocity.norm() < 1e-3);
    }
    // The corner of the picture that is bright is that in the north-west.
    let height = |north: f64, east: f64| {
        let from = Vector3::new(north, east - 20.0, -5.0);
        5.0 - world.cast(&from, &Vector3::z(), 10.0, None).unwrap().distance
    };
    assert!((height(2.5, -2.5) - 2.5).abs() < 1e-9, "{}", height(2.5, -2.5));
    for (north, east) in [(2.5, 2.5), (-2.5, 2.5), (-2.5, -2.5)] {
        assert!((height(north, east) - 0.5).abs() < 1e-9, "{}", height(north, east));
    }
    // The cone stands on its base: its tip is 1 m above the ground, its edge on it.
    let down = |east: f64| {
        world.cast(&Vector3::new(0.0, east, -5.0), &Vector3::z(), 10.0, None).unwrap().distance
    };
    assert!((down(10.0) - 4.0).abs() < 1e-6, "{}", down(10.0));
    assert!((down(11.0) - 4.5).abs() < 1e-6, "{}", down(11.0));
}

#[test]
fn a_gimbal_holds_its_angles() {
    let mut world = world("gimbal.sdf");
    let names: Vec<&str> = world.body(0).commands().iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["channel-8", "pitch_joint_command"]);
    world.advance(6000).unwrap();
    assert!(
        own(world.body(0), "roll_joint_position").abs() < 1e-3,
        "a channel at rest wants nothing"
    );
    command(&mut world, 0, "pitch_joint_command", 0.5);
    command(&mut world, 0, "channel-8", 0.75);
    world.advance(10_000).unwrap();
    let body = world.body(0);
    assert!(
        (own(body, "pitch_joint_position") - 0.5).abs() < 1e-3,
        "{}",
        own(body, "pitch_joint_position")
    );
    assert!((own(body, "roll_joint_position") - 0.25 * 1.05).abs() < 1e-3);
}
