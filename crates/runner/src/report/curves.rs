//! What a page shows of recorded channels, in bounded room however much was recorded.

use ironbird_record::report::{Strided, Thinned};
use ironbird_record::{Kind, RecordError, RecordedChannel, Recording, Samples};

/// What a page shows of a channel.
#[derive(Default)]
pub struct Shown {
    /// Each of its numbers over time, in seconds.
    pub curves: Vec<Vec<(f64, f64)>>,
    /// Whole values, if they are places.
    pub places: Samples,
}

/// Reads channels once, and thins them meanwhile.
pub fn shown(
    recording: &Recording,
    channels: &[&RecordedChannel],
) -> Result<Vec<Shown>, RecordError> {
    let names: Vec<&str> = channels.iter().map(|channel| channel.name.as_str()).collect();
    let leaves = |channel: &&RecordedChannel| vec![Thinned::default(); channel.leaves.len()];
    let mut curves: Vec<Vec<Thinned>> = channels.iter().map(leaves).collect();
    let mut places: Vec<_> = channels.iter().map(|_| Strided::default()).collect();
    let is_place: Vec<bool> = channels
        .iter()
        .map(|channel| position(channel).is_some() || is_in_space(channel))
        .collect();
    recording.contents_of(&names, |number, time, numbers, _| {
        for (leaf, curve) in curves[number].iter_mut().enumerate() {
            curve.push(time.as_secs_f64(), numbers.get(leaf).copied().unwrap_or(f64::NAN));
        }
        if is_place[number] {
            places[number].push((time, numbers.to_vec()));
        }
    })?;
    let both = curves.into_iter().zip(places);
    Ok(both
        .map(|(curves, places)| Shown {
            curves: curves.into_iter().map(Thinned::into_points).collect(),
            places: places.into_places(),
        })
        .collect())
}

/// Whether it begins with three lengths, and is not a message.
pub fn is_in_space(channel: &RecordedChannel) -> bool {
    let is_length = |leaf: &String| channel.unit_of(leaf) == "m";
    channel.kind != Kind::Event
        && channel.leaves.len() >= 3
        && channel.leaves[..3].iter().all(is_length)
}

/// The frame of a position, and which of its numbers go to the right and up.
pub fn position(channel: &RecordedChannel) -> Option<(&str, usize, usize)> {
    let is_length = |leaf: &String| channel.unit_of(leaf) == "m";
    let named = |name: &str| channel.leaves.iter().position(|leaf| leaf == name && is_length(leaf));
    if channel.kind == Kind::Event
        && let (Some(north), Some(east)) = (named("north"), named("east"))
    {
        return Some(("ned", east, north));
    }
    let begins = channel.leaves.len() > 1 && channel.leaves[..2].iter().all(is_length);
    match channel.frame.as_str() {
        _ if !begins => None,
        "" => None,
        "ned" => Some(("ned", 1, 0)),
        frame => Some((frame, 0, 1)),
    }
}
