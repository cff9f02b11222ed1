//! Least squares with bounds: the method of Levenberg and Marquardt with differences for derivatives.
//!
//! ```text
//! minimise  ½ Σ rᵢ(x)²,   low ≤ x ≤ high
//! step      (JᵀJ + λ diag JᵀJ) δ = -Jᵀr,   then x + δ is put back into its bounds
//! ```
//!
//! A step that makes it better is taken and λ made smaller, otherwise λ grows (D. W. Marquardt, Journal of
//! SIAM 11 (1963)). A variable at a bound that would leave it is held for that step. Errors come in blocks; a variable
//! may belong to one of them, and leaves the others alone. At the end
//!
//! ```text
//! C  = s² (JᵀJ)⁻¹                        the Cramér-Rao bound, if the errors are independent of each other
//! a  = J (JᵀJ)⁻¹ eᵢ                      what variable i alone moves, and no other variable can
//! w_k = |aₖ|² / |a|²                      the share of part k in what is known of it; all are 1 together
//! z_k = aₖᵀ rₖ / w_k                      what part k alone would add to its value
//! s² = Σ w_k z_k² / (1 - Σ w_k²)          the spread of the values of parts
//! ```
//!
//! Errors of a model are alike from instant to instant, so C is too hopeful. How much the z of parts differ shows how
//! far the values from other data of this kind may be off. A part with much of the weight pulls the value to its own,
//! so that its z is small whatever the others are: the last line is the variance of a weighted mean's samples without
//! that bias (with weights of reliability, 1 / Σ w_k² parts in effect; the leverage correction of cluster-robust variances,
//! J. E. Pustejovsky and E. Tipton, Journal of Business & Economic Statistics 36 (2018), for one variable).

use nalgebra::{DMatrix, DVector};

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Variable {
    pub start: f64,
    pub low: f64,
    pub high: f64,
    /// The only block of errors that it moves, where it does not move all.
    pub block: Option<usize>,
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
    /// How the values of parts of the errors differ, by variable; none of fewer than three parts.
    pub spread: Option<Vec<Spread>>,
    /// How much each variable moves all errors together, per its scale.
    pub effects: Vec<f64>,
}

/// How the values differ that parts of the errors would give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// Standard deviation; not there where one part knows all.
    pub deviation: Option<f64>,
    /// The largest share of a part in what is known.
    pub largest: f64,
    /// So many parts of equal shares would show as much.
    pub effective: f64,
}

/// Gives the errors of a block for values of all variables; nothing where the model breaks.
pub(crate) type Errors<'a, E> = dyn FnMut(usize, &[f64]) -> Result<Option<Vec<f64>>, E> + 'a;

/// What is minimised: blocks of errors, and the part that each error of all belongs to.
pub(crate) struct Problem<'a, 'e, E> {
    pub variables: &'a [Variable],
    pub blocks: usize,
    pub parts: &'a [usize],
    pub errors: &'a mut Errors<'e, E>,
}

impl<E> Problem<'_, '_, E> {
    /// The errors of all blocks, one after the other.
    fn all(&mut self, values: &[f64]) -> Result<Option<Vec<f64>>, E> {
        let mut all = Vec::with_capacity(self.parts.len());
        for block in 0..self.blocks {
            let Some(errors) = (self.errors)(block, values)? else { return Ok(None) };
            all.extend(errors);
        }
        Ok(Some(all))
    }

    /// The same where only one block may differ from `before`.
    fn with_block(
        &mut self,
        block: Option<usize>,
        values: &[f64],
        before: &[f64],
        sizes: &[usize],
    ) -> Result<Option<Vec<f64>>, E> {
        let Some(block) = block else { return self.all(values) };
        let Some(errors) = (self.errors)(block, values)? else { return Ok(None) };
        let begin: usize = sizes[..block].iter().sum();
        let mut all = before.to_vec();
        all[begin..begin + errors.len()].copy_from_slice(&errors);
        Ok(Some(all))
    }
}

const MOST_ITERATIONS: usize = 40;
/// Of the scale of a variable: large beside what solvers leave undecided, small beside what bends.
const DIFFERENCE: f64 = 1e-3;

/// Finds the values with the least squares. Nothing if the model breaks at the start already. `stepped` hears
/// of the start and of each step: its number, and half the sum of squares after it.
pub(crate) fn minimise<E>(
    mut problem: Problem<'_, '_, E>,
    stepped: &mut dyn FnMut(usize, f64),
) -> Result<Option<Found>, E> {
    let variables = problem.variables;
    let mut values: Vec<f64> = variables.iter().map(|v| v.start.clamp(v.low, v.high)).collect();
    let (mut residuals, mut sizes) = (Vec::with_capacity(problem.parts.len()), Vec::new());
    for block in 0..problem.blocks {
        let Some(errors) = (problem.errors)(block, &values)? else { return Ok(None) };
        sizes.push(errors.len());
        residuals.extend(errors);
    }
    let first = cost(&residuals);
    let (mut now, mut damping, mut iterations) = (first, 1e-3, 0);
    stepped(0, first);
    while iterations < MOST_ITERATIONS {
        iterations += 1;
        let jacobian = derivatives(&mut problem, &values, &residuals, &sizes)?;
        let (normal, gradient) = normal_equations(&jacobian, &residuals);
        let mut better = None;
        while damping < 1e10 {
            let next = step(variables, &values, &normal, &gradient, damping);
            let tried = problem.all(&next)?.filter(|tried| cost(tried) < now);
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
    let jacobian = derivatives(&mut problem, &values, &residuals, &sizes)?;
    let end = End { values, costs: (first, now), iterations };
    Ok(Some(finish(variables, problem.parts, end, &jacobian, &residuals)))
}

fn cost(residuals: &[f64]) -> f64 {
    0.5 * residuals.iter().map(|r| r * r).sum::<f64>()
}

/// Columns of derivatives, by differences to the side where there is room.
fn derivatives<E>(
    problem: &mut Problem<'_, '_, E>,
    values: &[f64],
    residuals: &[f64],
    sizes: &[usize],
) -> Result<Vec<Vec<f64>>, E> {
    let mut columns = Vec::with_capacity(values.len());
    for (place, variable) in problem.variables.iter().enumerate() {
        let size = DIFFERENCE * variable.scale();
        let size = if values[place] + size > variable.high { -size } else { size };
        let mut column = vec![0.0; residuals.len()];
        // Where the model breaks on one side, the other may do.
        for size in [size, -size] {
            let mut moved = values.to_vec();
            moved[place] += size;
            if let Some(tried) = problem.with_block(variable.block, &moved, residuals, sizes)? {
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

/// Where it ended.
struct End {
    values: Vec<f64>,
    costs: (f64, f64),
    iterations: usize,
}

fn finish(
    variables: &[Variable],
    parts: &[usize],
    end: End,
    jacobian: &[Vec<f64>],
    residuals: &[f64],
) -> Found {
    let End { values, costs, iterations } = end;
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
    let spread = inverse.as_ref().and_then(|inverse| spread(inverse, parts, jacobian, residuals));
    Found { values, costs, iterations, covariance, spread, effects }
}

/// With this much in one part, the others know nothing.
const ALL: f64 = 0.999;

/// How the z of the parts differ, by variable; none of fewer than three parts.
fn spread(
    inverse: &DMatrix<f64>,
    parts: &[usize],
    jacobian: &[Vec<f64>],
    residuals: &[f64],
) -> Option<Vec<Spread>> {
    let count = parts.iter().max()? + 1;
    let mut sizes = vec![0_usize; count];
    parts.iter().for_each(|part| sizes[*part] += 1);
    if count < 3 || sizes.contains(&0) {
        return None;
    }
    let of_variable = |variable: usize| {
        let (mut shares, mut adds) = (vec![0.0; count], vec![0.0; count]);
        for (place, (part, error)) in parts.iter().zip(residuals).enumerate() {
            let columns = jacobian.iter().enumerate();
            let alone: f64 =
                columns.map(|(other, column)| column[place] * inverse[(other, variable)]).sum();
            shares[*part] += alone * alone / inverse[(variable, variable)];
            // This is w z.
            adds[*part] += alone * error;
        }
        let both = || shares.iter().zip(&adds).filter(|(share, _)| **share > 0.0);
        let squares: f64 = both().map(|(share, add)| add * add / share).sum();
        let alike: f64 = shares.iter().map(|share| share * share).sum();
        let largest = shares.iter().copied().fold(0.0, f64::max);
        let deviation = (largest < ALL).then(|| (squares / (1.0 - alike)).sqrt());
        Spread { deviation, largest, effective: 1.0 / alike }
    };
    Some((0..jacobian.len()).map(of_variable).collect())
}

#[cfg(test)]
mod tests {
    use ironbird_kernel::RandomStream;

    use super::*;

    const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

    fn fit(
        starts: &[(f64, (f64, f64))],
        model: impl Fn(&[f64], f64) -> f64,
        truth: &[f64],
    ) -> Found {
        let variables: Vec<Variable> = starts
            .iter()
            .map(|&(start, (low, high))| Variable { start, low, high, block: None })
            .collect();
        let places: Vec<f64> = (0..200).map(|n| f64::from(n) * 0.02).collect();
        let mut errors = |_, x: &[f64]| -> Result<Option<Vec<f64>>, ()> {
            Ok(Some(places.iter().map(|t| model(x, *t) - model(truth, *t)).collect()))
        };
        let parts: Vec<usize> = (0..200).map(|n| n / 10).collect();
        let problem =
            Problem { variables: &variables, blocks: 1, parts: &parts, errors: &mut errors };
        minimise(problem, &mut |_, _| {}).unwrap().unwrap()
    }

    #[test]
    fn each_block_may_have_a_variable_of_its_own() {
        // Three lines with one slope, each with its own height.
        let free =
            |block| Variable { start: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY, block };
        let variables = [free(None), free(Some(0)), free(Some(1)), free(Some(2))];
        let heights = [1.0, -2.0, 5.0];
        let mut asked = [0; 3];
        let mut errors = |block: usize, x: &[f64]| -> Result<Option<Vec<f64>>, ()> {
            asked[block] += 1;
            let line = |n: usize| (x[0] - 3.0) * n as f64 + x[1 + block] - heights[block];
            Ok(Some((0..10 + block).map(line).collect()))
        };
        let parts: Vec<usize> = [vec![0; 10], vec![1; 11], vec![2; 12]].concat();
        let problem =
            Problem { variables: &variables, blocks: 3, parts: &parts, errors: &mut errors };
        let found = minimise(problem, &mut |_, _| {}).unwrap().unwrap();
        for (value, truth) in found.values.iter().zip([3.0, 1.0, -2.0, 5.0]) {
            assert!((value - truth).abs() < 1e-6, "{:?}", found.values);
        }
        // Each derivative asks for one block where it moves no other.
        assert!(asked.iter().all(|count| *count < 5 * (found.iterations + 2)), "{asked:?}");
    }

    #[test]
    fn deviations_are_those_of_values_that_parts_would_give() {
        // Five parts, each a constant that is off by so much: their mean is found, and how they differ.
        let off = [0.3, -0.1, 0.2, -0.5, 0.1];
        let variables = [Variable { start: 1.0, low: -9.0, high: 9.0, block: None }];
        let parts: Vec<usize> = (0..500).map(|n| n / 100).collect();
        let truth = parts.clone();
        let mut errors = |_, x: &[f64]| -> Result<Option<Vec<f64>>, ()> {
            Ok(Some(truth.iter().map(|part| x[0] - 2.0 - off[*part]).collect()))
        };
        let problem =
            Problem { variables: &variables, blocks: 1, parts: &parts, errors: &mut errors };
        let found = minimise(problem, &mut |_, _| {}).unwrap().unwrap();
        assert!((found.values[0] - 2.0).abs() < 1e-9);
        let expected = (off.iter().map(|x| x * x).sum::<f64>() / 4.0).sqrt();
        let spread = found.spread.unwrap()[0].deviation.unwrap();
        assert!((spread - expected).abs() < 1e-9, "{spread}, not {expected}");
        // As if 500 errors were independent it is smaller by their number.
        let hopeful = found.covariance.unwrap()[(0, 0)].sqrt();
        assert!(hopeful < 0.06 * expected, "{hopeful}");
    }

    /// The deviation that is told of a gain which differs from log to log by 0.1, where the input of each log
    /// has its own amplitude.
    fn told(amplitudes: &[f64], random: &mut RandomStream) -> f64 {
        const LENGTH: usize = 50;
        let gains: Vec<f64> = amplitudes.iter().map(|_| 2.0 + 0.1 * random.normal()).collect();
        let parts: Vec<usize> = (0..LENGTH * gains.len()).map(|n| n / LENGTH).collect();
        let input = |n: usize| amplitudes[n / LENGTH] * libm::sin(0.3 * (n % LENGTH) as f64);
        let output: Vec<f64> = (0..parts.len())
            .map(|n| gains[n / LENGTH] * input(n) + 0.01 * random.normal())
            .collect();
        let variables = [Variable { start: 1.5, low: 0.0, high: 9.0, block: None }];
        let mut errors = |_, x: &[f64]| -> Result<Option<Vec<f64>>, ()> {
            Ok(Some((0..output.len()).map(|n| x[0] * input(n) - output[n]).collect()))
        };
        let problem =
            Problem { variables: &variables, blocks: 1, parts: &parts, errors: &mut errors };
        let found = minimise(problem, &mut |_, _| {}).unwrap().unwrap();
        found.spread.unwrap()[0].deviation.unwrap()
    }

    #[test]
    fn logs_of_unequal_weight_tell_the_spread_of_their_values() {
        let cases: [&[f64]; 5] = [
            &[1.0; 4],
            &[5.0, 1.0, 1.0, 1.0],
            &[1.0, 5.0, 1.0, 1.0, 1.0, 1.0],
            &[10.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            &[0.1, 1.0, 1.0, 1.0],
        ];
        let mut random = RandomStream::from_key(20_261);
        for amplitudes in cases {
            const FLEETS: usize = 400;
            let mut all: Vec<f64> = (0..FLEETS).map(|_| told(amplitudes, &mut random)).collect();
            let mean = (all.iter().map(|s| s * s).sum::<f64>() / FLEETS as f64).sqrt();
            assert!((0.8..1.25).contains(&(mean / 0.1)), "{amplitudes:?}: {mean}, not 0.1");
            all.sort_by(f64::total_cmp);
            let median = all[FLEETS / 2];
            assert!((0.5..2.0).contains(&(median / 0.1)), "{amplitudes:?}: {median}, not 0.1");
        }
    }

    #[test]
    fn a_log_with_most_of_the_weight_is_told() {
        let parts: Vec<usize> = (0..40).map(|n| n / 10).collect();
        let input = |n: usize| if n < 10 { 5.0 } else { 1.0 };
        let variables = [Variable { start: 1.0, low: 0.0, high: 9.0, block: None }];
        let mut errors = |_, x: &[f64]| -> Result<Option<Vec<f64>>, ()> {
            Ok(Some((0..40).map(|n| (x[0] - 2.0) * input(n) - (n / 10) as f64).collect()))
        };
        let problem =
            Problem { variables: &variables, blocks: 1, parts: &parts, errors: &mut errors };
        let spread = minimise(problem, &mut |_, _| {}).unwrap().unwrap().spread.unwrap()[0];
        assert!((spread.largest - 25.0 / 28.0).abs() < 1e-9, "{spread:?}");
        assert!((spread.effective - 784.0 / 628.0).abs() < 1e-9, "{spread:?}");
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
