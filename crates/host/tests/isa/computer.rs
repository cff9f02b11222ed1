//! Our processor with memory and a few devices for tests.

use ironbird_host::cpu::{AccessFault, After, Devices, Interrupt, Processor, Stopped, Trap, Width};
use ironbird_host::memory::Memory;
use ironbird_host::profile::Profile;

use crate::assembler::{Program, assemble, assemble_program, csr_number};
use crate::case::Case;
use crate::elf::BASE;
use crate::qemu::FINISHER;
use crate::state::{CSRS, State, WINDOW};

/// Where an instruction lies that prepares a case.
const BEFOREHAND: u32 = BASE;

/// A register that holds the cycle of the access.
pub const CLOCK: u32 = 0x1000_0000;
/// A register that keeps what was written.
pub const KEEPER: u32 = 0x1000_0004;

/// A store that came to the [`KEEPER`]: width, value, cycle.
pub type Kept = (Width, u32, u64);

/// Devices: a store to [`FINISHER`] stops the run, [`CLOCK`] and [`KEEPER`] are for tests. `time` counts every 4th cycle.
#[derive(Clone, Debug, Default)]
pub struct TestDevices {
    /// Exceptions that were taken.
    pub traps: Vec<Trap>,
    /// What came to [`KEEPER`], or to a byte of it.
    pub kept: Vec<Kept>,
    /// What [`KEEPER`] reads as.
    pub keeper: u32,
}

impl Devices for TestDevices {
    fn load(
        &mut self,
        _: &mut Memory,
        address: u32,
        width: Width,
        cycle: u64,
    ) -> Result<u32, AccessFault> {
        match (address, width) {
            (CLOCK, Width::Word) => Ok(cycle as u32),
            (KEEPER, Width::Word) => Ok(self.keeper),
            (KEEPER, Width::Half) => Ok(self.keeper & 0xffff),
            (KEEPER, Width::Byte) => Ok(self.keeper & 0xff),
            _ => Err(AccessFault),
        }
    }

    fn store(
        &mut self,
        _: &mut Memory,
        address: u32,
        width: Width,
        value: u32,
        cycle: u64,
    ) -> Result<After, AccessFault> {
        match address {
            FINISHER => Ok(After::Stop),
            KEEPER => {
                self.kept.push((width, value, cycle));
                Ok(After::GoOn)
            }
            _ => Err(AccessFault),
        }
    }

    fn time(&self, cycle: u64) -> u64 {
        cycle / 4
    }

    fn trapped(&mut self, trap: &Trap) {
        self.traps.push(*trap);
    }
}

/// A processor with memory.
#[derive(Clone, Debug)]
pub struct Computer {
    /// The processor.
    pub processor: Processor,
    /// Its memory.
    pub memory: Memory,
    /// All else.
    pub devices: TestDevices,
}

impl Computer {
    /// A computer where every instruction takes one cycle.
    pub fn new(ram_bytes: u32) -> Computer {
        Computer::with_profile(ram_bytes, "one-cycle")
    }

    /// A computer with a profile that comes with it.
    pub fn with_profile(ram_bytes: u32, name: &str) -> Computer {
        Computer::like(ram_bytes, &profile(name))
    }

    /// A computer with any profile.
    pub fn like(ram_bytes: u32, profile: &Profile) -> Computer {
        let memory = Memory::new(0x1_0000, ram_bytes, profile);
        Computer { processor: Processor::new(BASE), memory, devices: TestDevices::default() }
    }

    /// Runs up to a cycle.
    pub fn run(&mut self, until: u64) -> Stopped {
        self.processor.run(&mut self.memory, &mut self.devices, until)
    }

    /// Executes one instruction.
    pub fn step(&mut self) -> Stopped {
        self.run(self.processor.cycle() + 1)
    }

    /// A CSR by name.
    pub fn csr(&self, name: &str) -> u32 {
        let time = self.devices.time(self.processor.cycle());
        self.processor.csr(number(name), time).unwrap_or_else(|| panic!("there is no {name}"))
    }

    /// Sets a CSR by name.
    pub fn set_csr(&mut self, name: &str, value: u32) {
        assert!(self.processor.set_csr(number(name), value), "{name} cannot be set");
    }

    /// A computer with a program at [`BASE`], where it starts, with floats and interrupts off.
    pub fn with_program(lines: &[&str]) -> (Computer, Program) {
        let mut computer = Computer::new(0x2_0000);
        let program = computer.load(BASE, lines);
        (computer, program)
    }

    /// Puts a program into RAM.
    pub fn load(&mut self, address: u32, lines: &[&str]) -> Program {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let program = assemble_program(address, &lines).unwrap_or_else(|error| panic!("{error}"));
        self.write(address, &program.bytes);
        program
    }

    /// Executes as many instructions.
    pub fn steps(&mut self, instructions: usize) {
        for _ in 0..instructions {
            self.step();
        }
    }

    /// Writes to RAM.
    pub fn write(&mut self, address: u32, bytes: &[u8]) {
        self.memory.write(address, bytes).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Reads a word of RAM.
    pub fn word(&self, address: u32) -> u32 {
        let mut bytes = [0; 4];
        self.memory.read(address, &mut bytes).unwrap_or_else(|error| panic!("{error}"));
        u32::from_le_bytes(bytes)
    }

    /// The state before a case, its instruction in memory.
    pub fn set_up(&mut self, case: &Case) {
        let before = &case.before;
        self.write(WINDOW, &before.memory.map(u32::to_le_bytes).concat());
        for (interrupt, bit) in
            [(Interrupt::Software, 3), (Interrupt::Timer, 7), (Interrupt::External, 11)]
        {
            self.processor.set_pending(interrupt, case.pending >> bit & 1 == 1);
        }
        // Interrupts are off while the state is prepared.
        self.set_csr("mstatus", 0x6000);
        self.reserve(case.reserved);
        for (name, value) in CSRS.iter().zip(before.csrs) {
            self.set_csr(name, value);
        }
        for n in 0..32 {
            self.processor.set_x(n, before.x[n]);
            self.processor.set_f(n, before.f[n]);
        }
        self.write(before.pc, &case.code.bytes());
        self.processor.set_pc(before.pc);
    }

    /// Makes `lr.w` reserve a word; or lets a `sc.w` that fails end what was reserved.
    fn reserve(&mut self, word: Option<u32>) {
        let text = if word.is_some() { "lr.w x0, (x1)" } else { "sc.w x0, x0, (x1)" };
        let code = assemble(text).unwrap_or_else(|error| panic!("{error}"));
        let was = self.word(BEFOREHAND);
        self.write(BEFOREHAND, &code.bytes());
        self.processor.set_pc(BEFOREHAND);
        self.processor.set_x(1, word.unwrap_or(BEFOREHAND));
        self.step();
        self.write(BEFOREHAND, &was.to_le_bytes());
    }

    /// What is compared. `fcsr` keeps its value while the float unit is off, though programs cannot see it then.
    pub fn state(&self) -> State {
        let registers = self.processor.registers();
        let mut floats_on = self.processor.clone();
        floats_on.set_csr(number("mstatus"), 0x6000);
        let mut csrs = CSRS.map(|name| if name == "fcsr" { 0 } else { self.csr(name) });
        csrs[0] = floats_on.csr(number("fcsr"), 0).expect("the float unit is on");
        State {
            pc: registers.pc,
            x: registers.x,
            f: registers.f,
            csrs,
            memory: std::array::from_fn(|n| self.word(WINDOW + 4 * n as u32)),
        }
    }
}

/// A profile that comes with the computer.
pub fn profile(name: &str) -> Profile {
    Profile::built_in(name).unwrap_or_else(|| panic!("there is no profile {name}"))
}

fn number(name: &str) -> u16 {
    csr_number(name).unwrap_or_else(|| panic!("no CSR is called {name}")) as u16
}
