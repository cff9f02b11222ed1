//! Names of temporary files: libc makes them of the time, the shim of the seed.

use super::{ready, state, sys};
use libc::{c_char, c_int};
use sys::real_call;

const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const PLACES: usize = 6;
const TRIES: usize = 10_000;

/// Fills the six X before the suffix and tries what comes out, until it does not exist yet.
unsafe fn fill(
    template: *mut c_char,
    suffix: c_int,
    make: impl Fn(*const c_char) -> i64,
) -> Result<i64, c_int> {
    ready();
    super::engine::call();
    let length = libc::strlen(template);
    let start = usize::try_from(suffix)
        .ok()
        .and_then(|suffix| length.checked_sub(suffix + PLACES))
        .ok_or(libc::EINVAL)?;
    let places = std::slice::from_raw_parts_mut(template.add(start).cast::<u8>(), PLACES);
    if places.iter().any(|&place| place != b'X') {
        return Err(libc::EINVAL);
    }
    for _ in 0..TRIES {
        let mut numbers = [0; PLACES];
        state().random.fill(&mut numbers);
        for (place, number) in places.iter_mut().zip(numbers) {
            *place = LETTERS[usize::from(number) % LETTERS.len()];
        }
        match make(template) {
            taken if taken == -i64::from(libc::EEXIST) => {}
            error if error < 0 => return Err(-error as c_int),
            made => return Ok(made),
        }
    }
    Err(libc::EEXIST)
}

unsafe fn file(template: *mut c_char, suffix: c_int, flags: c_int) -> c_int {
    let flags = flags & !libc::O_ACCMODE | libc::O_RDWR | libc::O_CREAT | libc::O_EXCL;
    let folder = libc::AT_FDCWD as u64;
    let made = fill(template, suffix, |path| {
        sys::raw(libc::SYS_openat, [folder, path as u64, flags as u64, 0o600, 0, 0])
    });
    made.map_or_else(|error| sys::fail(error) as c_int, |fd| fd as c_int)
}

macro_rules! files {
    ($($name:ident($($argument:ident),*) => $suffix:expr, $flags:expr;)*) => {
        $(#[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(template: *mut c_char, $($argument: c_int),*) -> c_int {
            file(template, $suffix, $flags)
        })*
    };
}

files! {
    mkstemp() => 0, 0;
    mkstemp64() => 0, 0;
    mkostemp(flags) => 0, flags;
    mkostemp64(flags) => 0, flags;
    mkstemps(suffix) => suffix, 0;
    mkstemps64(suffix) => suffix, 0;
    mkostemps(suffix, flags) => suffix, flags;
    mkostemps64(suffix, flags) => suffix, flags;
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mkdtemp(template: *mut c_char) -> *mut c_char {
    let made =
        fill(template, 0, |path| sys::raw(libc::SYS_mkdir, [path as u64, 0o700, 0, 0, 0, 0]));
    match made {
        Ok(_) => template,
        Err(error) => {
            sys::fail(error);
            std::ptr::null_mut()
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn mktemp(template: *mut c_char) -> *mut c_char {
    let made = fill(template, 0, |path| {
        let there = real_call!(libc::SYS_faccessat, libc::AT_FDCWD, path, libc::F_OK) == 0;
        if there { -i64::from(libc::EEXIST) } else { 0 }
    });
    if let Err(error) = made {
        sys::fail(error);
        *template = 0;
    }
    template
}
