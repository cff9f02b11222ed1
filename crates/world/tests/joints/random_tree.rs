//! Trees of all kinds of joints with random masses, places and motions.

use ironbird_world::joints::{Base, Joint, JointKind, LinkInertia, Tree, TreePlan, TreeState};
use nalgebra::{Isometry3, Matrix3, Quaternion, Translation3, UnitQuaternion, Vector3};

/// Numbers between -1 and 1 (Knuth's linear congruential generator, upper bits).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.next(), self.next(), self.next())
    }

    pub fn attitude(&mut self) -> UnitQuaternion<f64> {
        let q = Quaternion::new(self.next(), self.next(), self.next(), self.next() + 1e-3);
        UnitQuaternion::new_normalize(q)
    }

    pub fn place(&mut self) -> Isometry3<f64> {
        Isometry3::from_parts(Translation3::from(self.vector()), self.attitude())
    }

    pub fn inertia(&mut self) -> LinkInertia {
        let body = LinkInertia {
            mass: 1.5 + self.next(),
            centre: self.vector() * 0.5,
            tensor: Matrix3::from_diagonal(&self.vector().map(|v| 0.3 + 0.1 * v)),
        };
        let turned = body.placed(&Isometry3::from_parts(Translation3::identity(), self.attitude()));
        LinkInertia { centre: body.centre, ..turned }
    }
}

/// A tree, its bodies in the frames of its links, and a state.
pub struct RandomTree {
    pub tree: Tree,
    /// Kind of the joint of each link (the base's is `Fixed`; the cross of a universal joint turns about its first
    /// axis), and its body.
    pub links: Vec<(JointKind, LinkInertia)>,
    pub state: TreeState,
    pub numbers: Numbers,
}

impl RandomTree {
    pub fn new(seed: u64, base: Base, joints: usize) -> Self {
        let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1);
        let body = numbers.inertia();
        let mut plan = TreePlan::new(base, "base", body);
        let mut links = vec![(JointKind::Fixed, body)];
        for number in 1..=joints {
            let parent = (((numbers.next() + 1.0) / 2.0) * number as f64) as usize;
            let (place, body) = (numbers.place(), numbers.inertia());
            let joint = Joint { place: numbers.place(), ..Joint::new(kind(&mut numbers)) };
            let here = body.placed(&joint.place.inverse());
            match joint.kind {
                JointKind::Universal(first, second) => {
                    links.push((JointKind::Revolute(first), LinkInertia::massless()));
                    links.push((JointKind::Revolute(second), here));
                }
                kind => links.push((kind, here)),
            }
            plan.add(parent.min(number - 1), &format!("link {number}"), place, joint, body);
        }
        let tree = plan.build().unwrap();
        let mut state = TreeState::at_rest(&tree);
        state.base.attitude = numbers.attitude();
        if base == Base::Floating {
            (state.base.velocity, state.base.rates) = (numbers.vector(), numbers.vector());
        }
        state.base.position = numbers.vector();
        state.velocities.iter_mut().for_each(|v| *v = numbers.next());
        for (link, (kind, _)) in links.iter().enumerate().skip(1) {
            let from = tree.position_of(link);
            if *kind == JointKind::Ball {
                let q = numbers.attitude();
                state.positions[from..from + 4].copy_from_slice(&[q.w, q.i, q.j, q.k]);
            } else {
                state.positions[from] = numbers.next();
            }
        }
        RandomTree { tree, links, state, numbers }
    }
}

fn kind(numbers: &mut Numbers) -> JointKind {
    let axis = numbers.vector();
    match ((numbers.next() + 1.0) * 2.5) as usize {
        0 => JointKind::Revolute(axis),
        1 => JointKind::Prismatic(axis),
        2 => JointKind::Ball,
        3 => JointKind::Universal(axis, axis.cross(&numbers.vector()) + axis * 0.2),
        _ => JointKind::Screw { axis, pitch: numbers.next() },
    }
}
