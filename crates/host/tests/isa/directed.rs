//! The directed cases, one by one.

use std::collections::BTreeSet;
use std::path::Path;

use crate::case::{Agreement, Case};
use crate::cases_in_qemu;
use crate::computer::Computer;
use crate::elf::BASE;
use crate::qemu;
use crate::state::WINDOW;

/// Every instruction of RV32IMAFC, Zicsr, Zifencei and machine mode.
const INSTRUCTIONS: &[(&str, &str)] = &[
    (
        "RV32I, Zifencei",
        "lui auipc jal jalr beq bne blt bge bltu bgeu lb lh lw lbu lhu sb sh sw addi slti \
         sltiu xori ori andi slli srli srai add sub sll slt sltu xor srl sra or and fence \
         fence.i ecall ebreak",
    ),
    ("M", "mul mulh mulhsu mulhu div divu rem remu"),
    (
        "A",
        "lr.w sc.w amoswap.w amoadd.w amoxor.w amoand.w amoor.w amomin.w amomax.w amominu.w \
         amomaxu.w",
    ),
    (
        "F",
        "flw fsw fmadd.s fmsub.s fnmsub.s fnmadd.s fadd.s fsub.s fmul.s fdiv.s fsqrt.s \
         fsgnj.s fsgnjn.s fsgnjx.s fmin.s fmax.s fcvt.w.s fcvt.wu.s fmv.x.w feq.s flt.s fle.s \
         fclass.s fcvt.s.w fcvt.s.wu fmv.w.x",
    ),
    (
        "C",
        "c.addi4spn c.lw c.flw c.sw c.fsw c.nop c.addi c.jal c.li c.addi16sp c.lui c.srli \
         c.srai c.andi c.sub c.xor c.or c.and c.j c.beqz c.bnez c.slli c.lwsp c.flwsp c.jr \
         c.mv c.ebreak c.jalr c.add c.swsp c.fswsp",
    ),
    ("Zicsr", "csrrw csrrs csrrc csrrwi csrrsi csrrci"),
    ("machine mode", "mret wfi"),
];

/// The names of all instructions.
pub fn instructions() -> impl Iterator<Item = &'static str> {
    INSTRUCTIONS.iter().flat_map(|(_, names)| names.split_whitespace())
}

/// RAM as the cases about its end have it.
const RAM_BYTES: u32 = 0x0010_0000;

/// How many different cases an instruction has at least.
const ENOUGH: usize = 20;

fn cases_of(name: &str) -> Vec<Case> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/isa/cases").join(format!("{name}.txt"));
    let text = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(n, line)| {
            Case::read(format!("{name}.txt:{}", n + 1), line)
                .unwrap_or_else(|error| panic!("{error}"))
        })
        .collect()
}

fn all_cases() -> Vec<Case> {
    instructions().chain(["illegal"]).flat_map(cases_of).collect()
}

#[test]
fn every_instruction_has_twenty_different_cases() {
    for name in instructions() {
        let cases = cases_of(name);
        let different: BTreeSet<&str> = cases.iter().map(|case| case.text.as_str()).collect();
        assert!(different.len() >= ENOUGH, "{name}.txt has {} different cases", different.len());
        let own = cases
            .iter()
            .filter(|case| case.text.starts_with(name) || case.text.starts_with('.'))
            .count();
        assert_eq!(own, cases.len(), "{name}.txt has cases of another instruction");
    }
}

#[test]
fn qemu_agrees_with_every_expectation() {
    if qemu::is_missing() {
        return;
    }
    let cases: Vec<Case> =
        all_cases().into_iter().filter(|case| case.qemu != Agreement::None).collect();
    let wrong = cases_in_qemu::disagreements(&cases).unwrap_or_else(|error| panic!("{error}"));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn the_processor_does_what_every_case_says() {
    let cases = all_cases();
    let mut computer = Computer::new(RAM_BYTES);
    let mut ram = computer.memory.ram().to_vec();
    let mut wrong = Vec::new();
    for case in &cases {
        computer.set_up(case);
        let retired = computer.processor.retired();
        computer.step();
        wrong.extend(case.differences(&computer.state(), &case.after));
        let retired = computer.processor.retired() - retired;
        if retired != u64::from(!case.traps) {
            wrong.push(format!("{}: {}: it retired {retired} instructions", case.place, case.text));
        }
        let code = case.code.bytes();
        place(&mut ram, case.before.pc, &code);
        place(&mut ram, WINDOW, &case.after.memory.map(u32::to_le_bytes).concat());
        if computer.memory.ram() != ram {
            let at = computer.memory.ram().iter().zip(&ram).position(|(is, should)| is != should);
            let at = BASE as usize + at.unwrap_or_default();
            wrong.push(format!("{}: {}: memory has changed at {at:08x}", case.place, case.text));
            ram.copy_from_slice(computer.memory.ram());
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn place(ram: &mut [u8], address: u32, bytes: &[u8]) {
    let at = (address - BASE) as usize;
    ram[at..at + bytes.len()].copy_from_slice(bytes);
}
