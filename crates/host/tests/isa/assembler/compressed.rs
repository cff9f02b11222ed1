//! Instructions of 16 bits (unprivileged, 16.8).

use super::base::signed;

/// Takes bits `from` down to `to` of a number to the place that begins at bit `at`.
fn field(value: u32, from: u32, to: u32, at: u32) -> u32 {
    (value >> to & ((1 << (from - to + 1)) - 1)) << at
}

/// An unsigned number below `limit` that is a multiple of `step`.
fn unsigned(value: i64, limit: i64, step: i64) -> Option<u32> {
    ((0..limit).contains(&value) && value % step == 0).then_some(value as u32)
}

/// Registers 8 to 15, in 3 bits.
fn short(register: i64) -> Option<u32> {
    (8..16).contains(&register).then_some(register as u32 - 8)
}

fn any(register: i64) -> Option<u32> {
    (0..32).contains(&register).then_some(register as u32)
}

fn quadrant(funct3: u32, rest: u32, quadrant: u32) -> Option<u32> {
    Some(funct3 << 13 | rest | quadrant)
}

/// CI: a signed immediate of 6 bits beside a register.
fn immediate6(register: u32, immediate: u32) -> u32 {
    field(immediate, 5, 5, 12) | register << 7 | field(immediate, 4, 0, 2)
}

/// The distance of c.j and c.jal.
fn jump(distance: i64) -> Option<u32> {
    let value = signed(distance, 12, 2)?;
    Some(
        field(value, 11, 11, 12)
            | field(value, 4, 4, 11)
            | field(value, 9, 8, 9)
            | field(value, 10, 10, 8)
            | field(value, 6, 6, 7)
            | field(value, 7, 7, 6)
            | field(value, 3, 1, 3)
            | field(value, 5, 5, 2),
    )
}

/// A register of 8 to 15 and the distance of c.beqz and c.bnez.
fn branch(register: i64, distance: i64) -> Option<u32> {
    let value = signed(distance, 9, 2)?;
    Some(
        field(value, 8, 8, 12)
            | field(value, 4, 3, 10)
            | short(register)? << 7
            | field(value, 7, 6, 5)
            | field(value, 2, 1, 3)
            | field(value, 5, 5, 2),
    )
}

/// c.lw and its kin: data register, offset, base register.
fn word_at(data: i64, offset: i64, base: i64) -> Option<u32> {
    let value = unsigned(offset, 128, 4)?;
    Some(
        field(value, 5, 3, 10)
            | short(base)? << 7
            | field(value, 2, 2, 6)
            | field(value, 6, 6, 5)
            | short(data)? << 2,
    )
}

fn load_from_stack(data: i64, offset: i64, base: i64) -> Option<u32> {
    let value = unsigned(offset, 256, 4).filter(|_| base == 2)?;
    Some(field(value, 5, 5, 12) | any(data)? << 7 | field(value, 4, 2, 4) | field(value, 7, 6, 2))
}

fn store_to_stack(data: i64, offset: i64, base: i64) -> Option<u32> {
    let value = unsigned(offset, 256, 4).filter(|_| base == 2)?;
    Some(field(value, 5, 2, 9) | field(value, 7, 6, 7) | any(data)? << 2)
}

/// The bits of `c.name`; none if there is no such instruction or an operand does not fit.
pub fn encode(name: &str, operands: &[i64]) -> Option<u32> {
    let at = |at: usize| operands.get(at).copied();
    let not_zero = |at: usize| {
        operands.get(at).and_then(|&register| any(register)).filter(|&register| register != 0)
    };
    match name {
        "addi4spn" => {
            let value =
                unsigned(at(2)?, 1024, 4).filter(|&value| value != 0 && at(1) == Some(2))?;
            let bits = field(value, 5, 4, 11)
                | field(value, 9, 6, 7)
                | field(value, 2, 2, 6)
                | field(value, 3, 3, 5);
            quadrant(0, bits | short(at(0)?)? << 2, 0)
        }
        "lw" => quadrant(2, word_at(at(0)?, at(1)?, at(2)?)?, 0),
        "flw" => quadrant(3, word_at(at(0)?, at(1)?, at(2)?)?, 0),
        "sw" => quadrant(6, word_at(at(0)?, at(1)?, at(2)?)?, 0),
        "fsw" => quadrant(7, word_at(at(0)?, at(1)?, at(2)?)?, 0),
        "nop" => operands.is_empty().then_some(1),
        "addi" => quadrant(0, immediate6(not_zero(0)?, signed(at(1)?, 6, 1)?), 1),
        "jal" => quadrant(1, jump(at(0)?)?, 1),
        "li" => quadrant(2, immediate6(any(at(0)?)?, signed(at(1)?, 6, 1)?), 1),
        "addi16sp" => {
            let value = signed(at(1)?, 10, 16).filter(|&value| value != 0 && at(0) == Some(2))?;
            let bits = field(value, 9, 9, 12)
                | field(value, 4, 4, 6)
                | field(value, 6, 6, 5)
                | field(value, 8, 7, 3);
            quadrant(3, bits | field(value, 5, 5, 2) | 2 << 7, 1)
        }
        "lui" => {
            // As assemblers write it: the number that lui would get, so a negative one begins with 0xfff.
            let upper = unsigned(at(1)?, 1 << 20, 1)?;
            let value =
                signed(i64::from((upper << 12) as i32 >> 12), 6, 1).filter(|&value| value != 0)?;
            quadrant(3, immediate6(any(at(0)?).filter(|&rd| rd != 2)?, value), 1)
        }
        "srli" => quadrant(4, short(at(0)?)? << 7 | unsigned(at(1)?, 32, 1)? << 2, 1),
        "srai" => quadrant(4, 1 << 10 | short(at(0)?)? << 7 | unsigned(at(1)?, 32, 1)? << 2, 1),
        "andi" => quadrant(4, 2 << 10 | immediate6(short(at(0)?)?, signed(at(1)?, 6, 1)?), 1),
        "sub" => quadrant(4, 3 << 10 | short(at(0)?)? << 7 | short(at(1)?)? << 2, 1),
        "xor" => quadrant(4, 3 << 10 | short(at(0)?)? << 7 | 1 << 5 | short(at(1)?)? << 2, 1),
        "or" => quadrant(4, 3 << 10 | short(at(0)?)? << 7 | 2 << 5 | short(at(1)?)? << 2, 1),
        "and" => quadrant(4, 3 << 10 | short(at(0)?)? << 7 | 3 << 5 | short(at(1)?)? << 2, 1),
        "j" => quadrant(5, jump(at(0)?)?, 1),
        "beqz" => quadrant(6, branch(at(0)?, at(1)?)?, 1),
        "bnez" => quadrant(7, branch(at(0)?, at(1)?)?, 1),
        "slli" => quadrant(0, any(at(0)?)? << 7 | unsigned(at(1)?, 32, 1)? << 2, 2),
        "lwsp" => quadrant(2, not_zero(0).and(load_from_stack(at(0)?, at(1)?, at(2)?))?, 2),
        "flwsp" => quadrant(3, load_from_stack(at(0)?, at(1)?, at(2)?)?, 2),
        "jr" => quadrant(4, not_zero(0)? << 7, 2),
        "mv" => quadrant(4, any(at(0)?)? << 7 | not_zero(1)? << 2, 2),
        "ebreak" => operands.is_empty().then_some(0x9002),
        "jalr" => quadrant(4, 1 << 12 | not_zero(0)? << 7, 2),
        "add" => quadrant(4, 1 << 12 | any(at(0)?)? << 7 | not_zero(1)? << 2, 2),
        "swsp" => quadrant(6, store_to_stack(at(0)?, at(1)?, at(2)?)?, 2),
        "fswsp" => quadrant(7, store_to_stack(at(0)?, at(1)?, at(2)?)?, 2),
        _ => None,
    }
}
