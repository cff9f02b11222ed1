//! What a run says to people, to other programs and to the shell.

use roxmltree::{Document, Node};

use crate::program::{Place, example, experiment};

#[test]
fn requirements_that_hold_give_0() {
    let place = Place::new();
    let done = place.run(&["run", &experiment("rooms.toml"), "--out", "out"]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert!(done.out.contains("verdict: the requirement holds"), "{}", done.out);
}

#[test]
fn a_requirement_that_fails_gives_1() {
    let place = Place::new();
    let done = place.run(&["run", &example("cart-pole/slow-controller.toml"), "--out", "out"]);
    assert_eq!(done.status, 1, "{}", done.err);
    assert!(done.out.contains("FAIL the pole stands"), "{}", done.out);
    assert!(done.out.contains("requirements failed"), "{}", done.out);
}

#[test]
fn a_requirement_that_stays_undecided_gives_1() {
    let place = Place::new();
    let cart = example("cart-pole/cart-pole.toml");
    let done = place.run(&["run", &cart, "--out", "out", "--until", "1 s"]);
    assert_eq!(done.status, 1, "{}{}", done.out, done.err);
    assert!(done.out.contains("undecided"), "{}", done.out);
}

#[test]
fn wrong_input_gives_2() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    place.write(
        "broken.toml",
        "ironbird = 1\nduration = \"1 s\"\n[system.a]\ntype = \"plant.rom\"\n",
    );
    let wrong: [&[&str]; 9] = [
        &["run", "broken.toml"],
        &["check", "broken.toml"],
        &["run", "missing.toml"],
        &["run", &rooms, "--scenario", "none"],
        &["run", &rooms, "--until", "1 kg"],
        &["run", &rooms, "--speed", "0"],
        &["run", &rooms, "--partitions", "0"],
        &["run", &rooms, "--set", "flat[0].rom.gains=1 W"],
        &["walk", &rooms],
    ];
    for arguments in wrong {
        let done = place.run(arguments);
        assert_eq!(done.status, 2, "{arguments:?}: {}", done.err);
        assert!(!done.err.is_empty() && done.out.is_empty(), "{arguments:?}: {}", done.out);
    }
    assert!(place.run(wrong[0]).err.contains("plant.room"));
    assert!(!place.path("out").exists(), "nothing is written before the input is right");
}

/// The status 3 of a run that fails itself is seen in `disk_full` and `unwritable_output`.
#[test]
fn json_has_the_verdict_and_the_hash_of_every_run() {
    let place = Place::new();
    let scenarios = experiment("scenarios.toml");
    let json = place.run_json(&[&scenarios, "--out", "out"]);
    let runs = json["runs"].as_array().unwrap();
    let names: Vec<(&str, u64)> = runs
        .iter()
        .map(|run| (run["scenario"].as_str().unwrap(), run["repetition"].as_u64().unwrap()))
        .collect();
    assert_eq!(names, [("calm", 0), ("calm", 1), ("calm", 2), ("hot", 0)]);
    for run in runs {
        assert_eq!(
            (&run["ending"], &run["end_ps"]),
            (&"finished".into(), &600_000_000_000_000u64.into())
        );
        assert_eq!(run["hash"].as_str().unwrap().len(), 32);
        assert_eq!(run["verdicts"][0]["name"], "it stays warm");
        assert_eq!(run["verdicts"][0]["status"], "passed");
    }
    assert_eq!(runs[3]["verdicts"][1]["name"], "it is very hot");
    assert_eq!(runs[3]["verdicts"][1]["status"], "failed");
}

#[test]
fn junit_has_a_suite_for_every_run_and_a_case_for_every_requirement() {
    let place = Place::new();
    let scenarios = experiment("scenarios.toml");
    let done = place.run(&["run", &scenarios, "--out", "out", "--junit", "junit.xml"]);
    assert_eq!(done.status, 1, "{}", done.err);
    let text = place.text("junit.xml");
    let document = Document::parse(&text).unwrap();
    let root = document.root_element();
    let counts = |node: Node<'_, '_>| {
        ["tests", "failures", "errors"].map(|name| node.attribute(name).unwrap().to_owned())
    };
    assert_eq!(counts(root), ["5", "1", "0"]);
    let suites: Vec<_> = root.children().filter(|node| node.has_tag_name("testsuite")).collect();
    let names: Vec<_> = suites.iter().map(|suite| suite.attribute("name").unwrap()).collect();
    assert_eq!(names.len(), 4);
    assert!(names[..3].iter().all(|name| name.starts_with("calm")), "{names:?}");
    assert_eq!(counts(suites[0]), ["1", "0", "0"]);
    assert_eq!(counts(suites[3]), ["2", "1", "0"]);
    let cases = root.descendants().filter(|node| node.has_tag_name("testcase"));
    assert_eq!(cases.count(), 5);
    let failure = root.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    assert_eq!(failure.parent_element().unwrap().attribute("name"), Some("it is very hot"));
    assert!(failure.attribute("message").unwrap().contains("failed"));
}
