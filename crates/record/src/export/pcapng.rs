//! Ethernet frames of a recording as pcapng, for Wireshark and its kin
//! (<https://www.ietf.org/archive/id/draft-ietf-opsawg-pcapng-02.html>).
//!
//! Every channel is an interface of its name. Time zero is the start of the run; nanoseconds are kept, picoseconds
//! are not. Channels of frames are known by their fields: `bytes` alone, or those of a message of a link, of which
//! the ones of protocol 1 (NET) are taken.

use std::io::Write;

use ironbird_kernel::LeafKind;

use crate::error::RecordError;
use crate::reader::{RecordedChannel, Recording};

const SECTION: u32 = 0x0A0D_0D0A;
const INTERFACE: u32 = 1;
const PACKET: u32 = 6;
const ETHERNET: u16 = 1;
/// Options: the end of them, the program, the name of an interface, its clock, which way a packet went.
const END: u16 = 0;
const PROGRAM: u16 = 4;
const NAME: u16 = 2;
const CLOCK: u16 = 9;
const FLAGS: u16 = 2;
/// Powers of ten of a second that the clock counts.
const NANOSECONDS: u8 = 9;
const INBOUND: u32 = 1;
const OUTBOUND: u32 = 2;
/// The number of NET among the protocols of links.
const NET: f64 = 1.0;

/// What a channel holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Frames,
    Messages,
}

fn holds(channel: &RecordedChannel) -> Option<Holds> {
    let leaves = channel.schema.leaves();
    let fields: Vec<(&str, bool)> =
        leaves.iter().map(|leaf| (leaf.path.as_str(), leaf.kind == LeafKind::Payload)).collect();
    match fields[..] {
        [("bytes", true)] => Some(Holds::Frames),
        [
            ("protocol", false),
            ("kind", false),
            ("sent", false),
            ("header", true),
            ("payload", true),
        ] => Some(Holds::Messages),
        _ => None,
    }
}

/// Writes the Ethernet frames of the channels called `names`, or of all if there are none; how many there were.
///
/// # Errors
/// If none of the channels holds frames, or the file cannot be written.
pub fn write_pcapng(
    recording: &Recording,
    names: &[&str],
    mut out: impl Write,
    file: &str,
) -> Result<u64, RecordError> {
    let known = recording.channels.iter();
    let chosen = known.filter(|c| names.is_empty() || names.contains(&c.name.as_str()));
    let chosen: Vec<_> = chosen.filter_map(|c| Some((c.name.as_str(), holds(c)?))).collect();
    if chosen.is_empty() {
        return Err(RecordError::NoFrames);
    }
    let failed = |source| RecordError::File { doing: "write", file: file.into(), source };
    let mut body = Vec::new();
    head(&mut body);
    for (name, _) in &chosen {
        interface(&mut body, name);
    }
    out.write_all(&body).map_err(failed)?;
    let channels: Vec<&str> = chosen.iter().map(|(name, _)| *name).collect();
    let (mut count, mut result) = (0, Ok(()));
    recording.contents_of(&channels, |index, time, numbers, payloads| {
        let (frame, flags) = match (chosen[index].1, numbers, payloads) {
            (Holds::Frames, _, [frame]) => (frame, 0),
            (Holds::Messages, [protocol, _, sent], [_, frame]) if *protocol == NET => {
                (frame, if *sent == 0.0 { INBOUND } else { OUTBOUND })
            }
            _ => return,
        };
        body.clear();
        packet(&mut body, index as u32, time.as_ps() / 1_000, frame, flags);
        count += 1;
        if result.is_ok() {
            result = out.write_all(&body);
        }
    })?;
    result.and_then(|()| out.flush()).map_err(failed)?;
    if count == 0 { Err(RecordError::NoFrames) } else { Ok(count) }
}

/// A block is its type, its length, its contents, and its length again, in multiples of four bytes.
fn block(out: &mut Vec<u8>, kind: u32, contents: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    contents(out);
    let length = (out.len() - start + 4) as u32;
    out[start + 4..start + 8].copy_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&length.to_le_bytes());
}

fn option(out: &mut Vec<u8>, code: u16, value: &[u8]) {
    out.extend_from_slice(&code.to_le_bytes());
    out.extend_from_slice(&(value.len() as u16).to_le_bytes());
    padded(out, value);
}

fn padded(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(bytes);
    out.resize(out.len() + bytes.len().next_multiple_of(4) - bytes.len(), 0);
}

fn head(out: &mut Vec<u8>) {
    block(out, SECTION, |out| {
        out.extend_from_slice(&0x1A2B_3C4D_u32.to_le_bytes());
        out.extend_from_slice(&1_u16.to_le_bytes());
        out.extend_from_slice(&0_u16.to_le_bytes());
        // The length of the section is not said.
        out.extend_from_slice(&u64::MAX.to_le_bytes());
        option(out, PROGRAM, b"Ironbird");
        option(out, END, &[]);
    });
}

fn interface(out: &mut Vec<u8>, name: &str) {
    block(out, INTERFACE, |out| {
        out.extend_from_slice(&ETHERNET.to_le_bytes());
        // Reserved, and no limit of the length of packets.
        out.extend_from_slice(&[0; 6]);
        option(out, NAME, name.as_bytes());
        option(out, CLOCK, &[NANOSECONDS]);
        option(out, END, &[]);
    });
}

fn packet(out: &mut Vec<u8>, interface: u32, nanoseconds: u64, frame: &[u8], flags: u32) {
    block(out, PACKET, |out| {
        out.extend_from_slice(&interface.to_le_bytes());
        out.extend_from_slice(&((nanoseconds >> 32) as u32).to_le_bytes());
        out.extend_from_slice(&(nanoseconds as u32).to_le_bytes());
        for _captured_and_original in 0..2 {
            out.extend_from_slice(&(frame.len() as u32).to_le_bytes());
        }
        padded(out, frame);
        if flags != 0 {
            option(out, FLAGS, &flags.to_le_bytes());
            option(out, END, &[]);
        }
    });
}
