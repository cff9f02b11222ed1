//! What an instruction becomes when it is decoded.

/// What a decoded instruction does. Compressed instructions have become the full ones they stand for, but
/// those that are executed often have an operation of their own: where the next instruction is then follows
/// from the operation, which the machine predicts, and not from a length, which it would have to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    /// Nothing was decoded here yet.
    Undecoded,
    /// An end of flash or RAM, or an instruction that only begins in it: a fetch there fails.
    Outside,
    /// What it is, is said by `base`, and done in the general way.
    Rare,
    /// A debugger wants to stop here.
    Breakpoint,
    /// `immediate` is the instruction as it stands in memory.
    Illegal,
    /// `lui` and `auipc`: `immediate` is the result.
    Constant,
    /// `immediate` is the index of the target.
    Jal,
    /// `immediate` is the address of a target that is not in the same memory.
    JalFar,
    Jalr,
    Beq,
    Bne,
    Blt,
    Bge,
    Bltu,
    Bgeu,
    /// A branch (`mode` says which) whose target, the address `immediate`, is not in the same memory.
    BranchFar,
    Lb,
    Lh,
    Lw,
    Lbu,
    Lhu,
    Sb,
    Sh,
    Sw,
    Addi,
    Slti,
    Sltiu,
    Xori,
    Ori,
    Andi,
    Slli,
    Srli,
    Srai,
    Add,
    Sub,
    Sll,
    Slt,
    Sltu,
    Xor,
    Srl,
    Sra,
    Or,
    And,
    Mul,
    Mulh,
    Mulhsu,
    Mulhu,
    Div,
    Divu,
    Rem,
    Remu,
    Fence,
    Ecall,
    Ebreak,
    Mret,
    Wfi,
    /// `mode` is funct3, `immediate` the number of the register, `first` the source or the number written.
    Csr,
    LoadReserved,
    StoreConditional,
    /// `mode` is funct5.
    Atomic,
    Flw,
    Fsw,
    Fmadd,
    Fmsub,
    Fnmsub,
    Fnmadd,
    Fadd,
    Fsub,
    Fmul,
    Fdiv,
    Fsqrt,
    Fsgnj,
    Fsgnjn,
    Fsgnjx,
    Fmin,
    Fmax,
    FcvtWS,
    FcvtWuS,
    FmvXW,
    Feq,
    Flt,
    Fle,
    Fclass,
    FcvtSW,
    FcvtSWu,
    FmvWX,
    ShortConstant,
    ShortJal,
    ShortJalr,
    ShortBeq,
    ShortBne,
    ShortLw,
    ShortSw,
    ShortAddi,
    ShortAndi,
    ShortSlli,
    ShortSrli,
    ShortSrai,
    ShortAdd,
    ShortSub,
    ShortXor,
    ShortOr,
    ShortAnd,
    ShortFlw,
    ShortFsw,
}

impl Op {
    /// Whether a floating-point instruction gives an integer.
    pub(crate) fn gives_integer(self) -> bool {
        use Op::*;
        matches!(self, FcvtWS | FcvtWuS | FmvXW | Feq | Flt | Fle | Fclass)
    }

    /// Whether it rounds to the nearest, or as `frm` says, in the loop over instructions; a conversion to
    /// an integer towards zero, as the language C does.
    pub(crate) fn is_rounded_often(self, mode: u8) -> bool {
        use Op::*;
        match self {
            Fadd | Fsub | Fmul | Fdiv | Fsqrt | Fmadd | Fmsub | Fnmsub | Fnmadd | FcvtSW => {
                matches!(mode, 0 | 7)
            }
            FcvtWS => mode == 1,
            _ => true,
        }
    }

    /// The operation for the same instruction of 16 bits, if it has one.
    pub(crate) fn short(self) -> Option<Op> {
        Some(match self {
            Op::Constant => Op::ShortConstant,
            Op::Jal => Op::ShortJal,
            Op::Jalr => Op::ShortJalr,
            Op::Beq => Op::ShortBeq,
            Op::Bne => Op::ShortBne,
            Op::Lw => Op::ShortLw,
            Op::Sw => Op::ShortSw,
            Op::Addi => Op::ShortAddi,
            Op::Andi => Op::ShortAndi,
            Op::Slli => Op::ShortSlli,
            Op::Srli => Op::ShortSrli,
            Op::Srai => Op::ShortSrai,
            Op::Add => Op::ShortAdd,
            Op::Sub => Op::ShortSub,
            Op::Xor => Op::ShortXor,
            Op::Or => Op::ShortOr,
            Op::And => Op::ShortAnd,
            Op::Flw => Op::ShortFlw,
            Op::Fsw => Op::ShortFsw,
            _ => return None,
        })
    }
}

/// An instruction, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub immediate: u32,
    /// What the loop over instructions does.
    pub op: Op,
    /// What the instruction is, whatever its length and rounding.
    pub base: Op,
    /// Where an integer result goes: 1 … 31, or [`NOWHERE`]; or the number of a floating-point register.
    pub to: u8,
    pub first: u8,
    pub second: u8,
    pub third: u8,
    /// Rounding mode, or what else selects among variants.
    pub mode: u8,
    /// Cycles, without what depends on the run.
    pub cycles: u8,
    /// Halfwords.
    pub length: u8,
    /// Whether its last halfword may be the first one that is read of a line of flash.
    pub enters_line: bool,
}

/// The register that takes what is written to `x0`.
pub(crate) const NOWHERE: u8 = 32;

impl Instruction {
    pub(crate) const UNDECODED: Instruction = Instruction::plain(Op::Undecoded);
    pub(crate) const OUTSIDE: Instruction = Instruction::plain(Op::Outside);

    pub(crate) const fn plain(op: Op) -> Instruction {
        Instruction {
            immediate: 0,
            op,
            base: op,
            to: NOWHERE,
            first: 0,
            second: 0,
            third: 0,
            mode: 0,
            cycles: 0,
            length: 2,
            enters_line: false,
        }
    }
}
