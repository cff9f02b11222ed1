//! What classes compute.

use ironbird_kernel::{Options, Rate, Simulation};
use ironbird_kinematics::Attitude;
use ironbird_test_rig::{Rig, assert_goes_on_after_a_checkpoint, seconds, text};

use crate::{file, rig, stepping, system, user};

#[test]
fn a_class_is_stepped_with_its_inputs_and_the_time() {
    let file = stepping("return {\"y\": 10 * inputs[\"x\"] + t}");
    let shown = system(&file, &[]).run(seconds(0.6), &["user.y"]).numbers("user.y");
    assert_eq!(shown, [10.0, 10.1, 10.2, 10.3, 10.4, 20.5, 20.6]);
}

#[test]
fn parameters_are_keyword_arguments() {
    let file = file(
        "class User:\n\
         \x20   inputs = {\"x\": \"\"}\n\
         \x20   outputs = {\"y\": \"\"}\n\
         \x20   def __init__(self, gain, names=()):\n\
         \x20       self.gain = gain * len(names)\n\
         \x20   def step(self, t, inputs):\n\
         \x20       return {\"y\": self.gain * inputs[\"x\"]}\n",
    );
    let parameters = ("parameters", text("gain = 2.5, names = [\"a\", \"b\"]"));
    let shown = system(&file, &[parameters]).run(seconds(0.0), &["user.y"]).numbers("user.y");
    assert_eq!(shown, [5.0]);
}

#[test]
fn ports_may_be_vectors_and_truth_values() {
    let file = file(
        "class User:\n\
         \x20   inputs = {\"v\": \"m/s [3] ned\", \"on\": \"bool\", \"k\": \"1/s\"}\n\
         \x20   outputs = {\"w\": \"m/s^2 [3] ned\", \"off\": \"bool\"}\n\
         \x20   def step(self, t, inputs):\n\
         \x20       assert inputs[\"on\"] is True\n\
         \x20       w = [inputs[\"k\"] * c for c in inputs[\"v\"]]\n\
         \x20       return {\"off\": not inputs[\"on\"], \"w\": w}\n",
    );
    let mut rig = rig();
    rig.script("v", &[(seconds(0.0), [1.0, 2.0, 3.0])]);
    rig.script("on", &[(seconds(0.0), true)]);
    rig.script("k", &[(seconds(0.0), 2.0)]);
    rig.add("user", "foreign.python", &user(&file, &[]));
    rig.link("v.out", "user.v");
    rig.link("on.out", "user.on");
    rig.link("k.out", "user.k");
    let run = rig.run(seconds(0.0), &["user.w", "user.off"]);
    assert_eq!(run.samples::<[f64; 3]>("user.w")[0].1, [2.0, 4.0, 6.0]);
    assert!(!run.samples::<bool>("user.off")[0].1);
}

#[test]
fn ports_may_be_attitudes() {
    let file = file(
        "class User:\n\
         \x20   inputs = {\"q\": \"attitude\", \"x\": \"\"}\n\
         \x20   outputs = {\"back\": \"attitude\", \"y\": \"\"}\n\
         \x20   def step(self, t, inputs):\n\
         \x20       w, x, y, z = inputs[\"q\"]\n\
         \x20       return {\"back\": (w, -x, -y, -z), \"y\": inputs[\"x\"]}\n",
    );
    let mut rig = rig();
    let turned = Attitude { w: 0.5, x: 0.5, y: -0.5, z: 0.5 };
    rig.script("q", &[(seconds(0.0), turned)]);
    rig.script("x", &[(seconds(0.0), 7.0)]);
    rig.add("user", "foreign.python", &user(&file, &[]));
    rig.link("q.out", "user.q");
    rig.link("x.out", "user.x");
    let run = rig.run(seconds(0.0), &["user.back", "user.y"]);
    let back = run.samples::<Attitude>("user.back")[0].1;
    assert_eq!(back, Attitude { w: 0.5, x: -0.5, y: 0.5, z: -0.5 });
    assert_eq!(run.numbers("user.y"), [7.0]);
}

#[test]
fn what_it_prints_or_reads_does_not_disturb() {
    let body = "print(\"hello\"); os.write(1, b\"world\\n\"); os.system(\"echo child\"); \
                assert sys.stdin.read() == \"\"; return {\"y\": 1}";
    let shown = system(&stepping(body), &[]).run(seconds(0.2), &["user.y"]).numbers("user.y");
    assert_eq!(shown, [1.0; 3]);
}

/// A class with a state, with or without a way to save it.
fn counter(saves: &str) -> tempfile::NamedTempFile {
    file(&format!(
        "class User:\n\
         \x20   inputs = {{\"x\": \"\"}}\n\
         \x20   outputs = {{\"y\": \"\"}}\n\
         \x20   sum = 0.1\n\
         \x20   def step(self, t, inputs):\n\
         \x20       self.sum += inputs[\"x\"] / 3\n\
         \x20       return {{\"y\": self.sum}}\n{saves}"
    ))
}

const SAVES: &str = "    def save(self):\n        return {\"sum\": self.sum}\n    \
                     def load(self, state):\n        self.sum = state[\"sum\"]\n";

#[test]
fn a_class_that_saves_goes_on_after_a_checkpoint() {
    let file = counter(SAVES);
    let graph = || system(&file, &[]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(0.45), seconds(1.0));
}

#[test]
fn one_that_does_not_is_named_when_a_checkpoint_is_wanted() {
    let file = counter("");
    let mut run = Simulation::new(system(&file, &[]).into_graph(), Options::default()).unwrap();
    run.run_until(seconds(0.3)).unwrap();
    let refused = run.checkpoint().unwrap_err().to_string();
    assert_eq!(refused, "these components cannot save their state: user");
}

#[test]
fn two_runs_are_the_same_to_the_last_bit() {
    let body = "import math; return {\"y\": math.sin(t) * hash(\"x\") + \
                sum(len(w) * i for i, w in enumerate({\"a\", \"bb\", \"ccc\"}))}";
    let file = stepping(body);
    let run = || system(&file, &[]).run(seconds(1.0), &["user.y"]).numbers("user.y");
    let bits = |numbers: Vec<f64>| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(run()), bits(run()));
}

#[test]
fn every_component_has_a_python_of_its_own() {
    let file = file(
        "count = 0\n\
         class User:\n\
         \x20   outputs = {\"y\": \"\"}\n\
         \x20   def step(self, t, inputs):\n\
         \x20       global count\n\
         \x20       count += 1\n\
         \x20       return {\"y\": count}\n",
    );
    let mut rig: Rig = rig();
    for name in ["one", "two"] {
        rig.add_at(name, "foreign.python", Some(Rate::hz(10)), &user(&file, &[]));
    }
    let run = rig.run(seconds(0.2), &["one.y", "two.y"]);
    assert_eq!(run.numbers("one.y"), [1.0, 2.0, 3.0]);
    assert_eq!(run.numbers("two.y"), [1.0, 2.0, 3.0]);
}
