//! Texts of variable length inside records, which the reader of HDF5 leaves as references.
//!
//! A reference is a length (4 bytes), the address of a global heap (8 bytes) and the number of an
//! object in it (4 bytes). A heap begins with `GCOL`, a version, 3 bytes and its size (8 bytes); an
//! object with its number, a count of references (2 bytes each), 4 bytes and its size (8 bytes), then
//! its data, filled up to a multiple of 8 (HDF5 File Format Specification 3.0, sections III.E and
//! VIII.C).

/// The bytes that a reference names.
pub(super) fn variable_text<'a>(file: &'a [u8], reference: &[u8]) -> Option<&'a [u8]> {
    let length = number(reference, 0, 4)?;
    let heap = number(reference, 4, 8)?;
    let wanted = number(reference, 12, 4)?;
    if length == 0 {
        return Some(&[]);
    }
    let heap = file.get(heap..)?;
    if heap.get(..4)? != b"GCOL" {
        return None;
    }
    let heap = heap.get(..number(heap, 8, 8)?)?;
    let mut at = 16usize;
    while at < heap.len() {
        let size = number(heap, at + 8, 8)?;
        let data = at + 16;
        match number(heap, at, 2)? {
            // The free space, which is the last.
            0 => return None,
            index if index == wanted => {
                return heap.get(data..data.checked_add(size)?)?.get(..length);
            }
            _ => at = data.checked_add(size)?.checked_next_multiple_of(8)?,
        }
    }
    None
}

/// A little-endian number.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    let number = bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    usize::try_from(number).ok()
}
