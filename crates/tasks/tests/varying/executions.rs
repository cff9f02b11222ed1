//! All executions of a system: every combination of execution times of its jobs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::systems::Draw;
use ironbird_tasks::{System, TaskId, Ticks, Times, Timetable};

/// Times by task and instance.
pub type Table = BTreeMap<(TaskId, u64), Ticks>;

/// The choices on the way to one execution: value, greatest value.
#[derive(Default)]
struct Way {
    choices: Vec<(Ticks, Ticks)>,
    asked: usize,
    table: Table,
    /// Choices are drawn, not taken one after the other.
    draw: Option<Draw>,
}

struct Chosen<'a> {
    system: &'a System,
    way: &'a RefCell<Way>,
}

impl Times for Chosen<'_> {
    fn execution(&mut self, task: TaskId, instance: u64) -> Ticks {
        let way = &mut *self.way.borrow_mut();
        let range = &self.system.tasks[task].execution;
        if way.asked == way.choices.len() {
            let first = match &mut way.draw {
                Some(draw) => range.best + draw.below(range.worst - range.best + 1),
                None => range.best,
            };
            way.choices.push((first, range.worst));
        }
        let (time, _) = way.choices[way.asked];
        way.asked += 1;
        way.table.insert((task, instance), time);
        time
    }

    fn latency(&mut self, link: usize, number: u64, latencies: &[Ticks]) -> Ticks {
        latency(link, number, latencies)
    }
}

/// Some latency that differs from message to message.
pub fn latency(link: usize, number: u64, latencies: &[Ticks]) -> Ticks {
    latencies[(link as u64 + number) as usize % latencies.len()]
}

/// Times of a table; of jobs that are not in it, the worst, which must not matter.
pub struct Given<'a> {
    pub system: &'a System,
    pub table: &'a Table,
}

impl Times for Given<'_> {
    fn execution(&mut self, task: TaskId, instance: u64) -> Ticks {
        let worst = self.system.tasks[task].execution.worst;
        self.table.get(&(task, instance)).copied().unwrap_or(worst)
    }

    fn latency(&mut self, link: usize, number: u64, latencies: &[Ticks]) -> Ticks {
        latency(link, number, latencies)
    }
}

/// Visits every execution. Where there are more than `most`, visits these, then as many that are drawn, and
/// says false.
pub fn all(
    system: &System,
    horizon: Ticks,
    most: usize,
    mut visit: impl FnMut(&Timetable, &Table),
) -> bool {
    let way = RefCell::new(Way::default());
    for _ in 0..most {
        (way.borrow_mut().asked, way.borrow_mut().table) = (0, Table::new());
        let times = Chosen { system, way: &way };
        let timetable = Timetable::until(system, times, horizon).expect("a timetable");
        visit(&timetable, &way.borrow().table);
        let way = &mut *way.borrow_mut();
        while way.choices.last().is_some_and(|(time, worst)| time == worst) {
            way.choices.pop();
        }
        match way.choices.last_mut() {
            Some((time, _)) => *time += 1,
            None => return true,
        }
    }
    way.borrow_mut().draw = Some(Draw::new(most as u64));
    for _ in 0..most {
        let draw = way.borrow_mut().draw.take();
        *way.borrow_mut() = Way { draw, ..Way::default() };
        let times = Chosen { system, way: &way };
        let timetable = Timetable::until(system, times, horizon).expect("a timetable");
        visit(&timetable, &way.borrow().table);
    }
    false
}
