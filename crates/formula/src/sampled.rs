//! Formulas over uniformly sampled signals: discrete time.

use ironbird_kernel::{Duration, Time};

use crate::ast::Window;
use crate::checked::{Checked, Node};
use crate::evaluator::Evaluator;
use crate::values::SampleError;

/// The robustness of `formula` at every sample. Instant k is sample k of each signal, windows
/// contain samples only and are cut off at the last one, and `f until g` needs f up to the sample
/// before the one where g holds: discrete-time semantics as in the tool rtamt.
///
/// The bounds of the formula must be multiples of `period`.
pub fn sampled_robustness(
    formula: &Checked,
    period: Duration,
    signals: &[(u32, &[f64])],
) -> Result<Vec<f64>, SampleError> {
    let step = period.as_ps();
    let on_grid = |window: &Option<Window>| {
        window.is_none_or(|w| w.from.is_multiple_of(step) && w.to.is_multiple_of(step))
    };
    let fits = formula.nodes.iter().all(|node| match node {
        Node::Eventually { window, .. } | Node::Until { window, .. } => on_grid(window),
        Node::For { duration, .. } => duration.is_multiple_of(step),
        _ => true,
    });
    let count = signals.first().map_or(0, |(_, samples)| samples.len());
    let in_range = step.checked_mul(count as u64).is_some();
    if step == 0 || !fits || !in_range {
        return Err(SampleError::OffGrid);
    }
    if let Some((id, samples)) = signals.iter().find(|(_, samples)| samples.len() != count) {
        let path = formula.signals().iter().find(|s| s.id == *id).map(|s| s.path.clone());
        let (path, found) = (path.unwrap_or_default(), samples.len());
        return Err(SampleError::Lengths { path, expected: count, found });
    }
    let mut evaluator = Evaluator::sampled(formula.clone());
    for k in 0..count {
        for (id, samples) in signals {
            evaluator.push(Time::from_ps(step * k as u64), *id, &[samples[k]])?;
        }
    }
    evaluator.margins_by_sample(step, count)
}
