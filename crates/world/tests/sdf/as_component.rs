//! SDF worlds as components: ports, checkpoints, warnings.

use std::path::Path;

use ironbird_component::{ComponentType, Place, Settings};
use ironbird_kernel::{Parameter, VectorSample};
use ironbird_test_rig::{Rig, assert_goes_on_after_a_checkpoint, seconds, text};
use ironbird_world::WorldType;

use super::file;

fn rig(name: &str) -> Rig {
    let mut rig = Rig::of(&[ironbird_world::register]);
    rig.add("world", "world", &[("file", text(&file(name).display().to_string()))]);
    rig
}

#[test]
fn a_saved_world_with_joints_goes_on_to_the_same_bits() {
    // Blades that turn, wheels that touch the ground, controllers with integrals.
    for name in ["blades.sdf", "rover.sdf", "gimbal.sdf"] {
        assert_goes_on_after_a_checkpoint(|| rig(name).into_graph(), seconds(0.2), seconds(0.5));
    }
}

#[test]
fn joints_and_sensors_on_links_have_ports() {
    let mut rig = rig("gimbal.sdf");
    rig.script("wanted", &[(seconds(0.0), 0.5)]);
    rig.link("wanted.out", "world.gimbal.pitch_joint_command");
    let run = rig.run(
        seconds(8.0),
        &["world.gimbal.pitch_joint_position", "world.gimbal.imu_accelerometer"],
    );
    let angle = run.numbers("world.gimbal.pitch_joint_position");
    assert!((angle[angle.len() - 1] - 0.5).abs() < 1e-3);
    // The camera looks down by the angle: its accelerometer feels the ground push against that.
    let felt = run.samples::<VectorSample>("world.gimbal.imu_accelerometer");
    let (_, last) = &felt[felt.len() - 1];
    let (x, z) = (-9.80665 * libm::sin(0.5), -9.80665 * libm::cos(0.5));
    assert!((last.value[0] - x).abs() < 0.02, "{:?} not {x}", last.value);
    assert!((last.value[2] - z).abs() < 0.02, "{:?} not {z}", last.value);
}

#[test]
fn a_body_with_joints_shows_its_root_and_its_centre_of_mass() {
    let ports = ["position", "velocity", "centre_of_mass", "centre_of_mass_velocity"]
        .map(|port| format!("world.trailer.{port}"));
    let run = rig("trailer.sdf").run(seconds(1.0), &ports.each_ref().map(String::as_str));
    let of = |port: usize| run.samples::<[f64; 3]>(&ports[port]);
    let (root, whole) = (of(0), of(2));
    // East of SDF's x: the whole is 1.95 m behind the tractor.
    assert!((root[0].1[1] - 0.0).abs() < 1e-12 && (whole[0].1[1] + 1.95).abs() < 1e-12);
    let mut swung: f64 = 0.0;
    for ((time, at), (_, velocity)) in whole.iter().zip(of(3)) {
        let t = time.as_secs_f64();
        // Whatever the spring does inside, all of it falls as a stone does.
        let fallen = [0.0, -1.95, -10.0 + 0.5 * 9.80665 * t * t];
        let speed = [0.0, 0.0, 9.80665 * t];
        for axis in 0..3 {
            assert!((at[axis] - fallen[axis]).abs() < 1e-6, "{t} s: {at:?}, not {fallen:?}");
            assert!((velocity[axis] - speed[axis]).abs() < 1e-6, "{t} s: {velocity:?}");
        }
    }
    for (_, at) in &root {
        swung = swung.max(at[0].abs());
    }
    assert!(swung > 0.05, "the tractor swings: {swung} m");
}

#[test]
fn what_has_no_effect_is_told_by_the_component() {
    let mut settings = Settings::new();
    settings.insert("file".into(), Parameter::Text(file("warnings.sdf").display().to_string()));
    let place = Place { folder: Path::new("") };
    let instance =
        WorldType::default().instantiate(&settings, &place).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(instance.warnings().len(), 7, "{:?}", instance.warnings());
}
