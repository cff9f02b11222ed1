//! Waits for the end of a child.

use super::children::wait_for;
use super::{engine, sys};
use libc::{c_int, pid_t, siginfo_t};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wait4(
    pid: pid_t,
    status: *mut c_int,
    options: c_int,
    usage: *mut libc::rusage,
) -> pid_t {
    super::ready();
    engine::call();
    match wait_for(pid, options) {
        Ok(found) => {
            let (pid, ended) = found.unwrap_or((0, 0));
            if pid != 0 && !status.is_null() {
                *status = ended;
            }
            if !usage.is_null() {
                *usage = std::mem::zeroed();
            }
            pid as pid_t
        }
        Err(error) => sys::fail(error) as pid_t,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn waitpid(pid: pid_t, status: *mut c_int, options: c_int) -> pid_t {
    wait4(pid, status, options, std::ptr::null_mut())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wait(status: *mut c_int) -> pid_t {
    wait4(-1, status, 0, std::ptr::null_mut())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn wait3(
    status: *mut c_int,
    options: c_int,
    usage: *mut libc::rusage,
) -> pid_t {
    wait4(-1, status, options, usage)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn waitid(
    kind: libc::idtype_t,
    id: libc::id_t,
    info: *mut siginfo_t,
    options: c_int,
) -> c_int {
    super::ready();
    engine::call();
    let which = if kind == libc::P_PID { id as pid_t } else { -1 };
    match wait_for(which, options) {
        Ok(found) => {
            if !info.is_null() {
                *info = std::mem::zeroed();
                if let Some((pid, status)) = found {
                    (*info).si_signo = libc::SIGCHLD;
                    let by_itself = libc::WIFEXITED(status);
                    (*info).si_code = if by_itself { libc::CLD_EXITED } else { libc::CLD_KILLED };
                    // si_pid at 16, si_uid at 20, si_status at 24.
                    let words = info.cast::<i32>();
                    words.add(4).write(pid as i32);
                    words.add(6).write(if by_itself {
                        libc::WEXITSTATUS(status)
                    } else {
                        libc::WTERMSIG(status)
                    });
                }
            }
            0
        }
        Err(error) => sys::fail(error) as c_int,
    }
}
