//! What an instruction becomes when it is decoded.

/// What a decoded instruction does. Compressed instructions have become the full ones they stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    /// Nothing was decoded here yet.
    Undecoded,
    /// An end of flash or RAM, or an instruction that only begins in it: a fetch there fails.
    Outside,
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
}

/// An instruction, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub immediate: u32,
    pub op: Op,
    /// Where an integer result goes: 1 … 31, or [`NOWHERE`]; or the number of a floating-point register.
    pub to: u8,
    pub first: u8,
    pub second: u8,
    pub third: u8,
    /// Rounding mode, or what else selects among variants.
    pub mode: u8,
    /// Cycles, without what depends on the run.
    pub cycles: u8,
    /// Halfwords; with [`ENTERS_LINE`] set its last halfword may be the first one read of a line of flash.
    pub length: u8,
}

/// The register that takes what is written to `x0`.
pub(crate) const NOWHERE: u8 = 32;

/// A bit of [`Instruction::length`].
pub(crate) const ENTERS_LINE: u8 = 0x80;

impl Instruction {
    pub(crate) const UNDECODED: Instruction = Instruction::plain(Op::Undecoded);
    pub(crate) const OUTSIDE: Instruction = Instruction::plain(Op::Outside);

    pub(crate) const fn plain(op: Op) -> Instruction {
        Instruction {
            immediate: 0,
            op,
            to: NOWHERE,
            first: 0,
            second: 0,
            third: 0,
            mode: 0,
            cycles: 0,
            length: 2,
        }
    }
}
