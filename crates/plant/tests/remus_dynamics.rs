//! What must hold for the equations of the REMUS 100, whatever its numbers are.

use ironbird_plant::remus::coefficients::{Coefficients, REMUS_100, WEIGHT};
use ironbird_plant::remus::{ATTITUDE, Hull, Inputs, POSITION, State, VELOCITY, advance};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Under water, turned by these angles (rad), with this ν.
fn state(euler: [f64; 3], nu: [f64; 6]) -> State {
    let q = UnitQuaternion::from_euler_angles(euler[0], euler[1], euler[2]);
    let mut state = State::zeros();
    state[POSITION + 2] = 1e3;
    state.fixed_rows_mut::<4>(ATTITUDE).copy_from_slice(&[q.w, q.i, q.j, q.k]);
    state.fixed_rows_mut::<6>(VELOCITY).copy_from_slice(&nu);
    state
}

fn rotation(state: &State) -> UnitQuaternion<f64> {
    let q = |n| state[ATTITUDE + n];
    UnitQuaternion::new_unchecked(Quaternion::new(q(0), q(1), q(2), q(3)))
}

fn pitch(state: &State) -> f64 {
    rotation(state).euler_angles().1
}

fn part(state: &State, first: usize) -> Vector3<f64> {
    state.fixed_rows::<3>(first).into()
}

/// The coefficients without drag, lift and fins: what is left is added mass.
fn ideal_fluid() -> Coefficients {
    let c = REMUS_100;
    Coefficients {
        Xuu: 0.0,
        Yvv: 0.0,
        Yrr: 0.0,
        Zww: 0.0,
        Zqq: 0.0,
        Kpp: 0.0,
        Mww: 0.0,
        Mqq: 0.0,
        Nvv: 0.0,
        Nrr: 0.0,
        Yuv: 0.0,
        Zuw: 0.0,
        Yur: c.Xud,
        Zuq: -c.Xud,
        Muq: -c.Zqd,
        Nur: c.Yrd,
        Muw: c.Xud - c.Zwd,
        Nuv: c.Yvd - c.Xud,
        ..c
    }
}

#[test]
fn in_an_ideal_fluid_energy_stays() {
    let c = REMUS_100;
    let hull = Hull::new(ideal_fluid(), WEIGHT, WEIGHT);
    // Kinetic energy of body and fluid, and the height of the centre of gravity.
    let energy = |state: &State| {
        let (v, o) = (part(state, VELOCITY), part(state, VELOCITY + 3));
        let mass = WEIGHT / 9.81;
        let lever = Vector3::new(0.0, 0.0, 0.0196);
        let body = 0.5 * mass * v.norm_squared()
            + mass * v.dot(&o.cross(&lever))
            + 0.5 * (0.177 * o.x * o.x + 3.45 * (o.y * o.y + o.z * o.z));
        let fluid = -0.5
            * (c.Xud * v.x * v.x
                + c.Yvd * v.y * v.y
                + c.Zwd * v.z * v.z
                + c.Kpd * o.x * o.x
                + c.Mqd * o.y * o.y
                + c.Nrd * o.z * o.z)
            - c.Yrd * v.y * o.z
            - c.Zqd * v.z * o.y;
        body + fluid - WEIGHT * (rotation(state) * lever).z
    };
    let start = state([0.3, 0.4, -1.0], [1.5, 0.4, -0.3, 0.5, 0.3, -0.4]);
    let end = advance(&hull, start, &Inputs::default(), 20.0, 20_000);
    assert!((end - start).norm() > 10.0, "it has moved");
    let (before, after) = (energy(&start), energy(&end));
    assert!((after / before - 1.0).abs() < 1e-9, "{before} {after} J");
}

#[test]
fn drag_takes_energy_away() {
    let start = state([0.0; 3], [1.5, 0.4, -0.3, 0.0, 0.3, -0.4]);
    let end =
        advance(&Hull::new(REMUS_100, WEIGHT, WEIGHT), start, &Inputs::default(), 300.0, 3_000);
    assert!(part(&end, VELOCITY).norm() < 0.15 && part(&end, VELOCITY + 3).norm() < 0.03, "{end}");
}

#[test]
fn in_a_steady_current_it_moves_against_the_water_as_in_still_water() {
    let hull = Hull::default();
    let still = Inputs { rudder: 0.1, stern: -0.05, propeller: 1525.0, ..Inputs::default() };
    let current = Vector3::new(0.5, -0.8, 0.1);
    let flowing = Inputs { current, ..still };
    let start = state([0.1, -0.2, 0.7], [1.2, 0.1, -0.1, 0.1, 0.1, 0.2]);
    let mut carried = start;
    let over_ground = part(&start, VELOCITY) + rotation(&start).inverse() * current;
    carried.fixed_rows_mut::<3>(VELOCITY).copy_from(&over_ground);
    let still = advance(&hull, start, &still, 60.0, 6_000);
    let flowing = advance(&hull, carried, &flowing, 60.0, 6_000);
    let apart = part(&flowing, POSITION) - part(&still, POSITION) - current * 60.0;
    assert!(apart.norm() < 1e-7, "{apart}");
    assert!((part(&flowing, VELOCITY + 3) - part(&still, VELOCITY + 3)).norm() < 1e-8);
}

#[test]
fn a_vehicle_as_heavy_as_water_goes_with_water_that_accelerates() {
    // A light centre of gravity below the origin makes it pitch a little; the origin goes with the water.
    let hull = Hull::new(REMUS_100, WEIGHT, WEIGHT);
    let acceleration = Vector3::new(0.02, 0.01, 0.0);
    let mut vehicle = state([0.0; 3], [0.0; 6]);
    for k in 0..1000 {
        let current = acceleration * (0.01 * (f64::from(k) + 0.5));
        let inputs = Inputs { current, current_acceleration: acceleration, ..Inputs::default() };
        vehicle = advance(&hull, vehicle, &inputs, 0.01, 1);
    }
    let velocity = rotation(&vehicle) * part(&vehicle, VELOCITY);
    assert!((velocity - acceleration * 10.0).norm() < 2e-3, "{velocity}");
}

#[test]
fn thrust_and_drag_are_in_balance_at_three_knots() {
    let hull = Hull::new(REMUS_100, WEIGHT, WEIGHT);
    let cruise = Inputs { propeller: 1525.0, ..Inputs::default() };
    let surge =
        |u: f64| hull.rate(&state([0.0; 3], [u, 0.0, 0.0, 0.0, 0.0, 0.0]), &cruise)[VELOCITY];
    assert!(surge(1.53) > 0.0 && surge(1.56) < 0.0, "{} {}", surge(1.53), surge(1.56));
}

#[test]
fn a_small_pitch_swings_as_a_pendulum_of_its_inertia_and_added_inertia() {
    // ω² = W z_g / (I_yy - M_q̇); the lever of the centre of gravity and heave change it by a little.
    let period = std::f64::consts::TAU / (299.0 * 0.0196 / (3.45 + 4.88_f64)).sqrt();
    let hull = Hull::new(REMUS_100, WEIGHT, WEIGHT);
    let mut vehicle = state([0.0, 1e-4, 0.0], [0.0; 6]);
    let mut crossed = Vec::new();
    for k in 0..3000 {
        let next = advance(&hull, vehicle, &Inputs::default(), 0.01, 1);
        if pitch(&vehicle) * pitch(&next) < 0.0 {
            crossed.push(0.01 * f64::from(k));
        }
        vehicle = next;
    }
    let measured = 2.0 * (crossed[4] - crossed[0]) / 4.0;
    assert!((measured / period - 1.0).abs() < 0.02, "{measured} s, not {period} s");
}

#[test]
fn the_error_of_a_step_is_of_the_order_that_runge_and_kutta_promise() {
    let inputs = Inputs { rudder: 0.1, stern: -0.1, propeller: 1525.0, ..Inputs::default() };
    let start = state([0.3, 0.2, 0.5], [1.5, 0.3, 0.2, -0.4, 0.3, -0.2]);
    let hull = Hull::default();
    // Short enough for no velocity to change its sign: at |v| v the third derivative jumps.
    let at = |steps| advance(&hull, start, &inputs, 0.2, steps);
    let exact = at(2048);
    let error = |steps| (at(steps) - exact).norm();
    for steps in [4, 8, 16] {
        let order = libm::log2(error(steps) / error(2 * steps));
        assert!((order - 4.0).abs() < 0.25, "{steps} steps: order {order}");
    }
}
