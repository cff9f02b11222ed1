//! `ironbird tasks`: schedules, guiders and simulations of the example of the thesis, as users see them.

use roxmltree::Document;
use serde_json::Value;

use crate::program::{Place, example};

const TWO_ECUS: &str = "tasks/two-ecus.toml";

fn json(arguments: &[&str], status: i32) -> Value {
    let done = Place::new().run(arguments);
    assert_eq!(done.status, status, "{}", done.err);
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}", done.out))
}

fn job<'a>(jobs: &'a Value, task: &str, instance: u64) -> &'a Value {
    let jobs = jobs["jobs"].as_array().expect("jobs");
    let found = jobs.iter().find(|job| job["task"] == task && job["instance"] == instance);
    found.unwrap_or_else(|| panic!("{task} {instance}"))
}

#[test]
fn schedule_prints_every_job_with_release_start_finish_and_deadline() {
    let done = Place::new().run(&["tasks", "schedule", &example(TWO_ECUS)]);
    assert_eq!(done.status, 0, "{}", done.err);
    for row in [
        "hyper-period 10 ms",
        "the schedule repeats every 10 ms from 0 ms on",
        "ecu1: utilisation 0.700",
        "  T1.2 1        5      6       7         7  W",
        "ecu2: utilisation 0.900",
        "  T3.0 1        0      0       4         -  R",
        "  T2                      2      4     4.5         5",
    ] {
        assert!(done.out.lines().any(|line| line == row), "{row}\n{}", done.out);
    }
}

#[test]
fn schedule_as_json_has_exact_ticks() {
    let told = json(&["tasks", "schedule", &example(TWO_ECUS), "--json"], 0);
    assert_eq!((&told["unit"], &told["ticks_per_unit"]), (&"ms".into(), &2.into()));
    assert_eq!(told["jobs"].as_array().map(Vec::len), Some(9));
    let last = job(&told, "T2.1", 2);
    assert_eq!(last["release"], 6);
    assert_eq!(last["start_ticks"], 16);
    assert_eq!(last["finish_ticks"], 18);
    assert_eq!(last["deadline_ticks"], 18);
    assert_eq!(job(&told, "T3.1", 1)["deadline_ticks"], Value::Null);
}

#[test]
fn the_verdict_is_the_exit_status_and_names_the_first_missed_job() {
    let file = example(TWO_ECUS);
    let told = json(&["tasks", "simulate", &file, "--policy", "ours", "--json"], 0);
    assert_eq!((&told["simulatable"], &told["first_missed"]), (&true.into(), &Value::Null));
    assert_eq!(job(&told, "T2.0", 1)["finish"], 0.5);
    for policy in ["allsync", "truetime"] {
        let told = json(&["tasks", "simulate", &file, "--policy", policy, "--json"], 1);
        let missed = &told["first_missed"];
        assert_eq!((&missed["task"], &missed["instance"]), (&"T1.2".into(), &1.into()));
        assert_eq!((&missed["real_finish"], &missed["finish"]), (&7.into(), &7.5.into()));
        assert_eq!(
            (&missed["real_finish_ticks"], &missed["finish_ticks"]),
            (&14.into(), &15.into())
        );
    }
}

#[test]
fn another_speed_or_more_cores_change_the_verdict() {
    let file = example(TWO_ECUS);
    let run = |more: &[&str]| {
        let all = [&["tasks", "simulate", &file, "--policy", "allsync"], more].concat();
        Place::new().run(&all)
    };
    assert_eq!(run(&[]).status, 1);
    assert_eq!(run(&["--speed", "2.5"]).status, 0);
    assert_eq!(run(&["--cores", "2"]).status, 0);
    assert_eq!(run(&["--speed", "fast"]).status, 2);
    assert_eq!(run(&["--cores", "0"]).status, 2);
}

#[test]
fn of_many_hyper_periods_jobs_are_printed_only_when_asked_for() {
    let file = example(TWO_ECUS);
    let run = |more: &[&str]| {
        let all = [&["tasks", "simulate", &file, "--policy", "ours"], more].concat();
        Place::new().run(&all).out
    };
    let few = run(&["--hyper-periods", "1000"]);
    assert!(few.contains("1000 hyper-periods") && few.contains("9000 jobs"), "{few}");
    assert_eq!(few.lines().count(), 2, "{few}");
    let all = run(&["--hyper-periods", "3", "--jobs"]);
    assert!(all.contains("T2.1 6 "), "{all}");
    let told = json(
        &["tasks", "simulate", &file, "--policy", "ours", "--json", "--hyper-periods", "3"],
        0,
    );
    assert_eq!(told["jobs"].as_array().map(Vec::len), Some(27));
    assert_eq!(job(&told, "T2.1", 6)["real_finish"], 29);
}

#[test]
fn charts_show_every_job_and_are_well_formed() {
    let place = Place::new();
    let file = example(TWO_ECUS);
    let done = place.run(&["tasks", "schedule", &file, "--gantt", "real.svg"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let done = place.run(&["tasks", "simulate", &file, "--policy", "ours", "--gantt", "ours.svg"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let done = place.run(&["tasks", "guider", &file, "--format", "svg", "--out", "guider.svg"]);
    assert_eq!(done.status, 0, "{}", done.err);
    for name in ["real.svg", "ours.svg", "guider.svg"] {
        let text = place.text(name);
        let image = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let texts: Vec<&str> = image.descendants().filter_map(|node| node.text()).collect();
        for job in ["T1.0 1", "T1.1 1", "T1.2 1", "T2.0 2", "T2.1 2", "T3.0 1", "T3.1 1"] {
            assert!(texts.contains(&job), "{name}: {job}");
        }
    }
}

#[test]
fn the_guider_has_marks_deadlines_and_edges() {
    let file = example(TWO_ECUS);
    let done = Place::new().run(&["tasks", "guider", &file]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert!(done.out.contains("j7[\"T1.2 1 W<br/>6 to 7, by 7\"]"), "{}", done.out);
    assert!(done.out.contains("    j3 --> j7\n"), "{}", done.out);
    let told = json(&["tasks", "guider", &file, "--format", "json"], 0);
    assert_eq!(told["edges"][0], serde_json::json!({"from": 0, "to": 3, "because": "releases"}));
}

#[test]
fn drawn_times_depend_on_the_seed_alone() {
    let place = Place::new();
    let file = example("tasks/varying.toml");
    let run = |seed: &str| {
        let until = ["--times", "drawn", "--seed", seed, "--until", "1 s", "--json"];
        place.run(&[&["tasks", "schedule", &file], &until[..]].concat()).out
    };
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
}

#[test]
fn of_varying_times_one_execution_is_simulated_and_its_jobs_are_within_the_ranges() {
    let file = example("tasks/varying.toml");
    let ranges = json(&["tasks", "schedule", &file, "--json"], 0);
    let drawn = ["--policy", "ours", "--times", "drawn", "--seed", "5", "--json"];
    let told = json(&[&["tasks", "simulate", &file], &drawn[..]].concat(), 0);
    let jobs = told["jobs"].as_array().expect("jobs");
    assert_eq!(jobs.len(), 6);
    for done in jobs {
        let same =
            |row: &&Value| row["task"] == done["task"] && row["instance"] == done["instance"];
        let range =
            ranges["ranges"].as_array().expect("ranges").iter().find(same).expect("a range");
        let finish = done["real_finish_ticks"].as_u64();
        let [least, most] = [0, 1].map(|end| range["finish_ticks"][end].as_u64());
        assert!(least <= finish && finish <= most, "{done} {range}");
    }
    let truetime = ["tasks", "simulate", &file, "--policy", "truetime"];
    assert_eq!(Place::new().run(&truetime).status, 2);
}

#[test]
fn a_study_prints_its_parameters_and_does_not_depend_on_threads() {
    let place = Place::new();
    let study = ["tasks", "study", "--vary", "write", "--workloads", "5", "--threads"];
    let one = place.run(&[&study[..], &["1"]].concat());
    assert_eq!(one.status, 0, "{}", one.err);
    assert_eq!(one.out, place.run(&[&study[..], &["3"]].concat()).out);
    assert!(one.out.contains("# simulation speed: 3.3 x ECU"), "{}", one.out);
    assert_eq!(one.out.lines().filter(|line| !line.starts_with('#')).count(), 12);
    let written = place.run(&[&study[..], &["1", "--out", "study"]].concat());
    assert_eq!(written.status, 0, "{}", written.err);
    assert_eq!(place.text("study/write.csv"), one.out);
    Document::parse(&place.text("study/write.svg")).expect("well-formed");
}
