//! What signals were since somebody first asked for them, for plots.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use ironbird_kernel::Time;
use ironbird_record::{Event, Observer};
use ironbird_runner::live::Opening;

use super::glance::Glance;
use super::lock;
use crate::protocol::{Frame, Point};
use crate::signals::Signal;
use crate::thinned::Thinned;

/// Points that one signal may have between two frames.
const MOST_NEW: usize = 16;
/// Signals that are kept at most though nobody looks at them now: a page that was hidden, or whose plot was, comes back.
const MOST_KEPT: usize = 256;

/// The histories of all signals that clients have subscribed to.
#[derive(Default)]
pub struct Histories {
    /// Whether anybody wants anything of the recording thread: looked at for every value.
    wanted: AtomicBool,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The taps that record each channel.
    tap_of: BTreeMap<usize, u32>,
    /// Signals that somebody looks at now.
    wanted: BTreeSet<u32>,
    /// Signals by the tap that shows them.
    by_tap: BTreeMap<u32, Vec<(u32, Signal)>>,
    series: BTreeMap<u32, Series>,
}

#[derive(Default)]
struct Series {
    whole: Thinned,
    new: Thinned,
    /// It comes from the recording thread, value by value; otherwise it is looked at.
    tapped: bool,
}

impl Histories {
    /// A run begins.
    pub fn begin(&self, opening: &Opening<'_>) {
        let taps = opening.channel_of.iter().enumerate();
        let tap_of = taps.filter_map(|(tap, channel)| Some(((*channel)?, tap as u32))).collect();
        *lock(&self.kept) = Kept { tap_of, ..Kept::default() };
        self.wanted.store(false, Ordering::Relaxed);
    }

    /// Shows these signals from now on, and keeps those that were shown before as long as there is room.
    pub fn want(&self, signals: &BTreeSet<u32>, glance: &Glance) {
        let mut kept = lock(&self.kept);
        let Kept { tap_of, wanted, by_tap, series } = &mut *kept;
        wanted.clone_from(signals);
        for id in signals {
            series.entry(*id).or_default();
        }
        if series.len() > MOST_KEPT {
            series.retain(|id, _| signals.contains(id));
        }
        by_tap.clear();
        for (id, series) in series {
            let Some(signal) = glance.signals.get(*id as usize) else { continue };
            let tap = signal.channel.and_then(|channel| tap_of.get(&channel).copied());
            series.tapped = tap.is_some();
            if let Some(tap) = tap {
                by_tap.entry(tap).or_default().push((*id, signal.clone()));
            }
        }
        self.wanted.store(!by_tap.is_empty(), Ordering::Relaxed);
    }

    /// Adds what was looked at, where nothing better is to be had.
    pub fn polled(&self, frame: &Frame) {
        let mut kept = lock(&self.kept);
        for (id, value) in &frame.values {
            if let Some(series) = kept.series.get_mut(id).filter(|series| !series.tapped) {
                series.add(frame.time, *value);
            }
        }
    }

    /// What is known of a signal.
    pub fn whole(&self, signal: u32) -> Vec<Point> {
        let kept = lock(&self.kept);
        kept.series.get(&signal).map(|series| series.whole.points().to_vec()).unwrap_or_default()
    }

    /// What came since the last time, of signals that somebody looks at.
    pub fn news(&self) -> Vec<(u32, Vec<Point>)> {
        let mut kept = lock(&self.kept);
        let Kept { wanted, series, .. } = &mut *kept;
        let news = series.iter_mut().map(|(id, series)| (*id, series.new.take()));
        news.filter(|(id, points)| !points.is_empty() && wanted.contains(id)).collect()
    }

    fn value(&self, tap: u32, time: Time, bytes: &[u8]) {
        let mut kept = lock(&self.kept);
        let Kept { by_tap, series, .. } = &mut *kept;
        for (id, signal) in by_tap.get(&tap).into_iter().flatten() {
            if let Some(series) = series.get_mut(id) {
                series.add(time.as_secs_f64(), signal.number(time, bytes));
            }
        }
    }
}

impl Series {
    fn add(&mut self, time: f64, value: f64) {
        self.whole.add(time, value, crate::protocol::MOST_POINTS);
        self.new.add(time, value, MOST_NEW);
    }
}

/// Hears every value on the recording thread.
pub struct Listener(pub Arc<Histories>);

impl Observer for Listener {
    fn value(&mut self, tap: u32, time: Time, bytes: &[u8]) -> Option<Event> {
        if self.0.wanted.load(Ordering::Relaxed) {
            self.0.value(tap, time, bytes);
        }
        None
    }
}
