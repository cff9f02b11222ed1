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
fn what_has_no_effect_is_told_by_the_component() {
    let mut settings = Settings::new();
    settings.insert("file".into(), Parameter::Text(file("warnings.sdf").display().to_string()));
    let place = Place { folder: Path::new("") };
    let instance =
        WorldType::default().instantiate(&settings, &place).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(instance.warnings().len(), 7, "{:?}", instance.warnings());
}
