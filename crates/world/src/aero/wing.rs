//! The numbers of a wing or a whole aeroplane, for [`AdvancedLiftDrag`](super::AdvancedLiftDrag).

use std::f64::consts::FRAC_PI_2;

use nalgebra::{Isometry3, Vector3};

/// Derivatives of the six coefficients: lift, drag, side force, roll, pitch, yaw.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Derivatives {
    /// `CL…`
    pub lift: f64,
    /// `CD…`
    pub drag: f64,
    /// `CY…`
    pub side: f64,
    /// `Cell…`
    pub roll: f64,
    /// `Cem…`
    pub pitch: f64,
    /// `Cen…`
    pub yaw: f64,
}

impl Derivatives {
    pub(super) fn numbers(&self) -> [f64; 6] {
        [self.lift, self.drag, self.side, self.roll, self.pitch, self.yaw]
    }
}

/// A control surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlSurface {
    /// 1 or -1: which way its joint counts.
    pub direction: f64,
    /// Coefficients per degree: `CL_ctrl`, `CD_ctrl`, ….
    pub per_degree: Derivatives,
}

/// Numbers of a wing. Vectors are in the axes of its link.
#[derive(Clone, Debug, PartialEq)]
pub struct Wing {
    /// At no angle: `CL0`, `CD0`, `Cem0`; the others are not used.
    pub zero: Derivatives,
    /// Per rad of angle of attack: `CLa`, `CYa`, `Cella`, `Cema`, `Cena`; drag is not used.
    pub alpha: Derivatives,
    /// Per rad of sideslip: `CLb`, `CYb`, `Cellb`, `Cemb`, `Cenb`; drag is not used.
    pub beta: Derivatives,
    /// Per roll rate p b/2V.
    pub roll_rate: Derivatives,
    /// Per pitch rate q c/2V.
    pub pitch_rate: Derivatives,
    /// Per yaw rate r b/2V.
    pub yaw_rate: Derivatives,
    /// Stall angle in rad.
    pub alpha_stall: f64,
    /// Slope of the pitching moment beyond it.
    pub cema_stall: f64,
    /// Whether the pitching moment is the plugin's as released: without its part of the angle of attack.
    pub pitching_as_released: bool,
    /// Sharpness M of the blend.
    pub blend: f64,
    /// k₁ and k₂ of the drag of a plate.
    pub plate: (f64, f64),
    /// Area in m².
    pub area: f64,
    /// Aspect ratio.
    pub aspect_ratio: f64,
    /// Mean aerodynamic chord in m; 0 for area over span.
    pub chord: f64,
    /// Oswald's efficiency.
    pub efficiency: f64,
    /// Density of the air in kg/m³ that the file assumes.
    pub air_density: f64,
    /// Reference point in m (`cp`).
    pub cp: Vector3<f64>,
    /// Forward.
    pub forward: Vector3<f64>,
    /// Upward.
    pub upward: Vector3<f64>,
    /// Control surfaces.
    pub controls: Vec<ControlSurface>,
}

/// What the plugin assumes where a file says nothing, with an aspect ratio and an efficiency of 1.
impl Default for Wing {
    fn default() -> Self {
        let none = Derivatives::default();
        Wing {
            zero: none,
            alpha: none,
            beta: none,
            roll_rate: none,
            pitch_rate: none,
            yaw_rate: none,
            alpha_stall: FRAC_PI_2,
            cema_stall: 0.0,
            pitching_as_released: false,
            blend: 15.0,
            plate: (-0.224, -0.115),
            area: 1.0,
            aspect_ratio: 1.0,
            chord: 0.0,
            efficiency: 1.0,
            air_density: 1.2041,
            cp: Vector3::zeros(),
            forward: Vector3::x(),
            upward: Vector3::z(),
            controls: Vec::new(),
        }
    }
}

impl Wing {
    /// The same in another frame, where `place` is the place of this one.
    pub fn placed(&self, place: &Isometry3<f64>) -> Self {
        Wing {
            cp: place.rotation * self.cp + place.translation.vector,
            forward: place.rotation * self.forward,
            upward: place.rotation * self.upward,
            ..self.clone()
        }
    }
}
