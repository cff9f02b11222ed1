//! Formulas of any text: read, checked, and evaluated over a short trace.

use ironbird_formula::{
    Evaluator, Formula, FormulaError, Names, NoSuchSignal, SignalInfo, SignalKind,
    evaluate_constant,
};
use ironbird_kernel::{Duration, Time};
use ironbird_units::{Quantity, exact};

/// Knows every path; what a signal is follows from the length of its path.
struct Anything;

impl Names for Anything {
    fn signal(&self, path: &str) -> Result<SignalInfo, NoSuchSignal> {
        let units = ["m", "", "rad/s", "degC", "km/h"];
        let unit = units[path.len() % units.len()].parse().expect("known units");
        let (leaves, kind) = match path.len() % 3 {
            0 => (1, SignalKind::Bool),
            1 => (1, SignalKind::Number),
            _ => (3, SignalKind::Number),
        };
        Ok(SignalInfo { id: path.len() as u32, unit, leaves, kind })
    }
}

/// A formula, a constant expression, a quantity, a duration and a rate from any bytes.
pub fn expression(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = exact::duration_ps(&text);
    let _ = exact::rate(&text);
    if let Ok(quantity) = text.parse::<Quantity>() {
        assert_eq!(quantity.to_string().parse(), Ok(quantity));
    }
    if let Err(error) = evaluate_constant(&text, &[("i", 3.0)]) {
        points_into(&text, &error);
    }
    match Formula::parse(&text).and_then(|formula| formula.check(&Anything)) {
        Ok(checked) => {
            if let Err(error) = checked.split_for() {
                points_into(&text, &error);
            }
            let signals = checked.signals().to_vec();
            let mut evaluator = Evaluator::new(checked);
            for second in 0..4u32 {
                let time = Time::ZERO + Duration::from_secs(second.into());
                for signal in &signals {
                    let leaf = f64::from((signal.id * 7 + second * 5) % 11) - 5.0;
                    evaluator.push(time, signal.id, &vec![leaf; signal.leaves]).expect("it fits");
                }
            }
            let verdict = evaluator.finish(Time::ZERO + Duration::from_secs(9));
            assert!(!verdict.expect("every signal has a value").margin.is_nan());
        }
        Err(error) => points_into(&text, &error),
    }
}

/// An error names characters of the text.
fn points_into(text: &str, error: &FormulaError) {
    assert!(text.get(error.span.start..error.span.end).is_some(), "{error}: {}", error.span);
    let _ = error.help();
}
