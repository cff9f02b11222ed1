//! Our discrete-time semantics beside those of rtamt, an established tool for signal temporal logic.
//!
//! `IRONBIRD_PYTHON` names a Python with the package rtamt; `./test` makes one.

mod generator;

use std::process::Command;

use generator::{Bounds, Plain, Random, SIGNALS, Tree};
use ironbird_formula::{Checked, Formula, sampled_robustness};
use ironbird_kernel::Duration;
use serde_json::{Value, json};

const CASES: usize = 300;
const SAMPLES: usize = 60;

/// The formula in rtamt's language.
fn rtamt_text(tree: &Tree) -> String {
    let window = |bounds: &Bounds| bounds.map_or(String::new(), |(a, b)| format!("[{a}:{b}]"));
    match tree {
        Tree::Atom(a, comparison, b) => {
            let comparison = if *comparison == "!=" { "!==" } else { comparison };
            format!("({} {comparison} {})", a.text(), b.text())
        }
        Tree::Not(a) => format!("(not {})", rtamt_text(a)),
        Tree::And(a, b) => format!("({} and {})", rtamt_text(a), rtamt_text(b)),
        Tree::Or(a, b) => format!("({} or {})", rtamt_text(a), rtamt_text(b)),
        Tree::Implies(a, b) => format!("({} -> {})", rtamt_text(a), rtamt_text(b)),
        Tree::Always(w, a) => format!("(always{} {})", window(w), rtamt_text(a)),
        Tree::Eventually(w, a) => format!("(eventually{} {})", window(w), rtamt_text(a)),
        Tree::Until(w, a, b) => {
            format!("({} until{} {})", rtamt_text(a), window(w), rtamt_text(b))
        }
        Tree::For(..) | Tree::Clock(..) => unreachable!("not generated for this comparison"),
    }
}

/// Runs the reference over all cases at once.
fn reference(jobs: &Value) -> Vec<Vec<f64>> {
    let python = std::env::var("IRONBIRD_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let folder = std::env::temp_dir().join(format!("ironbird-rtamt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (jobs_path, results_path) = (folder.join("jobs.json"), folder.join("results.json"));
    std::fs::write(&jobs_path, jobs.to_string()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rtamt_reference.py");
    let output = Command::new(&python)
        .args([script.as_ref(), jobs_path.as_os_str(), results_path.as_os_str()])
        .output()
        .unwrap_or_else(|error| panic!("{python} does not start ({error}): run ./test"));
    assert!(
        output.status.success(),
        "the reference failed; ./test prepares a Python with rtamt:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let results: Vec<Vec<Value>> =
        serde_json::from_slice(&std::fs::read(&results_path).unwrap()).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let number = |value: &Value| match value.as_str() {
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().expect("a number"),
    };
    results.iter().map(|trace| trace.iter().map(number).collect()).collect()
}

fn checked(tree: &Tree) -> Checked {
    Formula::parse(&tree.text("s")).and_then(|f| f.check(&Plain)).expect("well formed")
}

#[test]
fn three_hundred_random_formulas_have_the_robustness_that_rtamt_finds() {
    let mut random = Random(3);
    let cases: Vec<(Tree, [Vec<f64>; 3])> = (0..CASES)
        .map(|case| {
            let depth = 1 + case as u32 % 4;
            let tree = loop {
                let tree = Tree::random(&mut random, depth, 8, false);
                if !checked(&tree).signals().is_empty() {
                    break tree;
                }
            };
            let signals = std::array::from_fn(|_| {
                (0..SAMPLES).map(|_| random.below(2001) as f64 / 250.0 - 4.0).collect()
            });
            (tree, signals)
        })
        .collect();
    let jobs = cases
        .iter()
        .map(|(tree, [x, y, z])| {
            json!({ "formula": rtamt_text(tree), "signals": { "x": x, "y": y, "z": z } })
        })
        .collect();
    let expected = reference(&jobs);
    assert_eq!(expected.len(), CASES);
    let mut finite = 0;
    for ((tree, signals), expected) in cases.iter().zip(&expected) {
        let (text, checked) = (tree.text("s"), checked(tree));
        let needed = checked.signals().iter().map(|signal| {
            let index = SIGNALS.iter().position(|name| *name == signal.path).unwrap();
            (signal.id, signals[index].as_slice())
        });
        let needed: Vec<(u32, &[f64])> = needed.collect();
        let found = sampled_robustness(&checked, Duration::from_secs(1), &needed).unwrap();
        assert_eq!(found.len(), SAMPLES);
        for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
            let tolerance = 1e-9 * expected.abs().max(1.0);
            assert!(
                found == expected || (found - expected).abs() <= tolerance,
                "{text} at sample {k}: {found}, rtamt says {expected}"
            );
            finite += usize::from(expected.is_finite());
        }
    }
    assert!(finite > CASES * SAMPLES * 3 / 4, "only {finite} finite values were compared");
}
