//! Compressed instructions (RISC-V unprivileged specification, "C" extension), as the full instructions
//! they stand for.

/// The 32-bit instruction that a 16-bit one of RV32FC stands for; none if it is reserved or needs an
/// extension that is not there.
pub(crate) fn expand(half: u16) -> Option<u32> {
    let c = u32::from(half);
    match (c & 3, c >> 13) {
        (0, funct) => quadrant_0(c, funct),
        (1, funct) => quadrant_1(c, funct),
        (2, funct) => quadrant_2(c, funct),
        _ => None,
    }
}

const LOAD: u32 = 0x03;
const LOAD_FP: u32 = 0x07;
const OP_IMM: u32 = 0x13;
const STORE: u32 = 0x23;
const STORE_FP: u32 = 0x27;
const OP: u32 = 0x33;
const LUI: u32 = 0x37;
const BRANCH: u32 = 0x63;
const JALR: u32 = 0x67;
const JAL: u32 = 0x6f;
const WORD: u32 = 2;

/// Bits `high` to `low` of `c`, moved to begin at bit `at`.
fn bits(c: u32, high: u32, low: u32, at: u32) -> u32 {
    ((c >> low) & ((1 << (high - low + 1)) - 1)) << at
}

/// One of the eight registers x8 … x15.
fn short(c: u32, low: u32) -> u32 {
    8 + bits(c, low + 2, low, 0)
}

/// Extends the sign at `bit`.
fn signed(value: u32, bit: u32) -> u32 {
    let up = 31 - bit;
    (((value << up) as i32) >> up) as u32
}

fn i_type(opcode: u32, funct3: u32, rd: u32, rs1: u32, immediate: u32) -> u32 {
    opcode | rd << 7 | funct3 << 12 | rs1 << 15 | immediate << 20
}

fn s_type(opcode: u32, funct3: u32, rs1: u32, rs2: u32, offset: u32) -> u32 {
    let low = bits(offset, 4, 0, 7);
    opcode | low | funct3 << 12 | rs1 << 15 | rs2 << 20 | bits(offset, 11, 5, 25)
}

fn r_type(funct3: u32, funct7: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    OP | rd << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | funct7 << 25
}

fn jal(rd: u32, c: u32) -> u32 {
    let high = bits(c, 12, 12, 11) | bits(c, 8, 8, 10) | bits(c, 10, 9, 8) | bits(c, 6, 6, 7);
    let low = bits(c, 7, 7, 6) | bits(c, 2, 2, 5) | bits(c, 11, 11, 4) | bits(c, 5, 3, 1);
    let offset = signed(high | low, 11);
    let upper = bits(offset, 20, 20, 31) | bits(offset, 10, 1, 21);
    JAL | rd << 7 | upper | bits(offset, 11, 11, 20) | bits(offset, 19, 12, 12)
}

fn branch(funct3: u32, c: u32) -> u32 {
    let high = bits(c, 12, 12, 8) | bits(c, 6, 5, 6) | bits(c, 2, 2, 5);
    let offset = signed(high | bits(c, 11, 10, 3) | bits(c, 4, 3, 1), 8);
    let upper = bits(offset, 12, 12, 31) | bits(offset, 10, 5, 25);
    let lower = bits(offset, 4, 1, 8) | bits(offset, 11, 11, 7);
    BRANCH | funct3 << 12 | short(c, 7) << 15 | upper | lower
}

fn quadrant_0(c: u32, funct: u32) -> Option<u32> {
    let offset = bits(c, 12, 10, 3) | bits(c, 6, 6, 2) | bits(c, 5, 5, 6);
    let (base, register) = (short(c, 7), short(c, 2));
    match funct {
        // c.addi4spn; all zeros is the instruction that is illegal for certain.
        0 => {
            let up = bits(c, 12, 11, 4) | bits(c, 10, 7, 6) | bits(c, 6, 6, 2) | bits(c, 5, 5, 3);
            (up != 0).then(|| i_type(OP_IMM, 0, register, 2, up))
        }
        2 => Some(i_type(LOAD, WORD, register, base, offset)),
        3 => Some(i_type(LOAD_FP, WORD, register, base, offset)),
        6 => Some(s_type(STORE, WORD, base, register, offset)),
        7 => Some(s_type(STORE_FP, WORD, base, register, offset)),
        // c.fld and c.fsd need D, 4 is reserved.
        _ => None,
    }
}

fn quadrant_1(c: u32, funct: u32) -> Option<u32> {
    let rd = bits(c, 11, 7, 0);
    let immediate = signed(bits(c, 12, 12, 5) | bits(c, 6, 2, 0), 5);
    match funct {
        // c.nop and c.addi
        0 => Some(i_type(OP_IMM, 0, rd, rd, immediate)),
        1 => Some(jal(1, c)),
        // c.li
        2 => Some(i_type(OP_IMM, 0, rd, 0, immediate)),
        // c.addi16sp
        3 if rd == 2 => {
            let high = bits(c, 12, 12, 9) | bits(c, 4, 3, 7) | bits(c, 5, 5, 6);
            let add = signed(high | bits(c, 2, 2, 5) | bits(c, 6, 6, 4), 9);
            (add != 0).then(|| i_type(OP_IMM, 0, 2, 2, add))
        }
        // c.lui
        3 => (immediate != 0).then_some(LUI | rd << 7 | immediate << 12),
        4 => arithmetic(c, immediate),
        5 => Some(jal(0, c)),
        6 => Some(branch(0, c)),
        _ => Some(branch(1, c)),
    }
}

fn arithmetic(c: u32, immediate: u32) -> Option<u32> {
    let rd = short(c, 7);
    let is_high = c & 1 << 12 != 0;
    match bits(c, 11, 10, 0) {
        // Shifts by 32 and more are not for RV32.
        0 => (!is_high).then(|| i_type(OP_IMM, 5, rd, rd, immediate & 31)),
        1 => (!is_high).then(|| i_type(OP_IMM, 5, rd, rd, immediate & 31 | 0x400)),
        2 => Some(i_type(OP_IMM, 7, rd, rd, immediate)),
        // c.subw and c.addw are RV64.
        _ if is_high => None,
        _ => {
            let (funct3, funct7) = [(0, 0x20), (4, 0), (6, 0), (7, 0)][bits(c, 6, 5, 0) as usize];
            Some(r_type(funct3, funct7, rd, rd, short(c, 2)))
        }
    }
}

fn quadrant_2(c: u32, funct: u32) -> Option<u32> {
    let rd = bits(c, 11, 7, 0);
    let rs2 = bits(c, 6, 2, 0);
    let is_high = c & 1 << 12 != 0;
    let load = bits(c, 12, 12, 5) | bits(c, 6, 4, 2) | bits(c, 3, 2, 6);
    let store = bits(c, 12, 9, 2) | bits(c, 8, 7, 6);
    match funct {
        0 => (!is_high).then(|| i_type(OP_IMM, 1, rd, rd, rs2)),
        2 => (rd != 0).then(|| i_type(LOAD, WORD, rd, 2, load)),
        3 => Some(i_type(LOAD_FP, WORD, rd, 2, load)),
        4 => match (is_high, rd, rs2) {
            (false, 0, 0) => None,
            (false, _, 0) => Some(i_type(JALR, 0, 0, rd, 0)),
            (false, ..) => Some(r_type(0, 0, rd, 0, rs2)),
            (true, 0, 0) => Some(0x0010_0073),
            (true, _, 0) => Some(i_type(JALR, 0, 1, rd, 0)),
            (true, ..) => Some(r_type(0, 0, rd, rd, rs2)),
        },
        6 => Some(s_type(STORE, WORD, 2, rs2, store)),
        7 => Some(s_type(STORE_FP, WORD, 2, rs2, store)),
        _ => None,
    }
}
