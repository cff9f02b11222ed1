//! Finds the shared library with all that Ironbird does, and hands over to it.
#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int};
use std::mem::ManuallyDrop;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ironbird_all::FAILED;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW, Symbol};

/// The library: the crate `ironbird-inside`.
const LIBRARY: &str = "libironbird_inside.so";
/// Where it lies, seen from the folder of this program: where cargo leaves it, beside the program, where packages put
/// libraries.
const PLACES: [&str; 3] = ["deps", "", "../lib"];

/// Takes the path of the library; gives the exit status.
type Main = unsafe extern "C" fn(*const c_char) -> c_int;

/// Finds the library and hands over to it: the exit status.
pub fn main() -> u8 {
    library().and_then(|library| run(&library)).unwrap_or_else(|why| {
        eprintln!("ironbird: {why}");
        FAILED
    })
}

fn library() -> Result<PathBuf, String> {
    let own = std::env::current_exe()
        .map_err(|error| format!("the path of this program is not known: {error}"))?;
    let folder = own.parent().unwrap_or(Path::new("/"));
    let found = PLACES.iter().map(|place| folder.join(place).join(LIBRARY)).find(|l| l.is_file());
    found.ok_or_else(|| {
        format!(
            "{LIBRARY} is neither beside this program, in {folder}, nor in {folder}/../lib: copy it there from \
             target/release/deps, where `cargo build --release -p ironbird` puts it; or install the program as one file: cargo \
             install --path crates/ironbird --no-default-features",
            folder = folder.display(),
        )
    })
}

fn run(library: &Path) -> Result<u8, String> {
    let path = CString::new(library.as_os_str().as_bytes()).expect("paths contain no zeros");
    let failed =
        |error: libloading::Error| format!("{} cannot be loaded: {error}", library.display());
    // SAFETY: the library is Ironbird's: what it does when it is loaded is for this, and its function is of this type. It
    // is never unloaded.
    let status = unsafe {
        let library = Library::open(Some(library), RTLD_NOW | RTLD_LOCAL).map_err(failed)?;
        let library = ManuallyDrop::new(library);
        let main: Symbol<Main> = library.get(b"ironbird_main\0").map_err(failed)?;
        main(path.as_ptr())
    };
    Ok(u8::try_from(status).unwrap_or(FAILED))
}
