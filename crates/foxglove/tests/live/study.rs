//! A quadrotor in a gust, with a lidar: a study of the examples, watched.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use ironbird_component::Registry;
use ironbird_experiment::{Experiment, check, load_text};
use ironbird_foxglove::FoxgloveView;
use ironbird_record::Recording;
use ironbird_runner::live::Seats;
use ironbird_runner::{How, Interrupt, Job, Outcomes, run};
use serde_json::Value;

/// The study, shorter than in the examples.
pub struct Study {
    duration: &'static str,
    every: &'static str,
}

/// A run of it.
pub struct Ran {
    pub outcomes: Outcomes,
    pub recording: Recording,
    bytes: Vec<u8>,
}

impl Ran {
    /// The messages of a topic in the file, which are JSON.
    pub fn stored(&self, topic: &str) -> Vec<Value> {
        let messages = mcap::MessageStream::new(&self.bytes).unwrap().map(Result::unwrap);
        let of_topic = messages.filter(|message| message.channel.topic == topic);
        of_topic.map(|message| serde_json::from_slice(&message.data).unwrap()).collect()
    }
}

impl Study {
    pub fn lasting(duration: &'static str) -> Self {
        Study { duration, every: "10 ms" }
    }

    pub fn recording_every(self, every: &'static str) -> Self {
        Study { every, ..self }
    }

    fn checked(&self, registry: &Registry) -> Arc<Experiment> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/world");
        let text = format!(
            "ironbird = 1\nextends = \"gust.toml\"\nduration = \"{}\"\n\
             [[record]]\nsignals = [\"world.quad.*\"]\nevery = \"{}\"\n",
            self.duration, self.every
        );
        let root = load_text("test.toml", &folder, &text, &[]);
        let checked = root.and_then(|root| check(&root, registry));
        Arc::new(checked.unwrap_or_else(|problems| panic!("{problems}")).0)
    }

    /// Runs it, at most so many times as fast as the wall clock.
    pub fn run(self, audience: Option<Arc<FoxgloveView>>, speed: Option<f64>) -> Ran {
        let mut registry = Registry::with_builtin();
        ironbird_control::register(&mut registry).unwrap();
        ironbird_environment::register(&mut registry).unwrap();
        ironbird_world::register(&mut registry).unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("recording.mcap");
        let how = How {
            audience: Seats(audience.map(|view| view as _)),
            recording: Some(path.clone()),
            speed,
            ..How::default()
        };
        let experiment = self.checked(&registry);
        let job = Job { experiment, registry: &registry, scenario: 0, repetition: 0, how };
        let outcomes = run(&job, &Interrupt::default(), &mut |_| {}).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        Ran { outcomes, recording: Recording::from_bytes(bytes.clone()).unwrap(), bytes }
    }
}

/// Runs a study for somebody, on a thread of its own. The view goes with the run.
pub fn watched(study: Study, view: Arc<FoxgloveView>, speed: Option<f64>) -> JoinHandle<Ran> {
    std::thread::spawn(move || study.run(Some(view), speed))
}
