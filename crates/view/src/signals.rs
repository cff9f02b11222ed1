//! The numbers that can be plotted.

use std::collections::BTreeMap;

use ironbird_component::Direction;
use ironbird_experiment::Experiment;
use ironbird_kernel::{Leaf, LeafKind, PortKind, Time};
use ironbird_record::Channel;
use ironbird_record::continuous::TRAJECTORY;
use ironbird_runner::leaf_number;

use crate::protocol::SignalShown;

/// Signals of a system at most; of more, those that come first.
const MOST_SIGNALS: usize = 50_000;

/// One number of an output.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Path of the component.
    pub component: String,
    /// Name of the output.
    pub port: String,
    /// Where the number lies in the bytes of its values; none for a trajectory.
    pub leaf: Option<Leaf>,
    /// The channel that records it.
    pub channel: Option<usize>,
    /// Whether it holds a value at every instant.
    pub is_signal: bool,
}

impl Signal {
    /// The number in a value.
    pub fn number(&self, time: Time, bytes: &[u8]) -> f64 {
        match &self.leaf {
            None => (TRAJECTORY.evaluate)(bytes, time),
            Some(leaf) => leaf_number(bytes, leaf),
        }
    }
}

/// All numbers of a system that can be plotted: those of its signals, and of messages that are recorded.
pub fn signals(experiment: &Experiment, channels: &[Channel]) -> (Vec<Signal>, Vec<SignalShown>) {
    let recorded: BTreeMap<&str, usize> =
        channels.iter().enumerate().map(|(number, channel)| (&*channel.name, number)).collect();
    let (mut signals, mut shown) = (Vec::new(), Vec::new());
    for component in &experiment.components {
        let outputs = component.interface.ports.iter();
        for port in outputs.filter(|port| port.direction == Direction::Output) {
            let name = format!("{}.{}", component.path, port.name);
            let channel = recorded.get(name.as_str()).copied();
            let is_signal = port.kind == PortKind::Signal;
            if !is_signal && channel.is_none() {
                continue;
            }
            let leaves: Vec<Option<Leaf>> = match port.value.is_continuous() {
                true => vec![None],
                false => port.value.schema().leaves().into_iter().map(Some).collect(),
            };
            for leaf in leaves {
                let is_text = leaf.as_ref().is_some_and(|leaf| leaf.kind == LeafKind::Payload);
                if is_text || signals.len() >= MOST_SIGNALS {
                    continue;
                }
                let path = leaf.as_ref().map(|leaf| leaf.path.clone()).unwrap_or_default();
                let is_whole = leaf
                    .as_ref()
                    .is_some_and(|leaf| !matches!(leaf.kind, LeafKind::F32 | LeafKind::F64));
                shown.push(SignalShown {
                    id: signals.len() as u32,
                    component: component.path.clone(),
                    port: port.name.clone(),
                    unit: port.units.of(&path).to_string(),
                    leaf: path,
                    labels: Some(port.labels.clone()).filter(|labels| !labels.is_empty()),
                    steps: !is_signal || is_whole,
                    recorded: channel.is_some(),
                });
                signals.push(Signal {
                    component: component.path.clone(),
                    port: port.name.clone(),
                    leaf,
                    channel,
                    is_signal,
                });
            }
        }
    }
    (signals, shown)
}
