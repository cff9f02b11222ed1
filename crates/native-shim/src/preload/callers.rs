//! Who called: for a program that has ended itself in a function of the C or C++ library.

use libc::{c_int, c_void};

unsafe extern "C" {
    /// Of libgcc, which the shim is linked with.
    fn _Unwind_Backtrace(
        look: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        to: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(frame: *mut c_void) -> usize;
}

const GO_ON: c_int = 0;
const ENOUGH: c_int = 4;

/// Libraries in which nobody looks for the fault: those by whose functions a program aborts.
const BETWEEN: [&[u8]; 4] = [b"libc.so", b"libpthread.so", b"libstdc++.so", b"libgcc_s.so"];

/// The place in the program that called `abort`, or a function of the libraries that did, as a failed assertion does. To be
/// asked in the handler of the signal.
pub fn of_abort() -> Option<u64> {
    extern "C" fn look(frame: *mut c_void, found: *mut c_void) -> c_int {
        // SAFETY: the unwinder gives the frame, `of_abort` the place.
        unsafe {
            // The call itself: what follows may belong to another function, as `abort` never returns.
            let call = (_Unwind_GetIP(frame) as u64).wrapping_sub(1);
            if is_between(call) {
                return GO_ON;
            }
            *found.cast::<u64>() = call;
        }
        ENOUGH
    }
    let mut found = 0u64;
    // SAFETY: the unwinder reads the stack of who runs.
    unsafe { _Unwind_Backtrace(look, (&raw mut found).cast()) };
    (found != 0).then_some(found)
}

/// Whether code belongs to those libraries or to the shim.
unsafe fn is_between(address: u64) -> bool {
    let about = |address: *const c_void| {
        let mut info: libc::Dl_info = std::mem::zeroed();
        (libc::dladdr(address, &mut info) != 0).then_some(info)
    };
    let Some(info) = about(address as *const c_void) else { return false };
    let own = about(of_abort as *const c_void);
    if own.is_some_and(|own| own.dli_fbase == info.dli_fbase) {
        return true;
    }
    if info.dli_fname.is_null() {
        return false;
    }
    let path = std::ffi::CStr::from_ptr(info.dli_fname).to_bytes();
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    BETWEEN.iter().any(|library| name.starts_with(library))
}
