//! Another simulator, on a thread: a loop as SimBricks' own small programs have it.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use ironbird_kernel::Time;
use ironbird_peers::EthernetFrame;
use ironbird_simbricks::layout::net::Packet;
use ironbird_simbricks::{
    Endpoint, Link, LinkError, Need, Protocol, QueueSize, Sent, Url, Waiter, establish,
};
use ironbird_test_rig::{Register, Rig, Setting, real, text};
use tempfile::TempDir;

pub const LIMIT: Duration = Duration::from_secs(20);
pub const LIBRARIES: [Register; 2] = [ironbird_peers::register, super::beacon::register];

/// A place for sockets.
pub struct Sockets(TempDir);

impl Sockets {
    pub fn new() -> Self {
        Sockets(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The URLs of the two ends of a link; the first listens.
    pub fn link(&self, name: &str, options: &str) -> [String; 2] {
        let socket = self.path(name);
        let socket = socket.display();
        [format!("listen:{socket}:{options}"), format!("connect:{socket}{options}")]
    }

    pub fn is_empty(&self) -> bool {
        std::fs::read_dir(self.folder()).unwrap().next().is_none()
    }
}

/// Parameters of a component with a link.
pub fn on<'a>(link: &str, more: &[Setting<'a>]) -> Vec<Setting<'a>> {
    let mut all = vec![("link", text(link)), ("patience", real(LIMIT.as_secs_f64()))];
    all.extend_from_slice(more);
    all
}

/// A rig with the types of this crate.
pub fn rig() -> Rig {
    Rig::of(&LIBRARIES)
}

/// Established ends of links, by their URLs.
pub fn open(protocol: Protocol, urls: &[String]) -> Vec<Endpoint> {
    let links = urls.iter().map(|url| {
        let size = QueueSize { elen: 1600, nentries: 64 };
        Url::parse(url).unwrap().open(Link::new(url.clone(), protocol), size).unwrap()
    });
    establish(links, LIMIT).unwrap()
}

/// What a simulator does with a frame: where it sends it on.
pub type Forward = fn(from: usize, links: usize) -> usize;

/// A simulator with some NET links that sends on what it receives, until a time; the frames that it received, with
/// their times in ns.
pub fn forwarder(
    urls: Vec<String>,
    until: Time,
    forward: Forward,
) -> JoinHandle<Vec<(u64, usize, u8)>> {
    std::thread::spawn(move || {
        let mut links = open(Protocol::NET, &urls);
        forward_until(&mut links, until.as_ps(), forward).unwrap()
    })
}

/// The same with established links.
pub fn forward_until(
    links: &mut [Endpoint],
    until: u64,
    forward: Forward,
) -> Result<Vec<(u64, usize, u8)>, LinkError> {
    let mut waiter = Waiter::new(Some(LIMIT));
    let mut seen = Vec::new();
    let mut now = 0;
    while now < until {
        for link in links.iter_mut() {
            assert_eq!(link.sync(now)?, Sent::Done);
        }
        for at in 0..links.len() {
            loop {
                let frame = links[at].receive(now)?.map(|message| {
                    let packet: Packet = message.upper().unwrap();
                    let mut bytes = vec![0; usize::from(packet.len)];
                    message.payload(&mut bytes).unwrap();
                    (packet, bytes)
                });
                if let Some((packet, bytes)) = frame {
                    seen.push((now / 1000, at, bytes[0]));
                    let to = forward(at, links.len());
                    if let Some(link) = links.get_mut(to) {
                        assert_eq!(link.send_upper(now, &packet, &bytes)?, Sent::Done);
                    }
                } else if links[at].horizon() <= now {
                    waiter.wait(&links[at], Need::Message, links.iter())?;
                } else {
                    break;
                }
            }
        }
        let next = links.iter().map(|link| link.horizon().min(link.next_sync())).min();
        now = next.unwrap_or(u64::MAX);
    }
    Ok(seen)
}

/// When frames came, in ns, and their first bytes.
pub fn heard(samples: Vec<(Time, EthernetFrame)>) -> Vec<(u64, u8)> {
    samples.into_iter().map(|(time, frame)| (time.as_ps() / 1000, frame.bytes[0])).collect()
}
