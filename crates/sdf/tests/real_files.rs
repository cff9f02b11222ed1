//! Files of the PX4 project, where they are at hand: in `../shared/data` beside the project or where `IRONBIRD_DATA`
//! says.

use std::path::{Path, PathBuf};

use ironbird_sdf::{NoiseKind, Sdf, SensorKind, load};

fn real(file: &str) -> Option<Sdf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("IRONBIRD_DATA").map_or(beside, PathBuf::from);
    let path = data.join("sdf").join(file);
    if !path.is_file() {
        println!("skipped: there is no {}; IRONBIRD_DATA names the folder", path.display());
        return None;
    }
    Some(load(&path, &[]).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn the_x500_merges_its_base() {
    let Some(sdf) = real("models/x500/model.sdf") else { return };
    let x500 = &sdf.models[0];
    assert_eq!(x500.name, "x500");
    let mass = |name: &str| x500.link(name).expect(name).inertial.mass;
    assert_eq!(mass("base_link"), 2.0);
    for rotor in 0..4 {
        assert!((mass(&format!("rotor_{rotor}")) - 0.016076923).abs() < 1e-6);
        let joint = x500.joint(&format!("rotor_{rotor}_joint")).expect("one for each rotor");
        assert_eq!(joint.parent, "base_link");
        assert_eq!(joint.axis.as_ref().expect("it turns").upper, f64::INFINITY);
    }
    assert_eq!(x500.links.len(), 5);
    // The pose of the merged base counts.
    assert_eq!(x500.link("base_link").expect("it is there").pose.translation.z, 0.24);
    let motors = x500.plugins.iter().filter(|plugin| plugin.class() == "MulticopterMotorModel");
    let constants = motors.map(|motor| motor.element.number("motorConstant"));
    assert_eq!(constants.collect::<Vec<_>>(), vec![Ok(Some(8.54858e-6)); 4]);
    let sensors = &x500.link("base_link").expect("it is there").sensors;
    let imu = sensors.iter().find(|sensor| sensor.type_name == "imu").expect("it is there");
    assert_eq!(imu.update_rate, 250.0);
    let SensorKind::Imu(noise) = &imu.kind else { panic!("an imu") };
    assert_eq!(noise.angular_velocity[0].kind, NoiseKind::Gaussian);
    assert_eq!(noise.angular_velocity[0].stddev, 0.0008726646);
    assert_eq!(noise.linear_acceleration[2].stddev, 0.00686);
    assert!(sdf.warnings.iter().all(|w| w.message.contains("is not shown")), "{:#?}", sdf.warnings);
    assert!(!sdf.warnings.is_empty(), "its meshes are not at hand");
}

#[test]
fn the_worlds_load_without_warnings() {
    for (file, wind) in [("worlds/default.sdf", 0.0), ("worlds/windy.sdf", 5.0)] {
        let Some(sdf) = real(file) else { return };
        assert!(sdf.warnings.is_empty(), "{:#?}", sdf.warnings);
        let world = &sdf.worlds[0];
        assert_eq!(world.wind.x, wind);
        assert_eq!(world.physics.max_step_size, 0.004);
        assert_eq!(world.models[0].name, "ground_plane");
    }
}
