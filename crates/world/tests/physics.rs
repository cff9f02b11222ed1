//! What bodies do, against what is known exactly.

mod scene;

use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use ironbird_plant::vehicle::{Inertia, Surroundings, Vehicle};
use ironbird_world::geometry::{Form, Surface};
use ironbird_world::{Drive, Stepping, Weather, World};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};
use scene::{ball, body, brick, ground, slope, solid_box, world_of};
use std::sync::Arc;

const G: f64 = 9.80665;

#[test]
fn a_body_falls_as_half_g_t_squared() {
    let mut world =
        world_of(vec![], vec![body("stone", solid_box(1.0, [0.1; 3]), [0.0, 0.0, -1000.0])]);
    world.advance(5000).unwrap();
    let motion = world.body(0).state.motion;
    assert!((motion.position.z - (-1000.0 + 0.5 * G * 25.0)).abs() < 1e-9);
    assert!((motion.velocity.z - G * 5.0).abs() < 1e-11);
    assert_eq!((motion.position.x, motion.position.y), (0.0, 0.0));
    assert!(world.body(0).specific_force().norm() < 1e-12, "what falls feels nothing");
}

/// Drag against the velocity through the air, k v².
struct Drag {
    inertia: Inertia,
    k: f64,
}

impl Vehicle for Drag {
    fn inertia(&self) -> &Inertia {
        &self.inertia
    }
    fn commands(&self) -> &[Channel] {
        &[]
    }
    fn forces(
        &self,
        motion: &RigidMotion,
        _: &[f64],
        _: &[f64],
        around: &Surroundings,
        _: &mut [f64],
    ) -> Wrench {
        let air = motion.velocity - around.wind;
        let force = motion.to_body(&(air * (-self.k * air.norm())));
        Wrench { force, moment: Vector3::zeros() }
    }
}

#[test]
fn a_projectile_with_drag_reaches_its_terminal_speed_by_the_hyperbolic_tangent() {
    let inertia = Inertia { mass: 2.0, tensor: Matrix3::identity(), added: None };
    let mut plan = body("shell", solid_box(2.0, [0.1; 3]), [0.0, 0.0, -5000.0]);
    plan.drive = Drive::Vehicle(Arc::new(Drag { inertia, k: 0.03 }));
    let mut world = world_of(vec![], vec![plan]);
    let terminal = (2.0 * G / 0.03_f64).sqrt();
    for second in 1..=8 {
        world.advance(1000).unwrap();
        let time = f64::from(second);
        let motion = world.body(0).state.motion;
        let speed = terminal * libm::tanh(G * time / terminal);
        let fallen = terminal * terminal / G * libm::log(libm::cosh(G * time / terminal));
        assert!(
            (motion.velocity.z - speed).abs() < 1e-9,
            "{second}: {}",
            motion.velocity.z - speed
        );
        assert!((motion.position.z + 5000.0 - fallen).abs() < 1e-9);
    }
}

#[test]
fn a_body_that_nothing_turns_keeps_its_energy_and_its_momentum() {
    let moments = Vector3::new(0.02, 0.05, 0.06);
    let inertia = Inertia { mass: 1.0, tensor: Matrix3::from_diagonal(&moments), added: None };
    let mut plan = body("book", solid_box(1.0, [0.1; 3]), [0.0, 0.0, -1e5]);
    plan.drive = Drive::Inert(inertia);
    // About the middle axis, almost: it turns over again and again.
    plan.motion.rates = Vector3::new(0.01, 6.0, -0.01);
    let mut world = world_of(vec![], vec![plan]);
    let energy = |m: &RigidMotion| 0.5 * m.rates.dot(&moments.component_mul(&m.rates));
    let momentum = |m: &RigidMotion| m.to_ned(&moments.component_mul(&m.rates));
    let start = world.body(0).state.motion;
    let mut turned_over = 0;
    for _ in 0..20_000 {
        let before = world.body(0).state.motion.rates.y;
        world.advance(1).unwrap();
        turned_over += u32::from(before * world.body(0).state.motion.rates.y < 0.0);
    }
    let end = world.body(0).state.motion;
    assert_eq!(turned_over, 2);
    assert!((energy(&end) / energy(&start) - 1.0).abs() < 1e-8);
    assert!((momentum(&end) - momentum(&start)).norm() / momentum(&start).norm() < 1e-8);
}

#[test]
fn a_ball_that_loses_nothing_comes_back_to_where_it_fell_from() {
    let surface = Surface { friction: 0.5, restitution: 1.0 };
    let mut world =
        world_of(vec![ground(surface)], vec![ball("ball", 0.1, surface, [0.0, 0.0, -1.1])]);
    let mut highest = f64::INFINITY;
    let mut bounces = 0;
    let mut rising = false;
    for _ in 0..10_000 {
        world.advance(1).unwrap();
        let motion = world.body(0).state.motion;
        let up = motion.velocity.z < 0.0;
        if up && !rising {
            bounces += 1;
            highest = f64::INFINITY;
        }
        rising = up;
        highest = highest.min(motion.position.z);
        let energy = 0.5 * motion.velocity.norm_squared() - G * motion.position.z;
        assert!((energy - 1.1 * G).abs() < 0.002 * 1.1 * G, "energy {energy} of {}", 1.1 * G);
        assert!(world.body(0).state.reaction.overlap < 1e-3);
    }
    // The period is 2 sqrt(2 h / g) = 0.903 s.
    assert_eq!(bounces, 11);
    assert!((highest + 1.1).abs() < 0.005, "{highest}");
}

#[test]
fn half_of_the_speed_is_left_after_an_impact_with_restitution_one_half() {
    let surface = Surface { friction: 0.5, restitution: 0.5 };
    let mut plan = ball("ball", 0.1, surface, [0.0, 0.0, -1.0]);
    plan.motion.velocity.z = 10.0;
    let mut world = world_of(vec![ground(surface)], vec![plan]);
    let at_impact = (100.0_f64 + 2.0 * G * 0.9).sqrt();
    let mut last = 0.0;
    while world.body(0).state.reaction.points == 0 {
        last = world.body(0).state.motion.velocity.z;
        world.advance(1).unwrap();
    }
    let after = world.body(0).state.motion.velocity.z;
    assert!((last - at_impact).abs() < 0.02);
    assert!((after + 0.5 * at_impact).abs() < 0.01, "{after}");
}

#[test]
fn what_does_not_bounce_stays_where_it_hits() {
    let surface = Surface { friction: 0.5, restitution: 0.0 };
    let mut world =
        world_of(vec![ground(surface)], vec![ball("ball", 0.1, surface, [0.0, 0.0, -2.0])]);
    world.advance(3000).unwrap();
    let body = world.body(0);
    assert!(body.state.motion.velocity.norm() < 1e-9);
    assert!((body.state.motion.position.z + 0.1).abs() < 1e-5);
    assert!((body.state.reaction.force.z + body.mass() * G).abs() < 1e-6);
    assert!((body.specific_force().z + G).abs() < 1e-6, "what stands feels its weight");
}

#[test]
fn a_box_on_a_slope_slides_only_where_friction_is_below_the_tangent_of_the_angle() {
    let angle: f64 = 25.0_f64.to_radians();
    for (factor, slides) in [(1.02, false), (0.98, true)] {
        let friction = factor * libm::tan(angle);
        let surface = Surface { friction, restitution: 0.0 };
        let mut plan = brick("box", [0.2, 0.15, 0.05], surface, [0.0; 3]);
        let (turned, up) = slope(angle);
        plan.motion.attitude = turned;
        plan.motion.position = up * 0.05;
        let ground = scene::plane(turned, surface);
        let mut world = world_of(vec![ground], vec![plan]);
        world.advance(2000).unwrap();
        let motion = world.body(0).state.motion;
        let moved = (motion.position - up * 0.05).norm();
        if slides {
            let along = G * (libm::sin(angle) - friction * libm::cos(angle));
            let expected = 0.5 * along * 4.0;
            assert!((moved / expected - 1.0).abs() < 0.01, "{moved} instead of {expected}");
        } else {
            assert!(moved < 1e-6, "it crept {moved} m");
        }
        assert!(world.body(0).state.reaction.overlap < 1e-3);
        assert!(motion.rates.norm() < 1e-3);
    }
}

#[test]
fn two_bodies_that_collide_keep_their_momentum_and_their_angular_momentum() {
    for restitution in [0.0, 0.6, 1.0] {
        let surface = Surface { friction: 0.3, restitution };
        let mut left = ball("left", 0.2, surface, [-1.0, 0.0, -100.0]);
        left.motion.velocity = Vector3::new(3.0, 0.0, 0.0);
        let mut right = ball("right", 0.2, surface, [1.0, 0.05, -100.0]);
        right.motion.velocity = Vector3::new(-1.0, 0.0, 0.0);
        right.drive = Drive::Inert(scene::sphere_inertia(3.0, 0.2));
        let mut world = World::new(
            Default::default(),
            Weather { gravity: Vector3::zeros(), ..Weather::default() },
            vec![left, right],
            Stepping::default(),
        )
        .unwrap();
        let masses = [world.body(0).mass(), 3.0];
        let total = |world: &World| {
            let mut linear = Vector3::zeros();
            let mut angular = Vector3::zeros();
            for (number, mass) in masses.iter().enumerate() {
                let m = world.body(number).state.motion;
                linear += m.velocity * *mass;
                angular += m.position.cross(&m.velocity) * *mass;
                angular += m.to_ned(&(m.rates * (0.4 * mass * 0.04)));
            }
            (linear, angular)
        };
        let before = total(&world);
        let approach = 4.0;
        world.advance(1500).unwrap();
        let after = total(&world);
        assert!((after.0 - before.0).norm() < 1e-12, "momentum");
        assert!(
            (after.1 - before.1).norm() < 1e-10,
            "angular momentum {}",
            (after.1 - before.1).norm()
        );
        let parting = world.body(1).state.motion.velocity - world.body(0).state.motion.velocity;
        let line = world.body(1).state.motion.position - world.body(0).state.motion.position;
        assert!(line.norm() > 0.39, "they do not overlap: {}", line.norm());
        // Along the line of centres at the impact, which lies 0.05 m off the line of flight.
        let normal = Vector3::new((0.4_f64 * 0.4 - 0.05 * 0.05).sqrt(), 0.05, 0.0) / 0.4;
        let expected = restitution * approach * normal.x;
        assert!(
            (parting.dot(&normal) - expected).abs() < 0.03,
            "{} {expected}",
            parting.dot(&normal)
        );
    }
}

#[test]
fn a_stack_of_boxes_stands() {
    let surface = Surface { friction: 0.6, restitution: 0.0 };
    let boxes = (0..4).map(|n| {
        brick(&format!("box[{n}]"), [0.2, 0.2, 0.1], surface, [0.0, 0.0, -0.1 - 0.2 * f64::from(n)])
    });
    let mut world = world_of(vec![ground(surface)], boxes.collect());
    world.advance(3000).unwrap();
    for (number, body) in world.bodies().enumerate() {
        let expected = -0.1 - 0.2 * number as f64;
        assert!((body.state.motion.position.z - expected).abs() < 1e-3);
        assert!(body.state.motion.velocity.norm() < 1e-3);
        assert!(body.state.reaction.overlap < 1e-3);
    }
}

#[test]
fn shapes_of_all_kinds_come_to_rest_on_ground_of_all_kinds() {
    let surface = Surface { friction: 0.8, restitution: 0.1 };
    let grounds = [
        ("plane", Form::HalfSpace, 0.0),
        ("box", Form::Box { half: Vector3::new(5.0, 5.0, 0.5) }, 0.5),
        ("mesh", scene::flat_mesh(5.0), 0.0),
        ("heights", scene::flat_heights(10.0), 0.0),
    ];
    for (ground_name, form, down) in grounds {
        let forms = [
            ("sphere", Form::Sphere { radius: 0.1 }, 0.1),
            ("box", Form::Box { half: Vector3::new(0.2, 0.1, 0.1) }, 0.1),
            ("cylinder", Form::Cylinder { radius: 0.1, half_length: 0.1 }, 0.1),
            ("capsule", Form::Capsule { radius: 0.1, half_length: 0.2 }, 0.1),
            ("cone", Form::Cone { radius: 0.2, half_length: 0.1 }, 0.1),
        ];
        for (name, form_of_body, height) in forms {
            let place = Isometry3::translation(0.0, 0.0, down);
            let under =
                ironbird_world::geometry::Collider::new(form.clone(), place, surface).unwrap();
            let mut plan = brick("body", [0.1; 3], surface, [0.03, 0.02, -0.5]);
            if name == "cone" || name == "capsule" {
                // The cone stands on its base, which is at its own -z; the capsule lies.
                let half_turn =
                    if name == "cone" { std::f64::consts::PI } else { std::f64::consts::FRAC_PI_2 };
                plan.motion.attitude =
                    UnitQuaternion::from_axis_angle(&Vector3::y_axis(), half_turn);
            }
            let shape = ironbird_world::geometry::Collider::new(
                form_of_body,
                Isometry3::identity(),
                surface,
            );
            plan.colliders = vec![shape.unwrap()];
            let mut world = world_of(vec![under], vec![plan]);
            world.advance(4000).unwrap();
            let motion = world.body(0).state.motion;
            assert!(
                (motion.position.z + height).abs() < 2e-3,
                "{name} on {ground_name}: {}",
                motion.position.z
            );
            assert!(motion.velocity.z.abs() < 1e-3, "{name} on {ground_name} is at rest");
            assert!(world.body(0).state.reaction.overlap < 1e-3);
        }
    }
}

#[test]
fn rays_meet_a_height_field_on_its_grid_lines_too() {
    let surface = Surface::default();
    let form = Form::HeightField(ironbird_world::geometry::Heights {
        rows: 41,
        columns: 41,
        size: [40.0, 40.0],
        z: (0..41 * 41).map(|n| -0.1 * f64::from((n / 41_i32 - 10).max(0))).collect(),
    });
    let ground =
        ironbird_world::geometry::Collider::new(form, Isometry3::identity(), surface).unwrap();
    let fixed = ironbird_world::geometry::Fixed::new(vec![ground]);
    for (north, east) in [(5.0, 5.0), (-5.0, -5.0), (3.0, 3.0), (1.0, 0.0), (-5.0, 0.2), (0.5, 0.5)]
    {
        let hit = fixed.cast(&Vector3::new(north, east, -10.0), &Vector3::z(), 100.0);
        // Rows are 1 m apart from -20 m on.
        let height = 0.1 * f64::max(0.0, north + 20.0 - 10.0);
        let distance = hit.unwrap_or_else(|| panic!("nothing at {north}, {east}")).distance;
        assert!((distance - (10.0 - height)).abs() < 1e-5, "{distance} at {north}, {east}");
    }
}
