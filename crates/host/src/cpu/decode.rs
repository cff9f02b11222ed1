//! Decoding of RV32IMAF with Zicsr and Zifencei (RISC-V unprivileged specification, chapter "RV32/64G
//! Instruction Set Listings", and the privileged one for `mret` and `wfi`).

use super::instruction::{Instruction, NOWHERE, Op};

/// What a 32-bit instruction at an address does. Jumps and branches get the address of their target.
pub(crate) fn decode(word: u32, address: u32) -> Instruction {
    fields(word, address).unwrap_or(illegal(word))
}

/// An instruction that traps; `bits` go to `mtval`.
pub(crate) fn illegal(bits: u32) -> Instruction {
    Instruction { immediate: bits, ..Instruction::plain(Op::Illegal) }
}

fn fields(word: u32, address: u32) -> Option<Instruction> {
    let register = |at: u32| (word >> at & 31) as u8;
    let funct3 = word >> 12 & 7;
    let funct7 = word >> 25;
    let upper = word & 0xffff_f000;
    let i_immediate = (word as i32 >> 20) as u32;
    let s_immediate = i_immediate & !31 | word >> 7 & 31;
    let rd = register(7);
    let integer = |op| Instruction {
        op,
        base: op,
        to: if rd == 0 { NOWHERE } else { rd },
        first: register(15),
        second: register(20),
        third: register(27),
        mode: funct3 as u8,
        immediate: i_immediate,
        ..Instruction::UNDECODED
    };
    let constant = |value| Instruction { immediate: value, ..integer(Op::Constant) };
    Some(match word & 0x7f {
        0x37 => constant(upper),
        0x17 => constant(address.wrapping_add(upper)),
        0x6f => {
            Instruction { immediate: address.wrapping_add(jump_offset(word)), ..integer(Op::Jal) }
        }
        0x67 if funct3 == 0 => integer(Op::Jalr),
        0x63 => {
            let op =
                [Op::Beq, Op::Bne, Op::Illegal, Op::Illegal, Op::Blt, Op::Bge, Op::Bltu, Op::Bgeu];
            let target = address.wrapping_add(branch_offset(word));
            Instruction { immediate: target, ..integer(legal(op[funct3 as usize])?) }
        }
        0x03 => {
            let op =
                [Op::Lb, Op::Lh, Op::Lw, Op::Illegal, Op::Lbu, Op::Lhu, Op::Illegal, Op::Illegal];
            integer(legal(op[funct3 as usize])?)
        }
        0x23 => {
            let op = *[Op::Sb, Op::Sh, Op::Sw].get(funct3 as usize)?;
            Instruction { immediate: s_immediate, ..integer(op) }
        }
        0x13 => match (funct3, funct7) {
            (1, 0) => Instruction { immediate: i_immediate & 31, ..integer(Op::Slli) },
            (5, 0) => Instruction { immediate: i_immediate & 31, ..integer(Op::Srli) },
            (5, 0x20) => Instruction { immediate: i_immediate & 31, ..integer(Op::Srai) },
            (1 | 5, _) => return None,
            (0, _) => integer(Op::Addi),
            (2, _) => integer(Op::Slti),
            (3, _) => integer(Op::Sltiu),
            (4, _) => integer(Op::Xori),
            (6, _) => integer(Op::Ori),
            _ => integer(Op::Andi),
        },
        0x33 => integer(register_operation(funct3, funct7)?),
        // The immediate of fence.i, and all fields of fences that are not defined, shall be ignored.
        0x0f if funct3 <= 1 => integer(Op::Fence),
        0x73 => system(word, funct3, integer)?,
        0x2f if funct3 == 2 => {
            let mode = (word >> 27) as u8;
            let op = match mode {
                0b00010 if register(20) == 0 => Op::LoadReserved,
                0b00011 => Op::StoreConditional,
                0b00000 | 0b00001 | 0b00100 | 0b01000 | 0b01100 | 0b10000 | 0b10100 | 0b11000
                | 0b11100 => Op::Atomic,
                _ => return None,
            };
            Instruction { mode, ..integer(op) }
        }
        0x07 if funct3 == 2 => Instruction { to: rd, ..integer(Op::Flw) },
        0x27 if funct3 == 2 => Instruction { immediate: s_immediate, ..integer(Op::Fsw) },
        // Fused operations: the format in bits 26:25 must be single precision.
        opcode @ (0x43 | 0x47 | 0x4b | 0x4f) if funct7 & 3 == 0 && is_rounding(funct3) => {
            let op = match opcode {
                0x43 => Op::Fmadd,
                0x47 => Op::Fmsub,
                0x4b => Op::Fnmsub,
                _ => Op::Fnmadd,
            };
            Instruction { to: rd, ..integer(op) }
        }
        0x53 => {
            let op = float_operation(funct7, funct3, register(20))?;
            let decoded = integer(op);
            if op.gives_integer() { decoded } else { Instruction { to: rd, ..decoded } }
        }
        _ => return None,
    })
}

fn legal(op: Op) -> Option<Op> {
    (op != Op::Illegal).then_some(op)
}

fn jump_offset(word: u32) -> u32 {
    let sign = (word as i32 >> 31) as u32;
    sign << 20 | word & 0xf_f000 | (word >> 20 & 1) << 11 | (word >> 21 & 0x3ff) << 1
}

fn branch_offset(word: u32) -> u32 {
    let sign = (word as i32 >> 31) as u32;
    sign << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 0x3f) << 5 | (word >> 8 & 15) << 1
}

fn register_operation(funct3: u32, funct7: u32) -> Option<Op> {
    let (base, multiply) = [
        (Op::Add, Op::Mul),
        (Op::Sll, Op::Mulh),
        (Op::Slt, Op::Mulhsu),
        (Op::Sltu, Op::Mulhu),
        (Op::Xor, Op::Div),
        (Op::Srl, Op::Divu),
        (Op::Or, Op::Rem),
        (Op::And, Op::Remu),
    ][funct3 as usize];
    match (funct7, funct3) {
        (0, _) => Some(base),
        (1, _) => Some(multiply),
        (0x20, 0) => Some(Op::Sub),
        (0x20, 5) => Some(Op::Sra),
        _ => None,
    }
}

fn system(word: u32, funct3: u32, integer: impl Fn(Op) -> Instruction) -> Option<Instruction> {
    match (funct3, word) {
        (0, 0x0000_0073) => Some(integer(Op::Ecall)),
        (0, 0x0010_0073) => Some(integer(Op::Ebreak)),
        (0, 0x3020_0073) => Some(integer(Op::Mret)),
        (0, 0x1050_0073) => Some(integer(Op::Wfi)),
        (0 | 4, _) => None,
        _ => Some(Instruction { immediate: word >> 20, ..integer(Op::Csr) }),
    }
}

/// Whether `rm` is a rounding mode or says that `frm` has it; 5 and 6 are reserved.
fn is_rounding(rm: u32) -> bool {
    rm <= 4 || rm == 7
}

fn float_operation(funct7: u32, funct3: u32, second: u8) -> Option<Op> {
    let rounded = |op| is_rounding(funct3).then_some(op);
    match (funct7, funct3, second) {
        (0x00, ..) => rounded(Op::Fadd),
        (0x04, ..) => rounded(Op::Fsub),
        (0x08, ..) => rounded(Op::Fmul),
        (0x0c, ..) => rounded(Op::Fdiv),
        (0x2c, _, 0) => rounded(Op::Fsqrt),
        (0x10, 0, _) => Some(Op::Fsgnj),
        (0x10, 1, _) => Some(Op::Fsgnjn),
        (0x10, 2, _) => Some(Op::Fsgnjx),
        (0x14, 0, _) => Some(Op::Fmin),
        (0x14, 1, _) => Some(Op::Fmax),
        (0x50, 0, _) => Some(Op::Fle),
        (0x50, 1, _) => Some(Op::Flt),
        (0x50, 2, _) => Some(Op::Feq),
        (0x60, _, 0) => rounded(Op::FcvtWS),
        (0x60, _, 1) => rounded(Op::FcvtWuS),
        (0x68, _, 0) => rounded(Op::FcvtSW),
        (0x68, _, 1) => rounded(Op::FcvtSWu),
        (0x70, 0, 0) => Some(Op::FmvXW),
        (0x70, 1, 0) => Some(Op::Fclass),
        (0x78, 0, 0) => Some(Op::FmvWX),
        _ => None,
    }
}
