//! Packets and events of one stream file (CTF 1.8.3, sections 5 and 6).

use std::sync::Arc;

use super::Event;
use super::bits::{Bits, Stop};
use super::decode::{ClockReading, Decoder};
use super::field::{Fields, Value};
use super::metadata::{Clock, Metadata, StreamType};

/// In front of every packet.
const PACKET_MAGIC: u64 = 0xC1FC_1FC1;
/// More complaints about one file help nobody.
const MOST_COMPLAINTS: usize = 20;
/// Scopes that belong to a packet: its header and its context.
const PACKET_SCOPES: usize = 2;

/// Reads one file, packet by packet.
pub(super) struct Stream<'a> {
    file: &'a str,
    bytes: &'a [u8],
    metadata: &'a Metadata,
    next_packet: usize,
    packet: Option<Packet<'a>>,
    last_time: i64,
    /// The tracer's running count, for which it had no space.
    discarded_count: u64,
    pub discarded: u64,
    pub damage: Vec<String>,
}

struct Packet<'a> {
    start: usize,
    is_cut_short: bool,
    decoder: Decoder<'a>,
    stream: &'a StreamType,
    context: Arc<Fields>,
    clock: Clock,
    cycles: u64,
}

impl<'a> Stream<'a> {
    pub(super) fn new(file: &'a str, bytes: &'a [u8], metadata: &'a Metadata) -> Self {
        Stream {
            file,
            bytes,
            metadata,
            next_packet: 0,
            packet: None,
            last_time: i64::MIN,
            discarded_count: 0,
            discarded: 0,
            damage: Vec::new(),
        }
    }

    /// The next event that makes sense.
    pub(super) fn next(&mut self) -> Option<Event> {
        loop {
            let Some(packet) = &mut self.packet else {
                if self.next_packet >= self.bytes.len() {
                    return None;
                }
                let start = self.next_packet;
                match self.open(start) {
                    Ok(packet) => self.packet = Some(packet),
                    Err(what) => {
                        // Without sizes there is no way to the next packet.
                        self.next_packet = self.bytes.len();
                        self.complain(start, &what);
                    }
                }
                continue;
            };
            if packet.decoder.bits.left() == 0 {
                self.packet = None;
                continue;
            }
            match packet.event() {
                Ok(mut event) => {
                    if event.time_ns < self.last_time {
                        let start = packet.start;
                        self.complain(start, "time goes back; such events come at once");
                        event.time_ns = self.last_time;
                    }
                    self.last_time = event.time_ns;
                    return Some(event);
                }
                Err(stop) => {
                    let (start, is_cut_short) = (packet.start, packet.is_cut_short);
                    self.packet = None;
                    match stop {
                        Stop::End if is_cut_short => {}
                        Stop::End => self.complain(start, "its last event is cut short"),
                        Stop::Nonsense(what) => {
                            self.complain(start, &format!("{what}; the rest of it is left out"));
                        }
                    }
                }
            }
        }
    }

    fn complain(&mut self, start: usize, what: &str) {
        if self.damage.len() < MOST_COMPLAINTS {
            self.damage.push(format!("{}: the packet at byte {start}: {what}", self.file));
        }
    }

    fn open(&mut self, start: usize) -> Result<Packet<'a>, String> {
        let rest = &self.bytes[start..];
        let all = 8 * rest.len() as u64;
        let told = |stop| match stop {
            Stop::End => "its header is cut short".to_owned(),
            Stop::Nonsense(what) => what,
        };
        let mut decoder = Decoder::new(Bits::new(rest));
        let header = decoder
            .scope("trace.packet.header", self.metadata.packet_header.as_deref())
            .map_err(told)?;
        if header.raw("magic").is_some_and(|magic| magic.integer() != Some(PACKET_MAGIC.into())) {
            return Err("it does not start with the magic number of packets".into());
        }
        if let (Some(Value::List(found)), Some(uuid)) = (header.raw("uuid"), self.metadata.uuid)
            && !found.iter().filter_map(Value::integer).eq(uuid.map(i128::from))
        {
            return Err("it belongs to another trace: its UUID is not that of the metadata".into());
        }
        let stream_id = header.raw("stream_id").and_then(Value::integer).unwrap_or(0);
        let stream = u64::try_from(stream_id).ok().and_then(|id| self.metadata.streams.get(&id));
        let stream = stream.ok_or_else(|| format!("the metadata has no stream {stream_id}"))?;
        let context = decoder
            .scope("stream.packet.context", stream.packet_context.as_deref())
            .map_err(told)?;
        let packet_size = context.unsigned("packet_size").unwrap_or(all);
        let content_size = context.unsigned("content_size").unwrap_or(packet_size);
        if packet_size < content_size || content_size < decoder.bits.at || packet_size % 8 != 0 {
            return Err(format!("sizes of {content_size} in {packet_size} bits make no sense"));
        }
        let is_cut_short = packet_size > all;
        if is_cut_short {
            let what = format!("only {} of {} bytes are there", rest.len(), packet_size / 8);
            self.complain(start, &what);
        }
        self.next_packet = start.saturating_add((packet_size.min(all) / 8) as usize);
        decoder.bits.end = content_size.min(all);
        self.count_discarded(&context);
        let clock = decoder.reading.take().and_then(|reading| self.clock(&reading));
        let clock = clock.or_else(|| self.metadata.clocks.values().next().cloned());
        let cycles = context.unsigned("timestamp_begin").unwrap_or(0);
        let clock = clock.unwrap_or(Clock::NANOSECONDS);
        Ok(Packet { start, is_cut_short, decoder, stream, context, clock, cycles })
    }

    fn clock(&self, reading: &ClockReading) -> Option<Clock> {
        self.metadata.clocks.get(&*reading.clock).cloned()
    }

    /// The count runs on from packet to packet.
    fn count_discarded(&mut self, context: &Fields) {
        if let Some(count) = context.unsigned("events_discarded") {
            let more = count.saturating_sub(self.discarded_count);
            self.discarded = self.discarded.saturating_add(more);
            self.discarded_count = count;
        }
    }
}

impl Packet<'_> {
    fn event(&mut self) -> Result<Event, Stop> {
        let decoder = &mut self.decoder;
        let before = decoder.bits.at;
        decoder.start(PACKET_SCOPES);
        let header = decoder.scope("stream.event.header", self.stream.event_header.as_deref())?;
        if let Some(ClockReading { value, size, .. }) = decoder.reading.take() {
            self.cycles = later(self.cycles, value, size);
        }
        let id = identity(&header).unwrap_or(0);
        let kind = u64::try_from(id).ok().and_then(|id| self.stream.events.get(&id));
        let unknown = || Stop::Nonsense(format!("the metadata has no event {id}"));
        let kind = kind.ok_or_else(unknown)?;
        let common = decoder.scope("stream.event.context", self.stream.event_context.as_deref())?;
        let own = decoder.scope("event.context", kind.context.as_deref())?;
        let fields = decoder.scope("event.fields", kind.fields.as_deref())?;
        if decoder.bits.at == before {
            return Err(Stop::Nonsense("an event takes no space".into()));
        }
        let mut context = Fields::clone(&common);
        context.0.extend(own.0.iter().cloned());
        Ok(Event {
            time_ns: self.clock.nanoseconds(self.cycles),
            name: kind.name.clone(),
            packet: self.context.clone(),
            context,
            fields,
        })
    }
}

/// The number of the event: LTTng has it as `id`, or, where that says so, further inside of `v`.
fn identity(header: &Fields) -> Option<i128> {
    let outer = header.raw("id").and_then(Value::integer);
    let inner = match header.raw("v") {
        Some(Value::Choice(_, value)) => match &**value {
            Value::Struct(inner) => inner.raw("id").and_then(Value::integer),
            _ => None,
        },
        _ => None,
    };
    inner.or(outer)
}

/// The clock after `now` whose lowest `size` bits are `value` (CTF 1.8.3, section 8).
fn later(now: u64, value: u64, size: u32) -> u64 {
    if size >= 64 {
        return value;
    }
    let range = 1_u64 << size;
    let low = now & (range - 1);
    let high = now - low;
    if value >= low { high | value } else { high.wrapping_add(range) | value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_clock_wraps_around() {
        assert_eq!(later(0x1_0005, 0x0007, 16), 0x1_0007);
        assert_eq!(later(0x1_0005, 0x0003, 16), 0x2_0003);
        assert_eq!(later(5, 3, 64), 3);
    }
}
