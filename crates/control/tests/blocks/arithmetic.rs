//! Sources, gains, sums, products.

use ironbird_kernel::Rate;
use ironbird_test_rig::{real, seconds, text};

use crate::{at_each_step, rig, shown};

#[test]
fn a_gain_multiplies() {
    let out = shown("block.gain", &[("gain", real(-2.5))], &at_each_step(&[1.0, 2.0, -4.0]));
    assert_eq!(out[..3], [-2.5, -5.0, 10.0]);
}

#[test]
fn a_sum_has_an_input_for_each_sign() {
    let mut rig = rig();
    for (name, value) in [("p", 1.0), ("q", 10.0), ("r", 100.0)] {
        rig.add(name, "block.constant", &[("value", real(value))]);
    }
    rig.add("sum", "block.sum", &[("signs", text("-++"))]);
    rig.link("p.out", "sum.a");
    rig.link("q.out", "sum.b");
    rig.link("r.out", "sum.c");
    assert_eq!(rig.run(seconds(0.01), &["sum.out"]).numbers("sum.out"), [109.0; 2]);
}

#[test]
fn a_product_multiplies_and_divides() {
    let mut rig = rig();
    for (name, value) in [("p", 6.0), ("q", 4.0), ("r", 0.5)] {
        rig.add(name, "block.constant", &[("value", real(value))]);
    }
    rig.add("product", "block.product", &[("operations", text("*/*"))]);
    rig.link("p.out", "product.a");
    rig.link("q.out", "product.b");
    rig.link("r.out", "product.c");
    assert_eq!(rig.run(seconds(0.01), &["product.out"]).numbers("product.out"), [0.75; 2]);
}

#[test]
fn a_division_by_zero_is_a_fault_of_the_block() {
    let mut rig = rig();
    rig.add("one", "block.constant", &[("value", real(1.0))]);
    rig.add(
        "step",
        "block.step",
        &[("time", real(0.5)), ("before", real(2.0)), ("after", real(0.0))],
    );
    rig.add("ratio", "block.product", &[("operations", text("*/"))]);
    rig.link("one.out", "ratio.a");
    rig.link("step.out", "ratio.b");
    let why = rig.failure(seconds(1.0));
    assert_eq!(why, "\"ratio\" failed at 0.5 s: a division by zero: the input \"b\" is 0");
}

#[test]
fn a_chain_of_blocks_is_worked_through_in_one_step() {
    let mut rig = rig();
    rig.add("constant", "block.constant", &[("value", real(3.0))]);
    rig.add("c", "block.gain", &[("gain", real(2.0))]);
    rig.add("b", "block.gain", &[("gain", real(2.0))]);
    rig.add("a", "block.gain", &[("gain", real(2.0))]);
    rig.link("constant.out", "a.in");
    rig.link("a.out", "b.in");
    rig.link("b.out", "c.in");
    assert_eq!(rig.run(seconds(0.0), &["c.out"]).numbers("c.out"), [24.0]);
}

#[test]
fn sources_are_functions_of_time() {
    let mut rig = rig();
    let rate = Some(Rate::hz(4));
    rig.add_at("step", "block.step", rate, &[("time", real(0.5)), ("after", real(7.0))]);
    let ramp = [("start", real(0.25)), ("end", real(0.75)), ("slope", real(4.0))];
    rig.add_at("ramp", "block.ramp", rate, &ramp);
    let sine = [("frequency", real(1.0)), ("amplitude", real(2.0)), ("offset", real(1.0))];
    rig.add_at("sine", "block.sine", rate, &sine);
    let square = [("period", real(0.5)), ("start", real(0.25)), ("low", real(-1.0))];
    rig.add_at("square", "block.square", rate, &square);
    let run = rig.run(seconds(1.0), &["step.out", "ramp.out", "sine.out", "square.out"]);
    assert_eq!(run.numbers("step.out"), [0.0, 0.0, 7.0, 7.0, 7.0]);
    assert_eq!(run.numbers("ramp.out"), [0.0, 0.0, 1.0, 2.0, 2.0]);
    crate::assert_close(&run.numbers("sine.out"), &[1.0, 3.0, 1.0, -1.0, 1.0]);
    assert_eq!(run.numbers("square.out"), [-1.0, 1.0, -1.0, 1.0, -1.0]);
}

#[test]
fn nonsense_is_refused() {
    let rig = rig();
    let refused = rig.refusal("block.sum", &[("signs", text("+x"))]);
    assert_eq!(refused, "\"signs\" is \"+x\": write a + or a - for each of 1 to 8 inputs");
    let refused = rig.refusal("block.sum", &[("signs", text(""))]);
    assert_eq!(refused, "\"signs\" is \"\": write a + or a - for each of 1 to 8 inputs");
    let refused = rig.refusal("block.product", &[("operations", text("+"))]);
    assert_eq!(refused, "\"operations\" is \"+\": write a * or a / for each of 1 to 8 inputs");
    let refused = rig.refusal("block.ramp", &[("start", real(2.0)), ("end", real(1.0))]);
    assert_eq!(refused, "\"end\" (1 s) must not be before \"start\" (2 s)");
}
