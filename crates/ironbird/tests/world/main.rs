//! The studies of `examples/world`: what they show, and that nothing but the experiment decides it.

#[path = "../study/mod.rs"]
mod study;

use ironbird_kernel::Sharing;
use ironbird_runner::How;
use study::{Ran, open_study};

fn run(name: &str, sets: &[&str]) -> Ran {
    let study = open_study("world", name, sets);
    assert_eq!(study.warnings.0.len(), 0, "{}", study.warnings);
    study.run(0, 0)
}

#[test]
fn every_study_holds() {
    for name in ["swarm", "collide", "gust", "slope", "auv", "mixed", "sdf-quad"] {
        run(name, &[]).holds();
    }
}

#[test]
fn threads_islands_and_partitions_do_not_show() {
    for name in ["swarm", "collide"] {
        let once = run(name, &[]).outcomes.hash;
        for sets in [
            ["world.threads=2", "world.islands=true"],
            ["world.threads=8", "world.islands=true"],
            ["world.threads=1", "world.islands=false"],
        ] {
            assert_eq!(run(name, &sets).outcomes.hash, once, "{name}: {sets:?}");
        }
        for sharing in [Sharing::Always, Sharing::InTurns(std::time::Duration::from_millis(5))] {
            let how = How { partitions: 2, sharing, ..How::default() };
            let study = open_study("world", name, &[]);
            assert_eq!(
                study.run_with(how).outcomes.hash,
                once,
                "{name}: two partitions, {sharing:?}"
            );
        }
    }
}

#[test]
fn quadrotors_that_collide_are_pushed_apart_by_the_same_force() {
    let ran = run("collide", &[]);
    let left = ran.samples("world.left.contact_force");
    let right = ran.samples("world.right.contact_force");
    let pushed: Vec<_> = left.iter().zip(&right).filter(|((_, l), _)| l[1].abs() > 1.0).collect();
    assert!(!pushed.is_empty(), "they met while it was recorded");
    for ((time, left), (_, right)) in pushed {
        for axis in 0..3 {
            let sum = left[axis] + right[axis];
            assert!(sum.abs() < 1e-6 * (1.0 + left[1].abs()), "at {time} s: {left:?} {right:?}");
        }
    }
}

#[test]
fn the_wind_pushes_until_the_inner_loop_has_learned_it() {
    let ran = run("gust", &[]);
    let place = ran.samples("world.quad.position");
    let farthest = |from: f64, until: f64| {
        let within = place.iter().filter(|(time, _)| (from..until).contains(time));
        within.map(|(_, place)| place[1].abs()).fold(0.0, f64::max)
    };
    let (calm, gust) = (farthest(8.0, 10.0), farthest(10.0, 13.0));
    assert!(gust > 2.0 * calm, "calm {calm} m, in the gust {gust} m");
}

#[test]
fn an_aircraft_flies_with_its_inner_loop_and_a_swarm_stays_where_it_starts() {
    let folder = tempfile::tempdir().unwrap();
    let examples = study::folder("");
    let world = format!(
        "[[ground]]\nshape = \"plane\"\n\n[[vehicle]]\nname = \"plane\"\ntype = \"aircraft\"\nairspeed = \"17 m/s\"\n\
         place = [\"0 m\", \"0 m\", \"-120 m\"]\nfile = \"{0}fixed-wing/aircraft/ultra-stick-25e.toml\"\n\n\
         [[vehicle]]\nname = \"quad\"\ntype = \"multirotor\"\nfile = \"{0}multirotor/x500.toml\"\ncount = 4\n\
         place = [\"100 m\", \"50 m\", \"-5 m\"]\n",
        examples.join("").display()
    );
    std::fs::write(folder.path().join("world.toml"), world).unwrap();
    let file = folder.path().join("experiment.toml");
    let text = "ironbird = 1\nduration = \"20 s\"\n[system.world]\ntype = \"world\"\nfile = \"world.toml\"\n\
                [[record]]\nsignals = [\"world.*.position\"]\nevery = \"100 ms\"\n";
    std::fs::write(&file, text).unwrap();
    let ran = study::open_file(&file, &[]).run(0, 0);
    let last = |name: &str| ran.samples(name).pop().unwrap().1;
    let plane = last("world.plane.position");
    assert!((plane[2] + 120.0).abs() < 5.0, "it keeps its height: {plane:?}");
    assert!((300.0..360.0).contains(&plane[0]), "at its speed: {plane:?}");
    let quad = last("world.quad[3].position");
    let away = (quad[0] - 105.0).abs() + (quad[1] - 55.0).abs() + (quad[2] + 5.0).abs();
    assert!(away < 0.1, "{quad:?}");
}
