//! What is seen of a run: streamed to a sink as it happens, or kept.

use std::any::TypeId;
use std::sync::Arc;

use super::{BuildError, Simulation};
use crate::engine::{Sample, Sites, Taps};
use crate::error::GraphError;
use crate::flatten::Flat;
use crate::port::PortKind;
use crate::stream::{Sampling, Sink, Tap};
use crate::time::{Grid, Time};
use crate::value::{DecodeError, Value, WireReader};

impl Simulation {
    /// Streams outputs to a sink from now on, and when monitors respond. Replaces what was streamed
    /// before.
    pub fn observe(&mut self, taps: Vec<Tap>, sink: Arc<dyn Sink>) -> Result<(), BuildError> {
        self.check_taps(&taps)?;
        (self.taps, self.sink) = (taps, Some(sink));
        self.tapped.clear();
        self.rebuild()
    }

    /// As [`Simulation::observe`], for a sink that knows everything before this instant: outputs whose value was
    /// taken before are taken again only when they are written.
    pub fn observe_further(
        &mut self,
        taps: Vec<Tap>,
        sink: Arc<dyn Sink>,
    ) -> Result<(), BuildError> {
        self.check_taps(&taps)?;
        for (number, tap) in taps.iter().enumerate() {
            if let Ok((component, _)) = self.graph.output_of(&tap.component, &tap.port) {
                self.tapped.insert((number as u32, component));
            }
        }
        (self.taps, self.sink) = (taps, Some(sink));
        self.rebuild()
    }

    fn check_taps(&self, taps: &[Tap]) -> Result<(), BuildError> {
        for tap in taps {
            match self.graph.output_of(&tap.component, &tap.port) {
                Err(GraphError::NoSuchComponent { .. }) if tap.transient => {}
                Err(error) => return Err(error.into()),
                Ok((component, port)) => {
                    let spec = &self.graph.layout_of(component).outputs[usize::from(port)];
                    if spec.kind == PortKind::Event && tap.sampling != Sampling::EveryWrite {
                        let (path, port) = (tap.component.clone(), tap.port.clone());
                        return Err(GraphError::SampledEvent { path, port }.into());
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn plan_taps(&mut self, flat: &Flat, sites: &Sites) -> Result<(), GraphError> {
        let Some(sink) = &self.sink else { return Ok(()) };
        let partitions = self.engines.len();
        let here = self.span.as_ref().map(|span| span.number());
        let known = self.taps.len() + self.graph.monitors.len();
        let sink = match &mut self.span {
            None => sink.clone(),
            Some(span) => span.sink(sink, partitions, known, self.now),
        };
        for (number, engine) in self.engines.iter_mut().enumerate() {
            if here.is_none_or(|here| here == number) {
                engine.taps = Taps::new(sink.clone(), number, partitions, self.now);
            }
        }
        for (number, tap) in self.taps.iter().enumerate() {
            let (component, port) = match self.graph.output_of(&tap.component, &tap.port) {
                Err(GraphError::NoSuchComponent { .. }) if tap.transient => continue,
                found => found?,
            };
            let (partition, local) = sites.nodes[flat.node_of[component as usize] as usize];
            if here.is_some_and(|here| here != partition as usize) {
                continue;
            }
            let (number, engine) = (number as u32, &mut self.engines[partition as usize]);
            match tap.sampling {
                Sampling::EveryWrite => {
                    let fresh = self.tapped.insert((number, component));
                    engine.tap_writes(number, local, port, fresh);
                }
                Sampling::Every(rate) => {
                    engine.tap_at_ticks(number, local, port, Grid::new(Time::ZERO, rate));
                }
            }
        }
        Ok(())
    }

    /// Keeps every value of an output from now on; see [`Simulation::samples`].
    pub fn record(&mut self, path: &str, port: &str) -> Result<(), BuildError> {
        let key = self.graph.output_of(path, port)?;
        let value = self.graph.layout_of(key.0).outputs[usize::from(key.1)].value;
        self.recorded.insert((path.into(), port.into()), key);
        self.recorded_types.insert(key, (value.schema(), value.id()));
        if self.sampled.insert(key) {
            self.rebuild()?;
        }
        Ok(())
    }

    /// The kept values of an output and when they were written.
    pub fn samples<T: Value>(&self, path: &str, port: &str) -> Result<Vec<(Time, T)>, SampleError> {
        let name = (path.to_owned(), port.to_owned());
        let Some(&key) = self.recorded.get(&name) else {
            // Nobody recorded it: because it is not there?
            self.graph.output_of(path, port)?;
            return Err(SampleError::NotRecorded { path: path.into(), port: port.into() });
        };
        let (schema, id) = &self.recorded_types[&key];
        if *id != TypeId::of::<T>() {
            let (recorded, asked) = (schema.to_string(), T::schema().to_string());
            return Err(SampleError::OtherType { recorded, asked });
        }
        let mut samples: Vec<&Sample> = self.samples.get(&key).into_iter().flatten().collect();
        samples.extend(self.engines.iter().flat_map(|engine| engine.samples_of(key)));
        let decode = |sample: &Sample| {
            let value = T::decode(&mut WireReader::flat(&sample.bytes)?)?;
            Ok((sample.time, value))
        };
        samples.into_iter().map(decode).collect()
    }
}

/// Why recorded values cannot be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SampleError {
    /// There is no such port.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Nobody asked to record it.
    #[error("\"{path}.{port}\" was not recorded")]
    NotRecorded {
        /// Path of the component.
        path: String,
        /// Name of the output.
        port: String,
    },
    /// It holds values of another type.
    #[error("the recorded values are of type {recorded}, not {asked}")]
    OtherType {
        /// The type of the port.
        recorded: String,
        /// The type that was asked for.
        asked: String,
    },
    /// The kept bytes are not a value.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}
