//! How long data takes along a chain of tasks.
//!
//! A chain is followed backwards from every job that ends it: the job whose message released it, or the latest
//! whose result it read. The latency is that from the start of the first job to the end of the last. This is
//! the definition by which `ironbird-traces` measures paths.

use crate::job::Job;
use crate::system::{TaskId, Ticks};
use crate::timetable::Timetable;

/// The latencies of a chain in a timetable, in the order in which its last jobs started. Jobs that no data has
/// reached from the first task, such as the first ones, are left out.
pub fn chain_latencies(timetable: &Timetable, chain: &[TaskId]) -> Vec<Ticks> {
    let Some((last, before)) = chain.split_last() else { return Vec::new() };
    let ends = timetable.jobs.iter().enumerate().filter(|(_, job)| job.task == *last);
    let latency = |(number, end): (usize, &Job)| {
        let mut at = number as u32;
        for task in before.iter().rev() {
            at = producer(timetable, at, *task)?;
        }
        Some(end.finish - timetable.jobs[at as usize].start)
    };
    ends.filter_map(latency).collect()
}

/// The job of a task whose result another job used.
fn producer(timetable: &Timetable, job: u32, task: TaskId) -> Option<u32> {
    let is_of_task = |number: &u32| timetable.jobs[*number as usize].task == task;
    let trigger = timetable.jobs[job as usize].trigger.filter(is_of_task);
    trigger.or_else(|| {
        let first = timetable.sampled.partition_point(|(reader, _)| *reader < job);
        let read = timetable.sampled[first..].iter().take_while(|(reader, _)| *reader == job);
        read.map(|(_, read)| *read).find(is_of_task)
    })
}
