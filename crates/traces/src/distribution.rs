//! How measured times are distributed: all of them, sorted.

use std::fmt;

/// Measured spans of time in nanoseconds, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution(Vec<i64>);

impl Distribution {
    /// From samples in any order.
    pub fn new(mut samples: Vec<i64>) -> Self {
        samples.sort_unstable();
        Distribution(samples)
    }

    /// How many samples there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All samples, the smallest first.
    pub fn samples(&self) -> &[i64] {
        &self.0
    }

    /// The smallest.
    pub fn min(&self) -> Option<i64> {
        self.0.first().copied()
    }

    /// The largest.
    pub fn max(&self) -> Option<i64> {
        self.0.last().copied()
    }

    /// The mean, rounded down.
    pub fn mean(&self) -> Option<i64> {
        let sum: i128 = self.0.iter().map(|sample| i128::from(*sample)).sum();
        let count = i128::try_from(self.0.len()).ok().filter(|count| *count > 0)?;
        Some(sum.div_euclid(count) as i64)
    }

    /// The quantile of so many thousandths, between two samples in proportion, rounded down.
    pub fn quantile(&self, thousandths: u32) -> Option<i64> {
        let last = self.0.len().checked_sub(1)? as i128;
        let place = last * i128::from(thousandths.min(1000));
        let (index, rest) = ((place / 1000) as usize, place % 1000);
        let below = i128::from(self.0[index]);
        let above = i128::from(self.0[(index + 1).min(last as usize)]);
        Some((below + ((above - below) * rest).div_euclid(1000)) as i64)
    }

    /// The quantile of one half.
    pub fn median(&self) -> Option<i64> {
        self.quantile(500)
    }
}

impl FromIterator<i64> for Distribution {
    fn from_iter<T: IntoIterator<Item = i64>>(samples: T) -> Self {
        Distribution::new(samples.into_iter().collect())
    }
}

/// `n 91, min 20.1 ms, median 20.2 ms, mean 20.2 ms, p95 20.3 ms, max 21.0 ms`
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n {}", self.count())?;
        let figures = [
            ("min", self.min()),
            ("median", self.median()),
            ("mean", self.mean()),
            ("p95", self.quantile(950)),
            ("max", self.max()),
        ];
        for (name, figure) in figures {
            if let Some(nanoseconds) = figure {
                write!(f, ", {name} {:.3} ms", nanoseconds as f64 / 1e6)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_samples_in_proportion() {
        let four = Distribution::new(vec![40, 10, 30, 20]);
        assert_eq!((four.min(), four.median(), four.max()), (Some(10), Some(25), Some(40)));
        assert_eq!((four.mean(), four.quantile(900)), (Some(25), Some(37)));
        assert_eq!(Distribution::new(vec![7]).quantile(950), Some(7));
        assert_eq!(Distribution::default().median(), None);
        let wide = Distribution::new(vec![i64::MIN, i64::MAX]);
        assert_eq!(wide.median(), Some(-1));
    }
}
