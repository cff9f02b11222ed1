//! Instructions of a program's code, one after the other: how long each is (Intel 64 manual, volume 2, chapter 2 and the
//! opcode maps of appendix A). Bytes that look like an instruction but are part of another are none.

/// What follows an opcode.
#[derive(Clone, Copy)]
struct Operands {
    /// A byte that says where the operands are, with what that takes.
    modrm: bool,
    /// Bytes of a constant behind it.
    constant: usize,
}

/// An opcode of the second map, `0F xx`: its number, the byte behind it, and whether the prefix F3 stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoByte {
    /// What follows 0F.
    pub opcode: u8,
    /// The byte behind; 0 at the end of the code.
    pub next: u8,
    /// Some instructions are others with it.
    pub repeated: bool,
}

/// All instructions of the second map in some code, from its beginning on. What is no instruction is passed byte by byte.
pub fn two_byte_instructions(code: &[u8]) -> impl Iterator<Item = TwoByte> + '_ {
    let mut rest = code;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let (length, found) = decode(rest);
            rest = rest.get(length..).unwrap_or_default();
            if found.is_some() {
                return found;
            }
        }
        None
    })
}

/// The length of the first instruction, and what it is if it is one of the second map.
fn decode(code: &[u8]) -> (usize, Option<TwoByte>) {
    let at = |place: usize| code.get(place).copied().unwrap_or(0);
    let (mut place, mut short, mut repeated) = (0, false, false);
    while let prefix
    @ (0x66 | 0x67 | 0xF0 | 0xF2 | 0xF3 | 0x2E | 0x36 | 0x3E | 0x26 | 0x64 | 0x65) = at(place)
    {
        short |= prefix == 0x66;
        repeated |= prefix == 0xF3;
        place += 1;
        // No instruction is longer.
        if place > 14 {
            return (1, None);
        }
    }
    let rex = at(place);
    let is_rex = rex & 0xF0 == 0x40;
    place += usize::from(is_rex);
    let wide = is_rex && rex & 8 != 0;
    let opcode = at(place);
    let mut found = None;
    let operands = match opcode {
        0x0F => {
            place += 1;
            let second = at(place);
            if place < code.len() {
                found = Some(TwoByte { opcode: second, next: at(place + 1), repeated });
            }
            match second {
                0x38 => {
                    place += 1;
                    Operands { modrm: true, constant: 0 }
                }
                0x3A => {
                    place += 1;
                    Operands { modrm: true, constant: 1 }
                }
                _ => second_map(second),
            }
        }
        // VEX and EVEX: the map stands in the prefix, which takes 2, 3 or 4 bytes.
        0xC5 => {
            place += 2;
            second_map(at(place))
        }
        0xC4 => {
            let map = at(place + 1) & 0x1F;
            place += 3;
            vector_map(map, at(place))
        }
        0x62 => {
            let map = at(place + 1) & 7;
            place += 4;
            vector_map(map, at(place))
        }
        _ => first_map(opcode, at(place + 1), if short { 2 } else { 4 }, wide),
    };
    place += 1;
    if operands.modrm {
        place += address(at(place), at(place + 1));
    }
    (place + operands.constant, found)
}

fn vector_map(map: u8, opcode: u8) -> Operands {
    match map {
        1 => second_map(opcode),
        3 => Operands { modrm: true, constant: 1 },
        _ => Operands { modrm: true, constant: 0 },
    }
}

/// `full` is the length of a whole constant, which a prefix makes shorter.
fn first_map(opcode: u8, modrm: u8, full: usize, wide: bool) -> Operands {
    let (modrm, constant) = match opcode {
        0x00..=0x3F => match opcode & 7 {
            0..=3 => (true, 0),
            4 => (false, 1),
            5 => (false, full),
            _ => (false, 0),
        },
        0x63 | 0x84..=0x8F | 0xD0..=0xD3 | 0xD8..=0xDF | 0xFE | 0xFF => (true, 0),
        0x68 | 0xA9 => (false, full),
        0x69 | 0x81 | 0xC7 => (true, full),
        0x6B | 0x80 | 0x83 | 0xC0 | 0xC1 | 0xC6 => (true, 1),
        0x6A | 0x70..=0x7F | 0xA8 | 0xB0..=0xB7 | 0xCD | 0xE0..=0xE7 | 0xEB => (false, 1),
        0xA0..=0xA3 => (false, 8),
        0xB8..=0xBF => (false, if wide { 8 } else { full }),
        0xC2 | 0xCA => (false, 2),
        0xC8 => (false, 3),
        0xE8 | 0xE9 => (false, 4),
        // TEST has a constant, the others of the group have none.
        0xF6 => (true, if modrm & 0x38 < 0x10 { 1 } else { 0 }),
        0xF7 => (true, if modrm & 0x38 < 0x10 { full } else { 0 }),
        _ => (false, 0),
    };
    Operands { modrm, constant }
}

fn second_map(opcode: u8) -> Operands {
    let (modrm, constant) = match opcode {
        0x04..=0x0C | 0x0E | 0x30..=0x37 | 0x77 | 0xA0..=0xA2 | 0xA8..=0xAA | 0xC8..=0xCF => {
            (false, 0)
        }
        0x80..=0x8F => (false, 4),
        0x0F | 0x70..=0x73 | 0xA4 | 0xAC | 0xBA | 0xC2 | 0xC4..=0xC6 => (true, 1),
        _ => (true, 0),
    };
    Operands { modrm, constant }
}

/// How long an address is, from its first byte on (tables 2-2 and 2-3).
fn address(modrm: u8, sib: u8) -> usize {
    let (mode, base) = (modrm >> 6, modrm & 7);
    if mode == 3 {
        return 1;
    }
    let has_sib = base == 4;
    let displacement = match mode {
        0 if base == 5 || (has_sib && sib & 7 == 5) => 4,
        0 => 0,
        1 => 1,
        _ => 4,
    };
    1 + usize::from(has_sib) + displacement
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_manual() {
        for (bytes, length) in [
            (&[0x90][..], 1),
            (&[0x48, 0x89, 0xE5], 3),
            (&[0xB8, 0x00, 0x0F, 0xA2, 0x00], 5),
            (&[0x48, 0xB8, 1, 2, 3, 4, 5, 6, 7, 8], 10),
            (&[0x66, 0xC7, 0x44, 0x24, 0x08, 0x34, 0x12], 7),
            (&[0x48, 0x8B, 0x05, 0, 0x0F, 0xA2, 0], 7),
            (&[0x8B, 0x04, 0x25, 1, 2, 3, 4], 7),
            (&[0xF7, 0xC1, 1, 0, 0, 0], 6),
            (&[0xF7, 0xD8], 2),
            (&[0x0F, 0x84, 0x0F, 0xA2, 0, 0], 6),
            (&[0x66, 0x0F, 0x3A, 0x0F, 0xC1, 8], 6),
            (&[0xC5, 0xF8, 0x77], 3),
            (&[0xC4, 0xE3, 0x7D, 0x19, 0xC1, 1], 6),
            (&[0x62, 0xF1, 0x7C, 0x48, 0x10, 0x44, 0x24, 1], 8),
        ] {
            assert_eq!(decode(bytes).0, length, "{bytes:x?}");
        }
    }
}
