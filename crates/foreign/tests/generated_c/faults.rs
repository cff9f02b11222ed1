//! What is said of models that fail while they run.

use ironbird_kernel::Rate;
use ironbird_test_rig::{Rig, real, seconds, text};

use crate::{Generated, rig};

const DESCRIPTION: &str = r#"
rate = "10 Hz"
initialize = "m_initialize"
step = "m_step"
[inputs]
struct = "m_U"
fields = [{ name = "x", type = "uint8_T" }]
[outputs]
struct = "m_Y"
fields = [{ name = "y", type = "double" }, { name = "q", type = "double[4]", as = "attitude" }]
"#;

/// A model with a step of this body, whose input is 1 at first and 300 from half a second on.
fn stepping(body: &str, rate: Rate) -> Rig {
    let model = Generated::of(
        &format!(
            "#include <stdlib.h>\n#include <math.h>\n\
             struct {{ unsigned char x; }} m_U;\nstruct {{ double y, q[4]; }} m_Y;\n\
             void m_initialize(void) {{ m_Y.q[0] = 1; }}\nvoid m_step(void) {{ {body} }}\n"
        ),
        DESCRIPTION,
    );
    let mut rig = rig();
    rig.script("x", &[(seconds(0.0), 1.0), (seconds(0.5), 300.0)]);
    let settings = model.settings(&[("patience", real(2.0))]);
    rig.add_at("user", "foreign.generated-c", Some(rate), &settings);
    rig.link("x.out", "user.x");
    rig
}

fn failure(body: &str) -> String {
    stepping(body, Rate::hz(10)).failure(seconds(1.0))
}

#[test]
fn a_crash_is_a_fault_of_the_component() {
    let failed = failure("if (m_Y.y++ > 2) *(volatile int *)0 = 1;");
    assert!(failed.contains("user"), "{failed}");
    assert!(
        failed.ends_with(
            "the generated model was ended by signal 11 (SIGSEGV: a segmentation fault)"
        ),
        "{failed}"
    );
    let failed = failure("exit(3);");
    assert!(failed.ends_with("the generated model ended by itself, with status 3"), "{failed}");
}

#[test]
fn a_hang_ends_with_patience() {
    let failed = failure("volatile int busy = 1; while (busy) {}");
    assert!(failed.contains("did not answer within 2 s of real time"), "{failed}");
}

#[test]
fn an_output_that_is_no_number_is_a_fault() {
    let failed = failure("m_Y.y = NAN;");
    assert!(failed.ends_with("the output \"y\" must be finite, not NaN"), "{failed}");
}

#[test]
fn an_attitude_has_length_one() {
    let failed = failure("m_Y.q[1] = 2;");
    assert!(failed.contains("the attitude \"q\" must have length 1, not 2.236"), "{failed}");
}

#[test]
fn an_input_that_its_field_cannot_hold_is_a_fault() {
    let failed = failure("m_Y.y = m_U.x;");
    assert!(failed.ends_with("the input \"x\": it holds 0 to 255, not 300"), "{failed}");
}

#[test]
fn the_rate_of_the_component_divides_that_of_the_model() {
    for rate in [Rate::hz(20), Rate::hz(4)] {
        let failed = stepping("", rate).failure(seconds(1.0));
        let why = "the model steps at 10 Hz, which must be a multiple of the rate of its component";
        assert!(failed.ends_with(why), "{failed}");
    }
}

#[test]
fn a_hang_while_it_is_initialized_is_found() {
    let model = Generated::of(
        "struct { double y; } m_Y;\nvoid m_step(void) {}\n\
         void m_initialize(void) { volatile int busy = 1; while (busy) {} }\n",
        "rate = \"1 Hz\"\ninitialize = \"m_initialize\"\nstep = \"m_step\"\n[outputs]\n\
         struct = \"m_Y\"\nfields = [{ name = \"y\", type = \"double\" }]\n",
    );
    let refused = model.refusal(&[("patience", real(0.5)), ("parameters", text(""))]);
    assert!(refused.contains("did not answer within 0.5 s"), "{refused}");
}
