//! SPI and I2C: `/dev/spidev*` and `/dev/i2c-*`.
//!
//! A transfer is an event. The host answers with the bytes and the end of wire time; until then the calling thread
//! sleeps and others run.

use super::objects::Kind;
use super::{engine, state, sys};
use crate::protocol::Output;
use crate::schedule::Wait;
use libc::{c_int, c_ulong};

/// What the host said about a transfer.
pub struct Answer {
    acknowledged: bool,
    read: Vec<u8>,
    ends: u64,
}

/// The host's answer to a transfer.
pub fn answer(transfer: u32, acknowledged: bool, read: Vec<u8>, ends: u64) {
    let state = state();
    if let Some(place) = state.transfers.get_mut(&transfer) {
        *place = Some(Answer { acknowledged, read, ends });
        if let Some(id) = state.scheduler.first_waiter(|on| on == Wait::Bus(transfer)) {
            state.scheduler.set_deadline(id, ends);
        }
    }
}

fn transact(bus: u32, chip: u8, clock: u32, written: Vec<u8>, read: u32) -> Answer {
    let transfer = state().counters.transfers as u32;
    state().counters.transfers += 1;
    state().transfers.insert(transfer, None);
    engine::emit(Output::BusRequest { transfer, bus, chip, clock, written, read });
    loop {
        let ends = state().transfers.get(&transfer).and_then(|answer| Some(answer.as_ref()?.ends));
        if ends.is_some_and(|ends| ends <= state().now) {
            break;
        }
        engine::block(Wait::Bus(transfer), ends);
    }
    state().transfers.remove(&transfer).flatten().unwrap_or(Answer {
        acknowledged: false,
        read: Vec::new(),
        ends: 0,
    })
}

/// `struct spi_ioc_transfer`.
#[repr(C)]
#[derive(Clone, Copy)]
struct SpiTransfer {
    written: u64,
    read: u64,
    length: u32,
    speed: u32,
    delay: u16,
    bits: u8,
    change_select: u8,
    unused: u32,
}

const SPI: c_ulong = 0x6b;
const WRITES: c_ulong = 1;

/// The parts of a request number: direction, size, group, command.
fn parts(request: c_ulong) -> (c_ulong, usize, c_ulong, c_ulong) {
    (request >> 30 & 3, (request >> 16 & 0x3fff) as usize, request >> 8 & 0xff, request & 0xff)
}

pub unsafe fn spi_ioctl(index: u32, request: c_ulong, argument: u64) -> c_int {
    let (direction, size, group, command) = parts(request);
    if group != SPI {
        return sys::fail(libc::ENOTTY) as c_int;
    }
    let Kind::Spi { bus, chip, mode, bits, speed } = &mut state().objects.get(index).kind else {
        return sys::fail(libc::ENOTTY) as c_int;
    };
    let writes = direction == WRITES;
    let memory = argument as *mut u8;
    match (command, size) {
        (0, size) => {
            let count = size / std::mem::size_of::<SpiTransfer>();
            let (bus, chip, speed) = (*bus, *chip, *speed);
            return match spi_message(
                bus,
                chip,
                speed,
                std::slice::from_raw_parts(argument as *const SpiTransfer, count),
            ) {
                Ok(length) => length as c_int,
                Err(error) => sys::fail(error) as c_int,
            };
        }
        (1, 1) if writes => *mode = u32::from(*memory),
        (1, 1) => *memory = *mode as u8,
        (5, 4) if writes => *mode = *memory.cast(),
        (5, 4) => *memory.cast() = *mode,
        (2, 1) if writes => {}
        (2, 1) => *memory = 0,
        (3, 1) if writes => *bits = *memory,
        (3, 1) => *memory = *bits,
        (4, 4) if writes => *speed = *memory.cast(),
        (4, 4) => *memory.cast() = *speed,
        _ => return sys::fail(libc::ENOTTY) as c_int,
    }
    0
}

/// The chip is selected from the first part to the last, or to one that changes the select line: one request each.
unsafe fn spi_message(
    bus: u32,
    chip: u8,
    default_speed: u32,
    transfers: &[SpiTransfer],
) -> Result<usize, c_int> {
    let mut total = 0;
    for selected in transfers.split_inclusive(|transfer| transfer.change_select != 0) {
        let mut written = Vec::new();
        for transfer in selected {
            let length = transfer.length as usize;
            if written.len() + length > crate::protocol::MAX_FRAME / 2 {
                return Err(libc::EMSGSIZE);
            }
            if transfer.written == 0 {
                written.resize(written.len() + length, 0);
            } else {
                written.extend_from_slice(std::slice::from_raw_parts(
                    transfer.written as *const u8,
                    length,
                ));
            }
        }
        let clock = selected
            .iter()
            .map(|transfer| transfer.speed)
            .find(|&speed| speed != 0)
            .unwrap_or(default_speed);
        let count = written.len();
        let answer = transact(bus, chip, clock, written, 0);
        // A chip that is not there leaves the line high.
        let mut read = answer.read;
        read.resize(count, 0xff);
        let mut place = 0;
        for transfer in selected {
            let length = transfer.length as usize;
            if transfer.read != 0 {
                (transfer.read as *mut u8).copy_from_nonoverlapping(read[place..].as_ptr(), length);
            }
            place += length;
        }
        total += count;
    }
    Ok(total)
}

/// `struct i2c_msg`.
#[repr(C)]
struct I2cMessage {
    address: u16,
    flags: u16,
    length: u16,
    buffer: *mut u8,
}

#[repr(C)]
struct I2cMessages {
    messages: *const I2cMessage,
    count: u32,
}

#[repr(C)]
struct SmBus {
    read: u8,
    command: u8,
    size: u32,
    data: *mut u8,
}

const I2C_SLAVE: c_ulong = 0x0703;
const I2C_SLAVE_FORCE: c_ulong = 0x0706;
const I2C_FUNCS: c_ulong = 0x0705;
const I2C_RDWR: c_ulong = 0x0707;
const I2C_SMBUS: c_ulong = 0x0720;
/// Plain I2C, and SMBus made of it.
const FUNCTIONS: c_ulong = 0x0eff_0009;
/// What the kernel's drivers answer when nobody acknowledges.
const NO_ANSWER: c_int = libc::EREMOTEIO;

pub unsafe fn i2c_ioctl(index: u32, request: c_ulong, argument: u64) -> c_int {
    let Kind::I2c { bus, address } = &mut state().objects.get(index).kind else {
        return sys::fail(libc::ENOTTY) as c_int;
    };
    let (bus, chip) = (*bus, *address as u8);
    let result = match request {
        I2C_SLAVE | I2C_SLAVE_FORCE if argument > 0x7f => Err(libc::EINVAL),
        I2C_SLAVE | I2C_SLAVE_FORCE => {
            *address = argument as u16;
            Ok(0)
        }
        // Retries, time-out, ten-bit addresses off, error checks off.
        0x0701 | 0x0702 => Ok(0),
        0x0704 | 0x0708 if argument == 0 => Ok(0),
        I2C_FUNCS => {
            *(argument as *mut c_ulong) = FUNCTIONS;
            Ok(0)
        }
        I2C_RDWR => {
            let all = &*(argument as *const I2cMessages);
            i2c_messages(bus, std::slice::from_raw_parts(all.messages, all.count as usize))
        }
        I2C_SMBUS => smbus(bus, chip, &*(argument as *const SmBus)).map(|()| 0),
        _ => Err(libc::ENOTTY),
    };
    match result {
        Ok(value) => value as c_int,
        Err(error) => sys::fail(error) as c_int,
    }
}

fn i2c(bus: u32, chip: u8, written: Vec<u8>, count: usize) -> Result<Vec<u8>, c_int> {
    let answer = transact(bus, chip, 0, written, count as u32);
    if !answer.acknowledged {
        return Err(NO_ANSWER);
    }
    let mut read = answer.read;
    read.resize(count, 0xff);
    Ok(read)
}

/// Writes up to the next read, and that read, are one request: a repeated start lies between.
unsafe fn i2c_messages(bus: u32, messages: &[I2cMessage]) -> Result<usize, c_int> {
    const READ: u16 = 1;
    let mut written = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        let length = usize::from(message.length);
        let chip = message.address as u8;
        if message.flags & READ != 0 {
            let read = i2c(bus, chip, std::mem::take(&mut written), length)?;
            message.buffer.copy_from_nonoverlapping(read.as_ptr(), length);
            continue;
        }
        written.extend_from_slice(std::slice::from_raw_parts(message.buffer, length));
        let read_follows = messages
            .get(place + 1)
            .is_some_and(|next| next.flags & READ != 0 && next.address == message.address);
        if !read_follows {
            i2c(bus, chip, std::mem::take(&mut written), 0)?;
        }
    }
    Ok(messages.len())
}

/// The transactions of SMBus as plain I2C (SMBus 2.0, 5.5). `data` holds a byte, a word, or a length and a block.
unsafe fn smbus(bus: u32, chip: u8, call: &SmBus) -> Result<(), c_int> {
    let reads = call.read != 0;
    match (call.size, reads) {
        (0, _) => i2c(bus, chip, Vec::new(), 0).map(drop),
        (1, false) => i2c(bus, chip, vec![call.command], 0).map(drop),
        (1, true) => {
            *call.data = i2c(bus, chip, Vec::new(), 1)?[0];
            Ok(())
        }
        (2, false) => i2c(bus, chip, vec![call.command, *call.data], 0).map(drop),
        (3, false) => {
            i2c(bus, chip, vec![call.command, *call.data, *call.data.add(1)], 0).map(drop)
        }
        (2 | 3, true) => {
            let length = call.size as usize - 1;
            let read = i2c(bus, chip, vec![call.command], length)?;
            call.data.copy_from_nonoverlapping(read.as_ptr(), length);
            Ok(())
        }
        (5 | 6 | 8, false) => {
            let length = usize::from(*call.data).min(32);
            let mut written = vec![call.command];
            if call.size == 5 {
                written.push(length as u8);
            }
            written.extend_from_slice(std::slice::from_raw_parts(call.data.add(1), length));
            i2c(bus, chip, written, 0).map(drop)
        }
        (6 | 8, true) => {
            let length = usize::from(*call.data).min(32);
            let read = i2c(bus, chip, vec![call.command], length)?;
            call.data.add(1).copy_from_nonoverlapping(read.as_ptr(), length);
            Ok(())
        }
        _ => Err(libc::EOPNOTSUPP),
    }
}

/// `read()` on a bus: plain bytes from the chip that was chosen.
pub fn read(index: u32, buffer: &mut [u8]) -> Result<usize, c_int> {
    let count = buffer.len().min(8192);
    let read = match state().objects.get(index).kind {
        Kind::Spi { bus, chip, speed, .. } => {
            let mut read = transact(bus, chip, speed, vec![0; count], 0).read;
            read.resize(count, 0xff);
            read
        }
        Kind::I2c { bus, address } => i2c(bus, address as u8, Vec::new(), count)?,
        _ => return Err(libc::EBADF),
    };
    buffer[..count].copy_from_slice(&read);
    Ok(count)
}

pub fn write(index: u32, bytes: &[u8]) -> Result<usize, c_int> {
    let bytes = &bytes[..bytes.len().min(8192)];
    match state().objects.get(index).kind {
        Kind::Spi { bus, chip, speed, .. } => {
            transact(bus, chip, speed, bytes.to_vec(), 0);
        }
        Kind::I2c { bus, address } => {
            i2c(bus, address as u8, bytes.to_vec(), 0)?;
        }
        _ => return Err(libc::EBADF),
    }
    Ok(bytes.len())
}
