//! Random programs that end: every instruction, registers and immediates at random, loads and stores in a window of
//! memory, loops that are bounded.
//!
//! x2, x15 and x31 point into the window, x30 counts loops; all other registers take part. A program loads its registers,
//! computes, stores all registers behind the window, and goes on to the next program.

mod floats;

use crate::assembler::load_immediate;
use crate::random::Random;

/// Bytes of data that a program owns: the window, its registers after, its registers before.
pub const DATA_BYTES: u32 = 1024;
/// Where in the data registers are stored in the end: x1 to x30, f0 to f31, fcsr.
pub const RESULTS: u32 = 512;
/// Where in the data registers are loaded from: x1 to x30 (those that point are set after), f0 to f31.
const INITIAL: u32 = 768;
/// x31 points here, x15 and x2 to [`SHORT`] and the start: so short offsets and long ones stay in the window.
const MIDDLE: u32 = 256;
const SHORT: u32 = 128;

/// What a program may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// What user-level simulators know, without what `rvsim` gets wrong: atomics that write x0 or the register they take their
    /// operand from, float instructions that write x0, `sc.w` after one that failed.
    User,
    /// All of machine mode: also instructions that trap.
    Machine,
}

/// Registers that programs compute with.
const FREE: [u32; 28] = [
    0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
    28, 29,
];
/// Those that compressed instructions reach.
const FREE_SHORT: [u32; 7] = [8, 9, 10, 11, 12, 13, 14];

struct Writer {
    random: Random,
    dialect: Dialect,
    lines: Vec<String>,
    labels: u32,
}

/// The lines of a program with its data at `data`, which jumps to `next` in the end.
pub fn write(seed: u64, dialect: Dialect, data: u32, next: u32) -> Vec<String> {
    let mut writer = Writer { random: Random::new(seed), dialect, lines: Vec::new(), labels: 0 };
    writer.begin(data);
    let items = 60 + writer.random.below(80);
    for _ in 0..items {
        writer.item();
    }
    writer.end(next);
    writer.lines
}

/// The data of a program before it runs.
pub fn data(seed: u64) -> Vec<u8> {
    let mut random = Random::new(!seed);
    let mut words: Vec<u32> = (0..RESULTS / 4).map(|_| random.word()).collect();
    words.resize((INITIAL / 4) as usize, 0);
    words.extend((0..30).map(|_| random.word()));
    words.extend((0..32).map(|_| random.float()));
    words.resize((DATA_BYTES / 4) as usize, 0);
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

impl Writer {
    fn add(&mut self, line: String) {
        self.lines.push(line);
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    fn begin(&mut self, data: u32) {
        self.lines.extend(load_immediate(31, data + MIDDLE));
        for n in 0..32 {
            self.add(format!("flw f{n}, {}(x31)", INITIAL - MIDDLE + 4 * (30 + n)));
        }
        for n in 1..31 {
            self.add(format!("lw x{n}, {}(x31)", INITIAL - MIDDLE + 4 * (n - 1)));
        }
        self.add(format!("addi x2, x31, -{MIDDLE}"));
        self.add(format!("addi x15, x31, -{}", MIDDLE - SHORT));
        self.add("csrrwi x0, fcsr, 0".to_owned());
    }

    fn end(&mut self, next: u32) {
        for n in 1..31 {
            self.add(format!("sw x{n}, {}(x31)", RESULTS - MIDDLE + 4 * (n - 1)));
        }
        for n in 0..32 {
            self.add(format!("fsw f{n}, {}(x31)", RESULTS - MIDDLE + 4 * (30 + n)));
        }
        self.add("csrrs x1, fcsr, x0".to_owned());
        self.add(format!("sw x1, {}(x31)", RESULTS - MIDDLE + 4 * 62));
        self.lines.extend(load_immediate(5, next));
        self.add("jalr x0, 0(x5)".to_owned());
    }

    /// A register to write; x0 now and then.
    fn target(&mut self) -> u32 {
        self.random.one(&FREE)
    }

    fn source(&mut self) -> u32 {
        if self.random.once_in(12) {
            self.random.one(&[0, 2, 15, 31])
        } else {
            self.random.one(&FREE)
        }
    }

    fn short(&mut self) -> u32 {
        self.random.one(&FREE_SHORT)
    }

    fn item(&mut self) {
        match self.random.below(24) {
            0..=4 => self.integer(),
            5 => self.upper(),
            6..=8 => self.memory(),
            9..=10 => self.compressed(),
            11 => self.compressed_memory(),
            12..=16 => self.float(),
            17 => self.fused(),
            18 => self.move_float(),
            19 => self.float_csr(),
            20 => self.atomic(),
            21 => self.branch(),
            22 => self.jump(),
            _ if self.random.once_in(2) => self.loop_of_a_few(),
            _ if self.dialect == Dialect::Machine => self.machine(),
            _ => self.integer(),
        }
    }

    fn integer(&mut self) {
        const REGISTERS: &str = "add sub sll slt sltu xor srl sra or and mul mulh mulhsu mulhu div divu rem \
            remu";
        const IMMEDIATE: &str = "addi slti sltiu xori ori andi";
        let (rd, rs1, rs2) = (self.target(), self.source(), self.source());
        match self.random.below(4) {
            0 => {
                let immediate = match self.random.below(3) {
                    0 => self.random.one(&[-2048, 2047, -1, 0, 1]),
                    _ => self.random.between(-2048, 2047),
                };
                let name = self.random.name(IMMEDIATE);
                self.add(format!("{name} x{rd}, x{rs1}, {immediate}"));
            }
            1 => {
                let (name, amount) = (self.random.name("slli srli srai"), self.random.below(32));
                self.add(format!("{name} x{rd}, x{rs1}, {amount}"));
            }
            _ => {
                let name = self.random.name(REGISTERS);
                self.add(format!("{name} x{rd}, x{rs1}, x{rs2}"));
            }
        }
    }

    fn upper(&mut self) {
        let (rd, name) = (self.target(), self.random.name("lui auipc"));
        let immediate = self.random.below(1 << 20);
        self.add(format!("{name} x{rd}, {immediate:#x}"));
    }

    /// Loads and stores anywhere in the window, at any alignment.
    fn memory(&mut self) {
        let offset = self.random.between(-(MIDDLE as i32), MIDDLE as i32 - 4);
        match self.random.below(10) {
            0..=3 => {
                let (name, rd) = (self.random.name("lb lh lw lbu lhu"), self.target());
                self.add(format!("{name} x{rd}, {offset}(x31)"));
            }
            4..=6 => {
                let (name, rs2) = (self.random.name("sb sh sw"), self.source());
                self.add(format!("{name} x{rs2}, {offset}(x31)"));
            }
            7..=8 => {
                let (name, register) = (self.random.name("flw fsw"), self.random.below(32));
                self.add(format!("{name} f{register}, {offset}(x31)"));
            }
            _ => {
                let name = self.random.one(&["fence rw, rw", "fence iorw, iorw", "fence.i"]);
                self.add(name.to_owned());
            }
        }
    }

    fn compressed(&mut self) {
        let (any, immediate) = (self.random.one(&FREE[1..]), self.random.between(-32, 31));
        let (short, other) = (self.short(), self.short());
        let amount = self.random.between(1, 31);
        let line = match self.random.below(14) {
            0 => format!("c.addi x{any}, {immediate}"),
            1 => format!("c.li x{any}, {immediate}"),
            2 => format!(
                "c.lui x{any}, {:#x}",
                if immediate == 0 { 1 } else { immediate & 0xf_ffff }
            ),
            3 => format!("c.srli x{short}, {amount}"),
            4 => format!("c.srai x{short}, {amount}"),
            5 => format!("c.andi x{short}, {immediate}"),
            6..=7 => {
                format!("c.{} x{short}, x{other}", self.random.name("sub xor or and"))
            }
            8 => format!("c.slli x{any}, {amount}"),
            9 => format!("c.mv x{any}, x{}", self.random.one(&FREE[1..])),
            10..=11 => format!("c.add x{any}, x{}", self.random.one(&FREE[1..])),
            12 => format!("c.addi4spn x{short}, x2, {}", 4 * self.random.between(1, 255)),
            _ => "c.nop".to_owned(),
        };
        self.add(line);
        if self.random.once_in(10) {
            // The stack pointer goes and comes back.
            let step = 16 * self.random.between(1, 31);
            self.add(format!("c.addi16sp x2, {step}"));
            self.add(format!("c.addi16sp x2, -{step}"));
        }
    }

    fn compressed_memory(&mut self) {
        let (short, any, float) =
            (self.short(), self.random.one(&FREE[1..]), self.random.below(32));
        let short_float = 8 + self.random.below(8);
        let (near, far) = (4 * self.random.below(32), 4 * self.random.below(64));
        let line = match self.random.below(8) {
            0 => format!("c.lw x{short}, {near}(x15)"),
            1 => format!("c.sw x{short}, {near}(x15)"),
            2 => format!("c.flw f{short_float}, {near}(x15)"),
            3 => format!("c.fsw f{short_float}, {near}(x15)"),
            4 => format!("c.lwsp x{any}, {far}(x2)"),
            5 => format!("c.swsp x{any}, {far}(x2)"),
            6 => format!("c.flwsp f{float}, {far}(x2)"),
            _ => format!("c.fswsp f{float}, {far}(x2)"),
        };
        self.add(line);
    }

    fn atomic(&mut self) {
        const NAMES: &str = "amoswap.w amoadd.w amoxor.w amoand.w amoor.w amomin.w amomax.w amominu.w \
            amomaxu.w";
        let pointer = self.random.one(&FREE[1..]);
        let offset = 4 * self.random.between(-64, 63);
        let (mut rd, mut rs2) = (self.target(), self.source());
        if self.dialect == Dialect::User {
            rd = self.random.one(&FREE[1..]);
            while rs2 == rd {
                rs2 = self.source();
            }
        }
        let ordering = self.random.one(&["", ".aq", ".rl", ".aqrl"]);
        self.add(format!("addi x{pointer}, x31, {offset}"));
        if self.random.once_in(3) {
            let loaded = self
                .random
                .one(&FREE.map(|register| if register == pointer { 0 } else { register }));
            self.add(format!("lr.w{ordering} x{loaded}, (x{pointer})"));
            self.add(format!("sc.w{ordering} x{rd}, x{rs2}, (x{pointer})"));
            if self.dialect == Dialect::Machine && self.random.once_in(2) {
                let (rd, rs2) = (self.target(), self.source());
                self.add(format!("addi x{pointer}, x31, {offset}"));
                self.add(format!("sc.w x{rd}, x{rs2}, (x{pointer})"));
            }
        } else {
            let name = self.random.name(NAMES);
            self.add(format!("{name}{ordering} x{rd}, x{rs2}, (x{pointer})"));
        }
    }

    /// A few instructions that do not branch.
    fn body(&mut self) {
        for _ in 0..=self.random.below(4) {
            match self.random.below(6) {
                0 => self.memory(),
                1..=2 => self.compressed(),
                3 => self.float(),
                _ => self.integer(),
            }
        }
    }

    fn branch(&mut self) {
        let label = self.label();
        let (rs1, rs2, short) = (self.source(), self.source(), self.short());
        let line = match self.random.below(9) {
            0 => format!("c.beqz x{short}, @{label}"),
            1 => format!("c.bnez x{short}, @{label}"),
            2 => format!("c.j @{label}"),
            _ => {
                let name = self.random.name("beq bne blt bge bltu bgeu");
                format!("{name} x{rs1}, x{rs2}, @{label}")
            }
        };
        self.add(line);
        self.body();
        self.add(format!("{label}:"));
    }

    fn jump(&mut self) {
        let label = self.label();
        let (rd, pointer) = (self.target(), self.random.one(&FREE[2..]));
        match self.random.below(5) {
            0 => self.add(format!("jal x{rd}, @{label}")),
            1 => self.add(format!("c.jal @{label}")),
            2 => {
                // Distances count from the last of the three.
                self.add(format!("auipc x{pointer}, 0"));
                self.add(format!("addi x{pointer}, x{pointer}, 8"));
                self.add(format!("jalr x{rd}, @{label}(x{pointer})"));
            }
            kind => {
                // The distance counts from the second, so the sum is 4 short.
                self.add(format!("auipc x{pointer}, 0"));
                self.add(format!("addi x{pointer}, x{pointer}, @{label}"));
                self.add(format!("addi x{pointer}, x{pointer}, 4"));
                self.add(format!("c.{} x{pointer}", if kind == 3 { "jr" } else { "jalr" }));
            }
        }
        self.body();
        self.add(format!("{label}:"));
    }

    fn loop_of_a_few(&mut self) {
        let label = self.label();
        let rounds = self.random.between(1, 6);
        self.add(format!("addi x30, x0, {rounds}"));
        self.add(format!("{label}:"));
        self.body();
        self.body();
        self.add("c.addi x30, -1".to_owned());
        self.add(format!("bne x30, x0, @{label}"));
    }

    /// What only machine mode has: traps, of which the handler keeps a log, and its CSRs.
    fn machine(&mut self) {
        let (rd, pointer) = (self.target(), self.random.one(&FREE[1..]));
        let line = match self.random.below(8) {
            0 => "ecall".to_owned(),
            1 => format!(
                ".word {:#010x}",
                self.random.one(&[0x0000_007f_u32, 0xffff_ffff, 0x0000_b087, 0x1020_a0af])
            ),
            2 => format!(
                ".half {:#06x}",
                self.random.one(&[0x0000_u32, 0x8002, 0x6101, 0x2000, 0x4002])
            ),
            3 => format!("csrrs x{rd}, {}, x0", self.random.name("mcause mepc mtval mhartid misa")),
            4 => format!("csrrw x{rd}, 0x7c0, x{pointer}"),
            5 => format!("fadd.s f1, f2, f3, {}", self.random.name("rm5 rm6")),
            6 => {
                // Nothing is there. Aligned: of an access that is not, QEMU gives another part as the faulting one.
                self.add(format!("lui x{pointer}, 0x8000"));
                let name = self.random.name("lw lb sw sh");
                format!("{name} x{rd}, {}(x{pointer})", 4 * self.random.between(-512, 511))
            }
            _ => {
                let reserved = self.random.between(5, 7);
                self.add(format!("csrrwi x0, frm, {reserved}"));
                self.add("fmul.s f1, f2, f3, dyn".to_owned());
                "csrrwi x0, frm, 0".to_owned()
            }
        };
        self.add(line);
    }
}
