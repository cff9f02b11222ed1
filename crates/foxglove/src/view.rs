//! The audience of a run that serves Foxglove.

use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration as Wall, Instant};

use foxglove::websocket::{Capability, ChannelView, Client, ServerListener};
use foxglove::{Context, WebSocketServerHandle};
use ironbird_gate::Token;
use ironbird_kernel::Time;
use ironbird_record::scene::{Drawn, SCENE_TOPIC};
use ironbird_record::{Event, Observer};
use ironbird_runner::live::{Audience, Closing, Opening, Request, Sight, Wish, Wishes};

use crate::door::{Door, unlikely_address};
use crate::drawn::Watched;
use crate::parameters::{Handler, Parameters};
use crate::topics::{Topics, ValueTopic, nanoseconds};

/// Messages that may wait for a client before the oldest is dropped.
const WAITING: usize = 4096;
/// Wall time after which the scene is shown again, to clients that were too slow for it.
const SCENE_AGAIN: Wall = Wall::from_secs(5);
/// Wall time that clients have in the end for what is on its way to them.
const LAST_WORDS: Wall = Wall::from_millis(250);

/// Why Foxglove cannot be served.
#[derive(Debug, thiserror::Error)]
#[error("nobody can listen at {address}: {why}")]
pub struct ServeError {
    address: SocketAddr,
    why: String,
}

/// A run that Foxglove watches: the audience of the runner. It serves until it is dropped.
pub struct FoxgloveView {
    context: Arc<Context>,
    server: Option<WebSocketServerHandle>,
    door: Option<Door>,
    address: SocketAddr,
    /// With it clients may change something.
    token: Option<Token>,
    wishes: Arc<Wishes>,
    parameters: Arc<Parameters>,
    arrivals: Arc<Arrivals>,
    shown: Mutex<Option<Shown>>,
    values: Arc<Mutex<Values>>,
}

/// What is shown of the run that goes on, beside its values.
struct Shown {
    topics: Topics,
    watched: Watched,
    scene_shown: Option<Instant>,
}

/// The topics of recorded outputs, by their taps.
type Values = Vec<Option<ValueTopic>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl FoxgloveView {
    /// Serves a run called `name` at an address; port 0 is any that is free. The run waits until somebody watches if
    /// `waits`. Clients with the right token may change it if `takes_orders`.
    ///
    /// # Errors
    /// If nobody can listen there.
    pub fn start(
        name: &str,
        address: SocketAddr,
        waits: bool,
        takes_orders: bool,
    ) -> Result<Arc<Self>, ServeError> {
        let no = |error: &dyn std::fmt::Display| ServeError { address, why: error.to_string() };
        let listener = TcpListener::bind(address).map_err(|error| no(&error))?;
        let heard_at = listener.local_addr().map_err(|error| no(&error))?;
        let secrets = [Token::new(), Token::new()];
        let [token, secret] = secrets.map(|secret| secret.map_err(|error| no(&error)));
        let (token, secret) = (Some(token?).filter(|_| takes_orders), secret?);
        let (context, wishes) = (Context::new(), Arc::new(Wishes::default()));
        let parameters = Parameters::new(wishes.clone(), secret.clone());
        let arrivals = Arc::new(Arrivals {
            wishes: wishes.clone(),
            waits: AtomicBool::new(waits),
            wants_scene: AtomicBool::new(false),
        });
        if waits {
            wishes.ask(Wish::Pause, |_| {});
        }
        let inside = unlikely_address().map_err(|error| no(&error))?;
        let server = context
            .websocket_server()
            .name(format!("ironbird: {name}"))
            .bind(inside.to_string(), 0)
            .capabilities([Capability::Time])
            .parameter_handler(Arc::new(Handler(parameters.clone())))
            .message_backlog_size(WAITING)
            .listener(arrivals.clone());
        let server = server.start_blocking().map_err(|error| no(&error))?;
        let served_at = SocketAddr::new(inside.into(), server.port());
        let door = Door::open(listener, token.clone(), served_at, secret);
        Ok(Arc::new(FoxgloveView {
            context,
            server: Some(server),
            door: Some(door.map_err(|error| no(&error))?),
            address: heard_at,
            token,
            wishes,
            parameters,
            arrivals,
            shown: Mutex::new(None),
            values: Arc::default(),
        }))
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to give Foxglove as the address of the connection.
    pub fn url(&self) -> String {
        let token = self.token.iter().map(|token| format!("/?token={token}"));
        format!("ws://{}{}", ironbird_gate::called(self.address), token.collect::<String>())
    }

    fn somebody_is_here(&self) -> Option<&WebSocketServerHandle> {
        self.server.as_ref().filter(|server| server.client_count() > 0)
    }
}

impl Audience for FoxgloveView {
    fn begins(&self, opening: &Opening<'_>) {
        // Who sees the channels may ask for parameters.
        self.parameters.begin(opening.experiment);
        self.wishes.open();
        // The channels of the last run go before those of this one come: they may have the same topics.
        *lock(&self.shown) = None;
        lock(&self.values).clear();
        let channels = opening.channel_of.iter();
        let topics = channels.map(|channel| {
            channel.map(|channel| ValueTopic::open(&self.context, &opening.channels[channel]))
        });
        *lock(&self.values) = topics.collect();
        *lock(&self.shown) = Some(Shown {
            topics: Topics::open(&self.context, opening),
            watched: Watched::new(opening),
            scene_shown: None,
        });
    }

    fn sees(&self, sight: &Sight<'_>) {
        let news = self.parameters.news(sight);
        let Some(server) = self.somebody_is_here() else { return };
        server.broadcast_time(nanoseconds(sight.now));
        if !news.is_empty() {
            server.publish_parameter_values(news);
        }
        let mut shown = lock(&self.shown);
        let Some(Shown { topics, watched, scene_shown }) = shown.as_mut() else { return };
        let is_wanted = self.arrivals.wants_scene.swap(false, Ordering::AcqRel);
        if is_wanted || scene_shown.is_none_or(|shown| shown.elapsed() >= SCENE_AGAIN) {
            topics.scene(sight.now);
            *scene_shown = Some(Instant::now());
        }
        watched.take(sight, |drawn| match drawn {
            Drawn::Pose(pose) => topics.pose(&pose),
            Drawn::Scan(sensor, points) => topics.scan(sensor, sight.now, points),
        });
        sight.news.iter().for_each(|event| topics.log(event));
    }

    fn observer(&self) -> Box<dyn Observer> {
        Box::new(Listener(self.values.clone()))
    }

    fn asks(&self, patience: Wall) -> Vec<Request> {
        self.wishes.take(patience)
    }

    fn ends(&self, closing: &Closing<'_>) {
        self.wishes.close(&format!("the run is over: it {}", closing.text));
        if self.somebody_is_here().is_some() {
            std::thread::sleep(LAST_WORDS);
        }
    }
}

impl Drop for FoxgloveView {
    fn drop(&mut self) {
        // A client that takes nothing would be waited for without end.
        if let Some(server) = self.server.take() {
            server.stop().detach_all();
        }
        self.door = None;
    }
}

/// Sees every value on the recording thread.
struct Listener(Arc<Mutex<Values>>);

impl Observer for Listener {
    fn value(&mut self, tap: u32, time: Time, bytes: &[u8]) -> Option<Event> {
        if let Some(Some(topic)) = lock(&self.0).get_mut(tap as usize) {
            topic.value(time, bytes);
        }
        None
    }
}

/// Clients that come.
struct Arrivals {
    wishes: Arc<Wishes>,
    /// Whether the run waits for the first of them.
    waits: AtomicBool,
    /// Whether one has not seen the scene.
    wants_scene: AtomicBool,
}

impl ServerListener for Arrivals {
    fn on_subscribe(&self, _: Client, channel: ChannelView) {
        if channel.topic() == SCENE_TOPIC {
            self.wants_scene.store(true, Ordering::Release);
        }
        if self.waits.swap(false, Ordering::AcqRel) {
            self.wishes.ask(Wish::Go, |_| {});
        }
    }
}
