//! Several processes, also with fewer cores than processes, against each other and against plain C.
#![cfg(not(loom))]

mod peers;

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ironbird_simbricks::{
    Endpoint, Link, LinkError, Listener, Need, Place, Problem, Protocol, Sent, Url, Waiter,
    establish,
};
use peers::{LIMIT, SMALL, compile};

/// The variable that makes [`a_process`] one: how many steps, and its links.
const TASK: &str = "IRONBIRD_SIMBRICKS_TASK";

/// Tells the time over all links and waits for all, for a number of steps from `now` on.
fn run(now: u64, steps: u64, links: &mut [Endpoint]) -> Result<u64, LinkError> {
    run_with(LIMIT, now, steps, links)
}

fn run_with(
    limit: Duration,
    mut now: u64,
    steps: u64,
    links: &mut [Endpoint],
) -> Result<u64, LinkError> {
    let mut waiter = Waiter::new(Some(limit));
    for _ in 0..steps {
        for index in 0..links.len() {
            while links[index].sync(now)? == Sent::Full {
                waiter.wait(&links[index], Need::Room, &*links)?;
            }
        }
        let mut next = u64::MAX;
        for index in 0..links.len() {
            loop {
                while links[index].receive(now)?.is_some() {}
                if links[index].horizon() > now {
                    break;
                }
                waiter.wait(&links[index], Need::Message, &*links)?;
            }
            next = next.min(links[index].horizon());
        }
        now = next;
    }
    Ok(now)
}

/// Only something in a process that another test of this file starts.
#[test]
fn a_process() {
    let Ok(task) = std::env::var(TASK) else { return };
    let mut words = task.split_whitespace();
    let steps = words.next().unwrap().parse().unwrap();
    // Two cores at most, whatever the machine has.
    let mut cores = rustix::thread::sched_getaffinity(None).unwrap();
    let available = (0..rustix::thread::CpuSet::MAX_CPU).filter(|core| cores.is_set(*core));
    for core in available.skip(2).collect::<Vec<_>>() {
        cores.unset(core);
    }
    rustix::thread::sched_setaffinity(None, &cores).unwrap();
    let links = words.map(|text| {
        Url::parse(text).unwrap().open(Link::new(text, Protocol::BASE), SMALL).unwrap()
    });
    let mut links = establish(links, LIMIT).unwrap();
    let now = run(0, steps, &mut links).unwrap();
    for link in &mut links {
        assert_ne!(link.terminate(), Sent::Full);
    }
    println!("reached {now}");
}

fn start(task: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "a_process", "--nocapture"]).env(TASK, task);
    command.stdout(Stdio::piped()).spawn().unwrap()
}

fn assert_reaches(child: Child, now: u64) {
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains(&format!("reached {now}\n")), "{text}");
}

/// One process with a link to each of the others.
fn star(leaves: usize, steps: u64) {
    let folder = tempfile::tempdir().unwrap();
    let socket = |leaf: usize| folder.path().join(format!("{leaf}")).display().to_string();
    let children: Vec<Child> =
        (0..leaves).map(|leaf| start(&format!("{steps} listen:{}:", socket(leaf)))).collect();
    let links: Vec<String> = (0..leaves).map(|leaf| format!("connect:{}", socket(leaf))).collect();
    let hub = start(&format!("{steps} {}", links.join(" ")));
    for child in children.into_iter().chain([hub]) {
        assert_reaches(child, steps * 500_000);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no file is left");
}

#[test]
fn two_processes_reach_the_same_time() {
    star(1, 100_000);
}

#[test]
fn three_processes_on_two_cores_reach_the_same_time() {
    star(2, 20_000);
}

#[test]
fn eight_processes_on_two_cores_reach_the_same_time() {
    star(7, 2000);
}

#[test]
fn a_peer_that_is_stopped_for_longer_than_the_limit_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket").display().to_string();
    let peer = start(&format!("2000 listen:{socket}:"));
    let link = Url::parse(&format!("connect:{socket}")).unwrap();
    let link = link.open(Link::new("stopped", Protocol::BASE), SMALL).unwrap();
    let mut links = establish([link], LIMIT).unwrap();
    let limit = Duration::from_secs(1);
    let signal = |signal: &str| {
        let sent = Command::new("kill").args([signal, &peer.id().to_string()]).status();
        assert!(sent.unwrap().success());
    };
    let now = run_with(limit, 0, 1000, &mut links).unwrap();
    signal("-STOP");
    let now = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(4 * limit);
            signal("-CONT");
        });
        run_with(limit, now, 1000, &mut links).unwrap()
    });
    assert_ne!(links[0].terminate(), Sent::Full);
    assert_reaches(peer, now);
}

#[test]
fn five_processes_in_a_ring_reach_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let socket = |index: usize| folder.path().join(format!("{}", index % 5)).display().to_string();
    let children: Vec<Child> = (0..5)
        .map(|index| {
            start(&format!("5000 connect:{} listen:{}:", socket(index + 1), socket(index)))
        })
        .collect();
    for child in children {
        assert_reaches(child, 5000 * 500_000);
    }
}

/// The implementation that the bench measures against is one of the same protocol.
#[test]
fn one_of_ours_and_one_in_plain_spinning_c_reach_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("spin");
    compile("/../../bench/src/peers/simbricks_spin.c", &program);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let spin = |link: String| {
        let mut command = Command::new(&program);
        command.args(["until=1000000", "entries=64", &link]);
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    let listening = spin(format!("listen:{}:{}", path("a"), path("pool")));
    let connecting = spin(format!("connect:{}", path("b")));
    let ours = start(&format!("2000 connect:{} listen:{}:", path("a"), path("b")));
    assert_reaches(ours, 1_000_000_000);
    for child in [listening, connecting] {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.starts_with("steps 2000 seconds "), "{text}");
    }
}

#[test]
fn a_process_of_ours_that_is_killed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let link = Link::new("to the victim", Protocol::BASE);
    let listener = Listener::bind(link, &socket, &Place::Memory, SMALL).unwrap();
    let mut child = start(&format!("1000000000 connect:{}", socket.display()));
    let mut links = [listener.accept(LIMIT).unwrap()];
    let now = run(0, 1000, &mut links).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let error = run(now, 1_000_000_000, &mut links).unwrap_err();
    assert!(matches!(error.problem(), Problem::Gone(_)), "{error}");
    assert!(error.to_string().starts_with("link `to the victim`: the peer (process "), "{error}");
}
