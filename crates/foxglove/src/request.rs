//! Who asks to be connected, and whether it may: the head of an HTTP request, and the rules of Foxglove's server.
//!
//! Foxglove itself is a page of another machine, `https://app.foxglove.dev`, or a program. It may watch, as pages of
//! this machine and programs may. All others need the token, and so does everybody who is to change something.

use std::net::SocketAddr;

use ironbird_gate::{Token, is_of_this_machine, is_own_host};

/// The page that Foxglove is in a browser.
const FOXGLOVE: &str = "https://app.foxglove.dev";

/// What a client may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Watches,
    Changes,
}

/// A request that is refused: its status, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal(pub &'static str, pub String);

/// What a request says of whoever asks.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Request<'a> {
    token: Option<&'a str>,
    host: Option<&'a str>,
    origin: Option<&'a str>,
}

impl<'a> Request<'a> {
    /// The head of a request; none if it is something else, or says a thing twice.
    pub fn read(head: &'a str) -> Option<Self> {
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (Some("GET"), Some(path), Some("HTTP/1.1"), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return None;
        };
        let query = path.split_once('?').map_or("", |(_, query)| query);
        let token = query.split('&').find_map(|part| part.strip_prefix("token="));
        let mut request = Request { token, ..Request::default() };
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':')?;
            let place = match name.to_ascii_lowercase().as_str() {
                "host" => &mut request.host,
                "origin" => &mut request.origin,
                _ => continue,
            };
            if place.replace(value.trim()).is_some() {
                return None;
            }
        }
        Some(request)
    }

    /// What it may do at a server that listens here, and whose clients may change something with this token, or never.
    ///
    /// # Errors
    /// If it may not even watch.
    pub fn part(&self, address: SocketAddr, token: Option<&Token>) -> Result<Part, Refusal> {
        let no = |why: &str| Err(Refusal("403 Forbidden", why.to_owned()));
        if !self.host.is_some_and(|host| is_own_host(address, host)) {
            return no("this address is not one of the run");
        }
        match (self.token, token) {
            (Some(given), Some(token)) if token.is(given) => return Ok(Part::Changes),
            (Some(_), Some(_)) => {
                return no("the token is wrong: use the address that was printed");
            }
            (Some(_), None) => {
                return no("this run takes no token: start it with --foxglove-control");
            }
            (None, _) => {}
        }
        match self.origin {
            Some(origin) if !is_known(origin) => Err(Refusal(
                "403 Forbidden",
                format!(
                    "a page of {origin} needs the token: start the run with --foxglove-control and use the address that \
                     it prints"
                ),
            )),
            _ => Ok(Part::Watches),
        }
    }
}

/// Whether a page may watch: Foxglove, a page of this machine, or a program that brings its page along (Foxglove's
/// desktop program). What a browser loads from elsewhere has an origin with `http`, or "null" in a frame.
fn is_known(origin: &str) -> bool {
    let is_page = origin.starts_with("http://") || origin.starts_with("https://");
    origin == FOXGLOVE || is_of_this_machine(origin) || (!is_page && origin.contains("://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "127.0.0.1:8765";

    fn part(path: &str, headers: &str, token: Option<&Token>) -> Result<Part, String> {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {HERE}\r\n{headers}\r\n");
        let request = Request::read(&head).expect("a request");
        request.part(HERE.parse().unwrap(), token).map_err(|Refusal(_, why)| why)
    }

    #[test]
    fn who_has_the_token_may_change_and_nobody_else() {
        let token = Token::new().unwrap();
        let with = |given: &str| part(&format!("/?a=b&token={given}"), "", Some(&token));
        assert_eq!(with(&token.to_string()), Ok(Part::Changes));
        assert!(with("0").unwrap_err().contains("the token is wrong"));
        assert_eq!(part("/", "", Some(&token)), Ok(Part::Watches));
        assert_eq!(part("/", "", None), Ok(Part::Watches));
        let none = part(&format!("/?token={token}"), "", None).unwrap_err();
        assert!(none.contains("--foxglove-control"), "{none}");
    }

    #[test]
    fn pages_of_others_need_the_token() {
        let token = Token::new().unwrap();
        let from = |origin: &str| part("/", &format!("Origin: {origin}\r\n"), None);
        for known in [FOXGLOVE, "http://localhost:8080", "file://", "foxglove://app"] {
            assert_eq!(from(known), Ok(Part::Watches), "{known}");
        }
        for other in ["https://evil.example", "null", "", "https://app.foxglove.dev.evil.example"] {
            assert!(from(other).unwrap_err().contains("needs the token"), "{other}");
        }
        let own =
            part(&format!("/?token={token}"), "origin: https://mine.example\r\n", Some(&token));
        assert_eq!(own, Ok(Part::Changes));
    }

    #[test]
    fn another_name_that_points_here_is_refused() {
        let at = |host: &str| {
            let head = format!("GET / HTTP/1.1\r\nhost: {host}\r\n\r\n");
            Request::read(&head).unwrap().part(HERE.parse().unwrap(), None)
        };
        assert_eq!(at("localhost:8765"), Ok(Part::Watches));
        assert!(at("evil.example:8765").is_err());
        let nameless = Request::read("GET / HTTP/1.1\r\n\r\n").unwrap();
        assert!(nameless.part(HERE.parse().unwrap(), None).is_err());
    }

    #[test]
    fn what_is_no_request_is_none() {
        for head in [
            "",
            "GET /\r\n\r\n",
            "POST / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET / HTTP/1.1\r\nOrigin: a\r\norigin: b\r\n\r\n",
            "GET / HTTP/1.1\r\nnonsense\r\n\r\n",
        ] {
            assert_eq!(Request::read(head), None, "{head:?}");
        }
    }
}
