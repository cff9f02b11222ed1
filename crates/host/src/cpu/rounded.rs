//! Floating-point instructions in any rounding mode.

use super::Processor;
use super::float::{self, Rounding, exact, with_sign};
use super::instruction::{Instruction, Op};

const SIGN: u32 = 0x8000_0000;

impl Processor {
    /// Computes what an instruction says; none if its rounding mode is reserved.
    pub(super) fn compute_float(&mut self, instruction: Instruction) -> Option<()> {
        let Instruction { first, second, third, .. } = instruction;
        let [a, b, c] = [first, second, third].map(|number| self.f[usize::from(number)]);
        let integer = self.x[usize::from(first)];
        let mut flags = 0;
        let raised = &mut flags;
        let rounding = || {
            let mode = match instruction.mode {
                7 => self.control.frm,
                mode => u32::from(mode),
            };
            Rounding::of(mode)
        };
        let (least, greatest) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let most = i64::from(u32::MAX);
        let value = match instruction.base {
            Op::Fmadd => exact::fused(a, b, c, rounding()?, raised),
            Op::Fmsub => exact::fused(a, b, c ^ SIGN, rounding()?, raised),
            Op::Fnmsub => exact::fused(a ^ SIGN, b, c, rounding()?, raised),
            Op::Fnmadd => exact::fused(a ^ SIGN, b, c ^ SIGN, rounding()?, raised),
            Op::Fadd => exact::add(a, b, rounding()?, raised),
            Op::Fsub => exact::add(a, b ^ SIGN, rounding()?, raised),
            Op::Fmul => exact::multiply(a, b, rounding()?, raised),
            Op::Fdiv => exact::divide(a, b, rounding()?, raised),
            Op::Fsqrt => exact::square_root(a, rounding()?, raised),
            Op::Fsgnj => with_sign(a, b),
            Op::Fsgnjn => with_sign(a, !b),
            Op::Fsgnjx => with_sign(a, a ^ b),
            Op::Fmin => float::minimum(a, b, raised),
            Op::Fmax => float::maximum(a, b, raised),
            Op::FcvtWS => exact::to_integer(a, least, greatest, rounding()?, raised) as u32,
            Op::FcvtWuS => exact::to_integer(a, 0, most, rounding()?, raised) as u32,
            Op::FmvXW => a,
            Op::Feq => float::equal(a, b, raised).into(),
            Op::Flt => float::less(a, b, raised).into(),
            Op::Fle => float::less_or_equal(a, b, raised).into(),
            Op::Fclass => float::class(a),
            Op::FcvtSW => exact::from_integer(i64::from(integer as i32), rounding()?, raised),
            Op::FcvtSWu => exact::from_integer(i64::from(integer), rounding()?, raised),
            Op::FmvWX => integer,
            // No other instruction comes here.
            _ => return None,
        };
        if flags != 0 {
            self.control.raise_flags(flags);
        }
        let to = usize::from(instruction.to);
        if instruction.base.gives_integer() {
            self.x[to] = value;
        } else {
            self.f[to] = value;
            self.control.touch_float();
        }
        Some(())
    }
}
