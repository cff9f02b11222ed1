//! Arithmetic on the bits of floats, with integers: exact values first, rounded once.

use super::{INFINITY, NAN, Rounding, SIGN, flag, is_nan, is_signaling};

/// (-1)^negative · significand · 2^exponent, not zero. The last bit of the significand may stand for
/// anything smaller that is not zero, if there are enough bits before it.
#[derive(Clone, Copy)]
struct Exact {
    is_negative: bool,
    exponent: i32,
    significand: u128,
}

/// What the bits of an operand say.
enum Operand {
    Zero,
    Finite(Exact),
    Infinite,
}

fn is_negative(a: u32) -> bool {
    a & SIGN != 0
}

fn signed(magnitude: u32, is_negative: bool) -> u32 {
    magnitude | if is_negative { SIGN } else { 0 }
}

/// Takes an operand apart that is not a NaN.
fn open(a: u32) -> Operand {
    let (exponent, fraction) = ((a >> 23 & 0xff) as i32, a & 0x7f_ffff);
    let significand = match (exponent, fraction) {
        (0xff, _) => return Operand::Infinite,
        (0, 0) => return Operand::Zero,
        (0, _) => fraction,
        _ => fraction | 0x80_0000,
    };
    let significand = u128::from(significand);
    Operand::Finite(Exact {
        is_negative: is_negative(a),
        exponent: exponent.max(1) - 150,
        significand,
    })
}

/// The NaN that operands with a NaN among them give, and its flag.
fn with_nans(operands: &[u32], flags: &mut u32) -> Option<u32> {
    if operands.iter().any(|&a| is_signaling(a)) {
        *flags |= flag::INVALID;
    }
    operands.iter().any(|&a| is_nan(a)).then_some(NAN)
}

fn invalid(flags: &mut u32) -> u32 {
    *flags |= flag::INVALID;
    NAN
}

/// Shifts to the right; what is lost makes the last bit 1.
fn shift_jamming(value: u128, by: u32) -> u128 {
    match by {
        0 => value,
        1..=127 => value >> by | u128::from(value << (128 - by) != 0),
        _ => u128::from(value != 0),
    }
}

/// Takes `drop` bits off and rounds what is left; says whether anything but zeros was dropped.
fn round_off(value: u128, drop: u32, is_negative: bool, rounding: Rounding) -> (u128, bool) {
    let (kept, rest, half) = (value >> drop, value & ((1 << drop) - 1), 1 << (drop - 1));
    let up = match rounding {
        Rounding::NearestEven => rest > half || (rest == half && kept & 1 == 1),
        Rounding::NearestAway => rest >= half,
        Rounding::Zero => false,
        Rounding::Down => is_negative && rest != 0,
        Rounding::Up => !is_negative && rest != 0,
    };
    (kept + u128::from(up), rest != 0)
}

/// The nearest float in the way of the rounding mode, with its flags. Tininess is detected after rounding.
fn round(value: Exact, rounding: Rounding, flags: &mut u32) -> u32 {
    // No significand reaches bit 127. With its first one in bit 126, 24 bits are kept and 103 dropped.
    const DROP: u32 = 103;
    let Exact { is_negative, .. } = value;
    let up = value.significand.leading_zeros() as i32 - 1;
    let significand = value.significand << up;
    // The exponent as in the float, if it is a normal one.
    let biased = value.exponent - up + 126 + 127;
    let (kept, is_inexact) = round_off(significand, DROP, is_negative, rounding);
    if biased >= 1 {
        // A carry out of the significand moves into the exponent, as it should.
        let bits = ((biased as u128) << 23) + (kept - 0x80_0000);
        if bits >= u128::from(INFINITY) {
            *flags |= flag::OVERFLOW | flag::INEXACT;
            let to_infinity = match rounding {
                Rounding::NearestEven | Rounding::NearestAway => true,
                Rounding::Zero => false,
                Rounding::Down => is_negative,
                Rounding::Up => !is_negative,
            };
            return signed(if to_infinity { INFINITY } else { INFINITY - 1 }, is_negative);
        }
        *flags |= u32::from(is_inexact);
        return signed(bits as u32, is_negative);
    }
    // Rounded with unbounded exponent it may just reach the least normal number.
    let is_tiny = biased < 0 || kept < 0x100_0000;
    let shifted = shift_jamming(significand, (1 - biased) as u32);
    let (kept, is_inexact) = round_off(shifted, DROP, is_negative, rounding);
    if is_inexact {
        *flags |= flag::INEXACT | if is_tiny { flag::UNDERFLOW } else { 0 };
    }
    signed(kept as u32, is_negative)
}

/// The exact sum, but for a last bit that stands for a rest; none if it is zero.
fn sum(a: Exact, b: Exact) -> Option<Exact> {
    let top = |value: &Exact| value.exponent + 127 - value.significand.leading_zeros() as i32;
    let (large, small) = if top(&a) >= top(&b) { (a, b) } else { (b, a) };
    // The larger one begins in bit 125: the sum has room, and more than 70 bits follow a product.
    let up = large.significand.leading_zeros() as i32 - 2;
    let exponent = large.exponent - up;
    let left = large.significand << up;
    let right = match small.exponent - exponent {
        up @ 0.. => small.significand << up,
        down => shift_jamming(small.significand, down.unsigned_abs()),
    };
    let (is_negative, significand) = if large.is_negative == small.is_negative {
        (large.is_negative, left + right)
    } else if left >= right {
        (large.is_negative, left - right)
    } else {
        (small.is_negative, right - left)
    };
    (significand != 0).then_some(Exact { is_negative, exponent, significand })
}

/// The sign of a zero that is the sum of things with these signs.
fn zero(a_negative: bool, b_negative: bool, rounding: Rounding) -> u32 {
    signed(0, if a_negative == b_negative { a_negative } else { rounding == Rounding::Down })
}

pub(crate) fn add(a: u32, b: u32, rounding: Rounding, flags: &mut u32) -> u32 {
    if let Some(nan) = with_nans(&[a, b], flags) {
        return nan;
    }
    match (open(a), open(b)) {
        (Operand::Infinite, Operand::Infinite) if a != b => invalid(flags),
        (Operand::Infinite, _) => a,
        (_, Operand::Infinite) => b,
        (Operand::Zero, Operand::Zero) => zero(is_negative(a), is_negative(b), rounding),
        (Operand::Zero, _) => b,
        (_, Operand::Zero) => a,
        (Operand::Finite(x), Operand::Finite(y)) => match sum(x, y) {
            Some(sum) => round(sum, rounding, flags),
            None => zero(is_negative(a), is_negative(b), rounding),
        },
    }
}

fn product(a: Exact, b: Exact) -> Exact {
    Exact {
        is_negative: a.is_negative != b.is_negative,
        exponent: a.exponent + b.exponent,
        significand: a.significand * b.significand,
    }
}

pub(crate) fn multiply(a: u32, b: u32, rounding: Rounding, flags: &mut u32) -> u32 {
    if let Some(nan) = with_nans(&[a, b], flags) {
        return nan;
    }
    let is_negative = is_negative(a ^ b);
    match (open(a), open(b)) {
        (Operand::Infinite, Operand::Zero) | (Operand::Zero, Operand::Infinite) => invalid(flags),
        (Operand::Infinite, _) | (_, Operand::Infinite) => signed(INFINITY, is_negative),
        (Operand::Zero, _) | (_, Operand::Zero) => signed(0, is_negative),
        (Operand::Finite(x), Operand::Finite(y)) => round(product(x, y), rounding, flags),
    }
}

/// a · b + c. Infinity times zero is invalid even if c is a quiet NaN.
pub(crate) fn fused(a: u32, b: u32, c: u32, rounding: Rounding, flags: &mut u32) -> u32 {
    let is_endless = |x: u32| x & !SIGN == INFINITY;
    let is_zero = |x: u32| x & !SIGN == 0;
    if is_endless(a) && is_zero(b) || is_zero(a) && is_endless(b) {
        return invalid(flags);
    }
    if let Some(nan) = with_nans(&[a, b, c], flags) {
        return nan;
    }
    let product_negative = is_negative(a ^ b);
    match (open(a), open(b), open(c)) {
        (Operand::Infinite, _, _) | (_, Operand::Infinite, _) => {
            if is_endless(c) && is_negative(c) != product_negative {
                return invalid(flags);
            }
            signed(INFINITY, product_negative)
        }
        (_, _, Operand::Infinite) => c,
        (Operand::Zero, ..) | (_, Operand::Zero, _) => match is_zero(c) {
            true => zero(product_negative, is_negative(c), rounding),
            false => c,
        },
        (Operand::Finite(x), Operand::Finite(y), Operand::Zero) => {
            round(product(x, y), rounding, flags)
        }
        (Operand::Finite(x), Operand::Finite(y), Operand::Finite(z)) => match sum(product(x, y), z)
        {
            Some(sum) => round(sum, rounding, flags),
            None => zero(product_negative, is_negative(c), rounding),
        },
    }
}

pub(crate) fn divide(a: u32, b: u32, rounding: Rounding, flags: &mut u32) -> u32 {
    if let Some(nan) = with_nans(&[a, b], flags) {
        return nan;
    }
    let is_negative = is_negative(a ^ b);
    match (open(a), open(b)) {
        (Operand::Infinite, Operand::Infinite) | (Operand::Zero, Operand::Zero) => invalid(flags),
        (Operand::Infinite, _) => signed(INFINITY, is_negative),
        (_, Operand::Infinite) | (Operand::Zero, _) => signed(0, is_negative),
        (Operand::Finite(_), Operand::Zero) => {
            *flags |= flag::DIVIDE_BY_ZERO;
            signed(INFINITY, is_negative)
        }
        (Operand::Finite(x), Operand::Finite(y)) => {
            // At least 56 bits of quotient; a remainder makes the last bit 1.
            let dividend = x.significand << 80;
            let rest = u128::from(dividend % y.significand != 0);
            let significand = (dividend / y.significand) | rest;
            let exponent = x.exponent - 80 - y.exponent;
            round(Exact { is_negative, exponent, significand }, rounding, flags)
        }
    }
}

pub(crate) fn square_root(a: u32, rounding: Rounding, flags: &mut u32) -> u32 {
    if let Some(nan) = with_nans(&[a], flags) {
        return nan;
    }
    match open(a) {
        Operand::Zero => a,
        _ if is_negative(a) => invalid(flags),
        Operand::Infinite => a,
        Operand::Finite(x) => {
            // An even exponent, and at least 40 bits of root; a remainder makes the last bit 1.
            let up = 80 + (x.exponent & 1) as u32;
            let radicand = x.significand << up;
            let root = radicand.isqrt();
            let significand = root << 1 | u128::from(root * root != radicand);
            let exponent = (x.exponent - up as i32) / 2 - 1;
            round(Exact { is_negative: false, exponent, significand }, rounding, flags)
        }
    }
}

/// `fcvt.s.w` and `fcvt.s.wu`.
pub(crate) fn from_integer(value: i64, rounding: Rounding, flags: &mut u32) -> u32 {
    if value == 0 {
        return 0;
    }
    let significand = u128::from(value.unsigned_abs());
    round(Exact { is_negative: value < 0, exponent: 0, significand }, rounding, flags)
}

/// `fcvt.w.s` and `fcvt.wu.s`: what does not fit becomes the nearest number that does, a NaN the greatest.
pub(crate) fn to_integer(
    a: u32,
    least: i64,
    greatest: i64,
    rounding: Rounding,
    flags: &mut u32,
) -> i64 {
    let saturated = |to_greatest: bool, flags: &mut u32| {
        *flags |= flag::INVALID;
        if to_greatest { greatest } else { least }
    };
    if is_nan(a) {
        return saturated(true, flags);
    }
    let value = match open(a) {
        Operand::Zero => return 0,
        Operand::Infinite => return saturated(!is_negative(a), flags),
        Operand::Finite(value) => value,
    };
    if value.exponent > 40 {
        return saturated(!value.is_negative, flags);
    }
    // Fixed point with 64 bits behind the point: at most 24 + 40 bits before it.
    let fixed = match value.exponent + 64 {
        up @ 0.. => value.significand << up,
        down => shift_jamming(value.significand, down.unsigned_abs()),
    };
    let (magnitude, is_inexact) = round_off(fixed, 64, value.is_negative, rounding);
    let whole = if value.is_negative { -(magnitude as i128) } else { magnitude as i128 };
    if whole < i128::from(least) || whole > i128::from(greatest) {
        return saturated(!value.is_negative, flags);
    }
    *flags |= u32::from(is_inexact);
    whole as i64
}
