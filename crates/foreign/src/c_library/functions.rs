//! The functions of a library, called by the types that `include/ironbird.h` gives them. With that of generated
//! models, the only file of this crate with `unsafe`: what a library does wrong behind it happens in the process of the host.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_double, c_int, c_void};
use std::path::Path;
use std::ptr;

use libloading::Library;

type Describe = unsafe extern "C" fn() -> *const c_char;
type Create = unsafe extern "C" fn(*const *const c_char, *const c_double, usize) -> *mut c_void;
type Step = unsafe extern "C" fn(*mut c_void, c_double, *const c_double, *mut c_double) -> c_int;
type Destroy = unsafe extern "C" fn(*mut c_void);
type Error = unsafe extern "C" fn(*mut c_void) -> *const c_char;
type Save = unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> usize;
type Load = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> c_int;

/// A loaded library.
pub(super) struct Functions {
    describe: Describe,
    create: Create,
    step: Step,
    destroy: Destroy,
    error: Option<Error>,
    state: Option<(Save, Load)>,
    /// Keeps the functions where they are.
    _library: Library,
}

/// A component of a library.
pub(super) struct Component<'a> {
    functions: &'a Functions,
    pointer: *mut c_void,
}

/// A larger state is a mistake.
const LARGEST_STATE: usize = 1 << 28;

impl Functions {
    /// Loads a library.
    pub fn load(file: &Path) -> Result<Self, String> {
        // SAFETY: its initialisers are the user's code, and run in a process that is there for that.
        let library = unsafe { Library::new(file) }
            .map_err(|error| format!("\"{}\" is no library: {}", file.display(), words(&error)))?;
        let missing = |name: &str| {
            format!(
                "\"{}\" has no function {name}: see crates/foreign/include/ironbird.h",
                file.display()
            )
        };
        // SAFETY: the types are those of the header, by which the user has compiled.
        unsafe {
            let save = library.get::<Save>(b"ironbird_save").ok().map(|f| *f);
            let load = library.get::<Load>(b"ironbird_load").ok().map(|f| *f);
            if save.is_some() != load.is_some() {
                let name = if save.is_some() { "ironbird_load" } else { "ironbird_save" };
                return Err(format!("{}; it has its counterpart", missing(name)));
            }
            Ok(Functions {
                describe: *library
                    .get::<Describe>(b"ironbird_describe")
                    .map_err(|_| missing("ironbird_describe"))?,
                create: *library
                    .get::<Create>(b"ironbird_create")
                    .map_err(|_| missing("ironbird_create"))?,
                step: *library
                    .get::<Step>(b"ironbird_step")
                    .map_err(|_| missing("ironbird_step"))?,
                destroy: *library
                    .get::<Destroy>(b"ironbird_destroy")
                    .map_err(|_| missing("ironbird_destroy"))?,
                error: library.get::<Error>(b"ironbird_error").ok().map(|f| *f),
                state: save.zip(load),
                _library: library,
            })
        }
    }

    /// Whether components can be saved.
    pub fn saves(&self) -> bool {
        self.state.is_some()
    }

    /// The text with the ports.
    pub fn describe(&self) -> Result<String, String> {
        // SAFETY: the function takes nothing.
        let text = unsafe { (self.describe)() };
        // SAFETY: the header asks for a text that ends with a zero and stays.
        let text = unsafe { owned(text) };
        text.ok_or_else(|| "ironbird_describe returned NULL".into())
    }

    /// Makes a component.
    pub fn create(&self, parameters: &[(String, f64)]) -> Result<Component<'_>, String> {
        let names = parameters.iter().map(|(name, _)| CString::new(name.as_str()));
        let names: Vec<CString> = names.collect::<Result<_, _>>().map_err(|e| e.to_string())?;
        let pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        let values: Vec<f64> = parameters.iter().map(|(_, value)| *value).collect();
        // SAFETY: both arrays have `count` elements and outlive the call.
        let pointer = unsafe { (self.create)(pointers.as_ptr(), values.as_ptr(), values.len()) };
        if pointer.is_null() {
            let why = self.why(ptr::null_mut()).unwrap_or_default();
            return Err(format!("ironbird_create refused its parameters{why}"));
        }
        Ok(Component { functions: self, pointer })
    }

    /// What the library says of its last failure: `: text`.
    fn why(&self, pointer: *mut c_void) -> Option<String> {
        // SAFETY: the pointer is NULL or that of a component of this library.
        let text = unsafe { owned(self.error?(pointer)) };
        text.map(|text| format!(": {text}"))
    }
}

impl Component<'_> {
    /// One step. `input` and `output` are as long as the ports are wide.
    pub fn step(&mut self, t: f64, input: &[f64], output: &mut [f64]) -> Result<(), String> {
        let functions = self.functions;
        // SAFETY: the arrays are as long as the library has declared; the host has spare room behind the
        // outputs in case it is mistaken by a little.
        let status =
            unsafe { (functions.step)(self.pointer, t, input.as_ptr(), output.as_mut_ptr()) };
        self.checked("ironbird_step", status)
    }

    /// The state as bytes.
    pub fn save(&mut self) -> Result<Vec<u8>, String> {
        let Some((save, _)) = self.functions.state else { return Ok(Vec::new()) };
        let mut bytes: Vec<u8> = Vec::new();
        loop {
            // SAFETY: the function writes no more than the capacity that it is told.
            let size = unsafe { save(self.pointer, bytes.as_mut_ptr().cast(), bytes.len()) };
            match size {
                size if size > LARGEST_STATE => {
                    return Err(format!("ironbird_save wants to save {size} bytes"));
                }
                size if size > bytes.len() => bytes.resize(size, 0),
                size => {
                    bytes.truncate(size);
                    return Ok(bytes);
                }
            }
        }
    }

    /// Goes on from saved bytes.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), String> {
        let Some((_, load)) = self.functions.state else { return Ok(()) };
        // SAFETY: the bytes outlive the call.
        let status = unsafe { load(self.pointer, bytes.as_ptr().cast(), bytes.len()) };
        self.checked("ironbird_load", status)
    }

    fn checked(&self, function: &str, status: c_int) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        let why = self.functions.why(self.pointer).unwrap_or_default();
        Err(format!("{function} returned {status}{why}"))
    }
}

impl Drop for Component<'_> {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `create` and is not used after this.
        unsafe { (self.functions.destroy)(self.pointer) }
    }
}

/// A text of C; `None` for NULL.
///
/// # Safety
/// The text ends with a zero.
unsafe fn owned(text: *const c_char) -> Option<String> {
    // SAFETY: it is not NULL, and the caller promises the rest.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// What the system says of a library that it cannot load.
fn words(error: &libloading::Error) -> String {
    let source = std::error::Error::source(error);
    source.map_or_else(|| error.to_string(), ToString::to_string)
}
