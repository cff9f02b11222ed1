//! A recording that clients look at.

mod scans;
mod track;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ironbird_record::{RecordError, Recording, Status, Verdict, body_names};
use ironbird_units::Quantity;
use serde_json::json;

use crate::drawn::{Drawn, drawn};
use crate::message::{Message, json as message};
use crate::protocol::{
    self, Ask, Frame, GraphShown, Hello, MachineShown, RequirementShown, SignalShown, State,
    VERSION, scans as scans_of, series, window,
};
use crate::thinned::thin;
use scans::Scans;
use track::{Column, Track};

/// A recording in memory: where bodies are as a whole, everything else when it is asked for.
pub struct RecordedView {
    recording: Recording,
    hello: Hello,
    drawn: Drawn,
    tracks: Vec<Track>,
    /// The channel and the leaf of each signal.
    places: Vec<(String, usize)>,
    columns: Mutex<BTreeMap<u32, Arc<Column>>>,
    /// What each sensor with beams measured; read when it is first asked for.
    scans: OnceLock<Vec<Scans>>,
    lamps: Vec<Lamp>,
    subscribed: Mutex<BTreeMap<u64, Vec<u32>>>,
}

/// What became of a requirement.
struct Lamp {
    status: Status,
    /// When it was first violated, in s.
    violated: Option<f64>,
    /// By how much it held or failed in the end.
    margin: f64,
}

impl Lamp {
    fn of(verdict: &Verdict) -> Self {
        let at = verdict.first_violation.split(": ").next().and_then(quantity);
        Lamp {
            status: verdict.status,
            violated: at.filter(|_| verdict.status == Status::Failed),
            margin: margin(&verdict.margin).0,
        }
    }

    /// State and margin at a time. A margin is that of the whole run: it is known when it is decided.
    fn at(&self, time: f64, end: f64) -> (u8, f64) {
        let state = match (self.status, self.violated) {
            (Status::Failed, Some(at)) if time < at => 1,
            (Status::Failed, _) => 2,
            (Status::Passed, _) => 1,
            (Status::Undecided, _) => 0,
        };
        (state, if state == 2 || time >= end { self.margin } else { f64::NAN })
    }
}

impl RecordedView {
    /// A recording, as run number `run` of `runs`.
    pub fn of(
        recording: Recording,
        run: usize,
        runs: Vec<String>,
    ) -> Result<Arc<Self>, RecordError> {
        RecordedView::with_graph(recording, run, runs, GraphShown::default())
    }

    /// A recording of a system whose [graph](crate::graph_of) is known.
    pub fn with_graph(
        recording: Recording,
        run: usize,
        runs: Vec<String>,
        graph: GraphShown,
    ) -> Result<Arc<Self>, RecordError> {
        let about = recording.metadata.get("ironbird").cloned().unwrap_or_default();
        let (mut places, mut shown) = (Vec::new(), Vec::new());
        let scene = recording.scene();
        for channel in &recording.channels {
            for (leaf, path) in channel.leaves.iter().enumerate() {
                let (component, port) = owner(&channel.name, &scene);
                shown.push(SignalShown {
                    id: places.len() as u32,
                    component,
                    port,
                    leaf: path.clone(),
                    unit: channel.unit_of(path).to_owned(),
                    labels: None,
                    steps: channel.steps(leaf),
                    recorded: true,
                });
                places.push((channel.name.clone(), leaf));
            }
        }
        let drawn = drawn(&scene, &shown);
        let names = body_names(&scene);
        let numbers: BTreeMap<&str, usize> =
            names.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        let mut tracks: Vec<Track> = names.iter().map(|_| Track::default()).collect();
        for pose in recording.poses()? {
            if let Some(number) = numbers.get(pose.body.as_str()) {
                tracks[*number].add(pose.time.as_secs_f64(), pose.position, pose.attitude);
            }
        }
        let verdicts = recording.verdicts();
        let lamps = verdicts.iter().map(Lamp::of);
        let mut machines: BTreeMap<&str, Vec<(f64, String)>> = BTreeMap::new();
        for event in recording.events.iter().filter(|event| event.kind == "state") {
            let entered = machines.entry(&event.name).or_default();
            entered.push((event.time.as_secs_f64(), event.text.clone()));
        }
        let machines = machines.into_iter().map(|(component, history)| {
            let mut states: Vec<String> = history.iter().map(|(_, state)| state.clone()).collect();
            states.sort();
            states.dedup();
            MachineShown {
                component: component.into(),
                name: "state".into(),
                states,
                state: history.first().map(|(_, state)| state.clone()).unwrap_or_default(),
                history: Some(history),
            }
        });
        let text = |key: &str| about.get(key).cloned().unwrap_or_default();
        let requirements = verdicts.iter().map(|verdict| RequirementShown {
            name: verdict.name.clone(),
            text: verdict.formula.clone(),
            unit: margin(&verdict.margin).1.to_owned(),
        });
        let events = recording.events.iter().filter(|event| event.kind != "state");
        let hello = Hello {
            is: "hello",
            version: VERSION,
            live: false,
            run,
            runs,
            title: title(&text("experiment")),
            scenario: text("scenario"),
            repetition: text("repetition").parse().unwrap_or(0),
            duration: recording.last.as_secs_f64(),
            time: 0.0,
            pace: Some(1.0),
            scene: drawn.scene.clone(),
            signals: shown,
            graph,
            requirements: requirements.collect(),
            faults: Vec::new(),
            parameters: Vec::new(),
            controls: Vec::new(),
            machines: machines.collect(),
            events: events.map(protocol::event).collect(),
        };
        Ok(Arc::new(RecordedView {
            hello,
            drawn,
            tracks,
            places,
            columns: Mutex::default(),
            scans: OnceLock::new(),
            lamps: lamps.collect(),
            subscribed: Mutex::default(),
            recording,
        }))
    }

    /// What a new client is told.
    pub fn welcome(&self) -> Vec<Message> {
        let mut messages = vec![message(&json!(self.hello))];
        if let Some(ground) = &self.drawn.ground {
            messages.push(Message::binary(protocol::ground(ground)));
        }
        messages.push(Message::binary(self.frame(0.0, &[]).encode()));
        messages
    }

    /// What a client asks for. It may take a while: a recording is read from its file.
    pub fn ask(&self, client: u64, id: u32, ask: &Ask) -> Vec<Message> {
        let mut messages = Vec::new();
        let done = match ask {
            Ask::Subscribe { signals } => self.columns(signals).map(|columns| {
                lock(&self.subscribed).insert(client, signals.clone());
                for (signal, column) in columns {
                    let whole = (0.0, self.hello.duration);
                    let points = thin(&column.times, &column.values, whole, protocol::MOST_POINTS);
                    messages.push(Message::binary(series(signal, &points, true, id)));
                }
            }),
            Ask::Series { signals, from, to, points } => self.columns(signals).map(|columns| {
                for (signal, column) in columns {
                    let points = thin(&column.times, &column.values, (*from, *to), *points);
                    messages.push(Message::binary(series(signal, &points, false, id)));
                }
            }),
            Ask::Window { from, to, step } => {
                let signals = lock(&self.subscribed).get(&client).cloned().unwrap_or_default();
                let wanted: BTreeSet<u32> =
                    signals.into_iter().chain(self.drawn.needed.iter().copied()).collect();
                self.columns(&Vec::from_iter(wanted)).map(|columns| {
                    // The end belongs to it, however it is rounded.
                    let count = ((to - from) / step + 1e-9).floor() as usize + 1;
                    let times = (0..count).map(|number| from + step * number as f64);
                    let frames = times.clone().map(|time| self.frame(time, &columns));
                    messages.push(Message::binary(window(id, frames)));
                    for (sensor, scans) in self.scans().iter().enumerate() {
                        let scans = scans.at(times.clone());
                        if !scans.is_empty() {
                            messages.push(Message::binary(scans_of(sensor as u16, id, &scans)));
                        }
                    }
                })
            }
            _ => Err("that can be asked of a live run".into()),
        };
        messages.push(message(&protocol::answer(id, &done)));
        messages
    }

    /// A client has gone.
    pub fn leave(&self, client: u64) {
        lock(&self.subscribed).remove(&client);
    }

    fn frame(&self, time: f64, columns: &[(u32, Arc<Column>)]) -> Frame {
        let mut frame = Frame { state: State::Paused, time, speed: 0.0, ..Frame::default() };
        for (body, track) in self.tracks.iter().enumerate() {
            frame.poses.extend(track.at(body as u16, time));
        }
        let values =
            columns.iter().filter_map(|(signal, column)| Some((*signal, column.at(time)?)));
        frame.values = values.collect();
        for (number, lamp) in self.lamps.iter().enumerate() {
            let (state, margin) = lamp.at(time, self.hello.duration);
            frame.lamps.push((number as u16, state, margin));
        }
        frame
    }

    /// What sensors with beams measured; nothing where that cannot be read.
    fn scans(&self) -> &[Scans] {
        self.scans.get_or_init(|| {
            let sensors = self.drawn.beams.iter();
            let names: Vec<String> =
                sensors.map(|(component, port)| format!("{component}.{port}")).collect();
            scans::read(&self.recording, &names).unwrap_or_default()
        })
    }

    /// The columns of signals, read from the file where they are not known yet.
    fn columns(&self, signals: &[u32]) -> Result<Vec<(u32, Arc<Column>)>, String> {
        if let Some(unknown) = signals.iter().find(|id| **id as usize >= self.places.len()) {
            return Err(format!("there is no signal {unknown}"));
        }
        let mut columns = lock(&self.columns);
        let missing: Vec<u32> =
            signals.iter().copied().filter(|signal| !columns.contains_key(signal)).collect();
        if !missing.is_empty() {
            let mut names: Vec<&str> =
                missing.iter().map(|signal| self.places[*signal as usize].0.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            let read = self.recording.samples_of(&names).map_err(|error| error.to_string())?;
            for (name, samples) in names.iter().zip(read) {
                for signal in missing.iter().filter(|id| self.places[**id as usize].0 == *name) {
                    let leaf = self.places[*signal as usize].1;
                    let mut column = Column::default();
                    for (time, numbers) in &samples {
                        column.times.push(time.as_secs_f64());
                        column.values.push(numbers.get(leaf).copied().unwrap_or(f64::NAN));
                    }
                    columns.insert(*signal, Arc::new(column));
                }
            }
        }
        let found = signals.iter().filter_map(|id| Some((*id, columns.get(id)?.clone())));
        Ok(found.collect())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Component and port of a channel. A port may have dots in its name: that of a world begins with a body.
fn owner(channel: &str, scene: &[ironbird_record::ScenePart]) -> (String, String) {
    let drawn = scene.iter().map(|part| part.component.as_str());
    let known =
        drawn.filter(|path| channel.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')));
    let split = match known.max_by_key(|path| path.len()) {
        Some(path) => path.len(),
        None => channel.rfind('.').unwrap_or(0),
    };
    (channel[..split].to_owned(), channel[split..].trim_start_matches('.').to_owned())
}

/// The title of an experiment, from its text.
fn title(experiment: &str) -> String {
    let line = experiment.lines().find_map(|line| line.strip_prefix("title = "));
    let title = line.and_then(|text| serde_json::from_str::<String>(text.trim()).ok());
    title.unwrap_or_default()
}

/// The number and the unit of a margin as it stands in a verdict; none where it is not known.
fn margin(text: &str) -> (f64, &str) {
    let (number, unit) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    (number.parse().unwrap_or(f64::NAN), unit)
}

/// A quantity as it stands in a verdict, in SI units.
fn quantity(text: &str) -> Option<f64> {
    text.trim().parse::<Quantity>().ok().map(|quantity| quantity.value())
}
