//! A client as the chapter "What the view is sent" of the book describes it.

use std::collections::BTreeMap;
use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, Message, WebSocket};

use crate::program::{PATIENCE, Served};

/// One client.
pub struct Client {
    socket: WebSocket<TcpStream>,
    /// The first message.
    pub hello: Value,
    /// All texts that came since, but for answers.
    pub told: Vec<Value>,
    /// The newest frame.
    pub frame: Option<Frame>,
    /// Windows of a recording.
    pub windows: Vec<Vec<Frame>>,
    /// The first and the last time of each series that was sent as a whole.
    pub spans: BTreeMap<u32, (f64, f64)>,
    asked: u32,
}

/// How things are.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// 0 running, 1 paused, 2 ended.
    pub state: u8,
    pub time: f64,
    pub poses: Vec<(u16, [f64; 3])>,
    pub values: Vec<(u32, f64)>,
    /// Requirement and what became of it.
    pub lamps: Vec<(u16, u8)>,
}

impl Frame {
    fn read(bytes: &[u8]) -> Frame {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let half = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
        let real = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        assert_eq!(bytes[0], 1, "a frame is of kind 1");
        let (poses, values) = (usize::from(half(2)), word(4) as usize);
        let (links, lamps) = (word(8) as usize, word(12) as usize);
        let values_at = 32 + 44 * poses;
        let lamps_at = values_at + 12 * values + 4 * links;
        assert_eq!(bytes.len(), lamps_at + 12 * lamps, "a frame is as long as it says");
        let pose = |number: usize| {
            let at = 32 + 44 * number;
            (half(at), [real(at + 4), real(at + 12), real(at + 20)])
        };
        let value =
            |number: usize| (word(values_at + 12 * number), real(values_at + 12 * number + 4));
        let lamp =
            |number: usize| (half(lamps_at + 12 * number), bytes[lamps_at + 12 * number + 2]);
        Frame {
            state: bytes[1],
            time: real(16),
            poses: (0..poses).map(pose).collect(),
            values: (0..values).map(value).collect(),
            lamps: (0..lamps).map(lamp).collect(),
        }
    }
}

/// Knocks with these parts of the address and headers; the status of the refusal if there is one.
pub fn knock(
    served: &Served,
    query: &str,
    headers: &[(&'static str, &str)],
) -> Result<WebSocket<TcpStream>, u16> {
    let address = format!("ws://{}/ws?{query}", served.host());
    let mut request = address.into_client_request().expect("an address");
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().expect("a header"));
    }
    let stream = TcpStream::connect(served.host()).expect("somebody listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(Error::Http(response))) => {
            Err(response.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

impl Client {
    /// Connects to the first run, and waits for its hello.
    pub fn connect(served: &Served) -> Client {
        Client::connect_to(served, 0)
    }

    /// Connects to a run, and waits for its hello.
    pub fn connect_to(served: &Served, run: usize) -> Client {
        let query = format!("version=1&run={run}&token={}", served.token());
        let socket = knock(served, &query, &[]).expect("the token is right");
        let mut client = Client {
            socket,
            hello: Value::Null,
            told: Vec::new(),
            frame: None,
            windows: Vec::new(),
            spans: BTreeMap::new(),
            asked: 0,
        };
        while client.hello.is_null() {
            client.hear();
        }
        client
    }

    /// Waits for one message.
    pub fn hear(&mut self) -> Option<Value> {
        match self.socket.read().expect("the server speaks") {
            Message::Text(text) => {
                let value: Value = serde_json::from_str(text.as_str()).expect("JSON");
                match value["is"].as_str() {
                    Some("hello") => self.hello = value,
                    Some("answer") => return Some(value),
                    _ => self.told.push(value),
                }
            }
            Message::Binary(bytes) => match bytes[0] {
                1 => self.frame = Some(Frame::read(&bytes)),
                2 if bytes[1] == 1 => self.spans.extend(span(&bytes)),
                3 => self.windows.push(window(&bytes)),
                _ => {}
            },
            _ => {}
        }
        None
    }

    /// Asks, and waits for the answer: the sentence, if it is refused.
    pub fn ask(&mut self, mut request: Value) -> Result<(), String> {
        self.asked += 1;
        request["id"] = json!(self.asked);
        self.socket.send(Message::text(request.to_string())).expect("the server hears");
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let Some(answer) = self.hear() else { continue };
            if answer["id"] == self.asked {
                return answer["error"].as_str().map_or(Ok(()), |why| Err(why.to_owned()));
            }
        }
        panic!("no answer to {request}");
    }

    /// Asks for something that is not refused.
    pub fn must(&mut self, request: Value) {
        let asked = request.to_string();
        self.ask(request).unwrap_or_else(|why| panic!("{asked}: {why}"));
    }

    /// Waits for a frame that is as wanted.
    pub fn until(&mut self, wanted: impl Fn(&Frame) -> bool) -> Frame {
        let begun = Instant::now();
        loop {
            if let Some(frame) = self.frame.clone().filter(|frame| wanted(frame)) {
                return frame;
            }
            assert!(begun.elapsed() < PATIENCE, "the last frame is {:?}", self.frame);
            self.hear();
        }
    }

    /// Waits for a text of this kind.
    pub fn until_told(&mut self, is: &str) -> Value {
        let begun = Instant::now();
        loop {
            if let Some(found) = self.told.iter().find(|told| told["is"] == is) {
                return found.clone();
            }
            assert!(begun.elapsed() < PATIENCE, "told were {:?}", self.told);
            self.hear();
        }
    }

    /// The number of a signal: `component.port` or `component.port.leaf`.
    pub fn signal(&self, name: &str) -> u32 {
        let signals = self.hello["signals"].as_array().expect("signals");
        let text = |signal: &Value, key: &str| signal[key].as_str().unwrap_or("").to_owned();
        let found = signals.iter().find(|signal| {
            let parts = [text(signal, "component"), text(signal, "port"), text(signal, "leaf")];
            parts.join(".").trim_end_matches('.') == name
        });
        found.unwrap_or_else(|| panic!("no signal {name}"))["id"].as_u64().expect("a number") as u32
    }

    /// Sends something that is no request.
    pub fn send_anything(&mut self, message: Message) -> Result<(), Error> {
        self.socket.send(message)?;
        self.socket.flush()
    }

    /// Whether the server closes the connection.
    pub fn is_closed(&mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            match self.socket.read() {
                Ok(Message::Close(_)) | Err(_) => return true,
                Ok(_) => {}
            }
        }
        false
    }
}

/// The signal of a series, and its first and last time; none of one without points.
fn span(bytes: &[u8]) -> Option<(u32, (f64, f64))> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (signal, points) = (word(4), word(8) as usize);
    assert_eq!(bytes.len(), 16 + 24 * points, "a series is as long as it says");
    let time = |point: usize| {
        let at = 16 + 24 * point;
        f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    };
    let last = points.checked_sub(1)?;
    Some((signal, (time(0), time(last))))
}

fn window(bytes: &[u8]) -> Vec<Frame> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let mut frames = Vec::new();
    let mut at = 12;
    for _ in 0..word(8) {
        let length = word(at);
        frames.push(Frame::read(&bytes[at + 4..at + 4 + length]));
        at += 4 + length;
    }
    assert_eq!(at, bytes.len(), "a window is as long as it says");
    frames
}
