//! The way in to Foxglove's server, which itself takes everybody.
//!
//! ```text
//!   Foxglove ──► door ──────────────► server of the SDK
//!                who, from where,     at an address of this machine
//!                with which token     that nobody can guess
//! ```
//!
//! Of a client that may change something the door tells the server, in its first message, in the client's place. So the
//! server needs no other way to know, and who comes to it past the door may only watch.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener as Listener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration as Wall;

use ironbird_gate::{HEAD_LIMIT, MOST_CONNECTIONS, Token, let_go_of_the_deaf, random};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::request::{Part, Refusal, Request};

/// Longer heads are refused.
const LONGEST_HEAD: usize = 16 << 10;
/// What may be on its way from the server to a client here: what is not taken in time is to be dropped by the server.
const ON_ITS_WAY: u32 = 64 << 10;
/// How long to wait where the system has no room for one more connection.
const NO_ROOM: Wall = Wall::from_millis(100);
/// What clients have in the end for what is on its way to them.
const LAST_WORDS: Wall = Wall::from_millis(250);

/// What the door tells the server of a client that may change something, as a parameter with the server's secret.
pub const ADMITTED: &str = "ironbird.admitted";

/// What there is to know at the door.
struct Rules {
    /// Where it is.
    address: SocketAddr,
    /// With it a client may change something.
    token: Option<Token>,
    /// Where the server is.
    server: SocketAddr,
    secret: Token,
}

/// A door; nobody comes in any more when it is dropped.
pub struct Door {
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Door {
    /// Lets clients of `listener` in to `server`.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub fn open(
        listener: Listener,
        token: Option<Token>,
        server: SocketAddr,
        secret: Token,
    ) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let rules = Rules { address: listener.local_addr()?, token, server, secret };
        let end = watch::Sender::new(false);
        let mut over = end.subscribe();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::Builder::new().name("foxglove".into()).spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = TcpListener::from_std(listener) else { return };
                let mut clients = JoinSet::new();
                tokio::select! {
                    () = let_in(listener, Arc::new(rules), &mut clients) => {}
                    _ = over.wait_for(|over| *over) => {}
                }
                let _ = timeout(LAST_WORDS, async { while clients.join_next().await.is_some() {} })
                    .await;
            });
        })?;
        Ok(Door { end, thread: Some(thread) })
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.end.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // A thread that has failed has said so.
            let _ = thread.join();
        }
    }
}

/// An address of this machine that a page or another machine cannot find by trying. (Linux has all of 127.0.0.0/8.)
pub fn unlikely_address() -> io::Result<Ipv4Addr> {
    let [a, b, c] = random()?.map(|byte: u8| byte.clamp(1, 254));
    Ok(if cfg!(target_os = "linux") { Ipv4Addr::new(127, a, b, c) } else { Ipv4Addr::LOCALHOST })
}

async fn let_in(listener: TcpListener, rules: Arc<Rules>, clients: &mut JoinSet<()>) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    while let Ok(place) = places.clone().acquire_owned().await {
        let Ok((client, _)) = listener.accept().await else {
            tokio::time::sleep(NO_ROOM).await;
            continue;
        };
        while clients.try_join_next().is_some() {}
        let_go_of_the_deaf(&client);
        let rules = rules.clone();
        clients.spawn(async move {
            // A connection that breaks is the client's own affair.
            let _ = serve(client, &rules).await;
            drop(place);
        });
    }
}

async fn serve(mut client: TcpStream, rules: &Rules) -> io::Result<()> {
    client.set_nodelay(true)?;
    let Head { bytes, length } = timeout(HEAD_LIMIT, Head::read(&mut client)).await??;
    let (head, rest) = bytes.split_at(length);
    let request = std::str::from_utf8(head).ok().and_then(Request::read);
    let nonsense = || Refusal("400 Bad Request", "this is no request of a WebSocket".to_owned());
    let part = request.ok_or_else(nonsense);
    let part = match part.and_then(|request| request.part(rules.address, rules.token.as_ref())) {
        Ok(part) => part,
        Err(refusal) => return refuse(client, refusal).await,
    };
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(ON_ITS_WAY)?;
    let mut server = socket.connect(rules.server).await?;
    server.set_nodelay(true)?;
    server.write_all(head).await?;
    if part == Part::Changes {
        let answer = timeout(HEAD_LIMIT, Head::read(&mut server)).await??;
        client.write_all(&answer.bytes).await?;
        if answer.bytes.starts_with(b"HTTP/1.1 101 ") {
            server.write_all(&admission(&rules.secret)).await?;
        }
    }
    server.write_all(rest).await?;
    copy_bidirectional(&mut client, &mut server).await?;
    Ok(())
}

async fn refuse(mut client: TcpStream, Refusal(status, why): Refusal) -> io::Result<()> {
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{why}",
        why.len()
    );
    client.write_all(answer.as_bytes()).await?;
    client.shutdown().await
}

/// What was read until the head of a request or an answer was whole.
struct Head {
    bytes: Vec<u8>,
    /// Of the head; the rest follows it.
    length: usize,
}

impl Head {
    async fn read(from: &mut TcpStream) -> io::Result<Self> {
        let mut bytes = Vec::new();
        loop {
            let seen = bytes.len().saturating_sub(3);
            if from.read_buf(&mut bytes).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let end = bytes[seen..].windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end {
                return Ok(Head { length: seen + end + 4, bytes });
            }
            if bytes.len() > LONGEST_HEAD {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
    }
}

/// A message that sets [`ADMITTED`], as a client sends it (RFC 6455, section 5.2): a whole text, masked with zeros.
fn admission(secret: &Token) -> Vec<u8> {
    let parameters = [json!({ "name": ADMITTED, "value": secret.to_string() })];
    let text = json!({ "op": "setParameters", "parameters": parameters }).to_string();
    let (whole_text, masked, length_follows) = (0x81, 0x80, 126);
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes();
    let mut frame = vec![whole_text, masked | length_follows];
    frame.extend(length);
    frame.extend([0; 4]);
    frame.extend(text.as_bytes());
    frame
}
