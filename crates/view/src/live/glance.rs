//! How things are, taken from the system between two stretches.

use std::collections::{BTreeMap, BTreeSet};

use ironbird_kernel::{Look, Schema};
use ironbird_record::scene::{Placing, Ranges};
use ironbird_runner::live::Sight;

use crate::drawn::Drawn;
use crate::protocol::{Frame, FramePose, beams};
use crate::signals::Signal;

/// What is looked at, again and again.
pub struct Glance {
    /// Everything that can be plotted.
    pub signals: Vec<Signal>,
    /// What is drawn.
    pub drawn: Drawn,
    bodies: Vec<Option<Placing>>,
    ranges: Vec<Option<Ranges>>,
    /// Signals that clients want, and that the scene needs.
    pub wanted: BTreeSet<u32>,
    /// The output from which each link comes.
    sources: Vec<(String, String)>,
    look: Look,
    /// What the outputs of the look are for.
    uses: Vec<Uses>,
}

/// What one output is for.
#[derive(Default)]
struct Uses {
    /// Number of the body, and number of the output among those that say how it moves.
    bodies: Vec<(usize, usize)>,
    sensors: Vec<usize>,
    signals: Vec<u32>,
    /// Links that come from it.
    links: Vec<u32>,
    /// Its value as it was last seen, where it has links.
    last: Vec<u8>,
}

/// Outputs that are looked at because links come from them; of more, the first.
const MOST_LINKED: usize = 4000;

impl Glance {
    /// `sources` are the outputs from which links come, link by link; `layout` gives the layout of an output.
    pub fn new(
        signals: Vec<Signal>,
        drawn: Drawn,
        sources: Vec<(String, String)>,
        layout: impl Fn(&str, &str) -> Option<Schema>,
    ) -> Self {
        let bodies = drawn
            .motions
            .iter()
            .map(|(component, motion)| Placing::new(motion, |port: &str| layout(component, port)));
        let bodies = bodies.collect();
        let ranges =
            drawn.beams.iter().map(|(component, port)| Ranges::of(&layout(component, port)?));
        let ranges = ranges.collect();
        let (wanted, look, uses) = (BTreeSet::new(), Look::default(), Vec::new());
        let mut glance = Glance { signals, drawn, bodies, ranges, wanted, sources, look, uses };
        glance.want(&BTreeSet::new());
        glance
    }

    /// Looks at what the scene needs, and at these signals.
    pub fn want(&mut self, subscribed: &BTreeSet<u32>) {
        let mut uses: BTreeMap<(String, String), Uses> = BTreeMap::new();
        for (number, (component, motion)) in self.drawn.motions.iter().enumerate() {
            for (output, port) in motion.outputs().into_iter().enumerate() {
                let output_of = (component.clone(), port.to_owned());
                uses.entry(output_of).or_default().bodies.push((number, output));
            }
        }
        for (number, sensor) in self.drawn.beams.iter().enumerate() {
            uses.entry(sensor.clone()).or_default().sensors.push(number);
        }
        self.wanted = subscribed.iter().chain(&self.drawn.needed).copied().collect();
        for id in &self.wanted {
            let Some(signal) = self.signals.get(*id as usize) else { continue };
            if signal.is_signal {
                let output = (signal.component.clone(), signal.port.clone());
                uses.entry(output).or_default().signals.push(*id);
            }
        }
        for (number, source) in self.sources.iter().enumerate() {
            if uses.len() < MOST_LINKED || uses.contains_key(source) {
                uses.entry(source.clone()).or_default().links.push(number as u32);
            }
        }
        let (outputs, uses) = uses.into_iter().unzip();
        (self.look, self.uses) = (Look::at(outputs), uses);
    }

    /// Takes how things are.
    pub fn take(&mut self, sight: &Sight<'_>, frame: &mut Frame, scans: &mut Vec<Vec<u8>>) {
        let Glance { signals, bodies, ranges, look, uses, .. } = self;
        let mut seen = vec![false; bodies.len()];
        sight.simulation.look(look, |number, bytes| {
            let uses = &mut uses[number];
            for (body, output) in &uses.bodies {
                let placing = bodies[*body].as_mut();
                let place = placing.and_then(|placing| placing.take(*output, sight.now, bytes));
                let Some((position, attitude)) = place else { continue };
                seen[*body] = true;
                let body = *body as u16;
                frame.poses.push(FramePose { body, position, attitude, absent: false });
            }
            for sensor in &uses.sensors {
                let read = ranges[*sensor].as_ref().and_then(|ranges| ranges.read(bytes));
                scans.extend(read.map(|distances| beams(*sensor as u16, &distances)));
            }
            for id in &uses.signals {
                frame.values.push((*id, signals[*id as usize].number(sight.now, bytes)));
            }
            if !uses.links.is_empty() && uses.last != bytes {
                // The first look at a value says nothing of what went.
                if !uses.last.is_empty() {
                    frame.links.extend(&uses.links);
                }
                uses.last.clear();
                uses.last.extend_from_slice(bytes);
            }
        });
        for (body, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
            let (body, position, attitude) = (body as u16, [0.0; 3], [1.0, 0.0, 0.0, 0.0]);
            frame.poses.push(FramePose { body, position, attitude, absent: true });
        }
    }
}
