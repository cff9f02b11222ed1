//! What a recording holds to be drawn is what Foxglove's own packages say, and changes nothing else.

mod sample_run;

use std::process::Command;

use ironbird_component::scenery::{
    Beams, Body, BodyKind, Cell, Ground, Path, Placed, Scenery, Shape,
};
use ironbird_kernel::{Duration, LeafKind, Schema, Time};
use ironbird_record::scene::{WellKnown, log};
use ironbird_record::{
    Channel, Pose, Recorder, Recording, RunInfo, RunResult, ScenePart, Settings,
};

const EAST: [f64; 4] = [std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];

/// One of every shape, a way, a cell, and a quadrotor with a lidar.
fn scene() -> Vec<ScenePart> {
    let placed = |shape| Placed { shape, position: [1.0, 2.0, -3.0], attitude: EAST };
    let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let lidar = Beams {
        name: "lidar".into(),
        position: [0.0, 0.0, -0.5],
        directions: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        most: 20.0,
        distances: "quad.lidar".into(),
    };
    let quad = Body {
        name: "quad".into(),
        kind: BodyKind::Multirotor,
        size: [0.5, 0.5, 0.1],
        sensors: vec![lidar],
        ..Body::default()
    };
    let scenery = Scenery {
        ground: Ground::Plane { down: 0.0 },
        fixed: vec![
            placed(Shape::Box { size: [1.0, 2.0, 3.0] }),
            placed(Shape::Sphere { radius: 1.0 }),
            placed(Shape::Cylinder { radius: 1.0, length: 2.0 }),
            placed(Shape::Mesh { points, triangles: vec![[0, 1, 2]] }),
        ],
        bodies: vec![quad],
        paths: vec![Path { points: vec![[0.0, 0.0, 0.0], [10.0, 20.0, -5.0]], ..Path::default() }],
        cells: vec![Cell { name: "A".into(), corners: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]] }],
        ..Scenery::default()
    };
    vec![ScenePart { component: "world".into(), scenery }]
}

/// The quadrotor flies north at 1 m/s, 2 m up, turned to the east.
fn pose(tick: u64) -> Pose {
    let time = Time::ZERO + Duration::from_ms(40 * tick);
    let position = [time.as_secs_f64(), 3.0, -2.0];
    Pose { time, body: "world.quad".into(), position, attitude: EAST }
}

/// Ten seconds, with a scene or without one; the file and its hash.
fn record(scene: Vec<ScenePart>) -> (Vec<u8>, String) {
    let memory = sample_run::Memory::default();
    let info = RunInfo { scene, ..RunInfo::default() };
    let channels = [Channel::new("room.temperature", Schema::Leaf(LeafKind::F64))];
    let file = Box::new(memory.clone());
    let mut recorder =
        Recorder::to(file, "run.mcap", &info, &channels, Settings::default()).unwrap();
    for tick in 0..250 {
        let pose = pose(tick);
        recorder.value(0, pose.time, &20.5f64.to_le_bytes()).unwrap();
        recorder.pose(&pose).unwrap();
        let seen = [[4.0, 0.0, 0.5], [0.0, -2.0, 0.5]];
        let seen = if tick < 100 { seen.to_vec() } else { Vec::new() };
        recorder.scan(0, pose.time, seen).unwrap();
    }
    let hash = recorder.output_hash();
    recorder.finish(&RunResult::default()).unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    (bytes, hash)
}

#[test]
fn foxglove_knows_every_schema_and_every_message() {
    let Ok(python) = std::env::var("IRONBIRD_PYTHON") else {
        println!("skipped: IRONBIRD_PYTHON is not set; ./test sets it");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    std::fs::write(&path, record(scene()).0).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/foxglove_schemas.py");
    let happened = log(&sample_run::gust());
    let arguments = [WellKnown::Log.json_schema(), happened];
    let output = Command::new(&python).arg(script).arg(&path).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{python} {script}:\n{text}{errors}");
    assert!(text.contains("all of it is Foxglove's"), "{text}{errors}");
}

#[test]
fn what_is_drawn_changes_neither_the_hash_nor_from_run_to_run() {
    let (bytes, hash) = record(scene());
    let (again, _) = record(scene());
    assert!(bytes == again);
    assert_eq!(record(Vec::new()).1, hash);
    assert_eq!(Recording::from_bytes(bytes).unwrap().output_hash().unwrap(), hash);
}

#[test]
fn poses_come_back_as_they_were_but_for_what_cannot_be_seen() {
    let recording = Recording::from_bytes(record(scene()).0).unwrap();
    let poses = recording.poses().unwrap();
    assert!((5..10).contains(&poses.len()), "{}", poses.len());
    assert_eq!(poses.last().map(|last| last.time), Some(pose(249).time), "the end is not left out");
    for read in poses {
        let tick = read.time.as_ps() / Duration::from_ms(40).as_ps();
        let was = pose(tick);
        assert_eq!((read.time, &read.body), (was.time, &was.body));
        let far = |a: &[f64], b: &[f64]| a.iter().zip(b).any(|(a, b)| (a - b).abs() > 1e-4);
        assert!(!far(&read.position, &was.position) && !far(&read.attitude, &was.attitude));
    }
}

#[test]
fn a_body_that_is_nowhere_is_not_written() {
    let memory = sample_run::Memory::default();
    let info = RunInfo { scene: scene(), ..RunInfo::default() };
    let file = Box::new(memory.clone());
    let mut recorder = Recorder::to(file, "run.mcap", &info, &[], Settings::default()).unwrap();
    recorder.pose(&Pose { position: [f64::NAN, 0.0, 0.0], ..pose(0) }).unwrap();
    recorder.pose(&pose(1)).unwrap();
    recorder.finish(&RunResult::default()).unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    let poses = Recording::from_bytes(bytes).unwrap().poses().unwrap();
    assert_eq!(poses.iter().map(|pose| pose.time).collect::<Vec<_>>(), [pose(1).time]);
}
