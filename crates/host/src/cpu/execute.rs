//! Execution: from one decoded instruction to the next.

use super::csr::Now;
use super::float::{self, Rounding, exact};
use super::instruction::{ENTERS_LINE, Instruction, Op};
use super::{After, Devices, Processor, Stopped, Trap, Width};
use crate::memory::Memory;

/// Numbers of exceptions in `mcause`.
mod cause {
    pub const FETCH_FAULT: u32 = 1;
    pub const ILLEGAL: u32 = 2;
    pub const BREAKPOINT: u32 = 3;
    pub const LOAD_MISALIGNED: u32 = 4;
    pub const LOAD_FAULT: u32 = 5;
    pub const STORE_MISALIGNED: u32 = 6;
    pub const STORE_FAULT: u32 = 7;
    pub const CALL: u32 = 11;
    pub const INTERRUPT: u32 = 1 << 31;
}

/// Why the loop over instructions was left.
enum Left {
    /// To see whether an interrupt is due, or time is up.
    ToLook,
    For(Stopped),
}

/// An access to memory that failed: the number of the exception.
struct Fault(u32);

impl Processor {
    /// Executes every instruction that starts at a cycle before `until`, and interrupts that are due before it.
    pub fn run<D: Devices>(&mut self, memory: &mut Memory, devices: &mut D, until: u64) -> Stopped {
        if self.is_waiting {
            if !self.control.is_awaited() {
                return Stopped::Waiting;
            }
            self.is_waiting = false;
        }
        while self.cycle < until {
            if let Some(interrupt) = self.control.due() {
                self.passes = None;
                self.pc = self.control.enter(cause::INTERRUPT | interrupt as u32, self.pc, 0);
                self.cycle += u64::from(memory.timing.trap);
            } else if self.passes.take() == Some(self.pc) {
                if let Left::For(stopped) = self.pass_breakpoint(memory, devices) {
                    return stopped;
                }
            } else if let Left::For(stopped) = self.execute(memory, devices, until) {
                return stopped;
            }
            if devices.wants_attention() {
                return Stopped::Device;
            }
        }
        Stopped::Reached
    }

    /// Executes one instruction as if there were no breakpoint at it.
    fn pass_breakpoint<D: Devices>(&mut self, memory: &mut Memory, devices: &mut D) -> Left {
        let Some(index) = memory.code.index(self.pc) else { return Left::ToLook };
        let bare = memory.code.decoded(index, memory.halves(index), &memory.timing);
        memory.code.instructions[index] = bare;
        let left = self.execute(memory, devices, self.cycle + 1);
        memory.code.instructions[index] = Instruction::UNDECODED;
        left
    }

    /// Takes an exception of the instruction at `pc`.
    #[cold]
    fn raise<D: Devices>(&mut self, memory: &Memory, devices: &mut D, number: u32, value: u32) {
        let trap = Trap { cause: number, pc: self.pc, value, cycle: self.cycle, sp: self.x[2] };
        devices.trapped(&trap);
        self.pc = self.control.enter(number, self.pc, value);
        self.cycle += u64::from(memory.timing.trap);
    }

    /// Executes instructions until one needs a look at interrupts, or `until` is reached.
    fn execute<D: Devices>(&mut self, memory: &mut Memory, devices: &mut D, until: u64) -> Left {
        let Some(mut index) = memory.code.index(self.pc) else {
            self.raise(memory, devices, cause::FETCH_FAULT, self.pc);
            return Left::ToLook;
        };
        let (mut cycle, mut retired) = (self.cycle, self.retired);
        let mut until = until;
        let branch_taken = u64::from(memory.timing.branch_taken);

        // Writes back what is kept in local variables.
        macro_rules! keep {
            () => {
                self.pc = memory.code.address(index);
                self.cycle = cycle;
                self.retired = retired;
            };
        }
        macro_rules! raise {
            ($number:expr, $value:expr) => {{
                keep!();
                self.raise(memory, devices, $number, $value);
                return Left::ToLook;
            }};
        }
        macro_rules! illegal {
            () => {{
                let (low, high) = memory.halves(index);
                let high = if low & 3 == 3 { high.unwrap_or(0) } else { 0 };
                raise!(cause::ILLEGAL, u32::from(low) | u32::from(high) << 16)
            }};
        }
        // Goes on at another index: another line of flash may have to be read.
        macro_rules! jump {
            ($target:expr) => {{
                index = $target;
                if let Some(fetches) = &mut memory.fetches
                    && index < memory.code.ram_start
                {
                    cycle += u64::from(
                        fetches.enter(index as u32 * 2 / memory.timing.flash_line, cycle),
                    );
                }
                continue;
            }};
        }
        macro_rules! jump_to_address {
            ($address:expr) => {{
                let address: u32 = $address;
                match memory.code.index(address) {
                    Some(target) => jump!(target),
                    None => {
                        self.pc = address;
                        self.cycle = cycle;
                        self.retired = retired;
                        return Left::ToLook;
                    }
                }
            }};
        }

        while cycle < until {
            let instruction = memory.code.instructions[index];
            let length = usize::from(instruction.length & 3);
            if instruction.length & ENTERS_LINE != 0
                && let Some(fetches) = &mut memory.fetches
            {
                let last = (index + length - 1) as u32 * 2;
                let wait = fetches.enter(last / memory.timing.flash_line, cycle);
                if wait != 0 {
                    // The instruction starts later, perhaps too late. Its line is there then.
                    cycle += u64::from(wait);
                    continue;
                }
            }
            let (to, first, second) = (
                usize::from(instruction.to & 63),
                usize::from(instruction.first & 31),
                usize::from(instruction.second & 31),
            );
            let immediate = instruction.immediate;

            macro_rules! integer {
                ($value:expr) => {{
                    let value: u32 = $value;
                    self.x[to] = value;
                }};
            }
            macro_rules! branch {
                ($is_taken:expr) => {
                    if $is_taken {
                        cycle += u64::from(instruction.cycles) + branch_taken;
                        retired += 1;
                        jump!(immediate as usize)
                    }
                };
            }
            macro_rules! load {
                ($type:ty, $width:expr) => {{
                    let address = self.x[first].wrapping_add(immediate);
                    let offset = address.wrapping_sub(Memory::RAM) as usize;
                    let bytes = memory.ram.get(offset..offset + size_of::<$type>());
                    match bytes.and_then(|bytes| bytes.first_chunk()) {
                        Some(bytes) => <$type>::from_le_bytes(*bytes),
                        None => {
                            match load_elsewhere(memory, devices, address, $width, &mut cycle) {
                                Ok(value) => {
                                    if devices.wants_attention() {
                                        until = 0;
                                    }
                                    value as $type
                                }
                                Err(Fault(number)) => raise!(number, address),
                            }
                        }
                    }
                }};
            }
            macro_rules! store {
                ($type:ty, $width:expr, $value:expr) => {{
                    let address = self.x[first].wrapping_add(immediate);
                    let offset = address.wrapping_sub(Memory::RAM) as usize;
                    let bytes = memory.ram.get_mut(offset..offset + size_of::<$type>());
                    if let Some(bytes) = bytes {
                        bytes.copy_from_slice(&($value as $type).to_le_bytes());
                        if memory.code.is_marked(offset) {
                            memory.code.forget_ram(offset, size_of::<$type>());
                        }
                    } else {
                        match store_elsewhere(memory, devices, address, $width, $value, &mut cycle)
                        {
                            Ok(After::GoOn) => {}
                            Ok(After::Stop) => {
                                index += length;
                                cycle += u64::from(instruction.cycles);
                                retired += 1;
                                keep!();
                                return Left::For(Stopped::Device);
                            }
                            Err(Fault(number)) => raise!(number, address),
                        }
                    }
                }};
            }
            macro_rules! needs_float {
                () => {
                    if !self.control.has_float() {
                        illegal!()
                    }
                };
            }
            // A floating-point result.
            macro_rules! set_float {
                ($value:expr) => {{
                    let value: u32 = $value;
                    self.f[to & 31] = value;
                    self.control.touch_float();
                }};
            }
            macro_rules! rounding {
                () => {{
                    needs_float!();
                    let mode = if instruction.mode == 7 {
                        self.control.frm
                    } else {
                        u32::from(instruction.mode)
                    };
                    match Rounding::of(mode) {
                        Some(rounding) => rounding,
                        None => illegal!(),
                    }
                }};
            }
            // An integer result of floating-point operands, which may raise flags.
            macro_rules! integer_with_flags {
                (|$flags:ident| $value:expr) => {{
                    let mut raised = self.control.fflags;
                    let $flags = &mut raised;
                    integer!($value);
                    if raised != self.control.fflags {
                        self.control.fflags = raised;
                        self.control.touch_float();
                    }
                }};
            }

            match instruction.op {
                Op::Undecoded => {
                    let halves = memory.halves(index);
                    memory.code.fill(index, halves, &memory.timing);
                    continue;
                }
                Op::Outside => {
                    // The part that is not there: the second half, if the first one is.
                    let address = memory.code.address(index);
                    let is_half = memory.code.index(address).is_some();
                    raise!(cause::FETCH_FAULT, address.wrapping_add(if is_half { 2 } else { 0 }))
                }
                Op::Breakpoint => {
                    keep!();
                    self.passes = Some(self.pc);
                    return Left::For(Stopped::Breakpoint);
                }
                Op::Illegal => raise!(cause::ILLEGAL, immediate),
                Op::Constant => integer!(immediate),
                Op::Jal => {
                    if immediate as usize == index && to == 32 {
                        keep!();
                        return self.spin(instruction.cycles, until);
                    }
                    integer!(memory.code.address(index + length));
                    cycle += u64::from(instruction.cycles);
                    retired += 1;
                    jump!(immediate as usize)
                }
                Op::JalFar => {
                    integer!(memory.code.address(index + length));
                    cycle += u64::from(instruction.cycles);
                    retired += 1;
                    jump_to_address!(immediate)
                }
                Op::Jalr => {
                    let target = self.x[first].wrapping_add(immediate) & !1;
                    integer!(memory.code.address(index + length));
                    cycle += u64::from(instruction.cycles);
                    retired += 1;
                    jump_to_address!(target)
                }
                Op::Beq => branch!(self.x[first] == self.x[second]),
                Op::Bne => branch!(self.x[first] != self.x[second]),
                Op::Blt => branch!((self.x[first] as i32) < self.x[second] as i32),
                Op::Bge => branch!(self.x[first] as i32 >= self.x[second] as i32),
                Op::Bltu => branch!(self.x[first] < self.x[second]),
                Op::Bgeu => branch!(self.x[first] >= self.x[second]),
                Op::BranchFar => {
                    if is_taken(instruction.mode, self.x[first], self.x[second]) {
                        cycle += u64::from(instruction.cycles) + branch_taken;
                        retired += 1;
                        jump_to_address!(immediate)
                    }
                }
                Op::Lb => integer!(load!(u8, Width::Byte) as i8 as u32),
                Op::Lh => integer!(load!(u16, Width::Half) as i16 as u32),
                Op::Lw => integer!(load!(u32, Width::Word)),
                Op::Lbu => integer!(u32::from(load!(u8, Width::Byte))),
                Op::Lhu => integer!(u32::from(load!(u16, Width::Half))),
                Op::Sb => store!(u8, Width::Byte, self.x[second]),
                Op::Sh => store!(u16, Width::Half, self.x[second]),
                Op::Sw => store!(u32, Width::Word, self.x[second]),
                Op::Addi => integer!(self.x[first].wrapping_add(immediate)),
                Op::Slti => integer!(u32::from((self.x[first] as i32) < immediate as i32)),
                Op::Sltiu => integer!(u32::from(self.x[first] < immediate)),
                Op::Xori => integer!(self.x[first] ^ immediate),
                Op::Ori => integer!(self.x[first] | immediate),
                Op::Andi => integer!(self.x[first] & immediate),
                Op::Slli => integer!(self.x[first] << (immediate & 31)),
                Op::Srli => integer!(self.x[first] >> (immediate & 31)),
                Op::Srai => integer!((self.x[first] as i32 >> (immediate & 31)) as u32),
                Op::Add => integer!(self.x[first].wrapping_add(self.x[second])),
                Op::Sub => integer!(self.x[first].wrapping_sub(self.x[second])),
                Op::Sll => integer!(self.x[first] << (self.x[second] & 31)),
                Op::Slt => integer!(u32::from((self.x[first] as i32) < self.x[second] as i32)),
                Op::Sltu => integer!(u32::from(self.x[first] < self.x[second])),
                Op::Xor => integer!(self.x[first] ^ self.x[second]),
                Op::Srl => integer!(self.x[first] >> (self.x[second] & 31)),
                Op::Sra => integer!((self.x[first] as i32 >> (self.x[second] & 31)) as u32),
                Op::Or => integer!(self.x[first] | self.x[second]),
                Op::And => integer!(self.x[first] & self.x[second]),
                Op::Mul => integer!(self.x[first].wrapping_mul(self.x[second])),
                Op::Mulh => {
                    let product =
                        i64::from(self.x[first] as i32) * i64::from(self.x[second] as i32);
                    integer!((product >> 32) as u32)
                }
                Op::Mulhsu => {
                    let product = i64::from(self.x[first] as i32) * i64::from(self.x[second]);
                    integer!((product >> 32) as u32)
                }
                Op::Mulhu => {
                    let product = u64::from(self.x[first]) * u64::from(self.x[second]);
                    integer!((product >> 32) as u32)
                }
                Op::Div => integer!(match self.x[second] as i32 {
                    0 => u32::MAX,
                    divisor => (self.x[first] as i32).wrapping_div(divisor) as u32,
                }),
                Op::Divu => integer!(self.x[first].checked_div(self.x[second]).unwrap_or(u32::MAX)),
                Op::Rem => integer!(match self.x[second] as i32 {
                    0 => self.x[first],
                    divisor => (self.x[first] as i32).wrapping_rem(divisor) as u32,
                }),
                Op::Remu => {
                    integer!(self.x[first].checked_rem(self.x[second]).unwrap_or(self.x[first]))
                }
                // Accesses are in order, and what was decoded is always what memory holds.
                Op::Fence => {}
                Op::Ecall => raise!(cause::CALL, 0),
                Op::Ebreak => raise!(cause::BREAKPOINT, memory.code.address(index)),
                Op::Mret => {
                    cycle += u64::from(instruction.cycles);
                    retired += 1;
                    keep!();
                    self.pc = self.control.leave();
                    return Left::ToLook;
                }
                Op::Wfi => {
                    index += length;
                    cycle += u64::from(instruction.cycles);
                    retired += 1;
                    keep!();
                    if self.control.is_awaited() {
                        return Left::ToLook;
                    }
                    self.is_waiting = true;
                    return Left::For(Stopped::Waiting);
                }
                Op::Csr => {
                    keep!();
                    if !self.access_register(instruction, devices.time(cycle)) {
                        illegal!()
                    }
                    index += length;
                    cycle += u64::from(instruction.cycles);
                    retired += 1;
                    keep!();
                    return Left::ToLook;
                }
                Op::LoadReserved | Op::StoreConditional | Op::Atomic => {
                    match self.access_atomically(memory, instruction) {
                        Ok(value) => integer!(value),
                        Err(Fault(number)) => raise!(number, self.x[first]),
                    }
                }
                Op::Flw => {
                    needs_float!();
                    set_float!(load!(u32, Width::Word))
                }
                Op::Fsw => {
                    needs_float!();
                    store!(u32, Width::Word, self.f[second])
                }
                Op::Fmadd | Op::Fmsub | Op::Fnmsub | Op::Fnmadd => {
                    let rounding = rounding!();
                    let negates_product = matches!(instruction.op, Op::Fnmsub | Op::Fnmadd);
                    let negates_addend = matches!(instruction.op, Op::Fmsub | Op::Fnmadd);
                    let sign = |negates| if negates { 1 << 31 } else { 0 };
                    let a = self.f[first] ^ sign(negates_product);
                    let c = self.f[usize::from(instruction.third & 31)] ^ sign(negates_addend);
                    set_float!(float::fused(
                        a,
                        self.f[second],
                        c,
                        rounding,
                        &mut self.control.fflags
                    ))
                }
                Op::Fadd => {
                    let rounding = rounding!();
                    let flags = &mut self.control.fflags;
                    set_float!(float::add(self.f[first], self.f[second], rounding, flags))
                }
                Op::Fsub => {
                    let rounding = rounding!();
                    let flags = &mut self.control.fflags;
                    set_float!(float::subtract(self.f[first], self.f[second], rounding, flags))
                }
                Op::Fmul => {
                    let rounding = rounding!();
                    let flags = &mut self.control.fflags;
                    set_float!(float::multiply(self.f[first], self.f[second], rounding, flags))
                }
                Op::Fdiv => {
                    let rounding = rounding!();
                    let flags = &mut self.control.fflags;
                    set_float!(float::divide(self.f[first], self.f[second], rounding, flags))
                }
                Op::Fsqrt => {
                    let rounding = rounding!();
                    set_float!(float::square_root(
                        self.f[first],
                        rounding,
                        &mut self.control.fflags
                    ))
                }
                Op::Fsgnj | Op::Fsgnjn | Op::Fsgnjx => {
                    needs_float!();
                    let (a, b) = (self.f[first], self.f[second]);
                    let sign = match instruction.op {
                        Op::Fsgnj => b,
                        Op::Fsgnjn => !b,
                        _ => a ^ b,
                    };
                    set_float!(a & 0x7fff_ffff | sign & 0x8000_0000)
                }
                Op::Fmin => {
                    needs_float!();
                    let flags = &mut self.control.fflags;
                    set_float!(float::minimum(self.f[first], self.f[second], flags))
                }
                Op::Fmax => {
                    needs_float!();
                    let flags = &mut self.control.fflags;
                    set_float!(float::maximum(self.f[first], self.f[second], flags))
                }
                Op::FcvtWS => {
                    let rounding = rounding!();
                    let (least, greatest) = (i64::from(i32::MIN), i64::from(i32::MAX));
                    integer_with_flags!(|flags| exact::to_integer(
                        self.f[first],
                        least,
                        greatest,
                        rounding,
                        flags
                    ) as u32)
                }
                Op::FcvtWuS => {
                    let rounding = rounding!();
                    let greatest = i64::from(u32::MAX);
                    integer_with_flags!(|flags| exact::to_integer(
                        self.f[first],
                        0,
                        greatest,
                        rounding,
                        flags
                    ) as u32)
                }
                Op::FmvXW => {
                    needs_float!();
                    integer!(self.f[first])
                }
                Op::Feq => {
                    needs_float!();
                    integer_with_flags!(|flags| u32::from(float::equal(
                        self.f[first],
                        self.f[second],
                        flags
                    )))
                }
                Op::Flt => {
                    needs_float!();
                    integer_with_flags!(|flags| u32::from(float::less(
                        self.f[first],
                        self.f[second],
                        flags
                    )))
                }
                Op::Fle => {
                    needs_float!();
                    integer_with_flags!(|flags| u32::from(float::less_or_equal(
                        self.f[first],
                        self.f[second],
                        flags
                    )))
                }
                Op::Fclass => {
                    needs_float!();
                    integer!(float::class(self.f[first]))
                }
                Op::FcvtSW => {
                    let rounding = rounding!();
                    let value = i64::from(self.x[first] as i32);
                    set_float!(exact::from_integer(value, rounding, &mut self.control.fflags))
                }
                Op::FcvtSWu => {
                    let rounding = rounding!();
                    let value = i64::from(self.x[first]);
                    set_float!(exact::from_integer(value, rounding, &mut self.control.fflags))
                }
                Op::FmvWX => {
                    needs_float!();
                    set_float!(self.x[first])
                }
            }
            index += length;
            cycle += u64::from(instruction.cycles);
            retired += 1;
        }
        keep!();
        Left::ToLook
    }

    /// A jump to itself: all of its rounds at once.
    fn spin(&mut self, cycles: u8, until: u64) -> Left {
        let rounds = (until - self.cycle).div_ceil(u64::from(cycles));
        self.cycle += rounds * u64::from(cycles);
        self.retired += rounds;
        if self.control.is_interruptible() { Left::ToLook } else { Left::For(Stopped::Looping) }
    }

    /// An instruction of Zicsr; says whether it was legal.
    fn access_register(&mut self, instruction: Instruction, time: u64) -> bool {
        let number = instruction.immediate;
        let operand = match instruction.mode & 4 {
            0 => self.x[usize::from(instruction.first & 31)],
            _ => u32::from(instruction.first),
        };
        let Some(old) = self.control.read(number, self.now(time)) else { return false };
        // A counter that is written has that value for the next instruction.
        let after = Now {
            cycle: self.cycle + u64::from(instruction.cycles),
            retired: self.retired + 1,
            time,
        };
        let new = match instruction.mode & 3 {
            1 => Some(operand),
            // With x0, or 0, nothing is written: read-only registers can be read so.
            2 => (instruction.first != 0).then_some(old | operand),
            _ => (instruction.first != 0).then_some(old & !operand),
        };
        if let Some(new) = new
            && !self.control.write(number, new, after)
        {
            return false;
        }
        self.x[usize::from(instruction.to & 63)] = old;
        true
    }

    /// An instruction of the "A" extension, on a word of memory.
    fn access_atomically(
        &mut self,
        memory: &mut Memory,
        instruction: Instruction,
    ) -> Result<u32, Fault> {
        let address = self.x[usize::from(instruction.first & 31)];
        let operand = self.x[usize::from(instruction.second & 31)];
        let is_load = instruction.op == Op::LoadReserved;
        if address & 3 != 0 {
            return Err(Fault(if is_load {
                cause::LOAD_MISALIGNED
            } else {
                cause::STORE_MISALIGNED
            }));
        }
        let mut bytes = [0; 4];
        if is_load {
            memory.read(address, &mut bytes).map_err(|_| Fault(cause::LOAD_FAULT))?;
            memory.reservation = Some(address);
            return Ok(u32::from_le_bytes(bytes));
        }
        let offset = address.wrapping_sub(Memory::RAM);
        if offset >= memory.ram_bytes() {
            return Err(Fault(cause::STORE_FAULT));
        }
        let offset = offset as usize;
        bytes.copy_from_slice(&memory.ram[offset..offset + 4]);
        let old = u32::from_le_bytes(bytes);
        let (new, result) = if instruction.op == Op::StoreConditional {
            if memory.reservation.take() != Some(address) {
                return Ok(1);
            }
            (operand, 0)
        } else {
            (combined(instruction.mode, old, operand), old)
        };
        memory.ram[offset..offset + 4].copy_from_slice(&new.to_le_bytes());
        if memory.code.is_marked(offset) {
            memory.code.forget_ram(offset, 4);
        }
        Ok(result)
    }
}

/// What an atomic operation of a funct5 writes.
fn combined(funct5: u8, old: u32, operand: u32) -> u32 {
    match funct5 {
        0b00000 => old.wrapping_add(operand),
        0b00001 => operand,
        0b00100 => old ^ operand,
        0b01000 => old | operand,
        0b01100 => old & operand,
        0b10000 => (old as i32).min(operand as i32) as u32,
        0b10100 => (old as i32).max(operand as i32) as u32,
        0b11000 => old.min(operand),
        _ => old.max(operand),
    }
}

/// Whether a branch of a funct3 is taken.
fn is_taken(funct3: u8, a: u32, b: u32) -> bool {
    match funct3 {
        0 => a == b,
        1 => a != b,
        4 => (a as i32) < b as i32,
        5 => a as i32 >= b as i32,
        6 => a < b,
        _ => a >= b,
    }
}

/// Whether bytes that are not all in RAM and not all in flash begin in one of them.
fn leaves_memory(memory: &Memory, address: u32) -> bool {
    address.wrapping_sub(Memory::RAM) < memory.ram_bytes()
        || address.wrapping_sub(Memory::FLASH) < memory.flash_bytes()
}

/// Loads from where RAM is not. The cycles of a load are those of RAM: what differs is added.
#[inline(never)]
fn load_elsewhere<D: Devices>(
    memory: &mut Memory,
    devices: &mut D,
    address: u32,
    width: Width,
    cycle: &mut u64,
) -> Result<u32, Fault> {
    let offset = address.wrapping_sub(Memory::FLASH);
    let bytes = width.bytes();
    let end = offset as usize + bytes as usize;
    if let Some(found) = memory.flash.get(offset as usize..end) {
        let mut value = [0; 4];
        value[..bytes as usize].copy_from_slice(found);
        if let Some(reads) = &mut memory.reads {
            *cycle += u64::from(reads.enter(offset / memory.timing.flash_line, *cycle));
        }
        *cycle -= u64::from(memory.timing.ram_wait_states);
        return Ok(u32::from_le_bytes(value));
    }
    if leaves_memory(memory, address) {
        return Err(Fault(cause::LOAD_FAULT));
    }
    if address & (bytes - 1) != 0 {
        return Err(Fault(cause::LOAD_MISALIGNED));
    }
    let value =
        devices.load(memory, address, width, *cycle).map_err(|_| Fault(cause::LOAD_FAULT))?;
    *cycle += u64::from(memory.timing.device_wait_states);
    *cycle -= u64::from(memory.timing.ram_wait_states);
    Ok(value)
}

/// Stores to where RAM is not.
#[inline(never)]
fn store_elsewhere<D: Devices>(
    memory: &mut Memory,
    devices: &mut D,
    address: u32,
    width: Width,
    value: u32,
    cycle: &mut u64,
) -> Result<After, Fault> {
    if leaves_memory(memory, address) {
        return Err(Fault(cause::STORE_FAULT));
    }
    let bits = width.bytes() * 8;
    if address & (width.bytes() - 1) != 0 {
        return Err(Fault(cause::STORE_MISALIGNED));
    }
    let value = value & u32::MAX >> (32 - bits);
    let stored = devices.store(memory, address, width, value, *cycle);
    let after = stored.map_err(|_| Fault(cause::STORE_FAULT))?;
    *cycle += u64::from(memory.timing.device_wait_states);
    *cycle -= u64::from(memory.timing.ram_wait_states);
    Ok(after)
}
