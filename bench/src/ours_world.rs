//! Our side of the suite `world`: quadrotors in one world.

use std::sync::Arc;

use ironbird_control::multirotor::{Mode, MultirotorPilot};
use ironbird_kinematics::RigidMotion;
use ironbird_plant::multirotor::{self, Multirotor, MultirotorParts, Rotor};
use ironbird_plant::vehicle::Inertia;
use ironbird_world::geometry::{Collider, Fixed, Form, Surface};
use ironbird_world::{BodyPlan, Drive, Pilot, Stepping, Weather, World};
use nalgebra::{Isometry3, Matrix3, Vector3};

use crate::measure::{by_thread_cpu_time, by_wall_time};
use crate::row::{Sample, Side};

/// N s²/rad², kg.
const THRUST: f64 = 8.54858e-6;
const MASS: f64 = 2.064;

/// What the vehicles do.
#[derive(Clone, Copy, PartialEq)]
pub enum Manner {
    Hover,
    Rest,
    Land,
    /// Hold their places with their inner loops.
    Piloted,
}

/// A quadrotor as MuJoCo's program has it, with motors that take time.
fn quadrotor() -> Multirotor {
    let rotor = Rotor {
        at: Vector3::new(0.0, 0.0, -0.06),
        thrust: THRUST,
        torque: 0.016 * THRUST,
        fastest: 1000.0,
        rise: 0.0125,
        fall: 0.025,
        ..Rotor::default()
    };
    let moments = Vector3::new(0.024, 0.024, 0.044);
    let inertia = Inertia { mass: MASS, tensor: Matrix3::from_diagonal(&moments), added: None };
    let parts = MultirotorParts {
        name: "quadrotor".into(),
        source: String::new(),
        inertia,
        rotors: rotor.ring(4, 0.246, std::f64::consts::FRAC_PI_4),
        drive: multirotor::Drive::Speed,
        linear_drag: Vector3::zeros(),
        quadratic_drag: Vector3::zeros(),
        rain_area: 0.0,
        trim: Vector3::zeros(),
        warming: None,
    };
    Multirotor::new(parts).expect("numbers of a quadrotor")
}

/// So many of them, 5 m apart, over a plane and beside four boxes.
fn world(count: usize, manner: Manner, threads: usize) -> World {
    let surface = Surface { friction: 0.8, restitution: 0.0 };
    let shape = |form, pose| Collider::new(form, pose, surface).expect("a shape");
    let mut fixed = vec![shape(Form::HalfSpace, Isometry3::identity())];
    for number in 0..4 {
        let half = Vector3::new(1.0, 1.0, 0.5);
        fixed.push(shape(
            Form::Box { half },
            Isometry3::translation(-30.0, 5.0 * f64::from(number), -0.5),
        ));
    }
    let vehicle = Arc::new(quadrotor());
    let law = MultirotorPilot::new(&vehicle, Mode::Position).expect("a pilot");
    let pilot = (manner == Manner::Piloted).then(|| Pilot { law: Arc::new(law), every: 1 });
    let columns = (count as f64).sqrt().ceil() as usize;
    let down = match manner {
        Manner::Rest => -0.1,
        Manner::Land => -0.4,
        Manner::Hover | Manner::Piloted => -2.0,
    };
    let plans = (0..count).map(|number| {
        let half = Vector3::new(0.2, 0.2, 0.1);
        let (north, east) = (5.0 * (number / columns) as f64, 5.0 * (number % columns) as f64);
        BodyPlan {
            name: format!("quad[{number}]"),
            drive: Drive::Vehicle(vehicle.clone()),
            pilot: pilot.clone(),
            colliders: vec![shape(Form::Box { half }, Isometry3::identity())],
            motion: RigidMotion {
                position: Vector3::new(north, east, down),
                ..RigidMotion::default()
            },
        }
    });
    let stepping = Stepping { threads, ..Stepping::default() };
    let mut world = World::new(Fixed::new(fixed), Weather::default(), plans.collect(), stepping)
        .expect("a world of quadrotors");
    let hover = (MASS * 9.80665 / (4.0 * THRUST)).sqrt();
    let share: f64 = match manner {
        Manner::Hover | Manner::Piloted => 1.0,
        Manner::Rest => 0.0,
        Manner::Land => 0.8,
    };
    for number in 0..count {
        let body = world.body_mut(number);
        body.state.commands[..4].fill(hover * share.sqrt());
        body.state.own[..4].fill(hover * share.sqrt());
        if manner == Manner::Piloted {
            let place = body.state.motion.position;
            body.state.set_points[..3].copy_from_slice(place.as_slice());
        }
    }
    world.moved();
    world
}

/// Steps of one measurement: some seconds, as those of a vehicle that nobody steers must not be many.
fn steps(count: usize) -> u32 {
    (200_000 / count as u32).clamp(500, 4_000)
}

fn run(world: &mut World, count: usize) {
    world.advance(steps(count)).expect("quadrotors that fly");
}

/// Simulated seconds by the CPU time of one thread, with accelerations at every step.
pub fn seconds(count: usize, manner: Manner) -> Side {
    Box::new(move || {
        let mut world = world(count, manner, 1);
        run(&mut world, 100_000);
        let sample = by_thread_cpu_time(|| {
            run(&mut world, count);
            u64::from(steps(count))
        });
        let overlap = world.bodies().map(|body| body.state.reaction.overlap).fold(0.0, f64::max);
        assert!(overlap < 1e-3, "bodies overlap by {overlap} m");
        Sample { work: sample.work * 1e-3, ..sample }
    })
}

/// Steps of single vehicles, by the CPU time of one thread.
pub fn vehicle_steps(count: usize) -> Side {
    Box::new(move || {
        let mut sample = seconds(count, Manner::Hover)();
        sample.work *= 1e3 * count as f64;
        sample
    })
}

/// Simulated seconds on so many threads, by the clock on the wall.
pub fn on_threads(count: usize, manner: Manner, threads: usize) -> Side {
    Box::new(move || {
        let mut world = world(count, manner, threads);
        run(&mut world, 100_000);
        let sample = by_wall_time(|| {
            (0..4).for_each(|_| run(&mut world, count));
            4 * u64::from(steps(count))
        });
        Sample { work: sample.work * 1e-3, ..sample }
    })
}
