//! A rotor of [`LiftDrag`] blades on a spinning joint, averaged over a turn.
//!
//! At 838 rad/s and 1 kHz a blade turns by 0.84 rad a step. Where only what a rotor does over a turn matters, its
//! blades can be replaced by
//!
//! ```text
//! F(Ω, v, ω) = 1/N Σₖ R(ψₖ) Σ_blades f(v_b, ρ)        v_b = R(ψₖ)ᵀ v + (R(ψₖ)ᵀ ω + Ω a) × cp
//! M(Ω, v, ω) = 1/N Σₖ R(ψₖ) Σ_blades cp × f           ψₖ = 2π k/N about the axis a
//! ```
//!
//! with v the velocity of the hub through the air and ω the rates of its carrier. The sum is the rectangle rule of a
//! periodic function: exact for all harmonics below N, and exact for any N in axial flow, where every azimuth is like
//! another. With a hub speed of a third of the blades' the sixth harmonic is some 1e-3 of the mean.
//!
//! The rotor itself then becomes part of its carrier with its averaged inertia
//! ([`LinkInertia::averaged_about`](crate::joints::LinkInertia::averaged_about)), and its speed a number of its own: with
//! J about the axis and τ the torque of its motor, J (Ω' + a · ω') = τ + M · a, while the carrier feels F, M without its
//! part along a, -τ a, and -ω × J Ω a.
//!
//! In hover, with blades at right angles to the axis at radius r: T = n ½ ρ A cla a₀ (Ω r)², Q = r n ½ ρ A cda a₀ (Ω r)².

use ironbird_kinematics::Wrench;
use nalgebra::{Rotation3, Unit, Vector3};

use super::{AeroError, LiftDrag, directions};

const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;

/// Cosines and sines of six azimuths.
const AZIMUTHS: [(f64, f64); 6] = [
    (1.0, 0.0),
    (0.5, HALF_ROOT_3),
    (-0.5, HALF_ROOT_3),
    (-1.0, 0.0),
    (-0.5, -HALF_ROOT_3),
    (0.5, -HALF_ROOT_3),
];

/// Blades of a rotor, in the axes of its link while its joint is at zero, with the origin in the hub.
#[derive(Clone, Debug, PartialEq)]
pub struct BladeRotor {
    axis: Vector3<f64>,
    /// Blades that differ, and how many there are of each.
    blades: Vec<(LiftDrag, f64)>,
}

/// What the air does to a rotor, averaged over a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BladeLoads {
    /// Force, and moment about the hub, in the axes of the carrier. The moment holds that about the axis, too.
    pub wrench: Wrench,
    /// The moment about the axis: what brakes the shaft.
    pub torque: f64,
}

impl BladeRotor {
    /// Of its axis of rotation and its blades.
    pub fn new(axis: &Vector3<f64>, blades: &[LiftDrag]) -> Result<Self, AeroError> {
        let (axis, _) = directions(axis, &super::lift_drag::across(axis))?;
        let mut different: Vec<(LiftDrag, f64)> = Vec::new();
        for blade in blades {
            match different.iter_mut().find(|(other, _)| same_turned(&axis, other, blade)) {
                Some((_, number)) => *number += 1.0,
                None => different.push((*blade, 1.0)),
            }
        }
        Ok(BladeRotor { axis, blades: different })
    }

    /// Loads at a speed in rad/s, from the velocity of the hub through the air and the rates of the carrier, both in
    /// its axes, and the density of the air.
    pub fn loads(
        &self,
        speed: f64,
        velocity: &Vector3<f64>,
        rates: &Vector3<f64>,
        density: f64,
    ) -> BladeLoads {
        let axis = &self.axis;
        let (flow, turning) = (Split::new(axis, velocity), Split::new(axis, rates));
        let axial = flow.across == Vector3::zeros() && turning.across == Vector3::zeros();
        let azimuths = if axial { &AZIMUTHS[..1] } else { &AZIMUTHS[..] };
        let mut wrench = Wrench::default();
        for &(cosine, sine) in azimuths {
            let (flow, turning) =
                (flow.turned(cosine, -sine), turning.turned(cosine, -sine) + axis * speed);
            let mut here = Wrench::default();
            for (blade, number) in &self.blades {
                let cp = &blade.surface().cp;
                here.push(blade.force(&(flow + turning.cross(cp)), density, 0.0) * *number, cp);
            }
            if axial {
                // Blades all around: what is across the axis cancels.
                wrench.force = axis * axis.dot(&here.force);
                wrench.moment = axis * axis.dot(&here.moment);
            } else {
                wrench.force += Split::new(axis, &here.force).turned(cosine, sine);
                wrench.moment += Split::new(axis, &here.moment).turned(cosine, sine);
            }
        }
        let share = 1.0 / azimuths.len() as f64;
        wrench.force *= share;
        wrench.moment *= share;
        BladeLoads { torque: axis.dot(&wrench.moment), wrench }
    }
}

/// A vector as parts along an axis, across it, and the latter turned by a quarter.
struct Split {
    along: Vector3<f64>,
    across: Vector3<f64>,
    quarter: Vector3<f64>,
}

impl Split {
    #[inline]
    fn new(axis: &Vector3<f64>, vector: &Vector3<f64>) -> Self {
        let along = axis * axis.dot(vector);
        Split { along, across: vector - along, quarter: axis.cross(vector) }
    }

    #[inline]
    fn turned(&self, cosine: f64, sine: f64) -> Vector3<f64> {
        self.along + self.across * cosine + self.quarter * sine
    }
}

/// Whether a blade is another one turned about the axis.
fn same_turned(axis: &Vector3<f64>, first: &LiftDrag, second: &LiftDrag) -> bool {
    let (a, b) = (first.surface(), second.surface());
    let (from, to) = (Split::new(axis, &a.cp).across, Split::new(axis, &b.cp).across);
    let angle = libm::atan2(axis.dot(&from.cross(&to)), from.dot(&to));
    let turn = Rotation3::from_axis_angle(&Unit::new_unchecked(*axis), angle);
    let turned = super::Surface {
        cp: turn * a.cp,
        forward: turn * a.forward,
        upward: turn * a.upward,
        ..*b
    };
    let vectors = (turned.cp - b.cp).norm()
        + (turned.forward - b.forward).norm()
        + (turned.upward - b.upward).norm();
    let numbers = super::Surface { cp: a.cp, forward: a.forward, upward: a.upward, ..*b } == *a;
    numbers && vectors < 1e-9
}
