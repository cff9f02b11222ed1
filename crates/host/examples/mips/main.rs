//! How fast the processor is simulated: instructions per second of processor time, and cycles per
//! instruction of the timing model.
//!
//! `cargo run --release -p ironbird-host --example mips`

use std::time::Duration;

use ironbird_host::cpu::{AccessFault, Devices, Processor, Trap, Width};
use ironbird_host::memory::Memory;
use ironbird_host::profile::Profile;

/// `workload.c`, compiled.
const WORKLOAD: &str = include_str!("workload.txt");

/// How long each measurement runs.
const CYCLES: u64 = 500_000_000;

/// The peripheral that the workload polls.
struct Polled {
    /// How often it is polled for each step of the filter.
    polls: u32,
    loads: u64,
    trap: Option<Trap>,
}

impl Devices for Polled {
    fn load(&mut self, _: &mut Memory, address: u32, _: Width, _: u64) -> Result<u32, AccessFault> {
        self.loads += 1;
        if address == 0x1000_0000 { Ok(self.polls) } else { Err(AccessFault) }
    }

    fn trapped(&mut self, trap: &Trap) {
        self.trap = Some(*trap);
    }
}

/// Time that this process had a processor.
fn processor_time() -> Result<Duration, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().ok_or("schedstat is empty")?;
    Ok(Duration::from_nanos(nanoseconds.parse()?))
}

fn measure(profile: &Profile, quantum: u64, polls: u32) -> Result<(), Box<dyn std::error::Error>> {
    let mut memory = Memory::new(profile.flash_bytes, profile.ram_bytes, profile);
    let words = WORKLOAD.split_whitespace().map(|word| u32::from_str_radix(word, 16));
    let words: Vec<u32> = words.collect::<Result<_, _>>()?;
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    memory.load_flash(Memory::FLASH, &bytes)?;
    let mut processor = Processor::new(Memory::FLASH);
    let mut devices = Polled { polls, loads: 0, trap: None };
    let start = processor_time()?;
    while processor.cycle() < CYCLES {
        processor.run(&mut memory, &mut devices, processor.cycle() + quantum);
        if let Some(trap) = devices.trap {
            return Err(format!("the workload trapped: {trap:x?}").into());
        }
    }
    let seconds = (processor_time()? - start).as_secs_f64();
    let (retired, cycle) = (processor.retired() as f64, processor.cycle() as f64);
    println!(
        "{:<18} {quantum:>9} {polls:>5} {:>6.1} {:>6.1} {:>6.3} {:>6.2}",
        profile.name,
        retired / seconds / 1e6,
        cycle / seconds / 1e6,
        cycle / retired,
        devices.loads as f64 / retired * 100.0,
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "profile              quantum polls   MIPS    MHz    CPI device loads in 100 instructions"
    );
    for name in Profile::names() {
        let profile = Profile::built_in(name).ok_or("no such profile")?;
        for (quantum, polls) in [(CYCLES, 0), (168, 0), (CYCLES, 100), (168, 100)] {
            measure(&profile, quantum, polls)?;
        }
    }
    Ok(())
}
