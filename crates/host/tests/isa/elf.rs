//! The smallest ELF file that a loader takes: one segment, executable, at its address.

/// Where programs lie, and where they start.
pub const BASE: u32 = 0x8000_0000;

/// An ELF file for RV32 with `image` at [`BASE`] (System V ABI, chapters 4 and 5).
pub fn elf(image: &[u8]) -> Vec<u8> {
    let header_bytes = 52u32;
    let segment_bytes = 32u32;
    let mut file = vec![0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let half = |file: &mut Vec<u8>, value: u16| file.extend(value.to_le_bytes());
    let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
    half(&mut file, 2); // executable
    half(&mut file, 243); // RISC-V
    word(&mut file, 1);
    word(&mut file, BASE); // entry point
    word(&mut file, header_bytes); // the table of segments follows
    word(&mut file, 0);
    word(&mut file, 1); // compressed instructions are used
    half(&mut file, header_bytes as u16);
    half(&mut file, segment_bytes as u16);
    half(&mut file, 1);
    half(&mut file, 40);
    half(&mut file, 0);
    half(&mut file, 0);
    let length = image.len() as u32;
    for value in [1, header_bytes + segment_bytes, BASE, BASE, length, length, 7, 4] {
        word(&mut file, value);
    }
    file.extend(image);
    file
}
