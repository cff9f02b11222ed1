//! A lifting surface by the law of Gazebo's LiftDrag plugin.
//!
//! With v the velocity of the centre of pressure through the air, f forward, u upward (unit vectors of the link):
//!
//! ```text
//! s = f × u/|f × u|                    spanwise; with radial symmetry u = f × (f × v), made unit
//! v_p = v - s (s · v)                  in the plane of lift and drag
//! l = s × v_p/|v_p|                    direction of lift
//! κ = 1 - (s · v/|v|)²                 for sweep
//! α = a₀ ± ∠(u, l)                     + where l · f ≥ 0; brought within a quarter turn
//! C(slope) = κ slope α                                    |α| ≤ α_s
//!          = κ (slope α_s + slope_stall (α - α_s))        α > α_s, likewise below -α_s
//! C_L = C(cla), not below 0 beyond α_s nor above 0 beyond -α_s;  + rad_to_cl · control angle
//! C_D = |C(cda)|
//! F = ½ ρ |v_p|² A (C_L l - C_D v_p/|v_p|)                at the centre of pressure
//! ```
//!
//! No force where |v| ≤ 0.01 m/s or where the flow comes from behind (v · f ≤ 0). Drag is in proportion to the angle
//! of attack *with* a₀. The plugin reads coefficients of a pitching moment, and sets the moment to zero; so do we.
//! Angles are found with `atan2` instead of the plugin's `acos`, whose error near zero is some 1e-8.
//!
//! Sources: the plugin's description of its parameters (gz-sim, system LiftDrag) and J. Hsu, *Aerodynamics* (Gazebo
//! classic tutorials).

use std::f64::consts::{FRAC_PI_2, PI};

use nalgebra::{Isometry3, Vector3};

use super::{AeroError, directions, finite};

/// Numbers of a lifting surface, named as in files. Vectors are in the axes of its link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Angle of attack in rad where the flow comes along `forward`.
    pub a0: f64,
    /// Slope of lift per rad.
    pub cla: f64,
    /// Slope of drag per rad.
    pub cda: f64,
    /// Angle of attack in rad where it stalls.
    pub alpha_stall: f64,
    /// Slope of lift beyond.
    pub cla_stall: f64,
    /// Slope of drag beyond.
    pub cda_stall: f64,
    /// Area in m².
    pub area: f64,
    /// Density of the air in kg/m³ that the file assumes.
    pub air_density: f64,
    /// Centre of pressure in m.
    pub cp: Vector3<f64>,
    /// Direction against which the air comes.
    pub forward: Vector3<f64>,
    /// Direction of lift.
    pub upward: Vector3<f64>,
    /// Whether any direction across `forward` is as good as another.
    pub radial_symmetry: bool,
    /// Lift coefficient per rad of a control joint.
    pub control_joint_rad_to_cl: f64,
}

/// What the plugin assumes where a file says nothing.
impl Default for Surface {
    fn default() -> Self {
        Surface {
            a0: 0.0,
            cla: 1.0,
            cda: 0.01,
            alpha_stall: FRAC_PI_2,
            cla_stall: 0.0,
            cda_stall: 1.0,
            area: 1.0,
            air_density: 1.2041,
            cp: Vector3::zeros(),
            forward: Vector3::x(),
            upward: Vector3::z(),
            radial_symmetry: false,
            control_joint_rad_to_cl: 4.0,
        }
    }
}

impl Surface {
    /// The same in another frame, where `place` is the place of this one: see
    /// [`Attachment`](crate::joints::Attachment).
    pub fn placed(&self, place: &Isometry3<f64>) -> Self {
        Surface {
            cp: place.rotation * self.cp + place.translation.vector,
            forward: place.rotation * self.forward,
            upward: place.rotation * self.upward,
            ..*self
        }
    }
}

/// A lifting surface, ready to be asked for its force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiftDrag {
    surface: Surface,
    /// f × u made unit, and u × s, which is f where f and u are at right angles.
    spanwise: Vector3<f64>,
    chordwise: Vector3<f64>,
}

impl LiftDrag {
    /// From its numbers.
    pub fn new(surface: &Surface) -> Result<Self, AeroError> {
        let s = surface;
        finite("the centre of pressure", s.cp.as_slice())?;
        finite("a coefficient", &[s.a0, s.cla, s.cda, s.alpha_stall, s.cla_stall, s.cda_stall])?;
        finite("area, density or control", &[s.area, s.air_density, s.control_joint_rad_to_cl])?;
        let upward = if s.radial_symmetry { across(&s.forward) } else { s.upward };
        let (forward, upward) = directions(&s.forward, &upward)?;
        let spanwise = forward.cross(&upward).normalize();
        let chordwise = upward.cross(&spanwise);
        Ok(LiftDrag { surface: Surface { forward, upward, ..*surface }, spanwise, chordwise })
    }

    /// Its numbers.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The force in N on the centre of pressure, in the axes of the link, from the centre's velocity through the air
    /// in the same axes, the density of the air and the angle of the control joint (0 without one).
    #[inline]
    pub fn force(&self, velocity: &Vector3<f64>, density: f64, control: f64) -> Vector3<f64> {
        let surface = &self.surface;
        let speed_squared = velocity.norm_squared();
        // Written so that a velocity that is no number gives no force.
        if !(speed_squared > 1e-4 && surface.forward.dot(velocity) > 0.0) {
            return Vector3::zeros();
        }
        let (upward, spanwise, chordwise) = if surface.radial_symmetry {
            let inflow = surface.forward * surface.forward.dot(velocity) - velocity;
            let length = inflow.norm();
            if length > 1e-12 * speed_squared {
                let upward = inflow / length;
                (upward, surface.forward.cross(&upward), surface.forward)
            } else {
                // Straight from the front every direction is upward; without lift it does not matter which.
                (surface.upward, self.spanwise, self.chordwise)
            }
        } else {
            (surface.upward, self.spanwise, self.chordwise)
        };
        let across = spanwise.dot(velocity);
        let in_plane = velocity - spanwise * across;
        let lift_direction = spanwise.cross(&in_plane);
        let angle = libm::atan2(upward.dot(velocity).abs(), chordwise.dot(velocity));
        let signed = if lift_direction.dot(&surface.forward) >= 0.0 { angle } else { -angle };
        let mut alpha = surface.a0 + signed;
        if alpha.abs() > FRAC_PI_2 {
            alpha -= PI * libm::round(alpha / PI);
        }
        let sweep = 1.0 - across * across / speed_squared;
        let (lift, drag) = self.coefficients(alpha, sweep);
        let lift = lift + surface.control_joint_rad_to_cl * control;
        let pressure = 0.5 * density * surface.area * in_plane.norm();
        lift_direction * (lift * pressure) - in_plane * (drag * pressure)
    }

    #[inline]
    fn coefficients(&self, alpha: f64, sweep: f64) -> (f64, f64) {
        let surface = &self.surface;
        let stall = surface.alpha_stall;
        if alpha > stall {
            let beyond = alpha - stall;
            let lift = (surface.cla * stall + surface.cla_stall * beyond) * sweep;
            let drag = (surface.cda * stall + surface.cda_stall * beyond) * sweep;
            (lift.max(0.0), drag.abs())
        } else if alpha < -stall {
            let beyond = alpha + stall;
            let lift = (-surface.cla * stall + surface.cla_stall * beyond) * sweep;
            let drag = (-surface.cda * stall + surface.cda_stall * beyond) * sweep;
            (lift.min(0.0), drag.abs())
        } else {
            (surface.cla * alpha * sweep, (surface.cda * alpha * sweep).abs())
        }
    }
}

/// Some direction across another.
pub(super) fn across(direction: &Vector3<f64>) -> Vector3<f64> {
    let axis = direction.iamin();
    let mut unit = Vector3::zeros();
    unit[axis] = 1.0;
    unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wing() -> Surface {
        Surface {
            a0: 0.13,
            cla: 3.7,
            cda: 0.0642,
            alpha_stall: 0.339,
            cla_stall: -3.85,
            cda_stall: -0.92,
            area: 0.5,
            ..Surface::default()
        }
    }

    fn force(surface: Surface, velocity: [f64; 3]) -> Vector3<f64> {
        LiftDrag::new(&surface).unwrap().force(&Vector3::from(velocity), 1.2041, 0.0)
    }

    fn near(found: Vector3<f64>, wanted: [f64; 3]) {
        assert!(
            (found - Vector3::from(wanted)).norm() < 1e-12 * (1.0 + found.norm()),
            "{found} {wanted:?}"
        );
    }

    #[test]
    fn straight_flow_lifts_and_drags_by_a0() {
        let q = 0.5 * 1.2041 * 400.0 * 0.5;
        near(force(wing(), [20.0, 0.0, 0.0]), [-q * 0.0642 * 0.13, 0.0, q * 3.7 * 0.13]);
    }

    #[test]
    fn sinking_adds_to_the_angle_of_attack() {
        let (sink, q) = (0.1, 0.5 * 1.2041 * 400.0 * 0.5);
        let (lift, drag) = (q * 3.7 * 0.23, q * 0.0642 * 0.23);
        let (sine, cosine) = libm::sincos(sink);
        let wanted = [lift * sine - drag * cosine, 0.0, lift * cosine + drag * sine];
        near(force(wing(), [20.0 * cosine, 0.0, -20.0 * sine]), wanted);
    }

    #[test]
    fn beyond_stall_lift_falls_but_not_below_zero() {
        let at = |alpha: f64| {
            let (sine, cosine) = libm::sincos(alpha - 0.13);
            let found = force(wing(), [10.0 * cosine, 0.0, -10.0 * sine]);
            let q = 0.5 * 1.2041 * 100.0 * 0.5;
            let lift = (found.x * sine + found.z * cosine) / q;
            let drag = (-found.x * cosine + found.z * sine) / q;
            (lift, drag)
        };
        let (lift, drag) = at(0.5);
        assert!((lift - (3.7 * 0.339 - 3.85 * 0.161)).abs() < 1e-12, "{lift}");
        assert!((drag - (0.0642 * 0.339 - 0.92 * 0.161_f64).abs()).abs() < 1e-12);
        assert!(at(1.2).0.abs() < 1e-12);
        let (lift, _) = at(-0.4);
        assert!((lift - (-3.7 * 0.339 + 3.85 * 0.061)).abs() < 1e-12, "{lift}");
    }

    #[test]
    fn sweep_counts_the_flow_across_only() {
        // At 45 degrees: half of the square of the speed in the plane, and κ = 1/2.
        let straight = force(wing(), [20.0, 0.0, 0.0]);
        near(force(wing(), [20.0, 20.0, 0.0]), [straight.x / 2.0, 0.0, straight.z / 2.0]);
    }

    #[test]
    fn flow_from_behind_slow_flow_and_no_flow_do_nothing() {
        for velocity in
            [[-5.0, 0.0, 1.0], [0.009, 0.0, 0.0], [0.0; 3], [f64::NAN, 1.0, 0.0], [0.0, 3.0, 0.0]]
        {
            assert_eq!(force(wing(), velocity), Vector3::zeros());
        }
    }

    #[test]
    fn a_control_joint_adds_lift() {
        let elevon = Surface { control_joint_rad_to_cl: -5.0, ..wing() };
        let found = LiftDrag::new(&elevon).unwrap().force(&Vector3::new(20.0, 0.0, 0.0), 1.0, 0.02);
        assert!((found.z - 0.5 * 400.0 * 0.5 * (3.7 * 0.13 - 0.1)).abs() < 1e-12);
    }

    #[test]
    fn a_round_body_lifts_against_any_inflow() {
        let round = Surface { a0: 0.0, radial_symmetry: true, ..wing() };
        let found = force(round, [20.0, 0.0, -2.0]);
        let turned = force(round, [20.0, 2.0, 0.0]);
        assert!((found.z + turned.y).abs() < 1e-12 && found.z > 0.0, "{found} {turned}");
    }

    #[test]
    fn the_frame_does_not_matter() {
        // Forward, left, up and forward, starboard, down see the same force.
        let turn = Isometry3::rotation(Vector3::x() * PI);
        let found = force(wing().placed(&turn), [20.0, 1.0, 2.0]);
        near(turn.rotation * found, force(wing(), [20.0, -1.0, -2.0]).into());
    }

    #[test]
    fn surfaces_without_directions_are_refused() {
        let refused = |surface: Surface| LiftDrag::new(&surface).unwrap_err().to_string();
        assert!(
            refused(Surface { forward: Vector3::zeros(), ..wing() })
                .starts_with("forward is [0.0, 0.0, 0.0]")
        );
        assert!(refused(Surface { upward: Vector3::x(), ..wing() }).contains("across forward"));
        assert!(refused(Surface { area: f64::NAN, ..wing() }).contains("finite"));
    }
}
