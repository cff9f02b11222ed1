//! Control and status registers as programs see them: which there are, counters, fields that take only legal values.

use crate::computer::Computer;
use crate::elf::BASE;

const HANDLER: u32 = BASE + 0x1000;

#[test]
fn counters_count_and_can_be_set() {
    let (mut computer, _) = Computer::with_program(&[
        "csrrs x1, minstret, x0",
        "addi x0, x0, 0",
        "csrrs x2, instret, x0",
        "csrrs x3, mcycle, x0",
        "addi x0, x0, 0",
        "csrrs x4, cycle, x0",
        "csrrw x5, minstret, x10",
        "csrrs x6, minstret, x0",
        "csrrw x0, minstreth, x11",
        "csrrs x7, instreth, x0",
        "csrrw x0, mcycle, x12",
        "csrrw x0, mcycleh, x11",
        "csrrs x8, cycleh, x0",
        "csrrs x9, time, x0",
        "csrrs x13, timeh, x0",
    ]);
    for (register, value) in [(10, 1000), (11, 7), (12, 0x1234_0000)] {
        computer.processor.set_x(register, value);
    }
    computer.steps(13);
    let time = computer.processor.cycle() / 4;
    computer.steps(2);
    let x = |n| computer.processor.x(n);
    assert_eq!((x(1), x(2)), (0, 2), "instructions before this one");
    assert_eq!(x(4) - x(3), 2);
    assert_eq!((x(5), x(6)), (6, 1000), "what is written is what the next instruction reads");
    assert_eq!((x(7), x(8)), (7, 7));
    assert_eq!((x(9), x(13)), (time as u32, 0));
    let cycles = computer.csr("mcycle");
    assert!((0x1234_0000..0x1234_0010).contains(&cycles), "{cycles:08x}");
    assert_eq!(
        (computer.processor.cycle(), computer.processor.retired()),
        (15, 15),
        "these only go on"
    );
}

#[test]
fn counters_can_be_halted() {
    // mcountinhibit: bit 0 cycles, bit 2 instructions (privileged, 3.1.12).
    let (mut computer, _) = Computer::with_program(&[
        "csrrwi x0, mcountinhibit, 5",
        "csrrs x1, mcycle, x0",
        "csrrs x2, minstret, x0",
        "addi x0, x0, 0",
        "csrrs x3, mcycle, x0",
        "csrrs x4, minstret, x0",
        "csrrwi x0, mcountinhibit, 0",
        "csrrs x5, minstret, x0",
        "csrrs x6, minstret, x0",
        "csrrs x7, mcycle, x0",
        "csrrs x8, mcycle, x0",
    ]);
    computer.steps(11);
    let x = |n| computer.processor.x(n);
    assert_eq!((x(1), x(2)), (x(3), x(4)), "nothing is counted");
    assert_eq!((x(6) - x(5), x(8) - x(7)), (1, 1), "and again it is");
    assert!(x(5) - x(4) <= 1, "from where it was");
    assert_eq!((computer.processor.cycle(), computer.processor.retired()), (11, 11));
}

#[test]
fn a_write_to_a_counter_that_is_read_only_is_illegal() {
    for name in ["cycle", "time", "instret", "cycleh", "timeh", "instreth"] {
        let (mut computer, _) = Computer::with_program(&[&format!("csrrw x0, {name}, x1")]);
        computer.set_csr("mtvec", HANDLER);
        computer.step();
        assert_eq!((computer.csr("mcause"), computer.csr("mepc")), (2, BASE), "{name}");
    }
}

#[test]
fn the_csrs_of_machine_mode_are_there_and_no_others() {
    // Privileged 1.12, tables 2.5 and 2.6. Counters of events may be zero, but are there. Without user and supervisor
    // mode there is no mcounteren, medeleg, mideleg, menvcfg. Left open: mcountinhibit, memory protection, triggers,
    // what users see of the counters of events.
    let is_left_open = |number: u32| matches!(number, 0x320 | 0x3a0..=0x3ef | 0x747 | 0x757 | 0x7a0..=0x7af | 0xc03..=0xc1f | 0xc83..=0xc9f);
    let is_there = |number: u32| {
        matches!(number, 0x001..=0x003 | 0x300 | 0x301 | 0x304 | 0x305 | 0x310 | 0x323..=0x33f | 0x340..=0x344)
            || matches!(number, 0xb00 | 0xb02..=0xb1f | 0xb80 | 0xb82..=0xb9f | 0xf11..=0xf15)
            || matches!(number, 0xc00..=0xc02 | 0xc80..=0xc82)
    };
    let mut wrong = Vec::new();
    for number in (0..0x1000).filter(|&number| !is_left_open(number)) {
        let (mut computer, _) = Computer::with_program(&[&format!("csrrs x1, {number:#x}, x0")]);
        computer.set_csr("mtvec", HANDLER);
        computer.set_csr("mstatus", 0x6000);
        computer.step();
        let is_found = computer.processor.pc() == BASE + 4;
        if is_found != is_there(number) {
            wrong.push(format!("{number:#x} is {}there", if is_found { "" } else { "not " }));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join(", "));
}

#[test]
fn the_float_unit_says_when_it_was_used() {
    // FS = initial becomes dirty by whatever may change its state (privileged, 3.1.6.6).
    let used = [
        "flw f1, 0(x5)",
        "fadd.s f1, f2, f3, rne",
        "fmv.w.x f1, x0",
        "csrrwi x0, frm, 1",
        "c.flw f8, 0(x8)",
        "fcvt.s.w f1, x5, rne",
    ];
    for line in used {
        let (mut computer, _) = Computer::with_program(&[line]);
        computer.set_csr("mstatus", 0x2000);
        computer.processor.set_x(5, BASE);
        computer.processor.set_x(8, BASE);
        assert_eq!(computer.csr("mstatus") & 0x8000_6000, 0x2000);
        computer.step();
        assert_eq!(computer.csr("mstatus") & 0x8000_6000, 0x8000_6000, "{line}");
    }
}

#[test]
fn after_a_reset_everything_is_as_the_manual_says() {
    let (mut computer, _) = Computer::with_program(&["addi x1, x1, 1"; 8]);
    computer.set_csr("mstatus", 0x6008);
    computer.set_csr("mie", 0x888);
    computer.processor.set_f(3, 77);
    computer.steps(8);
    computer.processor.reset(BASE + 4, 100);
    assert_eq!(
        (computer.processor.cycle(), computer.csr("mcycle"), computer.csr("minstret")),
        (100, 0, 0)
    );
    let registers = computer.processor.registers();
    assert_eq!((registers.pc, registers.x, registers.f), (BASE + 4, [0; 32], [0; 32]));
    assert_eq!(
        (computer.csr("mstatus") & 0x6008, computer.csr("mie")),
        (0, 0),
        "interrupts and floats are off"
    );
    computer.processor.reset(BASE, 50);
    assert_eq!(computer.processor.cycle(), 100, "time does not go back");
}

#[test]
fn counters_have_64_bits() {
    let (mut computer, _) = Computer::with_program(&[
        "csrrs x1, mcycleh, x0",
        "csrrs x2, cycle, x0",
        "csrrs x3, timeh, x0",
    ]);
    computer.processor.skip_to(7 << 32 | 0xffff_fff0);
    computer.steps(3);
    assert_eq!(
        [1, 2, 3].map(|n| computer.processor.x(n)),
        [7, 0xffff_fff1, 1],
        "time counts every 4th cycle"
    );
    computer.processor.skip_to(8 << 32);
    assert_eq!((computer.csr("mcycleh"), computer.csr("mcycle")), (8, 0));
}

#[test]
fn pending_bits_belong_to_the_devices() {
    // Privileged, 3.1.9: MSIP, MTIP and MEIP are read-only in mip.
    let (mut computer, _) = Computer::with_program(&["csrrw x1, mip, x5", "csrrs x2, mip, x0"]);
    computer.processor.set_x(5, u32::MAX);
    computer.steps(2);
    assert_eq!((computer.processor.x(1), computer.processor.x(2)), (0, 0));
}

#[test]
fn fields_take_only_legal_values() {
    // What is written, to which CSR, what may be read then.
    type IsLegal = fn(u32) -> bool;
    let legal: [(&str, u32, IsLegal); 6] = [
        ("mtvec", 0x8000_2003, |is| is & 3 < 2),
        ("mtvec", 0x8000_2002, |is| is & 3 < 2),
        ("misa", 0, |is| is == 0x4000_1125),
        ("mstatus", 0x0000_0800, |is| is & 0x1800 == 0x1800),
        ("mepc", 0x8000_2001, |is| is == 0x8000_2000),
        ("mie", 0xffff_f777, |is| is == 0),
    ];
    for (name, value, is_legal) in legal {
        let (mut computer, _) = Computer::with_program(&[
            &format!("csrrw x0, {name}, x5"),
            &format!("csrrs x1, {name}, x0"),
        ]);
        computer.processor.set_x(5, value);
        computer.steps(2);
        assert_eq!(computer.processor.pc(), BASE + 8, "{name} can be written");
        assert!(is_legal(computer.processor.x(1)), "{name} is {:08x}", computer.processor.x(1));
    }
}
