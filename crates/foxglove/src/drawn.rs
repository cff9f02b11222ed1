//! Where bodies are and what their sensors see, looked at between two stretches.

use std::collections::BTreeMap;

use ironbird_kernel::{Look, PortKind, Schema};
use ironbird_record::scene::{Drawn, DrawnTaps, Placing, ScanSource, sensors};
use ironbird_record::{ScenePart, body_names};
use ironbird_runner::live::{Opening, Sight};

/// What is looked at, again and again. The numbers of taps are those of outputs that are looked at.
pub struct Watched {
    look: Look,
    taps: DrawnTaps,
}

/// Outputs by component and port, each with its number.
#[derive(Default)]
struct Outputs(BTreeMap<(String, String), u32>);

impl Outputs {
    fn number(&mut self, component: &str, port: &str) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry((component.to_owned(), port.to_owned())).or_insert(next)
    }

    fn in_order(self) -> Vec<(String, String)> {
        let mut outputs: Vec<_> = self.0.into_iter().collect();
        outputs.sort_by_key(|(_, number)| *number);
        outputs.into_iter().map(|(output, _)| output).collect()
    }
}

impl Watched {
    /// What is drawn of a run that begins.
    pub fn new(opening: &Opening<'_>) -> Self {
        let layout = |component: &str, port: &str| -> Option<Schema> {
            let port = opening.experiment.component(component)?.interface.output(port)?;
            (port.kind == PortKind::Signal).then(|| port.value.schema())
        };
        let (mut outputs, mut taps) = (Outputs::default(), DrawnTaps::default());
        let body = |part: &'_ ScenePart| part.scenery.bodies.len();
        let owners = opening.scene.iter().flat_map(|part| (0..body(part)).map(move |n| (part, n)));
        for ((part, number), name) in owners.zip(body_names(opening.scene)) {
            let motion = &part.scenery.bodies[number].motion;
            let placing = Placing::new(motion, |port| layout(&part.component, port));
            if let Some(placing) = placing {
                let ports = motion.outputs().into_iter();
                let ports = ports.map(|port| outputs.number(&part.component, port));
                taps.add_body(name, placing, &ports.collect::<Vec<u32>>());
            }
        }
        for (number, sensor) in sensors(opening.scene).iter().enumerate() {
            let port = &sensor.beams.distances;
            let schema = layout(sensor.component, port);
            let source = schema.and_then(|schema| ScanSource::new(sensor.beams, &schema));
            if let Some(source) = source {
                taps.add_sensor(number, source, outputs.number(sensor.component, port));
            }
        }
        Watched { look: Look::at(outputs.in_order()), taps }
    }

    /// Shows how things are to `see`.
    pub fn take(&mut self, sight: &Sight<'_>, mut see: impl FnMut(Drawn)) {
        let Watched { look, taps } = self;
        sight.simulation.look(look, |number, bytes| {
            taps.take(number as u32, sight.now, bytes).into_iter().for_each(&mut see);
        });
    }
}
