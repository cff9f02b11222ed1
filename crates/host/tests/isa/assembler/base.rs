//! Instructions of 32 bits (unprivileged, chapter 24).

/// Register operations: name, funct7, funct3.
const OP: &[(&str, u32, u32)] = &[
    ("add", 0x00, 0),
    ("sub", 0x20, 0),
    ("sll", 0x00, 1),
    ("slt", 0x00, 2),
    ("sltu", 0x00, 3),
    ("xor", 0x00, 4),
    ("srl", 0x00, 5),
    ("sra", 0x20, 5),
    ("or", 0x00, 6),
    ("and", 0x00, 7),
    ("mul", 0x01, 0),
    ("mulh", 0x01, 1),
    ("mulhsu", 0x01, 2),
    ("mulhu", 0x01, 3),
    ("div", 0x01, 4),
    ("divu", 0x01, 5),
    ("rem", 0x01, 6),
    ("remu", 0x01, 7),
];
/// Operations with an immediate: name, funct3.
const OP_IMM: &[(&str, u32)] =
    &[("addi", 0), ("slti", 2), ("sltiu", 3), ("xori", 4), ("ori", 6), ("andi", 7)];
/// Shifts by an immediate: name, funct7, funct3.
const SHIFT: &[(&str, u32, u32)] = &[("slli", 0x00, 1), ("srli", 0x00, 5), ("srai", 0x20, 5)];
/// Loads: name, opcode, funct3.
const LOAD: &[(&str, u32, u32)] = &[
    ("lb", 0x03, 0),
    ("lh", 0x03, 1),
    ("lw", 0x03, 2),
    ("lbu", 0x03, 4),
    ("lhu", 0x03, 5),
    ("flw", 0x07, 2),
    ("jalr", 0x67, 0),
];
/// Stores: name, opcode, funct3.
const STORE: &[(&str, u32, u32)] =
    &[("sb", 0x23, 0), ("sh", 0x23, 1), ("sw", 0x23, 2), ("fsw", 0x27, 2)];
/// Branches: name, funct3.
const BRANCH: &[(&str, u32)] =
    &[("beq", 0), ("bne", 1), ("blt", 4), ("bge", 5), ("bltu", 6), ("bgeu", 7)];
/// Atomics: name, funct5.
const ATOMIC: &[(&str, u32)] = &[
    ("lr.w", 0x02),
    ("sc.w", 0x03),
    ("amoswap.w", 0x01),
    ("amoadd.w", 0x00),
    ("amoxor.w", 0x04),
    ("amoand.w", 0x0c),
    ("amoor.w", 0x08),
    ("amomin.w", 0x10),
    ("amomax.w", 0x14),
    ("amominu.w", 0x18),
    ("amomaxu.w", 0x1c),
];
/// CSR instructions: name, funct3.
const CSR: &[(&str, u32)] =
    &[("csrrw", 1), ("csrrs", 2), ("csrrc", 3), ("csrrwi", 5), ("csrrsi", 6), ("csrrci", 7)];
/// Instructions without operands.
const FIXED: &[(&str, u32)] = &[
    ("ecall", 0x0000_0073),
    ("ebreak", 0x0010_0073),
    ("mret", 0x3020_0073),
    ("wfi", 0x1050_0073),
    ("fence.i", 0x0000_100f),
];
/// Float instructions that round, of two registers: name, funct7.
const FLOAT_ROUNDED: &[(&str, u32)] =
    &[("fadd.s", 0x00), ("fsub.s", 0x04), ("fmul.s", 0x08), ("fdiv.s", 0x0c)];
/// Float instructions that round, of one register: name, funct7, the field rs2.
const FLOAT_UNARY: &[(&str, u32, u32)] = &[
    ("fsqrt.s", 0x2c, 0),
    ("fcvt.w.s", 0x60, 0),
    ("fcvt.wu.s", 0x60, 1),
    ("fcvt.s.w", 0x68, 0),
    ("fcvt.s.wu", 0x68, 1),
];
/// Float instructions that do not round, of two registers: name, funct7, funct3.
const FLOAT_PLAIN: &[(&str, u32, u32)] = &[
    ("fsgnj.s", 0x10, 0),
    ("fsgnjn.s", 0x10, 1),
    ("fsgnjx.s", 0x10, 2),
    ("fmin.s", 0x14, 0),
    ("fmax.s", 0x14, 1),
    ("fle.s", 0x50, 0),
    ("flt.s", 0x50, 1),
    ("feq.s", 0x50, 2),
];
/// Float instructions that move or classify: name, funct7, funct3.
const FLOAT_MOVE: &[(&str, u32, u32)] =
    &[("fmv.x.w", 0x70, 0), ("fclass.s", 0x70, 1), ("fmv.w.x", 0x78, 0)];
/// Fused instructions: name, opcode.
const FUSED: &[(&str, u32)] =
    &[("fmadd.s", 0x43), ("fmsub.s", 0x47), ("fnmsub.s", 0x4b), ("fnmadd.s", 0x4f)];

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
}

fn find2(table: &[(&str, u32, u32)], name: &str) -> Option<(u32, u32)> {
    table.iter().find(|(known, _, _)| *known == name).map(|&(_, first, second)| (first, second))
}

fn r_type(funct7: u32, rs2: u32, rs1: u32, funct3: u32, rd: u32, opcode: u32) -> u32 {
    funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

/// A signed number of so many bits that is a multiple of `step`, as a field.
pub fn signed(value: i64, bits: u32, step: i64) -> Option<u32> {
    let half = 1i64 << (bits - 1);
    ((-half..half).contains(&value) && value % step == 0)
        .then_some(value as u32 & ((1u64 << bits) - 1) as u32)
}

fn i_type(immediate: i64, rs1: u32, funct3: u32, rd: u32, opcode: u32) -> Option<u32> {
    Some(signed(immediate, 12, 1)? << 20 | r_type(0, 0, rs1, funct3, rd, opcode))
}

fn s_type(immediate: i64, rs2: u32, rs1: u32, funct3: u32, opcode: u32) -> Option<u32> {
    let field = signed(immediate, 12, 1)?;
    Some(r_type(field >> 5, rs2, rs1, funct3, field & 31, opcode))
}

fn b_type(distance: i64, rs2: u32, rs1: u32, funct3: u32) -> Option<u32> {
    let field = signed(distance, 13, 2)?;
    let upper = field >> 12 << 6 | field >> 5 & 0x3f;
    let lower = field & 0x1e | field >> 11 & 1;
    Some(r_type(upper, rs2, rs1, funct3, lower, 0x63))
}

fn j_type(distance: i64, rd: u32) -> Option<u32> {
    let field = signed(distance, 21, 2)?;
    let bits = field >> 20 << 31
        | (field >> 1 & 0x3ff) << 21
        | (field >> 11 & 1) << 20
        | (field >> 12 & 0xff) << 12;
    Some(bits | rd << 7 | 0x6f)
}

/// The bits of an instruction; none if there is no such instruction or an operand does not fit.
pub fn encode(name: &str, operands: &[i64]) -> Option<u32> {
    let register = |at: usize| {
        operands.get(at).and_then(|&value| u32::try_from(value).ok()).filter(|&value| value < 32)
    };
    let number = |at: usize| operands.get(at).copied();
    if let Some(bits) = find(FIXED, name) {
        return operands.is_empty().then_some(bits);
    }
    if let Some((funct7, funct3)) = find2(OP, name) {
        return Some(r_type(funct7, register(2)?, register(1)?, funct3, register(0)?, 0x33));
    }
    if let Some(funct3) = find(OP_IMM, name) {
        return i_type(number(2)?, register(1)?, funct3, register(0)?, 0x13);
    }
    if let Some((funct7, funct3)) = find2(SHIFT, name) {
        return Some(r_type(funct7, register(2)?, register(1)?, funct3, register(0)?, 0x13));
    }
    if let Some((opcode, funct3)) = find2(LOAD, name) {
        return i_type(number(1)?, register(2)?, funct3, register(0)?, opcode);
    }
    if let Some((opcode, funct3)) = find2(STORE, name) {
        return s_type(number(1)?, register(0)?, register(2)?, funct3, opcode);
    }
    if let Some(funct3) = find(BRANCH, name) {
        return b_type(number(2)?, register(1)?, register(0)?, funct3);
    }
    if let Some(funct3) = find(CSR, name) {
        let csr = u32::try_from(number(1)?).ok().filter(|&csr| csr < 1 << 12)?;
        return Some(csr << 20 | r_type(0, 0, register(2)?, funct3, register(0)?, 0x73));
    }
    if let Some(bits) = encode_float(name, operands) {
        return Some(bits);
    }
    match name {
        "lui" | "auipc" => {
            let upper = u32::try_from(number(1)?).ok().filter(|&upper| upper < 1 << 20)?;
            Some(upper << 12 | register(0)? << 7 | if name == "lui" { 0x37 } else { 0x17 })
        }
        "jal" => j_type(number(1)?, register(0)?),
        "fence" => Some((register(0)? << 4 | register(1)?) << 20 | 0x0f),
        _ => encode_atomic(name, operands),
    }
}

/// `lr.w rd, (rs1)`, and `rd, rs2, (rs1)` for all others; `.aq`, `.rl` and `.aqrl` may follow the name.
fn encode_atomic(name: &str, operands: &[i64]) -> Option<u32> {
    let register = |at: usize| {
        operands.get(at).and_then(|&value| u32::try_from(value).ok()).filter(|&value| value < 32)
    };
    let (name, ordering) = [(".aqrl", 3), (".aq", 2), (".rl", 1)]
        .iter()
        .find_map(|&(suffix, bits)| Some((name.strip_suffix(suffix)?, bits)))
        .unwrap_or((name, 0));
    let funct7 = find(ATOMIC, name)? << 2 | ordering;
    match name {
        "lr.w" => Some(r_type(funct7, 0, register(1)?, 2, register(0)?, 0x2f)),
        _ => Some(r_type(funct7, register(1)?, register(2)?, 2, register(0)?, 0x2f)),
    }
}

fn encode_float(name: &str, operands: &[i64]) -> Option<u32> {
    let register = |at: usize| {
        operands.get(at).and_then(|&value| u32::try_from(value).ok()).filter(|&value| value < 32)
    };
    let rounding = |at: usize| register(at).filter(|&mode| mode < 8);
    if let Some(funct7) = find(FLOAT_ROUNDED, name) {
        return Some(r_type(funct7, register(2)?, register(1)?, rounding(3)?, register(0)?, 0x53));
    }
    if let Some((funct7, rs2)) = find2(FLOAT_UNARY, name) {
        return Some(r_type(funct7, rs2, register(1)?, rounding(2)?, register(0)?, 0x53));
    }
    if let Some((funct7, funct3)) = find2(FLOAT_PLAIN, name) {
        return Some(r_type(funct7, register(2)?, register(1)?, funct3, register(0)?, 0x53));
    }
    if let Some((funct7, funct3)) = find2(FLOAT_MOVE, name) {
        return Some(r_type(funct7, 0, register(1)?, funct3, register(0)?, 0x53));
    }
    let opcode = find(FUSED, name)?;
    Some(
        register(3)? << 27
            | r_type(0, register(2)?, register(1)?, rounding(4)?, register(0)?, opcode),
    )
}
