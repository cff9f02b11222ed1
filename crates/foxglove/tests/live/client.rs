//! A client of Foxglove's WebSocket protocol, written from its specification.

use std::collections::BTreeMap;
use std::net::TcpStream;
use std::time::Duration as Wall;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{HandshakeError, Message, WebSocket};

/// How long anything may take before the test has failed.
const PATIENCE: Wall = Wall::from_secs(60);
/// What binary messages begin with.
const MESSAGE_DATA: u8 = 1;
const TIME: u8 = 2;

pub struct Client {
    socket: WebSocket<TcpStream>,
    /// What the server says of itself.
    pub info: Value,
    /// Channels by topic.
    channels: BTreeMap<String, Value>,
    /// Topics by subscription.
    topics: BTreeMap<u32, String>,
    received: BTreeMap<String, Vec<(u64, Value)>>,
    /// The times that were told, in ns.
    pub times: Vec<u64>,
    /// What the server complains about.
    pub errors: Vec<String>,
    /// Answers about parameters, by what was asked.
    answers: BTreeMap<String, Value>,
    asked: u32,
}

impl Client {
    pub fn connect(url: &str) -> Client {
        Client::knock(url, &[]).unwrap_or_else(|why| panic!("{why}"))
    }

    /// Connects, with more headers; or why that is refused.
    pub fn knock(url: &str, headers: &[(&'static str, &str)]) -> Result<Client, String> {
        let mut request = url.into_client_request().unwrap();
        let known = [("sec-websocket-protocol", "foxglove.sdk.v1")];
        for (name, value) in known.iter().chain(headers) {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let place = url.trim_start_matches("ws://").split('/').next().unwrap();
        let stream = TcpStream::connect(place).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let socket = match tungstenite::client(request, stream) {
            Ok((socket, _)) => socket,
            Err(HandshakeError::Failure(tungstenite::Error::Http(refused))) => {
                let why = refused.body().clone().unwrap_or_default();
                return Err(format!("{} {}", refused.status(), String::from_utf8_lossy(&why)));
            }
            Err(error) => panic!("{error}"),
        };
        let mut client = Client {
            socket,
            info: Value::Null,
            channels: BTreeMap::new(),
            topics: BTreeMap::new(),
            received: BTreeMap::new(),
            times: Vec::new(),
            errors: Vec::new(),
            answers: BTreeMap::new(),
            asked: 0,
        };
        while client.info.is_null() {
            assert!(client.hear(), "the server says who it is");
        }
        Ok(client)
    }

    /// Takes the next message; whether there was one.
    fn hear(&mut self) -> bool {
        match self.socket.read() {
            Ok(Message::Text(text)) => self.told(&serde_json::from_str(&text).unwrap()),
            Ok(Message::Binary(bytes)) => self.shown(&bytes),
            Ok(Message::Close(_)) => return false,
            Ok(_) => {}
            Err(tungstenite::Error::Io(error))
                if error.kind() == std::io::ErrorKind::WouldBlock =>
            {
                panic!("nothing came for {PATIENCE:?}")
            }
            Err(_) => return false,
        }
        true
    }

    fn told(&mut self, message: &Value) {
        match message["op"].as_str().unwrap() {
            "serverInfo" => self.info = message.clone(),
            "advertise" => {
                for channel in message["channels"].as_array().unwrap() {
                    let topic = channel["topic"].as_str().unwrap().to_owned();
                    self.channels.insert(topic, channel.clone());
                }
            }
            "status" => {
                let text = message["message"].as_str().unwrap();
                match text.strip_prefix("Unknown channel ID: ") {
                    // The server tells of a channel a moment before it takes subscriptions to it.
                    Some(channel) => self.subscribe_again(channel.parse().unwrap()),
                    None => self.errors.push(text.to_owned()),
                }
            }
            "parameterValues" => {
                let values = message["parameters"].as_array().unwrap().iter();
                let values = values
                    .map(|one| (one["name"].as_str().unwrap().to_owned(), one["value"].clone()));
                if let Some(id) = message["id"].as_str() {
                    self.answers.insert(id.to_owned(), values.collect());
                }
            }
            _ => {}
        }
    }

    fn shown(&mut self, bytes: &[u8]) {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        match bytes[0] {
            TIME => self.times.push(word(1)),
            MESSAGE_DATA => {
                let subscription = u32::from_le_bytes(bytes[1..5].try_into().unwrap());
                let message = serde_json::from_slice(&bytes[13..]).unwrap();
                let topic = self.topics[&subscription].clone();
                self.received.entry(topic).or_default().push((word(5), message));
            }
            other => panic!("nobody asked for a message of kind {other}"),
        }
    }

    fn say(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).unwrap();
    }

    /// Subscribes to everything, once these topics are there.
    pub fn subscribe_to_all(&mut self, topics: &[&str]) {
        while !topics.iter().all(|topic| self.channels.contains_key(*topic)) {
            assert!(self.hear(), "{topics:?} are there: {:?}", self.channels.keys());
        }
        let mut subscriptions = Vec::new();
        for (number, (topic, channel)) in self.channels.iter().enumerate() {
            assert_eq!(
                (&channel["encoding"], &channel["schemaEncoding"]),
                (&json!("json"), &json!("jsonschema"))
            );
            self.topics.insert(number as u32, topic.clone());
            subscriptions.push(json!({ "id": number, "channelId": channel["id"] }));
        }
        self.say(&json!({ "op": "subscribe", "subscriptions": subscriptions }));
    }

    fn subscribe_again(&mut self, channel: u64) {
        let is_meant = |topic: &String| self.channels[topic]["id"] == channel;
        let (id, _) = self.topics.iter().find(|(_, topic)| is_meant(topic)).unwrap();
        let subscriptions = [json!({ "id": id, "channelId": channel })];
        self.say(&json!({ "op": "subscribe", "subscriptions": subscriptions }));
    }

    /// Takes what comes until it is enough.
    pub fn read_until(&mut self, is_enough: impl Fn(&Client) -> bool) {
        while !is_enough(self) {
            assert!(self.hear(), "the server has gone: {:?}", self.received.keys());
        }
    }

    /// The time of the newest message on a topic, in ns.
    pub fn newest(&self, topic: &str) -> Option<u64> {
        self.received.get(topic)?.last().map(|(time, _)| *time)
    }

    /// Takes everything until the server goes.
    pub fn read_to_the_end(&mut self) {
        while self.hear() {}
    }

    /// What came on a topic, with its times in ns.
    pub fn messages(&self, topic: &str) -> Vec<(u64, Value)> {
        self.received.get(topic).cloned().unwrap_or_default()
    }

    pub fn ask_for_parameters(&mut self) -> Value {
        self.asked += 1;
        let id = self.asked.to_string();
        self.say(&json!({ "op": "getParameters", "parameterNames": [], "id": id }));
        self.answer(&id)
    }

    pub fn set_parameter(&mut self, name: &str, value: &Value) -> Value {
        self.asked += 1;
        let id = self.asked.to_string();
        let parameters = [json!({ "name": name, "value": value })];
        self.say(&json!({ "op": "setParameters", "parameters": parameters, "id": id }));
        self.answer(&id)
    }

    fn answer(&mut self, id: &str) -> Value {
        while !self.answers.contains_key(id) {
            assert!(self.hear(), "the server answers");
        }
        self.answers[id].clone()
    }
}
