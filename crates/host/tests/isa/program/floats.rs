//! Float instructions of random programs: all rounding modes, values that meet again, flags.

use super::{Dialect, FREE, INITIAL, MIDDLE, Writer};

impl Writer {
    /// A register that float instructions write.
    fn target_of_float(&mut self) -> u32 {
        match self.dialect {
            Dialect::User => self.random.one(&FREE[1..]),
            Dialect::Machine => self.target(),
        }
    }

    fn rounding(&mut self) -> &'static str {
        self.random.name("rne rtz rdn rup rmm dyn dyn")
    }

    /// Three float registers, of eight, so that results meet again.
    fn floats(&mut self) -> (u32, u32, u32) {
        let spread = if self.random.once_in(3) { 32 } else { 8 };
        (self.random.below(spread), self.random.below(spread), self.random.below(spread))
    }

    pub(super) fn float(&mut self) {
        let (rounding, (rd, rs1, rs2)) = (self.rounding(), self.floats());
        let integer = self.target_of_float();
        let line = match self.random.below(10) {
            0..=3 => {
                let name = self.random.name("fadd.s fsub.s fmul.s fdiv.s");
                format!("{name} f{rd}, f{rs1}, f{rs2}, {rounding}")
            }
            4 => format!("fsqrt.s f{rd}, f{rs1}, {rounding}"),
            5..=6 => {
                let name = self.random.name("fsgnj.s fsgnjn.s fsgnjx.s fmin.s fmax.s");
                format!("{name} f{rd}, f{rs1}, f{rs2}")
            }
            7 => format!("{} x{integer}, f{rs1}, f{rs2}", self.random.name("feq.s flt.s fle.s")),
            8 => {
                format!("{} x{integer}, f{rs1}, {rounding}", self.random.name("fcvt.w.s fcvt.wu.s"))
            }
            _ => {
                let (name, source) = (self.random.name("fcvt.s.w fcvt.s.wu"), self.source());
                format!("{name} f{rd}, x{source}, {rounding}")
            }
        };
        self.add(line);
    }

    pub(super) fn fused(&mut self) {
        let (rounding, (rd, rs1, rs2)) = (self.rounding(), self.floats());
        let (name, rs3) =
            (self.random.name("fmadd.s fmsub.s fnmsub.s fnmadd.s"), self.random.below(8));
        self.add(format!("{name} f{rd}, f{rs1}, f{rs2}, f{rs3}, {rounding}"));
    }

    /// Floats get new values this way, too: programs would end with nothing but NaN.
    pub(super) fn move_float(&mut self) {
        let (integer, float, source) =
            (self.target_of_float(), self.random.below(32), self.source());
        let line = match self.random.below(4) {
            0 => format!("fmv.x.w x{integer}, f{float}"),
            1 => format!("fclass.s x{integer}, f{float}"),
            2 => format!("fmv.w.x f{float}, x{source}"),
            _ => format!(
                "flw f{}, {}(x31)",
                float % 8,
                INITIAL - MIDDLE + 4 * (30 + self.random.below(32))
            ),
        };
        self.add(line);
    }

    pub(super) fn float_csr(&mut self) {
        let (rd, rs1, immediate) = (self.target(), self.source(), self.random.below(32));
        let line = match self.random.below(6) {
            0 => format!("csrrwi x{rd}, frm, {}", self.random.below(5)),
            1 => format!("{} x{rd}, fflags, x{rs1}", self.random.name("csrrw csrrs csrrc")),
            2 => format!("{} x{rd}, fflags, {immediate}", self.random.name("csrrwi csrrsi csrrci")),
            3 => format!("csrrwi x{rd}, fcsr, {immediate}"),
            4 => format!("csrrs x{rd}, {}, x0", self.random.name("fcsr frm fflags")),
            _ => format!("csrrci x{rd}, fcsr, {immediate}"),
        };
        self.add(line);
    }
}
