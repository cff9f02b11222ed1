//! Serves the page and its data, on this machine only unless asked otherwise.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use ironbird_gate::Token;
use serde::Deserialize;
use tokio::sync::watch;

use crate::accept::accept;
use crate::client::serve;
use crate::live::LiveView;
use crate::page;
use crate::protocol::{LONGEST_MESSAGE, VERSION};
use crate::recorded::RecordedView;

/// What the browser may do with the page: nothing but what comes from here.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'";
/// Clients at once.
const MOST_CLIENTS: usize = 64;

/// What is shown.
#[derive(Clone)]
pub enum Show {
    /// A run that goes on.
    Live(Arc<LiveView>),
    /// A recording.
    Recorded(Arc<RecordedView>),
}

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The page was not built.
    #[error("this program was built without the page of the view: {0}")]
    NoPage(&'static str),
    /// Nobody can listen there.
    #[error("nobody can listen at {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// No token can be made.
    #[error("{0}")]
    Random(std::io::Error),
}

/// What all clients share.
pub(crate) struct Shared {
    token: Token,
    address: SocketAddr,
    shows: Mutex<Vec<Show>>,
    /// Counts how often what is shown has changed.
    pub(crate) changed: watch::Sender<u64>,
    pub(crate) next_client: AtomicU64,
    pub(crate) clients: Arc<tokio::sync::Semaphore>,
}

impl Shared {
    pub(crate) fn show(&self, run: usize) -> Option<Show> {
        self.shows.lock().unwrap_or_else(PoisonError::into_inner).get(run).cloned()
    }
}

/// A server; it ends when this is dropped.
pub struct Server {
    shared: Arc<Shared>,
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves `shows` at `address`; port 0 takes any that is free.
    pub fn start(address: SocketAddr, shows: Vec<Show>) -> Result<Server, ServeError> {
        if let Some(why) = page::missing() {
            return Err(ServeError::NoPage(why));
        }
        let failed = |source| ServeError::Listen { address, source };
        let listener = std::net::TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let shared = Arc::new(Shared {
            token: Token::new().map_err(ServeError::Random)?,
            address: listener.local_addr().map_err(failed)?,
            shows: Mutex::new(shows),
            changed: watch::Sender::new(0),
            next_client: AtomicU64::new(0),
            clients: Arc::new(tokio::sync::Semaphore::new(MOST_CLIENTS)),
        });
        let end = watch::Sender::new(false);
        let (for_thread, mut over) = (shared.clone(), end.subscribe());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let thread = std::thread::Builder::new().name("view".into()).spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                let router = Router::new()
                    .route("/ws", get(connect))
                    .route("/", get(index))
                    .route("/{*path}", get(file))
                    .with_state(for_thread);
                tokio::select! {
                    () = accept(listener, router) => {}
                    _ = over.wait_for(|over| *over) => {}
                }
            });
            // Clients that do not listen are not waited for.
            runtime.shutdown_background();
        });
        Ok(Server { shared, end, thread: Some(thread.map_err(failed)?) })
    }

    /// The address of the page, with its token.
    pub fn address(&self) -> String {
        let Shared { address, token, .. } = &*self.shared;
        format!("http://{}/?token={token}", ironbird_gate::called(*address))
    }

    /// Shows something else; clients connect again.
    pub fn show(&self, shows: Vec<Show>) {
        *self.shared.shows.lock().unwrap_or_else(PoisonError::into_inner) = shows;
        self.shared.changed.send_modify(|count| *count += 1);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // A thread that has failed has said so.
            let _ = thread.join();
        }
    }
}

#[derive(Deserialize)]
struct Wanted {
    version: u32,
    #[serde(default)]
    run: usize,
    token: String,
}

async fn connect(
    State(shared): State<Arc<Shared>>,
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let refuse = |status: StatusCode, why: &'static str| (status, why).into_response();
    if !is_own_host(&shared, &headers) {
        return refuse(StatusCode::FORBIDDEN, "this address is not one of the view");
    }
    if !is_own_origin(&headers) {
        return refuse(StatusCode::FORBIDDEN, "another page may not look at this run");
    }
    if !shared.token.is(&wanted.token) {
        return refuse(
            StatusCode::FORBIDDEN,
            "the token is wrong: use the address that was printed",
        );
    }
    if wanted.version != VERSION {
        return refuse(StatusCode::BAD_REQUEST, "this server speaks version 1 of the protocol");
    }
    if shared.show(wanted.run).is_none() {
        return refuse(StatusCode::NOT_FOUND, "there is no such run");
    }
    let Ok(seat) = shared.clients.clone().try_acquire_owned() else {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "64 pages are open already");
    };
    let number = shared.next_client.fetch_add(1, Ordering::Relaxed);
    upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE).on_upgrade(
        move |socket| async move {
            serve(socket, &shared, wanted.run, number).await;
            drop(seat);
        },
    )
}

async fn index(state: State<Arc<Shared>>, headers: HeaderMap) -> Response {
    file(state, Path(String::new()), headers).await
}

async fn file(
    State(shared): State<Arc<Shared>>,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Response {
    if !is_own_host(&shared, &headers) {
        return (StatusCode::FORBIDDEN, "this address is not one of the view").into_response();
    }
    let Some((bytes, kind)) = page::file(&path) else {
        return (StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, bytes).into_response()
}

/// Whether the browser means this machine.
fn is_own_host(shared: &Shared, headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    host.is_some_and(|host| ironbird_gate::is_own_host(shared.address, host))
}

/// Whether who asks is the page itself, or no page at all.
fn is_own_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    origin.to_str().is_ok_and(|origin| origin == format!("http://{host}"))
}
