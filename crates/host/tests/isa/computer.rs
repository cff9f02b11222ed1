//! Our processor with memory and no devices but one that ends a run.

use ironbird_host::cpu::{AccessFault, After, Devices, Interrupt, Processor, Stopped, Trap, Width};
use ironbird_host::memory::Memory;
use ironbird_host::profile::Profile;

use crate::assembler::{assemble, csr_number};
use crate::case::Case;
use crate::elf::BASE;
use crate::qemu::FINISHER;
use crate::state::{CSRS, State, WINDOW};

/// Where an instruction lies that prepares a case.
const BEFOREHAND: u32 = BASE;

/// Devices: a store to [`FINISHER`] stops the run, there is nothing else. `time` counts every 4th cycle.
#[derive(Clone, Debug, Default)]
pub struct NoDevices {
    /// Exceptions that were taken.
    pub traps: Vec<Trap>,
}

impl Devices for NoDevices {
    fn load(&mut self, _: &mut Memory, _: u32, _: Width, _: u64) -> Result<u32, AccessFault> {
        Err(AccessFault)
    }

    fn store(
        &mut self,
        _: &mut Memory,
        address: u32,
        _: Width,
        _: u32,
        _: u64,
    ) -> Result<After, AccessFault> {
        if address == FINISHER { Ok(After::Stop) } else { Err(AccessFault) }
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
    pub devices: NoDevices,
}

impl Computer {
    /// A computer where every instruction takes one cycle.
    pub fn new(ram_bytes: u32) -> Computer {
        Computer::with_profile(ram_bytes, "one-cycle")
    }

    /// A computer with a profile that comes with it.
    pub fn with_profile(ram_bytes: u32, profile: &str) -> Computer {
        let profile =
            Profile::built_in(profile).unwrap_or_else(|| panic!("there is no profile {profile}"));
        let memory = Memory::new(0x1_0000, ram_bytes, &profile);
        Computer { processor: Processor::new(BASE), memory, devices: NoDevices::default() }
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

fn number(name: &str) -> u16 {
    csr_number(name).unwrap_or_else(|| panic!("no CSR is called {name}")) as u16
}
