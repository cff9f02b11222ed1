//! A debugger looks into the firmware of a flying study.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use crate::study::folder;

#[test]
fn gdb_stops_the_firmware_in_simulated_time() {
    let found = Command::new("gdb-multiarch").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        println!("skipped: there is no gdb-multiarch");
        return;
    }
    let out = tempfile::tempdir().expect("there is room");
    // A port that is free now.
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = format!("drone[0].computer.gdb={}", free.expect("there is a free port").port());
    let mut run = Command::new(env!("CARGO_BIN_EXE_ironbird"))
        .arg("run")
        .arg(folder("quadcopter").join("flight.toml"))
        .args(["--set", "duration=1 s", "--set", &port, "--out"])
        .arg(out.path())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let errors = BufReader::new(run.stderr.take().expect("it is piped"));
    let waits = errors
        .lines()
        .map_while(Result::ok)
        .find(|line| line.contains("waits for a debugger at "))
        .expect("it says where");
    let address = waits.rsplit(' ').next().expect("an address").to_owned();
    let commands = [
        format!("target remote {address}"),
        "break main".into(),
        "continue".into(),
        "printf \"in %x\\n\", $pc".into(),
        "stepi".into(),
        "monitor time".into(),
        "x/2xw 0x80000000".into(),
        "detach".into(),
    ];
    let elf = folder("quadcopter").join("../../firmware/bin/multirotor.elf");
    let mut gdb = Command::new("gdb-multiarch");
    gdb.arg("--batch").args(commands.iter().flat_map(|command| ["-ex", command])).arg(elf);
    let output = gdb.output().expect("gdb starts");
    // What a stub says to `monitor` is an error output of gdb.
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(said.contains("Breakpoint 1, "), "{said}");
    assert!(said.contains("in 200"), "the program counter is in flash: {said}");
    assert!(said.contains("cycle "), "{said}");
    assert!(said.contains("0x80000000:"), "{said}");
    let ended = run.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&ended.stdout);
    assert!(text.contains("reached its end at 1 s"), "{text}");
}
