//! Interrupts (privileged, 3.1.6 to 3.1.9) and waiting for them (3.3.3).

use ironbird_host::cpu::{Interrupt, Stopped};

use crate::computer::Computer;
use crate::elf::BASE;

const ALL: [(Interrupt, u32); 3] =
    [(Interrupt::Software, 3), (Interrupt::Timer, 7), (Interrupt::External, 11)];
const NOPS: [&str; 4] = ["addi x1, x1, 1"; 4];
const HANDLER: u32 = BASE + 0x1000;
const MIE: u32 = 8;
const MPIE: u32 = 0x80;
const MPP: u32 = 0x1800;

fn with_interrupts(lines: &[&str], vectored: bool) -> Computer {
    let (mut computer, _) = Computer::with_program(lines);
    computer.set_csr("mtvec", HANDLER | u32::from(vectored));
    computer.set_csr("mie", 0x888);
    computer.set_csr("mstatus", MIE);
    computer
}

#[test]
fn an_interrupt_is_taken_before_the_next_instruction() {
    for (interrupt, number) in ALL {
        for vectored in [false, true] {
            let mut computer = with_interrupts(&NOPS, vectored);
            computer.steps(2);
            computer.set_csr("mtval", 0x1234);
            computer.processor.set_pending(interrupt, true);
            assert_eq!(computer.csr("mip"), 1 << number);
            // Whether entering the handler is a step of its own or not, its first instruction is next.
            while computer.processor.pc() < HANDLER {
                computer.step();
            }
            let offset = if vectored { 4 * number } else { 0 };
            assert_eq!(computer.processor.pc() & !3, HANDLER + offset, "{interrupt:?}");
            assert_eq!(computer.processor.x(1), 2, "two instructions had been executed");
            assert_eq!(computer.csr("mepc"), BASE + 8);
            assert_eq!(computer.csr("mcause"), 1 << 31 | number);
            assert_eq!(computer.csr("mtval"), 0);
            assert_eq!(computer.csr("mstatus"), MPP | MPIE);
            assert!(computer.devices.traps.is_empty(), "an interrupt is not an exception");
        }
    }
}

#[test]
fn of_several_interrupts_external_comes_first_then_software_then_timer() {
    for pending in 1..8u32 {
        let mut computer = with_interrupts(&NOPS, false);
        computer.load(HANDLER, &["addi x2, x2, 1", "addi x2, x2, 1"]);
        for (n, (interrupt, _)) in ALL.into_iter().enumerate() {
            computer.processor.set_pending(interrupt, pending >> n & 1 == 1);
        }
        while computer.processor.pc() < HANDLER {
            computer.step();
        }
        let (software, external) = (pending & 1, pending >> 2 & 1);
        let first = if external == 1 {
            11
        } else if software == 1 {
            3
        } else {
            7
        };
        assert_eq!(computer.csr("mcause"), 1 << 31 | first, "pending: {pending:03b}");
        assert_eq!(computer.processor.x(1), 0);
    }
}

#[test]
fn an_interrupt_waits_while_it_is_not_enabled() {
    for (interrupt, number) in ALL {
        let mut computer = with_interrupts(&NOPS, false);
        computer.set_csr("mie", 0x888 & !(1 << number));
        computer.processor.set_pending(interrupt, true);
        computer.steps(2);
        assert_eq!((computer.processor.x(1), computer.processor.pc()), (2, BASE + 8), "mie is off");
        computer.set_csr("mie", 0x888);
        computer.set_csr("mstatus", 0);
        computer.steps(1);
        assert_eq!(
            (computer.processor.x(1), computer.processor.pc()),
            (3, BASE + 12),
            "MIE is off"
        );
        computer.processor.set_pending(interrupt, false);
        computer.set_csr("mstatus", MIE);
        computer.steps(1);
        assert_eq!(
            (computer.processor.x(1), computer.processor.pc()),
            (4, BASE + 16),
            "it was taken back"
        );
    }
}

#[test]
fn interrupts_that_a_program_turns_on_come_before_its_next_instruction() {
    let on = ["csrrsi x0, mstatus, 8", "addi x1, x1, 1", "addi x1, x1, 1"];
    let enabled = ["csrrw x0, mie, x5", "addi x1, x1, 1", "addi x1, x1, 1"];
    let back = ["mret", "addi x1, x1, 1", "addi x1, x1, 1"];
    for (lines, status, mie) in [(on, 0, 0x888), (enabled, MIE, 0), (back, MPIE, 0x888)] {
        let mut computer = with_interrupts(&lines, false);
        computer.load(HANDLER, &["addi x2, x2, 1", "addi x2, x2, 1"]);
        computer.set_csr("mie", mie);
        computer.set_csr("mstatus", status);
        computer.set_csr("mepc", BASE + 4);
        computer.processor.set_x(5, 0x888);
        computer.processor.set_pending(Interrupt::Timer, true);
        while computer.processor.pc() < HANDLER {
            computer.step();
        }
        assert_eq!(computer.processor.x(1), 0, "{}", lines[0]);
        assert_eq!(computer.csr("mepc"), BASE + 4, "{}", lines[0]);
    }
}

#[test]
fn an_exception_and_an_interrupt_both_come() {
    // The interrupt is turned off by the exception's entry, and comes when the handler returns.
    let (mut computer, _) = Computer::with_program(&["ecall", "addi x1, x1, 1"]);
    computer.load(
        HANDLER,
        &[
            "csrrs x3, mcause, x0",
            "csrrs x4, mepc, x0",
            "addi x4, x4, 4",
            "csrrw x0, mepc, x4",
            "mret",
        ],
    );
    computer.set_csr("mtvec", HANDLER);
    computer.set_csr("mstatus", MIE);
    computer.set_csr("mie", 0x80);
    computer.steps(2);
    assert_eq!(computer.processor.x(3), 11);
    computer.processor.set_pending(Interrupt::Timer, true);
    computer.steps(4);
    while computer.processor.x(3) == 11 {
        computer.step();
    }
    assert_eq!(computer.processor.x(3), 1 << 31 | 7);
    assert_eq!((computer.processor.x(1), computer.csr("mepc")), (0, BASE + 4));
}

#[test]
fn wfi_waits_without_spending_cycles() {
    for status in [0, MIE] {
        let mut computer =
            with_interrupts(&["addi x1, x1, 1", "wfi", "addi x1, x1, 1", "jal x0, 0"], false);
        computer.load(HANDLER, &["addi x2, x2, 1", "jal x0, 0"]);
        computer.set_csr("mie", 0x80);
        computer.set_csr("mstatus", status);
        assert_eq!(computer.run(1000), Stopped::Waiting);
        let cycle = computer.processor.cycle();
        assert!(cycle <= 3 && computer.processor.is_waiting());
        assert_eq!(computer.run(2000), Stopped::Waiting);
        assert_eq!(computer.processor.cycle(), cycle);
        // One that is not enabled does not wake it.
        computer.processor.set_pending(Interrupt::External, true);
        assert!(computer.processor.is_waiting());
        assert_eq!(computer.run(2000), Stopped::Waiting);
        computer.processor.skip_to(5000);
        computer.processor.set_pending(Interrupt::Timer, true);
        assert!(!computer.processor.is_waiting());
        computer.run(5010);
        assert!(computer.processor.cycle() >= 5010);
        if status == MIE {
            assert_eq!(computer.csr("mepc"), BASE + 8, "it goes on after wfi");
            assert_eq!((computer.processor.x(1), computer.processor.x(2)), (1, 1));
        } else {
            assert_eq!(
                (computer.processor.x(1), computer.processor.x(2)),
                (2, 0),
                "no trap: interrupts are off"
            );
        }
        let reads = computer.csr("mcycle");
        assert_eq!(u64::from(reads), computer.processor.cycle(), "cycles that were waited count");
    }
}

#[test]
fn wfi_does_not_wait_for_what_is_there_already() {
    let mut computer = with_interrupts(&["wfi", "addi x1, x1, 1", "wfi", "addi x1, x1, 1"], false);
    computer.set_csr("mstatus", 0);
    computer.processor.set_pending(Interrupt::Software, true);
    assert_eq!(computer.run(4), Stopped::Reached);
    assert_eq!(computer.processor.x(1), 2);
}

#[test]
fn a_jump_to_itself_ends_with_an_interrupt() {
    for pieces in [1, 7, 100] {
        let mut computer = with_interrupts(&["jal x0, 0"], false);
        computer.load(HANDLER, &["addi x2, x2, 1", "jal x0, 0"]);
        for until in (0..=700).step_by(pieces) {
            computer.run(until as u64);
        }
        computer.run(700);
        assert_eq!((computer.processor.cycle(), computer.processor.retired()), (700, 700));
        computer.processor.set_pending(Interrupt::External, true);
        computer.run(800);
        assert_eq!((computer.processor.x(2), computer.csr("mepc")), (1, BASE));
    }
}

#[test]
fn a_trap_in_a_handler_overwrites_what_was_saved() {
    let (mut computer, _) = Computer::with_program(&["ecall"]);
    computer.load(HANDLER, &[".half 0x0000"]);
    computer.set_csr("mtvec", HANDLER);
    computer.set_csr("mstatus", MIE);
    computer.step();
    assert_eq!((computer.csr("mcause"), computer.csr("mstatus")), (11, MPP | MPIE));
    computer.step();
    assert_eq!(
        (computer.csr("mcause"), computer.csr("mstatus")),
        (2, MPP),
        "MIE was off, so MPIE is"
    );
    assert_eq!((computer.csr("mepc"), computer.processor.pc()), (HANDLER, HANDLER));
    assert_eq!(computer.processor.retired(), 0);
}
