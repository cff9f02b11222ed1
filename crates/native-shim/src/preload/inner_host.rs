//! A host that is loaded into the program's process, and called instead of written to.

use super::host_memory::{self, Filled};
use super::{alone, switch, sys};
use libc::c_void;
use std::cell::Cell;
use std::sync::atomic::AtomicU32;

/// Takes the program's frame (the first time: what stands behind the path), leaves the place of the answer, and returns
/// its length.
type Exchange =
    unsafe extern "C" fn(frame: *const u8, length: usize, answer: *mut *const u8) -> usize;

/// Whether a descriptor is the host's.
type Owns = unsafe extern "C" fn(descriptor: libc::c_int) -> bool;

/// A host inside the process.
pub struct Inner {
    exchange: Exchange,
    owns: Owns,
    answer: Cell<(*const u8, usize)>,
    /// The control block of the thread that loaded it. The host finds its own thread-local storage there, whichever
    /// thread of the program calls.
    fs_base: u64,
    /// Where the code of the host and of its own libc lies.
    code: Vec<(u64, u64)>,
}

impl Inner {
    /// Loads a host into a name space of its own: its libc is not ours, and its calls are not intercepted.
    pub fn load(place: &str) -> Result<Self, String> {
        unsafe extern "C" {
            fn dlmopen(
                space: libc::c_long,
                path: *const libc::c_char,
                flags: libc::c_int,
            ) -> *mut libc::c_void;
        }
        const NEW_SPACE: libc::c_long = -1;
        if !super::has_fsgsbase() {
            return Err(
                "a host inside the process needs a processor and a kernel with FSGSBASE".into()
            );
        }
        let above = Filled::all_above();
        alone::stays(have_a_second_thread)?;
        let (path, word) = place.rsplit_once('@').unwrap_or((place, ""));
        let name = format!("{path}\0");
        // SAFETY: both names end with a zero; the library keeps the promises of `Exchange` and `Owns`.
        unsafe {
            let library =
                dlmopen(NEW_SPACE, name.as_ptr().cast(), libc::RTLD_NOW | libc::RTLD_LOCAL);
            if library.is_null() {
                let why = std::ffi::CStr::from_ptr(libc::dlerror()).to_string_lossy().into_owned();
                return Err(format!("cannot load the host: {why}"));
            }
            let find = |name: &std::ffi::CStr| {
                let found = libc::dlsym(library, name.as_ptr());
                let name = name.to_string_lossy();
                (!found.is_null())
                    .then_some(found)
                    .ok_or_else(|| format!("`{path}` has no function `{name}`"))
            };
            let (exchange, owns) = (find(c"ironbird_exchange")?, find(c"ironbird_owns")?);
            host_memory::stay_in_own_place(library);
            let inner = Self {
                exchange: std::mem::transmute::<*mut libc::c_void, Exchange>(exchange),
                owns: std::mem::transmute::<*mut libc::c_void, Owns>(owns),
                answer: Cell::new((std::ptr::null(), 0)),
                fs_base: switch::own_fs_base(),
                code: code_beside(library),
            };
            drop(above);
            inner.call(word.as_bytes());
            Ok(inner)
        }
    }

    /// Hands the host a frame; its answer is kept.
    pub fn call(&self, frame: &[u8]) {
        let mut place = std::ptr::null();
        // SAFETY: the host needs nothing of the thread that calls but the rest of its stack, and leaves its answer alone
        // until the next call. Where the processor cannot change the base, nobody gets here (`load`).
        let length = unsafe {
            let program = switch::own_fs_base();
            switch::set_fs_base(self.fs_base);
            let length = (self.exchange)(frame.as_ptr(), frame.len(), &mut place);
            switch::set_fs_base(program);
            length
        };
        self.answer.set((place, length));
    }

    /// Whether a descriptor is the host's.
    pub fn owns(&self, descriptor: i32) -> bool {
        // SAFETY: the host looks at a table, and at nothing of the thread that calls.
        unsafe { (self.owns)(descriptor) }
    }

    /// What the host answered last.
    pub fn answer(&self) -> Option<&[u8]> {
        let (place, length) = self.answer.get();
        // SAFETY: the host leaves its answer alone until the next call.
        (!place.is_null()).then(|| unsafe { std::slice::from_raw_parts(place, length) })
    }

    /// Where the code of the host and of its own libc lies.
    pub fn code(&self) -> &[(u64, u64)] {
        &self.code
    }
}

/// Starts a thread that sleeps for good.
///
/// Both C libraries take the locks of the one loader. That of a program with a single thread lets go of a lock without
/// waking anybody (glibc's `SINGLE_THREAD_P`), and a thread of the host that has come to wait for it meanwhile would
/// sleep for ever. With a second thread it does not think itself alone.
fn have_a_second_thread() -> Result<(), String> {
    extern "C" fn sleep_for_good(_: *mut c_void) -> *mut c_void {
        static NEVER: AtomicU32 = AtomicU32::new(0);
        loop {
            sys::futex_wait(&NEVER, 0);
        }
    }
    type Start = extern "C" fn(*mut c_void) -> *mut c_void;
    type Create = unsafe extern "C" fn(
        *mut libc::pthread_t,
        *const libc::pthread_attr_t,
        Start,
        *mut c_void,
    ) -> libc::c_int;
    /// Programs may lock all their memory.
    const STACK: usize = 64 * 1024;
    let (all, mut before) = (u64::MAX, 0u64);
    let set_mask = |new: *const u64, old: *mut u64| {
        let (set, size) = (libc::SIG_SETMASK as u64, size_of::<u64>() as u64);
        // SAFETY: the kernel reads and writes one word of signals (rt_sigprocmask(2)), or none at null.
        unsafe { sys::raw(libc::SYS_rt_sigprocmask, [set, new as u64, old as u64, size, 0, 0]) };
    };
    // Signals are for the others: a new thread has the mask of the one that makes it.
    set_mask(&raw const all, &raw mut before);
    // SAFETY: the attributes live as long as the call; the thread needs nothing.
    let failed = unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        libc::pthread_attr_init(&mut attributes);
        libc::pthread_attr_setstacksize(&mut attributes, STACK);
        let mut thread = 0;
        let create = sys::real!(c"pthread_create" as Create);
        let failed = create(&mut thread, &attributes, sleep_for_good, std::ptr::null_mut());
        libc::pthread_attr_destroy(&mut attributes);
        failed
    };
    set_mask(&raw const before, std::ptr::null_mut());
    match failed {
        0 => Ok(()),
        error => Err(format!("there is no thread beside that of the program: error {error}")),
    }
}

/// The code of a library and of all that was loaded into its name space with it: the loader's list of objects
/// (`struct link_map`, dlinfo(3)) has the address of each, and there stand its program headers (elf(5)).
unsafe fn code_beside(library: *mut libc::c_void) -> Vec<(u64, u64)> {
    #[repr(C)]
    struct LinkMap {
        base: u64,
        name: *const libc::c_char,
        dynamic: *const libc::c_void,
        next: *const LinkMap,
        previous: *const LinkMap,
    }
    const RTLD_DI_LINKMAP: libc::c_int = 2;
    let mut object: *const LinkMap = std::ptr::null();
    let mut code = Vec::new();
    // SAFETY: `library` is loaded and is never unloaded; its objects begin with their ELF headers.
    unsafe {
        libc::dlinfo(library, RTLD_DI_LINKMAP, (&raw mut object).cast());
        while !object.is_null() && !(*object).previous.is_null() {
            object = (*object).previous;
        }
        while !object.is_null() {
            let LinkMap { base, next, .. } = *object;
            object = next;
            if base == 0 {
                continue;
            }
            let header = &*(base as *const libc::Elf64_Ehdr);
            let headers = (base + header.e_phoff) as *const libc::Elf64_Phdr;
            for place in 0..usize::from(header.e_phnum) {
                let segment = &*headers.add(place);
                if segment.p_type == libc::PT_LOAD && segment.p_flags & libc::PF_X != 0 {
                    let start = base + segment.p_vaddr;
                    code.push((start, start + segment.p_memsz));
                }
            }
        }
    }
    code
}
