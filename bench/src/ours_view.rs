//! Our side of the suite `view`: a swarm, and clients that look at it.

use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use ironbird_experiment::open;
use ironbird_runner::live::Seats;
use ironbird_runner::{How, Interrupt, Job, run};
use ironbird_view::{LiveView, Server, Show};
use tungstenite::Message;

use crate::measure::by_thread_cpu_time;
use crate::row::Side;

const SECONDS: u64 = 30;
/// Simulated seconds of 64 quadrotors in front of so many clients, by the CPU time of the thread of the simulation; the
/// recording is hashed and not written.
pub fn swarm(clients: usize) -> Side {
    Box::new(move || {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/world/swarm-64.toml");
        let registry = ironbird::registry().expect("all types have names of their own");
        let sets = [format!("duration={SECONDS} s")];
        let (experiment, _) = open(&file, &sets, &registry).expect("the experiment is well formed");
        let mut how = How::default();
        let watched = (clients > 0).then(|| {
            let live = LiveView::new("swarm".into(), true);
            how.audience = Seats(Some(live.clone()));
            let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            let server = Server::start(here, vec![Show::Live(live)]).expect("a free port");
            let address = server.address();
            let clients: Vec<JoinHandle<u64>> = (0..clients).map(|_| look_at(&address)).collect();
            (server, clients)
        });
        let experiment = Arc::new(experiment);
        let job = Job { experiment, registry: &registry, scenario: 0, repetition: 0, how };
        let sample = by_thread_cpu_time(|| {
            run(&job, &Interrupt::default(), &mut |_| ()).expect("it runs");
            SECONDS
        });
        if let Some((server, clients)) = watched {
            drop(server);
            for client in clients {
                // How many they are depends on how long the run takes.
                assert!(client.join().expect("a client") > 0, "a client was sent no frame");
            }
        }
        sample
    })
}

/// A client, which is there before the run begins, and reads everything until the server goes; how many frames it was
/// sent.
fn look_at(address: &str) -> JoinHandle<u64> {
    let rest = address.trim_start_matches("http://");
    let (host, token) = rest.split_once("/?").expect("an address with a token");
    let (host, address) = (host.to_owned(), format!("ws://{host}/ws?version=1&{token}"));
    let stream = TcpStream::connect(host).expect("somebody listens");
    let (mut socket, _) = tungstenite::client(address, stream).expect("the token is right");
    std::thread::spawn(move || {
        let mut frames = 0;
        while let Ok(message) = socket.read() {
            frames += u64::from(matches!(&message, Message::Binary(bytes) if bytes[0] == 1));
        }
        frames
    })
}
