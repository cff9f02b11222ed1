//! NIC: Ethernet frames from and to memory.

use std::collections::VecDeque;

use ironbird_network::EthernetFrame;
use serde::{Deserialize, Serialize};

use crate::memory::Memory;

const ADDRESS_LOW: u32 = 0x00;
const ADDRESS_HIGH: u32 = 0x04;
const SEND_ADDRESS: u32 = 0x08;
const SEND_LENGTH: u32 = 0x0C;
const SEND: u32 = 0x10;
const STATUS: u32 = 0x14;
const RECEIVE_ADDRESS: u32 = 0x18;
const RECEIVE: u32 = 0x1C;
const RECEIVE_LENGTH: u32 = 0x20;
const INTERRUPT: u32 = 0x24;

const HAS_COME: u32 = 1;
const LOST: u32 = 2;
const BAD: u32 = 4;

/// Frames that find room.
const ROOM: usize = 16;
const SHORTEST: u32 = 14;
const LONGEST: u32 = 1514;

/// A network card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nic {
    address: [u8; 6],
    send_address: u32,
    send_length: u32,
    /// Software has asked for a frame to be sent.
    pub wanted: bool,
    received: VecDeque<Vec<u8>>,
    errors: u32,
    receive_address: u32,
    receive_length: u32,
    interrupts: bool,
}

impl Nic {
    pub fn new(address: [u8; 6]) -> Self {
        Nic {
            address,
            send_address: 0,
            send_length: 0,
            wanted: false,
            received: VecDeque::new(),
            errors: 0,
            receive_address: 0,
            receive_length: 0,
            interrupts: false,
        }
    }

    /// All is as after reset.
    pub fn reset(&mut self) {
        *self = Nic::new(self.address);
    }

    pub fn line(&self) -> bool {
        self.interrupts && !self.received.is_empty()
    }

    /// The frame that software wants to send.
    pub fn begin(&mut self, memory: &Memory) -> Option<EthernetFrame> {
        self.wanted = false;
        if (SHORTEST..=LONGEST).contains(&self.send_length) {
            let mut bytes = vec![0; self.send_length as usize];
            if memory.read(self.send_address, &mut bytes).is_ok() {
                return Some(EthernetFrame::new(bytes));
            }
        }
        self.errors |= BAD;
        None
    }

    /// A frame is at the card: it is taken if it is for this one or for all, and finds room.
    pub fn receive(&mut self, frame: &EthernetFrame) {
        let bytes = &frame.bytes[..];
        let Some(destination) = bytes.get(..6) else { return };
        let is_for_all = destination[0] & 1 != 0;
        if destination != self.address && !is_for_all || bytes.len() > LONGEST as usize {
            return;
        }
        if self.received.len() < ROOM {
            self.received.push_back(bytes.to_vec());
        } else {
            self.errors |= LOST;
        }
    }

    fn take(&mut self, memory: &mut Memory) {
        self.receive_length = 0;
        let Some(bytes) = self.received.front() else { return };
        if memory.write(self.receive_address, bytes).is_ok() {
            self.receive_length = bytes.len() as u32;
            self.received.pop_front();
        } else {
            self.errors |= BAD;
        }
    }

    pub fn load(&self, offset: u32) -> u32 {
        let [a, b, c, d, e, f] = self.address;
        match offset {
            ADDRESS_LOW => u32::from_le_bytes([a, b, c, d]),
            ADDRESS_HIGH => u32::from_le_bytes([e, f, 0, 0]),
            SEND_ADDRESS => self.send_address,
            SEND_LENGTH => self.send_length,
            STATUS => self.errors | if self.received.is_empty() { 0 } else { HAS_COME },
            RECEIVE_ADDRESS => self.receive_address,
            RECEIVE_LENGTH => self.receive_length,
            INTERRUPT => u32::from(self.interrupts),
            _ => 0,
        }
    }

    pub fn store(&mut self, offset: u32, value: u32, memory: &mut Memory) {
        match offset {
            SEND_ADDRESS => self.send_address = value,
            SEND_LENGTH => self.send_length = value,
            SEND => self.wanted = value & 1 != 0,
            STATUS => self.errors &= !value,
            RECEIVE_ADDRESS => self.receive_address = value,
            RECEIVE if value & 1 != 0 => self.take(memory),
            INTERRUPT => self.interrupts = value & 1 != 0,
            _ => {}
        }
    }
}
