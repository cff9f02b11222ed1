//! One client: what it is sent, and what it asks for.

use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message as Packet, WebSocket};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use crate::live::LiveView;
use crate::message::Message;
use crate::protocol::{self, Ask, Asked};
use crate::recorded::RecordedView;
use crate::server::{Shared, Show};

/// How a connection is closed because something else is shown from now on.
const SOMETHING_ELSE: u16 = 4001;

/// Serves a client until it goes, or until something else is shown.
pub(crate) async fn serve(mut socket: WebSocket, shared: &Shared, run: usize, client: u64) {
    let mut changed = shared.changed.subscribe();
    let Some(show) = shared.show(run) else { return };
    let served = async {
        match &show {
            Show::Live(live) => follow(&mut socket, live, client).await,
            Show::Recorded(recorded) => look_at(&mut socket, recorded, client).await,
        }
    };
    let (code, reason) = tokio::select! {
        _ = served => (1000, "over"),
        _ = changed.changed() => (SOMETHING_ELSE, "something else is shown now: connect again"),
    };
    match show {
        Show::Live(live) => live.leave(client),
        Show::Recorded(recorded) => recorded.leave(client),
    }
    // Who does not hear it is gone anyway.
    let _ = socket.send(Packet::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
}

/// Nothing more can be sent or heard.
struct Gone;

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Gone> {
    let packet = match message {
        Message::Text(text) => Packet::Text(text.as_ref().into()),
        Message::Binary(bytes) => Packet::Binary(bytes.as_slice().to_vec().into()),
    };
    socket.send(packet).await.map_err(|_| Gone)
}

/// What a packet of the client asks for; nothing if it is none of its requests.
fn asked(
    packet: Option<Result<Packet, axum::Error>>,
) -> Result<Option<Result<Asked, String>>, Gone> {
    match packet {
        Some(Ok(Packet::Text(text))) => Ok(Some(Asked::read(text.as_str()))),
        Some(Ok(Packet::Binary(_))) => Ok(Some(Err("requests are texts".into()))),
        Some(Ok(Packet::Ping(_) | Packet::Pong(_))) => Ok(None),
        Some(Ok(Packet::Close(_)) | Err(_)) | None => Err(Gone),
    }
}

fn refusal(why: String) -> Message {
    Message::json(&protocol::answer(0, &Err(why)))
}

async fn follow(socket: &mut WebSocket, live: &Arc<LiveView>, client: u64) -> Result<(), Gone> {
    let (mut frames, mut news) = live.follow();
    for message in live.welcome() {
        send(socket, message).await?;
    }
    live.somebody_is_here();
    frames.mark_changed();
    let (reply, mut answers) = mpsc::unbounded_channel();
    loop {
        tokio::select! {
            packet = socket.recv() => match asked(packet)? {
                None => {}
                Some(Err(why)) => send(socket, refusal(why)).await?,
                Some(Ok(Asked { id, ask })) => {
                    let reply = reply.clone();
                    // A client that has gone needs no answer.
                    live.ask(client, id, &ask, move |message| { let _ = reply.send(message); });
                    if let Ask::Subscribe { .. } = ask {
                        for message in live.known_series(client) {
                            send(socket, message).await?;
                        }
                    }
                }
            },
            Some(message) = answers.recv() => send(socket, message).await?,
            heard = news.recv() => match heard {
                Ok(message) => send(socket, message).await?,
                // It has fallen behind: what it has of its signals has a gap.
                Err(RecvError::Lagged(_)) => {
                    for message in live.known_series(client) {
                        send(socket, message).await?;
                    }
                }
                Err(RecvError::Closed) => return Err(Gone),
            },
            Ok(()) = frames.changed() => {
                let frame = frames.borrow_and_update().clone();
                if !frame.is_empty() {
                    send(socket, Message::Binary(frame)).await?;
                }
            }
        }
    }
}

async fn look_at(
    socket: &mut WebSocket,
    recorded: &Arc<RecordedView>,
    client: u64,
) -> Result<(), Gone> {
    for message in recorded.welcome() {
        send(socket, message).await?;
    }
    loop {
        match asked(socket.recv().await)? {
            None => {}
            Some(Err(why)) => send(socket, refusal(why)).await?,
            Some(Ok(Asked { id, ask })) => {
                let recorded = recorded.clone();
                let read = tokio::task::spawn_blocking(move || recorded.ask(client, id, &ask));
                for message in read.await.map_err(|_| Gone)? {
                    send(socket, message).await?;
                }
            }
        }
    }
}
