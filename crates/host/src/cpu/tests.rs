//! The processor on small programs, as words.

use super::*;
use crate::profile::Profile;

/// No devices at all.
struct Nothing {
    traps: Vec<Trap>,
}

impl Devices for Nothing {
    fn load(&mut self, _: &mut Memory, _: u32, _: Width, _: u64) -> Result<u32, AccessFault> {
        Err(AccessFault)
    }

    fn store(
        &mut self,
        _: &mut Memory,
        _: u32,
        _: Width,
        _: u32,
        _: u64,
    ) -> Result<After, AccessFault> {
        Err(AccessFault)
    }

    fn time(&self, cycle: u64) -> u64 {
        cycle / 100
    }

    fn trapped(&mut self, trap: &Trap) {
        self.traps.push(*trap);
    }
}

fn started(program: &[u32]) -> (Processor, Memory, Nothing) {
    let profile = Profile::built_in("one-cycle").expect("it is built in");
    let mut memory = Memory::new(4096, 4096, &profile);
    let bytes: Vec<u8> = program.iter().flat_map(|word| word.to_le_bytes()).collect();
    memory.load_flash(Memory::FLASH, &bytes).expect("it fits");
    (Processor::new(Memory::FLASH), memory, Nothing { traps: Vec::new() })
}

#[test]
fn a_sum_is_computed_in_a_loop() {
    // addi a0, x0, 0; addi a1, x0, 10; add a0, a0, a1; addi a1, a1, -1; bne a1, x0, -8; j .
    let program = [0x0000_0513, 0x00a0_0593, 0x00b5_0533, 0xfff5_8593, 0xfe05_9ce3, 0x0000_006f];
    let (mut processor, mut memory, mut devices) = started(&program);
    assert_eq!(processor.run(&mut memory, &mut devices, 32), Stopped::Reached);
    assert_eq!((processor.x(10), processor.cycle(), processor.retired()), (55, 32, 32));
    assert_eq!(processor.run(&mut memory, &mut devices, 1000), Stopped::Looping);
    assert_eq!((processor.cycle(), processor.retired()), (1000, 1000));
    assert_eq!(processor.pc(), Memory::FLASH + 20);
}

#[test]
fn the_built_in_profiles_are_without_problems() {
    for name in Profile::names() {
        assert_eq!(Profile::built_in(name).map(|profile| profile.name).as_deref(), Some(name));
    }
}

#[test]
fn code_in_ram_that_is_overwritten_changes() {
    let (mut processor, mut memory, mut devices) = started(&[
        0x8000_0537, // lui a0, 0x80000
        0x0005_00e7, // jalr ra, a0, 0
        0x00c5_2023, // sw a2, 0(a0)
        0x0005_00e7, // jalr ra, a0, 0
        0x0000_006f, // j .
    ]);
    // addi a3, a3, 1; jalr x0, ra, 0
    memory.write(Memory::RAM, &[0x93, 0x86, 0x16, 0x00, 0x67, 0x80, 0x00, 0x00]).expect("RAM");
    // addi a3, a3, 16
    processor.set_x(12, 0x0106_8693);
    assert_eq!(processor.run(&mut memory, &mut devices, 100), Stopped::Looping);
    assert_eq!(processor.x(13), 17);
    assert!(devices.traps.is_empty());
}
