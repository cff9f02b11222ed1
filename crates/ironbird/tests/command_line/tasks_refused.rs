//! What `ironbird tasks` refuses: with a message, status 2 and nothing on standard output.

use crate::program::{Place, example};

const TWO_ECUS: &str = "tasks/two-ecus.toml";

fn refused(place: &Place, arguments: &[&str]) -> String {
    let done = place.run(arguments);
    assert_eq!((done.status, done.out.as_str()), (2, ""), "{arguments:?}: {}", done.err);
    done.err
}

#[test]
fn a_file_that_is_wrong_is_refused_by_every_command() {
    let place = Place::new();
    place.write(
        "wrong.toml",
        "[[ecu]]\nname = 'e'\n[[transaction]]\ntask = [{ ecu = 'f', period = 0 }]\n",
    );
    for command in [
        &["tasks", "schedule", "wrong.toml"][..],
        &["tasks", "schedule", "wrong.toml", "--json"],
        &["tasks", "guider", "wrong.toml"],
        &["tasks", "simulate", "wrong.toml", "--policy", "ours"],
    ] {
        let told = refused(&place, command);
        assert!(told.contains("wrong.toml:4:") && told.contains("there is no ECU \"f\""), "{told}");
    }
    assert!(refused(&place, &["tasks", "schedule", "missing.toml"]).contains("missing.toml"));
}

#[test]
fn a_hyper_period_beyond_the_bound_is_refused_with_the_periods_and_the_bound_can_be_set() {
    let place = Place::new();
    let task =
        |period: u64| format!("[[transaction]]\ntask=[{{ecu='e',period={period},execution=1}}]\n");
    let text = format!("time_unit = 'ms'\n[[ecu]]\nname='e'\n{}{}", task(999), task(1001));
    place.write("long.toml", text);
    let told = refused(&place, &["tasks", "schedule", "long.toml"]);
    assert!(told.contains("periods 999, 1001 ms is 999999 ms, longer than 100000 ms"), "{told}");
    let longer = ["tasks", "schedule", "long.toml", "--max-hyper-period", "1000 s"];
    let done = place.run(&longer);
    assert_eq!(done.status, 0, "{}", done.err);
    assert!(done.out.contains("hyper-period 999999 ms"), "{}", done.out);
    let done = place.run(&["tasks", "schedule", "long.toml", "--until", "2 s"]);
    assert_eq!(done.status, 0, "a part of the schedule needs no hyper-period: {}", done.err);
}

#[test]
fn utilisation_above_1_is_reported_as_such() {
    let place = Place::new();
    let file = |executor: &str| {
        format!(
            "[[ecu]]\nname='e'\nexecutor='{executor}'\n[[transaction]]\n\
             task=[{{ecu='e',period=10,execution=15}}]\n"
        )
    };
    place.write("queues.toml", file("fixed-priority"));
    let told = refused(&place, &["tasks", "schedule", "queues.toml"]);
    assert!(told.contains("e is overloaded: utilisation") && told.contains("1.500"), "{told}");
    place.write("skips.toml", file("dashing"));
    let done = place.run(&["tasks", "schedule", "skips.toml"]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert!(done.out.contains("e: utilisation 1.500: ABOVE 1"), "{}", done.out);
    assert!(done.out.contains("periods without a job"), "{}", done.out);
}

#[test]
fn more_jobs_than_anybody_waits_for_are_refused() {
    let place = Place::new();
    let task =
        |period: u64| format!("[[transaction]]\ntask=[{{ecu='e',period={period},execution=1}}]\n");
    let most = 1_000_000_000_000_000;
    let text = format!("max_hyper_period={most}\n[[ecu]]\nname='e'\n{}{}", task(1), task(most));
    place.write("many.toml", text);
    let told = refused(&place, &["tasks", "schedule", "many.toml"]);
    assert!(told.contains("more than 5000000 jobs"), "{told}");
    let count = u64::MAX.to_string();
    let many = ["--policy", "ours", "--hyper-periods", &count];
    let told = refused(&place, &[&["tasks", "simulate", &example(TWO_ECUS)], &many[..]].concat());
    assert!(told.contains("--hyper-periods"), "{told}");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let (place, file) = (Place::new(), example(TWO_ECUS));
    for more in [
        &["schedule", &file, "--until", "0"][..],
        &["schedule", &file, "--until", "1.5 us"],
        &["schedule", &file, "--until", "5 kg"],
        &["schedule", &file, "--until", "99999999999999999999 s"],
        &["schedule", &file, "--hyper-periods", "0"],
        &["schedule", &file, "--until", "5 ms", "--hyper-periods", "2"],
        &["schedule", &file, "--max-hyper-period", "-1"],
        &["simulate", &file],
        &["simulate", &file, "--policy", "theirs"],
        &["simulate", &file, "--policy", "ours", "--speed", "0"],
        &["simulate", &file, "--policy", "ours", "--hyper-periods", "0"],
        &["guider", &file, "--format", "png"],
        &["study", "--vary", "speed"],
        &["study", "--vary", "read", "--workloads", "0"],
    ] {
        refused(&place, &[&["tasks"], more].concat());
    }
}

#[test]
fn an_import_says_which_argument_is_what_and_how_long_it_can_simulate() {
    let place = Place::new();
    place.write("architecture.yaml", "");
    let told = refused(&place, &["tasks", "import", ".", "architecture.yaml"]);
    assert!(told.contains("the first argument is CARET's architecture file (YAML)"), "{told}");
    for seconds in ["0", "3601"] {
        let told =
            refused(&place, &["tasks", "import", "architecture.yaml", ".", "--seconds", seconds]);
        assert!(told.contains("1..=3600"), "{told}");
    }
}
