//! How long a message takes to another program on this machine and back.
//!
//! The program starts itself a second time; that one sends every number back.

use std::error::Error;
use std::process::Command;
use std::time::{Duration, Instant};

use ironbird_ros2::message::Float64;
use ironbird_ros2::{Endpoint, Network, Publication, Qos, Subscription};

const ROUNDS: usize = 1000;
const PATIENCE: Duration = Duration::from_secs(20);

fn endpoint(topic: &str, domain: u16, peers: u32) -> Endpoint {
    let (topic, network) = (topic.to_owned(), Network::Loopback);
    Endpoint { topic, domain, network, qos: Qos::default(), peers, patience: PATIENCE }
}

/// Sends back what arrives, until it is ended or nothing has arrived for a while.
fn echo(domain: u16) -> Result<(), Box<dyn Error>> {
    let mut there = Subscription::<Float64>::open(&endpoint("/round_trip/there", domain, 0))?;
    let back = Publication::<Float64>::open(&endpoint("/round_trip/back", domain, 1))?;
    let mut last = Instant::now();
    while last.elapsed() < PATIENCE {
        if let Some(Ok(message)) = there.take() {
            back.send(message);
            last = Instant::now();
        }
        std::thread::yield_now();
    }
    Ok(())
}

/// Sends a number again and again until it comes back, and says how long it took since it was last sent.
fn ping(
    there: &Publication<Float64>,
    back: &mut Subscription<Float64>,
    data: f64,
) -> Result<Duration, Box<dyn Error>> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        let sent = Instant::now();
        there.send(Float64 { data });
        while sent.elapsed() < Duration::from_millis(500) {
            match back.take() {
                Some(Ok(message)) if message.data == data => return Ok(sent.elapsed()),
                _ => std::thread::yield_now(),
            }
        }
    }
    Err("nothing comes back".into())
}

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(domain) = std::env::args().nth(1) {
        return echo(domain.parse()?);
    }
    let domain = (1 + std::process::id() % 100) as u16;
    let mut other = Command::new(std::env::current_exe()?).arg(domain.to_string()).spawn()?;
    let measured = measure(domain);
    other.kill()?;
    other.wait()?;
    let mut took = measured?;
    took.sort();
    let percentile = |p: usize| took[(took.len() - 1) * p / 100];
    println!("{} round trips over the loopback interface", took.len());
    println!("median {:?}, 95 % below {:?}", percentile(50), percentile(95));
    Ok(())
}

fn measure(domain: u16) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut back = Subscription::<Float64>::open(&endpoint("/round_trip/back", domain, 0))?;
    let there = Publication::<Float64>::open(&endpoint("/round_trip/there", domain, 1))?;
    ping(&there, &mut back, -1.0)?; // both sides know each other from here on
    (0..ROUNDS).map(|round| ping(&there, &mut back, round as f64)).collect()
}
