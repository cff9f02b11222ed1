//! Loads and stores that go to devices.

use ironbird_host::cpu::Width;

use crate::computer::{CLOCK, Computer, KEEPER};
use crate::elf::BASE;

const HANDLER: u32 = BASE + 0x1000;

/// Executes one instruction with x5 pointing to an address, and x6 and f6 as data.
fn execute(line: &str, address: u32, keeper: u32) -> Computer {
    let (mut computer, _) = Computer::with_program(&[line]);
    computer.set_csr("mtvec", HANDLER);
    computer.set_csr("mstatus", 0x6000);
    for register in [5, 8] {
        computer.processor.set_x(register, address);
    }
    for register in [6, 9] {
        computer.processor.set_x(register, 0x89ab_cdef);
        computer.processor.set_f(register, 0x7f80_0001);
    }
    computer.devices.keeper = keeper;
    computer.processor.skip_to(1000);
    computer.step();
    computer
}

#[test]
fn a_load_gives_what_the_device_gives_extended_to_its_width() {
    for (name, expected) in [
        ("lb", 0xffff_fff0),
        ("lbu", 0xf0),
        ("lh", 0xffff_80f0),
        ("lhu", 0x80f0),
        ("lw", 0x1234_80f0),
    ] {
        let computer = execute(&format!("{name} x7, 0(x5)"), KEEPER, 0x1234_80f0);
        assert_eq!(computer.processor.x(7), expected, "{name}");
    }
    assert_eq!(
        execute("flw f7, 0(x5)", KEEPER, 0x7f80_0001).processor.f(7),
        0x7f80_0001,
        "a NaN stays as it is"
    );
    assert_eq!(execute("c.lw x10, 0(x8)", KEEPER, 77).processor.x(10), 77);
    assert_eq!(
        execute("lw x7, 0(x5)", CLOCK, 0).processor.x(7),
        1000,
        "the cycle in which the instruction starts"
    );
    let into_nothing = execute("lw x0, 0(x5)", KEEPER, 77);
    assert_eq!((into_nothing.processor.x(0), into_nothing.processor.pc()), (0, BASE + 4));
}

#[test]
fn a_store_gives_the_device_its_width_and_value() {
    let stores = [
        ("sb x6, 0(x5)", Width::Byte, 0xff, 0xef),
        ("sh x6, 0(x5)", Width::Half, 0xffff, 0xcdef),
        ("sw x6, 0(x5)", Width::Word, u32::MAX, 0x89ab_cdef),
        ("fsw f6, 0(x5)", Width::Word, u32::MAX, 0x7f80_0001),
        ("c.sw x9, 0(x8)", Width::Word, u32::MAX, 0x89ab_cdef),
        ("c.fsw f9, 0(x8)", Width::Word, u32::MAX, 0x7f80_0001),
    ];
    for (line, width, mask, value) in stores {
        let computer = execute(line, KEEPER, 0);
        let kept: Vec<_> = computer
            .devices
            .kept
            .iter()
            .map(|&(width, value, cycle)| (width, value & mask, cycle))
            .collect();
        assert_eq!(kept, [(width, value, 1000)], "{line}");
    }
}

#[test]
fn what_a_device_refuses_is_an_access_fault() {
    for (line, cause) in [
        ("lw x7, 0(x5)", 5),
        ("lb x0, 0(x5)", 5),
        ("flw f7, 0(x5)", 5),
        ("sw x6, 0(x5)", 7),
        ("fsw f6, 0(x5)", 7),
    ] {
        let computer = execute(line, CLOCK + 0x100, 0);
        assert_eq!(
            ["mcause", "mepc", "mtval"].map(|name| computer.csr(name)),
            [cause, BASE, CLOCK + 0x100],
            "{line}"
        );
        let trap = computer.devices.traps[0];
        assert_eq!(
            (trap.cause, trap.pc, trap.value, trap.cycle),
            (cause, BASE, CLOCK + 0x100, 1000)
        );
        assert_eq!((computer.processor.x(7), computer.processor.f(7)), (0, 0), "{line}");
    }
}

#[test]
fn misaligned_accesses_to_devices_trap() {
    for (line, cause) in [
        ("lw x7, 0(x5)", 4),
        ("lh x7, 0(x5)", 4),
        ("flw f7, 0(x5)", 4),
        ("sw x6, 0(x5)", 6),
        ("sh x6, 0(x5)", 6),
    ] {
        let computer = execute(line, KEEPER + 1, 0);
        assert_eq!(
            ["mcause", "mepc", "mtval"].map(|name| computer.csr(name)),
            [cause, BASE, KEEPER + 1],
            "{line}"
        );
        assert!(computer.devices.kept.is_empty());
    }
}

#[test]
fn devices_have_no_atomic_accesses() {
    for (line, cause) in
        [("lr.w x7, (x5)", 5), ("amoadd.w x7, x6, (x5)", 7), ("amoswap.w x0, x6, (x5)", 7)]
    {
        let computer = execute(line, KEEPER, 0);
        assert_eq!(
            ["mcause", "mepc", "mtval"].map(|name| computer.csr(name)),
            [cause, BASE, KEEPER],
            "{line}"
        );
        assert!(computer.devices.kept.is_empty());
    }
}
