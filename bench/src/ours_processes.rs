//! Our side of the suite `processes`: a process that only tells its peers how far it has come.
//!
//! ```text
//! ironbird-bench steps [latency=NS] [interval=NS] [elen=BYTES] [entries=N] [until=NS] [seconds=S] LINK...
//! ```
//!
//! A LINK is `listen:SOCKET:SHM` or `connect:SOCKET`. A process ends when its simulated time reaches `until` or its wall
//! time `seconds`, or when a peer ends. It prints how often its time advanced, and the wall time that took.
//! `peers/simbricks_spin.c` takes the same arguments, and can be the peer.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{env, fs};

use ironbird_simbricks::{
    Endpoint, Link, LinkError, Need, Pending, Protocol, QueueSize, Sent, Url, Waiter, establish,
};

use crate::row::{Sample, Side};

/// How long each repetition runs, in s.
const SECONDS: &str = "seconds=1";

/// Steps of so many of our processes, joined the same way.
pub fn processes(count: usize) -> Side {
    Box::new(move || {
        star(count, || {
            let mut command = Command::new(env::current_exe().expect("this program has a path"));
            command.arg("steps");
            command
        })
    })
}

/// Processes in a star: one in the middle, all others joined to it. Its steps count.
pub fn star(count: usize, command: impl Fn() -> Command) -> Sample {
    let place = |number: usize, what: &str| folder().join(format!("{what}-{number}"));
    let mut running = Vec::new();
    for leaf in 1..count {
        let (socket, memory) = (place(leaf, "socket"), place(leaf, "shm"));
        let _ = fs::remove_file(&socket);
        let link = format!("listen:{}:{}", socket.display(), memory.display());
        running.push(command().arg(SECONDS).arg(link).stdout(Stdio::piped()).spawn());
    }
    // Spinning programs do not wait for those that they connect to.
    while !(1..count).all(|leaf| place(leaf, "socket").exists()) {
        std::thread::yield_now();
    }
    let links = (1..count).map(|leaf| format!("connect:{}", place(leaf, "socket").display()));
    let middle = command().arg(SECONDS).args(links).output();
    for leaf in running {
        let ended = leaf.and_then(|leaf| leaf.wait_with_output());
        ended.expect("a process that ends with those it is joined to");
    }
    read(&middle.expect("a process that ends"))
}

/// `steps N seconds X`
fn read(output: &Output) -> Sample {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut words = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    match (words.next(), words.next()) {
        (Some(work), Some(cost)) => Sample { work, cost },
        _ => panic!("a process failed: {text}{}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// A folder for sockets, shared memory and the program.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { env::temp_dir() };
        let folder = place.join(format!("ironbird-bench-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for sockets");
        folder
    })
}

/// Removes that folder.
pub fn tidy() {
    let _ = fs::remove_dir_all(folder());
}

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

/// Runs such a process and prints what it did.
pub fn steps(arguments: Vec<String>) -> Result<(), Box<dyn Error>> {
    let (steps, took) = run(&options(arguments.into_iter())?)?;
    println!("steps {steps} seconds {took:.6}");
    Ok(())
}
