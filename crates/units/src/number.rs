//! The digits of a number, as they stand at the start of a text.

/// The number without sign at the start of `text`, as `12`, `0.5`, `.5`, `2.` or `3e-2`; empty if there is none.
/// An `e` belongs to the number only when digits follow it.
pub fn leading_number(text: &str) -> &str {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = digits(0);
    let mut any = end > 0;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        any |= fraction > end + 1;
        if any {
            end = fraction;
        }
    }
    if !any {
        return "";
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let start = end + 1 + sign;
        let exponent = digits(start.min(bytes.len()));
        if exponent > start {
            end = exponent;
        }
    }
    &text[..end]
}

/// A signed quantity taken apart: sign, digits, unit.
pub(crate) struct Parts<'a> {
    pub negative: bool,
    pub digits: &'a str,
    pub unit: &'a str,
}

/// Takes `-3e-2 rad` apart; `None` when no number stands in front.
pub(crate) fn split(text: &str) -> Option<Parts<'_>> {
    let text = text.trim();
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = leading_number(unsigned);
    let unit = unsigned[digits.len()..].trim_start();
    (!digits.is_empty()).then_some(Parts { negative, digits, unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_where_its_unit_begins() {
        for (text, number) in [
            ("10 m", "10"),
            ("10m", "10"),
            ("0.5", "0.5"),
            (".5x", ".5"),
            ("2.", "2."),
            ("3e-2 rad", "3e-2"),
            ("3e", "3"),
            ("3eV", "3"),
            ("3e+", "3"),
            (".", ""),
            ("", ""),
            ("-1", ""),
            ("inf", ""),
        ] {
            assert_eq!(leading_number(text), number, "{text}");
        }
    }
}
