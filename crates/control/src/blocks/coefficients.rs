//! Lists of numbers in a text: coefficients of polynomials.

use serde::{Deserialize, Serialize};

/// Numbers joined by commas or spaces: `"1, 0.5"`.
pub(crate) fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let words = text.split([',', ' ', '\n', '\t']).filter(|word| !word.is_empty());
    words
        .map(|word| match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(format!("\"{word}\" is not a number: write numbers and commas, \"1, 0.5\"")),
        })
        .collect()
}

/// A ratio of polynomials, highest powers first, of which the denominator begins with 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ratio {
    /// As many as the denominator has: missing powers are 0.
    pub numerator: Vec<f64>,
    pub denominator: Vec<f64>,
}

/// Higher orders are beyond what coefficients of polynomials can say in double precision.
const HIGHEST_ORDER: usize = 20;

impl Ratio {
    /// Of the texts of the parameters `numerator` and `denominator`.
    pub fn read(numerator: &str, denominator: &str) -> Result<Self, String> {
        let above = numbers(numerator).map_err(|why| format!("\"numerator\": {why}"))?;
        let below = numbers(denominator).map_err(|why| format!("\"denominator\": {why}"))?;
        // Zeros before the first power that is there mean nothing.
        let trim =
            |list: Vec<f64>| -> Vec<f64> { list.into_iter().skip_while(|c| *c == 0.0).collect() };
        let (above, below) = (trim(above), trim(below));
        let Some(first) = below.first().copied() else {
            return Err("\"denominator\" must have a number that is not 0".into());
        };
        let order = below.len() - 1;
        if order > HIGHEST_ORDER {
            return Err(format!(
                "\"denominator\" is of order {order}; beyond {HIGHEST_ORDER}, use several blocks"
            ));
        }
        let Some(missing) = below.len().checked_sub(above.len()) else {
            return Err(format!(
                "\"numerator\" is of order {} and \"denominator\" of order {order}: the numerator's \
                 must not be higher",
                above.len() - 1
            ));
        };
        let zeros = std::iter::repeat_n(0.0, missing);
        let ratio = Ratio {
            numerator: zeros.chain(above).map(|c| c / first).collect(),
            denominator: below.iter().map(|c| c / first).collect(),
        };
        let all = ratio.numerator.iter().chain(&ratio.denominator);
        if all.clone().all(|c| c.is_finite()) {
            return Ok(ratio);
        }
        Err("the first number of \"denominator\" is too small: the others divided by it overflow"
            .into())
    }

    /// The number of states.
    pub fn order(&self) -> usize {
        self.denominator.len().saturating_sub(1)
    }
}
