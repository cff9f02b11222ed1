//! The machine's arithmetic and exact arithmetic agree, and rounding goes where it should.

use super::*;

/// Operands: special ones, and random ones that are often near each other or near a limit.
struct Operands(u64);

impl Operands {
    fn next(&mut self) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = (self.0 >> 32) as u32;
        let special =
            [0, 1, 0x7f_ffff, LEAST_NORMAL, LEAST_NORMAL + 1, 0x3f80_0000, INFINITY - 1, INFINITY];
        let nans = [NAN, 0x7f80_0001, 0x7fff_ffff];
        match (self.0 >> 20) % 8 {
            0 => special[random as usize % 8] | random & SIGN,
            1 => nans[random as usize % 3] | random & SIGN,
            // Exponents near 1, few bits: exact results are common.
            2 => random & 0x80f0_0000 | 0x3f00_0000,
            3 => random & 0x83ff_ffff | 0x3c00_0000,
            4 => random & 0x80ff_ffff,
            _ => random,
        }
    }
}

const ROUNDS: usize = 200_000;

fn agree(
    name: &str,
    fast: impl Fn([u32; 3], &mut u32) -> u32,
    exact: impl Fn([u32; 3], &mut u32) -> u32,
) {
    let mut operands = Operands(1);
    for _ in 0..ROUNDS {
        let abc = [operands.next(), operands.next(), operands.next()];
        let (mut fast_flags, mut exact_flags) = (0, 0);
        let results = (fast(abc, &mut fast_flags), exact(abc, &mut exact_flags));
        assert_eq!(results.0, results.1, "{name} {abc:x?}");
        assert_eq!(fast_flags, exact_flags, "flags of {name} {abc:x?}");
    }
}

#[test]
fn the_fast_way_and_the_exact_way_agree_in_results_and_flags() {
    let nearest = Rounding::NearestEven;
    agree("add", |[a, b, _], f| add(a, b, f), |[a, b, _], f| exact::add(a, b, nearest, f));
    agree(
        "multiply",
        |[a, b, _], f| multiply(a, b, f),
        |[a, b, _], f| exact::multiply(a, b, nearest, f),
    );
    agree("divide", |[a, b, _], f| divide(a, b, f), |[a, b, _], f| exact::divide(a, b, nearest, f));
    agree(
        "square root",
        |[a, ..], f| square_root(a, f),
        |[a, ..], f| exact::square_root(a, nearest, f),
    );
    agree(
        "fused",
        |[a, b, c], f| fused(a, b, c, f),
        |[a, b, c], f| exact::fused(a, b, c, nearest, f),
    );
}

#[test]
fn the_fast_conversions_and_the_exact_ones_agree() {
    let word = |value: u32| i64::from(value as i32);
    let nearest = Rounding::NearestEven;
    let (least, greatest) = (i64::from(i32::MIN), i64::from(i32::MAX));
    agree(
        "from signed",
        |[a, ..], f| from_signed(a, f),
        |[a, ..], f| exact::from_integer(word(a), nearest, f),
    );
    agree(
        "truncate",
        |[a, ..], f| truncate(a, f),
        |[a, ..], f| exact::to_integer(a, least, greatest, Rounding::Zero, f) as u32,
    );
}

#[test]
fn the_exact_way_gives_the_results_of_the_machine() {
    let canonical = |value: f32| if value.is_nan() { NAN } else { value.to_bits() };
    let float = f32::from_bits;
    let nearest = Rounding::NearestEven;
    let machine =
        |name, exact: fn(u32, u32, Rounding, &mut u32) -> u32, op: fn(f32, f32) -> f32| {
            agree(
                name,
                |[a, b, _], f| exact(a, b, nearest, f),
                |[a, b, _], f| {
                    exact(a, b, nearest, f);
                    canonical(op(float(a), float(b)))
                },
            );
        };
    machine("add", exact::add, |a, b| a + b);
    machine("multiply", exact::multiply, |a, b| a * b);
    machine("divide", exact::divide, |a, b| a / b);
    agree(
        "fused",
        |[a, b, c], f| exact::fused(a, b, c, nearest, f),
        |[a, b, c], f| {
            exact::fused(a, b, c, nearest, f);
            canonical(float(a).mul_add(float(b), float(c)))
        },
    );
}

#[test]
fn directed_roundings_enclose_the_result_and_are_neighbours() {
    let mut operands = Operands(2);
    for _ in 0..ROUNDS {
        let (a, b) = (operands.next(), operands.next());
        for op in [exact::add, exact::multiply, exact::divide] {
            let mut flags = [0; 5];
            let mut result = |at: usize, rounding| op(a, b, rounding, &mut flags[at]);
            let down = result(0, Rounding::Down);
            let up = result(1, Rounding::Up);
            let (even, away) = (result(2, Rounding::NearestEven), result(3, Rounding::NearestAway));
            let zero = result(4, Rounding::Zero);
            if is_nan(down) {
                assert!([up, even, away, zero].iter().all(|&other| other == NAN));
                continue;
            }
            let is_exact = flags[0] & flag::INEXACT == 0;
            assert!(flags.iter().all(|raised| (raised & flag::INEXACT == 0) == is_exact));
            // Exact zeros differ in sign only.
            let steps = order(up).wrapping_sub(order(down));
            let is_zero = down & !SIGN == 0 && up & !SIGN == 0;
            assert!(
                is_zero || steps == if is_exact { 0 } else { 1 },
                "{a:x} {b:x}: {down:x} {up:x}"
            );
            assert!(is_zero || [even, away, zero].iter().all(|&one| one == down || one == up));
            let towards_zero = if order(down) >= 0 { down } else { up };
            assert!(is_zero || zero == towards_zero);
        }
    }
}

#[test]
fn underflow_is_told_after_rounding() {
    let flags_of = |a: u32, b: u32| {
        let mut flags = 0;
        let result = multiply(a, b, &mut flags);
        (result, flags)
    };
    let half = 0x3f00_0000;
    // Half of the least normal number is exact: tiny, but no underflow.
    assert_eq!(flags_of(LEAST_NORMAL, half), (0x40_0000, 0));
    // (1 - 2^-24) times the least normal number rounds to it, with 24 bits it would not.
    assert_eq!(
        flags_of(0x3f7f_ffff, LEAST_NORMAL),
        (LEAST_NORMAL, flag::INEXACT | flag::UNDERFLOW)
    );
    // (1 - 2^-23)(1 + 2^-23) = 1 - 2^-46 is one with 24 bits, too.
    let product = flags_of(0x3f7f_fffe, LEAST_NORMAL + 1);
    assert_eq!(product, (LEAST_NORMAL, flag::INEXACT));
}

#[test]
fn conversions_saturate_and_round_in_all_modes() {
    let to_word = |value: f32, rounding| {
        let mut flags = 0;
        let least = i64::from(i32::MIN);
        (
            exact::to_integer(value.to_bits(), least, i64::from(i32::MAX), rounding, &mut flags),
            flags,
        )
    };
    let modes = [
        Rounding::NearestEven,
        Rounding::Zero,
        Rounding::Down,
        Rounding::Up,
        Rounding::NearestAway,
    ];
    let rounded = |value| modes.map(|mode| to_word(value, mode).0);
    assert_eq!(rounded(2.5), [2, 2, 2, 3, 3]);
    assert_eq!(rounded(-2.5), [-2, -2, -3, -2, -3]);
    assert_eq!(rounded(-1e-40), [0, 0, -1, 0, 0]);
    assert_eq!(to_word(7.0, Rounding::Zero), (7, 0));
    assert_eq!(to_word(7.25, Rounding::Zero), (7, flag::INEXACT));
    assert_eq!(to_word(3e9, Rounding::Zero), (i64::from(i32::MAX), flag::INVALID));
    assert_eq!(to_word(-2_147_483_648.0, Rounding::Zero), (i64::from(i32::MIN), 0));
    assert_eq!(to_word(f32::NEG_INFINITY, Rounding::Up), (i64::from(i32::MIN), flag::INVALID));
    assert_eq!(to_word(f32::NAN, Rounding::Up), (i64::from(i32::MAX), flag::INVALID));
    let mut flags = 0;
    assert_eq!(
        exact::to_integer(
            (-0.75_f32).to_bits(),
            0,
            i64::from(u32::MAX),
            Rounding::Zero,
            &mut flags
        ),
        0
    );
    assert_eq!(flags, flag::INEXACT);
    let mut flags = 0;
    assert_eq!(exact::from_integer(16_777_217, Rounding::Up, &mut flags), 16_777_218_f32.to_bits());
    assert_eq!(flags, flag::INEXACT);
}

#[test]
fn least_and_greatest_prefer_numbers_and_know_signed_zeros() {
    let mut flags = 0;
    assert_eq!(minimum(0, SIGN, &mut flags), SIGN);
    assert_eq!(maximum(SIGN, 0, &mut flags), 0);
    assert_eq!(minimum(NAN, 1, &mut flags), 1);
    assert_eq!(flags, 0);
    assert_eq!(maximum(0xff80_0001, 1, &mut flags), 1);
    assert_eq!(flags, flag::INVALID);
    assert_eq!(maximum(0xffff_ffff, NAN, &mut 0), NAN);
}

#[test]
fn classes_are_ten() {
    let classes = [
        0xff80_0000,
        0xbf80_0000,
        0x8000_0001,
        SIGN,
        0,
        1,
        0x3f80_0000,
        INFINITY,
        0x7f80_0001,
        NAN,
    ];
    for (bit, value) in classes.into_iter().enumerate() {
        assert_eq!(class(value), 1 << bit, "{value:x}");
    }
}
