//! All encodings of 16 bits, and all combinations of opcode, funct3 and funct7 of 32 bits: our processor and QEMU take the same
//! ones for legal, and do the same with them.

use crate::assembler::Code;
use crate::case::{Agreement, Case};
use crate::cases_in_qemu;
use crate::computer::Computer;
use crate::qemu;
use crate::random::Random;
use crate::state::State;

/// Registers point here, 4 bytes apart, so that loads, stores and jumps stay in memory that nobody else uses.
const MIDDLE: u32 = 0x8000_8000;
const RAM_BYTES: u32 = 0x10_0000;
const HANDLER: u32 = 0x8000_1000;
/// Cases for one run of QEMU.
const CHUNK: usize = 20_000;

fn before(random: &mut Random) -> State {
    let mut state = State::start();
    for (n, x) in state.x.iter_mut().enumerate().skip(1) {
        *x = MIDDLE + 4 * n as u32;
    }
    state.f = std::array::from_fn(|_| random.float());
    state
}

/// What our processor does becomes the expectation. None for a jump into its own bytes, which would never end.
fn case(computer: &mut Computer, random: &mut Random, code: Code) -> Option<Case> {
    let before = before(random);
    let mut case = Case {
        place: "encoding".to_owned(),
        text: format!("{:0width$x}", code.bits, width = 2 * code.size as usize),
        code,
        after: before.clone(),
        before,
        traps: false,
        reserved: None,
        pending: 0,
        qemu: Agreement::Full,
    };
    computer.set_up(&case);
    computer.step();
    case.after = computer.state();
    case.traps = case.after.pc == HANDLER;
    if case.traps && case.after.csr("mcause") == &3 {
        case.qemu = Agreement::But("mtval".to_owned());
    }
    let (pc, after) = (case.before.pc, case.after.pc);
    let is_own = after != pc + code.size && (pc - 1..pc + 4).contains(&after);
    // What the program in QEMU writes to arrive somewhere, and clears, is cleared here, too.
    computer.write(pc, &[0; 8]);
    if !case.traps {
        computer.write(after, &[0; 2]);
    }
    (!is_own).then_some(case)
}

fn compare(codes: impl Iterator<Item = Code>) {
    let mut random = Random::new(16);
    let codes: Vec<Code> = codes.collect();
    let mut legal = 0;
    for codes in codes.chunks(CHUNK) {
        let mut computer = Computer::new(RAM_BYTES);
        let cases: Vec<Case> =
            codes.iter().filter_map(|&code| case(&mut computer, &mut random, code)).collect();
        legal += cases.iter().filter(|case| !case.traps).count();
        let wrong = cases_in_qemu::disagreements(&cases).unwrap_or_else(|error| panic!("{error}"));
        let some: Vec<String> = wrong.iter().take(50).cloned().collect();
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), some.join("\n"));
    }
    println!("{} encodings, {legal} of them did not trap", codes.len());
    assert!(legal > codes.len() / 10, "only {legal} of {} did something", codes.len());
}

#[test]
fn every_encoding_of_16_bits_means_the_same_in_qemu() {
    if qemu::is_missing() {
        return;
    }
    compare(
        (0..=u16::MAX)
            .filter(|bits| bits & 3 != 3)
            .map(|bits| Code { bits: u32::from(bits), size: 2 }),
    );
}

#[test]
fn every_opcode_and_function_of_32_bits_means_the_same_in_qemu() {
    if qemu::is_missing() {
        return;
    }
    let mut random = Random::new(32);
    let mut codes = Vec::new();
    for opcode in (0..32).map(|upper| upper << 2 | 3) {
        for functions in 0..1 << 10 {
            let (funct3, funct7) = (functions & 7, functions >> 3);
            // Few of all registers for rs2, where it is part of the function.
            let rs2 = if random.once_in(2) { random.below(3) } else { random.below(32) };
            let (rs1, rd) = (random.below(32), random.below(32));
            codes.push(funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode);
        }
    }
    compare(
        codes.into_iter().filter(|&bits| is_comparable(bits)).map(|bits| Code { bits, size: 4 }),
    );
}

/// Not: jal, which goes far; CSRs, of which QEMU has others; loads, stores and jumps relative to x0, which is nowhere; and what is
/// compared in the directed cases: mret, wfi, sfence.vma.
fn is_comparable(bits: u32) -> bool {
    let (opcode, funct3, rs1) = (bits & 0x7f, bits >> 12 & 7, bits >> 15 & 31);
    match opcode {
        0x6f => false,
        0x73 => funct3 == 0 && bits >> 25 != 0x09 && bits != 0x3020_0073 && bits != 0x1050_0073,
        0x03 | 0x07 | 0x23 | 0x27 | 0x2f | 0x67 => rs1 != 0,
        _ => true,
    }
}
