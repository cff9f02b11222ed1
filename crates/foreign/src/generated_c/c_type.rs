//! The C types that fields of generated structs may have, and numbers in their bytes.

use ironbird_document::{Item, Problem};
use ironbird_kernel::path::nearest;

/// A scalar type of C, as it lies in memory on machines whose `int` has 32 bits: all that Ironbird runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CType {
    Double,
    Float,
    Bool,
    /// Bytes, and whether it has a sign.
    Integer(usize, bool),
}

/// All names of the types: those of C, and those of generated code (`rtwtypes.h`).
const NAMES: [(&str, CType); 32] = [
    ("double", CType::Double),
    ("real_T", CType::Double),
    ("real64_T", CType::Double),
    ("time_T", CType::Double),
    ("float", CType::Float),
    ("real32_T", CType::Float),
    ("bool", CType::Bool),
    ("_Bool", CType::Bool),
    ("boolean_T", CType::Bool),
    ("int8_t", CType::Integer(1, true)),
    ("int8_T", CType::Integer(1, true)),
    ("signed char", CType::Integer(1, true)),
    ("uint8_t", CType::Integer(1, false)),
    ("uint8_T", CType::Integer(1, false)),
    ("unsigned char", CType::Integer(1, false)),
    ("int16_t", CType::Integer(2, true)),
    ("int16_T", CType::Integer(2, true)),
    ("short", CType::Integer(2, true)),
    ("uint16_t", CType::Integer(2, false)),
    ("uint16_T", CType::Integer(2, false)),
    ("unsigned short", CType::Integer(2, false)),
    ("int32_t", CType::Integer(4, true)),
    ("int32_T", CType::Integer(4, true)),
    ("int", CType::Integer(4, true)),
    ("int_T", CType::Integer(4, true)),
    ("uint32_t", CType::Integer(4, false)),
    ("uint32_T", CType::Integer(4, false)),
    ("unsigned int", CType::Integer(4, false)),
    ("int64_t", CType::Integer(8, true)),
    ("int64_T", CType::Integer(8, true)),
    ("uint64_t", CType::Integer(8, false)),
    ("uint64_T", CType::Integer(8, false)),
];

/// Larger arrays are a mistake.
const LONGEST: usize = 65_536;

impl CType {
    /// Reads `"real_T"`, or `"real_T[3]"` with its length.
    pub fn read(item: &Item) -> Result<(CType, Option<usize>), Problem> {
        let text = item.text()?;
        let wrong = |message: String| Problem::new(message, &item.place, "not a type");
        let (name, length) = match text.split_once('[') {
            None => (text.trim(), None),
            Some((name, rest)) => {
                let digits = rest.trim_end().strip_suffix(']').unwrap_or_default().trim();
                let length = digits.parse().ok().filter(|length| (1..=LONGEST).contains(length));
                let length = length.ok_or_else(|| {
                    let problem = wrong(format!("\"{text}\" is no array of 1 to {LONGEST}"));
                    problem.help("a matrix of 3 by 3 is \"real_T[9]\", as it lies in memory")
                })?;
                (name.trim(), Some(length))
            }
        };
        if let Some((_, found)) = NAMES.iter().find(|(known, _)| *known == name) {
            return Ok((*found, length));
        }
        let problem = wrong(format!("the type \"{name}\" is not supported"));
        Err(match name {
            "char" | "char_T" => problem.help("whether it has a sign differs: write int8_T or uint8_T"),
            "long" | "unsigned long" | "long long" | "unsigned long long" => {
                problem.help("write int32_T, int64_T, uint32_T or uint64_T, as it is compiled")
            }
            name if name.contains('*') => {
                problem.help("pointers cannot be seen from outside; only plain values can")
            }
            name => match nearest(name, NAMES.iter().map(|(known, _)| *known)) {
                Some(near) => problem.did_you_mean(Some(near)),
                None => problem.help(
                    "double, float, bool, and integers of 8 to 64 bits are, also as arrays; the fields of \
                     a struct inside a struct are written one by one",
                ),
            },
        })
    }

    /// Bytes, which is also what its address is a multiple of.
    pub fn size(self) -> usize {
        match self {
            CType::Double => 8,
            CType::Float => 4,
            CType::Bool => 1,
            CType::Integer(size, _) => size,
        }
    }

    /// The least and the greatest whole number.
    fn range(size: usize, signed: bool) -> (i128, i128) {
        let bits = 8 * size as u32;
        match signed {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        }
    }

    /// Writes a number over the bytes of one element.
    pub fn put(self, number: f64, bytes: &mut [u8]) -> Result<(), String> {
        match self {
            CType::Double => bytes.copy_from_slice(&number.to_ne_bytes()),
            CType::Float => bytes.copy_from_slice(&(number as f32).to_ne_bytes()),
            CType::Bool => bytes[0] = u8::from(number != 0.0),
            CType::Integer(size, signed) => {
                let (low, high) = CType::range(size, signed);
                let whole = number.round_ties_even();
                // The cast of what is no number or beyond an i128 ends at 0 or at a limit.
                if !whole.is_finite() || !(low..=high).contains(&(whole as i128)) {
                    return Err(format!("it holds {low} to {high}, not {number}"));
                }
                let all = (whole as i128).to_le_bytes();
                bytes.copy_from_slice(&all[..size]);
                if cfg!(target_endian = "big") {
                    bytes.reverse();
                }
            }
        }
        Ok(())
    }

    /// The number in the bytes of one element.
    pub fn get(self, bytes: &[u8]) -> f64 {
        let byte = |i: usize| bytes.get(i).copied().unwrap_or_default();
        match self {
            CType::Double => f64::from_ne_bytes(std::array::from_fn(byte)),
            CType::Float => f64::from(f32::from_ne_bytes(std::array::from_fn(byte))),
            CType::Bool => f64::from(u8::from(byte(0) != 0)),
            CType::Integer(size, signed) => {
                let of =
                    |i: usize| byte(if cfg!(target_endian = "big") { size - 1 - i } else { i });
                let negative = signed && of(size - 1) >= 0x80;
                let fill = if negative { 0xff } else { 0 };
                let all = std::array::from_fn(|i| if i < size { of(i) } else { fill });
                i128::from_le_bytes(all) as f64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_the_type_holds_them() {
        let cases = [
            (CType::Double, -0.1, -0.1),
            (CType::Float, 0.1, f64::from(0.1f32)),
            (CType::Bool, 3.0, 1.0),
            (CType::Integer(1, true), -128.0, -128.0),
            (CType::Integer(1, false), 255.0, 255.0),
            (CType::Integer(2, true), -2.4, -2.0),
            (CType::Integer(4, false), 4_294_967_295.0, 4_294_967_295.0),
            (CType::Integer(8, true), -9_007_199_254_740_992.0, -9_007_199_254_740_992.0),
        ];
        for (kind, given, shown) in cases {
            let mut bytes = vec![0xaa; kind.size()];
            kind.put(given, &mut bytes).unwrap();
            assert_eq!(kind.get(&bytes), shown, "{kind:?}");
        }
    }

    #[test]
    fn what_an_integer_cannot_hold_is_refused() {
        for (kind, number) in [
            (CType::Integer(1, false), -1.0),
            (CType::Integer(1, true), 128.0),
            (CType::Integer(8, false), 2e19),
            (CType::Integer(4, true), f64::NAN),
            (CType::Integer(4, true), f64::INFINITY),
        ] {
            let refused = kind.put(number, &mut vec![0; kind.size()]).unwrap_err();
            assert!(refused.ends_with(&format!("not {number}")), "{refused}");
        }
    }
}
