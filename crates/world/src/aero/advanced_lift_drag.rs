//! A wing or a whole aeroplane by the law of PX4's AdvancedLiftDrag plugin: derivatives as AVL gives them, and stall.
//!
//! With v the velocity of the reference point through the air, and the axes x = forward, z = -upward, y = z × x:
//!
//! ```text
//! v_p = v - y (y · v),  V = |v_p|                      x_s = v_p/V,  z_s = x_s × y
//! α = atan2(x_s · z, x_s · x)                          β = atan2(v · y, v · x)
//! p, q, r = ω · x, y, z                                b = √(A AR),  c the mean chord (A/b where none is given)
//! σ = (1 + e^(-M(α-α_s)) + e^(M(α+α_s)))/((1 + e^(-M(α-α_s))) (1 + e^(M(α+α_s))))            0 attached, 1 stalled
//! C_L = (1-σ)(CL0 + CLa α) + σ 2 sgn α sin²α cos α + CLb β + controls
//! C_D = (1-σ)(CD0 + C_L²/(π AR e)) + σ |CD_fp (½ - ½ cos 2α)| + controls,  CD_fp = 2/(1 + e^(k₁ + k₂ max(AR, 1/AR)))
//! C_Y = CYa α + CYb β + controls
//! C_l = Cella α + Cellb β + controls                   C_n = Cena α + Cenb β + controls
//! C_m = Cem0 + Cema α + Cemb β + controls              beyond ±α_s with slope Cema_stall
//! F = ½ ρ A ((-z_s) (C_L V² + V rates_L) - x_s (C_D V² + V rates_D) + y (C_Y V² + V rates_Y))
//! M = ½ ρ A (x b (C_l V² + V rates_l) + y c (C_m V² + V rates_m) + z b (C_n V² + V rates_n))
//! rates_i = C_ip p b/2 + C_iq q c/2 + C_ir r b/2       control: its direction · coefficient · angle in *degrees*
//! ```
//!
//! The plugin as released writes C_m = Cemb β + controls over what it has computed before, so that Cem0, Cema and
//! Cema_stall have no effect; its description says otherwise. [`Wing::pitching_as_released`] chooses.
//!
//! Sources: the description of the plugin's parameters (gz-sim, system AdvancedLiftDrag; PX4, *Advanced Lift Drag
//! Plugin*); the blend of R. W. Beard and T. W. McLain, *Small Unmanned Aircraft*, 2012, equations 4.9 and 4.10.

use std::f64::consts::PI;

use ironbird_kinematics::Wrench;
use nalgebra::Vector3;

use super::wing::Wing;
use super::{AeroError, directions, finite};

/// A wing, ready to be asked for its force.
#[derive(Clone, Debug, PartialEq)]
pub struct AdvancedLiftDrag {
    wing: Wing,
    /// x, y, z of the wing in the link.
    axes: [Vector3<f64>; 3],
    span: f64,
    plate_drag: f64,
}

impl AdvancedLiftDrag {
    /// From its numbers.
    pub fn new(wing: &Wing) -> Result<Self, AeroError> {
        let (forward, upward) = directions(&wing.forward, &wing.upward)?;
        finite("the reference point", wing.cp.as_slice())?;
        for set in
            [&wing.zero, &wing.alpha, &wing.beta, &wing.roll_rate, &wing.pitch_rate, &wing.yaw_rate]
        {
            finite("a coefficient", &set.numbers())?;
        }
        for control in &wing.controls {
            finite("a coefficient of a control surface", &control.per_degree.numbers())?;
            finite("the direction of a control surface", &[control.direction])?;
        }
        finite(
            "stall or blend",
            &[wing.alpha_stall, wing.cema_stall, wing.blend, wing.plate.0, wing.plate.1],
        )?;
        for (what, value) in [
            ("the area", wing.area),
            ("the aspect ratio", wing.aspect_ratio),
            ("the efficiency", wing.efficiency),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(AeroError {
                    what,
                    value: value.to_string(),
                    remedy: "give a positive number",
                });
            }
        }
        let span = (wing.area * wing.aspect_ratio).sqrt();
        let chord = if wing.chord.abs() <= 1e-9 { wing.area / span } else { wing.chord };
        finite("the chord", &[chord])?;
        let slender = wing.aspect_ratio.max(1.0 / wing.aspect_ratio);
        let plate_drag = 2.0 / (1.0 + libm::exp(wing.plate.0 + wing.plate.1 * slender));
        let axes = [forward, (-upward).cross(&forward), -upward];
        Ok(AdvancedLiftDrag { wing: Wing { chord, ..wing.clone() }, axes, span, plate_drag })
    }

    /// Its numbers.
    pub fn wing(&self) -> &Wing {
        &self.wing
    }

    /// Force on the reference point and moment about it, in the axes of the link, from the point's velocity through
    /// the air and the link's rates in the same axes, the density of the air and the angles in rad of the control
    /// joints, in the order of the surfaces; those that are not given are at zero.
    pub fn wrench(
        &self,
        velocity: &Vector3<f64>,
        rates: &Vector3<f64>,
        density: f64,
        angles: impl IntoIterator<Item = f64>,
    ) -> Wrench {
        let [x, y, z] = &self.axes;
        let wing = &self.wing;
        let in_plane = velocity - y * y.dot(velocity);
        let speed = in_plane.norm();
        if !(velocity.norm_squared() > 1e-4 && speed > 1e-9) {
            return Wrench::default();
        }
        let along = in_plane / speed;
        let down = along.cross(y);
        let alpha = libm::atan2(along.dot(z), along.dot(x));
        let beta = libm::atan2(velocity.dot(y), velocity.dot(x));
        let steady = self.steady(alpha, beta, angles);
        let half = [rates.dot(x) * self.span, rates.dot(y) * wing.chord, rates.dot(z) * self.span]
            .map(|v| v / 2.0);
        let sets = [wing.roll_rate.numbers(), wing.pitch_rate.numbers(), wing.yaw_rate.numbers()];
        let scale = 0.5 * density * wing.area * speed;
        let total: [f64; 6] = std::array::from_fn(|i| {
            let turning = sets[0][i] * half[0] + sets[1][i] * half[1] + sets[2][i] * half[2];
            scale * (steady[i] * speed + turning)
        });
        let [lift, drag, side, roll, pitch, yaw] = total;
        Wrench {
            force: y * side - down * lift - along * drag,
            moment: x * (roll * self.span) + y * (pitch * wing.chord) + z * (yaw * self.span),
        }
    }

    /// The six coefficients without rates.
    fn steady(&self, alpha: f64, beta: f64, angles: impl IntoIterator<Item = f64>) -> [f64; 6] {
        let wing = &self.wing;
        let mut controls = [0.0; 6];
        for (control, angle) in wing.controls.iter().zip(angles) {
            let degrees = control.direction * angle.to_degrees();
            for (sum, slope) in controls.iter_mut().zip(control.per_degree.numbers()) {
                *sum += slope * degrees;
            }
        }
        let (sine, cosine) = libm::sincos(alpha);
        let above = libm::exp(-wing.blend * (alpha - wing.alpha_stall));
        let below = libm::exp(wing.blend * (alpha + wing.alpha_stall));
        // 1/(1 + e) + 1/(1 + e') - their product is the same as the quotient, and is a number for any exponent.
        let (attached_above, attached_below) = (1.0 / (1.0 + above), 1.0 / (1.0 + below));
        let stalled = attached_above + attached_below - attached_above * attached_below;
        let sign = if alpha > 0.0 { 1.0 } else { -1.0 };
        let lift = (1.0 - stalled) * (wing.zero.lift + wing.alpha.lift * alpha)
            + stalled * 2.0 * sign * sine * sine * cosine
            + wing.beta.lift * beta
            + controls[0];
        // ½ - ½ cos 2α = sin²α
        let drag = (1.0 - stalled)
            * (wing.zero.drag + lift * lift / (PI * wing.aspect_ratio * wing.efficiency))
            + stalled * (self.plate_drag * sine * sine).abs()
            + controls[1];
        let within = alpha.clamp(-wing.alpha_stall.abs(), wing.alpha_stall.abs());
        let pitch = if wing.pitching_as_released {
            0.0
        } else {
            wing.zero.pitch + wing.alpha.pitch * within + wing.cema_stall * (alpha - within)
        };
        [
            lift,
            drag,
            wing.alpha.side * alpha + wing.beta.side * beta + controls[2],
            wing.alpha.roll * alpha + wing.beta.roll * beta + controls[3],
            pitch + wing.beta.pitch * beta + controls[4],
            wing.alpha.yaw * alpha + wing.beta.yaw * beta + controls[5],
        ]
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Isometry3;

    use super::*;
    use crate::aero::{ControlSurface, Derivatives};

    /// PX4's advanced plane.
    fn plane() -> Wing {
        Wing {
            zero: Derivatives {
                lift: 0.15188,
                drag: 0.029,
                pitch: 0.075,
                ..Derivatives::default()
            },
            alpha: Derivatives { lift: 5.015, pitch: -0.464, ..Derivatives::default() },
            beta: Derivatives {
                side: -0.258,
                roll: -0.0393,
                yaw: 0.1008,
                ..Derivatives::default()
            },
            roll_rate: Derivatives {
                side: 0.0659,
                roll: -0.4874,
                yaw: -0.0404,
                ..Derivatives::default()
            },
            pitch_rate: Derivatives {
                lift: 7.972,
                drag: 0.0552,
                pitch: -12.14,
                ..Derivatives::default()
            },
            yaw_rate: Derivatives {
                side: 0.2303,
                roll: 0.0782,
                yaw: -0.0899,
                ..Derivatives::default()
            },
            alpha_stall: 0.339,
            area: 0.34,
            aspect_ratio: 6.5,
            chord: 0.22,
            efficiency: 0.97,
            controls: vec![ControlSurface {
                direction: -1.0,
                per_degree: Derivatives { lift: 0.01, pitch: -0.02, ..Derivatives::default() },
            }],
            ..Wing::default()
        }
    }

    const Q: f64 = 0.5 * 1.2 * 225.0 * 0.34;

    fn wrench(wing: &Wing, velocity: [f64; 3], rates: [f64; 3], angles: &[f64]) -> Wrench {
        let angles = angles.iter().copied();
        AdvancedLiftDrag::new(wing).unwrap().wrench(&velocity.into(), &rates.into(), 1.2, angles)
    }

    #[test]
    fn straight_flight_has_the_coefficients_of_no_angle() {
        // Stall is far: σ is some e^-5, and takes its part.
        let wing = Wing { blend: 200.0, ..plane() };
        let found = wrench(&wing, [15.0, 0.0, 0.0], [0.0; 3], &[]);
        let drag = 0.029 + 0.15188 * 0.15188 / (PI * 6.5 * 0.97);
        assert!(
            (found.force - Vector3::new(-Q * drag, 0.0, Q * 0.15188)).norm() < 1e-12,
            "{}",
            found.force
        );
        // Nose up is a turn about -y where y points to port.
        assert!(
            (found.moment - Vector3::new(0.0, -Q * 0.22 * 0.075, 0.0)).norm() < 1e-12,
            "{}",
            found.moment
        );
    }

    #[test]
    fn a_plate_remains_beyond_stall() {
        let found = wrench(&plane(), [0.0, 0.0, -15.0], [0.0; 3], &[]);
        let plate = 2.0 / (1.0 + libm::exp(-0.224 - 0.115 * 6.5));
        assert!(
            (found.force - Vector3::new(0.0, 0.0, Q * plate)).norm() < 1e-6 * Q,
            "{}",
            found.force
        );
    }

    #[test]
    fn rates_and_controls_add_up() {
        let wing = Wing { blend: 200.0, ..plane() };
        let still = wrench(&wing, [15.0, 0.0, 0.0], [0.0; 3], &[]);
        let span = (0.34_f64 * 6.5).sqrt();
        let rolling = wrench(&wing, [15.0, 0.0, 0.0], [0.8, 0.0, 0.0], &[]);
        let p = 0.8 * span / 30.0;
        assert!(((rolling.moment - still.moment).x - Q * span * -0.4874 * p).abs() < 1e-12);
        assert!(((rolling.moment - still.moment).z + Q * span * -0.0404 * p).abs() < 1e-12);
        let pitching = wrench(&wing, [15.0, 0.0, 0.0], [0.0, -0.5, 0.0], &[]);
        let q = 0.5 * 0.22 / 30.0;
        assert!(((pitching.moment - still.moment).y + Q * 0.22 * -12.14 * q).abs() < 1e-12);
        assert!(((pitching.force - still.force).z - Q * 7.972 * q).abs() < 1e-12);
        let steered = wrench(&wing, [15.0, 0.0, 0.0], [0.0; 3], &[2.0_f64.to_radians()]);
        assert!(((steered.moment - still.moment).y + Q * 0.22 * 0.04).abs() < 1e-12);
        let slipping = wrench(&wing, [15.0, -1.5, 0.0], [0.0; 3], &[]);
        // Drifting to starboard (-y of forward, left, up): pushed to port.
        assert!(
            (slipping.force.y - Q * 0.258 * libm::atan(0.1)).abs() < 1e-12,
            "{}",
            slipping.force
        );
    }

    #[test]
    fn the_pitching_moment_can_be_that_of_the_release() {
        let wing = Wing { pitching_as_released: true, ..plane() };
        assert_eq!(wrench(&wing, [15.0, 0.0, -1.0], [0.0; 3], &[]).moment.y, 0.0);
        assert!(wrench(&plane(), [15.0, 0.0, -1.0], [0.0; 3], &[]).moment.y != 0.0);
    }

    #[test]
    fn the_frame_does_not_matter_and_no_flow_does_nothing() {
        let turn = Isometry3::rotation(Vector3::x() * PI);
        let here = wrench(&plane(), [15.0, -1.0, -2.0], [0.1, 0.2, 0.3], &[0.1]);
        let there = wrench(&plane().placed(&turn), [15.0, 1.0, 2.0], [0.1, -0.2, -0.3], &[0.1]);
        assert!((turn.rotation * there.force - here.force).norm() < 1e-12);
        assert!((turn.rotation * there.moment - here.moment).norm() < 1e-12);
        for velocity in [[0.0; 3], [f64::NAN; 3], [0.0, 5.0, 0.0]] {
            assert_eq!(wrench(&plane(), velocity, [0.0; 3], &[]), Wrench::default());
        }
        let refused = AdvancedLiftDrag::new(&Wing { aspect_ratio: 0.0, ..plane() }).unwrap_err();
        assert_eq!(refused.to_string(), "the aspect ratio is 0; give a positive number");
    }
}
