//! A thread that waits for a debugger and hands on what it says.

use std::io::Read;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// What a debugger does.
pub(super) enum Event {
    Connected(TcpStream),
    Said(Vec<u8>),
    Gone,
}

/// A socket that debuggers connect to, one after the other.
pub(super) struct Listener {
    pub events: Receiver<Event>,
    pub address: SocketAddr,
    is_closed: Arc<AtomicBool>,
}

impl Listener {
    pub(super) fn new(address: SocketAddr) -> std::io::Result<Listener> {
        let socket = TcpListener::bind(address)?;
        let address = socket.local_addr()?;
        let (sender, events) = channel();
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = is_closed.clone();
        std::thread::Builder::new()
            .name("gdb".into())
            .spawn(move || listen(&socket, &sender, &closed))?;
        Ok(Listener { events, address, is_closed })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Release);
        // Wakes the thread if it waits for a connection; one that reads ends with its connection.
        drop(TcpStream::connect(self.address));
    }
}

fn listen(socket: &TcpListener, sender: &Sender<Event>, is_closed: &AtomicBool) {
    for stream in socket.incoming() {
        if is_closed.load(Ordering::Acquire) {
            return;
        }
        if let Ok(stream) = stream
            && let Ok(reader) = stream.try_clone()
            && (sender.send(Event::Connected(stream)).is_err() || hand_on(reader, sender).is_err())
        {
            return;
        }
    }
}

/// Reads until the debugger has gone; fails if nobody listens any more.
fn hand_on(
    mut reader: TcpStream,
    sender: &Sender<Event>,
) -> Result<(), std::sync::mpsc::SendError<Event>> {
    let mut bytes = [0; 4096];
    loop {
        match reader.read(&mut bytes) {
            Ok(0) | Err(_) => return sender.send(Event::Gone),
            Ok(count) => sender.send(Event::Said(bytes[..count].to_vec()))?,
        }
    }
}
