//! Where two recordings of one system part.

use ironbird_kernel::Time;
use xxhash_rust::xxh3::Xxh3;

use crate::error::RecordError;
use crate::reader::Recording;

/// The first value that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// When.
    pub time: Time,
    /// The channel.
    pub channel: String,
}

/// Every message of each channel: its time, and a hash of what it holds.
fn contents(recording: &Recording, names: &[&str]) -> Result<Vec<Vec<(Time, u64)>>, RecordError> {
    let mut all = vec![Vec::new(); names.len()];
    recording.contents_of(names, |channel, time, numbers, payloads| {
        let mut hash = Xxh3::new();
        numbers.iter().for_each(|number| hash.update(&number.to_bits().to_le_bytes()));
        payloads.iter().for_each(|payload| {
            hash.update(&payload.len().to_le_bytes());
            hash.update(payload);
        });
        all[channel].push((time, hash.digest()));
    })?;
    Ok(all)
}

/// The first difference of two recordings in the channels that both have; none if there is none.
pub fn parting(one: &Recording, other: &Recording) -> Result<Option<Parting>, RecordError> {
    let names: Vec<&str> = one.channels.iter().map(|channel| channel.name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| other.channel(name).is_ok()).collect();
    let (ours, theirs) = (contents(one, &names)?, contents(other, &names)?);
    let mut first: Option<Parting> = None;
    for ((name, ours), theirs) in names.iter().zip(&ours).zip(&theirs) {
        let same = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
        let times = [ours.get(same), theirs.get(same)].into_iter().flatten().map(|(time, _)| *time);
        let Some(time) = times.min() else { continue };
        if first.as_ref().is_none_or(|first| time < first.time) {
            first = Some(Parting { time, channel: (*name).to_owned() });
        }
    }
    Ok(first)
}
