//! Monitors and actions of a random system, as the kernel takes them.

use ironbird_kernel::{Action, Monitor, Parameter, Response, Time, Watched};

use super::behaviour::{Item, PortType, Reading, mix};
use super::plan::{ActionPlan, MonitorPlan, Plan};

/// What a monitor's condition says of the values it sees.
pub fn monitor_holds(monitor: &MonitorPlan, now: Time, seen: &[Item]) -> bool {
    let hash = seen.iter().fold(0, |hash, item| match item {
        Item::Real(value) => mix(hash, value.to_bits()),
        Item::Reading(reading) => mix(hash, reading.hash),
        Item::Note(_) => hash,
    });
    now >= monitor.after && hash.is_multiple_of(monitor.divisor)
}

pub fn kernel_monitor(plan: &Plan, monitor: &MonitorPlan) -> Monitor {
    let watched = monitor.watched.iter();
    let watched =
        watched.map(|&(m, p)| Watched { component: plan.path(m), port: format!("out{p}") });
    let types: Vec<PortType> =
        monitor.watched.iter().map(|&(m, p)| plan.models[m].outputs[p]).collect();
    let response = match &monitor.actions {
        None => Response::Stop,
        Some(actions) => Response::Act(actions.iter().map(|a| kernel_action(plan, a)).collect()),
    };
    let this = monitor.clone();
    let condition = move |readings: &ironbird_kernel::Readings<'_>| {
        let seen: Vec<Item> = types
            .iter()
            .enumerate()
            .map(|(index, of)| match of {
                PortType::Real => Item::Real(*readings.signal(index).unwrap()),
                _ => Item::Reading(readings.signal::<Reading>(index).unwrap().clone()),
            })
            .collect();
        monitor_holds(&this, readings.now(), &seen)
    };
    Monitor::new(&monitor.name, watched.collect(), condition, response)
}

pub fn kernel_action(plan: &Plan, action: &ActionPlan) -> Action {
    let parameter = |value: &i64| Parameter::Integer(*value);
    match action {
        ActionPlan::SetModel { model, name, value } => Action::SetParameter {
            component: plan.path(*model),
            name: (*name).into(),
            value: parameter(value),
        },
        ActionPlan::SetField { field, value } => Action::SetParameter {
            component: format!("field[{field}]"),
            name: "gain".into(),
            value: parameter(value),
        },
        ActionPlan::SetLink { link, value } => Action::SetLinkParameter {
            link: link.clone(),
            name: "gain".into(),
            value: parameter(value),
        },
        ActionPlan::Stop(whom) => Action::Stop { component: plan.whom_path(*whom) },
        ActionPlan::Start(whom) => Action::Start { component: plan.whom_path(*whom) },
        ActionPlan::Reset(whom) => Action::Reset { component: plan.whom_path(*whom) },
        ActionPlan::SetRate { model, rate } => {
            Action::SetRate { component: plan.path(*model), rate: *rate }
        }
    }
}
