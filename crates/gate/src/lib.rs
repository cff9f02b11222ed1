//! Who may connect to a server of a run: what the view and Foxglove's server ask of everybody.
//!
//! A server that listens on this machine only is still reached by every page that a browser on it shows. Three things
//! keep those out:
//!
//! - the *host* that the request names must be this machine ([`is_own_host`]): another name was made to point here;
//! - the *origin* of a page must be one that is known; each server has its own rule;
//! - the *token* in the address ([`Token`]) is known to those who were given the address.
//!
//! And nobody keeps a place by being slow: the limits here are those of both servers.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::AsFd;
use std::time::Duration;

/// How long a client may take for the head of its request.
pub const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// Connections at once. More wait until one of these is closed.
pub const MOST_CONNECTIONS: usize = 256;
/// How long a client may take nothing of what it is sent.
const DEAF_LIMIT: Duration = Duration::from_secs(120);

/// Numbers that nobody can guess.
///
/// # Errors
/// If the system gives none.
pub fn random<const COUNT: usize>() -> io::Result<[u8; COUNT]> {
    let mut random = [0; COUNT];
    getrandom::fill(&mut random).map_err(|error| {
        io::Error::other(format!("the system gives no random numbers: {error}"))
    })?;
    Ok(random)
}

/// A secret in an address, new for each server.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn new() -> io::Result<Self> {
        Ok(Token(random::<16>()?.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Compares without telling by time how much is right.
    pub fn is(&self, given: &str) -> bool {
        let pairs = self.0.bytes().zip(given.bytes());
        let differences = pairs.fold(0, |all, (a, b)| all | (a ^ b));
        self.0.len() == given.len() && differences == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a user calls a server that listens at this address: a host and a port.
pub fn called(address: SocketAddr) -> String {
    match address.ip() {
        ip if ip.is_unspecified() => format!("127.0.0.1:{}", address.port()),
        _ => address.to_string(),
    }
}

/// Whether the host that a request names is this machine. Where the server listens beyond it, the machine has names that
/// it does not know.
pub fn is_own_host(address: SocketAddr, host: &str) -> bool {
    !address.ip().is_loopback() || is_name_of(address, host)
}

/// Whether a browser on this machine calls an address by this name. It leaves out the port that is usual.
fn is_name_of(address: SocketAddr, host: &str) -> bool {
    let port = format!(":{}", address.port());
    let usual = (address.port() == 80).then_some(host);
    let own = SocketAddr::new(address.ip(), 0).to_string();
    let names = ["127.0.0.1", "localhost", "[::1]", own.trim_end_matches(":0")];
    host.strip_suffix(&port).or(usual).is_some_and(|name| names.contains(&name))
}

/// Whether the page of an origin (`http://localhost:3000`) was served by this machine.
pub fn is_of_this_machine(origin: &str) -> bool {
    let plain = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let Some(place) = plain else { return false };
    let (host, port) = place.rsplit_once(':').unwrap_or((place, "80"));
    let is_host =
        |text: &str| text == "localhost" || text.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    // An IPv6 address without a port ends with a part of the address.
    match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, "")) => is_host(host),
        Some((host, port)) => is_host(host) && is_port(port.trim_start_matches(':')),
        None => is_host(host) && is_port(port),
    }
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok()
}

/// Lets go of a client that takes nothing for two minutes. (Where the system cannot do that, it decides by itself.)
pub fn let_go_of_the_deaf(connection: impl AsFd) {
    let limit = u32::try_from(DEAF_LIMIT.as_millis()).unwrap_or(u32::MAX);
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_user_timeout(connection, limit);
    #[cfg(not(target_os = "linux"))]
    let _ = (connection, limit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_its_own() {
        let is_name = |address: &str, host: &str| is_name_of(address.parse().unwrap(), host);
        for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
            assert!(is_name("127.0.0.1:8080", host), "{host}");
        }
        assert!(is_name("127.0.0.2:8080", "127.0.0.2:8080"), "it listens there");
        assert!(is_name("127.0.0.1:80", "localhost"), "browsers leave out this port");
        for host in
            ["evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8080.evil.example", ""]
        {
            assert!(!is_name("127.0.0.1:8080", host), "{host}");
        }
        assert!(!is_name("127.0.0.1:80", "evil.example"));
        assert!(is_own_host("0.0.0.0:80".parse().unwrap(), "rig.example"), "a name of its own");
    }

    #[test]
    fn pages_of_this_machine_are_told_from_others() {
        for own in [
            "http://localhost",
            "http://localhost:8080",
            "https://127.0.0.1:9000",
            "http://127.3.2.1",
            "http://[::1]:3000",
            "http://[::1]",
        ] {
            assert!(is_of_this_machine(own), "{own}");
        }
        for other in [
            "https://evil.example",
            "https://localhost.evil.example",
            "http://localhost:1@evil.example",
            "http://127.0.0.1.evil.example:80",
            "http://[::1].evil.example",
            "http://192.168.1.2:8080",
            "null",
            "",
        ] {
            assert!(!is_of_this_machine(other), "{other}");
        }
    }

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = Token::new().unwrap();
        let text = token.to_string();
        assert_eq!(text.len(), 32);
        assert!(token.is(&text));
        assert!(!token.is(&text[1..]) && !token.is("") && !token.is(&format!("{text}0")));
        assert!(!token.is(&Token::new().unwrap().to_string()));
    }

    #[test]
    fn a_server_that_listens_everywhere_is_called_by_this_machine() {
        let of = |address: &str| called(address.parse().unwrap());
        assert_eq!(of("0.0.0.0:8765"), "127.0.0.1:8765");
        assert_eq!(of("[::1]:8765"), "[::1]:8765");
        assert_eq!(of("192.168.1.2:80"), "192.168.1.2:80");
    }
}
