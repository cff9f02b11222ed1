//! The introductions both sides send right after the connection is made, and what they agree on.

use super::{Expected, LayoutError, length, put, take};

/// The protocol's version.
pub const VERSION: u64 = 1;
/// Bytes of the listener's introduction before the upper layer's part.
pub const LISTENER_INTRO: usize = 80;
/// Bytes of the connecter's introduction before the upper layer's part.
pub const CONNECTER_INTRO: usize = 32;
/// This side offers to synchronise.
pub const FLAG_SYNC: u64 = 1;
/// This side requires to synchronise.
pub const FLAG_SYNC_FORCE: u64 = 2;

/// Which upper layer a link speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Protocol(pub u64);

impl Protocol {
    /// No upper layer.
    pub const BASE: Self = Self(0);
    /// Ethernet frames.
    pub const NET: Self = Self(1);
    /// PCI Express transactions.
    pub const PCIE: Self = Self(2);
    /// Memory transactions.
    pub const MEM: Self = Self(3);
    /// Sensors and actuators in a physical simulation; the number is ours.
    pub const PHYSICAL: Self = Self(4);
}

impl std::fmt::Display for Protocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::BASE => write!(f, "BASE (0)"),
            Self::NET => write!(f, "NET (1)"),
            Self::PCIE => write!(f, "PCIE (2)"),
            Self::MEM => write!(f, "MEM (3)"),
            Self::PHYSICAL => write!(f, "PHYSICAL (4)"),
            Self(other) => write!(f, "{other}"),
        }
    }
}

/// Whether a side wants time to be synchronised over a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncMode {
    /// Never.
    Disabled,
    /// If the other side offers it.
    #[default]
    Optional,
    /// The link is refused without.
    Required,
}

impl SyncMode {
    /// The flags that announce it. No other bit may be set: a peer takes any flag for the offer.
    pub fn flags(self) -> u64 {
        match self {
            Self::Disabled => 0,
            Self::Optional => FLAG_SYNC,
            Self::Required => FLAG_SYNC | FLAG_SYNC_FORCE,
        }
    }

    /// Whether the link is synchronised, given the other side's flags.
    ///
    /// | here \ there | 0 | 1 | 3 |
    /// |---|---|---|---|
    /// | disabled | no | no | refused |
    /// | optional | no | yes | yes |
    /// | required | refused | yes | yes |
    ///
    /// # Errors
    /// The mode the other side has, where one side requires what the other does not offer.
    pub fn negotiate(self, peer_flags: u64) -> Result<bool, SyncMode> {
        match self {
            Self::Disabled if peer_flags & FLAG_SYNC_FORCE != 0 => Err(Self::Required),
            Self::Disabled => Ok(false),
            Self::Required if peer_flags == 0 => Err(Self::Disabled),
            Self::Optional | Self::Required => Ok(peer_flags != 0),
        }
    }
}

impl std::fmt::Display for SyncMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Disabled => "disabled",
            Self::Optional => "optional",
            Self::Required => "required",
        })
    }
}

/// Where a queue lies in the shared file: `nentries` slots of `elen` bytes from `offset` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuePlace {
    /// Byte of the file at which the first slot begins.
    pub offset: u64,
    /// Bytes of a slot, header included.
    pub elen: u64,
    /// Number of slots.
    pub nentries: u64,
}

impl QueuePlace {
    fn encode(self, bytes: &mut [u8], at: usize) {
        put(bytes, at, self.offset.to_le_bytes());
        put(bytes, at + 8, self.elen.to_le_bytes());
        put(bytes, at + 16, self.nentries.to_le_bytes());
    }

    fn decode(bytes: &[u8], at: usize) -> Result<Self, LayoutError> {
        Ok(Self {
            offset: word(bytes, at)?,
            elen: word(bytes, at + 8)?,
            nentries: word(bytes, at + 16)?,
        })
    }
}

/// What the listener says; the descriptor of the shared file comes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenerIntro {
    /// [`FLAG_SYNC`] and [`FLAG_SYNC_FORCE`].
    pub flags: u64,
    /// The queue from the listener to the connecter.
    pub l2c: QueuePlace,
    /// The queue from the connecter to the listener.
    pub c2l: QueuePlace,
    /// The upper layer.
    pub protocol: Protocol,
    /// The upper layer's part.
    pub upper: Vec<u8>,
}

impl ListenerIntro {
    /// The bytes as they are sent.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; LISTENER_INTRO];
        put(&mut bytes, 0, VERSION.to_le_bytes());
        put(&mut bytes, 8, self.flags.to_le_bytes());
        self.l2c.encode(&mut bytes, 16);
        self.c2l.encode(&mut bytes, 40);
        put(&mut bytes, 64, self.protocol.0.to_le_bytes());
        put(&mut bytes, 72, (LISTENER_INTRO as u64).to_le_bytes());
        bytes.extend_from_slice(&self.upper);
        bytes
    }

    /// Reads what was received.
    ///
    /// # Errors
    /// If it is too short, of another version, or places the upper layer's part outside.
    pub fn decode(bytes: &[u8]) -> Result<Self, LayoutError> {
        check_version(bytes)?;
        Ok(Self {
            flags: word(bytes, 8)?,
            l2c: QueuePlace::decode(bytes, 16)?,
            c2l: QueuePlace::decode(bytes, 40)?,
            protocol: Protocol(word(bytes, 64)?),
            upper: upper_part(bytes, 72, LISTENER_INTRO)?,
        })
    }
}

/// What the connecter says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnecterIntro {
    /// [`FLAG_SYNC`] and [`FLAG_SYNC_FORCE`].
    pub flags: u64,
    /// The upper layer.
    pub protocol: Protocol,
    /// The upper layer's part.
    pub upper: Vec<u8>,
}

impl ConnecterIntro {
    /// The bytes as they are sent.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; CONNECTER_INTRO];
        put(&mut bytes, 0, VERSION.to_le_bytes());
        put(&mut bytes, 8, self.flags.to_le_bytes());
        put(&mut bytes, 16, self.protocol.0.to_le_bytes());
        put(&mut bytes, 24, (CONNECTER_INTRO as u64).to_le_bytes());
        bytes.extend_from_slice(&self.upper);
        bytes
    }

    /// Reads what was received.
    ///
    /// # Errors
    /// If it is too short, of another version, or places the upper layer's part outside.
    pub fn decode(bytes: &[u8]) -> Result<Self, LayoutError> {
        check_version(bytes)?;
        Ok(Self {
            flags: word(bytes, 8)?,
            protocol: Protocol(word(bytes, 16)?),
            upper: upper_part(bytes, 24, CONNECTER_INTRO)?,
        })
    }
}

const WHAT: &str = "the introduction";

fn word(bytes: &[u8], at: usize) -> Result<u64, LayoutError> {
    Ok(u64::from_le_bytes(take(bytes, at, WHAT)?))
}

/// The version comes first, so that a peer of another version is told so whatever else it sends.
fn check_version(bytes: &[u8]) -> Result<(), LayoutError> {
    match word(bytes, 0)? {
        VERSION => Ok(()),
        found => Err(LayoutError::Version { found }),
    }
}

fn upper_part(bytes: &[u8], at: usize, base: usize) -> Result<Vec<u8>, LayoutError> {
    if bytes.len() < base {
        return Err(length(WHAT, Expected::AtLeast(base), bytes));
    }
    let found = word(bytes, at)?;
    let start = usize::try_from(found).ok().filter(|start| *start >= base);
    let upper = start.and_then(|start| bytes.get(start..));
    upper.map(<[u8]>::to_vec).ok_or(LayoutError::UpperOffset { found, length: bytes.len(), base })
}
