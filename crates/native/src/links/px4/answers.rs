//! What PX4 says to its simulator, and which sensors it has answered.

use ironbird_mavlink::StreamParser;
use ironbird_mavlink::simulator::Actuators;
use serde::{Deserialize, Serialize};

/// What PX4 has said so far.
///
/// An answer carries the time of the sensors that it answers; the first one often comes late, so that two come at once.
/// Times tell what is answered, not numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    parser: StreamParser,
    /// Whether anything has come.
    pub is_connected: bool,
    /// Answers so far, and those among them that were the first ones to sensors.
    pub count: u64,
    answered: u64,
    /// The time of the newest answer.
    newest: u64,
    /// Messages of sensors so far, and the time of the last one.
    pub sent: u64,
    last: u64,
}

impl Answers {
    /// Sensors were sent.
    pub fn ask(&mut self, time: u64) {
        (self.sent, self.last) = (self.sent + 1, time);
    }

    /// Takes bytes: a piece of a stream, cut anywhere. Gives the last answer that is complete with them. PX4's start
    /// messages need no answer, in whatever order they come.
    pub fn hear(&mut self, bytes: &[u8]) -> Option<Actuators> {
        self.is_connected |= !bytes.is_empty();
        let messages = self.parser.push(bytes);
        let mut newest = None;
        for actuators in messages.iter().filter_map(|(_, message)| Actuators::read(message)) {
            self.count += 1;
            if actuators.time > self.newest && actuators.time <= self.last {
                self.answered += 1;
                self.newest = actuators.time;
            }
            newest = Some(actuators);
        }
        newest
    }

    /// Sensors that have no answer yet.
    pub fn missing(&self) -> u64 {
        self.sent - self.answered
    }

    /// Messages with a wrong check sum, and bytes that belonged to no message.
    pub fn damage(&self) -> (u64, u64) {
        (self.parser.counts.wrong_checks, self.parser.counts.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_mavlink::{MavHeader, MavMessage, encode};

    fn answer(time: u64) -> Vec<u8> {
        let mut message = MavMessage::HIL_ACTUATOR_CONTROLS(Default::default());
        if let MavMessage::HIL_ACTUATOR_CONTROLS(data) = &mut message {
            data.time_usec = time;
        }
        encode(MavHeader { system_id: 1, component_id: 1, sequence: 0 }, &message)
    }

    #[test]
    fn answers_are_matched_by_time() {
        let mut answers = Answers::default();
        for time in [4_000, 8_000, 12_000] {
            answers.ask(time);
        }
        assert_eq!(answers.missing(), 3);
        let both = [answer(8_000), answer(12_000)].concat();
        assert_eq!(answers.hear(&both).map(|newest| newest.time), Some(12_000));
        assert_eq!((answers.count, answers.missing()), (2, 1));
        answers.hear(&answer(12_000));
        answers.hear(&answer(99_000));
        assert_eq!((answers.count, answers.missing()), (4, 1), "said twice, and never asked");
    }

    #[test]
    fn answers_are_found_in_pieces_and_among_garbage() {
        let mut answers = Answers::default();
        answers.ask(4_000);
        let stream = [b"garbage".to_vec(), answer(4_000)].concat();
        let heard: Vec<_> = stream.chunks(5).filter_map(|piece| answers.hear(piece)).collect();
        assert_eq!((heard.len(), answers.missing()), (1, 0));
        assert_eq!(answers.damage(), (0, 7));
    }
}
