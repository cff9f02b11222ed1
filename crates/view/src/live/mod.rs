//! A run while it goes on.

mod glance;
mod history;
mod opening;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration as Wall;

use ironbird_record::Observer;
use ironbird_runner::live::{Audience, Closing, Opening, Request, Sight, Wish, Wishes};
use serde_json::json;
use tokio::sync::{broadcast, watch};

use crate::message::{Message, Moment, News, json as message};
use crate::protocol::{self, Ask, Frame, Hello, State};
use glance::Glance;
use history::Histories;

/// Messages that may wait for a client before it is said to have fallen behind.
const WAITING: usize = 1024;
/// Events that are kept for clients that come later.
const MOST_EVENTS: usize = 2000;

/// A run that clients watch: the audience of the runner.
pub struct LiveView {
    /// What clients are told first; none before the run begins.
    hello: Mutex<Option<Hello>>,
    /// What clients are told in the end; none before the end.
    ended: Mutex<Option<Message>>,
    moments: watch::Sender<Moment>,
    /// The newest frame.
    frame: Mutex<Frame>,
    news: broadcast::Sender<News>,
    wishes: Wishes,
    glance: Mutex<Option<Glance>>,
    histories: Arc<Histories>,
    subscribed: Mutex<BTreeMap<u64, Vec<u32>>>,
    runs: Vec<String>,
    /// The run waits for its first client.
    waits: AtomicBool,
    /// It stands still for that alone until it has begun: nobody has paused it.
    held: Arc<AtomicBool>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LiveView {
    /// A run called `name`, which waits until the first client is there if `waits`.
    pub fn new(name: String, waits: bool) -> Arc<Self> {
        let view = LiveView {
            hello: Mutex::new(None),
            ended: Mutex::new(None),
            moments: watch::Sender::new(Moment::default()),
            frame: Mutex::default(),
            news: broadcast::Sender::new(WAITING),
            wishes: Wishes::default(),
            glance: Mutex::new(None),
            histories: Arc::new(Histories::default()),
            subscribed: Mutex::new(BTreeMap::new()),
            runs: vec![name],
            waits: AtomicBool::new(waits),
            held: Arc::new(AtomicBool::new(waits)),
        };
        if waits {
            view.wishes.ask(Wish::Pause, |_| {});
        }
        Arc::new(view)
    }

    /// Lets a run that waits for its first client begin. One that a person has paused stays so, whoever comes.
    pub fn somebody_is_here(&self) {
        if self.waits.swap(false, Ordering::Relaxed) {
            let held = self.held.clone();
            self.wishes.ask(Wish::Go, move |_| held.store(false, Ordering::Relaxed));
        }
    }

    /// What a new client is told, and one that has missed something; nothing before the run begins.
    pub fn welcome(&self) -> Vec<Message> {
        let Some(hello) = lock(&self.hello).as_ref().map(|hello| message(&json!(hello))) else {
            return Vec::new();
        };
        let mut messages = vec![hello];
        if let Some(ground) =
            lock(&self.glance).as_ref().and_then(|glance| glance.drawn.ground.as_ref())
        {
            messages.push(Message::binary(protocol::ground(ground)));
        }
        messages.extend(lock(&self.ended).clone());
        messages
    }

    /// What happens, for a client: how things are, of which the newest counts, and news.
    pub fn follow(&self) -> (watch::Receiver<Moment>, broadcast::Receiver<News>) {
        (self.moments.subscribe(), self.news.subscribe())
    }

    /// What a client asks for; answers go to `reply`, which may be called later.
    pub fn ask(
        self: &Arc<Self>,
        client: u64,
        id: u32,
        ask: &Ask,
        reply: impl Fn(Message) + Send + 'static,
    ) {
        let answer = move |done: Result<(), String>| reply(message(&protocol::answer(id, &done)));
        match ask {
            Ask::Subscribe { signals } => answer(self.subscribe(client, signals)),
            Ask::Window { .. } | Ask::Series { .. } => {
                answer(Err("that can be asked of a recording".into()));
            }
            ask => match ask.wish() {
                Ok(Some(wish)) => {
                    let (view, changed) = (self.clone(), changed_parameter(ask));
                    let answer = move |done: Result<(), String>| {
                        if let (Some(changed), Ok(())) = (&changed, &done) {
                            view.parameter_is(changed);
                        }
                        answer(done);
                    };
                    self.wishes.ask(wish, answer);
                }
                Ok(None) => answer(Ok(())),
                Err(why) => answer(Err(why)),
            },
        }
    }

    fn subscribe(&self, client: u64, signals: &[u32]) -> Result<(), String> {
        let mut glance = lock(&self.glance);
        let glance = glance.as_mut().ok_or("the run has not begun yet")?;
        if let Some(unknown) = signals.iter().find(|id| **id as usize >= glance.signals.len()) {
            return Err(format!("there is no signal {unknown}"));
        }
        let mut subscribed = lock(&self.subscribed);
        subscribed.insert(client, signals.to_vec());
        let all: BTreeSet<u32> = subscribed.values().flatten().copied().collect();
        glance.want(&all);
        self.histories.want(&all, glance);
        Ok(())
    }

    /// What is known of the signals that a client has subscribed to.
    pub fn known_series(&self, client: u64) -> Vec<Message> {
        let signals = lock(&self.subscribed).get(&client).cloned().unwrap_or_default();
        let whole = signals.into_iter().map(|signal| {
            let points = self.histories.whole(signal);
            Message::binary(protocol::series(signal, &points, true, 0))
        });
        whole.collect()
    }

    /// Those of these series that a client has subscribed to.
    pub fn subscribed_of(&self, client: u64, series: &[(u32, Message)]) -> Vec<Message> {
        let subscribed = lock(&self.subscribed);
        let Some(wanted) = subscribed.get(&client) else { return Vec::new() };
        let own = series.iter().filter(|(signal, _)| wanted.contains(signal));
        own.map(|(_, message)| message.clone()).collect()
    }

    /// A client has gone.
    pub fn leave(&self, client: u64) {
        // In the order of `subscribe`.
        let mut glance = lock(&self.glance);
        let mut subscribed = lock(&self.subscribed);
        if subscribed.remove(&client).is_some()
            && let Some(glance) = glance.as_mut()
        {
            let all: BTreeSet<u32> = subscribed.values().flatten().copied().collect();
            glance.want(&all);
            self.histories.want(&all, glance);
        }
    }

    /// Everybody is told of a parameter that somebody has changed.
    fn parameter_is(&self, changed: &ParameterChanged) {
        let mut hello = lock(&self.hello);
        let Some(hello) = hello.as_mut() else { return };
        let known = hello.parameters.iter_mut();
        for shown in known
            .filter(|one| one.component == changed.component && one.parameter == changed.parameter)
        {
            shown.value.clone_from(&changed.value);
        }
        self.tell(message(&json!(changed)));
    }

    fn tell(&self, message: Message) {
        // Nobody may be listening.
        let _ = self.news.send(News::Said(message));
    }
}

/// What a client is told when a parameter has another value.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(tag = "is", rename = "parameter")]
struct ParameterChanged {
    component: String,
    parameter: String,
    value: String,
}

fn changed_parameter(ask: &Ask) -> Option<ParameterChanged> {
    let Ask::Set { component, parameter, value } = ask else { return None };
    let (component, parameter) = (component.clone(), parameter.clone());
    Some(ParameterChanged { component, parameter, value: value.trim().to_owned() })
}

impl Audience for LiveView {
    fn begins(&self, opening: &Opening<'_>) {
        let (hello, glance) = opening::open(opening, self.runs.clone());
        self.histories.begin(opening);
        *lock(&self.glance) = Some(glance);
        *lock(&self.hello) = Some(hello);
        *lock(&self.ended) = None;
        lock(&self.subscribed).clear();
        self.wishes.open();
        // Clients that came too early are told now.
        for message in self.welcome() {
            self.tell(message);
        }
    }

    fn sees(&self, sight: &Sight<'_>) {
        let is_paused = sight.paused && !self.held.load(Ordering::Relaxed);
        let mut frame = Frame {
            state: if is_paused { State::Paused } else { State::Running },
            time: sight.now.as_secs_f64(),
            speed: sight.speed,
            ..Frame::default()
        };
        let mut beams = Vec::new();
        if let Some(glance) = lock(&self.glance).as_mut() {
            glance.take(sight, &mut frame, &mut beams);
            self.histories.polled(&frame);
        }
        for (number, lamp) in sight.lamps.iter().enumerate() {
            let state = match (lamp.violated, lamp.margin) {
                (true, _) => 2,
                (false, Some(margin)) if margin >= 0.0 => 1,
                _ => 0,
            };
            frame.lamps.push((number as u16, state, lamp.margin.unwrap_or(f64::NAN)));
        }
        let moment = std::iter::once(frame.encode()).chain(beams).map(Message::binary);
        self.moments.send_replace(Arc::new(moment.collect()));
        *lock(&self.frame) = frame;
        let series = self.histories.news().into_iter().map(|(signal, points)| {
            (signal, Message::binary(protocol::series(signal, &points, false, 0)))
        });
        let series: Vec<_> = series.collect();
        if !series.is_empty() {
            // Nobody may be listening.
            let _ = self.news.send(News::Series(Arc::new(series)));
        }
        self.tell_news(sight);
    }

    fn observer(&self) -> Box<dyn Observer> {
        Box::new(history::Listener(self.histories.clone()))
    }

    fn asks(&self, patience: Wall) -> Vec<Request> {
        self.wishes.take(patience)
    }

    fn ends(&self, closing: &Closing<'_>) {
        use ironbird_record::Status;
        let is = |status: Status| closing.verdicts.iter().any(|verdict| verdict.status == status);
        let verdict = match (is(Status::Failed), is(Status::Undecided)) {
            (true, _) => "violated",
            (false, true) => "undecided",
            (false, false) => "holds",
        };
        let ended = message(
            &json!({ "is": "ended", "text": closing.text, "verdict": verdict, "report": null }),
        );
        *lock(&self.ended) = Some(ended.clone());
        self.tell(ended);
        let frame = Frame { state: State::Ended, ..std::mem::take(&mut *lock(&self.frame)) };
        self.moments.send_replace(Arc::new(vec![Message::binary(frame.encode())]));
        self.wishes.close("the run is over");
    }
}

impl LiveView {
    fn tell_news(&self, sight: &Sight<'_>) {
        let mut hello = lock(&self.hello);
        let Some(hello) = hello.as_mut() else { return };
        hello.time = sight.now.as_secs_f64();
        if hello.pace != sight.pace {
            hello.pace = sight.pace;
            self.tell(message(&json!({ "is": "pace", "speed": sight.pace })));
        }
        for (fault, active) in hello.faults.iter_mut().zip(sight.faults) {
            if fault.active != *active {
                fault.active = *active;
                let commanded = sight.news.iter().any(|event| event.kind == "command");
                let by = if commanded { "person" } else { "experiment" };
                self.tell(message(&protocol::fault(&fault.name, *active, by)));
            }
        }
        for event in sight.news {
            if event.kind == "state" {
                let machine = hello.machines.iter_mut().find(|one| one.component == event.name);
                if let Some(machine) = machine {
                    machine.state.clone_from(&event.text);
                    let history = machine.history.get_or_insert_default();
                    if history.len() < MOST_EVENTS {
                        history.push((event.time.as_secs_f64(), event.text.clone()));
                    }
                }
                self.tell(message(&protocol::state(event)));
                continue;
            }
            let told = protocol::event(event);
            // What was planned is known already.
            if hello.events.contains(&told) {
                continue;
            }
            self.tell(message(&told));
            if hello.events.len() < MOST_EVENTS {
                hello.events.push(told);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ironbird_kernel::{Graph, Options, Simulation};

    use super::*;

    /// What a client is shown of a run that has not moved.
    fn shown(view: &LiveView, simulation: &Simulation, paused: bool) -> u8 {
        let (now, speed, pace) = (simulation.now(), 0.0, None);
        let (lamps, faults, news) = (&[], &[], &[]);
        view.sees(&Sight { simulation, now, speed, paused, pace, lamps, faults, news });
        match &view.moments.borrow()[0] {
            Message::Binary(frame) => frame[1],
            other => panic!("a frame, not {other:?}"),
        }
    }

    /// Does all that is asked for, as a run does: whether it is paused then.
    fn obey(view: &LiveView, mut paused: bool) -> bool {
        for Request { wish, answer } in view.asks(Wall::ZERO) {
            paused = match wish {
                Wish::Pause => true,
                Wish::Go => false,
                other => panic!("nobody asked for {other:?}"),
            };
            answer(Ok(()));
        }
        paused
    }

    /// The page's one button pauses what runs and lets go what is paused: it must not take waiting for a pause.
    #[test]
    fn a_run_that_waits_for_its_page_is_not_shown_as_paused_until_somebody_pauses_it() {
        let simulation =
            Simulation::new(Graph::default(), Options::default()).expect("it is empty");
        let (running, paused) = (State::Running as u8, State::Paused as u8);
        let view = LiveView::new("run".into(), true);
        let waits = obey(&view, false);
        assert!(waits, "a run waits for its page");
        assert_eq!(shown(&view, &simulation, waits), running);
        view.somebody_is_here();
        assert_eq!(shown(&view, &simulation, waits), running, "it has not heard of it yet");
        let waits = obey(&view, waits);
        assert!(!waits);
        assert_eq!(shown(&view, &simulation, waits), running);
        view.ask(0, 1, &Ask::Pause, |_| {});
        let waits = obey(&view, waits);
        assert_eq!(shown(&view, &simulation, waits), paused);
    }
}
