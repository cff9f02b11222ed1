//! The processor on small programs, as words.

use super::*;
use crate::profile::Profile;

/// No devices at all.
struct Nothing {
    traps: Vec<Trap>,
}

impl Devices for Nothing {
    fn time(&self, cycle: u64) -> u64 {
        cycle / 100
    }

    fn trapped(&mut self, trap: &Trap) {
        self.traps.push(*trap);
    }
}

/// Words, or compressed instructions, from the start of flash.
fn started_with(profile: &str, program: &[u32]) -> (Processor, Memory, Nothing) {
    let profile = Profile::built_in(profile).expect("it is built in");
    let mut memory = Memory::new(4096, 4096, &profile);
    let bytes: Vec<u8> = program.iter().flat_map(|&word| bytes_of(word)).collect();
    memory.load_flash(Memory::FLASH, &bytes).expect("it fits");
    (Processor::new(Memory::FLASH), memory, Nothing { traps: Vec::new() })
}

fn bytes_of(word: u32) -> Vec<u8> {
    let is_short = word & 3 != 3 && word < 0x1_0000;
    word.to_le_bytes()[..if is_short { 2 } else { 4 }].to_vec()
}

fn started(program: &[u32]) -> (Processor, Memory, Nothing) {
    started_with("one-cycle", program)
}

#[test]
fn a_sum_is_computed_in_a_loop() {
    // addi a0, x0, 0; addi a1, x0, 10; add a0, a0, a1; addi a1, a1, -1; bne a1, x0, -8; j .
    let program = [0x0000_0513, 0x00a0_0593, 0x00b5_0533, 0xfff5_8593, 0xfe05_9ce3, 0x0000_006f];
    let (mut processor, mut memory, mut devices) = started(&program);
    assert_eq!(processor.run(&mut memory, &mut devices, 32), Stopped::Reached);
    assert_eq!((processor.x(10), processor.cycle(), processor.retired()), (55, 32, 32));
    assert_eq!(processor.run(&mut memory, &mut devices, 1000), Stopped::Looping);
    assert_eq!((processor.cycle(), processor.retired()), (1000, 1000));
    assert_eq!(processor.pc(), Memory::FLASH + 20);
}

#[test]
fn the_built_in_profiles_are_without_problems() {
    for name in Profile::names() {
        assert_eq!(Profile::built_in(name).map(|profile| profile.name).as_deref(), Some(name));
    }
}

#[test]
fn code_in_ram_that_is_overwritten_changes() {
    let (mut processor, mut memory, mut devices) = started(&[
        0x8000_0537, // lui a0, 0x80000
        0x0005_00e7, // jalr ra, a0, 0
        0x00c5_2023, // sw a2, 0(a0)
        0x0005_00e7, // jalr ra, a0, 0
        0x0000_006f, // j .
    ]);
    // addi a3, a3, 1; jalr x0, ra, 0
    memory.write(Memory::RAM, &[0x93, 0x86, 0x16, 0x00, 0x67, 0x80, 0x00, 0x00]).expect("RAM");
    // addi a3, a3, 16
    processor.set_x(12, 0x0106_8693);
    assert_eq!(processor.run(&mut memory, &mut devices, 100), Stopped::Looping);
    assert_eq!(processor.x(13), 17);
    assert!(devices.traps.is_empty());
}

/// Counts, multiplies, stores, loads from flash and RAM, divides, reads counters: 16 and 32 bits mixed.
const MIXTURE: [u32; 19] = [
    0x0000_62b7, // lui t0, 6
    0x3002_a073, // csrs mstatus, t0
    0x8000_0537, // lui a0, 0x80000
    0x0000_0e17, // auipc t3, 0
    0x03ae_0e13, // addi t3, t3, 58
    0x000e_2303, // loop: lw t1, 0(t3)
    0x0585,      // c.addi a1, 1
    0x93ae,      // c.add t2, a1
    0x02b3_8eb3, // mul t4, t2, a1
    0x01d5_2023, // sw t4, 0(a0)
    0x4100,      // c.lw s0, 0(a0)
    0xd005_f053, // fcvt.s.w ft0, a1
    0x1800_70d3, // fdiv.s ft1, ft0, ft0
    0x0035_ff13, // andi t5, a1, 3
    0x000f_1863, // bne t5, x0, skip
    0x02b3_dfb3, // divu t6, t2, a1
    0xb000_24f3, // csrr s1, mcycle
    0xb020_2973, // csrr s2, minstret
    0xfd3f_f06f, // skip: j loop
];

/// Everything that can be seen of a processor and its memory.
fn state(processor: &Processor, memory: &Memory) -> String {
    let saved = (processor, memory.save());
    serde_json::to_string(&saved).expect("it can be written")
}

#[test]
fn where_runs_are_cut_does_not_matter() {
    let run = |quanta: &[u64]| {
        let (mut processor, mut memory, mut devices) = started_with("cortex-m4f-168mhz", &MIXTURE);
        for quantum in quanta.iter().cycle() {
            let until = (processor.cycle() + quantum).min(20_000);
            assert_eq!(processor.run(&mut memory, &mut devices, until), Stopped::Reached);
            if processor.cycle() >= 20_000 {
                break;
            }
        }
        assert!(devices.traps.is_empty());
        state(&processor, &memory)
    };
    let whole = run(&[20_000]);
    assert_eq!(run(&[1]), whole);
    assert_eq!(run(&[7, 1, 168, 30]), whole);
}

#[test]
fn a_saved_processor_goes_on_as_if_nothing_had_happened() {
    let (mut processor, mut memory, mut devices) = started_with("cortex-m4f-168mhz", &MIXTURE);
    processor.run(&mut memory, &mut devices, 5_003);
    let saved = state(&processor, &memory);
    processor.run(&mut memory, &mut devices, 20_000);
    let (mut other, mut restored, _) = started_with("cortex-m4f-168mhz", &MIXTURE);
    other.run(&mut restored, &mut devices, 77);
    let (mut other_processor, state_of_memory): (Processor, _) =
        serde_json::from_str(&saved).expect("it can be read");
    restored.restore(state_of_memory).expect("it is of the same profile");
    other_processor.run(&mut restored, &mut devices, 20_000);
    assert_eq!(state(&other_processor, &restored), state(&processor, &memory));
}

#[test]
fn a_memory_of_another_profile_is_not_restored() {
    let (_, memory, _) = started_with("cortex-m4f-168mhz", &MIXTURE);
    let (_, mut other, _) = started(&MIXTURE);
    assert!(other.restore(memory.save()).is_err());
}

#[test]
fn interrupts_end_waiting_and_come_by_priority() {
    let mut program = vec![
        0x2000_02b7, // lui t0, 0x20000
        0x0412_8293, // addi t0, t0, 0x41: vectored, at 0x20000040
        0x3052_9073, // csrw mtvec, t0
        0x0000_12b7, // lui t0, 1
        0x8882_8293, // addi t0, t0, -0x778
        0x3042_9073, // csrw mie, t0
        0x3004_6073, // csrsi mstatus, 8
        0x1050_0073, // wfi
        0x0015_0513, // addi a0, a0, 1
        0x0000_006f, // j .
    ];
    program.resize(16, 0x0010_0073);
    // A handler for each of the first twelve numbers: mret.
    program.resize(28, 0x3020_0073);
    let (mut processor, mut memory, mut devices) = started(&program);
    assert_eq!(processor.run(&mut memory, &mut devices, 1000), Stopped::Waiting);
    assert_eq!((processor.cycle(), processor.retired(), processor.is_waiting()), (8, 8, true));
    assert_eq!(processor.run(&mut memory, &mut devices, 1000), Stopped::Waiting);
    processor.skip_to(500);
    let all = [Interrupt::Timer, Interrupt::Software, Interrupt::External];
    all.into_iter().for_each(|interrupt| processor.set_pending(interrupt, true));
    assert!(!processor.is_waiting());
    for interrupt in [Interrupt::External, Interrupt::Software, Interrupt::Timer] {
        processor.run(&mut memory, &mut devices, processor.cycle() + 1);
        assert_eq!(processor.pc(), 0x2000_0040 + 4 * interrupt as u32);
        assert_eq!(processor.csr(0x342, 0), Some(1 << 31 | interrupt as u32));
        assert_eq!(processor.csr(0x341, 0), Some(0x2000_0020), "the instruction behind wfi");
        assert_eq!(processor.csr(0x300, 0).map(|status| status & 0x88), Some(0x80));
        processor.set_pending(interrupt, false);
        processor.run(&mut memory, &mut devices, processor.cycle() + 1);
    }
    processor.run(&mut memory, &mut devices, 1000);
    assert_eq!((processor.x(10), processor.pc()), (1, 0x2000_0024));
}

#[test]
fn exceptions_have_their_causes_and_values() {
    let (mut processor, mut memory, mut devices) = started(&[
        0x0000_0297, // auipc t0, 0
        0x0482_8293, // addi t0, t0, 72
        0x3052_9073, // csrw mtvec, t0
        0x3010_1073, // csrw misa, x0: nothing happens
        0xf140_1073, // csrw mhartid, x0: read-only
        0x0000_7053, // fadd.s ft0, ft0, ft0: floating point is off
        0x0000_0073, // ecall
        0x0000_2303, // lw t1, 0(x0): nothing there
        0x0030_2303, // lw t1, 3(x0): misaligned
        0x2000_0537, // lui a0, 0x20000
        0x0065_2023, // sw t1, 0(a0): flash
        0x8000_0537, // lui a0, 0x80000
        0x0055_20a3, // sw t0, 1(a0): misaligned, but RAM
        0x0015_2303, // lw t1, 1(a0)
        0x1009_232f, // lr.w t1, (s2): misaligned
        0x0020_00e7, // jalr ra, 2(x0): nothing there
        0x0001_0000, // two times c.unimp; the handler goes over four bytes
        0x0000_006f, // j .
        0x3410_2473, // handler: csrr s0, mepc
        0x0044_0413, // addi s0, s0, 4
        0x3420_24f3, // csrr s1, mcause
        0x0010_0913, // addi s2, x0, 1
        0x0124_9463, // bne s1, s2, 8
        0x0000_8413, // mv s0, ra
        0x3414_1073, // csrw mepc, s0
        0x3020_0073, // mret
    ]);
    assert_eq!(processor.run(&mut memory, &mut devices, 1000), Stopped::Looping);
    let seen: Vec<_> = devices.traps.iter().map(|trap| (trap.cause, trap.pc, trap.value)).collect();
    let at = |offset| Memory::FLASH + offset;
    let expected = [
        (2, at(16), 0xf140_1073),
        (2, at(20), 0x0000_7053),
        (11, at(24), 0),
        (5, at(28), 0),
        (4, at(32), 3),
        (7, at(40), Memory::FLASH),
        (4, at(56), 1),
        (1, 2, 2),
        (2, at(64), 0),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_reservation_is_lost_by_a_second_store_and_by_another_writer() {
    let program = [
        0x8000_0537, // lui a0, 0x80000
        0x1005_22af, // lr.w t0, (a0)
        0x0012_8293, // addi t0, t0, 1
        0x1855_232f, // sc.w t1, t0, (a0)
        0x1855_23af, // sc.w t2, t0, (a0)
        0x0055_2e2f, // amoadd.w t3, t0, (a0)
        0x0000_006f, // j .
    ];
    let (mut processor, mut memory, mut devices) = started(&program);
    processor.run(&mut memory, &mut devices, 10);
    assert_eq!([6, 7, 28].map(|n| processor.x(n)), [0, 1, 1]);
    assert_eq!(memory.ram()[0], 2);
    let (mut processor, mut memory, mut devices) = started(&program);
    processor.run(&mut memory, &mut devices, 2);
    memory.write(Memory::RAM + 3, &[0]).expect("RAM");
    processor.run(&mut memory, &mut devices, 10);
    assert_eq!([6, 7, 28].map(|n| processor.x(n)), [1, 1, 0]);
}

#[test]
fn a_run_stops_before_a_breakpoint_and_goes_over_it_then() {
    let (mut processor, mut memory, mut devices) = started(&MIXTURE);
    let breakpoint = Memory::FLASH + 24;
    assert!(memory.set_breakpoint(breakpoint, true));
    for rounds in 0..3 {
        assert_eq!(processor.run(&mut memory, &mut devices, 1000), Stopped::Breakpoint);
        assert_eq!((processor.pc(), processor.x(11)), (breakpoint, rounds));
    }
    memory.set_breakpoint(breakpoint, false);
    assert_eq!(processor.run(&mut memory, &mut devices, 1000), Stopped::Reached);
    let (mut other, mut plain, _) = started(&MIXTURE);
    other.run(&mut plain, &mut devices, 1000);
    assert_eq!(state(&processor, &memory), state(&other, &plain));
}

#[test]
fn counters_can_be_written_and_halted() {
    let (mut processor, mut memory, mut devices) = started(&[
        0xb000_5073, // csrwi mcycle, 0
        0xb000_2573, // csrr a0, mcycle
        0x3202_d073, // csrwi mcountinhibit, 5
        0xb000_25f3, // csrr a1, mcycle
        0xc000_2673, // csrr a2, cycle
        0xb022_d073, // csrwi minstret, 5
        0xc020_26f3, // csrr a3, instret
        0xc010_2773, // csrr a4, time
        0x0000_006f, // j .
    ]);
    processor.skip_to(700);
    processor.run(&mut memory, &mut devices, 800);
    assert_eq!([10, 11, 12, 13, 14].map(|n| processor.x(n)), [0, 2, 2, 5, 7]);
}

#[test]
fn a_reset_starts_anew_but_time_goes_on() {
    let (mut processor, mut memory, mut devices) = started(&MIXTURE);
    processor.run(&mut memory, &mut devices, 300);
    processor.reset(Memory::FLASH, 1000);
    assert_eq!((processor.cycle(), processor.retired(), processor.x(11)), (1000, 300, 0));
    assert_eq!((processor.csr(0xb00, 0), processor.csr(0xb02, 0)), (Some(0), Some(0)));
    assert_eq!(processor.csr(0x003, 0), None, "floating point is off");
}

#[test]
fn a_call_beyond_the_end_of_flash_is_a_fault_there() {
    // jal ra, 4096: flash has 4096 bytes.
    let (mut processor, mut memory, mut devices) = started(&[0x0000_10ef]);
    processor.run(&mut memory, &mut devices, 2);
    let trap = devices.traps[0];
    assert_eq!((trap.cause, trap.pc, trap.value), (1, Memory::FLASH + 4096, Memory::FLASH + 4096));
    // Half an instruction at the end.
    memory.load_flash(Memory::FLASH + 4094, &[0x13, 0]).expect("flash");
    processor.set_pc(Memory::FLASH + 4094);
    processor.run(&mut memory, &mut devices, processor.cycle() + 1);
    let trap = devices.traps.last().expect("another one");
    assert_eq!((trap.cause, trap.pc, trap.value), (1, Memory::FLASH + 4094, Memory::FLASH + 4096));
}

#[test]
fn code_that_a_device_writes_is_executed() {
    let (mut processor, mut memory, mut devices) = started(&[0]);
    // Four times addi a0, a0, 1 and a jump back, then another number, over the end of a piece of 64 bytes.
    let program = |step: u32| -> Vec<u8> {
        let add = 0x0005_0513 | step << 20;
        [add, add, add, add, 0xff1f_f06f].iter().flat_map(|word| word.to_le_bytes()).collect()
    };
    let start = Memory::RAM + 54;
    memory.write(start, &program(1)).expect("RAM");
    processor.set_pc(start);
    processor.run(&mut memory, &mut devices, 10);
    assert_eq!(processor.x(10), 8);
    // The last byte of the second instruction, 1 + 16 then.
    memory.write(start + 7, &program(16)[7..8]).expect("RAM");
    processor.run(&mut memory, &mut devices, 15);
    assert_eq!(processor.x(10), 8 + 1 + 17 + 1 + 1);
    memory.write(start, &program(3)).expect("RAM");
    processor.run(&mut memory, &mut devices, 20);
    assert_eq!(processor.x(10), 28 + 12);
    memory.write(Memory::RAM, &[]).expect("nothing at all fits");
}

#[test]
fn a_handler_that_is_not_there_locks_up_and_is_told_once() {
    let run = |quantum: u64| {
        // ecall, with mtvec 0.
        let (mut processor, mut memory, mut devices) =
            started_with("cortex-m4f-168mhz", &[0x0000_0073]);
        let mut stopped = Stopped::Reached;
        while processor.cycle() < 1000 {
            let until = (processor.cycle() + quantum).min(1000);
            stopped = processor.run(&mut memory, &mut devices, until);
        }
        assert_eq!(stopped, Stopped::Looping);
        let causes: Vec<_> = devices.traps.iter().map(|trap| (trap.cause, trap.pc)).collect();
        assert_eq!(causes, [(11, Memory::FLASH), (1, 0)]);
        state(&processor, &memory)
    };
    assert_eq!(run(1000), run(1));
}
