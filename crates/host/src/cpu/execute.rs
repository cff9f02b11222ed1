//! Execution: from one decoded instruction to the next.
//!
//! The loop here holds what programs do all the time. Whatever needs more than registers, memory and plain
//! rounding is done one instruction at a time in [`rare`](super::rare).

use super::float;
use super::instruction::Instruction;
use super::instruction::Op;
use super::rare::{Exception, Left, cause};
use super::{Devices, Processor, Stopped};
use crate::memory::Memory;

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
                (self.is_fetched, self.passes) = (false, None);
                self.pc = self.control.enter(cause::INTERRUPT | interrupt as u32, self.pc, 0);
                self.cycle += u64::from(memory.timing.trap);
            } else if self.passes.take() == Some(self.pc) {
                if let Left::For(stopped) = self.pass_breakpoint(memory, devices, until) {
                    return stopped;
                }
            } else if let Left::For(stopped) = self.execute(memory, devices, until) {
                return stopped;
            }
        }
        Stopped::Reached
    }

    /// Executes one instruction as if there were no breakpoint at it, and nothing watched.
    fn pass_breakpoint<D: Devices>(
        &mut self,
        memory: &mut Memory,
        devices: &mut D,
        until: u64,
    ) -> Left {
        let Some(index) = memory.code.index(self.pc) else { return Left::ToLook };
        let bare = memory.code.decoded(index, memory.halves(index), &memory.timing);
        memory.code.instructions[index] = bare;
        memory.is_watching = false;
        let before = (self.retired, self.pc);
        let mut left = self.execute(memory, devices, self.cycle + 1);
        // It may have to wait for its lines of flash first, perhaps for too long.
        while matches!(left, Left::ToLook) && (self.retired, self.pc) == before {
            if self.cycle >= until {
                self.passes = Some(self.pc);
                break;
            }
            left = self.execute(memory, devices, self.cycle + 1);
        }
        memory.is_watching = true;
        memory.code.instructions[index] = Instruction::UNDECODED;
        left
    }

    /// Executes instructions until one needs a look at interrupts, or `until` is reached.
    fn execute<D: Devices>(&mut self, memory: &mut Memory, devices: &mut D, until: u64) -> Left {
        let Some(mut index) = memory.code.index(self.pc) else {
            let exception = Exception(cause::FETCH_FAULT, self.pc);
            return self.raise(memory, devices, exception, until);
        };
        let (mut cycle, mut retired) = (self.cycle, self.retired);
        let branch_taken = u64::from(memory.timing.branch_taken);

        // Writes back what is kept in local variables.
        macro_rules! keep {
            () => {
                self.pc = memory.code.address(index);
                self.cycle = cycle;
                self.retired = retired;
            };
        }
        // An instruction at another index is next: another line of flash may have to be read.
        macro_rules! arrive {
            () => {
                if let Some(fetches) = &mut memory.fetches
                    && index < memory.code.ram_start
                {
                    cycle += u64::from(fetches.enter(index * 2, cycle));
                }
            };
        }
        // Executes this instruction in the general way.
        macro_rules! rare {
            () => {{
                keep!();
                if let Some(left) = self.execute_rare(memory, devices, until) {
                    return left;
                }
                if devices.wants_attention() {
                    return Left::For(Stopped::Device);
                }
                let Some(next) = memory.code.index(self.pc) else { return Left::ToLook };
                index = next;
                let is_executed = self.retired != retired;
                (cycle, retired) = (self.cycle, self.retired);
                if is_executed {
                    arrive!();
                }
                continue;
            }};
        }

        if !std::mem::take(&mut self.is_fetched) {
            arrive!();
        }
        while cycle < until {
            let Instruction { immediate, op, to, first, second, cycles, enters_line, .. } =
                memory.code.instructions[index];
            let (to, first, second) = (usize::from(to), usize::from(first), usize::from(second));
            if enters_line && let Some(fetches) = &mut memory.fetches {
                let length = usize::from(memory.code.instructions[index].length);
                let wait = fetches.enter((index + length - 1) * 2, cycle);
                if wait != 0 {
                    // The instruction starts later, perhaps too late. Its line is there then.
                    cycle += u64::from(wait);
                    if cycle >= until {
                        self.is_fetched = !fetches.is_current(index * 2);
                        keep!();
                        return Left::ToLook;
                    }
                    continue;
                }
            }

            // The end of an instruction of so many halfwords.
            macro_rules! retire {
                ($length:expr) => {
                    index += $length;
                    cycle += u64::from(cycles);
                    retired += 1;
                };
            }
            macro_rules! integer {
                ($value:expr) => {{
                    let value: u32 = $value;
                    self.x[to] = value;
                }};
            }
            macro_rules! branch {
                ($is_taken:expr) => {
                    if $is_taken {
                        index = immediate as usize;
                        cycle += u64::from(cycles) + branch_taken;
                        retired += 1;
                        arrive!();
                        continue;
                    }
                };
            }
            // A jump and link over so many halfwords of its own, to an index.
            macro_rules! jump {
                ($length:expr, $target:expr) => {{
                    let target: usize = $target;
                    integer!(memory.code.address(index + $length));
                    index = target;
                    cycle += u64::from(cycles);
                    retired += 1;
                    arrive!();
                    continue;
                }};
            }
            macro_rules! near {
                () => {{
                    // A jump to itself is worth a thought.
                    if immediate as usize == index {
                        rare!()
                    }
                    immediate as usize
                }};
            }
            macro_rules! computed {
                () => {
                    match memory.code.index(self.x[first].wrapping_add(immediate)) {
                        Some(target) => target,
                        None => rare!(),
                    }
                };
            }
            macro_rules! load {
                ($type:ty) => {{
                    let address = self.x[first].wrapping_add(immediate);
                    let offset = address.wrapping_sub(Memory::RAM) as usize;
                    let bytes = memory.ram.get(offset..offset + size_of::<$type>());
                    match bytes.and_then(|bytes| bytes.first_chunk()) {
                        Some(bytes) => <$type>::from_le_bytes(*bytes),
                        None => {
                            match memory.load_from_flash::<{ size_of::<$type>() }>(address, cycle) {
                                Some((bytes, more)) => {
                                    cycle = cycle.wrapping_add(more);
                                    <$type>::from_le_bytes(bytes)
                                }
                                None => rare!(),
                            }
                        }
                    }
                }};
            }
            macro_rules! store {
                ($type:ty, $value:expr) => {{
                    let value: u32 = $value;
                    let address = self.x[first].wrapping_add(immediate);
                    let offset = address.wrapping_sub(Memory::RAM) as usize;
                    // Where something was decoded or is watched, or behind the end of RAM.
                    if memory.code.is_marked(offset) {
                        rare!()
                    }
                    match memory.ram.get_mut(offset..offset + size_of::<$type>()) {
                        Some(bytes) => bytes.copy_from_slice(&(value as $type).to_le_bytes()),
                        None => rare!(),
                    }
                }};
            }
            // Floating point is on, and rounds to the nearest.
            macro_rules! needs_plain_float {
                () => {
                    if !self.control.is_float_plain() {
                        rare!()
                    }
                };
            }
            macro_rules! float {
                ($value:expr) => {{
                    needs_plain_float!();
                    let value: u32 = $value;
                    self.f[to] = value;
                    self.control.touch_float();
                }};
            }
            macro_rules! float_operation {
                ($operation:ident($($operand:expr),*)) => {
                    float!(float::$operation($($operand,)* &mut self.control.fflags))
                };
            }
            macro_rules! fused {
                ($product:literal, $addend:literal) => {{
                    let third = usize::from(memory.code.instructions[index].third);
                    let (a, c) = (self.f[first] ^ $product, self.f[third] ^ $addend);
                    float_operation!(fused(a, self.f[second], c))
                }};
            }
            // An integer result of floating-point operands, which may raise flags.
            macro_rules! compared {
                ($operation:ident($($operand:expr),*)) => {{
                    needs_plain_float!();
                    let mut raised = 0;
                    integer!(u32::from(float::$operation($($operand,)* &mut raised)));
                    if raised != 0 {
                        self.control.raise_flags(raised);
                    }
                }};
            }
            // Ends an instruction of 16 bits.
            macro_rules! short {
                ($($body:tt)*) => {{
                    $($body)*;
                    retire!(1);
                    continue;
                }};
            }

            match op {
                Op::Constant => integer!(immediate),
                Op::ShortConstant => short!(integer!(immediate)),
                Op::Jal => jump!(2, near!()),
                Op::ShortJal => jump!(1, near!()),
                Op::Jalr => jump!(2, computed!()),
                Op::ShortJalr => jump!(1, computed!()),
                Op::Beq => branch!(self.x[first] == self.x[second]),
                Op::ShortBeq => short!(branch!(self.x[first] == self.x[second])),
                Op::Bne => branch!(self.x[first] != self.x[second]),
                Op::ShortBne => short!(branch!(self.x[first] != self.x[second])),
                Op::Blt => branch!((self.x[first] as i32) < self.x[second] as i32),
                Op::Bge => branch!(self.x[first] as i32 >= self.x[second] as i32),
                Op::Bltu => branch!(self.x[first] < self.x[second]),
                Op::Bgeu => branch!(self.x[first] >= self.x[second]),
                Op::Lb => integer!(load!(u8) as i8 as u32),
                Op::Lh => integer!(load!(u16) as i16 as u32),
                Op::Lw => integer!(load!(u32)),
                Op::ShortLw => short!(integer!(load!(u32))),
                Op::Lbu => integer!(u32::from(load!(u8))),
                Op::Lhu => integer!(u32::from(load!(u16))),
                Op::Sb => store!(u8, self.x[second]),
                Op::Sh => store!(u16, self.x[second]),
                Op::Sw => store!(u32, self.x[second]),
                Op::ShortSw => short!(store!(u32, self.x[second])),
                Op::Addi => integer!(self.x[first].wrapping_add(immediate)),
                Op::ShortAddi => short!(integer!(self.x[first].wrapping_add(immediate))),
                Op::Slti => integer!(u32::from((self.x[first] as i32) < immediate as i32)),
                Op::Sltiu => integer!(u32::from(self.x[first] < immediate)),
                Op::Xori => integer!(self.x[first] ^ immediate),
                Op::Ori => integer!(self.x[first] | immediate),
                Op::Andi => integer!(self.x[first] & immediate),
                Op::ShortAndi => short!(integer!(self.x[first] & immediate)),
                Op::Slli => integer!(self.x[first] << (immediate & 31)),
                Op::ShortSlli => short!(integer!(self.x[first] << (immediate & 31))),
                Op::Srli => integer!(self.x[first] >> (immediate & 31)),
                Op::ShortSrli => short!(integer!(self.x[first] >> (immediate & 31))),
                Op::Srai => integer!((self.x[first] as i32 >> (immediate & 31)) as u32),
                Op::ShortSrai => {
                    short!(integer!((self.x[first] as i32 >> (immediate & 31)) as u32))
                }
                Op::Add => integer!(self.x[first].wrapping_add(self.x[second])),
                Op::ShortAdd => short!(integer!(self.x[first].wrapping_add(self.x[second]))),
                Op::Sub => integer!(self.x[first].wrapping_sub(self.x[second])),
                Op::ShortSub => short!(integer!(self.x[first].wrapping_sub(self.x[second]))),
                Op::Sll => integer!(self.x[first] << (self.x[second] & 31)),
                Op::Slt => integer!(u32::from((self.x[first] as i32) < self.x[second] as i32)),
                Op::Sltu => integer!(u32::from(self.x[first] < self.x[second])),
                Op::Xor => integer!(self.x[first] ^ self.x[second]),
                Op::ShortXor => short!(integer!(self.x[first] ^ self.x[second])),
                Op::Srl => integer!(self.x[first] >> (self.x[second] & 31)),
                Op::Sra => integer!((self.x[first] as i32 >> (self.x[second] & 31)) as u32),
                Op::Or => integer!(self.x[first] | self.x[second]),
                Op::ShortOr => short!(integer!(self.x[first] | self.x[second])),
                Op::And => integer!(self.x[first] & self.x[second]),
                Op::ShortAnd => short!(integer!(self.x[first] & self.x[second])),
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
                Op::Flw => float!(load!(u32)),
                Op::ShortFlw => short!(float!(load!(u32))),
                Op::Fsw => {
                    needs_plain_float!();
                    store!(u32, self.f[second])
                }
                Op::ShortFsw => short!({
                    needs_plain_float!();
                    store!(u32, self.f[second])
                }),
                Op::Fmadd => fused!(0, 0),
                Op::Fmsub => fused!(0, 0x8000_0000),
                Op::Fnmsub => fused!(0x8000_0000, 0),
                Op::Fnmadd => fused!(0x8000_0000, 0x8000_0000),
                Op::Fadd => float_operation!(add(self.f[first], self.f[second])),
                Op::Fsub => float_operation!(subtract(self.f[first], self.f[second])),
                Op::Fmul => float_operation!(multiply(self.f[first], self.f[second])),
                Op::Fdiv => float_operation!(divide(self.f[first], self.f[second])),
                Op::Fsqrt => float_operation!(square_root(self.f[first])),
                Op::Fsgnj => float!(float::with_sign(self.f[first], self.f[second])),
                Op::Fsgnjn => float!(float::with_sign(self.f[first], !self.f[second])),
                Op::Fsgnjx => {
                    float!(float::with_sign(self.f[first], self.f[first] ^ self.f[second]))
                }
                Op::Fmin => float_operation!(minimum(self.f[first], self.f[second])),
                Op::Fmax => float_operation!(maximum(self.f[first], self.f[second])),
                Op::FcvtWS => compared!(truncate(self.f[first])),
                Op::FmvXW => {
                    needs_plain_float!();
                    integer!(self.f[first])
                }
                Op::Feq => compared!(equal(self.f[first], self.f[second])),
                Op::Flt => compared!(less(self.f[first], self.f[second])),
                Op::Fle => compared!(less_or_equal(self.f[first], self.f[second])),
                Op::FcvtSW => float_operation!(from_signed(self.x[first])),
                Op::FmvWX => float!(self.x[first]),
                _ => rare!(),
            }
            retire!(2);
        }
        keep!();
        Left::ToLook
    }
}
