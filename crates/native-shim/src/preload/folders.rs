//! What is in a folder: by name, whatever the order on the disk is.

use super::{engine, machine, ready, state, sys};
use libc::{DIR, c_char, c_int, c_long, dirent64};
use std::ffi::CStr;
use sys::real;

/// A folder that is being read: all its entries, once the first was asked for.
pub struct Listing {
    folder: *mut DIR,
    entries: Option<Vec<dirent64>>,
    next: usize,
}

unsafe fn entries_of(folder: *mut DIR) -> Vec<dirent64> {
    let read = real!(c"readdir64" as unsafe extern "C" fn(*mut DIR) -> *mut dirent64);
    let mut stat: libc::stat = std::mem::zeroed();
    sys::raw(libc::SYS_fstat, [libc::dirfd(folder) as u64, &raw mut stat as u64, 0, 0, 0, 0]);
    let mut entries = Vec::new();
    loop {
        let entry = read(folder);
        if entry.is_null() {
            break;
        }
        // An entry is as long as its name; what lies behind it is not there.
        let mut copy: dirent64 = std::mem::zeroed();
        let length = usize::from((*entry).d_reclen).min(size_of::<dirent64>());
        entry.cast::<u8>().copy_to_nonoverlapping((&raw mut copy).cast(), length);
        entries.push(copy);
    }
    entries.sort_by(|a, b| name_of(a).cmp(name_of(b)));
    for (place, entry) in entries.iter_mut().enumerate() {
        entry.d_ino = state().numbers.of(stat.st_dev, entry.d_ino);
        entry.d_off = place as i64 + 1;
    }
    entries
}

fn name_of(entry: &dirent64) -> &CStr {
    // SAFETY: libc ends a name with a zero.
    unsafe { CStr::from_ptr(entry.d_name.as_ptr()) }
}

unsafe fn listing(folder: *mut DIR) -> &'static mut Listing {
    let listings = &mut state().listings;
    let place = listings.iter().position(|listing| listing.folder == folder);
    let place = place.unwrap_or_else(|| {
        listings.push(Listing { folder, entries: None, next: 0 });
        listings.len() - 1
    });
    &mut listings[place]
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn opendir(path: *const c_char) -> *mut DIR {
    if ready() && !path.is_null() {
        engine::call();
        let folder = CStr::from_ptr(path).to_bytes();
        if machine::is_hardware(&[folder, b"/"].concat()) {
            sys::fail(libc::ENOENT);
            return std::ptr::null_mut();
        }
    }
    real!(c"opendir" as unsafe extern "C" fn(*const c_char) -> *mut DIR)(path)
}

/// The next entry. It stays where it is until the folder is closed or rewound.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn readdir64(folder: *mut DIR) -> *mut dirent64 {
    if !ready() {
        return real!(c"readdir64" as unsafe extern "C" fn(*mut DIR) -> *mut dirent64)(folder);
    }
    engine::call();
    let listing = listing(folder);
    let entries = listing.entries.get_or_insert_with(|| entries_of(folder));
    listing.next += 1;
    entries.get_mut(listing.next - 1).map_or(std::ptr::null_mut(), std::ptr::from_mut)
}

/// `dirent` and `dirent64` are one structure on this machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn readdir(folder: *mut DIR) -> *mut dirent64 {
    readdir64(folder)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn readdir64_r(
    folder: *mut DIR,
    entry: *mut dirent64,
    result: *mut *mut dirent64,
) -> c_int {
    let next = readdir64(folder);
    *result = next;
    if !next.is_null() {
        *entry = *next;
        *result = entry;
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn readdir_r(
    folder: *mut DIR,
    entry: *mut dirent64,
    result: *mut *mut dirent64,
) -> c_int {
    readdir64_r(folder, entry, result)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn telldir(folder: *mut DIR) -> c_long {
    ready();
    listing(folder).next as c_long
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn seekdir(folder: *mut DIR, place: c_long) {
    ready();
    listing(folder).next = place.max(0) as usize;
}

fn forget(folder: *mut DIR) {
    state().listings.retain(|listing| listing.folder != folder);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn rewinddir(folder: *mut DIR) {
    if ready() {
        forget(folder);
    }
    real!(c"rewinddir" as unsafe extern "C" fn(*mut DIR))(folder)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn closedir(folder: *mut DIR) -> c_int {
    if ready() {
        engine::call();
        forget(folder);
    }
    real!(c"closedir" as unsafe extern "C" fn(*mut DIR) -> c_int)(folder)
}
