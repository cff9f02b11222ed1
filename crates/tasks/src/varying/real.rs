//! What is known of the real system while it is simulated: when its jobs start and end, and what they read.

use std::cell::RefCell;

use super::advanced::{Advanced, AtBest};
use super::parts::{Parts, constant_latency};
use super::periodic::Periodic;
use super::span::Span;
use crate::job::Times;
use crate::scheduler::{Plan, TooManyJobs};
use crate::system::{Scheduler, System, TaskId, Ticks};

/// Where the real schedule of a job is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Job of a periodic ECU.
    Periodic { part: usize, number: usize },
    /// Job of a group of other ECUs.
    Advanced { group: usize, number: u32 },
}

/// A job that has started, or will.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealJob {
    pub task: TaskId,
    pub instance: u64,
    pub place: Place,
}

/// What a job reads of one task.
pub(super) enum Read {
    /// The result of this job, or nothing yet.
    Decided(Option<usize>),
    /// That of one of these jobs, or of one before them, or, if a group is named, of one that has not started.
    Undecided { candidates: Vec<usize>, future: Option<usize> },
}

/// The real system, as far as it is known.
pub(super) struct Real<'a, T> {
    pub system: &'a System,
    plan: &'a Plan,
    pub periodic: Vec<Periodic>,
    pub groups: Vec<Advanced<'a, T>>,
    /// All jobs that are looked at; later ones of groups are added when they have started.
    pub jobs: Vec<RealJob>,
    /// Jobs of each task, by instance.
    pub of_task: Vec<Vec<usize>>,
    /// Jobs of each group, by number.
    pub of_group: Vec<Vec<usize>>,
    /// Jobs of each periodic ECU, by number.
    pub of_part: Vec<Vec<usize>>,
    /// Group of each task, if it is in one.
    pub group_of: Vec<Option<usize>>,
    /// Sender of each link.
    sender: Vec<TaskId>,
    /// Jobs in front of these are done and known, of each task and of each group.
    pub first_of_task: Vec<usize>,
    pub first_of_group: Vec<usize>,
}

impl<'a, T: Times> Real<'a, T> {
    /// Nothing is known yet but what all executions have in common.
    pub fn new(
        system: &'a System,
        plan: &'a Plan,
        parts: &'a Parts,
        (times, horizon): (&'a RefCell<T>, Ticks),
    ) -> Self {
        let groups = parts.others.iter().map(|part| {
            let times = AtBest { system: part, times };
            Advanced::new(part, times, horizon)
        });
        let mut sender = vec![0; plan.links.len()];
        for (task, described) in plan.tasks.iter().enumerate() {
            sender[described.links.0..described.links.1].fill(task);
        }
        let mut real = Real {
            system,
            plan,
            periodic: parts.periodic.clone(),
            groups: groups.collect(),
            jobs: Vec::new(),
            of_task: vec![Vec::new(); system.tasks.len()],
            of_group: vec![Vec::new(); parts.others.len()],
            of_part: vec![Vec::new(); parts.periodic.len()],
            group_of: system.tasks.iter().map(|task| parts.group_of[task.ecu]).collect(),
            sender,
            first_of_task: vec![0; system.tasks.len()],
            first_of_group: vec![0; parts.others.len()],
        };
        for (part, periodic) in parts.periodic.iter().enumerate() {
            for (number, job) in periodic.jobs.iter().enumerate() {
                real.of_part[part].push(real.jobs.len());
                real.add(job.task, job.instance, Place::Periodic { part, number });
            }
        }
        real
    }

    fn add(&mut self, task: TaskId, instance: u64, place: Place) {
        self.of_task[task].push(self.jobs.len());
        self.jobs.push(RealJob { task, instance, place });
    }

    /// Takes in what the known times decide, up to an instant at least.
    pub fn advance(&mut self, until: Ticks) -> Result<(), TooManyJobs> {
        for group in 0..self.groups.len() {
            self.groups[group].advance(until)?;
            for number in self.of_group[group].len()..self.groups[group].jobs().len() {
                let job = self.groups[group].jobs()[number];
                self.of_group[group].push(self.jobs.len());
                let place = Place::Advanced { group, number: number as u32 };
                self.add(job.task, job.instance, place);
            }
        }
        Ok(())
    }

    /// Passes over jobs that are done and of which nothing is left to be known.
    pub fn pass_over(&mut self, done: &[bool]) {
        let is_over = |job: &usize| done[*job] && self.finish(*job).known().is_some();
        let pass = |(jobs, first): (&Vec<usize>, &usize)| {
            first + jobs[*first..].iter().take_while(|job| is_over(job)).count()
        };
        let tasks = self.of_task.iter().zip(&self.first_of_task).map(pass).collect();
        let groups = self.of_group.iter().zip(&self.first_of_group).map(pass).collect();
        (self.first_of_task, self.first_of_group) = (tasks, groups);
    }

    /// The time of a job is known.
    pub fn learn(&mut self, job: usize, execution: Ticks) {
        match self.jobs[job].place {
            Place::Periodic { part, number } => self.periodic[part].learn(number, execution),
            Place::Advanced { group, number } => self.groups[group].learn(number, execution),
        }
    }

    /// When a job starts on its ECU.
    pub fn start(&self, job: usize) -> Span {
        match self.jobs[job].place {
            Place::Periodic { part, number } => self.periodic[part].jobs[number].start,
            Place::Advanced { group, number } => {
                Span::at(self.groups[group].jobs()[number as usize].start)
            }
        }
    }

    /// When it ends there.
    pub fn finish(&self, job: usize) -> Span {
        match self.jobs[job].place {
            Place::Periodic { part, number } => self.periodic[part].jobs[number].finish,
            Place::Advanced { group, number } => self.groups[group].finish(number),
        }
    }

    /// When it was released.
    pub fn release(&self, job: usize) -> Ticks {
        match self.jobs[job].place {
            Place::Periodic { part, number } => self.periodic[part].jobs[number].release,
            Place::Advanced { group, number } => self.groups[group].jobs()[number as usize].release,
        }
    }

    /// Whether its time is still to be learned.
    pub fn is_unknown(&self, job: usize) -> bool {
        match self.jobs[job].place {
            Place::Periodic { part, number } => {
                self.periodic[part].jobs[number].execution.known().is_none()
            }
            Place::Advanced { group, number } => self.groups[group].is_unknown(number),
        }
    }

    /// Whether it is a callback, which nothing interrupts.
    pub fn is_executed(&self, job: usize) -> bool {
        let ecu = self.system.tasks[self.jobs[job].task].ecu;
        self.system.ecus[ecu].scheduler != Scheduler::FixedPriority
    }

    /// The job of its task before it.
    pub fn previous(&self, job: usize) -> Option<usize> {
        let RealJob { task, instance, .. } = self.jobs[job];
        instance.checked_sub(1).map(|before| self.of_task[task][before as usize])
    }

    /// The job whose message released it.
    pub fn trigger(&self, job: usize) -> Option<usize> {
        let Place::Advanced { group, number } = self.jobs[job].place else { return None };
        let trigger = self.groups[group].jobs()[number as usize].trigger?;
        Some(self.of_group[group][trigger as usize])
    }

    /// What it reads of the tasks that it samples.
    pub fn reads(&self, job: usize) -> Vec<Read> {
        let RealJob { task, place, .. } = self.jobs[job];
        let mut reads = Vec::new();
        for link in &self.plan.tasks[task].samples {
            let from = self.sender[*link];
            if self.group_of[from].is_none() || self.group_of[from] != self.group_of[task] {
                let latency = constant_latency(self.system, self.plan.links[*link].bus);
                reads.push(self.latest(from, self.start(job), latency.unwrap_or(0)));
            }
        }
        if let Place::Advanced { group, number } = place {
            let sampled = self.groups[group].sampled();
            let first = sampled.partition_point(|(reader, _)| *reader < number);
            let own = sampled[first..].iter().take_while(|(reader, _)| *reader == number);
            let of_group = &self.of_group[group];
            reads.extend(own.map(|(_, from)| Read::Decided(Some(of_group[*from as usize]))));
        }
        reads
    }

    /// Tasks of periodic ECUs whose results are read in a group.
    pub fn sampled_by(&self, group: usize) -> impl Iterator<Item = TaskId> + '_ {
        let links = self.plan.links.iter().zip(&self.sender);
        links
            .filter(move |(link, from)| {
                self.group_of[link.to] == Some(group) && self.group_of[**from].is_none()
            })
            .map(|(_, from)| *from)
    }

    /// The last job of a task whose result has come by an instant: what ends at an instant is read by what
    /// starts at it.
    fn latest(&self, task: TaskId, at: Span, latency: Ticks) -> Read {
        let jobs = &self.of_task[task];
        // Jobs of a task start in the order of their instances.
        let started = jobs.partition_point(|job| self.start(*job).earliest <= at.latest);
        let has_come =
            |job: &usize| self.finish(*job).latest.saturating_add(latency) <= at.earliest;
        let may_have_come =
            |job: &usize| self.finish(*job).earliest.saturating_add(latency) <= at.latest;
        let certain = jobs[..started].iter().rposition(has_come);
        let possible = jobs[..started].iter().rposition(may_have_come);
        let future = self.group_of[task]
            .filter(|group| self.groups[*group].decided.saturating_add(latency) < at.latest);
        if future.is_none() && certain == possible {
            return Read::Decided(certain.map(|number| jobs[number]));
        }
        let from = certain.unwrap_or(0);
        let to = possible.map_or(from, |number| number + 1);
        Read::Undecided { candidates: jobs[from..to.max(from)].to_vec(), future }
    }
}
