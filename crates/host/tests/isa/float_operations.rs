//! Float instructions one by one, each with its own result and its own flags: in programs as a whole a flag that is set
//! hides the next one.

use crate::assembler::{assemble_program, load_immediate};
use crate::batch::{RAM_BYTES, finish};
use crate::differential::{programs, run_ours};
use crate::elf::{BASE, elf};
use crate::random::Random;
use crate::{qemu, user_level};

/// Operations in one image.
const OPERATIONS: u32 = 10_000;
const DATA: u32 = BASE + 0x10_0000;
/// An operation has three operands, a result, flags.
const RECORD: u32 = 20;

/// An image that executes operations, where user level begins in it, and the operations in words.
struct Image {
    bytes: Vec<u8>,
    user_level: u32,
    operations: Vec<String>,
}

impl Image {
    fn new(seed: u64) -> Result<Image, String> {
        let mut random = Random::new(seed);
        let mut lines: Vec<String> = load_immediate(5, 0x6000).to_vec();
        lines.extend(["csrrw x0, mstatus, x5", "user_level:"].map(str::to_owned));
        lines.extend(load_immediate(31, DATA));
        let mut operations = Vec::new();
        for _ in 0..OPERATIONS {
            let (operation, gives_integer) = operation(&mut random);
            lines.extend((1..4).map(|n| format!("flw f{n}, {}(x31)", 4 * (n - 1))));
            lines.push("lw x1, 0(x31)".to_owned());
            lines.push(operation.clone());
            lines.push(format!("{}, 12(x31)", if gives_integer { "sw x4" } else { "fsw f4" }));
            lines.push("csrrwi x5, fflags, 0".to_owned());
            lines.push("sw x5, 16(x31)".to_owned());
            lines.push(format!("addi x31, x31, {RECORD}"));
            operations.push(operation);
        }
        lines.extend(finish());
        let program = assemble_program(BASE, &lines)?;
        let mut bytes = program.bytes;
        if bytes.len() as u32 > DATA - BASE {
            return Err("the operations reach into their data: take fewer".to_owned());
        }
        bytes.resize((DATA - BASE) as usize, 0);
        for operation in &operations {
            let is_integer = operation.starts_with("fcvt.s.w") && random.once_in(2);
            let first = if is_integer { random.word() } else { random.float() };
            let second = random.partner(first);
            let third = if random.once_in(2) {
                near_product(&mut random, first, second)
            } else {
                random.partner(first)
            };
            bytes.extend([first, second, third, 0, 0].into_iter().flat_map(u32::to_le_bytes));
        }
        Ok(Image { bytes, user_level: program.labels["user_level"], operations })
    }

    /// Where results differ, in words.
    fn differences(&self, is: &[u8], should: &[u8]) -> Vec<String> {
        let record = |memory: &[u8], n: usize| -> Vec<String> {
            let at = (DATA - BASE) as usize + n * RECORD as usize;
            let words = memory[at..at + RECORD as usize].chunks_exact(4);
            words
                .map(|word| format!("{:02x}{:02x}{:02x}{:02x}", word[3], word[2], word[1], word[0]))
                .collect()
        };
        let all = self.operations.iter().enumerate();
        all.map(|(n, operation)| (operation, record(is, n), record(should, n)))
            .filter(|(_, is, should)| is != should)
            .map(|(operation, is, should)| {
                format!(
                    "{operation}: {} is {}, should be {}",
                    is[..3].join(" "),
                    is[3..].join(" "),
                    should[3..].join(" ")
                )
            })
            .collect()
    }
}

/// A product of these as f32 arithmetic rounds it, its sign perhaps the other, so that a fused sum cancels.
fn near_product(random: &mut Random, first: u32, second: u32) -> u32 {
    (f32::from_bits(first) * f32::from_bits(second)).to_bits() ^ random.below(2) << 31
}

/// An instruction from f1, f2, f3 and x1 to f4 or x4, and whether it is x4.
fn operation(random: &mut Random) -> (String, bool) {
    let rounding = random.name("rne rtz rdn rup rmm");
    match random.below(12) {
        0..=3 => (
            format!("{} f4, f1, f2, {rounding}", random.name("fadd.s fsub.s fmul.s fdiv.s")),
            false,
        ),
        4..=6 => {
            let name = random.name("fmadd.s fmsub.s fnmsub.s fnmadd.s");
            (format!("{name} f4, f1, f2, f3, {rounding}"), false)
        }
        7 => (format!("fsqrt.s f4, f1, {rounding}"), false),
        8 => (format!("{} x4, f1, {rounding}", random.name("fcvt.w.s fcvt.wu.s")), true),
        9 => (format!("{} f4, x1, {rounding}", random.name("fcvt.s.w fcvt.s.wu")), false),
        10 => (
            format!("{} f4, f1, f2", random.name("fmin.s fmax.s fsgnj.s fsgnjn.s fsgnjx.s")),
            false,
        ),
        _ => (format!("{} x4, f1, f2", random.name("feq.s flt.s fle.s")), true),
    }
}

fn compare(theirs: impl Fn(&Image) -> Result<Vec<u8>, String>) {
    for seed in 0..u64::from(programs().div_ceil(250)) {
        let image = Image::new(seed).unwrap_or_else(|error| panic!("{error}"));
        let should = theirs(&image).unwrap_or_else(|error| panic!("{error}"));
        let wrong = image.differences(&run_ours(&image.bytes), &should);
        assert!(
            wrong.is_empty(),
            "seed {seed}, {}: {}",
            wrong.len(),
            wrong[..wrong.len().min(30)].join("\n")
        );
    }
}

#[test]
fn float_operations_give_what_softfloat_gives() {
    compare(|image| user_level::run(&image.bytes, RAM_BYTES, image.user_level));
}

#[test]
fn float_operations_give_what_qemu_gives() {
    if !qemu::is_missing() {
        compare(|image| qemu::run(&elf(&image.bytes), RAM_BYTES as usize));
    }
}
