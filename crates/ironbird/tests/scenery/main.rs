//! What is drawn of the examples. `cargo nextest run --test scenery --no-capture` prints it.

#[path = "../study/mod.rs"]
mod study;

use std::fmt::Write;

use ironbird_component::scenery::{Body, BodyKind, Ground, Reading, Scenery};
use ironbird_experiment::{Experiment, check, load_text, open};
use ironbird_record::ScenePart;
use study::{folder, open_study};

fn scene(of: &str, name: &str) -> Vec<ScenePart> {
    ironbird_runner::scene(&open_study(of, name, &[]).experiment, 0)
}

fn bodies(scene: &[ScenePart]) -> Vec<&Body> {
    scene.iter().flat_map(|part| &part.scenery.bodies).collect()
}

fn only_body(scene: &[ScenePart]) -> &Body {
    match bodies(scene)[..] {
        [body] => body,
        ref bodies => panic!("{} bodies", bodies.len()),
    }
}

/// Lengths of the paths, in points.
fn paths(scene: &[ScenePart]) -> Vec<usize> {
    scene.iter().flat_map(|part| &part.scenery.paths).map(|path| path.points.len()).collect()
}

fn ground(scene: &[ScenePart]) -> &Ground {
    let grounds = scene.iter().map(|part| &part.scenery.ground);
    let mut known = grounds.filter(|ground| **ground != Ground::None);
    known.next().unwrap_or(&Ground::None)
}

fn is_read_at(reading: Option<&Reading>, component: &str, port: &str) -> bool {
    matches!(reading, Some(Reading::At { component: c, port: p, .. }) if (&**c, &**p) == (component, port))
}

#[test]
fn a_quadcopter_has_spinning_rotors_a_square_to_fly_and_wind() {
    let scene = scene("quadcopter", "flight");
    let drone = only_body(&scene);
    assert_eq!((drone.kind, drone.rotors.len()), (BodyKind::Multirotor, 4));
    assert!(is_read_at(drone.rotors[3].speed.as_ref(), "world", "drone[0].speed_4"));
    assert!(is_read_at(drone.wind.as_ref().map(|wind| &wind[1]), "world", "drone[0].wind"));
    assert_eq!(paths(&scene), [6]);
    assert!(matches!(ground(&scene), Ground::Plane { .. }));
}

#[test]
fn an_aircraft_has_its_span_moving_surfaces_and_cells_to_visit() {
    let scene = scene("fixed-wing", "coverage");
    let plane = only_body(&scene);
    assert_eq!((plane.kind, plane.size[1]), (BodyKind::Aircraft, 2.0));
    let names: Vec<&str> = plane.surfaces.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["aileron", "elevator", "rudder"]);
    // A V-tail has no elevator: what is wanted of it is shown.
    let shown = |number: usize| Some(&plane.surfaces[number].deflection);
    assert!(is_read_at(shown(0), "plane", "servo_aileron"));
    assert!(is_read_at(shown(1), "control.pitch", "elevator"));
    assert!(is_read_at(plane.rotors[0].speed.as_ref(), "plane", "motor_speed"));
    assert!(is_read_at(plane.wind.as_ref().map(|wind| &wind[0]), "environment.wind", "north"));
    let cells: usize = scene.iter().map(|part| part.scenery.cells.len()).sum();
    assert_eq!(cells, 20);
}

#[test]
fn way_points_are_as_wide_as_they_count() {
    let scene = scene("fixed-wing", "waypoints");
    let path = scene.iter().find_map(|part| part.scenery.paths.first()).expect("a path");
    assert_eq!(path.radius, 30.0);
}

#[test]
fn an_underwater_vehicle_is_drawn_once_above_the_bed_that_is_used() {
    let scene = scene("auv-navigation", "survey");
    let names: Vec<&str> = scene
        .iter()
        .filter(|part| !part.scenery.bodies.is_empty())
        .map(|part| part.component.as_str())
        .collect();
    assert_eq!((names, only_body(&scene).kind), (vec!["drone.adapter"], BodyKind::Underwater));
    assert_eq!(paths(&scene).len(), 1);
    let Ground::Grid(grid) = ground(&scene) else { panic!("no bed") };
    assert!(grid.down.iter().all(|down| (72.0..=78.0).contains(down)), "75 m and waves of 3 m");
    assert!(scene.iter().any(|part| part.scenery.sea.is_some()));
}

#[test]
fn what_shows_the_motion_of_another_looks_like_it() {
    let study = open_study("auv-navigation", "remus", &[]);
    let scene = ironbird_runner::scene(&study.experiment, study.scenario("remus"));
    let drone = only_body(&scene);
    assert_eq!(drone.size, [1.6, 0.19, 0.19]);
    let rudder = drone.surfaces.iter().find(|one| one.name == "rudder").expect("a rudder");
    assert!(is_read_at(Some(&rudder.deflection), "actuators.rudder", "deflection"));
}

#[test]
fn a_scenario_that_asks_another_source_is_drawn_with_its_bed() {
    let study = open_study("auv-navigation", "sources", &[]);
    let beds = ["model", "forecast"].map(|name| {
        let scene = ironbird_runner::scene(&study.experiment, study.scenario(name));
        ground(&scene).clone()
    });
    assert!(beds.iter().all(|bed| matches!(bed, Ground::Grid(_))), "{beds:?}");
    assert_ne!(beds[0], beds[1]);
}

#[test]
fn worlds_show_what_is_in_them() {
    let swarm = scene("world", "swarm");
    assert_eq!((bodies(&swarm).len(), paths(&swarm)), (16, vec![49; 16]));
    let mixed = scene("world", "mixed");
    assert!(bodies(&mixed).len() == 16 && bodies(&mixed)[0].kind == BodyKind::Multirotor);
    let auv = scene("world", "auv");
    assert_eq!(only_body(&auv).kind, BodyKind::Underwater);
    let sea = auv.iter().find_map(|part| part.scenery.sea).expect("a sea");
    assert_eq!((sea.surface, sea.bed), (0.0, Some(40.0)));
    assert_eq!(only_body(&auv).sensors.len(), 1, "the axis of its sonar");
    assert_eq!(bodies(&scene("world", "collide")).len(), 2);
    let gust = scene("world", "gust");
    assert_eq!(only_body(&gust).sensors.len(), 2);
}

#[test]
fn a_rover_stands_with_its_wheels_on_a_slope() {
    let scene = scene("world", "slope");
    let rover = only_body(&scene);
    assert_eq!((rover.kind, rover.wheels.len()), (BodyKind::Rover, 4));
    let Ground::Grid(grid) = ground(&scene) else { panic!("no slope") };
    // It falls by 15 degrees to the north: what is farther north is lower.
    let (south, north) = (grid.down[0], grid.down[((grid.rows - 1) * grid.columns) as usize]);
    let slope = f64::from(north - south) / (grid.step[0] * f64::from(grid.rows - 1));
    assert!((slope - libm::tan(15f64.to_radians())).abs() < 1e-3, "{slope}");
}

#[test]
fn a_car_drives_on_its_road() {
    let scene = scene("lane-keeping", "real-schedule");
    let car = only_body(&scene);
    assert_eq!((car.kind, car.wheels.len()), (BodyKind::Car, 4));
    assert!(is_read_at(car.wheels[0].steer.as_ref(), "car", "wheel_angle"));
    assert_eq!(car.wheels[3].steer, None);
    let road = scene.iter().find_map(|part| part.scenery.road.as_ref()).expect("a road");
    assert_eq!(road.left.len(), road.right.len());
    assert_eq!((road.left[0], road.right[0]), ([0.0, -1.75], [0.0, 1.75]));
}

#[test]
fn a_pole_hangs_on_its_cart() {
    let scene = scene("cart-pole", "cart-pole");
    let [cart, pole] = bodies(&scene)[..] else { panic!("a cart and a pole") };
    assert_eq!((cart.kind, pole.part_of.as_str()), (BodyKind::CartPole, "cart"));
}

#[test]
fn the_world_of_betaflight_has_a_quadrotor() {
    let registry = ironbird::registry().expect("all types have names of their own");
    let text = "ironbird = 1\nduration = \"1 s\"\n[system.world]\ntype = \"world\"\nfile = \"world.toml\"\n";
    let item = load_text("world of Betaflight", &folder("native"), text, &[]).expect("it is read");
    let (experiment, _) = check(&item, &registry).expect("it can be run");
    let scene = ironbird_runner::scene(&experiment, 0);
    assert_eq!(only_body(&scene).kind, BodyKind::Multirotor);
}

#[test]
fn every_example_that_moves_something_shows_it() {
    let registry = ironbird::registry().expect("all types have names of their own");
    let mut told = String::new();
    for of in std::fs::read_dir(folder("")).expect("the examples are there") {
        let of = of.expect("it can be read").file_name().into_string().expect("a plain name");
        if !folder(&of).is_dir() {
            continue;
        }
        for name in study::names(&of) {
            // Some files are parts of others, or need a program that is not here.
            let opened = open(&folder(&of).join(format!("{name}.toml")), &[], &registry);
            let Ok((experiment, _)) = opened else { continue };
            let scene = ironbird_runner::scene(&experiment, 0);
            let moves = |part: &ironbird_experiment::checked::Component| {
                ["world", "plant.aircraft", "plant.car", "plant.multirotor", "drone.adapter"]
                    .contains(&part.type_name.as_str())
            };
            let shown = bodies(&scene);
            assert!(
                !shown.is_empty() || !experiment.components.iter().any(moves),
                "{of}/{name} shows nothing"
            );
            let _ = writeln!(told, "{of}/{name}: {}", words(&experiment, &scene));
        }
    }
    println!("{told}");
}

fn words(experiment: &Experiment, scene: &[ScenePart]) -> String {
    let kinds: Vec<String> =
        bodies(scene).iter().take(4).map(|body| format!("{:?}", body.kind)).collect();
    let count =
        |of: fn(&Scenery) -> usize| scene.iter().map(|part| of(&part.scenery)).sum::<usize>();
    let ground = match ground(scene) {
        Ground::None => "no ground",
        Ground::Plane { .. } => "a plane",
        Ground::Grid(_) | Ground::Surface(_) => "a grid",
    };
    format!(
        "{} components, {} bodies {kinds:?}, {ground}, {} sea, {} paths, {} cells, {} roads",
        experiment.components.len(),
        bodies(scene).len(),
        count(|scenery| usize::from(scenery.sea.is_some())),
        count(|scenery| scenery.paths.len()),
        count(|scenery| scenery.cells.len()),
        count(|scenery| usize::from(scenery.road.is_some())),
    )
}
