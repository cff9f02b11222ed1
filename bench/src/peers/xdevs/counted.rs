//! The wiring of xDEVS' own DEVStone models, line for line, with atomics whose counters can be
//! read. It verifies; it is not measured.
#![expect(unsafe_code, reason = "xdevs makes reading and writing a port unsafe")]

use std::cell::Cell;
use std::rc::Rc;

use xdevs::modeling::{Atomic, Component, Coupled, InPort, OutPort};
use xdevs::simulation::RootCoordinator;

use ironbird_workloads::devstone::{Devstone, Tally, Wiring};

/// Builds and runs a model and counts its atomics and their transitions.
pub fn run(model: Devstone) -> Tally {
    let tally = Rc::new(Cell::new(Tally::default()));
    let top = level(model, model.depth, &tally);
    let mut root = Coupled::new("root");
    root.add_component(Box::new(Seeder::new()));
    root.add_component(Box::new(top));
    let name = format!("level_{}", model.depth);
    root.add_ic("seeder", "output", &name, "input_1");
    if has_second_input(model) {
        root.add_ic("seeder", "output", &name, "input_2");
    }
    RootCoordinator::new(root).simulate(f64::INFINITY);
    tally.get()
}

fn has_second_input(model: Devstone) -> bool {
    matches!(model.wiring, Wiring::Ho | Wiring::HoMod)
}

/// The coupled model `depth` levels above the innermost, which is 1.
fn level(model: Devstone, depth: u64, tally: &Rc<Cell<Tally>>) -> Coupled {
    let mut level = Coupled::new(&format!("level_{depth}"));
    level.add_in_port::<usize>("input_1");
    if has_second_input(model) {
        level.add_in_port::<usize>("input_2");
    }
    level.add_out_port::<usize>("output_1");
    level.add_out_port::<usize>("output_2");
    if depth == 1 {
        add_atomic(&mut level, "inner", tally);
        level.add_eic("input_1", "inner", "input");
        level.add_eoc("inner", "output", "output_1");
        return level;
    }
    let below = format!("level_{}", depth - 1);
    level.add_component(Box::new(self::level(model, depth - 1, tally)));
    level.add_eic("input_1", &below, "input_1");
    level.add_eoc(&below, "output_1", "output_1");
    match model.wiring {
        Wiring::HoMod => add_triangle(&mut level, model.width, &below, tally),
        Wiring::Ho => {
            level.add_eic("input_1", &below, "input_2");
            add_row(&mut level, model, "input_2", tally);
        }
        Wiring::Li | Wiring::Hi => add_row(&mut level, model, "input_1", tally),
    }
    level
}

/// The w-1 atomics of LI, HI and HO.
fn add_row(level: &mut Coupled, model: Devstone, input: &str, tally: &Rc<Cell<Tally>>) {
    for i in 1..model.width {
        let name = format!("atomic_{i}");
        add_atomic(level, &name, tally);
        level.add_eic(input, &name, "input");
        if i > 1 && model.wiring != Wiring::Li {
            level.add_ic(&format!("atomic_{}", i - 1), "output", &name, "input");
        }
        if model.wiring == Wiring::Ho {
            level.add_eoc(&name, "output", "output_2");
        }
    }
}

/// HOmod: a row into the level below, a row into all of that row, then ever shorter rows of which
/// atomic i feeds atomic i+1 of the row before.
fn add_triangle(level: &mut Coupled, width: u64, below: &str, tally: &Rc<Cell<Tally>>) {
    let name = |row: u64, i: u64| format!("atomic_{row}_{i}");
    for i in 1..width {
        add_atomic(level, &name(1, i), tally);
        level.add_eic("input_2", &name(1, i), "input");
        level.add_ic(&name(1, i), "output", below, "input_2");
    }
    for row in 2..=width {
        for i in 1..=width + 1 - row {
            add_atomic(level, &name(row, i), tally);
            if i == 1 {
                level.add_eic("input_2", &name(row, i), "input");
            }
            if row == 2 {
                (1..width)
                    .for_each(|to| level.add_ic(&name(2, i), "output", &name(1, to), "input"));
            } else {
                level.add_ic(&name(row, i), "output", &name(row - 1, i + 1), "input");
            }
        }
    }
}

fn add_atomic(level: &mut Coupled, name: &str, tally: &Rc<Cell<Tally>>) {
    let mut component = Component::new(name);
    let input = component.add_in_port("input");
    let output = component.add_out_port("output");
    let (own, total) = (Tally { atomics: 1, ..Tally::default() }, Rc::clone(tally));
    level.add_component(Box::new(Relay { component, input, output, is_due: false, own, total }));
}

/// A DEVStone atomic: answers what it gets at once, and adds its counters to the total at the end.
struct Relay {
    component: Component,
    input: InPort<usize>,
    output: OutPort<usize>,
    is_due: bool,
    own: Tally,
    total: Rc<Cell<Tally>>,
}

impl Atomic for Relay {
    fn get_component(&self) -> &Component {
        &self.component
    }

    fn get_component_mut(&mut self) -> &mut Component {
        &mut self.component
    }

    fn stop(&mut self) {
        let total = self.total.get();
        self.total.set(Tally {
            atomics: total.atomics + self.own.atomics,
            internal: total.internal + self.own.internal,
            external: total.external + self.own.external,
        });
    }

    fn lambda(&self) {
        // SAFETY: the output function is where xdevs allows writing to an output port.
        unsafe { self.output.add_value(0) };
    }

    fn delta_int(&mut self) {
        self.own.internal += 1;
        self.is_due = false;
    }

    fn delta_ext(&mut self, _elapsed: f64) {
        // SAFETY: the external transition is where xdevs allows reading an input port.
        assert!(
            !unsafe { self.input.get_values() }.is_empty(),
            "external transition without input"
        );
        self.own.external += 1;
        self.is_due = true;
    }

    fn ta(&self) -> f64 {
        if self.is_due { 0.0 } else { f64::INFINITY }
    }
}

/// Sends the one event at time 0.
struct Seeder {
    component: Component,
    output: OutPort<usize>,
    is_due: bool,
}

impl Seeder {
    fn new() -> Self {
        let mut component = Component::new("seeder");
        let output = component.add_out_port("output");
        Seeder { component, output, is_due: true }
    }
}

impl Atomic for Seeder {
    fn get_component(&self) -> &Component {
        &self.component
    }

    fn get_component_mut(&mut self) -> &mut Component {
        &mut self.component
    }

    fn lambda(&self) {
        // SAFETY: the output function is where xdevs allows writing to an output port.
        unsafe { self.output.add_value(0) };
    }

    fn delta_int(&mut self) {
        self.is_due = false;
    }

    fn delta_ext(&mut self, _elapsed: f64) {}

    fn ta(&self) -> f64 {
        if self.is_due { 0.0 } else { f64::INFINITY }
    }
}
