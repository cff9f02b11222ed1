//! Parts of a unit as decimal numbers.

use serde_json::Number;

use crate::system::Ticks;

/// Digits behind the point at which a text is cut.
const SHOWN: u32 = 3;

/// `ticks` of which `per_unit` make one unit, exactly; nothing where no finite decimal number is that.
pub fn exact(ticks: Ticks, per_unit: u64) -> Option<String> {
    let (whole, mut rest) = (ticks / per_unit, u128::from(ticks % per_unit));
    let mut text = whole.to_string();
    if rest > 0 {
        text.push('.');
    }
    let mut places = 0;
    while rest > 0 {
        if places > 20 {
            return None;
        }
        rest *= 10;
        text.push(char::from(b'0' + (rest / u128::from(per_unit)) as u8));
        rest %= u128::from(per_unit);
        places += 1;
    }
    Some(text)
}

/// For people: exact where few digits are, otherwise to three places.
pub fn shown(ticks: Ticks, per_unit: u64) -> String {
    let few = |text: &String| text.split_once('.').is_none_or(|(_, part)| part.len() <= 6);
    exact(ticks, per_unit).filter(few).unwrap_or_else(|| {
        let power = 10u128.pow(SHOWN);
        let per_unit = u128::from(per_unit);
        let rounded = (u128::from(ticks) * power + per_unit / 2) / per_unit;
        format!("{}.{:03}", rounded / power, rounded % power)
    })
}

/// For programs: a whole number where it is one, otherwise the nearest floating-point number, which is exactly
/// the decimal number that is printed wherever that has few digits.
pub fn number(ticks: Ticks, per_unit: u64) -> Option<Number> {
    if ticks.is_multiple_of(per_unit) {
        return Some(Number::from(ticks / per_unit));
    }
    Number::from_f64(ticks as f64 / per_unit as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_and_tenths_are_exact_and_thirds_are_not() {
        assert_eq!(exact(15, 2).as_deref(), Some("7.5"));
        assert_eq!(exact(14, 2).as_deref(), Some("7"));
        assert_eq!(exact(33, 10).as_deref(), Some("3.3"));
        assert_eq!(exact(1, 3), None);
        assert_eq!(shown(2, 3), "0.667");
        assert_eq!(shown(5, 3), "1.667");
        assert_eq!(number(15, 2).map(|n| n.to_string()).as_deref(), Some("7.5"));
        assert_eq!(number(33, 10).map(|n| n.to_string()).as_deref(), Some("3.3"));
        assert_eq!(number(1, 3).and_then(|n| n.as_f64()), Some(1.0 / 3.0));
        assert_eq!(
            number(1 << 53, 1 << 4).map(|n| n.to_string()).as_deref(),
            Some("562949953421312")
        );
    }
}
