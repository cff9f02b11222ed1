//! Random programs, on our processor and on others: the same registers and the same memory in the end.

use std::collections::BTreeSet;

use ironbird_host::cpu::Stopped;

use crate::batch::{Batch, RAM_BYTES};
use crate::computer::Computer;
use crate::directed::instructions;
use crate::elf::{BASE, elf};
use crate::program::Dialect;
use crate::{qemu, user_level};

/// Programs in one image.
const PROGRAMS: u32 = 100;
/// More instructions than a batch can have.
const PATIENCE: u64 = 10_000_000;

/// How many random programs are run: 500, or as many as the environment variable IRONBIRD_CASES says.
pub fn programs() -> u32 {
    std::env::var("IRONBIRD_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(500)
}

/// Images of random programs.
fn batches(dialect: Dialect) -> impl Iterator<Item = (u64, Batch)> {
    let batch =
        move |seed| Batch::new(seed, PROGRAMS, dialect).unwrap_or_else(|error| panic!("{error}"));
    (0..u64::from(programs().div_ceil(PROGRAMS))).map(move |seed| (seed, batch(seed)))
}

/// RAM after our processor ran an image until it stored to the finisher.
pub fn run_ours(image: &[u8]) -> Vec<u8> {
    let mut computer = Computer::new(RAM_BYTES);
    computer.write(BASE, image);
    assert_eq!(computer.run(PATIENCE), Stopped::Device, "at {:08x}", computer.processor.pc());
    computer.memory.ram().to_vec()
}

#[test]
fn random_programs_contain_every_instruction() {
    let Some((_, batch)) = batches(Dialect::Machine).next() else { return };
    let listings = batch.listings.iter().flatten();
    let mut used: BTreeSet<&str> =
        listings.filter_map(|line| line.split_whitespace().next()).collect();
    used.extend(["mret"]); // by the handler
    // These end a program, or wait for ever.
    let left_out = ["ebreak", "c.ebreak", "wfi"];
    let missing: Vec<&str> =
        instructions().filter(|name| !used.contains(name) && !left_out.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn random_programs_end_as_in_rvsim() {
    for (seed, batch) in batches(Dialect::User) {
        let theirs = user_level::run(&batch.image, RAM_BYTES, batch.first)
            .unwrap_or_else(|error| panic!("{error}"));
        let difference = batch.difference(&run_ours(&batch.image), &theirs);
        assert!(difference.is_none(), "seed {seed}: {}", difference.unwrap_or_default());
    }
}

#[test]
fn random_programs_with_traps_end_as_in_qemu() {
    if qemu::is_missing() {
        return;
    }
    for (seed, batch) in batches(Dialect::Machine) {
        let theirs = qemu::run(&elf(&batch.image), RAM_BYTES as usize)
            .unwrap_or_else(|error| panic!("{error}"));
        let difference = batch.difference(&run_ours(&batch.image), &theirs);
        assert!(difference.is_none(), "seed {seed}: {}", difference.unwrap_or_default());
    }
}
