//! Every directed case is run by QEMU as well: a program sets up the state of each case, jumps to its instruction, and
//! writes down the state after it. So a wrong expectation is found, not only a wrong processor.

use crate::assembler::{assemble, assemble_program, load_immediate};
use crate::case::{Agreement, Case};
use crate::elf::{BASE, elf};
use crate::qemu::{self, FINISHED, FINISHER};
use crate::state::{CSRS, State, WINDOW, WINDOW_WORDS, WORDS};

/// Where traps go, as the cases have it in `mtvec`.
const HANDLER: u32 = 0x8000_1000;
/// Records of cases; the result of a case goes over its record.
const TABLE: u32 = 0x8020_0000;
/// A record begins with: jump to the instruction (in the result: whether a trap was taken), address of the instruction,
/// two words of code, where c.ebreak goes, reserved word. The state follows.
const HEAD: usize = 6;
const RECORD: u32 = 4 * (HEAD + WORDS) as u32;
/// `mtimecmp` of the only hart.
const MTIMECMP: u32 = 0x0200_4000;
/// A word that nobody uses.
const SPARE: u32 = 0x8000_0ff0;

/// What QEMU makes of each case: whether it trapped, and the state, with `pc` 0, as that is not seen directly.
fn run(cases: &[Case]) -> Result<Vec<(bool, State)>, String> {
    let end = TABLE + RECORD * cases.len() as u32;
    let program = assemble_program(HANDLER, &program(end))?;
    let mut image = vec![0; (TABLE - BASE) as usize];
    let start = assemble(&format!("jal x0, {}", program.labels["start"] - BASE))?;
    place(&mut image, BASE, &start.bytes());
    place(&mut image, HANDLER, &program.bytes);
    for case in cases {
        let words = record(case, program.labels["trampoline"], program.labels["finish"])?;
        image.extend(words.into_iter().flat_map(u32::to_le_bytes));
    }
    let memory = qemu::run(&elf(&image), image.len())?;
    let words: Vec<u32> = memory[(TABLE - BASE) as usize..]
        .chunks_exact(4)
        .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect();
    Ok(words
        .chunks_exact(HEAD + WORDS)
        .map(|result| (result[0] == 1, State::from_words(0, &result[HEAD..])))
        .collect())
}

/// Where QEMU does not do what a case says.
pub fn disagreements(cases: &[Case]) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    let results = run(cases)?;
    if results.len() != cases.len() {
        return Err(format!("{} results of {} cases", results.len(), cases.len()));
    }
    for (case, (trapped, mut state)) in cases.iter().zip(results) {
        let mut should = case.after.clone();
        let arrives = !case.traps && case.after.pc != case.before.pc + case.code.size;
        state.pc = if arrives { *state.csr("mepc") } else { should.pc };
        if arrives {
            // It met c.ebreak where it should, which has changed the CSRs of traps.
            if !trapped || *state.csr("mcause") != 3 {
                wrong.push(format!(
                    "{}: {}: mcause {:x}",
                    case.place,
                    case.text,
                    state.csr("mcause")
                ));
            }
            for name in ["mepc", "mcause", "mtval", "mstatus"] {
                *state.csr(name) = *should.csr(name);
            }
        } else if trapped != case.traps {
            wrong.push(format!("{}: {}: trapped: {trapped}", case.place, case.text));
        }
        if let Agreement::But(csr) = &case.qemu {
            *state.csr(csr) = *should.csr(csr);
        }
        wrong.extend(case.differences(&state, &should));
    }
    Ok(wrong)
}

fn place(image: &mut [u8], address: u32, bytes: &[u8]) {
    let at = (address - BASE) as usize;
    image[at..at + bytes.len()].copy_from_slice(bytes);
}

/// Behind the instruction is a jump to `finish` if it should go on there; else c.ebreak is where it should arrive.
fn record(case: &Case, trampoline: u32, finish: u32) -> Result<Vec<u32>, String> {
    let jump = |from: u32, to: u32| assemble(&format!("jal x0, {}", to.wrapping_sub(from) as i32));
    let pc = case.before.pc;
    let next = pc + case.code.size;
    let goes_on = !case.traps && case.after.pc == next;
    let behind = if goes_on { jump(next, finish)?.bits } else { 0 };
    let code = u64::from(case.code.bits) | u64::from(behind) << (8 * case.code.size);
    let arrival = if case.traps || goes_on { 0 } else { case.after.pc };
    let head = [
        jump(trampoline, pc)?.bits,
        pc,
        code as u32,
        (code >> 32) as u32,
        arrival,
        case.reserved.unwrap_or(0),
    ];
    Ok([head.to_vec(), case.before.words()].concat())
}

/// Adds lines of text to a program.
fn add(lines: &mut Vec<String>, text: &[&str]) {
    lines.extend(text.iter().map(|line| (*line).to_owned()));
}

/// Offset in a record of x1, f0, the first CSR, the first word of memory.
const X1: usize = 4 * HEAD;
const F0: usize = X1 + 4 * 31;
const CSR: usize = F0 + 4 * 32;
const MEMORY: usize = CSR + 4 * CSRS.len();

/// The handler, which writes down the state of a case; then what sets up the next one. `pmpaddr13` to `pmpaddr15` only hold
/// values: whether there was a trap, the record, x31. Memory protection is never turned on.
fn program(end: u32) -> Vec<String> {
    let mut lines = Vec::new();
    add(&mut lines, &["csrrw x0, pmpaddr15, x31", "addi x31, x0, 1", "jal x0, @save"]);
    add(&mut lines, &["finish:", "csrrw x0, pmpaddr15, x31", "addi x31, x0, 0", "save:"]);
    write_down(&mut lines);
    add(&mut lines, &["next:", "csrrs x31, pmpaddr14, x0"]);
    lines.extend(load_immediate(5, end));
    add(&mut lines, &["beq x31, x5, @done"]);
    set_up(&mut lines);
    // Changed for each case: a jump to its instruction.
    add(&mut lines, &["trampoline:", ".word 0", "start:"]);
    // `mtimecmp` as our computer has it after a reset, so that no timer interrupt is pending.
    lines.extend(load_immediate(5, MTIMECMP));
    add(&mut lines, &["addi x6, x0, -1", "sw x6, 0(x5)", "sw x6, 4(x5)"]);
    lines.extend(load_immediate(5, TABLE));
    add(&mut lines, &["csrrw x0, pmpaddr14, x5", "jal x0, @next", "done:"]);
    lines.extend(load_immediate(5, FINISHER));
    lines.extend(load_immediate(6, FINISHED));
    add(&mut lines, &["sw x6, 0(x5)", "jal x0, 0"]);
    lines
}

fn write_down(lines: &mut Vec<String>) {
    add(lines, &["csrrw x0, pmpaddr13, x31", "csrrs x31, pmpaddr14, x0"]);
    lines.extend((1..31).map(|n| format!("sw x{n}, {}(x31)", X1 + 4 * (n - 1))));
    add(lines, &["csrrs x5, pmpaddr15, x0"]);
    lines.push(format!("sw x5, {}(x31)", X1 + 4 * 30));
    add(lines, &["csrrs x5, pmpaddr13, x0", "sw x5, 0(x31)"]);
    // All CSRs but fcsr, which is there only while the float unit is on.
    for (n, name) in CSRS.iter().enumerate().skip(1) {
        lines.push(format!("csrrs x5, {name}, x0"));
        lines.push(format!("sw x5, {}(x31)", CSR + 4 * n));
    }
    lines.extend(load_immediate(5, 0x6000));
    add(lines, &["csrrs x0, mstatus, x5", "csrrs x5, fcsr, x0"]);
    lines.push(format!("sw x5, {CSR}(x31)"));
    lines.extend((0..32).map(|n| format!("fsw f{n}, {}(x31)", F0 + 4 * n)));
    lines.extend(load_immediate(6, WINDOW));
    for n in 0..WINDOW_WORDS {
        lines.push(format!("lw x5, {}(x6)", 4 * n));
        lines.push(format!("sw x5, {}(x31)", MEMORY + 4 * n));
    }
    // No code is left behind.
    add(lines, &["lw x6, 4(x31)"]);
    lines.extend([0, 2, 4, 6].map(|offset| format!("sh x0, {offset}(x6)")));
    add(lines, &["lw x6, 16(x31)", "beq x6, x0, @cleared", "sh x0, 0(x6)", "cleared:"]);
    lines.push(format!("addi x31, x31, {RECORD}"));
    add(lines, &["csrrw x0, pmpaddr14, x31"]);
}

fn set_up(lines: &mut Vec<String>) {
    add(lines, &["lw x6, 4(x31)"]);
    for offset in [0, 2, 4, 6] {
        lines.push(format!("lhu x7, {}(x31)", 8 + offset));
        lines.push(format!("sh x7, {offset}(x6)"));
    }
    add(lines, &["lw x6, 16(x31)", "beq x6, x0, @no_arrival"]);
    lines.extend(load_immediate(7, 0x9002)); // c.ebreak
    add(lines, &["sh x7, 0(x6)", "no_arrival:", "lw x7, 0(x31)"]);
    // The distance is counted from the second instruction, so the sum is 4 bytes before the trampoline.
    add(lines, &["auipc x6, 0", "addi x6, x6, @trampoline", "sw x7, 4(x6)", "fence.i"]);
    // Memory, then the reservation: a store could end it.
    lines.extend(load_immediate(6, WINDOW));
    for n in 0..WINDOW_WORDS {
        lines.push(format!("lw x7, {}(x31)", MEMORY + 4 * n));
        lines.push(format!("sw x7, {}(x6)", 4 * n));
    }
    lines.extend(load_immediate(6, SPARE));
    add(
        lines,
        &[
            "sc.w x0, x0, (x6)",
            "lw x6, 20(x31)",
            "beq x6, x0, @none_reserved",
            "lr.w x0, (x6)",
            "none_reserved:",
        ],
    );
    lines.extend(load_immediate(5, 0x6000));
    add(lines, &["csrrs x0, mstatus, x5"]);
    lines.extend((0..32).map(|n| format!("flw f{n}, {}(x31)", F0 + 4 * n)));
    for (n, name) in CSRS.iter().enumerate() {
        lines.push(format!("lw x5, {}(x31)", CSR + 4 * n));
        lines.push(format!("csrrw x0, {name}, x5"));
    }
    lines.extend((1..32).map(|n| format!("lw x{n}, {}(x31)", X1 + 4 * (n - 1))));
}
