//! Bodies with more commands than a quadrotor has: legs, wheels, rotors, control surfaces.

use std::fmt::Write;
use std::path::PathBuf;

use ironbird_test_rig::{Rig, assert_goes_on_after_a_checkpoint, seconds, text};
use ironbird_world::World;
use nalgebra::Vector3;

use super::{command, own, scene, world_of};

/// A model in a world without weight, as a file.
fn written(name: &str, model: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = format!(
        "<sdf version='1.9'><world name='w'><gravity>0 0 0</gravity><model name='m'>{model}</model></world></sdf>"
    );
    std::fs::write(&path, text).unwrap();
    path
}

fn inertial(mass: f64, moment: f64) -> String {
    let moments = format!("<ixx>{moment}</ixx><iyy>{moment}</iyy><izz>{moment}</izz>");
    format!("<inertial><mass>{mass}</mass><inertia>{moments}</inertia></inertial>")
}

/// Wheels on a table that stands in the world, each with an effort of its own.
fn wheels(count: usize) -> PathBuf {
    let mut model = String::from(
        "<link name='table'/><joint name='foot' type='fixed'><parent>world</parent><child>table</child></joint>",
    );
    for n in 0..count {
        write!(
            model,
            "<link name='l{n}'><pose>{n} 0 0 0 0 0</pose>{}</link>\
             <joint name='wheel_{n}' type='revolute'><parent>table</parent><child>l{n}</child>\
             <axis><xyz>0 0 1</xyz></axis></joint>\
             <plugin filename='x' name='gz::sim::systems::ApplyJointForce'><joint_name>wheel_{n}</joint_name></plugin>",
            inertial(1.0, 2.0)
        )
        .unwrap();
    }
    written(&format!("wheels-{count}.sdf"), &model)
}

#[test]
fn each_of_three_hundred_commands_drives_its_own_joint() {
    let mut world = world_of(&scene(&wheels(300)));
    for n in 0..300 {
        command(&mut world, 0, &format!("wheel_{n}_command"), n as f64 - 150.0);
    }
    world.advance(100).unwrap();
    for n in 0..300 {
        // ω = τ t / J, after a tenth of a second.
        let (speed, wanted) =
            (own(world.body(0), &format!("wheel_{n}_speed")), (n as f64 - 150.0) / 20.0);
        assert!((speed - wanted).abs() < 1e-9, "{n}: {speed} rad/s, not {wanted} rad/s");
    }
}

#[test]
fn three_hundred_commands_come_back_from_a_checkpoint() {
    let rig = || {
        let mut rig = Rig::of(&[ironbird_world::register]);
        let file = wheels(299).display().to_string();
        rig.add("world", "world", &[("file", text(&file))]);
        rig.script("wanted", &[(seconds(0.0), 3.0), (seconds(0.03), -1.0)]);
        rig.link("wanted.out", "world.m.wheel_298_command");
        rig.into_graph()
    };
    assert_goes_on_after_a_checkpoint(rig, seconds(0.05), seconds(0.1));
}

#[test]
fn twenty_rotors_lift_as_much_as_their_speeds_say() {
    let mut model = format!("<link name='body'>{}</link>", inertial(10.0, 1.0));
    for n in 0..20 {
        let turn = std::f64::consts::TAU * n as f64 / 20.0;
        let way = if n % 2 == 0 { "cw" } else { "ccw" };
        write!(
            model,
            "<link name='r{n}'><pose>{} {} 0 0 0 0</pose>{}</link>\
             <joint name='j{n}' type='revolute'><parent>body</parent><child>r{n}</child><axis><xyz>0 0 1</xyz></axis></joint>\
             <plugin filename='x' name='gz::sim::systems::MulticopterMotorModel'><linkName>r{n}</linkName>\
             <jointName>j{n}</jointName><motorNumber>{n}</motorNumber><motorConstant>1e-5</motorConstant>\
             <turningDirection>{way}</turningDirection><rotorDragCoefficient>0</rotorDragCoefficient>\
             <rollingMomentCoefficient>0</rollingMomentCoefficient><timeConstantUp>1e-4</timeConstantUp></plugin>",
            libm::cos(turn),
            libm::sin(turn),
            inertial(0.1, 1e-4)
        )
        .unwrap();
    }
    let mut world = world_of(&scene(&written("twenty.sdf", &model)));
    assert_eq!(world.body(0).commands().len(), 20);
    for n in 1..=20 {
        command(&mut world, 0, &format!("motor_{n}"), 300.0);
    }
    world.advance(1000).unwrap();
    // a = 20 k ω² / m, where the mass is 12 kg and the density of the air that of the file at its origin.
    let up = -world.body(0).state.motion.velocity.z;
    let wanted = 20.0 * 1e-5 * 300.0 * 300.0 / 12.0;
    assert!((up / wanted - 1.0).abs() < 5e-3, "{up} m/s after a second, not {wanted} m/s");
}

/// A plate with so many control surfaces, of which the last is turned; the moment that turns it about x after 1 ms.
fn rolled(surfaces: usize) -> f64 {
    let mut model = format!("<link name='body'>{}</link>", inertial(1.0, 1.0));
    let mut controls = String::new();
    for n in 0..surfaces {
        write!(
            model,
            "<link name='s{n}'>{}</link><joint name='j{n}' type='revolute'><parent>body</parent><child>s{n}</child>\
             <axis><xyz>0 1 0</xyz><initial_position>{}</initial_position><dynamics><damping>1</damping></dynamics></axis></joint>",
            inertial(1e-3, 1e-3),
            if n + 1 == surfaces { 0.1 } else { 0.0 },
        )
        .unwrap();
        write!(
            controls,
            "<control_surface><name>j{n}</name><direction>1</direction><Cell_ctrl>0.01</Cell_ctrl></control_surface>"
        )
        .unwrap();
    }
    write!(
        model,
        "<plugin filename='x' name='custom::AdvancedLiftDrag'><link_name>body</link_name><area>1</area><AR>5</AR>\
         <eff>1</eff><mac>1</mac><cp>0 0 0</cp>{controls}</plugin>"
    )
    .unwrap();
    let mut world: World = world_of(&scene(&written(&format!("flaps-{surfaces}.sdf"), &model)));
    world.body_mut(0).state.motion.velocity = Vector3::new(0.0, 20.0, 0.0);
    world.moved();
    world.advance(1).unwrap();
    world.body(0).state.motion.rates.x
}

#[test]
fn the_twentieth_control_surface_acts_as_the_first_does() {
    let (first, twentieth) = (rolled(1), rolled(20));
    assert!(first.abs() > 1e-3, "{first}");
    // Nineteen more flaps are heavier by 2 % about x.
    assert!((twentieth / first - 1.0).abs() < 0.03, "{twentieth} rad/s, not {first} rad/s");
}

#[test]
fn thirty_thrusters_push_a_body_under_water() {
    let mut model = format!("<link name='hull'>{}</link>", inertial(10.0, 1.0));
    for n in 0..30 {
        write!(
            model,
            "<link name='p{n}'><pose>0 {n} 0 0 0 0</pose>{}</link>\
             <joint name='j{n}' type='revolute'><parent>hull</parent><child>p{n}</child><axis><xyz>1 0 0</xyz></axis></joint>\
             <plugin filename='x' name='gz::sim::systems::Thruster'><joint_name>j{n}</joint_name>\
             <max_thrust_cmd>1</max_thrust_cmd></plugin>",
            inertial(0.1, 1e-2)
        )
        .unwrap();
    }
    model += "<plugin filename='x' name='gz::sim::systems::Hydrodynamics'><link_name>hull</link_name><xU>-5</xU></plugin>";
    let mut world = world_of(&scene(&written("thrusters.sdf", &model)));
    for n in 0..30 {
        command(&mut world, 0, &format!("p{n}_thrust"), 1.0);
    }
    world.advance(1).unwrap();
    // 30 N on 13 kg along x of the file, which is east; the thrusters take a millisecond.
    let wanted = 30.0 / 13.0;
    let found = world.body(0).state.acceleration.norm();
    assert!((0.3..=1.0).contains(&(found / wanted)), "{found} m/s², not {wanted} m/s²");
}
