//! What faults do, in words for the one who points at their mark.

use crate::Experiment;
use crate::checked::{Fault, FaultKind, FaultTarget, Scenario, Window};
use ironbird_kernel::Time;

/// `stuck: room.temperature keeps its value from 10 s (scenario "night")`
pub fn describe(experiment: &Experiment, scenario: &Scenario, fault: &Fault) -> String {
    let what = match &fault.target {
        FaultTarget::Output(port, how) | FaultTarget::Input(port, how) => {
            format!("{} {}", experiment.port_name(port), effect(how.kind))
        }
        FaultTarget::Component(path) => format!("{path} makes no steps"),
    };
    let when = match &fault.window {
        Window::Times(Time::ZERO, Time::NEVER) => String::new(),
        Window::Times(from, Time::NEVER) => format!(" from {from}"),
        Window::Times(Time::ZERO, until) => format!(" until {until}"),
        Window::Times(from, until) => format!(" from {from} until {until}"),
        Window::While(condition) => format!(" while {}", condition.text),
        Window::Commanded => " on command".into(),
    };
    let whose = scenario.name.as_ref().map(|name| format!(" (scenario \"{name}\")"));
    format!("{}: {what}{when}{}", fault.name, whose.unwrap_or_default())
}

fn effect(kind: FaultKind) -> String {
    match kind {
        FaultKind::Override(value) => format!("is replaced by {value}"),
        FaultKind::Bias(value) => format!("is off by {value}"),
        FaultKind::Scale(factor) => format!("is multiplied by {factor}"),
        FaultKind::Stuck => "keeps its value".into(),
        FaultKind::Delay(delay) => format!("comes {delay} late"),
        FaultKind::Drop(probability) => format!("is lost with probability {probability}"),
        FaultKind::Noise(deviation) => format!("has noise with standard deviation {deviation}"),
    }
}
