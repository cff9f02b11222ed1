//! Least squares with bounds: the method of Levenberg and Marquardt with differences for derivatives.
//!
//! ```text
//! minimise  ½ Σ rᵢ(x)²,   low ≤ x ≤ high
//! step      (JᵀJ + λ diag JᵀJ) δ = -Jᵀr,   then x + δ is put back into its bounds
//! ```
//!
//! A step that makes it better is taken and λ made smaller, otherwise λ grows (D. W. Marquardt, Journal of
//! SIAM 11 (1963)). A variable at a bound that would leave it is held for that step. At the end
//!
//! ```text
//! C  = s² (JᵀJ)⁻¹                        the Cramér-Rao bound, if the errors are independent of each other
//! C' = (JᵀJ)⁻¹ Σ gₖ gₖᵀ (JᵀJ)⁻¹          with gₖ = Jₖᵀ rₖ of group k: only groups need be independent
//! ```
//!
//! Errors of a model are alike from instant to instant, so C is too hopeful; windows of a log are groups.

use nalgebra::{DMatrix, DVector};

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Variable {
    pub start: f64,
    pub low: f64,
    pub high: f64,
}

impl Variable {
    /// What counts as a sizeable change of it.
    fn scale(&self) -> f64 {
        let range = self.high - self.low;
        match (self.start != 0.0, range.is_finite()) {
            (true, true) => self.start.abs().min(range),
            (true, false) => self.start.abs(),
            (false, true) => 0.1 * range,
            (false, false) => 1.0,
        }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub values: Vec<f64>,
    /// Half the sum of squares, before and after.
    pub costs: (f64, f64),
    pub iterations: usize,
    /// Cramér-Rao covariance; not there where the data cannot tell the variables.
    pub covariance: Option<DMatrix<f64>>,
    /// The same with groups of errors that are alike.
    pub grouped: Option<DMatrix<f64>>,
    /// How much each variable moves all errors together, per its scale.
    pub effects: Vec<f64>,
}

/// Gives the errors for values of the variables, in equal groups; nothing where the model breaks.
pub(crate) type Errors<'a, E> = dyn FnMut(&[f64]) -> Result<Option<Vec<f64>>, E> + 'a;

const MOST_ITERATIONS: usize = 40;
/// Of the scale of a variable: large beside what solvers leave undecided, small beside what bends.
const DIFFERENCE: f64 = 1e-3;

/// Finds the values with the least squares. Nothing if the model breaks at the start already. `stepped` hears
/// of the start and of each step: its number, and half the sum of squares after it.
pub(crate) fn minimise<E>(
    variables: &[Variable],
    groups: usize,
    errors: &mut Errors<'_, E>,
    stepped: &mut dyn FnMut(usize, f64),
) -> Result<Option<Found>, E> {
    let mut values: Vec<f64> = variables.iter().map(|v| v.start.clamp(v.low, v.high)).collect();
    let Some(mut residuals) = errors(&values)? else { return Ok(None) };
    let first = cost(&residuals);
    let (mut now, mut damping, mut iterations) = (first, 1e-3, 0);
    stepped(0, first);
    while iterations < MOST_ITERATIONS {
        iterations += 1;
        let jacobian = derivatives(variables, &values, &residuals, errors)?;
        let (normal, gradient) = normal_equations(&jacobian, &residuals);
        let mut better = None;
        while damping < 1e10 {
            let next = step(variables, &values, &normal, &gradient, damping);
            let tried = errors(&next)?.filter(|tried| cost(tried) < now);
            if let Some(tried) = tried {
                better = Some((next, tried));
                damping = (damping * 0.1f64).max(1e-12);
                break;
            }
            damping *= 10.0;
        }
        let Some((next, tried)) = better else { break };
        let moved = next.iter().zip(&values).zip(variables);
        let moved = moved.map(|((a, b), v)| ((a - b) / v.scale()).abs()).fold(0.0, f64::max);
        let gain = now - cost(&tried);
        (now, values, residuals) = (cost(&tried), next, tried);
        stepped(iterations, now);
        if gain <= 1e-7 * now || moved < 1e-6 {
            break;
        }
    }
    let jacobian = derivatives(variables, &values, &residuals, errors)?;
    Ok(Some(finish(variables, groups, (first, now), iterations, values, &jacobian, &residuals)))
}

fn cost(residuals: &[f64]) -> f64 {
    0.5 * residuals.iter().map(|r| r * r).sum::<f64>()
}

/// Columns of derivatives, by differences to the side where there is room.
fn derivatives<E>(
    variables: &[Variable],
    values: &[f64],
    residuals: &[f64],
    errors: &mut Errors<'_, E>,
) -> Result<Vec<Vec<f64>>, E> {
    let mut columns = Vec::with_capacity(variables.len());
    for (place, variable) in variables.iter().enumerate() {
        let size = DIFFERENCE * variable.scale();
        let size = if values[place] + size > variable.high { -size } else { size };
        let mut column = vec![0.0; residuals.len()];
        // Where the model breaks on one side, the other may do.
        for size in [size, -size] {
            let mut moved = values.to_vec();
            moved[place] += size;
            if let Some(tried) = errors(&moved)? {
                let both = column.iter_mut().zip(tried.iter().zip(residuals));
                both.for_each(|(slope, (a, b))| *slope = (a - b) / size);
                break;
            }
        }
        columns.push(column);
    }
    Ok(columns)
}

fn normal_equations(jacobian: &[Vec<f64>], residuals: &[f64]) -> (DMatrix<f64>, DVector<f64>) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let count = jacobian.len();
    let normal = DMatrix::from_fn(count, count, |i, j| dot(&jacobian[i], &jacobian[j]));
    let gradient = DVector::from_fn(count, |i, _| dot(&jacobian[i], residuals));
    (normal, gradient)
}

/// The values after a damped step.
fn step(
    variables: &[Variable],
    values: &[f64],
    normal: &DMatrix<f64>,
    gradient: &DVector<f64>,
    damping: f64,
) -> Vec<f64> {
    let held = |i: usize| {
        (values[i] <= variables[i].low && gradient[i] > 0.0)
            || (values[i] >= variables[i].high && gradient[i] < 0.0)
            || normal[(i, i)] == 0.0
    };
    let free: Vec<usize> = (0..values.len()).filter(|i| !held(*i)).collect();
    let matrix = DMatrix::from_fn(free.len(), free.len(), |i, j| {
        let entry = normal[(free[i], free[j])];
        if i == j { entry * (1.0 + damping) } else { entry }
    });
    let right = DVector::from_fn(free.len(), |i, _| -gradient[free[i]]);
    let mut next = values.to_vec();
    if let Some(solved) = matrix.cholesky().map(|factor| factor.solve(&right)) {
        for (place, &i) in free.iter().enumerate() {
            next[i] = (values[i] + solved[place]).clamp(variables[i].low, variables[i].high);
        }
    }
    next
}

fn finish(
    variables: &[Variable],
    groups: usize,
    costs: (f64, f64),
    iterations: usize,
    values: Vec<f64>,
    jacobian: &[Vec<f64>],
    residuals: &[f64],
) -> Found {
    let (normal, _) = normal_equations(jacobian, residuals);
    let scales: Vec<f64> = variables.iter().map(Variable::scale).collect();
    let effects = (0..values.len()).map(|i| normal[(i, i)].sqrt() * scales[i]).collect();
    // Scaled to ones on the diagonal, it is judged whatever the units are.
    let scaled = DMatrix::from_fn(values.len(), values.len(), |i, j| {
        normal[(i, j)] / (normal[(i, i)] * normal[(j, j)]).sqrt()
    });
    let whole = scaled.iter().all(|entry| entry.is_finite());
    let inverse = scaled.cholesky().filter(|_| whole).map(|factor| factor.inverse());
    let inverse = inverse.map(|inverse| {
        DMatrix::from_fn(values.len(), values.len(), |i, j| {
            inverse[(i, j)] / (normal[(i, i)] * normal[(j, j)]).sqrt()
        })
    });
    let freedom = residuals.len().saturating_sub(values.len()).max(1) as f64;
    let covariance = inverse.as_ref().map(|inverse| inverse * (2.0 * costs.1 / freedom));
    let grouped = inverse.as_ref().filter(|_| groups > 2 * values.len()).map(|inverse| {
        let size = (residuals.len() / groups).max(1);
        let mut middle = DMatrix::zeros(values.len(), values.len());
        for group in 0..groups {
            let range = group * size..((group + 1) * size).min(residuals.len());
            let part = |column: &[f64]| {
                let both = column[range.clone()].iter().zip(&residuals[range.clone()]);
                both.map(|(slope, error)| slope * error).sum::<f64>()
            };
            let gradient = DVector::from_iterator(values.len(), jacobian.iter().map(|c| part(c)));
            middle += &gradient * gradient.transpose();
        }
        inverse * middle * inverse
    });
    Found { values, costs, iterations, covariance, grouped, effects }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

    fn fit(
        starts: &[(f64, (f64, f64))],
        model: impl Fn(&[f64], f64) -> f64,
        truth: &[f64],
    ) -> Found {
        let variables: Vec<Variable> =
            starts.iter().map(|&(start, (low, high))| Variable { start, low, high }).collect();
        let places: Vec<f64> = (0..200).map(|n| f64::from(n) * 0.02).collect();
        let mut errors = |x: &[f64]| -> Result<Option<Vec<f64>>, ()> {
            Ok(Some(places.iter().map(|t| model(x, *t) - model(truth, *t)).collect()))
        };
        minimise(&variables, 20, &mut errors, &mut |_, _| {}).unwrap().unwrap()
    }

    #[test]
    fn a_decay_is_found_exactly() {
        let model = |x: &[f64], t: f64| x[0] * libm::exp(-x[1] * t) + x[2];
        let found = fit(&[(1.0, FREE), (3.0, FREE), (0.5, FREE)], model, &[2.5, 1.3, -0.4]);
        for (value, truth) in found.values.iter().zip([2.5, 1.3, -0.4]) {
            assert!((value - truth).abs() < 1e-6, "{:?}", found.values);
        }
        assert!(found.costs.1 < 1e-10 * found.costs.0);
    }

    #[test]
    fn a_bound_is_kept_and_the_rest_is_fitted() {
        let model = |x: &[f64], t: f64| x[0] + x[1] * t;
        let found = fit(&[(0.0, (-1.0, 1.0)), (0.0, FREE)], model, &[2.0, 3.0]);
        assert_eq!(found.values[0], 1.0);
        // Least squares of 2 + 3 t - 1 over t from 0 to 3.98 without intercept.
        assert!((found.values[1] - 3.376).abs() < 0.01, "{:?}", found.values);
    }

    #[test]
    fn what_cannot_be_told_apart_has_no_covariance() {
        let model = |x: &[f64], t: f64| (x[0] + x[1]) * t;
        let found = fit(&[(1.0, FREE), (1.0, FREE)], model, &[2.0, 3.0]);
        assert!((found.values[0] + found.values[1] - 5.0).abs() < 1e-6);
        let widest =
            found.covariance.map_or(f64::INFINITY, |c| c[(0, 0)] / found.costs.1.max(1e-30));
        assert!(widest > 1e3, "{widest}");
    }

    #[test]
    fn a_variable_without_effect_is_left_as_it_is() {
        let found = fit(&[(1.0, FREE), (7.0, FREE)], |x, t| x[0] * t, &[2.0, 3.0]);
        assert_eq!(found.values[1], 7.0);
        assert_eq!(found.effects[1], 0.0);
    }
}
