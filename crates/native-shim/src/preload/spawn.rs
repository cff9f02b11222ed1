//! `posix_spawn`.

use super::orders::{Action, Order};
use super::programs::{Words, all, allowed, bytes, candidates, order, start};
use super::sys;
use libc::{c_char, c_int, c_short, mode_t, pid_t, posix_spawn_file_actions_t};

/// The shim's own list lies where libc would keep its own.
unsafe fn actions(place: *const posix_spawn_file_actions_t) -> &'static mut Vec<Action> {
    &mut **place.cast::<*mut Vec<Action>>()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_spawn_file_actions_init(
    place: *mut posix_spawn_file_actions_t,
) -> c_int {
    *place.cast::<*mut Vec<Action>>() = Box::into_raw(Box::default());
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_spawn_file_actions_destroy(
    place: *mut posix_spawn_file_actions_t,
) -> c_int {
    drop(Box::from_raw(*place.cast::<*mut Vec<Action>>()));
    0
}

macro_rules! file_actions {
    ($($name:ident($($argument:ident: $kind:ty),*) => $action:expr;)*) => {
        $(#[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            place: *mut posix_spawn_file_actions_t, $($argument: $kind),*
        ) -> c_int {
            actions(place).push($action);
            0
        })*
    };
}

file_actions! {
    posix_spawn_file_actions_addclose(fd: c_int) => Action::Close(fd);
    posix_spawn_file_actions_adddup2(from: c_int, fd: c_int) => Action::Copy(from, fd);
    posix_spawn_file_actions_addopen(fd: c_int, path: *const c_char, flags: c_int, mode: mode_t) =>
        Action::Open { fd, path: bytes(path), flags, mode };
    posix_spawn_file_actions_addchdir_np(path: *const c_char) => Action::Folder(bytes(path));
    posix_spawn_file_actions_addfchdir_np(fd: c_int) => Action::FolderOf(fd);
    posix_spawn_file_actions_addclosefrom_np(fd: c_int) => Action::CloseFrom(fd);
}

type Attributes = libc::posix_spawnattr_t;

unsafe fn spawn(
    pid: *mut pid_t,
    paths: Vec<Vec<u8>>,
    (list, attributes): (*const posix_spawn_file_actions_t, *const Attributes),
    (arguments, environment): (Words, Words),
    or_script: bool,
) -> c_int {
    let mut order = Order { paths, or_script, ..order(all(arguments), environment) };
    if !list.is_null() {
        order.actions = actions(list).clone();
        // An action may name a descriptor that would be closed otherwise.
        for action in &order.actions {
            if let Action::Copy(from, _) | Action::FolderOf(from) = action
                && !order.descriptors.contains(from)
                && sys::raw(libc::SYS_fcntl, [*from as u64, libc::F_GETFD as u64, 0, 0, 0, 0]) >= 0
            {
                order.descriptors.push(*from);
                order.hidden.push(*from);
            }
        }
    }
    if !attributes.is_null() {
        let mut flags: c_short = 0;
        libc::posix_spawnattr_getflags(attributes, &mut flags);
        let has = |flag: c_int| c_int::from(flags) & flag != 0;
        if has(libc::POSIX_SPAWN_SETPGROUP) {
            let mut group = 0;
            libc::posix_spawnattr_getpgroup(attributes, &mut group);
            order.group = Some(group);
        }
        if has(libc::POSIX_SPAWN_SETSIGMASK) {
            let mut mask: libc::sigset_t = std::mem::zeroed();
            libc::posix_spawnattr_getsigmask(attributes, &mut mask);
            order.mask = super::signals::word(&mask);
        }
        order.session = has(c_int::from(libc::POSIX_SPAWN_SETSID));
    }
    match start(&order) {
        Ok(started) => {
            if !pid.is_null() {
                *pid = started as pid_t;
            }
            0
        }
        Err(error) => error,
    }
}

pub unsafe extern "C" fn spawn_path(
    pid: *mut pid_t,
    path: *const c_char,
    list: *const posix_spawn_file_actions_t,
    attributes: *const Attributes,
    arguments: Words,
    environment: Words,
) -> c_int {
    allowed("posix_spawn");
    spawn(pid, vec![bytes(path)], (list, attributes), (arguments, environment), false)
}

pub unsafe extern "C" fn spawn_name(
    pid: *mut pid_t,
    name: *const c_char,
    list: *const posix_spawn_file_actions_t,
    attributes: *const Attributes,
    arguments: Words,
    environment: Words,
) -> c_int {
    allowed("posix_spawnp");
    spawn(pid, candidates(name), (list, attributes), (arguments, environment), true)
}
