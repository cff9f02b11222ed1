//! Every mistake in a formula is named, placed and, where possible, answered with what to write.

mod vehicle;

use ironbird_formula::{Evaluator, Formula, FormulaError, SampleError, evaluate_constant};
use ironbird_kernel::Time;
use proptest::prelude::*;
use vehicle::{ID, Vehicle};

/// The error, and the part of the text that it points at.
fn error(text: &str) -> (FormulaError, String) {
    let error = match Formula::parse(text).and_then(|formula| formula.check(&Vehicle)) {
        Err(error) => error,
        Ok(_) => panic!("{text} is accepted"),
    };
    let place = text[error.span.start..error.span.end].to_owned();
    (error, place)
}

#[test]
fn mistakes_in_the_text_are_named_and_placed() {
    for (text, message, place) in [
        ("", "a formula is expected, but there is nothing", ""),
        ("  ", "a formula is expected, but there is nothing", "  "),
        ("a >", "expected a signal, a number or a condition, found the end", ""),
        ("a > 1 b", "there is no unit \"b\", did you mean \"B\"?", "b"),
        ("a > 10 metres", "there is no unit \"metres\", did you mean \"m\"?", "metres"),
        ("a > 1 (b)", "expected an operator or the end, found \"(\"", "("),
        ("(a > 1", "expected an operator or ), found the end", ""),
        ("a > 1)", "expected an operator or the end, found \")\"", ")"),
        ("a = 1", "\"=\" has no meaning here", "="),
        ("a & b", "\"&\" has no meaning here", "&"),
        ("\"a", "the quoted name has no closing quote", "\"a"),
        ("\"\" > 1", "a quoted name is empty", "\"\""),
        ("a[x] > 1", "\"a[\" is not a name: an index is a whole number in brackets", "["),
        ("1 < 2 < 3", "comparisons cannot be chained", "<"),
        ("2 ^ 0.5 > 1", "the exponent of ^ must be a whole number from -16 to 16", "0.5"),
        ("2 ^ 2 ^ 2 > 1", "the exponent of ^ must be a whole number from -16 to 16", "2"),
        ("2 ^ 17 > 1", "the exponent of ^ must be a whole number from -16 to 16", "17"),
        (
            "always[2 s, 1 s] landed",
            "the bounds are in the wrong order: 2 s is after 1 s",
            "2 s, 1 s",
        ),
        ("always[1 s] landed", "expected a comma between the bounds, found \"]\"", "]"),
        ("always[0, 1 s landed", "expected ] after the bounds, found \"landed\"", "landed"),
        ("always[x, 1 s] landed", "expected a duration like 2 s, found \"x\"", "x"),
        ("always[0, 5] landed", "\"5\" is a plain number (no unit), expected a time (s)", "5"),
        ("always[0, 5 m] landed", "\"5 m\" is a length (m), expected a time (s)", "5 m"),
        ("landed for 0.1 ps", "\"0.1 ps\" is finer than 1 ps, the resolution of time", "0.1 ps"),
        ("landed for ever", "expected a duration like 2 s, found \"ever\"", "ever"),
        ("nrom(a) > 1", "there is no function \"nrom\", did you mean \"norm\"?", "nrom"),
        ("abs(1, 2) > 1", "abs takes one argument, not 2", "abs(1, 2)"),
        ("min(1) > 1", "min takes at least two arguments, not 1", "min(1)"),
        ("norm() > 1", "norm takes at least one argument, not 0", "norm()"),
        ("abs(1 2) > 1", "expected a comma or ), found \"2\"", "2"),
        ("1e999 > 1", "\"1e999\" is too large", "1e999"),
        ("always", "expected a signal, a number or a condition, found the end", ""),
    ] {
        let (error, found) = error(text);
        assert_eq!((error.to_string().as_str(), found.as_str()), (message, place), "{text}");
    }
}

#[test]
fn mistakes_in_names_types_and_units_are_named_and_placed() {
    for (text, message, place) in [
        (
            "drone.altitud > 1 m",
            "there is no signal \"drone.altitud\", did you mean \"drone.altitude\"?",
            "drone.altitud",
        ),
        (
            "drone.altitude > 3 s",
            "\"drone.altitude\" is a length (m), but \"3 s\" is a time (s)",
            "drone.altitude > 3 s",
        ),
        ("drone.altitude > 10", "\"10\" needs a unit: \"drone.altitude\" is a length (m)", "10"),
        (
            "2 + drone.altitude > 10 m",
            "\"2\" needs a unit: \"drone.altitude\" is a length (m)",
            "2",
        ),
        (
            "drone.temperature > 0",
            "\"0\" needs a unit: \"drone.temperature\" is a temperature (K)",
            "0",
        ),
        (
            "drone.rate > 3 Hz",
            "\"drone.rate\" is an angular rate (rad/s), but \"3 Hz\" is a frequency (1/s)",
            "drone.rate > 3 Hz",
        ),
        (
            "drone.position > 3 m",
            "\"drone.position\" has 3 values, where one is expected",
            "drone.position",
        ),
        (
            "drone.position + 1 m > 3 m",
            "\"drone.position\" has 3 values, but \"1 m\" has 1",
            "drone.position + 1 m",
        ),
        ("flags", "\"flags\" has 4 values, where one is expected", "flags"),
        ("load", "\"load\" is a number, where a condition is expected", "load"),
        ("load + 1", "\"load + 1\" is a number, where a condition is expected", "load + 1"),
        ("landed + 1 > 2", "\"landed\" is a condition, where a number is expected", "landed"),
        (
            "(load > 1) > 2",
            "\"(load > 1)\" is a condition, where a number is expected",
            "(load > 1)",
        ),
        (
            "drone.temperature > 20 degC + 2 K",
            "\"20 degC\" is a point on a temperature scale and cannot be used in this calculation",
            "20 degC",
        ),
        (
            "drone.temperature > 2 * 20 degC",
            "\"20 degC\" is a point on a temperature scale and cannot be used in this calculation",
            "20 degC",
        ),
        (
            "sin(drone.altitude) > 1",
            "sin takes an angle (rad), but \"drone.altitude\" is a length (m)",
            "drone.altitude",
        ),
        (
            "sqrt(drone.altitude) > 1 m",
            "sqrt takes a quantity whose dimension is a square, but \"drone.altitude\" is a length (m)",
            "drone.altitude",
        ),
        (
            "exp(drone.altitude) > 1",
            "exp takes a plain number, but \"drone.altitude\" is a length (m)",
            "drone.altitude",
        ),
        ("load > 1 / 0", "the value of \"1 / 0\" is not a finite number", "1 / 0"),
        (
            "((drone.altitude^16)^8)*drone.altitude > 0",
            "the dimension of \"((drone.altitude^16)^8)\" is out of range",
            "((drone.altitude^16)^8)",
        ),
    ] {
        let (error, found) = error(text);
        assert_eq!((error.to_string().as_str(), found.as_str()), (message, place), "{text}");
    }
}

#[test]
fn help_says_what_to_write() {
    for (text, help) in [
        ("1 < 2 < 3", "write `a < b and b < c`"),
        ("drone.altitude-1 > 2", "`-` may be part of a name; write spaces around it to subtract"),
        ("drone.altitude > 10", "write the unit after the number, like `10 m`"),
        (
            "drone.position > drone.target",
            "write `norm(drone.position)` for its length, or one value like `drone.position[0]`",
        ),
        ("load", "compare it, like `load > 0`"),
        ("drone.temperature > 2 degC + drone.temperature", "write 2 K for a difference"),
        ("drone.temperature - drone.temperature > 2 degC", "write 2 K for a difference"),
        ("load = 1", "write == to compare"),
        ("landed | landed", "write `or` or ||"),
    ] {
        assert_eq!(error(text).0.help().as_deref(), Some(help), "{text}");
    }
}

#[test]
fn a_condition_that_looks_into_the_future_is_refused() {
    let split = |text: &str| {
        let checked = Formula::parse(text).and_then(|formula| formula.check(&Vehicle)).unwrap();
        checked.split_for().unwrap_err().to_string()
    };
    assert_eq!(
        split("landed and eventually landed"),
        "\"eventually landed\" looks into the future, which a condition cannot"
    );
    assert_eq!(
        split("(landed for 2 s or landed) for 3 s"),
        "\"(landed for 2 s or landed) for 3 s\" has a `for` inside a `for`"
    );
}

#[test]
fn constant_expressions_know_their_variables_only() {
    let message = |text: &str| evaluate_constant(text, &[("index", 1.0)]).unwrap_err().to_string();
    assert_eq!(
        message("2 * inedx"),
        "\"inedx\" is not known in a constant expression, did you mean \"index\"?"
    );
    assert_eq!(message("2 * time"), "\"time\" is not known in a constant expression");
    assert_eq!(message("index > 1"), "\"index > 1\" is a condition, where a number is expected");
}

#[test]
fn samples_that_do_not_fit_are_refused() {
    let checked = Formula::parse("always norm(drone.position) > drone.altitude")
        .and_then(|formula| formula.check(&Vehicle))
        .unwrap();
    let at = Time::from_ps;
    let mut evaluator = Evaluator::new(checked);
    let message = |result: Result<(), SampleError>| result.unwrap_err().to_string();
    evaluator.push(at(5), ID::ALTITUDE, &[1.0]).unwrap();
    assert_eq!(
        message(evaluator.push(at(5), ID::POSITION, &[1.0])),
        "a sample of \"drone.position\" has 3 values, not 1"
    );
    assert_eq!(
        message(evaluator.push(at(5), 77, &[1.0])),
        "the formula reads no signal with the number 77"
    );
    assert_eq!(
        message(evaluator.push(at(4), ID::ALTITUDE, &[1.0])),
        "a sample at 0.000000000004 s comes after one at 0.000000000005 s"
    );
    assert_eq!(
        evaluator.finish(at(9)).unwrap_err().to_string(),
        "\"drone.position\" has no value at 0.000000000005 s, where the trace starts"
    );
}

#[test]
fn calculations_that_grow_beyond_measure_are_refused() {
    let square = "norm(norm(drone.position) / (1 m) * drone.position)";
    assert!(Formula::parse(&format!("{square} > 1 m")).unwrap().check(&Vehicle).is_ok());
    let nested = (0..20).fold("drone.position".to_owned(), |inner, _| {
        format!("norm({inner}) / (1 m) * drone.position")
    });
    let (error, _) = error(&format!("norm({nested}) > 1 m"));
    assert_eq!(error.to_string(), "the calculation has more than 1048576 operations");
}

#[test]
fn deep_and_long_formulas_are_refused_and_not_a_crash() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(4_000), close.repeat(4_000));
    for text in [
        deep("(", ")"),
        deep("-", ""),
        deep("not ", ""),
        deep("always ", ""),
        deep("1 + (", ")"),
        deep("abs(", ")"),
        deep("", " + 1"),
        deep("", " ^ 2"),
        deep("", " and 1"),
        deep("", " for 1 s"),
        deep("1 -> ", ""),
    ] {
        let message = Formula::parse(&text).unwrap_err().to_string();
        let expected = ["the formula is nested deeper than 100 levels", "the exponent of ^ must"];
        assert!(expected.iter().any(|start| message.starts_with(start)), "{message}");
    }
    // What is just allowed can also be checked and evaluated.
    let text = format!("{}landed{}", "always (not ".repeat(32), ")".repeat(32));
    let checked = Formula::parse(&text).and_then(|formula| formula.check(&Vehicle)).unwrap();
    let mut evaluator = Evaluator::new(checked);
    evaluator.push(Time::ZERO, ID::LANDED, &[1.0]).unwrap();
    assert_eq!(evaluator.finish(Time::from_ps(1)).unwrap().margin, f64::INFINITY);
    let long = "1 + ".repeat(40_000);
    assert_eq!(
        Formula::parse(&long).unwrap_err().to_string(),
        "the formula is longer than 65536 bytes"
    );
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,60}") {
        if let Ok(formula) = Formula::parse(&text) {
            let _ = formula.check(&Vehicle);
        }
        let _ = evaluate_constant(&text, &[("i", 1.0)]);
    }

    #[test]
    fn no_words_of_the_language_make_the_parser_panic(words in proptest::collection::vec(
        prop::sample::select(vec![
            "always", "eventually", "until", "for", "not", "and", "implies", "->", "(", ")", "[",
            "]", ",", "1", "2 s", "20 degC", "0", "%", "5 %", "^", "-", "*", "/", "<", "==", "min",
            "norm", "landed", "drone.position", "drone.altitude", "time", "true", ".", "\"",
        ]), 0..24), glue in prop::sample::select(vec!["", " "])) {
        if let Ok(formula) = Formula::parse(&words.join(glue)) {
            let _ = formula.check(&Vehicle);
        }
    }
}
