//! What can be wrong with a system before it runs. Every message names the places it speaks of.

use crate::time::Time;

/// Why a graph, or an edit of one, was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum GraphError {
    #[error(
        "\"{name}\" cannot name a component or port: use letters, digits, `_`, `-`, and an index in brackets"
    )]
    BadName { name: String },
    #[error("there are two components \"{path}\"")]
    DuplicateComponent { path: String },
    #[error("\"{path}\" declares \"{name}\" twice")]
    DuplicatePort { path: String, name: String },
    #[error("\"{path}\" declares more than 65,534 ports")]
    TooManyPorts { path: String },
    #[error("there is no component \"{path}\"{}", suggestion(.nearest))]
    NoSuchComponent { path: String, nearest: Option<String> },
    #[error("\"{path}\" is not a composite: nothing can be placed inside it")]
    NotComposite { path: String },
    #[error("\"{path}\" has no {direction} \"{port}\"{}", suggestion(.nearest))]
    NoSuchPort { path: String, direction: &'static str, port: String, nearest: Option<String> },
    #[error("{from} sends {from_type} and {to} takes {to_type}: they cannot be linked")]
    TypeMismatch { from: String, from_type: String, to: String, to_type: String },
    #[error("{from} carries {from_kind}s and {to} takes {to_kind}s: they cannot be linked")]
    KindMismatch { from: String, from_kind: String, to: String, to_kind: String },
    #[error("the signal input {to} has two sources, {first} and {second}")]
    TwoSources { to: String, first: String, second: String },
    #[error("the signal input {port} has no source")]
    Unconnected { port: String },
    #[error("{from} -> {to}: only a signal has a previous value")]
    PreviousOfEvent { from: String, to: String },
    #[error("\"{path}.{port}\" sends events: they cannot be sampled, only taken as they are sent")]
    SampledEvent { path: String, port: String },
    #[error(
        "\"{provider}\" was not offered to \"{asker}\": it cannot be bound while the system runs"
    )]
    NotOffered { asker: String, provider: String },
    #[error("the system could not be changed: {reason}")]
    Refused { reason: String },
    #[error("the links of composites form a loop: {}", .ports.join(" -> "))]
    PortLoop { ports: Vec<String> },
    #[error("the periodic components {} read each other's current value in a circle: give one of them a priority, or let one link carry the previous value or a latency", .cycle.join(" -> "))]
    PeriodicCycle { cycle: Vec<String> },
    #[error(
        "the components \"{a}\" and \"{b}\" run ahead of others (continuous ones do) and reach each other without latency: give a link between them a latency"
    )]
    RunAheadCycle { a: String, b: String },
    #[error("two links are called \"{name}\"")]
    DuplicateLink { name: String },
    #[error("two monitors are called \"{name}\"")]
    DuplicateMonitor { name: String },
    #[error("there is no link called \"{name}\"{}", suggestion(.nearest))]
    NoSuchLink { name: String, nearest: Option<String> },
    #[error("\"{path}\" asks \"{query}\", but nothing is bound to answer")]
    UnboundQuery { path: String, query: String },
    #[error("{asker} asks {asked} and {provider} answers {answered}: they cannot be bound")]
    QueryMismatch { asker: String, asked: String, provider: String, answered: String },
    #[error("\"{path}\" is no provider of a query")]
    NotProvider { path: String },
    #[error("\"{path}\" has no parameters: it is neither a model nor a provider")]
    NoParameters { path: String },
    #[error("\"{path}\" only answers queries: it cannot be stopped, started or reset")]
    OnlyAnswers { path: String },
    #[error("\"{path}\" is not periodic: it has no rate")]
    NotPeriodic { path: String },
    #[error("\"{path}\" cannot be reset: it cannot save its state")]
    CannotReset { path: String },
    #[error("\"{path}\" cannot be reset: the run does not keep initial states")]
    NotKept { path: String },
    #[error("the action on \"{path}\" at {at} lies before {now}, which has passed")]
    TooLate { path: String, at: Time, now: Time },
    #[error("the placement separates {from} and {to}, which are linked without latency")]
    CutUnit { from: String, to: String },
    #[error("the placement does not say where \"{path}\" goes")]
    Unplaced { path: String },
    #[error("a run needs at least one partition")]
    NoPartition,
    #[error("there is no process {number} in a span of {count}")]
    NoSuchProcess { number: usize, count: usize },
    #[error("{partitions} partitions need as many processes; the span has {processes}")]
    TooFewProcesses { partitions: usize, processes: usize },
    #[error("process {process} does not do what this one does: {what}")]
    ProcessesDiffer { process: usize, what: String },
    #[error("{what} cannot be had while several processes run the system")]
    NotInSpan { what: &'static str },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}
