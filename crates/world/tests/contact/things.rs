//! Bodies of all shapes for impacts.

use ironbird_kinematics::RigidMotion;
use ironbird_plant::vehicle::Inertia;
use ironbird_world::geometry::{Collider, Fixed, Form, Surface};
use ironbird_world::{BodyPlan, Stepping, Weather, World};
use nalgebra::{Isometry3, Matrix3, Vector3};

use crate::numbers::Numbers;
use crate::scene::{body, solid_box};

pub struct Thing {
    pub form: Form,
    /// Half of the box around it.
    pub half: Vector3<f64>,
    pub mass: f64,
    pub moments: Vector3<f64>,
}

impl Thing {
    pub fn new(form: Form, half: Vector3<f64>, mass: f64) -> Self {
        let moments = solid_box(mass, (half * 2.0).into()).tensor.diagonal();
        Thing { form, half, mass, moments }
    }

    /// A ball, a box, a rod, a cylinder or a wedge.
    pub fn any(numbers: &mut Numbers) -> Self {
        let mass = numbers.between(0.1, 5.0);
        let [a, b, c] = [0; 3].map(|_| numbers.between(0.1, 0.4));
        let half = Vector3::new(a, b, c);
        match numbers.one_of(&[0, 1, 2, 3, 4]) {
            0 => Thing::new(Form::Sphere { radius: a }, Vector3::repeat(a), mass),
            1 => Thing::new(Form::Box { half }, half, mass),
            2 => {
                let half = Vector3::new(0.5, 0.1 * b, 0.1 * b);
                Thing::new(Form::Box { half }, half, mass)
            }
            3 => {
                let form = Form::Cylinder { radius: a, half_length: c };
                Thing::new(form, Vector3::new(a, a, c), mass)
            }
            _ => {
                let corner = |x: f64, y: f64, z: f64| Vector3::new(x * a, y * b, z * c);
                let foot = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
                let foot = foot.map(|(x, y)| corner(x, y, 1.0));
                let edge = [corner(0.0, 1.0, -1.0), corner(0.0, -1.0, -1.0)];
                let form = Form::Hull { points: foot.into_iter().chain(edge).collect() };
                Thing::new(form, half, mass)
            }
        }
    }

    pub fn plan(&self, name: &str, motion: RigidMotion, surface: Surface) -> BodyPlan {
        let tensor = Matrix3::from_diagonal(&self.moments);
        let mut plan = body(name, Inertia { mass: self.mass, tensor, added: None }, [0.0; 3]);
        let shape = Collider::new(self.form.clone(), Isometry3::identity(), surface).unwrap();
        (plan.colliders, plan.motion) = (vec![shape], motion);
        plan
    }

    /// How far it reaches along a direction, at most.
    pub fn reach(&self, motion: &RigidMotion, way: &Vector3<f64>) -> f64 {
        self.half.dot(&motion.to_body(way).abs())
    }

    pub fn energy(&self, motion: &RigidMotion) -> f64 {
        let turning = motion.rates.dot(&self.moments.component_mul(&motion.rates));
        0.5 * (self.mass * motion.velocity.norm_squared() + turning)
    }

    /// Momentum, and angular momentum about the origin.
    pub fn momentum(&self, motion: &RigidMotion) -> [Vector3<f64>; 2] {
        let linear = motion.velocity * self.mass;
        let own = motion.to_ned(&self.moments.component_mul(&motion.rates));
        [linear, motion.position.cross(&linear) + own]
    }
}

/// A world without gravity.
pub fn weightless(fixed: Vec<Collider>, plans: Vec<BodyPlan>, step: f64) -> World {
    let weather = Weather { gravity: Vector3::zeros(), ..Weather::default() };
    let stepping = Stepping { step, ..Stepping::default() };
    World::new(Fixed::new(fixed), weather, plans, stepping).unwrap()
}

/// Advances until the first body was pushed, by so many steps at most; whether it was.
pub fn until_pushed(world: &mut World, most: usize) -> bool {
    (0..most).any(|_| {
        world.advance(1).unwrap();
        world.body(0).state.reaction.points > 0
    })
}

/// Any friction and restitution, the ends of their ranges too.
pub fn any_surface(numbers: &mut Numbers) -> Surface {
    let friction = match numbers.one_of(&[0, 1, 2]) {
        0 => numbers.one_of(&[0.0, 0.8, 3.0]),
        _ => numbers.between(0.0, 1.5),
    };
    let restitution = match numbers.one_of(&[0, 1, 2]) {
        0 => numbers.one_of(&[0.0, 1.0]),
        _ => numbers.between(0.0, 1.0),
    };
    Surface { friction, restitution }
}
