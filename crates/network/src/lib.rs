//! Ethernet frames, links, switches and radios.

mod frame;

pub use frame::EthernetFrame;
