//! Processes that only tell each other how far they have come: how many steps per second a link allows.
//!
//! ```text
//! steps [latency=NS] [interval=NS] [elen=BYTES] [entries=N] [until=NS] [seconds=S] LINK...
//! ```
//!
//! A LINK is `listen:SOCKET:SHM` or `connect:SOCKET`. A process ends when its simulated time reaches
//! `until` or its wall time `seconds`, or when a peer ends. It prints how often its time advanced, and the
//! wall time that took. `bench/src/peers/simbricks_spin.c` takes the same arguments, and can be the peer.
//!
//! Without arguments it runs two threads against each other.

use std::error::Error;
use std::time::{Duration, Instant};

use ironbird_simbricks::{
    Endpoint, Link, LinkError, Need, Pending, Protocol, QueueSize, Sent, Url, Waiter, establish,
};

/// What the command line says.
struct Options {
    latency: u64,
    interval: u64,
    size: QueueSize,
    until: u64,
    seconds: f64,
    links: Vec<String>,
}

fn options(arguments: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
    let mut read = Options {
        latency: 500_000,
        interval: 500_000,
        size: QueueSize::standard(Protocol::NET),
        until: u64::MAX,
        seconds: f64::INFINITY,
        links: Vec::new(),
    };
    for argument in arguments {
        match argument.split_once('=') {
            Some(("latency", value)) => read.latency = value.parse::<u64>()? * 1000,
            Some(("interval", value)) => read.interval = value.parse::<u64>()? * 1000,
            Some(("elen", value)) => read.size.elen = value.parse()?,
            Some(("entries", value)) => read.size.nentries = value.parse()?,
            Some(("until", value)) => read.until = value.parse::<u64>()? * 1000,
            Some(("seconds", value)) => read.seconds = value.parse()?,
            _ => read.links.push(argument),
        }
    }
    Ok(read)
}

fn pending(text: &str, options: &Options) -> Result<Pending, Box<dyn Error>> {
    let mut link = Link::new(text, Protocol::BASE);
    (link.latency, link.sync_interval) = (options.latency, options.interval);
    Ok(Url::parse(text)?.open(link, options.size)?)
}

/// Goes from `now` to the next time at which something has to be done; `None` when a peer has ended.
fn step(now: u64, links: &mut [Endpoint], waiter: &mut Waiter) -> Result<Option<u64>, LinkError> {
    for index in 0..links.len() {
        while links[index].sync(now)? == Sent::Full {
            waiter.wait(&links[index], Need::Room, &*links)?;
        }
    }
    let mut next = u64::MAX;
    for index in 0..links.len() {
        loop {
            while links[index].receive(now)?.is_some() {}
            if links[index].has_ended() {
                return Ok(None);
            }
            if links[index].horizon() > now {
                break;
            }
            waiter.wait(&links[index], Need::Message, &*links)?;
        }
        next = next.min(links[index].horizon()).min(links[index].next_sync());
    }
    Ok(Some(next))
}

fn run(options: &Options) -> Result<(u64, f64), Box<dyn Error>> {
    let pending: Vec<Pending> =
        options.links.iter().map(|link| pending(link, options)).collect::<Result<_, _>>()?;
    let mut links = establish(pending, Duration::from_secs(30))?;
    let mut waiter = Waiter::new(Some(Duration::from_secs(30)));
    let start = Instant::now();
    let (mut now, mut steps) = (0, 0_u64);
    while now < options.until {
        let Some(next) = step(now, &mut links, &mut waiter)? else { break };
        now = next;
        steps += 1;
        // Reading the clock costs as much as a step.
        if steps.is_multiple_of(64) && start.elapsed().as_secs_f64() > options.seconds {
            break;
        }
    }
    let took = start.elapsed().as_secs_f64();
    for index in 0..links.len() {
        while links[index].terminate() == Sent::Full {
            waiter.wait(&links[index], Need::Room, &links)?;
        }
    }
    Ok((steps, took))
}

/// Two threads, as two processes would.
fn demonstrate() -> Result<(), Box<dyn Error>> {
    let socket = std::env::temp_dir().join(format!("ironbird-steps-{}", std::process::id()));
    let socket = socket.display();
    let links = [format!("listen:{socket}:"), format!("connect:{socket}")];
    let threads = links.map(|link| {
        std::thread::spawn(move || {
            let arguments = ["until=1000000".to_owned(), "entries=64".to_owned(), link];
            let result = options(arguments.into_iter()).and_then(|options| run(&options));
            result.map_err(|error| error.to_string())
        })
    });
    for thread in threads {
        let (steps, took) = thread.join().map_err(|_| "a thread panicked")??;
        println!("steps {steps} seconds {took:.6}");
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options(std::env::args().skip(1))?;
    if options.links.is_empty() {
        return demonstrate();
    }
    let (steps, took) = run(&options)?;
    println!("steps {steps} seconds {took:.6}");
    Ok(())
}
