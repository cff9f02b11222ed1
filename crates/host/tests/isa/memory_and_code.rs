//! Code that changes, code in flash, code that is not there.

use ironbird_host::cpu::Stopped;
use ironbird_host::memory::Memory;

use crate::assembler::{assemble, assemble_program, load_immediate};
use crate::computer::Computer;
use crate::elf::BASE;
use crate::qemu::FINISHER;

const HANDLER: u32 = BASE + 0x1000;
const RAM_END: u32 = BASE + 0x2_0000;

fn bits(line: &str) -> u32 {
    assemble(line).unwrap_or_else(|error| panic!("{error}")).bits
}

/// Cause, address and value of the last trap.
fn trap(computer: &Computer) -> [u32; 3] {
    ["mcause", "mepc", "mtval"].map(|name| computer.csr(name))
}

#[test]
fn a_program_that_changes_itself_runs_what_it_has_written() {
    // `patch` is executed once as it was, so that it has been decoded; then rewritten, by a store of each width.
    for (store, address) in [("sw", 0), ("sh", 0), ("sb", 3)] {
        let (mut computer, program) = Computer::with_program(&[
            "jal x1, @patch",
            &format!("{store} x5, {address}(x6)"),
            "fence.i",
            "jal x1, @patch",
            "jal x0, 0",
            "patch:",
            "addi x10, x10, 1",
            "jalr x0, 0(x1)",
        ]);
        let new = match store {
            "sb" => 0x40, // the upper byte of the immediate: 0x401
            _ => bits("sub x10, x10, x11"),
        };
        // A store of 16 bits changes only rd, funct3 and the opcode, so it is another instruction: sub with these upper bits is not.
        let new = if store == "sh" { bits("xori x10, x10, 1") } else { new };
        computer.processor.set_x(5, new);
        computer.processor.set_x(6, program.labels["patch"]);
        computer.processor.set_x(11, 100);
        computer.run(20);
        let expected = match store {
            "sw" => 1u32.wrapping_sub(100),
            "sh" => 1 ^ 1,
            _ => 1 + 0x401,
        };
        assert_eq!(computer.processor.x(10), expected, "{store}");
    }
}

#[test]
fn either_half_of_an_instruction_can_be_rewritten() {
    // At an odd halfword, so that it lies across two words.
    let (mut computer, program) =
        Computer::with_program(&["c.nop", "patch:", "addi x10, x0, 1", "c.nop", "jal x0, @patch"]);
    computer.steps(5);
    assert_eq!(computer.processor.x(10), 1);
    let patch = program.labels["patch"];
    assert_eq!(patch % 4, 2);
    let [low0, low1, high0, high1] = bits("addi x12, x0, 77").to_le_bytes();
    computer.write(patch + 2, &[high0, high1]);
    computer.steps(3);
    assert_eq!(computer.processor.x(10), 77, "written from outside, as DMA does");
    computer.write(patch, &[low0, low1]);
    computer.steps(3);
    assert_eq!(computer.processor.x(12), 77);
    computer.memory.flip_bit(patch + 3, 4).unwrap_or_else(|error| panic!("{error}"));
    computer.steps(3);
    assert_eq!(computer.processor.x(12), 77 + 0x100, "a bit of the immediate was turned over");
}

#[test]
fn an_instruction_becomes_another_size() {
    // 4 bytes become two instructions of 2, and back.
    let (mut computer, program) = Computer::with_program(&[
        "patch:",
        "addi x10, x10, 1",
        "addi x11, x11, 1",
        "jal x0, @patch",
    ]);
    computer.steps(3);
    let patch = program.labels["patch"];
    let two = [bits("c.addi x10, 5") as u16, bits("c.addi x12, 7") as u16];
    computer.write(patch, &two.map(u16::to_le_bytes).concat());
    computer.steps(4);
    assert_eq!([10, 11, 12].map(|n| computer.processor.x(n)), [6, 2, 7]);
    computer.write(patch, &bits("addi x10, x10, 100").to_le_bytes());
    computer.steps(3);
    assert_eq!([10, 11, 12].map(|n| computer.processor.x(n)), [106, 3, 7]);
}

#[test]
fn a_jump_out_of_memory_is_a_fetch_fault_where_it_goes() {
    for target in [0, 0x0800_0000, 0x1000_0000, BASE - 4, RAM_END, 0xffff_fffc] {
        let (mut computer, _) = Computer::with_program(&["jalr x1, 0(x5)"]);
        computer.set_csr("mtvec", HANDLER);
        computer.processor.set_x(5, target);
        computer.step();
        assert_eq!(
            (computer.processor.pc(), computer.processor.x(1)),
            (target, BASE + 4),
            "the jump itself is fine"
        );
        computer.step();
        assert_eq!(computer.processor.pc(), HANDLER, "{target:08x}");
        assert_eq!(trap(&computer), [1, target, target]);
        assert_eq!(computer.processor.retired(), 1);
        assert_eq!(computer.devices.traps.len(), 1);
        assert_eq!((computer.devices.traps[0].cause, computer.devices.traps[0].pc), (1, target));
    }
}

#[test]
fn an_instruction_that_reaches_out_of_memory_faults_with_its_second_half() {
    // Privileged, 3.1.16: mepc is where it begins, mtval the part that faulted.
    let (mut computer, _) = Computer::with_program(&[]);
    computer.set_csr("mtvec", HANDLER);
    computer.write(RAM_END - 4, &[1, 0, 0x13, 0]); // c.nop, and the first half of nop
    computer.processor.set_pc(RAM_END - 4);
    computer.step();
    assert_eq!(computer.processor.pc(), RAM_END - 2);
    computer.step();
    assert_eq!(computer.processor.pc(), HANDLER);
    assert_eq!(trap(&computer), [1, RAM_END - 2, RAM_END]);
}

#[test]
fn running_off_the_end_of_memory_is_a_fetch_fault() {
    let (mut computer, _) = Computer::with_program(&[]);
    computer.set_csr("mtvec", HANDLER);
    computer.write(RAM_END - 2, &[1, 0]);
    computer.processor.set_pc(RAM_END - 2);
    computer.steps(2);
    assert_eq!(trap(&computer), [1, RAM_END, RAM_END]);
}

#[test]
fn a_handler_that_is_not_there_faults_for_ever_and_time_goes_on() {
    let (mut computer, _) = Computer::with_program(&["ecall"]);
    computer.set_csr("mtvec", 0x0800_0000);
    assert!(matches!(computer.run(1000), Stopped::Reached | Stopped::Looping));
    assert!(computer.processor.cycle() >= 1000);
    assert_eq!(trap(&computer), [1, 0x0800_0000, 0x0800_0000]);
    assert_eq!(computer.processor.retired(), 0);
}

#[test]
fn flash_is_executed_and_read_and_not_written() {
    let (mut computer, _) = Computer::with_program(&[]);
    let lines = [
        "auipc x5, 0",
        "lw x6, 0(x5)",
        "lhu x7, 2(x5)",
        "lbu x8, 1(x5)",
        "lw x9, 1(x5)",
        "sw x0, 4(x5)",
    ];
    let program = assemble_program(Memory::FLASH, &lines.map(str::to_owned))
        .unwrap_or_else(|error| panic!("{error}"));
    computer
        .memory
        .load_flash(Memory::FLASH, &program.bytes)
        .unwrap_or_else(|error| panic!("{error}"));
    computer.set_csr("mtvec", HANDLER);
    computer.processor.set_pc(Memory::FLASH);
    computer.steps(6);
    let first = bits(lines[0]);
    let second = bits(lines[1]);
    let expected =
        [Memory::FLASH, first, first >> 16, first >> 8 & 0xff, first >> 8 | second << 24];
    assert_eq!([5, 6, 7, 8, 9].map(|n| computer.processor.x(n)), expected);
    let csrs = trap(&computer);
    assert_eq!(csrs, [7, Memory::FLASH + 20, Memory::FLASH + 4]);
    // What was loaded anew is what runs.
    computer
        .memory
        .load_flash(Memory::FLASH, &bits("addi x20, x0, 9").to_le_bytes())
        .unwrap_or_else(|error| panic!("{error}"));
    computer.processor.set_pc(Memory::FLASH);
    computer.step();
    assert_eq!(computer.processor.x(20), 9);
}

#[test]
fn a_device_stops_the_run_after_its_store() {
    let mut lines: Vec<String> = load_immediate(5, FINISHER).to_vec();
    lines.extend(["sw x0, 0(x5)", "addi x1, x1, 1", "sw x0, 0(x5)"].map(str::to_owned));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (mut computer, _) = Computer::with_program(&lines);
    assert_eq!(computer.run(100), Stopped::Device);
    assert_eq!(
        (computer.processor.pc(), computer.processor.retired(), computer.processor.x(1)),
        (BASE + 12, 3, 0)
    );
    assert_eq!(computer.run(100), Stopped::Device);
    assert_eq!(
        (computer.processor.pc(), computer.processor.retired(), computer.processor.x(1)),
        (BASE + 20, 5, 1)
    );
}

#[test]
fn branches_and_jumps_leave_memory_where_they_say() {
    // From the first and from the last bytes of RAM.
    for (line, at, target) in [
        ("beq x0, x0, -4096", BASE, BASE - 4096),
        ("jal x1, -8", BASE, BASE - 8),
        ("c.j -2048", BASE, BASE - 2048),
        ("c.beqz x8, -2", BASE, BASE - 2),
        ("bgeu x0, x0, 4094", RAM_END - 4, RAM_END + 4090),
        ("jal x0, 1048574", RAM_END - 4, RAM_END - 4 + 1_048_574),
        ("c.jal 2046", RAM_END - 2, RAM_END + 2044),
        ("c.beqz x8, 254", RAM_END - 2, RAM_END + 252),
    ] {
        let (mut computer, _) = Computer::with_program(&[]);
        computer.load(at, &[line]);
        computer.set_csr("mtvec", HANDLER);
        computer.processor.set_pc(at);
        computer.step();
        assert_eq!((computer.processor.pc(), computer.processor.retired()), (target, 1), "{line}");
        computer.step();
        assert_eq!(trap(&computer), [1, target, target], "{line}");
    }
}

#[test]
fn flash_ends_as_ram_does() {
    let (mut computer, _) = Computer::with_program(&[]);
    let end = Memory::FLASH + computer.memory.flash_bytes();
    computer.set_csr("mtvec", HANDLER);
    let last = [1, 0, 0x13, 0]; // c.nop, and the first half of nop
    computer.memory.load_flash(end - 4, &last).unwrap_or_else(|error| panic!("{error}"));
    computer.processor.set_pc(end - 4);
    computer.steps(2);
    assert_eq!(trap(&computer), [1, end - 2, end]);
}
