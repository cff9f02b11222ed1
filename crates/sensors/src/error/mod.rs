//! How wrong a sensor is: one error model for all of them, for each axis by itself.
//!
//! ```text
//! x(t) = (1 + scale + scale_spread·n₀) u(t)                  scale factor
//!      + bias + bias_spread·n₁                               fixed and turn-on bias
//!      + ∫ drift dt                                          ramp
//!      + w(t)       w' = random_walk · white noise           random walk of the bias
//!      + g(t)       g' = -g/τ + √(2/τ)·instability·white noise   Gauss-Markov process
//!      + noise·n + noise_density·white noise
//! reading = x, to the nearest multiple of `quantisation`, then held within ±`saturation`
//! ```
//!
//! u is the truth, the n are normal with deviation one; n₀ and n₁ are drawn once, at the start. Between
//! two samples that lie Δ apart all is discretised exactly, whatever the rate and whatever the gap:
//!
//! ```text
//! w += random_walk·√Δ·n
//! g = φ g + √(1 - φ²)·instability·n,  φ = exp(-Δ/τ);  at the start g = instability·n
//! noise of a sample: deviation √(noise² + noise_density²/T)
//! ```
//!
//! T is the time between two ticks: a sample is the mean over the time since the tick before. The first
//! sample has none before it, and of the white noise only `noise`.
//!
//! | term | IEEE Std 952 | Allan deviation at τ |
//! |---|---|---|
//! | `noise_density` | N, angle (velocity) random walk | N/√τ |
//! | `random_walk` | K, rate (acceleration) random walk | K √(τ/3) |
//! | `drift` | R, rate ramp | R τ/√2 |
//! | `instability` σ | exponentially correlated noise, q_c = σ √(2/τ_c) | at most 0.618 σ, at 1.89 τ_c |
//! | `quantisation` q | of the reading, not of its integral: white where the reading moves by some q | q √(T/(12 τ)) |
//!
//! Sources: O. Woodman, *An introduction to inertial navigation*, UCAM-CL-TR-696, 2007, section 3.2;
//! IEEE Std 952-1997, annex C; IEEE Std 1293-1998 has the same terms for accelerometers.

mod model;
mod terms;

pub(crate) use model::ErrorModel;
pub use terms::{AccelerationError, AngleError, AngularRateError, PressureError, SpeedError};
pub(crate) use terms::{ErrorTerms, Terms};
