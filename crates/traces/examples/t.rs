//! x
use ironbird_traces::{ctf::Trace, ros2::Observed};
fn main() {
    let t = Trace::open(std::env::args().nth(1).unwrap().as_ref()).unwrap();
    let o = Observed::from_events(t.events());
    for c in &o.callbacks { if !c.executions.is_empty() { println!("{:?} {:?} g{:?} {}", o.node_name(c), c.trigger, c.group, c.execution_times()); } }
    println!("{:?}\n{:?}\n{:?}", o.nodes, o.executors, o.groups);
    for g in &o.gaps { println!("{g}"); }
    println!("{} {}", o.publications.len(), o.publications.iter().filter(|p| p.within.is_some()).count());
    for p in o.publications.iter().rev().take(4) { println!("{p:?}"); }
}
