//! Which ECUs have to do with each other's timing.

use super::periodic::{Periodic, is_periodic};
use crate::bus::Carrier;
use crate::scheduler::Plan;
use crate::system::{EcuId, System, TaskId, Ticks};

/// A message from one task to another.
pub(super) struct Way {
    pub from: TaskId,
    pub to: TaskId,
    pub releases: bool,
    pub bus: Option<usize>,
}

/// All messages of a system.
pub(super) fn ways<'a>(plan: &'a Plan) -> impl Iterator<Item = Way> + 'a {
    plan.tasks.iter().enumerate().flat_map(move |(from, task)| {
        let links = plan.links[task.links.0..task.links.1].iter();
        links.map(move |link| Way { from, to: link.to, releases: link.releases, bus: link.bus })
    })
}

/// How long a message takes where that is always the same.
pub(super) fn constant_latency(system: &System, bus: Option<usize>) -> Option<Ticks> {
    match bus.map(|bus| &system.buses[bus].carrier) {
        None => Some(0),
        Some(Carrier::Constant { latency }) => Some(*latency),
        Some(_) => None,
    }
}

/// Members of `within` in groups: two that are joined are in one.
pub(super) fn components(
    within: &[bool],
    joined: impl Iterator<Item = (EcuId, EcuId)>,
) -> Vec<Vec<EcuId>> {
    let mut group: Vec<usize> = (0..within.len()).collect();
    for (a, b) in joined.filter(|(a, b)| within[*a] && within[*b]) {
        let (a, b) = (group[a], group[b]);
        group.iter_mut().filter(|of| **of == a).for_each(|of| *of = b);
    }
    let members = |number: usize| -> Vec<EcuId> {
        (0..within.len()).filter(|ecu| within[*ecu] && group[*ecu] == number).collect()
    };
    (0..within.len()).map(members).filter(|members| !members.is_empty()).collect()
}

/// The parts of a system whose real schedule is followed separately while it is simulated.
pub(super) struct Parts {
    /// Periodic ECUs that release nothing elsewhere: two schedules each.
    pub periodic: Vec<Periodic>,
    /// Groups of all others, each as the system with the clocks of the group alone.
    pub others: Vec<System>,
    /// Number of the group of each ECU, if it is in one.
    pub group_of: Vec<Option<usize>>,
    /// Up to here all jobs are looked at: the horizon, and what can delay jobs that start before it.
    pub end: Ticks,
}

impl Parts {
    pub fn of(system: &System, plan: &Plan, horizon: Ticks) -> Self {
        let ecu_of = |task: TaskId| system.tasks[task].ecu;
        let mut is_alone: Vec<bool> =
            (0..system.ecus.len()).map(|ecu| is_periodic(system, ecu)).collect();
        for way in ways(plan) {
            if way.releases || constant_latency(system, way.bus).is_none() {
                is_alone[ecu_of(way.from)] = false;
                is_alone[ecu_of(way.to)] &= constant_latency(system, way.bus).is_some();
            }
        }
        let mut end = horizon;
        for (ecu, is_alone) in is_alone.iter_mut().enumerate().filter(|(_, is_alone)| **is_alone) {
            let found = Periodic::of(system, plan, ecu, horizon);
            *is_alone = found.is_some();
            end = end.max(found.map_or(0, |periodic| periodic.end));
        }
        // A job up to the end may read what another ECU has written by then.
        let periodic: Vec<Option<Periodic>> = (0..is_alone.len())
            .map(|ecu| is_alone[ecu].then(|| Periodic::of(system, plan, ecu, end)).flatten())
            .collect();
        let within: Vec<bool> = periodic.iter().map(Option::is_none).collect();
        let by_links = ways(plan).map(|way| (ecu_of(way.from), ecu_of(way.to)));
        let by_buses = system
            .buses
            .iter()
            .filter(|bus| matches!(bus.carrier, Carrier::CanPriority { .. }))
            .flat_map(|bus| {
                let first = bus.ecus.iter().find(|ecu| within[**ecu]).copied();
                bus.ecus.iter().filter_map(move |ecu| Some((first?, *ecu)))
            });
        let groups = components(&within, by_links.chain(by_buses));
        let group_of = (0..within.len())
            .map(|ecu| groups.iter().position(|group| group.contains(&ecu)))
            .collect();
        let others = groups.iter().map(|group| only(system, group)).collect();
        Parts { periodic: periodic.into_iter().flatten().collect(), others, group_of, end }
    }
}

/// The system in which nothing runs but on these ECUs. Tasks and links keep their numbers.
pub(super) fn only(system: &System, ecus: &[EcuId]) -> System {
    let mut part = system.clone();
    for task in part.tasks.iter_mut().filter(|task| !ecus.contains(&task.ecu)) {
        task.clock = None;
    }
    part
}
