//! A run in pieces is the run in one go: the same state, the same cycles; also with a checkpoint in between.

use ironbird_host::cpu::{Interrupt, Processor, Stopped, Trap};
use ironbird_host::memory::{Memory, MemoryState};
use proptest::prelude::*;

use crate::assembler::assemble_program;
use crate::batch::{Batch, RAM_BYTES};
use crate::computer::{CLOCK, Computer, Kept, profile};
use crate::elf::BASE;
use crate::program::{self, DATA_BYTES, Dialect};
use crate::qemu::FINISHER;

/// With caches in front of flash, prefetch, and instructions that take long.
const PROFILE: &str = "cortex-m4f-168mhz";

/// All that a run leaves: the processor as it is saved, memory as it is saved, what was reported.
#[derive(PartialEq, Eq)]
struct End {
    processor: Vec<u8>,
    memory: Vec<u8>,
    traps: Vec<Trap>,
    kept: Vec<Kept>,
}

fn end(computer: &Computer) -> End {
    End {
        processor: bytes(&computer.processor),
        memory: bytes(&computer.memory.save()),
        traps: computer.devices.traps.clone(),
        kept: computer.devices.kept.clone(),
    }
}

fn bytes(value: &impl serde::Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).unwrap_or_else(|error| panic!("{error}"))
}

/// Five programs with traps, in RAM.
fn in_ram(seed: u64) -> Computer {
    let batch = Batch::new(seed, 5, Dialect::Machine).unwrap_or_else(|error| panic!("{error}"));
    let mut computer = Computer::with_profile(RAM_BYTES, PROFILE);
    computer.write(BASE, &batch.image);
    computer
}

/// One program in flash, its data in RAM; in the end it starts again. The seed also says how many lines of flash are
/// kept, down to one, and whether the next one is read ahead.
fn in_flash(seed: u64) -> Computer {
    let mut profile = profile(PROFILE);
    for cache in [&mut profile.timing.fetch, &mut profile.timing.read].into_iter().flatten() {
        cache.lines = [1, 2, 8, 64][seed as usize % 4];
        cache.ways = cache.lines.min(4);
        cache.prefetches = seed & 4 == 0;
    }
    let mut computer = Computer::like(0x1_0000, &profile);
    let data = BASE + 0x1000;
    let lines = program::write(seed, Dialect::User, data, Memory::FLASH);
    let program = assemble_program(Memory::FLASH, &lines).unwrap_or_else(|error| panic!("{error}"));
    computer
        .memory
        .load_flash(Memory::FLASH, &program.bytes)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(program::data(seed).len() as u32, DATA_BYTES);
    computer.write(data, &program::data(seed));
    computer.set_csr("mstatus", 0x6000);
    computer.processor.set_pc(Memory::FLASH);
    computer
}

/// Runs up to the last of the cycles, stopping at all of them. The finisher stops only those that ask it.
fn run_to(computer: &mut Computer, cuts: &[u64]) {
    for &cut in cuts {
        while computer.processor.cycle() < cut && computer.run(cut) == Stopped::Device {}
    }
}

/// The same computer, written to bytes and read again into one that never ran.
fn restored(computer: &Computer, mut fresh: Computer) -> Computer {
    let read = |bytes: &[u8]| {
        postcard::from_bytes::<Processor>(bytes).unwrap_or_else(|error| panic!("{error}"))
    };
    let memory: MemoryState = postcard::from_bytes(&bytes(&computer.memory.save()))
        .unwrap_or_else(|error| panic!("{error}"));
    fresh.processor = read(&bytes(&computer.processor));
    fresh.memory.restore(memory).unwrap_or_else(|error| panic!("{error}"));
    fresh.devices = computer.devices.clone();
    fresh
}

fn assert_same(is: &Computer, should: &Computer) {
    let (a, b) = (&is.processor, &should.processor);
    assert_eq!((a.cycle(), a.retired(), a.registers()), (b.cycle(), b.retired(), b.registers()));
    let (is, should) = (end(is), end(should));
    assert!(is.traps == should.traps, "other traps were reported");
    assert!(is.kept == should.kept, "devices saw something else");
    assert!(is.memory == should.memory, "memory, or what is saved of its caches, differs");
    assert!(is.processor == should.processor, "control registers of the processor differ");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cuts_give_the_same_end(
        seed in 0..1000u64,
        flash in any::<bool>(),
        mut cuts in prop::collection::vec(1..6000u64, 0..60),
    ) {
        let start = if flash { in_flash(seed) } else { in_ram(seed) };
        cuts.push(6000);
        cuts.sort_unstable();
        let (mut whole, mut pieces) = (start.clone(), start);
        run_to(&mut whole, &[6000]);
        run_to(&mut pieces, &cuts);
        assert_same(&pieces, &whole);
    }

    #[test]
    fn single_steps_give_the_same_end(seed in 0..1000u64, flash in any::<bool>()) {
        let start = if flash { in_flash(seed) } else { in_ram(seed) };
        let (mut whole, mut steps) = (start.clone(), start);
        run_to(&mut whole, &[3000]);
        while steps.processor.cycle() < 3000 {
            let before = steps.processor.retired();
            steps.step();
            prop_assert!(steps.processor.retired() - before <= 1);
        }
        assert_same(&steps, &whole);
    }

    #[test]
    fn breakpoints_change_nothing(
        seed in 0..1000u64,
        flash in any::<bool>(),
        halfwords in prop::collection::vec(0..1500u32, 1..40),
    ) {
        let start = if flash { in_flash(seed) } else { in_ram(seed) };
        let code = if flash { Memory::FLASH } else { BASE + 0x4000 + 5 * DATA_BYTES };
        let (mut whole, mut halted) = (start.clone(), start);
        run_to(&mut whole, &[3000]);
        for halfword in halfwords {
            prop_assert!(halted.memory.set_breakpoint(code + 2 * halfword, true));
        }
        while halted.processor.cycle() < 3000 {
            halted.run(3000);
        }
        assert_same(&halted, &whole);
    }

    #[test]
    fn an_interrupt_at_a_cycle_does_not_see_the_cuts(
        seed in 0..1000u64,
        at in 1..4000u64,
        number in 0..3usize,
        mut cuts in prop::collection::vec(1..5000u64, 0..40),
    ) {
        let mut start = in_ram(seed);
        // Five instructions: the handler of the batch would take the interrupt for a trap and skip an instruction.
        let interrupt = [Interrupt::Software, Interrupt::Timer, Interrupt::External][number];
        start.set_csr("mie", 0x888);
        let enter = |computer: &mut Computer| {
            computer.set_csr("mstatus", 0x6008);
            computer.processor.set_pending(interrupt, true);
        };
        let leave = |computer: &mut Computer| computer.processor.set_pending(interrupt, false);
        let (mut whole, mut pieces) = (start.clone(), start);
        run_to(&mut whole, &[at]);
        enter(&mut whole);
        run_to(&mut whole, &[at + 30]);
        leave(&mut whole);
        run_to(&mut whole, &[5000]);
        cuts.sort_unstable();
        let between = |low: u64, high: u64| {
            let mut between: Vec<u64> = cuts.iter().copied().filter(|cut| (low..high).contains(cut)).collect();
            between.push(high);
            between
        };
        run_to(&mut pieces, &between(0, at));
        enter(&mut pieces);
        run_to(&mut pieces, &between(at, at + 30));
        leave(&mut pieces);
        run_to(&mut pieces, &between(at + 30, 5000));
        assert_same(&pieces, &whole);
    }

    #[test]
    fn waiting_and_devices_do_not_see_the_cuts(
        mut events in prop::collection::vec(1..4000u64, 1..30),
        cuts in prop::collection::vec(1..5000u64, 0..60),
    ) {
        events.sort_unstable();
        let (mut whole, mut pieces) = (that_waits(), that_waits());
        run_with_events(&mut whole, &events, &[5000]);
        run_with_events(&mut pieces, &events, &[cuts, vec![5000]].concat());
        prop_assert!(whole.processor.x(9) > 0);
        assert_same(&pieces, &whole);
    }

    #[test]
    fn a_checkpoint_in_between_gives_the_same_end(seed in 0..1000u64, flash in any::<bool>(), at in 1..5000u64) {
        let start = if flash { in_flash(seed) } else { in_ram(seed) };
        let (mut whole, mut first) = (start.clone(), start.clone());
        run_to(&mut whole, &[5000]);
        run_to(&mut first, &[at]);
        let mut second = restored(&first, start);
        run_to(&mut second, &[5000]);
        assert_same(&second, &whole);
    }
}

/// Waits for the timer, notes the time it woke, over and over; the handler counts.
fn that_waits() -> Computer {
    let mut computer = Computer::with_profile(0x1_0000, PROFILE);
    computer.load(
        BASE,
        &[
            "loop:",
            "wfi",
            "lw x6, 0(x5)",
            "sw x6, 4(x5)",
            "div x7, x6, x8",
            "sh x7, 4(x5)",
            "jal x0, @loop",
        ],
    );
    computer.load(
        BASE + 0x100,
        &["addi x9, x9, 1", "lw x6, 0(x5)", "sw x6, 4(x5)", "sw x0, 0(x10)", "mret"],
    );
    for (csr, value) in [("mtvec", BASE + 0x100), ("mie", 0x80), ("mstatus", 8)] {
        computer.set_csr(csr, value);
    }
    computer.processor.set_x(5, CLOCK);
    computer.processor.set_x(8, 3);
    computer.processor.set_x(10, FINISHER);
    computer
}

/// Runs it with a timer that is raised at each of `events`; the handler's store to the finisher lowers it. Stops at `cuts`, too.
fn run_with_events(computer: &mut Computer, events: &[u64], cuts: &[u64]) {
    let mut stops: Vec<(u64, bool)> =
        events.iter().map(|&at| (at, true)).chain(cuts.iter().map(|&at| (at, false))).collect();
    stops.sort_unstable();
    for (at, is_event) in stops {
        while computer.processor.cycle() < at {
            match computer.run(at) {
                Stopped::Waiting => computer.processor.skip_to(at),
                Stopped::Device => computer.processor.set_pending(Interrupt::Timer, false),
                _ => {}
            }
        }
        if is_event {
            computer.processor.set_pending(Interrupt::Timer, true);
        }
    }
}

#[test]
fn a_program_that_waits_notes_the_cycles_it_woke() {
    let mut computer = that_waits();
    run_with_events(&mut computer, &[100, 1000, 1100], &[2000]);
    assert_eq!(computer.processor.x(9), 3);
    // Entering the handler takes 12 cycles and its first instruction 1: then it reads the clock.
    let read: Vec<u32> = computer.devices.kept.iter().map(|&(_, value, _)| value).collect();
    assert_eq!(
        read.iter().step_by(3).copied().collect::<Vec<u32>>(),
        [113, 1013, 1113],
        "{read:?}"
    );
}

#[test]
fn a_run_executes_exactly_what_starts_before_its_end() {
    // fdiv.s takes 14 cycles with this profile: a run that ends within it has executed it, and time is past its end.
    let mut computer = Computer::with_profile(0x1_0000, PROFILE);
    computer.load(BASE, &["addi x1, x0, 1", "fdiv.s f1, f2, f3, rne", "addi x1, x0, 2"]);
    computer.set_csr("mstatus", 0x6000);
    assert_eq!(computer.run(1), Stopped::Reached);
    assert_eq!((computer.processor.cycle(), computer.processor.retired()), (1, 1));
    assert_eq!(computer.run(1), Stopped::Reached);
    assert_eq!(
        (computer.processor.cycle(), computer.processor.retired()),
        (1, 1),
        "nothing starts before cycle 1 any more"
    );
    assert_eq!(computer.run(2), Stopped::Reached);
    assert_eq!((computer.processor.cycle(), computer.processor.retired()), (15, 2));
    assert_eq!(computer.run(15), Stopped::Reached);
    assert_eq!(computer.processor.retired(), 2);
    computer.run(16);
    assert_eq!((computer.processor.cycle(), computer.processor.x(1)), (16, 2));
}

#[test]
fn a_breakpoint_stops_before_its_instruction_every_time() {
    let (mut computer, program) = Computer::with_program(&[
        "loop:",
        "c.addi x1, 1",
        "here:",
        "c.addi x2, 1",
        "jal x0, @loop",
    ]);
    let here = program.labels["here"];
    assert!(computer.memory.set_breakpoint(here, true));
    for round in 1..4 {
        assert_eq!(computer.run(1000), Stopped::Breakpoint);
        let processor = &computer.processor;
        assert_eq!((processor.pc(), processor.x(1), processor.x(2)), (here, round, round - 1));
    }
    assert!(computer.memory.set_breakpoint(here, false));
    assert_eq!(computer.run(1000), Stopped::Reached);
    assert!(!computer.memory.set_breakpoint(0x0800_0000, true), "nothing is there");
}

#[test]
fn a_reservation_is_part_of_a_checkpoint() {
    let lines = ["lr.w x1, (x5)", "sc.w x2, x6, (x5)"];
    let (mut computer, _) = Computer::with_program(&lines);
    computer.processor.set_x(5, BASE + 0x100);
    computer.processor.set_x(6, 42);
    let fresh = computer.clone();
    computer.step();
    let mut second = restored(&computer, fresh);
    second.step();
    assert_eq!((second.processor.x(2), second.word(BASE + 0x100)), (0, 42));
}

#[test]
fn waiting_is_part_of_a_checkpoint() {
    let (mut computer, _) = Computer::with_program(&["wfi", "addi x1, x1, 1"]);
    computer.set_csr("mie", 0x80);
    let fresh = computer.clone();
    assert_eq!(computer.run(10), Stopped::Waiting);
    let mut second = restored(&computer, fresh);
    assert!(second.processor.is_waiting());
    assert_eq!(second.run(10), Stopped::Waiting);
    second.processor.set_pending(Interrupt::Timer, true);
    second.step();
    assert_eq!(second.processor.x(1), 1);
}
