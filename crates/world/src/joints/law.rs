//! What acts in a joint beside the torque that is applied to it.
//!
//! ```text
//! τ = clamp(applied, ±effort) - d q' - F q'/√(q'² + ε²) - k (q - reference)
//! lower ≤ q ≤ upper,  |q'| ≤ speed                        held by impulses, see `stops`
//! ```
//!
//! Coulomb friction F is smoothed over the speed ε, and, in a step of h, at least over 2 F h/D with D the inertia
//! that the joint feels: a smaller one would let the step overshoot standstill and chatter. A joint with friction thus
//! creeps, by at most some ε, where it should stick.

/// The forces of one axis of a joint; in N m and rad of a turning, in N and m of a sliding one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLaw {
    /// Viscous damping per speed.
    pub damping: f64,
    /// Coulomb friction.
    pub friction: f64,
    /// Speed over which friction is smoothed.
    pub friction_speed: f64,
    /// Stiffness of the spring.
    pub stiffness: f64,
    /// Position where the spring is at ease.
    pub reference: f64,
    /// The lower stop; minus infinity for none. A ball joint has no stops and no spring.
    pub lower: f64,
    /// The upper stop.
    pub upper: f64,
    /// The most that an applied torque or force can be.
    pub effort: f64,
    /// The highest speed.
    pub speed: f64,
}

/// A joint that nothing hinders.
impl Default for JointLaw {
    fn default() -> Self {
        JointLaw {
            damping: 0.0,
            friction: 0.0,
            friction_speed: 1e-3,
            stiffness: 0.0,
            reference: 0.0,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            effort: f64::INFINITY,
            speed: f64::INFINITY,
        }
    }
}

impl JointLaw {
    /// What is wrong with it, if anything.
    pub fn fault(&self) -> Option<String> {
        let positive =
            [("damping", self.damping), ("friction", self.friction), ("stiffness", self.stiffness)];
        for (name, value) in positive {
            if !(value >= 0.0 && value.is_finite()) {
                return Some(format!(
                    "its {name} is {value}; give a finite number that is not negative"
                ));
            }
        }
        if !(self.friction_speed > 0.0 && self.friction_speed.is_finite()) {
            return Some(format!(
                "its friction speed is {}; give a positive number",
                self.friction_speed
            ));
        }
        if !self.reference.is_finite() {
            return Some(format!("its spring reference is {}", self.reference));
        }
        if self.lower.is_nan() || self.upper.is_nan() || self.lower > self.upper {
            return Some(format!(
                "its lower stop {} is not below its upper {}",
                self.lower, self.upper
            ));
        }
        if !(self.effort >= 0.0 && self.speed >= 0.0) {
            return Some(format!(
                "its limits of effort {} and speed {} must not be negative",
                self.effort, self.speed
            ));
        }
        None
    }

    pub(super) fn has_stops(&self) -> bool {
        self.lower.is_finite() || self.upper.is_finite() || self.speed.is_finite()
    }

    #[inline]
    pub(super) fn limited(&self, applied: f64) -> f64 {
        applied.clamp(-self.effort, self.effort)
    }

    /// The speed over which friction is smoothed in a step of `step` where the joint feels the inertia D, squared.
    #[inline]
    pub(super) fn smooth_squared(&self, step: f64, inertia: f64) -> f64 {
        let smooth = self.friction_speed.max(2.0 * self.friction * step / inertia);
        smooth * smooth
    }

    /// Friction at a speed and its slope there.
    #[inline]
    pub(super) fn friction_at(&self, speed: f64, step: f64, inertia: f64) -> (f64, f64) {
        if self.friction == 0.0 {
            return (0.0, 0.0);
        }
        let smooth = self.smooth_squared(step, inertia);
        let whole = speed * speed + smooth;
        let per_speed = self.friction / whole.sqrt();
        (per_speed * speed, per_speed * smooth / whole)
    }
}
