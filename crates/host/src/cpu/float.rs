//! Single precision as IEEE 754 and the RISC-V "F" extension say: five roundings, exact flags, one NaN.
//!
//! [`exact`] computes with integers and is right for every operand. Here rounding is to the
//! nearest, and the common case, a result that is a normal number, is computed with the machine's own arithmetic, which is
//! the same everywhere; whether it was inexact is found out without rounding.

pub(crate) mod exact;

/// Flags of `fflags`.
pub(crate) mod flag {
    pub const INEXACT: u32 = 1;
    pub const UNDERFLOW: u32 = 2;
    pub const OVERFLOW: u32 = 4;
    pub const DIVIDE_BY_ZERO: u32 = 8;
    pub const INVALID: u32 = 16;
}

/// How to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    NearestEven,
    Zero,
    Down,
    Up,
    NearestAway,
}

impl Rounding {
    /// The mode of a number in `rm` or `frm`; 5 to 7 are none.
    pub(crate) fn of(number: u32) -> Option<Rounding> {
        use Rounding::*;
        [NearestEven, Zero, Down, Up, NearestAway].get(number as usize).copied()
    }
}

/// The one NaN that operations result in.
pub(crate) const NAN: u32 = 0x7fc0_0000;
const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
const LEAST_NORMAL: u32 = 0x0080_0000;

pub(crate) fn is_nan(a: u32) -> bool {
    a & !SIGN > INFINITY
}

fn is_signaling(a: u32) -> bool {
    is_nan(a) && a & 0x0040_0000 == 0
}

/// Whether a rounded result lets nothing but INEXACT be raised: a normal number greater than the least
/// one, which may have been rounded up to from below.
fn is_plain(result: u32) -> bool {
    let magnitude = result & !SIGN;
    magnitude > LEAST_NORMAL && magnitude < INFINITY
}

fn widen(a: u32) -> f64 {
    f64::from(f32::from_bits(a))
}

/// A rounded sum and what rounding lost, exactly (Knuth, "The Art of Computer Programming", 4.2.2).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

pub(crate) fn add(a: u32, b: u32, flags: &mut u32) -> u32 {
    let sum = f32::from_bits(a) + f32::from_bits(b);
    if is_plain(sum.to_bits()) {
        if *flags & flag::INEXACT == 0 {
            let (wide, lost) = two_sum(widen(a), widen(b));
            *flags |= u32::from(lost != 0.0 || f64::from(sum) != wide);
        }
        return sum.to_bits();
    }
    exact::add(a, b, Rounding::NearestEven, flags)
}

pub(crate) fn subtract(a: u32, b: u32, flags: &mut u32) -> u32 {
    // A NaN with another sign is the same NaN here.
    add(a, b ^ SIGN, flags)
}

pub(crate) fn multiply(a: u32, b: u32, flags: &mut u32) -> u32 {
    // 24 bits times 24 bits fit into 53.
    let product = widen(a) * widen(b);
    let rounded = product as f32;
    if is_plain(rounded.to_bits()) {
        *flags |= u32::from(f64::from(rounded) != product);
        return rounded.to_bits();
    }
    exact::multiply(a, b, Rounding::NearestEven, flags)
}

pub(crate) fn divide(a: u32, b: u32, flags: &mut u32) -> u32 {
    let quotient = f32::from_bits(a) / f32::from_bits(b);
    if is_plain(quotient.to_bits()) {
        *flags |= u32::from(f64::from(quotient) * widen(b) != widen(a));
        return quotient.to_bits();
    }
    exact::divide(a, b, Rounding::NearestEven, flags)
}

pub(crate) fn square_root(a: u32, flags: &mut u32) -> u32 {
    let root = f32::from_bits(a).sqrt();
    if is_plain(root.to_bits()) {
        *flags |= u32::from(f64::from(root) * f64::from(root) != widen(a));
        return root.to_bits();
    }
    exact::square_root(a, Rounding::NearestEven, flags)
}

/// a · b + c, rounded once.
pub(crate) fn fused(a: u32, b: u32, c: u32, flags: &mut u32) -> u32 {
    let (sum, lost) = two_sum(widen(a) * widen(b), widen(c));
    // Rounding to odd keeps what was lost in the last bit; 53 bits are enough then to round again
    // (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
    let odd = if lost != 0.0 && sum.to_bits() & 1 == 0 {
        let outwards = (lost > 0.0) == (sum > 0.0);
        f64::from_bits(if outwards { sum.to_bits() + 1 } else { sum.to_bits() - 1 })
    } else {
        sum
    };
    let rounded = odd as f32;
    if is_plain(rounded.to_bits()) {
        *flags |= u32::from(f64::from(rounded) != odd);
        return rounded.to_bits();
    }
    exact::fused(a, b, c, Rounding::NearestEven, flags)
}

/// `fcvt.s.w`, rounded to the nearest.
pub(crate) fn from_signed(a: u32, flags: &mut u32) -> u32 {
    let value = a as i32;
    let rounded = value as f32;
    *flags |= u32::from(f64::from(rounded) != f64::from(value));
    rounded.to_bits()
}

/// `fcvt.w.s`, rounded towards zero.
pub(crate) fn truncate(a: u32, flags: &mut u32) -> u32 {
    let value = f32::from_bits(a);
    if value.abs() < 2_147_483_648.0 {
        let whole = value as i32;
        *flags |= u32::from(whole as f32 != value);
        return whole as u32;
    }
    let (least, greatest) = (i64::from(i32::MIN), i64::from(i32::MAX));
    exact::to_integer(a, least, greatest, Rounding::Zero, flags) as u32
}

/// A number with the sign bit of another.
pub(crate) fn with_sign(a: u32, sign: u32) -> u32 {
    a & !SIGN | sign & SIGN
}

/// minimumNumber and maximumNumber of IEEE 754-2019: -0 is less than +0, a number wins over a NaN.
fn extreme(a: u32, b: u32, wants_less: bool, flags: &mut u32) -> u32 {
    if is_signaling(a) || is_signaling(b) {
        *flags |= flag::INVALID;
    }
    match (is_nan(a), is_nan(b)) {
        (true, true) => NAN,
        (true, false) => b,
        (false, true) => a,
        _ => {
            let is_less = order(a) < order(b);
            if is_less == wants_less { a } else { b }
        }
    }
}

/// A number that is ordered as the floats are, with -0 before +0.
fn order(a: u32) -> i32 {
    let bits = a as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

pub(crate) fn minimum(a: u32, b: u32, flags: &mut u32) -> u32 {
    extreme(a, b, true, flags)
}

pub(crate) fn maximum(a: u32, b: u32, flags: &mut u32) -> u32 {
    extreme(a, b, false, flags)
}

/// `feq`: only a signaling NaN is invalid.
pub(crate) fn equal(a: u32, b: u32, flags: &mut u32) -> bool {
    if is_signaling(a) || is_signaling(b) {
        *flags |= flag::INVALID;
    }
    f32::from_bits(a) == f32::from_bits(b)
}

/// `flt`: any NaN is invalid.
pub(crate) fn less(a: u32, b: u32, flags: &mut u32) -> bool {
    if is_nan(a) || is_nan(b) {
        *flags |= flag::INVALID;
    }
    f32::from_bits(a) < f32::from_bits(b)
}

/// `fle`: any NaN is invalid.
pub(crate) fn less_or_equal(a: u32, b: u32, flags: &mut u32) -> bool {
    if is_nan(a) || is_nan(b) {
        *flags |= flag::INVALID;
    }
    f32::from_bits(a) <= f32::from_bits(b)
}

/// `fclass`: one bit of ten.
pub(crate) fn class(a: u32) -> u32 {
    let is_negative = a & SIGN != 0;
    let magnitude = a & !SIGN;
    let bit = match magnitude {
        0 => 3,
        1..LEAST_NORMAL => 2,
        LEAST_NORMAL..INFINITY => 1,
        INFINITY => 0,
        _ if is_signaling(a) => return 1 << 8,
        _ => return 1 << 9,
    };
    1 << if is_negative { bit } else { 7 - bit }
}

#[cfg(test)]
mod tests;
