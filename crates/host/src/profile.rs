//! Timing profiles: how large and how fast a processor of some class is.
//!
//! A profile is a TOML file, see "Profiles" in the book. Some are part of the program ([`Profile::built_in`]).

use std::sync::Arc;

use ironbird_document::{Item, Place, Problem, Source, Table, parse};

use crate::cpu::instruction::{Instruction, Op};
use crate::line_cache::LineCacheShape;

/// Profiles that are part of the program: name and text.
const BUILT_IN: [(&str, &str); 2] = [
    ("cortex-m4f-168mhz", include_str!("../profiles/cortex-m4f-168mhz.toml")),
    ("one-cycle", include_str!("../profiles/one-cycle.toml")),
];

/// A class of processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// What it is called.
    pub name: String,
    /// What it stands for.
    pub description: String,
    /// Where its numbers are from.
    pub source: String,
    /// How far off its cycle counts may be.
    pub error: String,
    /// Cycles per second, unless a computer says otherwise.
    pub clock_hz: u64,
    /// Bytes of flash.
    pub flash_bytes: u32,
    /// Bytes of RAM.
    pub ram_bytes: u32,
    /// Cycles of everything.
    pub timing: Timing,
}

/// Cycles by class of instruction, and what memory adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Additions, logic, shifts, constants, fences.
    pub alu: u8,
    /// Products.
    pub multiply: u8,
    /// Quotients and remainders.
    pub divide: u8,
    /// Loads, of floats as well, without wait states.
    pub load: u8,
    /// Stores, of floats as well.
    pub store: u8,
    /// Branches that are not taken.
    pub branch: u8,
    /// What a branch costs more if it is taken.
    pub branch_taken: u8,
    /// Jumps, calls and returns.
    pub jump: u8,
    /// Accesses to control and status registers.
    pub csr: u8,
    /// Atomic operations, `lr` and `sc`.
    pub atomic: u8,
    /// Sums and differences of floats.
    pub float_add: u8,
    /// Products of floats.
    pub float_multiply: u8,
    /// Fused products and sums.
    pub float_fused: u8,
    /// Quotients of floats.
    pub float_divide: u8,
    /// Square roots.
    pub float_sqrt: u8,
    /// Conversions between floats and integers.
    pub float_convert: u8,
    /// Comparisons, least and greatest, moves and signs of floats.
    pub float_move: u8,
    /// From an exception or interrupt to the first instruction of its handler.
    pub trap: u8,
    /// `mret`.
    pub mret: u8,
    /// `wfi`, without the waiting.
    pub wfi: u8,
    /// What a load, store or fetch costs more in RAM.
    pub ram_wait_states: u8,
    /// What a load or store costs more in a peripheral.
    pub device_wait_states: u8,
    /// How instructions come from flash; none: without waiting.
    pub fetch: Option<LineCacheShape>,
    /// How data comes from flash; none: without waiting.
    pub read: Option<LineCacheShape>,
}

impl Timing {
    /// Cycles of an instruction, without taken branches, waiting for flash and peripherals.
    pub(crate) fn cycles(&self, instruction: &Instruction, is_flash: bool) -> u8 {
        use Op::*;
        let (own, ram) = match instruction.op {
            Undecoded | Outside | Breakpoint | Illegal | Ecall | Ebreak => return 0,
            Beq | Bne | Blt | Bge | Bltu | Bgeu | BranchFar => (self.branch, 0),
            Jal | JalFar | Jalr => (self.jump, 0),
            Lb | Lh | Lw | Lbu | Lhu | Flw => (self.load, self.ram_wait_states),
            Sb | Sh | Sw | Fsw => (self.store, self.ram_wait_states),
            Mul | Mulh | Mulhsu | Mulhu => (self.multiply, 0),
            Div | Divu | Rem | Remu => (self.divide, 0),
            Mret => (self.mret, 0),
            Wfi => (self.wfi, 0),
            Csr => (self.csr, 0),
            LoadReserved | StoreConditional | Atomic => (self.atomic, self.ram_wait_states),
            Fadd | Fsub => (self.float_add, 0),
            Fmul => (self.float_multiply, 0),
            Fmadd | Fmsub | Fnmsub | Fnmadd => (self.float_fused, 0),
            Fdiv => (self.float_divide, 0),
            Fsqrt => (self.float_sqrt, 0),
            FcvtWS | FcvtWuS | FcvtSW | FcvtSWu => (self.float_convert, 0),
            Fsgnj | Fsgnjn | Fsgnjx | Fmin | Fmax | FmvXW | FmvWX | Feq | Flt | Fle | Fclass => {
                (self.float_move, 0)
            }
            // Integers, constants and fences. Short forms are counted before they become such.
            _ => (self.alu, 0),
        };
        let fetch = if is_flash { 0 } else { self.ram_wait_states };
        own.saturating_add(ram).saturating_add(fetch)
    }
}

impl Profile {
    /// Names of the profiles that are part of the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// A profile that is part of the program; none if there is none of that name.
    pub fn built_in(name: &str) -> Option<Profile> {
        let (name, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Profile::read(&Source::built_in(name, text)).ok()
    }

    /// Reads a profile.
    pub fn read(source: &Arc<Source>) -> Result<Profile, Problem> {
        let file = parse(source)?;
        let (table, place) = (file.table()?, &file.place);
        let keys = ["name", "description", "source", "error", "clock", "flash", "ram", "cycles"];
        table.only(&keys, "a profile")?;
        let text = |key| Ok(table.need(key, place)?.text()?.to_owned());
        let (flash, flash_place) = table.section("flash", place)?;
        let (ram, ram_place) = table.section("ram", place)?;
        let (cycles, cycles_place) = table.section("cycles", place)?;
        ram.only(&["bytes", "wait_states"], "the RAM of a profile")?;
        let fetch = fetch(flash, flash_place)?;
        let timing = Timing {
            ram_wait_states: small(ram, ram_place, "wait_states", 0)?,
            fetch,
            read: read(flash, flash_place, fetch)?,
            ..classes(cycles, cycles_place)?
        };
        Ok(Profile {
            name: text("name")?,
            description: text("description")?,
            source: text("source")?,
            error: text("error")?,
            clock_hz: clock(table.need("clock", place)?)?,
            flash_bytes: size(flash.need("bytes", flash_place)?)?,
            ram_bytes: size(ram.need("bytes", ram_place)?)?,
            timing,
        })
    }
}

fn clock(item: &Item) -> Result<u64, Problem> {
    let hz = item.quantity("Hz")?;
    let whole = hz as u64;
    if !(1.0..=1e11).contains(&hz) || whole as f64 != hz {
        let help = "a clock is a whole number of hertz from 1 Hz to 100 GHz, such as \"168 MHz\"";
        return Err(Problem::new("no clock of a processor", &item.place, "here").help(help));
    }
    Ok(whole)
}

/// Bytes of a memory: up to 64 MiB, decoded instructions take six times the room.
fn size(item: &Item) -> Result<u32, Problem> {
    let bytes = item.count()?;
    if bytes == 0 || bytes % 4 != 0 || bytes > 64 << 20 {
        let help = "a memory has a multiple of 4 bytes, at most 67108864";
        return Err(
            Problem::new(format!("a memory of {bytes} bytes"), &item.place, "here").help(help)
        );
    }
    Ok(bytes as u32)
}

/// Cycles, from `least` to 255.
fn small(table: &Table, place: &Place, key: &str, least: u64) -> Result<u8, Problem> {
    let item = table.need(key, place)?;
    let cycles = item.count()?;
    if cycles < least || cycles > 255 {
        let message = format!("{cycles} cycles of \"{key}\"");
        return Err(Problem::new(message, &item.place, "here").help(format!("from {least} to 255")));
    }
    Ok(cycles as u8)
}

/// The table of cycles by class, without what memory adds.
fn classes(table: &Table, place: &Place) -> Result<Timing, Problem> {
    let keys = [
        "alu",
        "multiply",
        "divide",
        "load",
        "store",
        "branch",
        "branch_taken",
        "jump",
        "csr",
        "atomic",
        "float_add",
        "float_multiply",
        "float_fused",
        "float_divide",
        "float_sqrt",
        "float_convert",
        "float_move",
        "trap",
        "mret",
        "wfi",
        "device_wait_states",
    ];
    table.only(&keys, "the cycles of a profile")?;
    // An instruction takes time: without, a loop would never reach the next cycle.
    let cycles = |key| small(table, place, key, 1);
    let more = |key| small(table, place, key, 0);
    Ok(Timing {
        alu: cycles("alu")?,
        multiply: cycles("multiply")?,
        divide: cycles("divide")?,
        load: cycles("load")?,
        store: cycles("store")?,
        branch: cycles("branch")?,
        branch_taken: more("branch_taken")?,
        jump: cycles("jump")?,
        csr: cycles("csr")?,
        atomic: cycles("atomic")?,
        float_add: cycles("float_add")?,
        float_multiply: cycles("float_multiply")?,
        float_fused: cycles("float_fused")?,
        float_divide: cycles("float_divide")?,
        float_sqrt: cycles("float_sqrt")?,
        float_convert: cycles("float_convert")?,
        float_move: cycles("float_move")?,
        trap: cycles("trap")?,
        mret: cycles("mret")?,
        wfi: cycles("wfi")?,
        device_wait_states: more("device_wait_states")?,
        ram_wait_states: 0,
        fetch: None,
        read: None,
    })
}

/// How instructions come from flash.
fn fetch(table: &Table, place: &Place) -> Result<Option<LineCacheShape>, Problem> {
    let keys = ["bytes", "wait_states", "line", "lines", "ways", "prefetch", "data_lines"];
    table.only(&keys, "the flash of a profile")?;
    let wait_states = u32::from(small(table, place, "wait_states", 0)?);
    if wait_states == 0 {
        return Ok(None);
    }
    let line = power(table.need("line", place)?, 4, 4096)?;
    let lines = power(table.need("lines", place)?, 1, 4096)?;
    let ways = power(table.need("ways", place)?, 1, lines)?;
    let prefetches = table.need("prefetch", place)?.truth()?;
    Ok(Some(LineCacheShape { line, lines, ways, prefetches, wait_states }))
}

/// How data comes from flash: lines of the same size, each of which may be anywhere.
fn read(
    table: &Table,
    place: &Place,
    fetch: Option<LineCacheShape>,
) -> Result<Option<LineCacheShape>, Problem> {
    let Some(fetch) = fetch else { return Ok(None) };
    let lines = power(table.need("data_lines", place)?, 1, 4096)?;
    Ok(Some(LineCacheShape { lines, ways: lines, prefetches: false, ..fetch }))
}

/// A power of two.
fn power(item: &Item, least: u32, greatest: u32) -> Result<u32, Problem> {
    let number = item.count()?;
    if !number.is_power_of_two() || number < u64::from(least) || number > u64::from(greatest) {
        let help = format!("a power of two from {least} to {greatest}");
        return Err(
            Problem::new(format!("{number} cannot be used here"), &item.place, "here").help(help)
        );
    }
    Ok(number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(from: &str, to: &str) -> Result<Profile, Problem> {
        let text = BUILT_IN[0].1;
        assert!(text.contains(from));
        Profile::read(&Source::built_in("mine.toml", &text.replacen(from, to, 1)))
    }

    fn error_of(from: &str, to: &str) -> String {
        let problem = changed(from, to).expect_err("it is bad");
        let (place, _) = problem.place.clone().expect("a place");
        format!("{place}: {} ({})", problem.message, problem.help.clone().unwrap_or_default())
    }

    #[test]
    fn a_profile_says_sizes_clock_and_cycles() {
        let profile = Profile::built_in("cortex-m4f-168mhz").expect("it is built in");
        assert_eq!(
            (profile.clock_hz, profile.flash_bytes, profile.ram_bytes),
            (168_000_000, 1 << 20, 192 << 10)
        );
        assert_eq!((profile.timing.load, profile.timing.float_divide), (2, 14));
        assert_eq!(
            profile.timing.fetch.map(|shape| (shape.lines, shape.wait_states)),
            Some((64, 5))
        );
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        assert!(error_of("alu = 1", "alu = 0").contains("0 cycles of \"alu\" (from 1 to 255)"));
        assert!(error_of("load = 2", "loads = 2").contains("loads"));
        assert!(
            error_of("clock = \"168 MHz\"", "clock = \"0.5 Hz\"")
                .contains("a whole number of hertz")
        );
        assert!(error_of("line = 16", "line = 12").contains("a power of two from 4"));
        assert!(error_of("bytes = 1_048_576", "bytes = 3").contains("a memory of 3 bytes"));
        assert!(error_of("ways = 64", "ways = 128").contains("from 1 to 64"));
        assert!(error_of("trap = 12", "").contains("\"trap\" is missing"));
        assert!(error_of("wfi = 2", "wfi = 2000").contains("mine.toml"));
    }
}
