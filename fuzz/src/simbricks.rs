//! Everything that is read from the other side of a link between processes.

use std::io::Write;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use ironbird_simbricks::layout::{
    ConnecterIntro, FIRST_UPPER, Header, ListenerIntro, TAIL_AT, Tail, Upper, mem, net, pcie,
    physical,
};
use ironbird_simbricks::pool::Pool;
use ironbird_simbricks::slots::PoolSlots;
use ironbird_simbricks::{Link, Listener, Place, Protocol, QueueSize, Url};

/// Bytes as an introduction, as the messages of every upper layer, and as a link on a command line: what reads
/// writes to the same bytes, and queues that are taken lie inside the shared memory.
pub fn introduction(bytes: &[u8]) {
    if let Ok(intro) = ListenerIntro::decode(bytes) {
        // All but where the upper layer's part begins.
        let again = intro.encode();
        assert_eq!(again[..72], bytes[..72]);
        assert!(bytes.ends_with(&intro.upper));
        let pool = Pool::create(&Place::Memory, 64 << 10, 64 << 10).expect("there is memory");
        let pool = Arc::new(pool);
        for place in [intro.l2c, intro.c2l] {
            let Ok(slots) = PoolSlots::new(pool.clone(), place) else { continue };
            let last = place.nentries as usize - 1;
            let mut payload = vec![0; slots.capacity()];
            for slot in [0, last] {
                slots.set_timestamp(slot, 7);
                assert_eq!(slots.timestamp(slot), 7);
                assert!(slots.payload(slot, &mut payload));
                assert_eq!(slots.fields(slot).len(), 48);
            }
            payload.push(0);
            assert!(!slots.payload(last, &mut payload));
        }
    }
    if let Ok(intro) = ConnecterIntro::decode(bytes) {
        assert_eq!(intro.encode()[..24], bytes[..24]);
    }
    if let Ok(intro) = pcie::DeviceIntro::decode(bytes) {
        assert_eq!(intro.encode()[..], *bytes);
    }
    if let Ok(header) = Header::decode(bytes) {
        let kind = header.kind;
        let tail = bytes[TAIL_AT..].first_chunk().copied().unwrap_or_default();
        round_trip::<net::Packet>(kind, &header.fields, &tail);
        round_trip::<mem::ToHost>(kind, &header.fields, &tail);
        round_trip::<mem::ToMemory>(kind, &header.fields, &tail);
        round_trip::<pcie::ToHost>(kind, &header.fields, &tail);
        round_trip::<pcie::ToDevice>(kind, &header.fields, &tail);
        round_trip::<physical::ToHost>(kind, &header.fields, &tail);
        round_trip::<physical::ToPhysics>(kind, &header.fields, &tail);
    }
    if let Err(error) = Url::parse(&String::from_utf8_lossy(bytes)) {
        assert!(error.column > 0 && error.column <= error.url.chars().count() + 1, "{error}");
    }
}

fn round_trip<U: Upper + PartialEq + std::fmt::Debug>(kind: u8, fields: &[u8], tail: &Tail) {
    if let Ok(message) = U::decode(kind, fields, tail) {
        assert_eq!(message.kind(), kind);
        assert_eq!(U::decode(kind, &message.encode(), &message.tail()), Ok(message));
    }
}

/// Slots of the queue, and bytes of the introduction behind a line of dashes: the link is established as with a
/// peer that sent these, and read as far as it goes.
pub fn link(bytes: &[u8]) {
    let line = b"\n---\n";
    let end = bytes.windows(line.len()).position(|window| window == line);
    let right = ConnecterIntro { flags: 1, protocol: Protocol::NET, upper: vec![0; 4] }.encode();
    let (slots, intro) =
        end.map_or((bytes, &right[..]), |at| (&bytes[..at], &bytes[at + line.len()..]));
    if intro.is_empty() {
        // A peer that sends nothing is waited for.
        return;
    }
    let folder = tempfile::tempdir().expect("there is a place for it");
    let (socket, pool) = (folder.path().join("socket"), folder.path().join("pool"));
    let size = QueueSize { elen: 128, nentries: 8 };
    let place = Place::Path(pool.clone());
    let listener = Listener::bind(Link::new("fuzzed", Protocol::NET), &socket, &place, size);
    let listener = listener.expect("a new socket can be bound");
    let mut peer = UnixStream::connect(&socket).expect("it listens");
    peer.write_all(intro).expect("there is room");
    let Ok(mut endpoint) = listener.accept(Duration::from_secs(10)) else { return };
    let file = std::fs::File::options().write(true).open(&pool).expect("it is there");
    let queue = &slots[..slots.len().min(8 * 128)];
    file.write_all_at(queue, 0).expect("it fits");
    let mut horizon = 0;
    for now in [0, 500_000, 1 << 40, u64::MAX] {
        // No more than there are slots can be there.
        for _ in 0..8 {
            let Ok(Some(message)) = endpoint.receive(now) else { break };
            assert!(message.kind() >= FIRST_UPPER);
            let mut payload = [0; 65];
            message.payload(&mut payload[..64]).expect("a slot has 64 bytes of it");
            message.payload(&mut payload).expect_err("and no more");
            let _ = message.upper::<net::Packet>();
        }
        assert!(endpoint.horizon() >= horizon, "time does not go backwards");
        horizon = endpoint.horizon();
    }
}
