//! What a vehicle believes at the start.

use ironbird_kernel::Parameter;
use ironbird_kinematics::{Alignment, Attitude};
use ironbird_test_rig::{real, seconds};

use crate::wired::{add, rig, script, three};

const POSITION: [f64; 3] = [10.0, -20.0, 1.0];
const VELOCITY: [f64; 3] = [2.0, 0.5, 0.0];

fn attitude() -> Attitude {
    Attitude::from_euler(0.05, -0.02, 2.0)
}

/// What these many vehicles believe; each must say so once.
fn alignments(count: usize, settings: &[(String, Parameter)]) -> Vec<Alignment> {
    let mut rig = rig();
    script(&mut rig, "position", &[(0.0, POSITION), (0.5, [99.0; 3])]);
    script(&mut rig, "velocity", &[(0.0, VELOCITY)]);
    script(&mut rig, "attitude", &[(0.0, attitude())]);
    let outputs: Vec<String> = (0..count).map(|k| format!("vehicle-{k}.alignment")).collect();
    for k in 0..count {
        let name = format!("vehicle-{k}");
        add(&mut rig, &name, "sensor.alignment", 10, settings);
        for input in ["position", "velocity", "attitude"] {
            rig.link(&format!("{input}.out"), &format!("{name}.{input}"));
        }
    }
    let listened: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let run = rig.run(seconds(3.0), &listened);
    outputs
        .iter()
        .map(|output| {
            let said = run.samples(output);
            assert_eq!(said.len(), 1);
            said[0].1
        })
        .collect()
}

#[test]
fn without_errors_it_is_the_truth_of_the_start() {
    let expected = Alignment { position: POSITION, velocity: VELOCITY, attitude: attitude() };
    assert_eq!(alignments(1, &[]), [expected]);
}

#[test]
fn offsets_are_added() {
    let mut settings = three("offset.position", 1.5);
    settings.push(("offset.velocity[1]".into(), real(-0.25)));
    settings.push(("offset.pitch".into(), real(0.01)));
    settings.push(("offset.heading".into(), real(0.1)));
    let believed = alignments(1, &settings)[0];
    assert_eq!(believed.position, [11.5, -18.5, 2.5]);
    assert_eq!(believed.velocity, [2.0, 0.25, 0.0]);
    let angles = believed.attitude.to_euler();
    for (angle, expected) in angles.into_iter().zip([0.05, -0.01, 2.1]) {
        assert!((angle - expected).abs() < 1e-14, "{angles:?}");
    }
}

#[test]
fn deviations_are_those_of_many_vehicles() {
    let mut settings = three("deviation.position", 2.0);
    settings.extend(three("deviation.velocity", 0.1));
    settings.push(("deviation.levelling".into(), real(1e-3)));
    settings.push(("deviation.heading".into(), real(1e-2)));
    let all = alignments(300, &settings);
    let deviation = |of: &dyn Fn(&Alignment) -> f64| {
        (all.iter().map(|a| of(a) * of(a)).sum::<f64>() / all.len() as f64).sqrt()
    };
    for (name, found, expected) in [
        ("north", deviation(&|a| a.position[0] - POSITION[0]), 2.0),
        ("down", deviation(&|a| a.velocity[2] - VELOCITY[2]), 0.1),
        ("roll", deviation(&|a| a.attitude.to_euler()[0] - 0.05), 1e-3),
        ("pitch", deviation(&|a| a.attitude.to_euler()[1] + 0.02), 1e-3),
        ("heading", deviation(&|a| a.attitude.to_euler()[2] - 2.0), 1e-2),
    ] {
        assert!((found / expected - 1.0).abs() < 0.12, "{name}: {found}");
    }
}
