//! What a program prints: when, and on descriptors that libc does not know.

use super::sys::real;
use super::{files, objects, ready};
use libc::{FILE, c_char, c_int, c_void};

unsafe extern "C" {
    static stdout: *mut FILE;
    fn vasprintf(text: *mut *mut c_char, format: *const c_char, list: *mut c_void) -> c_int;
}

/// Lets standard output be written line by line, as on a terminal. It is a file, of which libc would keep the last 4096
/// bytes to itself; but the end of a run comes without a warning, and then the last lines are those that matter.
///
/// It has its buffer, too: libc would ask the kernel for a good length, and find the file's number and times with it, which
/// are this machine's and would stay behind on the program's stack.
pub fn line_by_line() {
    const LINES: c_int = 1;
    static mut BUFFER: [c_char; 4096] = [0; 4096];
    // SAFETY: nothing was printed yet, and nobody else uses the buffer.
    unsafe { libc::setvbuf(stdout, (&raw mut BUFFER).cast(), LINES, 4096) };
}

/// Prints a list of arguments, which the calling convention hands over by its address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vdprintf(fd: c_int, format: *const c_char, list: *mut c_void) -> c_int {
    if !ready() || objects::of(fd).is_none() {
        type Print = unsafe extern "C" fn(c_int, *const c_char, *mut c_void) -> c_int;
        return real!(c"vdprintf" as Print)(fd, format, list);
    }
    let mut text = std::ptr::null_mut();
    let length = vasprintf(&mut text, format, list);
    if length < 0 {
        return -1;
    }
    let written = files::write(fd, text.cast(), length as usize);
    libc::free(text.cast());
    written as c_int
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __vdprintf_chk(
    fd: c_int,
    _: c_int,
    format: *const c_char,
    list: *mut c_void,
) -> c_int {
    vdprintf(fd, format, list)
}

/// A function with a list of arguments in the call itself: makes the list that `va_start` would make (System V ABI for
/// x86-64, 3.5.7) and goes on with it in the register behind the fixed arguments.
macro_rules! listed {
    ($($name:ident => $inner:ident, $used:literal, $register:literal;)*) => {
        $(
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() -> c_int {
                std::arch::naked_asm!(
                    "lea r10, [rsp + 8]",
                    "sub rsp, 200",
                    "mov [rsp], rdi",
                    "mov [rsp + 8], rsi",
                    "mov [rsp + 16], rdx",
                    "mov [rsp + 24], rcx",
                    "mov [rsp + 32], r8",
                    "mov [rsp + 40], r9",
                    "movups [rsp + 48], xmm0",
                    "movups [rsp + 64], xmm1",
                    "movups [rsp + 80], xmm2",
                    "movups [rsp + 96], xmm3",
                    "movups [rsp + 112], xmm4",
                    "movups [rsp + 128], xmm5",
                    "movups [rsp + 144], xmm6",
                    "movups [rsp + 160], xmm7",
                    concat!("mov dword ptr [rsp + 176], ", $used),
                    "mov dword ptr [rsp + 180], 48",
                    "mov [rsp + 184], r10",
                    "mov [rsp + 192], rsp",
                    concat!("lea ", $register, ", [rsp + 176]"),
                    "call {inner}",
                    "add rsp, 200",
                    "ret",
                    inner = sym $inner,
                )
            }
        )*
    };
}

listed! {
    dprintf => vdprintf, "16", "rdx";
    __dprintf_chk => __vdprintf_chk, "24", "rcx";
}
