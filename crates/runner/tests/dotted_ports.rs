//! Ports that are called `quad[3].position` can be used wherever others can.

mod systems;

use ironbird_kernel::Sharing;
use ironbird_record::Status;
use ironbird_record::export::{Gaps, write_csv};
use ironbird_runner::{How, report};
use systems::{Ran, experiment, run_text, run_with};

/// A world with three quadrotors, each of which is driven by a counter of its own.
const SWARM: &str = r#"
    duration = "9 ms"
    [system.guide]
    type = "test.counter"
    count = 11
    by = { each = "1 + i" }
    [system.driver]
    type = "test.counter"
    by = 0.5
    [system.world]
    type = "test.world"
    in."quad[*].motors" = "guide[*].count"
    in.rover.motors = "driver.count"
    [system.reader]
    type = "test.sampler"
    in.u = "guide[0].count"
    [[record]]
    signals = ["world.quad[*].position", "world.rover.position"]
"#;

fn third(ran: &Ran, channel: &str) -> Vec<f64> {
    ran.recording.samples(channel).unwrap().iter().map(|(_, numbers)| numbers[2]).collect()
}

#[test]
fn a_pattern_links_each_input_with_its_own_source_and_records_each_output() {
    let ran = run_text(SWARM);
    let names: Vec<&str> = ran.recording.channels.iter().map(|c| c.name.as_str()).collect();
    let quads = ["world.quad[0].position", "world.quad[1].position", "world.quad[10].position"];
    assert_eq!(names, [quads[0], quads[1], quads[2], "world.rover.position"]);
    // After n steps a counter of c has counted c, 2 c, 3 c, …
    for (name, by) in quads.into_iter().zip([1.0, 2.0, 11.0]) {
        assert_eq!(third(&ran, name)[..4], [by, 3.0 * by, 6.0 * by, 10.0 * by], "{name}");
    }
    assert_eq!(third(&ran, "world.rover.position")[..3], [0.5, 1.5, 3.0]);
}

#[test]
fn requirements_conditions_and_actions_see_parts_of_them() {
    let ran = run_text(&format!(
        "{SWARM}\n\
         [[when]]\ncondition = \"world.quad[10].position[2] > 30 m\"\nset = {{ driver.by = 100.0 }}\n\
         [[require]]\nname = \"low\"\nformula = \"always world.quad[1].position[2] < 111 m\"\n\
         [[require]]\nname = \"lower\"\nformula = \"always world.quad[1].position[2] < 50 m\"\n"
    ));
    // 11, 33 m: after the second step.
    assert_eq!(third(&ran, "world.rover.position")[..4], [0.5, 1.5, 102.5, 303.5]);
    let status: Vec<Status> = ran.outcomes.verdicts.iter().map(|v| v.status).collect();
    assert_eq!(status, [Status::Passed, Status::Failed], "2 + 4 + … + 20 is 110");
}

#[test]
fn faults_break_one_input_or_one_part_of_an_output() {
    let broken = |fault: &str| {
        run_text(&format!("{SWARM}\n[[fault]]\nname = \"f\"\nfrom = \"2 ms\"\n{fault}\n"))
    };
    let ran = broken("signal = \"world.quad[1].motors\"\noverride = 0.0");
    assert_eq!(third(&ran, "world.quad[1].position")[..4], [2.0, 6.0, 6.0, 6.0]);
    assert_eq!(third(&ran, "world.quad[0].position")[..4], [1.0, 3.0, 6.0, 10.0]);
    let ran = broken("signal = \"world.quad[1].position[2]\"\nbias = \"1000 m\"");
    let samples = ran.recording.samples("world.quad[1].position").unwrap();
    assert_eq!(samples[3].1, [0.0, -1.0, 1020.0]);
}

#[test]
fn the_table_names_each_number_and_the_report_plots_each_vehicle() {
    let ran = run_text(SWARM);
    let mut table = Vec::new();
    write_csv(&ran.recording, &[], Gaps::Hold, &mut table, "out.csv").unwrap();
    let table = String::from_utf8(table).unwrap();
    let first = table.lines().next().unwrap();
    assert!(first.starts_with("time_s,world.quad[0].position[0],world.quad[0].position[1],"));
    assert!(first.ends_with("world.rover.position[2]"), "{first}");
    let report = report(&ran.recording, &[], Some(&ran.outcomes)).unwrap();
    let of_last: Vec<&str> =
        report.plots.last().unwrap().series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(of_last, [0, 1, 2].map(|i| format!("world.rover.position[{i}]")));
}

#[test]
fn runs_are_the_same_on_any_number_of_partitions() {
    let experiment = experiment(SWARM);
    let sharing = Sharing::Always;
    let on =
        |partitions| run_with(&experiment, 0, How { partitions, sharing, ..How::default() }, 0);
    assert!(on(1).file == on(2).file);
}

#[test]
fn the_flat_file_runs_alike() {
    let once = experiment(SWARM);
    let flat = once.resolved.trim_start_matches("ironbird = 1\n").to_owned();
    assert_eq!(run_text(&flat).outcomes.hash, run_text(SWARM).outcomes.hash);
}
