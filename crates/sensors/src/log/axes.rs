//! How the axes of a log lie in the frame of the samples.

/// For each axis of a sample, the number of the log's axis and its sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxisOrder([(usize, f64); 3]);

impl Default for AxisOrder {
    fn default() -> Self {
        AxisOrder([(0, 1.0), (1, 1.0), (2, 1.0)])
    }
}

impl AxisOrder {
    /// Reads `x, -y, -z`.
    pub fn read(text: &str) -> Result<Self, String> {
        let refused = || {
            format!(
                "\"axes\" names x, y and z, each once, with a minus where it points the other way, as \
                 in \"x, -y, -z\"; not \"{text}\""
            )
        };
        let mut order = AxisOrder::default();
        let mut seen = [false; 3];
        let mut words = text.split(',');
        for place in &mut order.0 {
            let word = words.next().ok_or_else(refused)?.trim();
            let (letter, sign) = match word.strip_prefix('-') {
                Some(letter) => (letter.trim_start(), -1.0),
                None => (word, 1.0),
            };
            let axis = ["x", "y", "z"].iter().position(|name| *name == letter);
            let axis = axis.filter(|axis| !seen[*axis]).ok_or_else(refused)?;
            seen[axis] = true;
            *place = (axis, sign);
        }
        if words.next().is_some() { Err(refused()) } else { Ok(order) }
    }

    /// A vector of the log in the axes of the sample.
    pub fn apply(&self, log: [f64; 3]) -> [f64; 3] {
        self.0.map(|(axis, sign)| sign * log[axis])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_of_others_are_turned_into_ours() {
        let turned = |text| AxisOrder::read(text).unwrap().apply([1.0, 2.0, 3.0]);
        assert_eq!(turned("x, y, z"), [1.0, 2.0, 3.0]);
        // Forward, left, up to forward, right, down; then east, north, up to north, east, down.
        assert_eq!(turned("x, -y, -z"), [1.0, -2.0, -3.0]);
        assert_eq!(turned("y,x,- z"), [2.0, 1.0, -3.0]);
    }

    #[test]
    fn what_names_no_three_axes_is_refused() {
        for text in ["", "x, y", "x, y, y", "x, y, z, z", "x, y, w", "x, y, --z", "x y z"] {
            let error = AxisOrder::read(text).unwrap_err();
            assert!(error.ends_with(&format!("as in \"x, -y, -z\"; not \"{text}\"")), "{error}");
        }
    }
}
