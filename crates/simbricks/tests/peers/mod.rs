//! The other side of a link in tests: the C program `tests/c/peer.c`, or an endpoint in the same process.
#![allow(dead_code)] // every test file uses a part

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ironbird_simbricks::layout::{Upper, net};
use ironbird_simbricks::{
    Connecter, Endpoint, Link, LinkError, Listener, Need, Place, Protocol, QueueSize, Sent, Waiter,
    establish,
};
use tempfile::TempDir;

/// Longer than anything that goes well takes, on whatever machine.
pub const LIMIT: Duration = Duration::from_secs(60);
pub const SMALL: QueueSize = QueueSize { elen: 1600, nentries: 16 };

/// A folder with the compiled C peer.
pub struct Bench {
    pub folder: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        compile("/tests/c/peer.c", &folder.path().join("peer"));
        Self { folder }
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// Starts the C peer as the listener or the connecter.
    pub fn peer(&self, role: &str, options: &[&str]) -> Peer {
        let mut command = Command::new(self.folder.path().join("peer"));
        command.arg(role).arg(self.socket());
        if role == "listen" {
            command.arg(self.folder.path().join("pool"));
        }
        command.args(options).stdin(Stdio::piped()).stdout(Stdio::piped());
        Peer { child: command.spawn().unwrap() }
    }

    /// This side of a link to the C peer, in the role that the peer does not have.
    pub fn meet(&self, peer_role: &str, link: Link) -> Result<Endpoint, LinkError> {
        match peer_role {
            "listen" => Connecter::new(link, self.socket())?.connect(LIMIT),
            _ => self.listener(link)?.accept(LIMIT),
        }
    }

    pub fn listener(&self, link: Link) -> Result<Listener, LinkError> {
        Listener::bind(link, self.socket(), &Place::Memory, SMALL)
    }
}

pub fn compile(source: &str, program: &Path) {
    let source = format!("{}{source}", env!("CARGO_MANIFEST_DIR"));
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-Wall", "-Werror", "-I"]);
    compiler
        .arg(format!("{}/../../docs/c", env!("CARGO_MANIFEST_DIR")))
        .arg("-o")
        .arg(program)
        .arg(source);
    assert!(compiler.status().expect("there is a C compiler").success());
}

pub struct Peer {
    child: Child,
}

impl Peer {
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
    }

    /// Tells the peer to go, and returns what it printed.
    pub fn finish(mut self) -> String {
        drop(self.child.stdin.take());
        let output = {
            let mut text = String::new();
            std::io::Read::read_to_string(&mut self.child.stdout.take().unwrap(), &mut text)
                .unwrap();
            text
        };
        assert!(self.child.wait().unwrap().success(), "{output}");
        output
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn net_link() -> Link {
    Link::new("eth0", Protocol::NET)
}

/// Two endpoints in this process: the listener's and the connecter's.
pub fn pair_of(here: Link, there: Link, size: QueueSize) -> (Endpoint, Endpoint) {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let listener = Listener::bind(here, &socket, &Place::Memory, size).unwrap();
    let connecter = Connecter::new(there, &socket).unwrap();
    let mut both = establish([listener.into(), connecter.into()], LIMIT).unwrap();
    let connecter = both.pop().unwrap();
    (both.pop().unwrap(), connecter)
}

pub fn pair(link: Link) -> (Endpoint, Endpoint) {
    pair_of(link.clone(), link, SMALL)
}

/// What an exchange of packets came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Exchanged {
    pub received: u64,
    pub sum: u64,
    pub now: u64,
}

/// Sends `count` packets, the k-th at k latencies, and receives until (count + 2) latencies, as the C peer does.
pub fn exchange(
    link: &mut Endpoint,
    latency: u64,
    count: u64,
    waiter: &mut Waiter,
) -> Result<Exchanged, LinkError> {
    let mut done = Exchanged::default();
    let mut sent = 0;
    let until = (count + 2) * latency;
    while done.now < until && !link.has_ended() {
        if sent < count && done.now == sent * latency {
            let mut frame = [sent as u8; 64];
            frame[..8].copy_from_slice(&sent.to_le_bytes());
            let packet = net::Packet { len: 64, port: 0 };
            while link.send_upper(done.now, &packet, &frame)? == Sent::Full {
                waiter.wait(link, Need::Room, [&*link])?;
            }
            sent += 1;
        }
        while link.sync(done.now)? == Sent::Full {
            waiter.wait(link, Need::Room, [&*link])?;
        }
        while link.horizon() <= done.now {
            while let Some(message) = link.receive(done.now)? {
                assert_eq!(message.timestamp(), done.now, "nothing is late");
                let packet: net::Packet = message.upper()?;
                let mut frame = vec![0; packet.payload_len().unwrap()];
                message.payload(&mut frame)?;
                let number = u64::from_le_bytes(frame[..8].try_into().unwrap());
                assert!(frame[8..].iter().all(|byte| *byte == number as u8));
                done.received += 1;
                done.sum += number;
            }
            if link.horizon() <= done.now {
                waiter.wait(link, Need::Message, [&*link])?;
            }
        }
        done.now = link.horizon().min(link.next_sync()).min(until);
    }
    Ok(done)
}
