//! What is said of descriptions and libraries that do not fit: where in the description, and what to do.

use ironbird_test_rig::text;

use crate::Generated;
use crate::counter::{DESCRIPTION, SOURCE};

/// What is said if one part of the description is another one.
fn changed(part: &str, by: &str) -> String {
    assert!(DESCRIPTION.contains(part), "{part}");
    Generated::of(SOURCE, &DESCRIPTION.replacen(part, by, 1)).refusal(&[])
}

fn is_refused(part: &str, by: &str, message: &str) {
    let refused = changed(part, by);
    assert_eq!(refused, message, "{part} -> {by}");
}

#[test]
fn what_the_library_lacks_is_named() {
    is_refused(
        "step = \"m_step\"",
        "step = \"n_step\"",
        "parameter \"file\": \"FILE\" has no function n_step",
    );
    is_refused(
        "step = \"m_step\"",
        "step = \"m_step\"\nterminate = \"m_end\"",
        "parameter \"file\": \"FILE\" has no function m_end",
    );
    is_refused(
        "rate = \"100 Hz\"",
        "",
        "parameter \"description\": DESCRIPTION:1: the key \"rate\" is missing",
    );
}

#[test]
fn types_that_are_not_supported_are_refused_with_their_line() {
    let line = "parameter \"description\": DESCRIPTION:10: ";
    let field = "type = \"double\", unit = \"m\"";
    for (kind, message) in [
        ("dubble", "the type \"dubble\" is not supported (did you mean \"double\"?)"),
        (
            "double *",
            "the type \"double *\" is not supported (pointers cannot be seen from outside; only plain \
             values can)",
        ),
        (
            "long",
            "the type \"long\" is not supported (write int32_T, int64_T, uint32_T or uint64_T, as it is \
             compiled)",
        ),
        (
            "double[3][3]",
            "\"double[3][3]\" is no array of 1 to 65536 (a matrix of 3 by 3 is \"real_T[9]\", as it \
             lies in memory)",
        ),
        (
            "double[0]",
            "\"double[0]\" is no array of 1 to 65536 (a matrix of 3 by 3 is \"real_T[9]\", as it lies \
             in memory)",
        ),
    ] {
        is_refused(field, &format!("type = \"{kind}\""), &format!("{line}{message}"));
    }
}

#[test]
fn fields_that_do_not_make_the_struct_are_refused() {
    is_refused(
        "size = 40",
        "size = 48",
        "parameter \"description\": DESCRIPTION:7: the fields of \"m_U\" make 40 bytes, but its size is \
         48 (compare types and order with the header of the model)",
    );
    is_refused(
        "type = \"double\", unit = \"m\"",
        "type = \"double\", offset = 0",
        "parameter \"description\": DESCRIPTION:10: \"x\" (bytes 0 to 7) overlaps \"small\" (bytes 0 to 0)",
    );
    is_refused(
        "{ name = \"x\", ",
        "{ name = \"small\", ",
        "parameter \"description\": DESCRIPTION:10: there are two fields \"small\"",
    );
}

#[test]
fn ports_that_make_no_sense_are_refused() {
    let starts = |part: &str, by: &str, message: &str| {
        let refused = changed(part, by);
        let message = format!("parameter \"description\": DESCRIPTION:{message}");
        assert!(refused.starts_with(&message), "{refused}\n{message}");
    };
    starts("unit = \"m\"", "unit = \"metre\"", "10: \"x\": there is no unit \"metre\"");
    starts(
        "unit = \"m\"",
        "frame = \"ned\"",
        "10: only a vector of three or an attitude has a frame",
    );
    starts("unit = \"m\"", "as = \"attitude\"", "10: an attitude is an array of four real numbers");
    starts("unit = \"m\"", "as = \"vector\"", "10: there is no \"vector\"");
    starts("unit = \"m\"", "port = \"a b\"", "10: \"a b\" cannot name a port");
    starts("unit = \"m\"", "port = \"small\"", "10: there are two ports \"small\"");
    starts(
        "unit = \"m\"",
        "units = \"m\"",
        "10: a field has no key \"units\" (did you mean \"unit\"?)",
    );
    starts("\"bool\"", "\"bool\", unit = \"m\"", "12: an attitude or truth value has no unit");
    starts("struct = \"m_U\"", "struct = \"m U\"", "6: \"m U\" is no name of C");
    starts("rate = \"100 Hz\"", "rate = \"100\"", "2: rate: ");
    starts("size = 16\n", "", "33: the key \"size\" is missing");
}

#[test]
fn a_variable_that_the_library_lacks_is_named() {
    is_refused(
        "struct = \"m_DW\"",
        "struct = \"m_X\"",
        "parameter \"file\": \"FILE\" has no variable m_X: is it static, or optimised away by the \
         generator?",
    );
}

#[test]
fn parameters_that_there_are_not_or_do_not_fit_are_refused() {
    let model = Generated::of(SOURCE, DESCRIPTION);
    for (parameters, message) in [
        ("gian = 3", "m_P has no field \"gian\": did you mean \"gain\"?"),
        ("list = 3", "\"list\" takes 2 numbers, not 1"),
        ("gain = \"much\"", "\"gain\" must be a number, not \"much\""),
        (
            "first = 1e30",
            "\"first\": it holds -9223372036854775808 to 9223372036854775807, not 1e30",
        ),
    ] {
        let refused = model.refusal(&[("parameters", text(parameters))]);
        assert!(refused.starts_with("parameter \"parameters\": "), "{refused}");
        let said = refused.trim_start_matches("parameter \"parameters\": ");
        assert_eq!(said.replace("1000000000000000000000000000000", "1e30"), message);
    }
}
