//! Quadrotors and a wing.

use ironbird_world::World;
use ironbird_world::aero::{BladeRotor, LiftDrag, Surface};
use nalgebra::Vector3;

use super::{command, file, own, scene, world, world_of};

fn quad() -> World {
    world("quad.sdf")
}

#[test]
fn a_quadrotor_hovers_at_the_speed_that_its_weight_asks_for() {
    let mut world = quad();
    world.body_mut(0).state.motion.position.z -= 10.0;
    // m g = 4 k ω², with 2 kg and four rotors of 16 g.
    let speed = (2.064 * 9.8 / (4.0 * 8.5e-6_f64)).sqrt();
    for number in 0..4 {
        command(&mut world, 0, &format!("motor_{}", number + 1), speed);
        world.body_mut(0).state.own[number] = speed;
    }
    let before = world.body(0).state.motion;
    world.advance(2000).unwrap();
    let after = world.body(0).state.motion;
    assert!((after.position - before.position).norm() < 1e-5, "{}", after.position);
    assert!(after.attitude.angle_to(&before.attitude) < 1e-9);
}

#[test]
fn its_axes_are_ours() {
    let scene = scene(&file("quad.sdf"));
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    // Heads to the east; magnetic north is north.
    let nose = scene.vehicles[0].body.motion.to_ned(&Vector3::x());
    assert!((nose - Vector3::y()).norm() < 1e-12, "{nose}");
    assert_eq!(scene.magnetic_field, Some(Vector3::new(2.3e-5, 6e-6, 4.2e-5)));
    assert_eq!(scene.step, Some(0.001));
    let names: Vec<&str> = scene.vehicles[0].sensors.iter().map(|s| s.name.as_str()).collect();
    let all =
        ["imu_gyroscope", "imu_accelerometer", "gps_position", "gps_velocity", "baro", "compass"];
    assert_eq!(names, all);
    assert!((scene.origin.unwrap().height - 430.0).abs() < 1e-9);
    let density = scene.weather.density.at(0.0);
    assert!((density - 1.225).abs() < 1e-4, "{density}");
}

#[test]
fn rotors_turn_it_the_way_that_they_should() {
    let hover = (2.064 * 9.8 / (4.0 * 8.5e-6_f64)).sqrt();
    // Number 1 is in front on the starboard side, 3 in front on the port side; 1 and 2 are counter-clockwise.
    for (faster, axis, sign) in [([1, 3], 1, 1.0), ([2, 3], 0, 1.0), ([1, 2], 2, 1.0)] {
        let mut world = quad();
        world.body_mut(0).state.motion.position.z -= 10.0;
        for number in 1..=4 {
            let speed = if faster.contains(&number) { 1.02 * hover } else { 0.98 * hover };
            command(&mut world, 0, &format!("motor_{number}"), speed);
            world.body_mut(0).state.own[number - 1] = speed;
        }
        world.advance(50).unwrap();
        let rates = world.body(0).state.motion.rates;
        assert!(rates[axis] * sign > 1e-4, "{faster:?}: {rates}");
        for other in (0..3).filter(|other| *other != axis) {
            assert!(rates[other].abs() < 0.1 * rates[axis].abs(), "{faster:?}: {rates}");
        }
    }
}

/// quad.sdf with something more in each rotor link, and in its base.
fn changed_quad(name: &str, in_rotors: &str, in_base: &str) -> World {
    let mut text = std::fs::read_to_string(file("quad.sdf")).unwrap();
    for rotor in 0..4 {
        let link = format!("<link name=\"rotor_{rotor}\">");
        text = text.replace(&link, &format!("{link}{in_rotors}"));
    }
    text = text.replace("<link name=\"base\">", &format!("<link name=\"base\">{in_base}"));
    let path = std::env::temp_dir().join(format!("ironbird-{}-{name}.sdf", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let made = world_of(&scene(&path));
    std::fs::remove_file(&path).unwrap();
    made
}

/// How much of its weight the rotors of a quadrotor carry that stands on the ground, over that in free air.
fn carried_near_the_ground(mut world: World) -> f64 {
    let weight = 2.064 * 9.8;
    let speed = (0.8 * weight / (4.0 * 8.5e-6_f64)).sqrt();
    for motor in 1..=4 {
        command(&mut world, 0, &format!("motor_{motor}"), speed);
    }
    world.advance(1000).unwrap();
    let body = world.body(0);
    assert!(body.state.reaction.points > 0 && body.state.motion.velocity.norm() < 1e-3);
    (1.0 + body.state.reaction.force.z / weight) / 0.8
}

#[test]
fn a_rotor_has_the_ground_effect_of_the_disk_that_its_shapes_sweep() {
    let blade = "<visual name='blade'><geometry><cylinder><radius>0.14</radius>\
                 <length>0.002</length></cylinder></geometry></visual>";
    // Hardly any, but the body is an articulated one then, whose rotors are actors on links.
    let jointed = "<velocity_decay><linear>1e-12</linear></velocity_decay>";
    // R / 4 z at 0.11 m.
    let near: f64 = 0.035 / 0.11;
    for base in ["", jointed] {
        let with_disk = carried_near_the_ground(changed_quad("disk", blade, base));
        assert!((with_disk - 1.0 / (1.0 - near * near)).abs() < 1e-3, "{with_disk}");
        let without = carried_near_the_ground(changed_quad("plain", "", base));
        assert!((without - 1.0).abs() < 1e-3, "{without}");
    }
}

#[test]
fn motors_without_a_radius_do_not_end_in_nan_below_the_ground() {
    let mut world = quad();
    world.body_mut(0).state.motion.position.z = 0.5;
    command(&mut world, 0, "motor_1", 500.0);
    world.moved();
    world.advance(100).unwrap();
    let motion = &world.body(0).state.motion;
    assert!(motion.position.iter().chain(&motion.rates).all(|x| x.is_finite()), "{motion:?}");
}

const RADIUS: f64 = 0.084;
const MASS: f64 = 1.5 + 0.15 + 4.0 * 0.025;

/// Thrust of two blades at a speed, in still air.
fn blade_thrust(speed: f64) -> f64 {
    let pressure = 0.5 * 1.2041 * (speed * RADIUS) * (speed * RADIUS);
    2.0 * pressure * 0.002 * 4.25 * 0.3
}

#[test]
fn blades_on_turning_joints_carry_what_their_formula_says() {
    let mut world = world("blades.sdf");
    for channel in 0..4 {
        command(&mut world, 0, &format!("channel-{channel}"), 0.5);
    }
    world.advance(2000).unwrap();
    let body = world.body(0);
    let speeds = [0, 1, 2, 3].map(|n| own(body, &format!("rotor_{n}_joint_speed")));
    assert!(speeds[0] > 350.0 && speeds[2] < -350.0, "{speeds:?}");
    // It stands: the ground carries what the blades do not.
    let thrust: f64 = speeds.iter().map(|speed| blade_thrust(*speed)).sum();
    let weight = MASS * 9.8;
    assert!((body.mass() - MASS).abs() < 1e-12);
    let carried = -body.state.reaction.force.z;
    // Density of the file at 1.225 kg/m³.
    assert!(
        (carried + thrust - weight).abs() < 0.01 * weight,
        "{carried} N and {thrust} N of {weight} N"
    );
    assert!(body.state.motion.velocity.norm() < 1e-3, "{}", body.state.motion.velocity);
    println!(
        "blades.sdf: {:.1} rad/s, {thrust:.3} N of {weight:.3} N, ground {carried:.3} N",
        speeds[0]
    );

    let blade = |side: f64| {
        let (cp, forward) = (Vector3::new(side * RADIUS, 0.0, 0.0), Vector3::new(0.0, side, 0.0));
        let surface = Surface {
            a0: 0.3,
            cla: 4.25,
            cda: 0.1,
            alpha_stall: 1.4,
            cla_stall: -0.025,
            cda_stall: 0.0,
            area: 0.002,
            cp,
            forward,
            ..Surface::default()
        };
        LiftDrag::new(&surface).unwrap()
    };
    let averaged = BladeRotor::new(&Vector3::z(), &[blade(1.0), blade(-1.0)]).unwrap();
    let zero = Vector3::zeros();
    let loads = averaged.loads(speeds[0], &zero, &zero, 1.2041);
    assert!((loads.wrench.force.z / blade_thrust(speeds[0]) - 1.0).abs() < 1e-9);
}

#[test]
fn blades_lift_it_when_they_are_told_to() {
    let mut world = world("blades.sdf");
    for channel in 0..4 {
        command(&mut world, 0, &format!("channel-{channel}"), 0.9);
    }
    world.advance(1500).unwrap();
    let motion = &world.body(0).state.motion;
    assert!(motion.position.z < -1.0, "{}", motion.position);
    assert!(motion.velocity.z < -1.0);
    let up = motion.to_ned(&-Vector3::z());
    assert!(up.z < -0.99, "{up}");
}

#[test]
fn a_wing_glides_at_its_trim() {
    let scene = scene(&file("glider.sdf"));
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    let mut world = world_of(&scene);
    // Level, with drag and lift in proportion to the same angle: tan γ = cda / cla, and with α = a₀ + γ
    // ½ ρ V² A α √(cla² + cda²) = m g.
    let (cla, cda, a0) = (3.7_f64, 0.2_f64, 0.05);
    let gamma = libm::atan2(cda, cla);
    let density = 1.2041 * world.weather.density.at(0.0) / 1.225;
    let lifted = 0.5 * density * 0.5 * (a0 + gamma) * (cla * cla + cda * cda).sqrt();
    let speed = (1.5 * 9.8 / lifted).sqrt();
    let trim = Vector3::new(0.0, speed * libm::cos(gamma), speed * libm::sin(gamma));
    world.body_mut(0).state.motion.velocity = trim;
    world.moved();
    world.feel();
    assert!(world.body(0).state.acceleration.norm() < 1e-6, "{}", world.body(0).state.acceleration);
    world.advance(20_000).unwrap();
    let motion = &world.body(0).state.motion;
    assert!((motion.velocity - trim).norm() < 1e-4 * speed, "{} not {trim}", motion.velocity);
    assert!(motion.rates.norm() < 1e-9);
    println!("glider.sdf: {speed:.3} m/s, {:.3} degrees down", gamma.to_degrees());
}
