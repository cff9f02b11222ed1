//! Where to listen.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The port that Foxglove tries first.
pub const DEFAULT_PORT: u16 = 8765;

/// A text that is no address.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("`{0}` is no address: write a port (8765), an IP address (0.0.0.0) or both (0.0.0.0:8765)")]
pub struct BadAddress(String);

/// The address in a text: a port, an IP address, or both. What is missing is this machine only, and the usual port; port
/// 0 is any that is free.
pub fn address(text: &str) -> Result<SocketAddr, BadAddress> {
    let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let text = text.trim();
    if text.is_empty() {
        return Ok(SocketAddr::new(here, DEFAULT_PORT));
    }
    let port = text.parse().map(|port| SocketAddr::new(here, port));
    let host = || text.parse().map(|host| SocketAddr::new(host, DEFAULT_PORT));
    port.ok()
        .or_else(|| host().ok())
        .or_else(|| text.parse().ok())
        .ok_or_else(|| BadAddress(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_this_machine_and_the_usual_port() {
        let written = |text: &str| address(text).map(|address| address.to_string());
        assert_eq!(written("").unwrap(), "127.0.0.1:8765");
        assert_eq!(written("9000").unwrap(), "127.0.0.1:9000");
        assert_eq!(written("0.0.0.0").unwrap(), "0.0.0.0:8765");
        assert_eq!(written("0.0.0.0:0").unwrap(), "0.0.0.0:0");
        assert_eq!(written("[::1]:9000").unwrap(), "[::1]:9000");
        let refused = written("somewhere").unwrap_err().to_string();
        assert!(refused.starts_with("`somewhere` is no address"), "{refused}");
    }
}
