//! Numbers in the text of a page: little-endian 32-bit floats in Base64, which browsers read at once.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Seven digits of each number.
pub(super) fn floats(numbers: impl IntoIterator<Item = f64>) -> String {
    let bytes = numbers.into_iter().flat_map(|number| (number as f32).to_le_bytes());
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_is_four_bytes_from_the_lowest() {
        // 1.0 is 0x3f800000.
        assert_eq!(floats([1.0]), "AACAPw==");
    }
}
