//! Serial ports: settings, bytes in. What goes out is the matter of [`transmit`].

use super::objects::{self, Port};
use super::{engine, state, sys, transmit};
use crate::protocol::{Device, DeviceKind, Output};
use libc::{c_int, c_ulong};
use std::collections::BTreeMap;

/// The settings, in the kernel's layout with free speeds (`struct termios2`).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Terminal {
    input: u32,
    output: u32,
    control: u32,
    local: u32,
    line: u8,
    characters: [u8; 19],
    input_speed: u32,
    output_speed: u32,
}

impl Default for Terminal {
    fn default() -> Self {
        Self::at(9600)
    }
}

impl Terminal {
    /// What Linux gives a serial port at first: eight bits, lines.
    fn at(baud: u32) -> Self {
        let code = SPEEDS.iter().find(|(_, speed)| *speed == baud);
        let code = code.map_or(libc::BOTHER, |(constant, _)| *constant);
        let mut characters = [0; 19];
        characters[libc::VMIN] = 1;
        Self {
            input: libc::ICRNL | libc::IXON,
            output: libc::OPOST | libc::ONLCR,
            control: code | libc::CS8 | libc::CREAD | libc::HUPCL | libc::CLOCAL,
            local: libc::ISIG | libc::ICANON | libc::ECHO,
            line: 0,
            characters,
            input_speed: baud,
            output_speed: baud,
        }
    }
}

/// Bits per second of a `B…` constant.
const SPEEDS: [(u32, u32); 24] = [
    (libc::B50, 50),
    (libc::B110, 110),
    (libc::B300, 300),
    (libc::B600, 600),
    (libc::B1200, 1200),
    (libc::B2400, 2400),
    (libc::B4800, 4800),
    (libc::B9600, 9600),
    (libc::B19200, 19200),
    (libc::B38400, 38400),
    (libc::B57600, 57600),
    (libc::B115200, 115_200),
    (libc::B230400, 230_400),
    (libc::B460800, 460_800),
    (libc::B500000, 500_000),
    (libc::B576000, 576_000),
    (libc::B921600, 921_600),
    (libc::B1000000, 1_000_000),
    (libc::B1152000, 1_152_000),
    (libc::B1500000, 1_500_000),
    (libc::B2000000, 2_000_000),
    (libc::B2500000, 2_500_000),
    (libc::B3000000, 3_000_000),
    (libc::B4000000, 4_000_000),
];

/// The ports that lead to the host, as they are before the program opens them.
pub fn ports(devices: &[Device]) -> BTreeMap<u32, Port> {
    let serial = devices.iter().filter_map(|device| match device.kind {
        DeviceKind::Serial { port, baud } => {
            let (terminal, line) = (Terminal::at(baud), transmit::Line::at(baud));
            Some((port, Port { terminal, line, ..Port::default() }))
        }
        _ => None,
    });
    serial.collect()
}

fn terminal(port: u32) -> &'static mut Terminal {
    &mut state().ports.entry(port).or_default().terminal
}

/// New settings; the host hears of a new speed. Where no constant names it, the settings have it beside them.
fn change(port: u32, new: Terminal) {
    let mut new = new;
    let code = new.control & libc::CBAUD;
    if code != libc::BOTHER {
        let speed =
            SPEEDS.iter().find(|(constant, _)| *constant == code).map_or(0, |(_, speed)| *speed);
        (new.input_speed, new.output_speed) = (speed, speed);
    }
    let before = terminal(port).output_speed;
    *terminal(port) = new;
    if before != new.output_speed {
        transmit::set_speed(port, new.output_speed);
        engine::emit(Output::Speed { port, baud: new.output_speed });
        engine::preempt_if_due();
    }
}

/// libc's structure has more characters and the speeds behind them.
pub unsafe fn get(port: u32, termios: *mut libc::termios) -> c_int {
    engine::call();
    let terminal = terminal(port);
    *termios = std::mem::zeroed();
    (*termios).c_iflag = terminal.input;
    (*termios).c_oflag = terminal.output;
    (*termios).c_cflag = terminal.control;
    (*termios).c_lflag = terminal.local;
    (&mut (*termios).c_cc)[..19].copy_from_slice(&terminal.characters);
    (*termios).c_ispeed = terminal.control & libc::CBAUD;
    (*termios).c_ospeed = terminal.control & libc::CBAUD;
    0
}

pub unsafe fn set(port: u32, when: c_int, termios: *const libc::termios) -> c_int {
    engine::call();
    let mut characters = [0; 19];
    characters.copy_from_slice(&(&(*termios).c_cc)[..19]);
    let before = *terminal(port);
    let new = Terminal {
        input: (*termios).c_iflag,
        output: (*termios).c_oflag,
        control: (*termios).c_cflag,
        local: (*termios).c_lflag,
        line: 0,
        characters,
        input_speed: before.input_speed,
        output_speed: before.output_speed,
    };
    answer(change_when(port, new, when))
}

/// New settings now (TCSANOW), when all is sent (TCSADRAIN), or then and without what came before (TCSAFLUSH).
fn change_when(port: u32, new: Terminal, when: c_int) -> Result<(), c_int> {
    if when != libc::TCSANOW {
        transmit::drain(port)?;
    }
    if when == libc::TCSAFLUSH {
        flush(port, libc::TCIFLUSH);
    }
    change(port, new);
    Ok(())
}

fn answer(result: Result<(), c_int>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(error) => sys::fail(error) as c_int,
    }
}

const TCGETS2: c_ulong = 0x802c_542a;
const TCSETS2: c_ulong = 0x402c_542b;
const TCSETSW2: c_ulong = 0x402c_542c;
const TCSETSF2: c_ulong = 0x402c_542d;
/// Bytes of the structure without the speeds.
const SHORT: usize = 36;

/// The requests of serial ports; none: not one of them.
pub unsafe fn ioctl(port: u32, request: c_ulong, argument: u64) -> Option<c_int> {
    let memory = argument as *mut u8;
    let whole = std::mem::size_of::<Terminal>();
    match request {
        libc::TCGETS => memory.copy_from_nonoverlapping((&raw const *terminal(port)).cast(), SHORT),
        TCGETS2 => memory.copy_from_nonoverlapping((&raw const *terminal(port)).cast(), whole),
        libc::TCSETS | libc::TCSETSW | libc::TCSETSF | TCSETS2 | TCSETSW2 | TCSETSF2 => {
            let with_speeds = [TCSETS2, TCSETSW2, TCSETSF2].contains(&request);
            let mut new = *terminal(port);
            (&raw mut new)
                .cast::<u8>()
                .copy_from_nonoverlapping(memory, if with_speeds { whole } else { SHORT });
            let when = match request {
                libc::TCSETS | TCSETS2 => libc::TCSANOW,
                libc::TCSETSW | TCSETSW2 => libc::TCSADRAIN,
                _ => libc::TCSAFLUSH,
            };
            return Some(answer(change_when(port, new, when)));
        }
        libc::FIONREAD => {
            *memory.cast::<c_int>() = state().ports.entry(port).or_default().input.len() as c_int
        }
        libc::TIOCOUTQ => *memory.cast::<c_int>() = transmit::waiting(port) as c_int,
        libc::TIOCMGET => {
            *memory.cast::<c_int>() = libc::TIOCM_CTS | libc::TIOCM_DSR | libc::TIOCM_CAR
        }
        libc::TCFLSH => flush(port, argument as c_int),
        // With an argument it is what tcdrain asks for (tty_ioctl(4)); without one a break follows, which no line
        // carries.
        libc::TCSBRK | libc::TCSBRKP => return Some(answer(transmit::drain(port))),
        libc::TIOCMSET
        | libc::TIOCMBIS
        | libc::TIOCMBIC
        | libc::TIOCEXCL
        | libc::TIOCNXCL
        | libc::TCXONC => {}
        // TIOCGSERIAL and TIOCSSERIAL set latencies that a virtual port does not have.
        0x541e | 0x541f => {}
        _ => return None,
    }
    Some(0)
}

/// Drops what came and was not read. What waits to be sent stays: the host has it already and will send it, and to
/// tell the program otherwise (TIOCOUTQ, POLLOUT) would be wrong for as long as that takes.
fn flush(port: u32, queue: c_int) {
    if queue != libc::TCOFLUSH {
        state().ports.entry(port).or_default().input.clear();
    }
}

/// Waits as VMIN and VTIME say (termios(3)), then takes what is there.
pub fn read(index: u32, port: u32, buffer: &mut [u8]) -> Result<usize, c_int> {
    loop {
        let state = state();
        let Some(entry) = state.ports.get_mut(&port) else { return Ok(0) };
        if !entry.input.is_empty() {
            return Ok(super::files::drain(&mut entry.input, buffer));
        }
        let terminal = entry.terminal;
        let lines = terminal.local & libc::ICANON != 0;
        let (least, tenths) =
            (terminal.characters[libc::VMIN], u64::from(terminal.characters[libc::VTIME]));
        if lines || least > 0 {
            objects::wait_for(index, libc::POLLIN, None)?;
            continue;
        }
        // Without a time to wait there is nothing; with one, a file that must not wait gives EAGAIN (`n_tty_read`).
        if tenths == 0 {
            return Ok(0);
        }
        if !objects::wait_for(
            index,
            libc::POLLIN,
            Some(super::clocks::in_ns(tenths * 100_000_000)),
        )? {
            return Ok(0);
        }
    }
}

unsafe fn on_port(fd: c_int, act: impl FnOnce(u32) -> Result<(), c_int>) -> c_int {
    super::ready();
    match super::paths::serial_port(fd) {
        Some(port) => {
            engine::call();
            answer(act(port))
        }
        None => sys::fail(libc::ENOTTY) as c_int,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tcflush(fd: c_int, queue: c_int) -> c_int {
    on_port(fd, |port| {
        flush(port, queue);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tcdrain(fd: c_int) -> c_int {
    on_port(fd, transmit::drain)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tcsendbreak(fd: c_int, _: c_int) -> c_int {
    on_port(fd, transmit::drain)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn tcflow(fd: c_int, _: c_int) -> c_int {
    on_port(fd, |_| Ok(()))
}
