//! Thousands of thermostats side by side: an event in one of them concerns its neighbours only.

mod problems;

use ironbird_solvers::{Block, Direction, Edit, Method, Number, Point, Settings, Solver, Watched};
use problems::at;

/// Rooms in a ring, each with a heater that switches at 19 and 21 degrees.
struct Rooms {
    heating: Vec<bool>,
    local: bool,
}

impl Block for Rooms {
    fn states(&self) -> usize {
        self.heating.len()
    }
    fn crossings(&self) -> usize {
        self.heating.len()
    }
    fn initial(&self, room: usize) -> f64 {
        15.0 + 0.01 * (room % 100) as f64
    }
    fn derivative<N: Number>(&self, room: usize, at: &impl Point<N>) -> N {
        let (x, next) = (at.x(room), at.x((room + 1) % self.heating.len()));
        let heat = if self.heating[room] { 2.0 } else { 0.0 };
        -(x - 10.0) * 0.1 + (next - x) * 0.05 - x * x * 1e-4 + heat
    }
    fn crossing<N: Number>(&self, room: usize, at: &impl Point<N>) -> N {
        if self.heating[room] { at.x(room) - 21.0 } else { -at.x(room) + 19.0 }
    }
    fn watches(&self, _: usize) -> Watched {
        Watched::Rising
    }
    fn on_crossing(&mut self, room: usize, _: Direction, edit: &mut Edit<'_>) {
        self.heating[room] = !self.heating[room];
        if self.local {
            edit.affects_only(&[room], &[]);
        }
    }
}

fn solved(method: Method, rooms: usize, local: bool) -> (f64, u64, u64) {
    let block = Rooms { heating: vec![true; rooms], local };
    let settings = Settings::new(method).tolerance(1e-5, 1e-5);
    let mut solver = Solver::new(block, settings).unwrap();
    solver.run(at(20.0)).unwrap();
    let done = solver.statistics();
    (solver.sample(7, at(20.0)).unwrap(), done.steps, done.crossings)
}

#[test]
fn saying_what_an_event_affects_changes_the_work_and_not_the_result() {
    for method in [Method::Qss2, Method::Qss3, Method::Liqss2, Method::Dopri5] {
        let (near, near_steps, crossings) = solved(method, 100, true);
        let (far, far_steps, others) = solved(method, 100, false);
        assert!((near - far).abs() < 2e-3, "{method}: {near} and {far}");
        assert_eq!(crossings, others, "{method}");
        // Events elsewhere do not make a state take steps, named or not.
        let more = near_steps.abs_diff(far_steps);
        assert!(more < near_steps / 10, "{method}: {near_steps} and {far_steps} steps");
    }
}

#[test]
fn twenty_times_as_many_rooms_take_twenty_times_as_many_steps() {
    for method in [Method::Qss2, Method::Liqss2] {
        let (_, few, _) = solved(method, 100, true);
        let (_, many, _) = solved(method, 2_000, true);
        assert!((20 * few).abs_diff(many) < few, "{method}: {few} and {many}");
    }
}
