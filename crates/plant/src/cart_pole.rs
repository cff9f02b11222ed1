//! A pole on a cart.
//!
//! ```text
//!                  / pole: mass m, uniform, length 2 l
//!            θ |  /
//!              | /
//!      F ──► ┌──o──┐ cart: mass M, position x
//!            └o───o┘
//!     ────────────────────── track
//!
//!        g sin θ - cos θ (F + m l ω² sin θ - b v) / (M + m) - c ω / (m l)
//! ω'  =  ─────────────────────────────────────────────────────────────────
//!                      l (4/3 - m cos² θ / (M + m))
//!
//! v'  =  (F + m l (ω² sin θ - ω' cos θ) - b v) / (M + m)
//! ```
//!
//! Equations and defaults: A. G. Barto, R. S. Sutton, C. W. Anderson, "Neuronlike adaptive elements
//! that can solve difficult learning control problems", IEEE Transactions on Systems, Man, and
//! Cybernetics SMC-13 (1983), appendix. Only the friction of the cart is another: proportional to its
//! speed, b v, so that nothing jumps when the cart turns round.

use ironbird_component::scenery::{
    Body, BodyKind, Coordinate, Ground, Motion, MotionPart, Placed, Scenery, Shape,
};
use ironbird_component::{Component, Held, Shown};
use ironbird_solvers::{Block, Number, Point};
use serde::{Deserialize, Serialize};

const POSITION: usize = 0;
const VELOCITY: usize = 1;
const ANGLE: usize = 2;
const ANGULAR_VELOCITY: usize = 3;

const FORCE: usize = 0;

/// A pole that stands on a cart and falls over unless the cart is moved under it.
///
/// The cart runs on a straight track without ends; the pole turns freely about a hinge on the cart,
/// also below it. An angle of 0 rad is upright, a positive one leans towards positive positions.
///
/// Equations and masses are those of Barto, Sutton and Anderson (1983), with a friction of the cart
/// that is proportional to its speed.
#[derive(Component, Serialize, Deserialize)]
#[component(type = "plant.cart-pole", continuous, scenery = Self::scenery)]
pub struct CartPole {
    /// Mass M of the cart.
    #[parameter(unit = "kg", default = 1.0, above = 0)]
    cart_mass: f64,
    /// Mass m of the pole, evenly spread along it.
    #[parameter(unit = "kg", default = 0.1, above = 0)]
    pole_mass: f64,
    /// Half the length of the pole, l: from the hinge to its centre of mass.
    #[parameter(unit = "m", default = 0.5, above = 0)]
    half_length: f64,
    /// Friction b of the cart on its track.
    #[parameter(unit = "N*s/m", default = 0.1, min = 0)]
    cart_friction: f64,
    /// Friction c of the hinge.
    #[parameter(unit = "N*m*s/rad", default = 2e-6, min = 0)]
    hinge_friction: f64,
    /// Acceleration g of gravity.
    #[parameter(unit = "m/s^2", default = 9.81, min = 0)]
    gravity: f64,
    /// Angle of the pole at the start.
    #[parameter(unit = "rad", default = 0.0, fixed)]
    initial_angle: f64,
    /// Position of the cart at the start.
    #[parameter(unit = "m", default = 0.0, fixed)]
    initial_position: f64,
    /// Another force on the cart, beside `force`: somebody who pushes it.
    #[parameter(unit = "N", default = 0.0)]
    push: f64,
    /// Force F of the motor on the cart.
    #[input(index = FORCE, unit = "N")]
    force: Held,
    /// Position of the cart.
    #[output(state = POSITION, unit = "m")]
    position: Shown,
    /// Velocity of the cart.
    #[output(state = VELOCITY, unit = "m/s")]
    velocity: Shown,
    /// Angle of the pole; 0 rad is upright.
    #[output(state = ANGLE, unit = "rad")]
    angle: Shown,
    /// Angular velocity of the pole.
    #[output(state = ANGULAR_VELOCITY, unit = "rad/s")]
    angular_velocity: Shown,
}

/// How large the cart is drawn, and how far below its middle the track is, in m.
const CART: [f64; 3] = [0.5, 0.3, 0.2];
const TRACK: f64 = 0.11;
const POLE_RADIUS: f64 = 0.02;

impl CartPole {
    /// The track leads north.
    fn scenery(&self) -> Option<Scenery> {
        let place = MotionPart::new(Coordinate::North, "position");
        // Leaning forward is a pitch of the nose downwards.
        let lean = MotionPart { times: -1.0, ..MotionPart::new(Coordinate::Pitch, "angle") };
        let motion = |parts: Vec<MotionPart>| Motion::Parts { parts, rest: [0.0; 3] };
        let pole = Placed {
            shape: Shape::Cylinder { radius: POLE_RADIUS, length: 2.0 * self.half_length },
            position: [0.0, 0.0, -self.half_length],
            attitude: [1.0, 0.0, 0.0, 0.0],
        };
        let cart = Body {
            name: "cart".into(),
            kind: BodyKind::CartPole,
            motion: motion(vec![place.clone()]),
            size: CART,
            ..Body::default()
        };
        let pole = Body {
            name: "pole".into(),
            part_of: "cart".into(),
            motion: motion(vec![place, lean]),
            shapes: vec![pole],
            ..Body::default()
        };
        let ground = Ground::Plane { down: TRACK };
        Some(Scenery { ground, bodies: vec![cart, pole], ..Scenery::default() })
    }

    /// F + m l ω² sin θ - b v: what moves the cart, but for the reaction of the pole.
    fn drive<N: Number>(&self, at: &impl Point<N>, sin: N) -> N {
        let omega = at.x(ANGULAR_VELOCITY);
        let swing = omega * omega * sin * (self.pole_mass * self.half_length);
        at.u(FORCE) + self.push + swing - at.x(VELOCITY) * self.cart_friction
    }

    /// ω'
    fn angular_acceleration<N: Number>(&self, at: &impl Point<N>) -> N {
        let (sin, cos) = at.x(ANGLE).sin_cos();
        let total = self.cart_mass + self.pole_mass;
        let hinge =
            at.x(ANGULAR_VELOCITY) * (self.hinge_friction / (self.pole_mass * self.half_length));
        let tips = sin * self.gravity - cos * self.drive(at, sin) / total - hinge;
        let inertia = (-cos * cos * (self.pole_mass / total) + 4.0 / 3.0) * self.half_length;
        tips / inertia
    }

    /// v'
    fn acceleration<N: Number>(&self, at: &impl Point<N>) -> N {
        let (sin, cos) = at.x(ANGLE).sin_cos();
        let reaction = self.angular_acceleration(at) * cos * (self.pole_mass * self.half_length);
        (self.drive(at, sin) - reaction) / (self.cart_mass + self.pole_mass)
    }
}

impl Block for CartPole {
    fn states(&self) -> usize {
        4
    }

    fn inputs(&self) -> usize {
        1
    }

    fn initial(&self, state: usize) -> f64 {
        match state {
            POSITION => self.initial_position,
            ANGLE => self.initial_angle,
            _ => 0.0,
        }
    }

    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            POSITION => at.x(VELOCITY),
            VELOCITY => self.acceleration(at),
            ANGLE => at.x(ANGULAR_VELOCITY),
            _ => self.angular_acceleration(at),
        }
    }
}
