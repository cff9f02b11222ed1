//! PCIE (protocol 2): transactions between a host and one device.
//!
//! | direction | message | fields |
//! |---|---|---|
//! | device to host | READ 0x40, WRITE 0x41 | request u64 @0, host address u64 @8, length u16 @16, written data @64 |
//! | device to host | INTERRUPT 0x42 | vector u16 @0, kind u8 @2 |
//! | device to host | READCOMP 0x43, WRITECOMP 0x44 | request u64 @0, read data @64 |
//! | host to device | READ 0x60, WRITE 0x61, WRITE_POSTED 0x65 | request u64 @0, offset in the BAR u64 @8, length u16 @16, BAR u8 @18, written data @64 |
//! | host to device | READCOMP 0x62, WRITECOMP 0x63 | request u64 @0, read data @64 |
//! | host to device | DEVCTRL 0x64 | flags u64 @0 |
//!
//! The device introduces itself with 119 bytes ([`DeviceIntro`]), the host with four dummy bytes.

use super::{Expected, FIELDS, Fields, LayoutError, Tail, Upper, fields, length, put, take};

/// Bytes of a slot that SimBricks' own programs use.
pub const ELEN: u64 = 9088;
/// Bytes of the device's introduction.
pub const DEVICE_INTRO: usize = 119;

/// [`ToDevice::Control`]: legacy interrupts are enabled.
pub const CONTROL_INTX: u64 = 1;
/// [`ToDevice::Control`]: MSI is enabled.
pub const CONTROL_MSI: u64 = 2;
/// [`ToDevice::Control`]: MSI-X is enabled.
pub const CONTROL_MSIX: u64 = 4;

/// [`Bar::flags`]: in I/O space.
pub const BAR_IO: u64 = 1;
/// [`Bar::flags`]: 64 bits wide.
pub const BAR_64: u64 = 2;
/// [`Bar::flags`]: may be prefetched.
pub const BAR_PREFETCH: u64 = 4;
/// [`Bar::flags`]: takes up addresses without anything behind them.
pub const BAR_DUMMY: u64 = 8;

const TO_HOST: &str = "PCIE from device to host";
const TO_DEVICE: &str = "PCIE from host to device";
const INTRO: &str = "the introduction of a PCIe device";

/// A base address register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bar {
    /// Bytes; 0 where it is not used.
    pub len: u64,
    /// [`BAR_IO`] and so on.
    pub flags: u64,
}

/// What a device says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the names of the PCI specification
pub struct DeviceIntro {
    pub bars: [Bar; 6],
    pub vendor: u16,
    pub device: u16,
    pub class: u8,
    pub subclass: u8,
    pub revision: u8,
    pub progif: u8,
    pub msi_nvecs: u8,
    pub msix_nvecs: u16,
    pub msix_table_bar: u8,
    pub msix_pba_bar: u8,
    pub msix_table_offset: u32,
    pub msix_pba_offset: u32,
    pub msix_cap_offset: u16,
}

impl DeviceIntro {
    /// The bytes as they are sent.
    pub fn encode(&self) -> [u8; DEVICE_INTRO] {
        let mut bytes = [0; DEVICE_INTRO];
        for (index, bar) in self.bars.iter().enumerate() {
            put(&mut bytes, index * 16, bar.len.to_le_bytes());
            put(&mut bytes, index * 16 + 8, bar.flags.to_le_bytes());
        }
        put(&mut bytes, 96, self.vendor.to_le_bytes());
        put(&mut bytes, 98, self.device.to_le_bytes());
        put(&mut bytes, 100, [self.class, self.subclass, self.revision, self.progif]);
        put(&mut bytes, 104, [self.msi_nvecs]);
        put(&mut bytes, 105, self.msix_nvecs.to_le_bytes());
        put(&mut bytes, 107, [self.msix_table_bar, self.msix_pba_bar]);
        put(&mut bytes, 109, self.msix_table_offset.to_le_bytes());
        put(&mut bytes, 113, self.msix_pba_offset.to_le_bytes());
        put(&mut bytes, 117, self.msix_cap_offset.to_le_bytes());
        bytes
    }

    /// Reads the upper layer's part of a device's introduction.
    ///
    /// # Errors
    /// If it is not [`DEVICE_INTRO`] bytes long.
    pub fn decode(bytes: &[u8]) -> Result<Self, LayoutError> {
        if bytes.len() != DEVICE_INTRO {
            return Err(length(INTRO, Expected::Exactly(DEVICE_INTRO), bytes));
        }
        let mut bars = [Bar::default(); 6];
        for (index, bar) in bars.iter_mut().enumerate() {
            bar.len = u64::from_le_bytes(take(bytes, index * 16, INTRO)?);
            bar.flags = u64::from_le_bytes(take(bytes, index * 16 + 8, INTRO)?);
        }
        let [class, subclass, revision, progif, msi_nvecs] = take(bytes, 100, INTRO)?;
        let [msix_table_bar, msix_pba_bar] = take(bytes, 107, INTRO)?;
        Ok(Self {
            bars,
            vendor: u16::from_le_bytes(take(bytes, 96, INTRO)?),
            device: u16::from_le_bytes(take(bytes, 98, INTRO)?),
            class,
            subclass,
            revision,
            progif,
            msi_nvecs,
            msix_nvecs: u16::from_le_bytes(take(bytes, 105, INTRO)?),
            msix_table_bar,
            msix_pba_bar,
            msix_table_offset: u32::from_le_bytes(take(bytes, 109, INTRO)?),
            msix_pba_offset: u32::from_le_bytes(take(bytes, 113, INTRO)?),
            msix_cap_offset: u16::from_le_bytes(take(bytes, 117, INTRO)?),
        })
    }
}

/// How a device interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// 0: the legacy line goes up.
    LegacyHigh,
    /// 1: the legacy line goes down.
    LegacyLow,
    /// 2
    Msi,
    /// 3
    Msix,
}

/// A transfer of the device from or to the host's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostAccess {
    /// Comes back in the answer.
    pub request: u64,
    /// Physical address in the host.
    pub address: u64,
    /// How many bytes.
    pub len: u16,
}

/// An access of the host to a register of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarAccess {
    /// Comes back in the answer.
    pub request: u64,
    /// Byte within the BAR.
    pub offset: u64,
    /// How many bytes.
    pub len: u16,
    /// Which BAR.
    pub bar: u8,
}

/// From the device to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToHost {
    /// 0x40
    Read(HostAccess),
    /// 0x41
    Write(HostAccess),
    /// 0x42
    Interrupt {
        /// Which vector.
        vector: u16,
        /// In which way.
        kind: Interrupt,
    },
    /// 0x43, with as much data as was asked for.
    ReadComplete {
        /// The request it answers.
        request: u64,
    },
    /// 0x44
    WriteComplete {
        /// The request it answers.
        request: u64,
    },
}

impl Upper for ToHost {
    fn kind(&self) -> u8 {
        match self {
            Self::Read(_) => 0x40,
            Self::Write(_) => 0x41,
            Self::Interrupt { .. } => 0x42,
            Self::ReadComplete { .. } => 0x43,
            Self::WriteComplete { .. } => 0x44,
        }
    }

    fn encode(&self) -> Fields {
        let mut bytes = [0; FIELDS];
        match self {
            Self::Read(access) | Self::Write(access) => {
                put(&mut bytes, 0, access.request.to_le_bytes());
                put(&mut bytes, 8, access.address.to_le_bytes());
                put(&mut bytes, 16, access.len.to_le_bytes());
            }
            Self::Interrupt { vector, kind } => {
                put(&mut bytes, 0, vector.to_le_bytes());
                put(&mut bytes, 2, [*kind as u8]);
            }
            Self::ReadComplete { request } | Self::WriteComplete { request } => {
                put(&mut bytes, 0, request.to_le_bytes());
            }
        }
        bytes
    }

    fn decode(kind: u8, bytes: &[u8], _: &Tail) -> Result<Self, LayoutError> {
        let bytes = fields(bytes, TO_HOST)?;
        let request = u64::from_le_bytes(take(&bytes, 0, TO_HOST)?);
        let access = HostAccess {
            request,
            address: u64::from_le_bytes(take(&bytes, 8, TO_HOST)?),
            len: u16::from_le_bytes(take(&bytes, 16, TO_HOST)?),
        };
        match kind {
            0x40 => Ok(Self::Read(access)),
            0x41 => Ok(Self::Write(access)),
            0x42 => {
                let [kind] = take(&bytes, 2, TO_HOST)?;
                let kind = match kind {
                    0 => Interrupt::LegacyHigh,
                    1 => Interrupt::LegacyLow,
                    2 => Interrupt::Msi,
                    3 => Interrupt::Msix,
                    found => {
                        let field = "the kind of an interrupt";
                        return Err(LayoutError::Value { field, found: found.into() });
                    }
                };
                Ok(Self::Interrupt { vector: u16::from_le_bytes(take(&bytes, 0, TO_HOST)?), kind })
            }
            0x43 => Ok(Self::ReadComplete { request }),
            0x44 => Ok(Self::WriteComplete { request }),
            found => Err(LayoutError::Type { layer: TO_HOST, found }),
        }
    }

    fn payload_len(&self) -> Option<usize> {
        match self {
            Self::Write(access) => Some(usize::from(access.len)),
            Self::ReadComplete { .. } => None,
            Self::Read(_) | Self::Interrupt { .. } | Self::WriteComplete { .. } => Some(0),
        }
    }
}

/// From the host to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToDevice {
    /// 0x60
    Read(BarAccess),
    /// 0x61
    Write(BarAccess),
    /// 0x65: not answered.
    WritePosted(BarAccess),
    /// 0x62, with as much data as was asked for.
    ReadComplete {
        /// The request it answers.
        request: u64,
    },
    /// 0x63
    WriteComplete {
        /// The request it answers.
        request: u64,
    },
    /// 0x64
    Control {
        /// [`CONTROL_INTX`] and so on.
        flags: u64,
    },
}

impl Upper for ToDevice {
    fn kind(&self) -> u8 {
        match self {
            Self::Read(_) => 0x60,
            Self::Write(_) => 0x61,
            Self::ReadComplete { .. } => 0x62,
            Self::WriteComplete { .. } => 0x63,
            Self::Control { .. } => 0x64,
            Self::WritePosted(_) => 0x65,
        }
    }

    fn encode(&self) -> Fields {
        let mut bytes = [0; FIELDS];
        match self {
            Self::Read(access) | Self::Write(access) | Self::WritePosted(access) => {
                put(&mut bytes, 0, access.request.to_le_bytes());
                put(&mut bytes, 8, access.offset.to_le_bytes());
                put(&mut bytes, 16, access.len.to_le_bytes());
                put(&mut bytes, 18, [access.bar]);
            }
            Self::ReadComplete { request: word }
            | Self::WriteComplete { request: word }
            | Self::Control { flags: word } => put(&mut bytes, 0, word.to_le_bytes()),
        }
        bytes
    }

    fn decode(kind: u8, bytes: &[u8], _: &Tail) -> Result<Self, LayoutError> {
        let bytes = fields(bytes, TO_DEVICE)?;
        let word = u64::from_le_bytes(take(&bytes, 0, TO_DEVICE)?);
        let [bar] = take(&bytes, 18, TO_DEVICE)?;
        let access = BarAccess {
            request: word,
            offset: u64::from_le_bytes(take(&bytes, 8, TO_DEVICE)?),
            len: u16::from_le_bytes(take(&bytes, 16, TO_DEVICE)?),
            bar,
        };
        match kind {
            0x60 => Ok(Self::Read(access)),
            0x61 => Ok(Self::Write(access)),
            0x62 => Ok(Self::ReadComplete { request: word }),
            0x63 => Ok(Self::WriteComplete { request: word }),
            0x64 => Ok(Self::Control { flags: word }),
            0x65 => Ok(Self::WritePosted(access)),
            found => Err(LayoutError::Type { layer: TO_DEVICE, found }),
        }
    }

    fn payload_len(&self) -> Option<usize> {
        match self {
            Self::Write(access) | Self::WritePosted(access) => Some(usize::from(access.len)),
            Self::ReadComplete { .. } => None,
            Self::Read(_) | Self::WriteComplete { .. } | Self::Control { .. } => Some(0),
        }
    }
}
