//! A small model with a field of every kind: layout, steps, parameters, checkpoints.

use ironbird_kernel::{Options, Rate, Simulation};
use ironbird_test_rig::{Rig, assert_goes_on_after_a_checkpoint, seconds, text};

use crate::{Generated, rig};

pub const SOURCE: &str = r#"
#include <stdint.h>
struct { int8_t small; double x; uint16_t pair[2]; _Bool on; float v[3]; } m_U;
struct { uint8_t sum; double y; int32_t steps; float w[3]; _Bool off; int16_t pair[2]; } m_Y;
struct { float gain; int64_t first; double list[2]; } m_P = {2.0f, 5, {0.25, 0.5}};
struct { double total; int32_t steps; } m_DW;
_Static_assert(sizeof m_U == 40 && sizeof m_Y == 40 && sizeof m_P == 32, "as described");
void m_initialize(void) { m_DW.total = (double)m_P.first; m_DW.steps = 0; }
void m_step(void) {
    m_DW.total += m_P.gain * m_U.x / 3 + m_P.list[1];
    m_DW.steps++;
    m_Y.sum = (uint8_t)(m_U.small + m_U.pair[0] + m_U.pair[1]);
    m_Y.y = m_DW.total;
    m_Y.steps = m_DW.steps;
    for (int i = 0; i < 3; i++) m_Y.w[i] = 2 * m_U.v[i];
    m_Y.off = !m_U.on;
    m_Y.pair[0] = (int16_t)-m_U.pair[0];
    m_Y.pair[1] = (int16_t)-m_U.pair[1];
}
"#;

pub const DESCRIPTION: &str = r#"
rate = "100 Hz"
initialize = "m_initialize"
step = "m_step"
[inputs]
struct = "m_U"
size = 40
fields = [
    { name = "small", type = "int8_t" },
    { name = "x", type = "double", unit = "m" },
    { name = "pair", type = "uint16_t[2]", port = "both" },
    { name = "on", type = "bool" },
    { name = "v", type = "float[3]", unit = "m/s", frame = "body" },
]
[outputs]
struct = "m_Y"
size = 40
fields = [
    { name = "sum", type = "uint8_T" },
    { name = "y", type = "real_T", unit = "m" },
    { name = "steps", type = "int32_T" },
    { name = "w", type = "real32_T[3]", unit = "m/s", frame = "body", port = "body.twice" },
    { name = "off", type = "boolean_T" },
    { name = "pair", type = "int16_T[2]" },
]
[parameters]
struct = "m_P"
fields = [
    { name = "gain", type = "float" },
    { name = "first", type = "int64_T" },
    { name = "list", type = "double[2]" },
]
[[state]]
struct = "m_DW"
size = 16
"#;

/// The model as `user`, ten times a second, with all its inputs.
pub fn system(model: &Generated, parameters: &str) -> Rig {
    let mut rig = rig();
    let settings = model.settings(&[("parameters", text(parameters))]);
    rig.script("small", &[(seconds(0.0), -3.0)]);
    rig.script("x", &[(seconds(0.0), 1.0), (seconds(0.5), 2.0)]);
    rig.script("a", &[(seconds(0.0), 7.0)]);
    rig.script("b", &[(seconds(0.0), 8.4)]);
    rig.script("on", &[(seconds(0.0), true)]);
    rig.script("v", &[(seconds(0.0), [1.0, -2.0, 0.5])]);
    rig.add_at("user", "foreign.generated-c", Some(Rate::hz(10)), &settings);
    for (from, to) in [("small", "small"), ("x", "x"), ("a", "both[0]"), ("b", "both[1]")] {
        rig.link(&format!("{from}.out"), &format!("user.{to}"));
    }
    rig.link("on.out", "user.on");
    rig.link("v.out", "user.v");
    rig
}

#[test]
fn every_field_is_where_the_rules_of_c_put_it() {
    let model = Generated::of(SOURCE, DESCRIPTION);
    let outputs =
        ["user.sum", "user.body.twice", "user.off", "user.pair[0]", "user.pair[1]", "user.y"];
    let run = system(&model, "").run(seconds(0.0), &outputs);
    assert_eq!(run.numbers("user.sum"), [12.0], "-3 + 7 + 8");
    assert_eq!(run.samples::<[f64; 3]>("user.body.twice")[0].1, [2.0, -4.0, 1.0]);
    assert!(!run.samples::<bool>("user.off")[0].1);
    assert_eq!(run.numbers("user.pair[0]"), [-7.0]);
    assert_eq!(run.numbers("user.pair[1]"), [-8.0], "8.4 is rounded to the next whole number");
    assert_eq!(run.numbers("user.y"), [5.0 + (2.0 / 3.0 + 0.5)]);
}

#[test]
fn the_model_makes_one_step_at_first_and_then_ten_in_each() {
    let model = Generated::of(SOURCE, DESCRIPTION);
    let run = system(&model, "").run(seconds(0.3), &["user.steps"]);
    assert_eq!(run.numbers("user.steps"), [1.0, 11.0, 21.0, 31.0]);
}

#[test]
fn parameters_are_set_before_it_is_initialized() {
    let model = Generated::of(SOURCE, DESCRIPTION);
    let run = system(&model, "first = -40, gain = 6, list = [0, 1]").run(seconds(0.0), &["user.y"]);
    assert_eq!(run.numbers("user.y"), [-40.0 + (6.0 / 3.0 + 1.0)]);
}

#[test]
fn components_of_one_library_share_nothing() {
    let model = Generated::of(SOURCE, DESCRIPTION);
    let mut rig = system(&model, "");
    let other = model.settings(&[("parameters", text("first = 100"))]);
    rig.add_at("other", "foreign.generated-c", Some(Rate::hz(100)), &other);
    for (from, to) in [("small", "small"), ("x", "x"), ("a", "both[0]"), ("b", "both[1]")] {
        rig.link(&format!("{from}.out"), &format!("other.{to}"));
    }
    rig.link("on.out", "other.on");
    rig.link("v.out", "other.v");
    let run = rig.run(seconds(0.1), &["user.steps", "other.steps", "other.y"]);
    assert_eq!(run.numbers("user.steps"), [1.0, 11.0]);
    let expected: Vec<f64> = (1..=11).map(f64::from).collect();
    assert_eq!(run.numbers("other.steps"), expected);
    assert!(run.numbers("other.y")[0] > 100.0);
}

#[test]
fn a_model_whose_state_is_described_goes_on_after_a_checkpoint() {
    let model = Generated::of(SOURCE, DESCRIPTION);
    let graph = || system(&model, "gain = 3").into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(0.45), seconds(1.0));
}

#[test]
fn one_whose_state_is_not_described_is_named_when_it_should_be_saved() {
    let without = DESCRIPTION.split("[[state]]").next().unwrap();
    let model = Generated::of(SOURCE, without);
    let graph = system(&model, "").into_graph();
    let mut simulation = Simulation::new(graph, Options::default()).unwrap();
    simulation.run_until(seconds(0.25)).unwrap();
    let refused = simulation.checkpoint().unwrap_err().to_string();
    assert!(refused.contains("user"), "{refused}");
}
