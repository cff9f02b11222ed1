//! An unmodified Linux program in virtual time: the part that lives inside the program.
//!
//! The crate is two things. As an ordinary library it is the [`protocol`] between the program and its host, and the
//! rules of its threads as data ([`schedule`]), and the
//! way to start one with the same memory each time (`steady`). With `--cfg ironbird_preload`, built as a shared library and named in
//! `LD_PRELOAD`, it is the shim: it answers every clock, sleep, wait, thread, device and socket call of the program.
//!
//! ```text
//!   host (ironbird-native)                         program, unmodified
//!        │  Setup ───────────────────────────────►  shim starts before main
//!        │  ◄─────────────────────────────── Hello    │
//!        │  Resume { now, until, events } ───────►  threads run until nobody may go on before `until`
//!        │  ◄────────────── Yield { now, events }     │
//! ```
//!
//! # What the shim answers
//! Clocks by every number, sleeps, `timerfd`, `timer_create`, `setitimer`, `alarm`; threads of POSIX, C11 and C++ with
//! their locks (with priority inheritance), conditions, barriers, semaphores and things done once; futexes by
//! `syscall()`; signals between threads, from timers and from the host; `poll`, `select`, `epoll`, `eventfd`, pipes,
//! pairs of sockets; `/dev/spidev*`, `/dev/i2c-*`, serial ports, random devices; datagram and stream sockets; load,
//! memory, free space, names and interfaces of the computer, which has one processor. Files are real, but
//! nobody waits for a disk. Ports, pins and sensors of this machine are not there.
//!
//! # Other programs
//! Where the setup allows [helpers](protocol::Children::Helpers), `system`, `popen`, `posix_spawn` and `fork` with
//! `exec` start real processes, from a process that was forked before the leak net was closed. They live in wall time,
//! without the shim. After everything that the program does that one of them may wait for (it starts one, writes to a
//! pipe or a local socket, reads from one, closes something, gives a lock back, sends a signal) the program stands still
//! until every process below it has ended or sleeps in a call of the kernel that has no time-out. So what they do takes
//! no virtual time, and is done when the call of the program returns. Those that run side by side are heard in the order
//! of their birth: their connections are accepted so, and `wait` tells of their ends so. Between them is wall time: who
//! is first at a file, a lock or a pipe that they share.
//!
//! # What it refuses
//! Other programs otherwise, `pthread_cancel`, `signalfd`, `inotify`, timers of processor time: the run ends with an
//! [`Output::Leaked`](protocol::Output::Leaked) that says where and what to do. So do, with the leak net, system calls
//! past libc and `rdtsc`. `rdrand` and `cpuid` cannot be caught.
//!
//! # What differs from a kernel
//! `pthread_exit` does not unwind the stack (destructors of thread-local objects and of keys run, those of local C++
//! objects do not). Priority ceilings (PTHREAD_PRIO_PROTECT) and robust mutexes are accepted and do nothing. Serial
//! ports are never in line mode. They take 4096 bytes, and more as the line carries them; what they have taken is sent,
//! though the program flushes it, and closing them does not wait for it. Sockets take all bytes at once; how long those
//! are on their way is the host's matter. Connections to listening sockets come one at a time for each port. Sockets of
//! the local domain lead nowhere, pairs of them excepted, unless helpers are allowed: then they lead to the program and
//! to its helpers. A copy that `fork` made may become another program or end, and do nothing else. A lock of a file that
//! another holds is tried again each millisecond. A fault (SIGSEGV and its like) ends the run, whatever handler the
//! program has for it.

pub mod protocol;
pub mod schedule;
#[cfg(all(not(ironbird_preload), target_os = "linux", target_arch = "x86_64"))]
pub mod steady;

#[cfg(all(ironbird_preload, target_os = "linux", target_arch = "x86_64"))]
mod preload;
