//! GDB itself, as another process, at a small program.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use super::*;
use crate::cpu::{Devices, Trap};
use crate::profile::Profile;

struct Nothing;

impl Devices for Nothing {
    fn trapped(&mut self, trap: &Trap) {
        panic!("no trap is expected: {trap:x?}");
    }
}

/// Counts in a0 and at the beginning of RAM.
const PROGRAM: [u32; 7] = [
    0x0000_62b7, // 20000000: lui t0, 6
    0x3002_a073, // 20000004: csrs mstatus, t0 (turns floating point on)
    0x8000_05b7, // 20000008: lui a1, 0x80000
    0x0015_0513, // 2000000c: addi a0, a0, 1
    0x00a5_a023, // 20000010: sw a0, 0(a1)
    0xd005_7053, // 20000014: fcvt.s.w ft0, a0
    0xff5f_f06f, // 20000018: j 2000000c
];

fn gdb(address: SocketAddr, commands: &[&str]) -> Option<Child> {
    let mut gdb = Command::new("gdb-multiarch");
    gdb.args(["--batch", "-nx", "-ex", "set architecture riscv:rv32", "-ex"]);
    gdb.arg(format!("target remote {address}"));
    commands.iter().for_each(|command| {
        gdb.args(["-ex", command]);
    });
    gdb.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()
}

/// Runs the program with GDB at it until that has ended; what GDB said, and the computer afterwards.
fn session(commands: &[&str]) -> Option<(String, Processor, Memory)> {
    let profile = Profile::built_in("one-cycle").expect("it is built in");
    let mut memory = Memory::new(4096, 4096, &profile);
    let bytes: Vec<u8> = PROGRAM.iter().flat_map(|word| word.to_le_bytes()).collect();
    memory.load_flash(Memory::FLASH, &bytes).expect("it fits");
    let mut processor = Processor::new(Memory::FLASH);
    let mut debugger =
        Debugger::listen(([127, 0, 0, 1], 0).into(), 1_000_000).expect("a free port");
    let Some(mut child) = gdb(debugger.address(), commands) else {
        println!("skipped: gdb-multiarch is not installed");
        return None;
    };
    let mut pace = debugger.wait(&mut processor, &mut memory);
    while child.try_wait().expect("a child").is_none() {
        let limit = processor.cycle() + if pace == Pace::Step { 1 } else { 1000 };
        let stopped = processor.run(&mut memory, &mut Nothing, limit);
        pace = debugger.attend(&mut processor, &mut memory, stopped);
    }
    let output = child.wait_with_output().expect("output");
    let (said, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Some((format!("{said}{errors}"), processor, memory))
}

#[test]
fn gdb_breaks_steps_reads_and_lets_the_computer_run_on() {
    let commands = [
        "break *0x20000010",
        "continue",
        "print $a0",
        "stepi",
        "print/x $pc",
        "stepi",
        "print $ft0",
        "x/1xw 0x80000000",
        "monitor time",
        "continue",
        "print $a0",
        "x/1xw 0x10000000",
    ];
    let Some((said, processor, _)) = session(&commands) else { return };
    for expected in [
        "Breakpoint 1, 0x20000010",
        "$1 = 1",
        "$2 = 0x20000014",
        "$3 = 1",
        "0x80000000:\t0x00000001",
        "cycle 6, 6 instructions, 0.000006000 s",
        "$4 = 2",
        "Cannot access memory at address 0x10000000",
    ] {
        assert!(said.contains(expected), "\"{expected}\" is not in:\n{said}");
    }
    assert!(processor.retired() > 9, "it runs on without the breakpoint");
}

#[test]
fn gdb_changes_registers_and_memory_and_watches_stores() {
    let commands = [
        "set $a0 = 41",
        "set $fa0 = 2.5",
        "set *(int*)0x80000004 = 7",
        "watch *(int*)0x80000000",
        "continue",
        "print $a0",
        "print/x $pc",
        "set *(int*)0x2000000c = 0x00250513",
        "delete",
        "break *0x20000010",
        "continue",
        "print $a0",
        "print *(int*)0x80000004",
    ];
    let Some((said, processor, memory)) = session(&commands) else { return };
    for expected in ["Hardware watchpoint 1", "$1 = 42", "$2 = 0x20000014", "$3 = 44", "$4 = 7"] {
        assert!(said.contains(expected), "\"{expected}\" is not in:\n{said}");
    }
    assert_eq!(processor.f(10), 2.5_f32.to_bits());
    assert_eq!(memory.ram()[4], 7);
}

#[test]
fn debuggers_that_go_away_let_the_computer_run() {
    let profile = Profile::built_in("one-cycle").expect("it is built in");
    let (mut processor, mut memory) = (Processor::new(0), Memory::new(4, 4, &profile));
    let mut debugger = Debugger::listen(([127, 0, 0, 1], 0).into(), 1).expect("a free port");
    // One that hangs up at once, and one that talks nonsense before, do not hold the computer.
    for said in [&b""[..], b"\xff+-nonsense$#$"] {
        let mut stream = TcpStream::connect(debugger.address()).expect("it listens");
        stream.write_all(said).expect("it reads");
        drop(stream);
        assert_eq!(debugger.wait(&mut processor, &mut memory), Pace::Free);
    }
}

#[test]
fn an_interrupt_of_the_debugger_halts_a_computer_that_runs() {
    let profile = Profile::built_in("one-cycle").expect("it is built in");
    let mut memory = Memory::new(4096, 4096, &profile);
    memory.load_flash(Memory::FLASH, &0x0000_006f_u32.to_le_bytes()).expect("j . fits");
    let mut processor = Processor::new(Memory::FLASH);
    let mut debugger =
        Debugger::listen(([127, 0, 0, 1], 0).into(), 1_000_000).expect("a free port");
    let address = debugger.address();
    let client = std::thread::spawn(move || {
        let mut stream = TcpStream::connect(address).expect("it listens");
        // Continue; control-C; wait until it has stopped with SIGINT; detach.
        stream.write_all(b"$c#63\x03").expect("it reads");
        let mut said = Vec::new();
        while !said.windows(3).any(|part| part == b"S02" || part == b"T02") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("it answers");
            said.push(byte[0]);
        }
        stream.write_all(b"+$D#44").expect("it reads");
        // Until it hangs up.
        stream.read_to_end(&mut said).expect("it ends");
    });
    debugger.wait(&mut processor, &mut memory);
    while !client.is_finished() {
        let stopped = processor.run(&mut memory, &mut Nothing, processor.cycle() + 1000);
        assert_eq!(debugger.attend(&mut processor, &mut memory, stopped), Pace::Free);
    }
    client.join().expect("it heard what it should");
}
