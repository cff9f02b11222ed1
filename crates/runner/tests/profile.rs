//! A profile changes nothing, tells who did what, and becomes a timeline that Perfetto can read.

mod systems;

use std::collections::BTreeMap;

use ironbird_kernel::{Profiling, Sharing};
use ironbird_runner::{Analysis, How, write_timeline};
use serde_json::Value;
use systems::{Ran, experiment, run_with};

const DICE: &str = r#"
    duration = "2 s"
    seed = 5
    [system.one]
    type = "test.dice"
    [system.two]
    type = "test.dice"
    [system.listener]
    type = "test.sampler"
    rate = "50 Hz"
    in.u = { from = "one.number", latency = "3 ms" }
    [system.other]
    type = "test.sampler"
    rate = "1 kHz"
    in.u = { from = "two.number", latency = "3 ms" }
    [[at]]
    name = "faster"
    time = "1 s"
    set = { listener.rate = "100 Hz" }
    [[require]]
    name = "it stays small"
    formula = "always (listener.y < 1e9)"
    [[record]]
    signals = ["*"]
"#;

fn dice(partitions: usize, profile: Profiling) -> Ran {
    dice_shared(Sharing::Always, partitions, profile)
}

fn dice_shared(sharing: Sharing, partitions: usize, profile: Profiling) -> Ran {
    run_with(&experiment(DICE), 0, How { partitions, sharing, profile, ..How::default() }, 0)
}

#[test]
fn partitions_that_take_turns_with_one_are_told_of_once() {
    let plain = dice(1, Profiling::Shares);
    let turns = Sharing::InTurns(std::time::Duration::from_millis(1));
    let turns = dice_shared(turns, 2, Profiling::Timeline);
    assert!(turns.file == plain.file);
    let [one, two] = [&plain, &turns].map(|ran| Analysis::of(&ran.outcomes).unwrap());
    assert_eq!(two.parts.len(), 2);
    let calls = |analysis: &Analysis| {
        let calls = analysis.components.iter().map(|c| (c.path.clone(), c.calls));
        calls.collect::<BTreeMap<String, u64>>()
    };
    assert_eq!(calls(&one), calls(&two));
    assert_eq!(one.components.len(), two.components.len(), "each of them once");
    let sent = |analysis: &Analysis| {
        let sent = analysis.links.iter().map(|l| (l.from.clone(), l.sent));
        sent.collect::<BTreeMap<String, u64>>()
    };
    assert_eq!(sent(&one), sent(&two));
    // It is told to the end, though the second partition may have rested then.
    let (last, _) = *two.slowdown.last().unwrap();
    assert!(last > 1.9, "{last} s of 2 s");
}

#[test]
fn the_file_of_a_run_is_the_same_with_a_profile_and_without() {
    for partitions in [1, 3] {
        let plain = dice(partitions, Profiling::Off);
        assert!(plain.outcomes.profile.is_empty());
        for profile in [Profiling::Shares, Profiling::Timeline] {
            let profiled = dice(partitions, profile);
            assert_eq!(profiled.outcomes.profile.len(), partitions);
            assert_eq!(profiled.outcomes.hash, plain.outcomes.hash);
            assert!(profiled.file == plain.file, "{profile:?} on {partitions} partitions");
        }
    }
}

#[test]
fn an_analysis_names_components_and_links() {
    assert_eq!(Analysis::of(&dice(2, Profiling::Off).outcomes), None);
    let analysis = Analysis::of(&dice(2, Profiling::Shares).outcomes).unwrap();
    assert_eq!(analysis.parts.len(), 2);
    let calls = |path: &str| analysis.components.iter().find(|c| c.path == path).unwrap().calls;
    // The last instant belongs to the run.
    assert_eq!(calls("other"), 2_001);
    assert!(analysis.components.windows(2).all(|pair| pair[0].computing >= pair[1].computing));
    for (from, to) in [("one.number", "listener.u"), ("two.number", "other.u")] {
        let link = analysis.links.iter().find(|l| (&*l.from, &*l.to) == (from, to)).unwrap();
        assert!(link.sent > 0 && link.per_second > 0.0, "{link:?}");
    }
    let text = analysis.text(3);
    for piece in ["who waits for whom", "computes", "one.number -> listener.u", "1 more components"]
    {
        assert!(text.contains(piece), "{piece} is not in\n{text}");
    }
    for part in &analysis.parts {
        let all = part.computing + part.waited.iter().map(|(_, share)| share).sum::<f64>();
        assert!(all > 0.0 && all <= 1.0 + 1e-9, "{part:?}");
    }
    assert!(analysis.slowdown.windows(2).all(|pair| pair[0].0 <= pair[1].0));
}

#[test]
fn a_timeline_has_slices_that_do_not_overlap_and_all_names() {
    let ran = dice(3, Profiling::Timeline);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.json");
    let left_out = write_timeline(&ran.outcomes, &path).unwrap();
    assert_eq!((left_out.waits_below, left_out.events), (0, 0));
    let json: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    let of = |kind: &str| events.iter().filter(|e| e["ph"] == kind).cloned().collect::<Vec<_>>();
    let number = |event: &Value, key: &str| event[key].as_f64().unwrap();

    let named: Vec<_> = of("M").into_iter().filter(|e| e["name"] == "thread_name").collect();
    assert_eq!(named.len(), 3);
    let mut tracks: BTreeMap<(u64, u64), Vec<Value>> = BTreeMap::new();
    for slice in of("X") {
        let track = (slice["pid"].as_u64().unwrap(), slice["tid"].as_u64().unwrap());
        assert!(
            named.iter().any(|name| (&name["pid"], &name["tid"]) == (&slice["pid"], &slice["tid"]))
        );
        tracks.entry(track).or_default().push(slice);
    }
    assert_eq!(tracks.len(), 3);
    for slices in tracks.values() {
        assert!(slices.iter().all(|slice| number(slice, "dur") >= 0.0));
        for pair in slices.windows(2) {
            let ends = number(&pair[0], "ts") + number(&pair[0], "dur");
            assert!(ends <= number(&pair[1], "ts") + 1e-3, "{pair:?}");
            assert!(
                (&pair[0]["name"], &pair[1]["name"]) != (&"computes".into(), &"computes".into())
            );
        }
        let known = |name: &str| {
            name == "computes" || name.starts_with("waits for ") || name == "between stretches"
        };
        assert!(slices.iter().all(|slice| known(slice["name"].as_str().unwrap())));
        assert!(slices.iter().any(|slice| slice["name"] == "computes"));
    }
    let counters = of("C");
    let simulated: Vec<f64> = counters
        .iter()
        .filter(|counter| counter["name"] == "simulated time in s")
        .map(|counter| counter["args"]["value"].as_f64().unwrap())
        .collect();
    assert!(simulated.windows(2).all(|pair| pair[0] <= pair[1]), "{simulated:?}");
    let instants: Vec<String> =
        of("i").iter().map(|instant| instant["name"].as_str().unwrap().to_owned()).collect();
    assert!(instants.iter().any(|name| name.starts_with("action: faster")), "{instants:?}");
    assert!(instants.iter().any(|name| name == "verdict: it stays small passed"), "{instants:?}");
}
