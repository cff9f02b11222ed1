//! What an instruction can see and change: registers, CSRs, a small window of memory.

/// Where the window of memory begins.
pub const WINDOW: u32 = 0x8001_0000;
/// How many words it has.
pub const WINDOW_WORDS: usize = 16;
/// The CSRs that are watched.
pub const CSRS: [&str; 8] =
    ["fcsr", "mstatus", "mtvec", "mepc", "mcause", "mtval", "mscratch", "mie"];
/// How many words a state takes, without `pc`.
pub const WORDS: usize = 31 + 32 + CSRS.len() + WINDOW_WORDS;

/// All that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The address of the instruction to be executed next.
    pub pc: u32,
    /// Integer registers.
    pub x: [u32; 32],
    /// Float registers, as bits.
    pub f: [u32; 32],
    /// CSRs, in the order of [`CSRS`].
    pub csrs: [u32; CSRS.len()],
    /// The window of memory.
    pub memory: [u32; WINDOW_WORDS],
}

impl State {
    /// The state from which every case starts: no two registers alike, floats on, one mode, nothing enabled.
    pub fn start() -> State {
        let mut state = State {
            pc: 0x8000_4000,
            x: std::array::from_fn(
                |n| if n == 0 { 0 } else { 0xa000_0000 + 0x0010_0101 * n as u32 },
            ),
            f: std::array::from_fn(|n| 0x4100_0000 + 0x0001_0203 * n as u32),
            csrs: [0; CSRS.len()],
            memory: std::array::from_fn(|n| 0x5c5d_5e5f ^ (0x0101_0101 * n as u32)),
        };
        *state.csr("mstatus") = 0x8000_7800; // SD, FS dirty, MPP machine
        *state.csr("mtvec") = 0x8000_1000;
        *state.csr("mscratch") = 0x1357_9bdf;
        state
    }

    /// A CSR that is watched.
    pub fn csr(&mut self, name: &str) -> &mut u32 {
        let at = CSRS
            .iter()
            .position(|known| *known == name)
            .unwrap_or_else(|| panic!("{name} is not watched"));
        &mut self.csrs[at]
    }

    /// As words: x1 to x31, f0 to f31, CSRs, memory.
    pub fn words(&self) -> Vec<u32> {
        [&self.x[1..], &self.f, &self.csrs, &self.memory].concat()
    }

    /// The opposite of [`State::words`].
    pub fn from_words(pc: u32, words: &[u32]) -> State {
        let mut state = State::start();
        state.pc = pc;
        state.x[1..].copy_from_slice(&words[..31]);
        state.f.copy_from_slice(&words[31..63]);
        state.csrs.copy_from_slice(&words[63..63 + CSRS.len()]);
        state.memory.copy_from_slice(&words[63 + CSRS.len()..WORDS]);
        state
    }

    /// What is not as it should be, in words.
    pub fn differences(&self, should: &State) -> Vec<String> {
        let names = (1..32).map(|n| format!("x{n}")).chain((0..32).map(|n| format!("f{n}")));
        let names = names.chain(CSRS.iter().map(|name| (*name).to_owned()));
        let names =
            names.chain((0..WINDOW_WORDS as u32).map(|n| format!("[{:08x}]", WINDOW + 4 * n)));
        let mut found: Vec<String> = names
            .zip(self.words().into_iter().zip(should.words()))
            .filter(|(_, (is, should))| is != should)
            .map(|(name, (is, should))| format!("{name} is {is:08x}, should be {should:08x}"))
            .collect();
        if self.pc != should.pc {
            found.push(format!("pc is {:08x}, should be {:08x}", self.pc, should.pc));
        }
        found
    }
}
