//! Every element that real worlds and models have, read from files of our own.

use std::path::{Path, PathBuf};

use ironbird_sdf::*;
use nalgebra::{Vector2, Vector3};

fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

fn field() -> Sdf {
    load(&files().join("worlds/field.sdf"), &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn boat(world: &World) -> &Model {
    world.models.iter().find(|model| model.name == "boat").expect("it is there")
}

#[test]
fn a_world_has_its_surroundings() {
    let sdf = field();
    let world = &sdf.worlds[0];
    assert_eq!(world.name, "field");
    assert_eq!(world.physics.max_step_size, 0.001);
    assert_eq!(world.physics.real_time_update_rate, 250.0);
    assert_eq!(world.gravity, Vector3::new(0.0, 0.0, -9.81));
    assert_eq!(world.magnetic_field, Vector3::new(6e-6, 2.3e-5, -4.2e-5));
    assert_eq!(world.atmosphere, Atmosphere::default());
    assert_eq!(world.wind, Vector3::new(5.0, 2.0, 0.0));
    assert_eq!(world.scene.ambient, [1.0; 4]);
    let earth = world.spherical_coordinates.as_ref().expect("it is there");
    assert_eq!((earth.latitude_deg, earth.longitude_deg), (-35.363262, 149.165237));
    assert_eq!((earth.elevation, earth.heading_deg), (584.0, 0.0));
    assert_eq!(world.plugins[1].class(), "Buoyancy");
    assert_eq!(world.plugins[1].element.number("uniform_fluid_density"), Ok(Some(1000.0)));
    let names: Vec<_> = world.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["runway", "one", "two", "boat"]);
    assert_eq!(world.joint_positions[0].position, 0.25);
    assert_eq!(world.joint_positions[0].axis, 1);
}

#[test]
fn lights_have_their_cones() {
    let sdf = field();
    let lights = &sdf.worlds[0].lights;
    assert_eq!(lights[0].kind, LightKind::Spot);
    assert_eq!(lights[0].direction, Vector3::new(0.0, 0.0, -1.0));
    assert_eq!(lights[0].spot.outer_angle, 0.5);
    assert_eq!(lights[0].attenuation.constant, 0.9);
    assert_eq!((lights[1].name.as_str(), lights[1].kind), ("sun", LightKind::Directional));
}

#[test]
fn collisions_have_shapes_and_surfaces() {
    let sdf = field();
    let hull = boat(&sdf.worlds[0]).link("hull").expect("it is there");
    let shape = |name: &str| &hull.collisions.iter().find(|c| c.name == name).expect(name).geometry;
    assert_eq!(*shape("grippy"), Geometry::Cylinder { radius: 0.1, length: 0.5 });
    assert_eq!(*shape("capsule"), Geometry::Capsule { radius: 0.1, length: 0.5 });
    assert_eq!(*shape("cone"), Geometry::Cone { radius: 0.1, length: 0.5 });
    assert_eq!(*shape("ellipsoid"), Geometry::Ellipsoid(Vector3::new(0.1, 0.2, 0.3)));
    assert_eq!(*shape("sphere"), Geometry::Sphere(0.1));
    let Geometry::Polylines(lines) = shape("outline") else { panic!("not an outline") };
    assert_eq!((lines[0].points[1], lines[0].height), (Vector2::new(1.0, 0.0), 2.0));
    let Geometry::Heightmap(hills) = shape("hills") else { panic!("not a height map") };
    assert_eq!(hills.path.as_deref(), Some(files().join("worlds/heights.png").as_path()));
    assert_eq!((hills.size.z, hills.position.y), (5.0, 2.0));
    let surface = &hull.collisions[0].surface;
    assert_eq!((surface.mu, surface.mu2), (0.8, 0.7));
    assert_eq!((surface.slip1, surface.slip2), (0.01, 0.02));
    assert_eq!(surface.fdir1, Some(Vector3::z()));
    assert_eq!(surface.fdir1_link.as_deref(), Some("rudder"));
    assert_eq!(surface.torsional, Some(0.9));
    assert_eq!((surface.restitution, surface.bounce_threshold), (0.4, 0.1));
    assert_eq!((surface.kp, surface.kd), (1e6, 100.0));
    assert_eq!((surface.max_vel, surface.min_depth), (0.1, 0.001));
    assert_eq!(surface.collide_bitmask, 3);
    assert_eq!(hull.collisions[0].max_contacts, Some(10));
    assert_eq!(hull.collisions[1].surface, Surface::default());
    let runway = &sdf.worlds[0].models[0];
    let plane = Geometry::Plane { normal: Vector3::z(), size: Vector2::new(1829.0, 45.0) };
    assert_eq!(runway.links[0].collisions[0].geometry, plane);
    assert!(runway.is_static && runway.links[0].is_static);
}

#[test]
fn links_have_mass_damping_wind_and_looks() {
    let sdf = field();
    let boat = boat(&sdf.worlds[0]);
    let hull = &boat.links[0];
    assert!(boat.enable_wind && hull.enable_wind == Some(true) && hull.self_collide == Some(true));
    assert!(hull.gravity && !hull.kinematic);
    assert_eq!(hull.inertial.mass, 13.0);
    assert_eq!(hull.inertial.moments.diagonal(), Vector3::new(0.25, 0.221, 0.356));
    // <ixz> is absent.
    assert_eq!(hull.inertial.moments[(0, 2)], 0.0);
    let added = hull.inertial.fluid_added_mass.expect("it is there");
    assert_eq!((added[(0, 0)], added[(1, 5)], added[(5, 1)]), (1.2, 0.3, 0.3));
    assert_eq!(hull.velocity_decay, VelocityDecay { linear: 0.1, angular: 0.2 });
    assert_eq!(hull.visuals[0].geometry, Geometry::Empty);
    let material = hull.visuals[0].material.as_ref().expect("it is there");
    assert_eq!(material.emissive, [1.0, 0.0, 0.0, 0.8]);
    assert_eq!(hull.visuals[0].transparency, 0.3);
    assert_eq!(hull.visuals[0].plugins[0].class(), "Thermal");
    assert_eq!(hull.lights[0].pose.translation.y, 0.1);
    // A link without anything has the mass and moments of the specification.
    assert_eq!(boat.links[1].inertial, Inertial::default());
}

#[test]
fn sensors_have_their_noise() {
    let sdf = field();
    let hull = &boat(&sdf.worlds[0]).links[0];
    let kind = |name: &str| &hull.sensors.iter().find(|s| s.name == name).expect(name).kind;
    let SensorKind::AirPressure(baro) = kind("baro") else { panic!("not a barometer") };
    assert_eq!((baro.reference_altitude, baro.noise.stddev), (584.0, 3.0));
    let SensorKind::Magnetometer([x, y, _]) = kind("mag") else { panic!("not a magnetometer") };
    assert_eq!((x.stddev, y.kind), (1e-4, NoiseKind::None));
    let SensorKind::NavSat(gps) = kind("gps") else { panic!("not a receiver") };
    assert_eq!((gps.position_horizontal.stddev, gps.position_vertical.stddev), (0.5, 1.5));
    assert_eq!(gps.velocity_horizontal.stddev, 0.1);
    let SensorKind::AirSpeed(noise) = kind("pitot") else { panic!("not a pitot tube") };
    assert_eq!(noise.stddev, 2.0);
    let SensorKind::Altimeter(altimeter) = kind("alt") else { panic!("not an altimeter") };
    assert_eq!(altimeter.vertical_position.kind, NoiseKind::GaussianQuantized);
    assert_eq!(altimeter.vertical_position.precision, 0.01);
    let SensorKind::Camera(depth) = kind("depth") else { panic!("not a camera") };
    assert_eq!((depth.width, depth.format.as_str()), (320, "R_FLOAT32"));
    assert_eq!(depth.noise.stddev, 0.007);
    let SensorKind::Lidar(lidar) = kind("lidar") else { panic!("not a lidar") };
    assert_eq!((lidar.horizontal.samples, lidar.horizontal.max_angle), (1080, 2.3));
    assert_eq!((lidar.vertical.samples, lidar.range.max), (1, 30.0));
    assert_eq!((lidar.range.resolution, lidar.noise.stddev), (0.015, 0.01));
    let SensorKind::Sonar(sonar) = kind("echo") else { panic!("not a sonar") };
    assert_eq!((sonar.min, sonar.max, sonar.radius), (0.2, 8.0, 0.4));
    let SensorKind::Contact(contact) = kind("bumper") else { panic!("not a bumper") };
    assert_eq!(contact.collisions, ["grippy"]);
    let SensorKind::Anemometer(wind) = kind("wind") else { panic!("not an anemometer") };
    assert_eq!((wind.mean, wind.stddev), (0.2, 0.1));
    assert!(matches!(kind("flow"), SensorKind::Other(_)));
}

#[test]
fn joints_have_axes_limits_and_dynamics() {
    let sdf = field();
    let hinge = boat(&sdf.worlds[0]).joint("hinge").expect("it is there");
    assert_eq!(hinge.kind, JointKind::Universal);
    assert_eq!((hinge.parent.as_str(), hinge.child.as_str()), ("hull", "rudder"));
    let axis = hinge.axis.as_ref().expect("it is there");
    assert_eq!(axis.xyz, Vector3::x());
    assert_eq!((axis.lower, axis.upper), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!((axis.damping, axis.friction), (0.1, 0.2));
    assert_eq!((axis.spring_reference, axis.spring_stiffness), (0.3, 0.4));
    assert_eq!(hinge.axis2.as_ref().expect("it is there").initial_position, 0.7);
    let SensorKind::ForceTorque(load) = &hinge.sensors[0].kind else { panic!("not a load cell") };
    assert_eq!(load.measure_direction, "parent_to_child");
    assert_eq!(load.force[0].stddev, 0.5);
    let tether = &sdf.worlds[0].joints[0];
    assert_eq!((tether.parent.as_str(), tether.child.as_str()), ("runway::main", "one::base_link"));
}

#[test]
fn plugins_keep_what_they_say() {
    let sdf = field();
    let plugins = &boat(&sdf.worlds[0]).plugins;
    let control = plugins[0].element.child("control").expect("it is there");
    assert_eq!(control.attribute("channel"), Some("0"));
    assert_eq!(control.number("multiplier"), Ok(Some(838.0)));
    assert_eq!(control.flag("useForce"), Ok(Some(true)));
    let pose = plugins[0].element.child("gazeboXYZToNED").expect("it is there").as_pose();
    let (roll, _, yaw) = pose.expect("a pose").expect("numbers").rotation.euler_angles();
    assert!((roll.abs() - std::f64::consts::PI).abs() < 1e-12);
    assert!((yaw - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    assert_eq!(plugins[1].class(), "Hydrodynamics");
}

#[test]
fn nothing_is_passed_over_in_silence() {
    let warnings: Vec<String> =
        field().warnings.iter().map(|warning| warning.message.clone()).collect();
    let expected = [
        "https://fuel.gazebosim.org/1.0/openrobotics/models/Tree is not on this machine",
        "of a saved state only positions of joints are read",
        "<actor> in <world> is not supported",
        "the mass is 0; the model is static",
        "model://frame_quad/meshes/missing.dae is not found, so it is not shown",
        "model://frame_quad/meshes/missing.dae is not found, so it is not shown",
        "a sensor of type optical_flow is not supported",
    ];
    assert_eq!(warnings.len(), expected.len(), "{warnings:#?}");
    for (warning, expected) in warnings.iter().zip(expected) {
        assert!(warning.starts_with(expected), "{warning}\n is not\n{expected}");
    }
    assert_eq!(field().warnings[0].line, 35);
}
