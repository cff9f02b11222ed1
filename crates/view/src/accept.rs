//! Takes connections, and gives each to the page's server for as long as it says what it wants.

use std::sync::Arc;
use std::time::Duration as Wall;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use ironbird_gate::{HEAD_LIMIT, MOST_CONNECTIONS, let_go_of_the_deaf};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// How long to wait where the system has no room for one more connection.
const NO_ROOM: Wall = Wall::from_millis(100);

/// Without end. Who does not say in time what it wants loses its connection; who has become a WebSocket keeps no place
/// here, but one of the [clients](crate::client).
pub(crate) async fn accept(listener: TcpListener, router: Router) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    while let Ok(place) = places.clone().acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(NO_ROOM).await;
            continue;
        };
        let_go_of_the_deaf(&stream);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD_LIMIT);
            // A connection that breaks is the client's own affair.
            let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
            drop(place);
        });
    }
}
