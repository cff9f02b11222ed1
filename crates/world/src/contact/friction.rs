//! The friction of one contact, given the impulses of all others and its own normal one.
//!
//! With W the 2x2 block Jt M⁻¹ Jtᵀ, λ the impulse, s the slip Jt u and r = μ λn:
//!
//! ```text
//! s + W (λ' - λ) = -α λ',    |λ'| ≤ r,    α ≥ 0,    α (r - |λ'|) = 0
//! ```
//!
//! So it sticks, α = 0, or slides with an impulse of length r that points exactly against what is left of the slip,
//! whatever W is. With a step of its own for each tangent and the result scaled back onto the disc it would not, and a
//! long body would leave its course. The length of (W + α I)⁻¹ (W λ - s) falls with α, so α follows from one equation,
//! solved for the inverse of the length as in a trust region (J. J. Moré, D. C. Sorensen, *Computing a trust region
//! step*, 1983): from the left of its root Newton's method never passes it.

/// Newton's steps at most; two or three are usual.
const MOST_STEPS: usize = 30;

/// The impulse λ' of a contact that has `old`, slips by `slip` with that, gives way by `across` (W's elements 11, 12
/// and 22), and cannot hold more than `limit`.
#[inline]
pub(super) fn impulse(across: [f64; 3], old: [f64; 2], slip: [f64; 2], limit: f64) -> [f64; 2] {
    let [a, b, c] = across;
    // Nothing gives way, or nothing holds.
    if !(a + c > 0.0 && limit > 0.0) {
        return [0.0; 2];
    }
    let wanted = [a * old[0] + b * old[1] - slip[0], b * old[0] + c * old[1] - slip[1]];
    let length = norm(wanted);
    if length == 0.0 {
        return [0.0; 2];
    }
    // The largest and the smallest eigenvalue of W.
    let (middle, half) = (0.5 * (a + c), norm([0.5 * (a - c), b]));
    let (stiff, soft) = (middle + half, (middle - half).max(0.0));
    if soft > 1e-12 * stiff {
        let sticking = solve(across, 0.0, wanted);
        if norm(sticking) <= limit {
            return sticking;
        }
    }
    let mut alpha = (length / limit - stiff).max(1e-12 * stiff);
    let mut found = solve(across, alpha, wanted);
    for _ in 0..MOST_STEPS {
        let size = norm(found);
        let excess = size / limit - 1.0;
        if excess <= 1e-15 {
            break;
        }
        // d|λ'|²/dα = -2 λ'ᵀ (W + α I)⁻¹ λ'
        let turned = solve(across, alpha, found);
        let step = excess * size * size / (found[0] * turned[0] + found[1] * turned[1]);
        if step.is_nan() || step <= 1e-16 * (alpha + stiff) {
            break;
        }
        alpha += step;
        found = solve(across, alpha, wanted);
    }
    let size = norm(found);
    if size > limit { found.map(|part| part * (limit / size)) } else { found }
}

/// (W + α I)⁻¹ v
#[inline]
fn solve([a, b, c]: [f64; 3], alpha: f64, v: [f64; 2]) -> [f64; 2] {
    let (a, c) = (a + alpha, c + alpha);
    let determinant = a * c - b * b;
    [(c * v[0] - b * v[1]) / determinant, (a * v[1] - b * v[0]) / determinant]
}

#[inline]
fn norm(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}
