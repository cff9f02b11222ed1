//! Continuous turbulence by Dryden's spectra: MIL-F-8785C, section 3.7.1.2 and 3.7.3.
//!
//! Spectra over the spatial frequency Ω = ω/V, one-sided (their integral from 0 is the variance):
//!
//! ```text
//! Φ_u = σ_u² 2 L_u/π · 1 / (1 + (L_u Ω)²)
//! Φ_v = σ_v² L_v/π · (1 + 3 (L_v Ω)²) / (1 + (L_v Ω)²)²                            w alike
//! Φ_p = σ_w²/L_w · 0.8 (π L_w/(4 b))^(1/3) / (1 + (4 b Ω/π)²)
//! Φ_q = Ω² / (1 + (4 b Ω/π)²) · Φ_w        Φ_r = Ω² / (1 + (3 b Ω/π)²) · Φ_v
//! ```
//!
//! MIL-HDBK-1797 writes the same spectra with half of L_v and L_w. u, v and w are velocities of the air
//! along x, y and z; p, q and r its angular velocity. With a frozen field that the vehicle crosses at V,
//!
//! ```text
//! q = -∂w/∂x = -w'/V,   r = ∂v/∂x = v'/V
//! ```
//!
//! smoothed by the span. (The specification has the signs of what a vehicle feels, -q and -r.)
//!
//! - `scales`: lengths and intensities over the height;
//! - `filters`: the noise filters, discretised exactly;
//! - `field`: what one vehicle meets, for whoever flies several; `turbulence` is the component.

mod field;
mod filters;
mod scales;
mod turbulence;

pub use field::{DrydenField, Gusts};
pub use scales::{Intensity, Scales};
pub use turbulence::{DrydenTurbulence, TurbulenceAxes, TurbulenceScales};
