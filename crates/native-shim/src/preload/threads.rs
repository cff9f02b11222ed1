//! Threads: creation, end and names.

use super::{clocks, engine, ready, report, signals, state, switch, sys};
use crate::schedule::{ThreadId, Wait, Wake};
use libc::{c_char, c_int, c_void, pthread_attr_t, pthread_t, sched_param, timespec};
use sys::real;

pub type Start = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
pub type KeyDestructor = Option<unsafe extern "C" fn(*mut c_void)>;

/// What belongs to a thread beyond what the scheduler knows.
pub struct Native {
    pub context: switch::Context,
    pub pthread: pthread_t,
    stack: Stack,
    start: Option<Start>,
    argument: *mut c_void,
    result: *mut c_void,
    detached: bool,
    /// Its pthread has been joined; its handle may belong to another thread by now.
    pub reaped: bool,
    pub policy: c_int,
    /// Destructors of thread-local C++ objects, oldest first.
    destructors: Vec<(unsafe extern "C" fn(*mut c_void), *mut c_void)>,
    /// The files that the thread waits for: object and poll bits.
    pub interest: Vec<(u32, i16)>,
    pub signals: signals::OfThread,
}

impl Native {
    fn new(start: Option<Start>, argument: *mut c_void) -> Box<Self> {
        Box::new(Self {
            context: switch::Context::new(),
            pthread: 0,
            stack: Stack::default(),
            start,
            argument,
            result: std::ptr::null_mut(),
            detached: false,
            reaped: false,
            policy: libc::SCHED_OTHER,
            destructors: Vec::new(),
            interest: Vec::new(),
            signals: signals::OfThread::default(),
        })
    }

    pub fn main() -> Box<Self> {
        let mut native = Self::new(None, std::ptr::null_mut());
        native.context.adopt();
        // SAFETY: no arguments.
        native.pthread = unsafe { libc::pthread_self() };
        native
    }
}

type GetAttributes = unsafe extern "C" fn(pthread_t, *mut pthread_attr_t) -> c_int;

/// The stack of a thread, as libc sees it.
#[derive(Default)]
struct Stack {
    lowest: usize,
    size: usize,
    guard: usize,
}

impl Stack {
    /// Of a pthread whose kernel thread lives: libc asks that for more than the stack.
    unsafe fn of(pthread: pthread_t) -> Self {
        let mut stack = Self::default();
        let mut attributes: pthread_attr_t = std::mem::zeroed();
        if real!(c"pthread_getattr_np" as GetAttributes)(pthread, &mut attributes) == 0 {
            let mut lowest = std::ptr::null_mut();
            libc::pthread_attr_getstack(&attributes, &mut lowest, &mut stack.size);
            libc::pthread_attr_getguardsize(&attributes, &mut stack.guard);
            stack.lowest = lowest as usize;
            libc::pthread_attr_destroy(&mut attributes);
        }
        stack
    }
}

/// What the program asked for when it made a thread, or has changed since, and where its stack lies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_getattr_np(
    pthread: pthread_t,
    attributes: *mut pthread_attr_t,
) -> c_int {
    unsafe extern "C" {
        fn pthread_attr_setdetachstate(attributes: *mut pthread_attr_t, state: c_int) -> c_int;
        fn pthread_attr_setschedpolicy(attributes: *mut pthread_attr_t, policy: c_int) -> c_int;
        fn pthread_attr_setaffinity_np(
            attributes: *mut pthread_attr_t,
            size: usize,
            set: *const c_void,
        ) -> c_int;
    }
    ready();
    engine::call();
    let Some(id) = find(pthread) else { return libc::ESRCH };
    let native = &state().threads[id];
    // The stack of the first thread grows: libc knows how far.
    let grown = (id == 0).then(|| match super::main_stack::lowest_and_length() {
        Some((lowest, size)) => Stack { lowest, size, guard: 0 },
        None => Stack::of(pthread),
    });
    let stack = grown.as_ref().unwrap_or(&native.stack);
    libc::pthread_attr_init(attributes);
    libc::pthread_attr_setstack(attributes, stack.lowest as *mut c_void, stack.size);
    libc::pthread_attr_setguardsize(attributes, stack.guard);
    if native.detached {
        pthread_attr_setdetachstate(attributes, libc::PTHREAD_CREATE_DETACHED);
    }
    pthread_attr_setschedpolicy(attributes, native.policy);
    let parameters = sched_param { sched_priority: c_int::from(state().scheduler.priority(id)) };
    libc::pthread_attr_setschedparam(attributes, &parameters);
    // The one processor of its computer.
    let first = 1u64;
    pthread_attr_setaffinity_np(attributes, size_of::<u64>(), (&raw const first).cast())
}

/// The thread of a handle.
pub fn find(pthread: pthread_t) -> Option<ThreadId> {
    state().threads.iter().rposition(|native| native.pthread == pthread && !native.reaped)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_create(
    handle: *mut pthread_t,
    attributes: *const pthread_attr_t,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    ready();
    engine::call();
    let failed = create(handle, attributes, start, argument);
    engine::preempt_if_due();
    failed
}

/// A thread of the shim's making: it runs a function of the program at a priority, and nobody joins it.
pub fn spawn(start: Start, argument: *mut c_void, priority: u8) {
    // SAFETY: the attributes are those of a plain detached thread.
    unsafe {
        let mut handle = 0;
        if create(&mut handle, std::ptr::null(), start, argument) == 0 {
            let id = state().threads.len() - 1;
            state().threads[id].detached = true;
            state().scheduler.set_priority(id, priority);
        }
    }
}

unsafe fn create(
    handle: *mut pthread_t,
    attributes: *const pthread_attr_t,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    reap_detached();
    super::alone::ends();
    let creator = state().current;
    let mut priority = state().scheduler.priority(creator);
    let mut policy = state().threads[creator].policy;
    let mut detached = false;
    let mut plain: pthread_attr_t = std::mem::zeroed();
    libc::pthread_attr_init(&mut plain);
    if !attributes.is_null() {
        detached = copy_attributes(attributes, &mut plain, &mut policy, &mut priority);
    }
    let mut native = Native::new(Some(start), argument);
    (native.policy, native.detached) = (policy, detached);
    native.signals.mask = state().threads[creator].signals.mask;
    let pointer: *mut Native = &mut *native;
    state().threads.push(native);
    type Create =
        unsafe extern "C" fn(*mut pthread_t, *const pthread_attr_t, Start, *mut c_void) -> c_int;
    let failed = real!(c"pthread_create" as Create)(
        &raw mut (*pointer).pthread,
        &plain,
        real_start,
        pointer.cast(),
    );
    libc::pthread_attr_destroy(&mut plain);
    if failed != 0 {
        state().threads.pop();
        return failed;
    }
    (*pointer).stack = Stack::of((*pointer).pthread);
    (*pointer).context.let_come();
    let id = state().threads.len() - 1;
    // libc gives a real-time thread its own priority when it is there, so that one that is lowered comes first among its
    // equals. What the others' order is, is no matter of theirs.
    let first = if priority > 0 { state().scheduler.priority(creator) } else { priority };
    state().scheduler.spawn(format!("thread {id}"), first);
    state().scheduler.set_priority(id, priority);
    *handle = (*pointer).pthread;
    0
}

/// Takes over the stack; priority and detachment are the shim's own matter. True: the thread is detached.
unsafe fn copy_attributes(
    from: *const pthread_attr_t,
    to: *mut pthread_attr_t,
    policy: &mut c_int,
    priority: &mut u8,
) -> bool {
    unsafe extern "C" {
        fn pthread_attr_getinheritsched(
            attributes: *const pthread_attr_t,
            inherit: *mut c_int,
        ) -> c_int;
        fn pthread_attr_getdetachstate(
            attributes: *const pthread_attr_t,
            state: *mut c_int,
        ) -> c_int;
    }
    const EXPLICIT: c_int = 1;
    let (mut inherit, mut detach) = (0, 0);
    pthread_attr_getinheritsched(from, &mut inherit);
    pthread_attr_getdetachstate(from, &mut detach);
    if inherit == EXPLICIT {
        let mut parameters: sched_param = std::mem::zeroed();
        libc::pthread_attr_getschedpolicy(from, policy);
        libc::pthread_attr_getschedparam(from, &mut parameters);
        *priority = super::priorities::effective(*policy, parameters.sched_priority);
    }
    let (mut address, mut size, mut guard) = (std::ptr::null_mut(), 0, 0);
    libc::pthread_attr_getstack(from, &mut address, &mut size);
    libc::pthread_attr_getguardsize(from, &mut guard);
    if (address as usize).wrapping_add(size) != 0 {
        libc::pthread_attr_setstack(to, address, size);
    } else if size != 0 {
        libc::pthread_attr_setstacksize(to, size + 16384);
    }
    libc::pthread_attr_setguardsize(to, guard);
    detach == libc::PTHREAD_CREATE_DETACHED
}

/// What the real pthread runs.
unsafe extern "C" fn real_start(native: *mut c_void) -> *mut c_void {
    let native = native.cast::<Native>();
    if state().coroutines {
        switch::leave_to_coroutine(&raw mut (*native).context, run_current);
    } else {
        let fault_stack = super::leaks::FaultStack::install();
        switch::wait_for_first_turn(&raw mut (*native).context);
        run((*native).start, (*native).argument);
        switch::wait_for_end(&raw const (*native).context);
        drop(fault_stack);
    }
    std::ptr::null_mut()
}

extern "C" fn run_current() -> ! {
    let native = &state().threads[state().current];
    let (start, argument) = (native.start, native.argument);
    // SAFETY: what the program asked for.
    unsafe { run(start, argument) };
    report::broken("a finished thread went on");
}

unsafe fn run(start: Option<Start>, argument: *mut c_void) {
    engine::set_horizon();
    if let Some(start) = start {
        let result = start(argument);
        finish(result);
    }
}

unsafe fn finish(result: *mut c_void) {
    let me = state().current;
    while let Some((destructor, object)) = state().threads[me].destructors.pop() {
        destructor(object);
    }
    run_key_destructors();
    state().threads[me].result = result;
    state().scheduler.finish(me);
    // The last thread ends the process (pthread_exit(3)).
    if state().scheduler.all_finished() {
        libc::exit(0);
    }
    engine::leave();
}

unsafe fn run_key_destructors() {
    for _ in 0..4 {
        let keys: Vec<(u32, KeyDestructor)> =
            state().keys.iter().map(|(key, destructor)| (*key, *destructor)).collect();
        let mut called = false;
        for (key, destructor) in keys {
            let value = libc::pthread_getspecific(key);
            if let (Some(destructor), false) = (destructor, value.is_null()) {
                libc::pthread_setspecific(key, std::ptr::null());
                destructor(value);
                called = true;
            }
        }
        if !called {
            return;
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_exit(result: *mut c_void) -> ! {
    ready();
    engine::call();
    let me = state().current;
    finish(result);
    let native: *const Native = &raw const *state().threads[me];
    switch::wait_for_end(&raw const (*native).context);
    loop {
        sys::raw(libc::SYS_exit, [0; 6]);
    }
}

/// Lets the pthread below a finished thread end.
unsafe fn reap(id: ThreadId) -> *mut c_void {
    let native = &mut state().threads[id];
    native.reaped = true;
    if let Err(error) = native.context.let_end(state().coroutines) {
        super::give_up(&format!("the kernel refuses a thread to end a thread in: error {error}"));
    }
    let join = real!(c"pthread_join" as unsafe extern "C" fn(pthread_t, *mut *mut c_void) -> c_int);
    join(native.pthread, std::ptr::null_mut());
    native.result
}

unsafe fn reap_detached() {
    for id in 1..state().threads.len() {
        let native = &state().threads[id];
        if native.detached && !native.reaped && state().scheduler.is_finished(id) {
            reap(id);
        }
    }
}

unsafe fn join(pthread: pthread_t, result: *mut *mut c_void, deadline: Option<u64>) -> c_int {
    let Some(id) = find(pthread) else { return libc::ESRCH };
    if id == state().current {
        return libc::EDEADLK;
    }
    if state().threads[id].detached {
        return libc::EINVAL;
    }
    while !state().scheduler.is_finished(id) {
        if engine::block(Wait::Join(id), deadline) == Wake::TimedOut {
            return libc::ETIMEDOUT;
        }
    }
    let value = if id == 0 { state().threads[id].result } else { reap(id) };
    if !result.is_null() {
        *result = value;
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_join(pthread: pthread_t, result: *mut *mut c_void) -> c_int {
    ready();
    engine::call();
    join(pthread, result, None)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_tryjoin_np(pthread: pthread_t, result: *mut *mut c_void) -> c_int {
    ready();
    engine::call();
    match find(pthread) {
        Some(id) if !state().scheduler.is_finished(id) => libc::EBUSY,
        _ => join(pthread, result, None),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_timedjoin_np(
    pthread: pthread_t,
    result: *mut *mut c_void,
    until: *const timespec,
) -> c_int {
    pthread_clockjoin_np(pthread, result, libc::CLOCK_REALTIME, until)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_clockjoin_np(
    pthread: pthread_t,
    result: *mut *mut c_void,
    clock: c_int,
    until: *const timespec,
) -> c_int {
    ready();
    engine::call();
    match clocks::deadline(clock, until) {
        Ok(deadline) => join(pthread, result, deadline),
        Err(error) => error,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_detach(pthread: pthread_t) -> c_int {
    ready();
    engine::call();
    match find(pthread) {
        None => libc::ESRCH,
        Some(id) if state().threads[id].detached => libc::EINVAL,
        Some(id) => {
            state().threads[id].detached = true;
            0
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cxa_thread_atexit_impl(
    destructor: unsafe extern "C" fn(*mut c_void),
    object: *mut c_void,
    library: *mut c_void,
) -> c_int {
    if ready() && state().current != 0 {
        let me = state().current;
        state().threads[me].destructors.push((destructor, object));
        return 0;
    }
    let register = real!(
        c"__cxa_thread_atexit_impl"
            as unsafe extern "C" fn(
                unsafe extern "C" fn(*mut c_void),
                *mut c_void,
                *mut c_void,
            ) -> c_int
    );
    register(destructor, object, library)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_key_create(key: *mut u32, destructor: KeyDestructor) -> c_int {
    let create =
        real!(c"pthread_key_create" as unsafe extern "C" fn(*mut u32, KeyDestructor) -> c_int);
    if !ready() {
        return create(key, destructor);
    }
    let failed = create(key, None);
    if failed == 0 {
        state().keys.insert(*key, destructor);
    }
    failed
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_key_delete(key: u32) -> c_int {
    if ready() {
        state().keys.remove(&key);
    }
    let delete = real!(c"pthread_key_delete" as unsafe extern "C" fn(u32) -> c_int);
    delete(key)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_setname_np(pthread: pthread_t, name: *const c_char) -> c_int {
    ready();
    engine::call();
    let name = std::ffi::CStr::from_ptr(name).to_string_lossy().into_owned();
    if name.len() > 15 {
        return libc::ERANGE;
    }
    match find(pthread) {
        None => libc::ESRCH,
        Some(id) => {
            state().scheduler.set_name(id, name);
            0
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_getname_np(
    pthread: pthread_t,
    buffer: *mut c_char,
    length: usize,
) -> c_int {
    ready();
    engine::call();
    let Some(id) = find(pthread) else { return libc::ESRCH };
    let name = state().scheduler.name(id).as_bytes();
    if name.len() >= length {
        return libc::ERANGE;
    }
    buffer.cast::<u8>().copy_from_nonoverlapping(name.as_ptr(), name.len());
    *buffer.add(name.len()) = 0;
    0
}

/// Renaming by `prctl(PR_SET_NAME)`.
pub unsafe fn rename_current(name: *const c_char) {
    let name = std::ffi::CStr::from_ptr(name).to_string_lossy();
    let me = state().current;
    state().scheduler.set_name(me, name.chars().take(15).collect());
}

/// Numbers of threads lie above all numbers of processes: those of the kernel end here (`PID_MAX_LIMIT`).
const NUMBERS: c_int = 1 << 22;

/// The number of a thread, as `gettid` tells it: the same in every run. The first has that of its process.
fn number_of(id: ThreadId) -> c_int {
    if id == 0 { sys::getpid() as c_int } else { NUMBERS + id as c_int }
}

/// The thread that a number means: 0 is the caller.
pub fn of_number(number: c_int) -> Option<ThreadId> {
    if number == 0 {
        return Some(state().current);
    }
    (0..state().threads.len()).find(|&id| number_of(id) == number && !state().threads[id].reaped)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn gettid() -> c_int {
    ready();
    let me = state().current;
    number_of(me)
}
