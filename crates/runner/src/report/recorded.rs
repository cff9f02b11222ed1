//! Recorded channels as the signals of a formula.

use ironbird_formula::{Expression, Names, Needed, NoSuchSignal, SignalInfo, SignalKind, Values};
use ironbird_kernel::Time;
use ironbird_record::report::Drawing;
use ironbird_record::{Kind, RecordError, RecordedChannel, Recording, column_name};
use ironbird_units::Unit;

use super::VALUES;

/// A signal is labelled by its channel and by which of its numbers it has.
const LEAVES: usize = 1 << 12;

/// Finds signals among what was recorded.
pub struct Recorded<'a>(pub &'a Recording);

/// What a formula reads of a channel: the channel, the first of its numbers, and how many.
struct Part<'a> {
    channel: &'a RecordedChannel,
    first: usize,
    count: usize,
}

impl<'a> Recorded<'a> {
    /// The number of a channel, and which of its numbers a formula calls `path`.
    fn find(&self, path: &str) -> Option<(usize, usize, usize)> {
        let channels = self.0.channels.iter().enumerate();
        channels.filter(|(_, channel)| path.starts_with(&channel.name)).find_map(
            |(number, channel)| {
                let is_meant = |leaf: &String| {
                    let name = column_name(&channel.name, leaf);
                    let rest = name.strip_prefix(path);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
                };
                let first = channel.leaves.iter().position(is_meant)?;
                let count = channel.leaves.iter().filter(|leaf| is_meant(leaf)).count();
                let size = channel.messages.saturating_mul(channel.leaves.len() as u64);
                let is_readable = channel.leaves.len() <= LEAVES && size <= VALUES;
                is_readable.then_some((number, first, count))
            },
        )
    }

    fn part(&self, needed: &Needed) -> Option<Part<'a>> {
        let (number, first, count) = self.find(&needed.path)?;
        Some(Part { channel: self.0.channels.get(number)?, first, count })
    }

    /// The unit of a signal; none if it was not recorded.
    pub fn unit(&self, path: &str) -> Option<Unit> {
        let (number, first, _) = self.find(path)?;
        let channel = self.0.channels.get(number)?;
        channel.unit_of(channel.leaves.get(first)?).parse().ok()
    }

    /// Shows the values of signals at every instant at which one of them has a new one and all have one.
    pub fn replay(
        &self,
        needed: &[Needed],
        mut values: Values,
        mut each: impl FnMut(Time, &Values),
    ) -> Result<(), RecordError> {
        let parts: Vec<(u32, Part)> =
            needed.iter().filter_map(|one| Some((one.id, self.part(one)?))).collect();
        let mut names: Vec<&str> =
            parts.iter().map(|(_, part)| part.channel.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        // The file is in the order of time: once a later value comes, an instant is complete.
        let mut instant: Option<Time> = None;
        self.0.contents_of(&names, |number, time, numbers, _| {
            if instant != Some(time) {
                if let Some(before) = instant
                    && values.complete().is_ok()
                {
                    each(before, &values);
                }
                values.set_time(time);
                instant = Some(time);
            }
            let of_channel = parts.iter().filter(|(_, part)| part.channel.name == names[number]);
            for (id, part) in of_channel {
                if let Some(read) = numbers.get(part.first..part.first + part.count) {
                    // The formula was checked against the same channels.
                    let _ = values.set(*id, read);
                }
            }
        })?;
        if let Some(last) = instant
            && values.complete().is_ok()
        {
            each(last, &values);
        }
        Ok(())
    }

    /// How the numbers of an expression are joined: it changes whenever one of its signals does.
    pub fn drawing(&self, expression: &Expression) -> Drawing {
        let parts = expression.signals().iter().filter_map(|needed| self.part(needed));
        let mut kinds = parts.map(|part| part.channel.kind);
        match kinds.all(|kind| kind == Kind::Continuous) {
            true => Drawing::Line,
            false => Drawing::Steps,
        }
    }
}

impl Names for Recorded<'_> {
    fn signal(&self, path: &str) -> Result<SignalInfo, NoSuchSignal> {
        let none = NoSuchSignal { nearest: None };
        let (number, first, leaves) = self.find(path).ok_or(none.clone())?;
        let unit = self.unit(path).ok_or(none)?;
        let id = (number * LEAVES + first) as u32;
        Ok(SignalInfo { id, unit, leaves, kind: SignalKind::Number })
    }
}
