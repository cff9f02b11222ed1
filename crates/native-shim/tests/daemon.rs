//! A daemon that starts itself by a script of its own commands, as PX4 does, runs the same each time.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::{
    Backend, Children, Counters, Input, Output, Setup, Socket, SocketKind,
};
use rig::load::Load;
use rig::{MILLISECOND, Run, SECOND, WAYS, Wire, World, compile, setup, supported};
use std::path::Path;
use std::process::Command;

const LINK: u32 = 0;
const STATION: u32 = 1;

const SCRIPT: &str = r#"
fly-param set RATE 250
rate=$(fly-param show RATE)
test "$rate" = 250 || exit 10
if fly-param compare RATE 250; then fly-param set SEEN yes; fi
fly-param compare RATE 100 && exit 11
fly-param show NOTHING; test $? = 2 || exit 12
fly-module start attitude 80
ls | grep -c start.sh | (read number; fly-param set FILES "$number")
fly-module start position 70
fly-sim start
sleep 0.01
fly-param set HEARD "$(fly-param show SEEN)"
(fly-status)
test $? = 5 || exit 13
fly-module start logger 60 &
fly-param compare RATE 250 || exit 14
exit 4
"#;

/// What the daemon and its commands print. The sum at the end stands for all that the modules computed.
const PRINTED: &str = "\
begins at 1000000 us
RATE = 250
SEEN = yes
FILES = 1
HEARD = yes
2 modules, heard 1 at 1022000 us
and 1500 us later at 1023500 us
script ended with 1024 at 1023500 us
ends with ";

/// A simulator that cannot be reached at first, then sends a step every 4 ms, the end of it 1 ms after its beginning.
struct Simulator {
    next: u64,
    connected: bool,
    steps: u64,
    rest: Vec<u8>,
}

const REACHABLE_FROM: u64 = 20 * MILLISECOND;
const STEPS: u64 = 200;

impl World for Simulator {
    fn react(&mut self, now: u64, event: &Output) -> Vec<Input> {
        match event {
            Output::Connect { port } if now < REACHABLE_FROM => {
                vec![Input::Disconnected { port: *port }]
            }
            Output::Connect { port } => {
                self.connected = true;
                vec![Input::Connected { port: *port }]
            }
            _ => Vec::new(),
        }
    }

    fn next(&self) -> Option<u64> {
        Some(self.next)
    }

    fn happen(&mut self, now: u64) -> Vec<Input> {
        if !self.rest.is_empty() {
            self.next = now + 3 * MILLISECOND;
            return vec![Input::BytesIn { port: LINK, bytes: std::mem::take(&mut self.rest) }];
        }
        self.next = now + MILLISECOND;
        if !self.connected {
            return Vec::new();
        }
        self.steps += 1;
        let value = if self.steps > STEPS { u64::MAX } else { self.steps * self.steps };
        let mut frame = [self.steps.to_le_bytes(), value.to_le_bytes()].concat();
        self.rest = frame.split_off(5);
        vec![Input::BytesIn { port: LINK, bytes: frame }]
    }
}

/// All that left the program, with its time; how much was called; and what was printed.
type Transcript = (Vec<(u64, Output)>, Counters, String);

fn fly(program: &Path, backend: Backend, wire: Wire) -> Transcript {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("start.sh"), SCRIPT).expect("the script");
    for name in ["fly-param", "fly-module", "fly-sim", "fly-status"] {
        std::os::unix::fs::symlink(program, folder.path().join(name)).expect("a link");
    }
    let setup = Setup {
        children: Children::Helpers { patience_ms: 30_000 },
        folder: folder.path().to_string_lossy().into_owned(),
        sockets: vec![
            Socket { port: LINK, kind: SocketKind::Connect { remote: 4560 } },
            Socket { port: STATION, kind: SocketKind::Datagram { local: 0, remote: 14550 } },
        ],
        ..setup(backend)
    };
    let mut simulator = Simulator { next: 0, connected: false, steps: 0, rest: Vec::new() };
    let run = Run::start(Command::new(program), &setup, wire);
    let outcome = run.play(60 * SECOND, &mut simulator);
    assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
    assert_eq!(outcome.complaints, "");
    let counters = outcome.counters();
    (outcome.events, counters, outcome.printed)
}

#[test]
fn a_daemon_and_its_commands_are_the_same_in_all_runs() {
    if !supported() {
        return;
    }
    let program = compile("daemon.c");
    let first = fly(&program, Backend::Coroutines, Wire::Memory);
    let (events, _, printed) = &first;
    assert!(printed.starts_with(PRINTED), "{printed}");
    let sent = |wanted: u32| {
        let is_meant = move |event: &&(u64, Output)| match &event.1 {
            Output::BytesOut { port, .. } | Output::DatagramOut { port, .. } => *port == wanted,
            _ => false,
        };
        events.iter().filter(is_meant).count() as u64
    };
    assert_eq!((sent(LINK), sent(STATION)), (STEPS, STEPS / 10));
    // Twice a millisecond until there is somebody, from the start of the script on: it takes no time.
    let tries = events.iter().filter(|(_, event)| matches!(event, Output::Connect { .. })).count();
    assert_eq!(tries, 41);
    for round in 0..5 {
        let _load = (round % 2 == 1).then(Load::new);
        for (backend, wire) in WAYS {
            let again = fly(&program, backend, wire);
            assert_eq!(again.2, first.2, "run {round}, {backend:?}, {wire:?}");
            assert!(again == first, "run {round}, {backend:?}, {wire:?}");
        }
    }
}
