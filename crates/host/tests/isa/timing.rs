//! Cycles: every instruction takes what the profile says of its class, memory adds what the profile says of it.

use ironbird_host::cpu::Interrupt;
use ironbird_host::memory::Memory;
use ironbird_host::profile::Timing;

use crate::assembler::assemble_program;
use crate::computer::{CLOCK, Computer, KEEPER, profile};
use crate::elf::BASE;

const PROFILE: &str = "cortex-m4f-168mhz";

fn timing() -> Timing {
    profile(PROFILE).timing
}

/// Cycles that one instruction takes in RAM.
fn cycles(line: &str, prepare: impl Fn(&mut Computer)) -> u64 {
    let mut computer = Computer::with_profile(0x1_0000, PROFILE);
    computer.load(BASE, &[line]);
    computer.set_csr("mstatus", 0x6000);
    computer.set_csr("mtvec", BASE + 0x100);
    computer.processor.set_x(5, BASE + 0x400);
    computer.processor.set_x(8, BASE + 0x400);
    computer.processor.set_x(2, BASE + 0x400);
    prepare(&mut computer);
    computer.step();
    computer.processor.cycle()
}

/// Lines of instructions, with semicolons between them, and the cycles of their class.
fn classes(timing: &Timing) -> Vec<(&'static str, u8)> {
    vec![
        (
            "add x1, x2, x3; sub x1, x2, x3; sll x1, x2, x3; slt x1, x2, x3; sltu x1, x2, x3; xor x1, x2, x3",
            timing.alu,
        ),
        (
            "srl x1, x2, x3; sra x1, x2, x3; or x1, x2, x3; and x1, x2, x3; addi x1, x2, 3; slti x1, x2, 3",
            timing.alu,
        ),
        (
            "sltiu x1, x2, 3; xori x1, x2, 3; ori x1, x2, 3; andi x1, x2, 3; slli x1, x2, 3; srli x1, x2, 3",
            timing.alu,
        ),
        (
            "srai x1, x2, 3; lui x1, 3; auipc x1, 3; fence rw, rw; fence.i; c.nop; c.addi x1, 1; c.li x1, 1",
            timing.alu,
        ),
        (
            "c.addi4spn x8, x2, 4; c.lui x1, 1; c.addi16sp x2, 16; c.srli x8, 1; c.srai x8, 1; c.andi x8, 1",
            timing.alu,
        ),
        (
            "c.sub x8, x9; c.xor x8, x9; c.or x8, x9; c.and x8, x9; c.slli x8, 1; c.mv x8, x9; c.add x8, x9",
            timing.alu,
        ),
        ("mul x1, x2, x3; mulh x1, x2, x3; mulhsu x1, x2, x3; mulhu x1, x2, x3", timing.multiply),
        ("div x1, x2, x3; divu x1, x2, x3; rem x1, x2, x3; remu x1, x2, x3", timing.divide),
        (
            "lb x1, 0(x5); lh x1, 0(x5); lw x1, 0(x5); lbu x1, 0(x5); lhu x1, 0(x5); flw f1, 0(x5)",
            timing.load,
        ),
        (
            "c.lw x9, 0(x8); c.lwsp x9, 0(x2); c.flw f9, 0(x8); c.flwsp f9, 0(x2); lw x1, 1(x5)",
            timing.load,
        ),
        (
            "sb x1, 0(x5); sh x1, 0(x5); sw x1, 0(x5); fsw f1, 0(x5); c.sw x9, 0(x8); c.swsp x9, 0(x2)",
            timing.store,
        ),
        ("c.fsw f9, 0(x8); c.fswsp f9, 0(x2)", timing.store),
        (
            "bne x0, x0, 8; beq x0, x5, 8; blt x0, x0, 8; bge x2, x0, 8; bltu x0, x0, 8; c.bnez x10, 8",
            timing.branch,
        ),
        ("jal x1, 8; jalr x1, 0(x5); c.j 8; c.jal 8; c.jr x5; c.jalr x5", timing.jump),
        (
            "csrrw x1, mscratch, x2; csrrs x1, mcycle, x0; csrrwi x1, frm, 0; csrrci x0, mstatus, 8",
            timing.csr,
        ),
        (
            "lr.w x1, (x5); sc.w x1, x2, (x5); amoadd.w x1, x2, (x5); amomaxu.w x1, x2, (x5)",
            timing.atomic,
        ),
        (
            "fadd.s f1, f2, f3, rne; fsub.s f1, f2, f3, rtz; fadd.s f1, f2, f3, dyn",
            timing.float_add,
        ),
        ("fmul.s f1, f2, f3, rne; fmul.s f1, f2, f3, rup", timing.float_multiply),
        ("fmadd.s f1, f2, f3, f4, rne; fmsub.s f1, f2, f3, f4, rdn", timing.float_fused),
        ("fnmadd.s f1, f2, f3, f4, rne; fnmsub.s f1, f2, f3, f4, rmm", timing.float_fused),
        ("fdiv.s f1, f2, f3, rne; fdiv.s f1, f2, f3, rtz", timing.float_divide),
        ("fsqrt.s f1, f2, rne; fsqrt.s f1, f2, rup", timing.float_sqrt),
        (
            "fcvt.w.s x1, f2, rtz; fcvt.wu.s x1, f2, rne; fcvt.s.w f1, x2, rne; fcvt.s.wu f1, x2, rdn",
            timing.float_convert,
        ),
        (
            "fsgnj.s f1, f2, f3; fsgnjn.s f1, f2, f3; fsgnjx.s f1, f2, f3; fmin.s f1, f2, f3",
            timing.float_move,
        ),
        (
            "fmax.s f1, f2, f3; feq.s x1, f2, f3; flt.s x1, f2, f3; fle.s x1, f2, f3; fclass.s x1, f2",
            timing.float_move,
        ),
        ("fmv.x.w x1, f2; fmv.w.x f1, x2", timing.float_move),
        ("mret", timing.mret),
        ("wfi", timing.wfi),
        ("ecall; ebreak; c.ebreak; .half 0x0000; .word 0xffffffff", timing.trap),
    ]
}

#[test]
fn every_instruction_takes_the_cycles_of_its_class() {
    for (lines, expected) in classes(&timing()) {
        for line in lines.split("; ") {
            assert_eq!(cycles(line, |_| {}), u64::from(expected), "{line}");
        }
    }
}

#[test]
fn taken_branches_interrupts_and_devices_take_more() {
    let timing = timing();
    let more = |own: u8, more: u8| u64::from(own) + u64::from(more);
    for line in ["beq x0, x0, 8", "bge x0, x0, -4096", "c.beqz x10, 8"] {
        assert_eq!(cycles(line, |_| {}), more(timing.branch, timing.branch_taken), "{line}");
    }
    let to = |address| move |computer: &mut Computer| computer.processor.set_x(5, address);
    assert_eq!(cycles("lw x1, 0(x5)", to(CLOCK)), more(timing.load, timing.device_wait_states));
    assert_eq!(cycles("sw x1, 0(x5)", to(KEEPER)), more(timing.store, timing.device_wait_states));
    let interrupted = cycles("div x1, x2, x3", |computer| {
        computer.set_csr("mie", 0x80);
        computer.set_csr("mstatus", 8);
        computer.processor.set_pending(Interrupt::Timer, true);
    });
    assert_eq!(interrupted, u64::from(timing.trap), "the instruction has not begun");
}

/// Cycles of each round of a loop that lies at an address.
fn rounds(address: u32) -> Vec<u64> {
    let mut lines = vec!["loop:".to_owned(), "csrrs x10, mcycle, x0".to_owned()];
    lines.extend(
        (0..40).map(|n| {
            if n % 3 == 0 { "c.addi x8, 1".to_owned() } else { "addi x9, x9, 1".to_owned() }
        }),
    );
    lines.extend(["sw x10, 0(x5)", "addi x5, x5, 4", "jal x0, @loop"].map(str::to_owned));
    let program = assemble_program(address, &lines).unwrap_or_else(|error| panic!("{error}"));
    let mut computer = Computer::with_profile(0x1_0000, PROFILE);
    if address == BASE {
        computer.write(address, &program.bytes);
    } else {
        computer
            .memory
            .load_flash(address, &program.bytes)
            .unwrap_or_else(|error| panic!("{error}"));
    }
    let times = BASE + 0x1000;
    computer.processor.set_x(5, times);
    computer.processor.set_pc(address);
    computer.run(1000);
    let time = |n: u32| u64::from(computer.word(times + 4 * n));
    (0..5).map(|n| time(n + 1) - time(n)).collect()
}

#[test]
fn a_loop_in_flash_waits_only_in_its_first_round() {
    let (in_ram, in_flash) = (rounds(BASE), rounds(Memory::FLASH + 6));
    assert!(in_ram.iter().all(|&round| round == in_ram[0]), "{in_ram:?}");
    assert!(in_flash[0] > in_ram[0], "lines have to come: {in_flash:?}, {in_ram:?}");
    assert_eq!(in_flash[1..], in_ram[1..], "then they are there");
}
