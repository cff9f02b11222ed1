//! One client: what it is sent, and what it asks for.

use std::sync::Arc;
use std::time::Duration as Wall;

use axum::extract::ws::{CloseFrame, WebSocket};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, mpsc, watch};

use crate::live::LiveView;
use crate::message::{self, Message, Moment, News};
use crate::protocol::{self, Ask, Asked};
use crate::recorded::RecordedView;
use crate::server::{Shared, Show};

/// How a connection is closed because something else is shown from now on.
const SOMETHING_ELSE: (u16, &str) = (4001, "something else is shown now: connect again");
/// How it is closed otherwise.
const OVER: (u16, &str) = (1000, "over");
/// How long a client has to hear why its connection is closed.
const LAST_WORD: Wall = Wall::from_secs(5);

/// Serves a client until it goes, or until something else is shown.
pub(crate) async fn serve(mut socket: WebSocket, shared: &Shared, run: usize, client: u64) {
    let mut changed = shared.changed.subscribe();
    let (code, reason) = match shared.show(run) {
        None => return,
        Some(Show::Live(live)) => {
            let mut heard = live.follow();
            let why = tokio::select! {
                _ = follow(&mut socket, &live, client, &mut heard) => OVER,
                _ = changed.changed() => SOMETHING_ELSE,
            };
            live.leave(client);
            // How the run has ended is said before it goes.
            let _ = tokio::time::timeout(LAST_WORD, send(&mut socket, unsaid(&mut heard))).await;
            why
        }
        Some(Show::Recorded(recorded)) => {
            let why = tokio::select! {
                _ = look_at(&mut socket, &recorded, client) => OVER,
                _ = changed.changed() => SOMETHING_ELSE,
            };
            recorded.leave(client);
            why
        }
    };
    let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
    // Who does not hear it is gone anyway; who does not listen keeps no seat.
    let _ = tokio::time::timeout(LAST_WORD, socket.send(close)).await;
}

/// Nothing more can be sent or heard.
struct Gone;

async fn send(
    socket: &mut WebSocket,
    messages: impl IntoIterator<Item = Message>,
) -> Result<(), Gone> {
    for message in messages {
        socket.send(message).await.map_err(|_| Gone)?;
    }
    Ok(())
}

/// What a packet of the client asks for; nothing if it is none of its requests.
fn asked(
    packet: Option<Result<Message, axum::Error>>,
) -> Result<Option<Result<Asked, String>>, Gone> {
    match packet {
        Some(Ok(Message::Text(text))) => Ok(Some(Asked::read(text.as_str()))),
        Some(Ok(Message::Binary(_))) => Ok(Some(Err("requests are texts".into()))),
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(None),
        Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Gone),
    }
}

fn refusal(why: String) -> [Message; 1] {
    [message::json(&protocol::answer(0, &Err(why)))]
}

/// How things are at last, and what was to be said to everybody and has not been said yet.
fn unsaid(
    (moments, news): &mut (watch::Receiver<Moment>, broadcast::Receiver<News>),
) -> Vec<Message> {
    let mut said = moments.borrow_and_update().to_vec();
    loop {
        match news.try_recv() {
            Ok(News::Said(message)) => said.push(message),
            Ok(News::Series(_)) | Err(TryRecvError::Lagged(_)) => {}
            Err(TryRecvError::Empty | TryRecvError::Closed) => return said,
        }
    }
}

async fn follow(
    socket: &mut WebSocket,
    live: &Arc<LiveView>,
    client: u64,
    (moments, news): &mut (watch::Receiver<Moment>, broadcast::Receiver<News>),
) -> Result<(), Gone> {
    send(socket, live.welcome()).await?;
    live.somebody_is_here();
    moments.mark_changed();
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
                        send(socket, live.known_series(client)).await?;
                    }
                }
            },
            Some(message) = answers.recv() => send(socket, [message]).await?,
            heard = news.recv() => match heard {
                Ok(News::Said(message)) => send(socket, [message]).await?,
                Ok(News::Series(series)) => send(socket, live.subscribed_of(client, &series)).await?,
                // It has fallen behind, and has missed who knows what: it is told everything anew.
                Err(RecvError::Lagged(_)) => {
                    send(socket, live.welcome()).await?;
                    send(socket, live.known_series(client)).await?;
                }
                Err(RecvError::Closed) => return Err(Gone),
            },
            Ok(()) = moments.changed() => {
                let moment = moments.borrow_and_update().clone();
                send(socket, moment.iter().cloned()).await?;
            }
        }
    }
}

async fn look_at(
    socket: &mut WebSocket,
    recorded: &Arc<RecordedView>,
    client: u64,
) -> Result<(), Gone> {
    send(socket, recorded.welcome()).await?;
    loop {
        match asked(socket.recv().await)? {
            None => {}
            Some(Err(why)) => send(socket, refusal(why)).await?,
            Some(Ok(Asked { id, ask })) => {
                let recorded = recorded.clone();
                let read = tokio::task::spawn_blocking(move || recorded.ask(client, id, &ask));
                send(socket, read.await.map_err(|_| Gone)?).await?;
            }
        }
    }
}
