//! What many errors come to.

/// Errors summed up; all but the first two are of absolute values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// How many there are.
    pub count: usize,
    /// The mean, with its sign.
    pub mean: f64,
    /// Root of the mean square.
    pub rms: f64,
    /// Half of them are smaller.
    pub median: f64,
    /// 95 % of them are smaller.
    pub most: f64,
    /// The largest.
    pub max: f64,
}

impl Statistics {
    /// Of these errors.
    pub fn of(errors: &[f64]) -> Self {
        if errors.is_empty() {
            return Statistics::default();
        }
        let count = errors.len();
        let mut sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        Statistics {
            count,
            mean: errors.iter().sum::<f64>() / count as f64,
            rms: rms(errors),
            median: quantile(&sizes, 0.5),
            most: quantile(&sizes, 0.95),
            max: sizes[count - 1],
        }
    }
}

/// Root of the mean square.
pub(crate) fn rms(errors: &[f64]) -> f64 {
    let sum: f64 = errors.iter().map(|error| error * error).sum();
    (sum / errors.len().max(1) as f64).sqrt()
}

/// The number below which this part of sorted numbers lies, between neighbours on a straight line.
pub(crate) fn quantile(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = part * last as f64;
    let below = libm::floor(place) as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_summed_up_by_size() {
        let errors = [-4.0, 3.0, 1.0, 0.0, 2.0];
        let of = Statistics::of(&errors);
        assert_eq!((of.count, of.median, of.max), (5, 2.0, 4.0));
        assert!((of.mean - 0.4).abs() < 1e-15 && (of.rms - 6.0f64.sqrt()).abs() < 1e-15);
        assert!((of.most - 3.8).abs() < 1e-12);
        assert_eq!(Statistics::of(&[]).count, 0);
    }
}
