//! Where the time on the wall went, put so that people can read it.

use std::collections::BTreeMap;

use ironbird_kernel::{ComponentCost, Moment, PartProfile, Time};

use crate::outcomes::Outcomes;
use crate::waiting::short_list;

/// Points of a curve over time, at most: more hide how it goes.
const POINTS: usize = 100;

/// A profile that can be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// What each thread or process did, in the order of their numbers.
    pub parts: Vec<PartShares>,
    /// Those that computed longest come first.
    pub components: Vec<ComponentShare>,
    /// Those with most messages come first; links that carried none are left out.
    pub links: Vec<LinkRate>,
    /// Simulated seconds, and how many seconds on the wall a simulated one took from there on.
    pub slowdown: Vec<(f64, f64)>,
    /// The same over the whole run.
    pub mean_slowdown: f64,
}

/// What a thread or process did with its time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartShares {
    /// Its components, in short.
    pub name: String,
    /// The share of the time in which it computed.
    pub computing: f64,
    /// For whom it waited, and the share of the time; the longest first.
    pub waited: Vec<(usize, f64)>,
    /// Simulated seconds, and the share of the time in which it computed from there on.
    pub over_time: Vec<(f64, f64)>,
}

/// What a component cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComponentShare {
    /// Its path.
    pub path: String,
    /// The number of its thread or process.
    pub part: usize,
    /// Transitions, steps and advances.
    pub calls: u64,
    /// Seconds of computing.
    pub computing: f64,
    /// The share of the time on the wall that this is.
    pub share: f64,
    /// For whom outside it waited meanwhile, and the share of the time on the wall.
    pub waited: Option<(String, f64)>,
    /// Simulated seconds per second if nothing else had to be computed.
    pub speed_alone: f64,
}

/// What went over a link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkRate {
    /// The output.
    pub from: String,
    /// The input.
    pub to: String,
    /// Messages, or values of a signal.
    pub sent: u64,
    /// Messages per second on the wall.
    pub per_second: f64,
}

impl Analysis {
    /// Of a run with a profile.
    pub fn of(outcomes: &Outcomes) -> Option<Self> {
        let profile = &outcomes.profile;
        if profile.is_empty() {
            return None;
        }
        let simulated = outcomes.at.as_secs_f64();
        let wall = profile.iter().map(|part| part.wall).max().unwrap_or(0).max(1) as f64 * 1e-9;
        let way = Way::of(profile);
        Some(Analysis {
            parts: profile.iter().map(|part| shares(part, wall)).collect(),
            components: components(profile, wall, simulated),
            links: links(profile, wall),
            slowdown: way.slowdown(),
            mean_slowdown: if simulated > 0.0 { wall / simulated } else { 0.0 },
        })
    }

    /// A table for a terminal; so many components and links at most.
    pub fn text(&self, most: usize) -> String {
        let mut lines = Vec::new();
        if self.parts.len() > 1 {
            lines.push("  profile: who waits for whom".to_owned());
            let width = self.parts.iter().map(|part| part.name.chars().count()).max().unwrap_or(0);
            for (number, part) in self.parts.iter().enumerate() {
                let waited = part.waited.iter().filter(|(_, share)| *share >= 0.005);
                let waited: Vec<String> = waited
                    .map(|(other, share)| format!("{} for {other}", percent(*share)))
                    .collect();
                let waited = match waited.is_empty() {
                    true => String::new(),
                    false => format!(", waits {}", waited.join(", ")),
                };
                let (name, computing) = (&part.name, percent(part.computing));
                lines.push(format!("    {number}  {name:width$}  computes {computing:>5}{waited}"));
            }
        }
        let shown = &self.components[..self.components.len().min(most)];
        let width = shown.iter().map(|c| c.path.chars().count()).max().unwrap_or(0);
        lines
            .push("  profile: components: share of the time, calls, speed if it were alone".into());
        for ComponentShare { path, share, calls, speed_alone, waited, .. } in shown {
            let (share, speed) = (format!("{:.1} %", 100.0 * share), factor(*speed_alone));
            let waited = waited.as_ref().map_or_else(String::new, |(who, share)| {
                format!(", waits {} for {who}", percent(*share))
            });
            lines.push(format!(
                "    {path:width$}  {share:>7}  {calls:>12}  {speed} real time{waited}"
            ));
        }
        lines.extend(more(self.components.len(), most, "components"));
        if !self.links.is_empty() {
            lines.push("  profile: links: messages, per second".into());
        }
        let name = |link: &LinkRate| format!("{} -> {}", link.from, link.to);
        let shown = &self.links[..self.links.len().min(most)];
        let width = shown.iter().map(|link| name(link).chars().count()).max().unwrap_or(0);
        for link in shown {
            let (name, sent, rate) = (name(link), link.sent, link.per_second);
            lines.push(format!("    {name:width$}  {sent:>12}  {rate:.0}/s"));
        }
        lines.extend(more(self.links.len(), most, "links"));
        lines.join("\n")
    }
}

fn more(all: usize, most: usize, what: &str) -> Option<String> {
    (all > most).then(|| format!("    {} more {what} are in the report", all - most))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// A speed with three digits that count.
pub(crate) fn factor(speed: f64) -> String {
    match speed {
        s if !s.is_finite() => "any".into(),
        s if s >= 1e6 => format!("{s:.1e}x"),
        s if s >= 100.0 => format!("{s:.0}x"),
        s if s >= 1.0 => format!("{s:.1}x"),
        s => format!("{s:.4}x"),
    }
}

/// What a partition is called.
pub(crate) fn name_of(part: &PartProfile) -> String {
    let paths: Vec<String> = part.components.iter().map(|c| c.path.clone()).collect();
    if paths.is_empty() { "no components".into() } else { short_list(&paths) }
}

fn shares(part: &PartProfile, wall: f64) -> PartShares {
    let share = |nanoseconds: u64| (nanoseconds as f64 * 1e-9 / wall).min(1.0);
    let waited = part.waited.iter().enumerate().filter(|(_, waited)| **waited > 0);
    let mut waited: Vec<_> = waited.map(|(other, waited)| (other, share(*waited))).collect();
    waited.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    // At even distances on the wall: in a short time a share says nothing.
    let apart = (part.wall / POINTS as u64).max(1);
    let mut moments: Vec<&Moment> = Vec::new();
    for moment in &part.moments {
        if moments.last().is_none_or(|last| moment.wall >= last.wall + apart) {
            moments.push(moment);
        }
    }
    let over_time = moments.windows(2).map(|pair| {
        let computing = pair[1].computing.saturating_sub(pair[0].computing) as f64;
        (pair[0].now.as_secs_f64(), computing / (pair[1].wall - pair[0].wall) as f64)
    });
    PartShares {
        name: name_of(part),
        computing: share(part.computing),
        waited,
        over_time: over_time.collect(),
    }
}

/// A component that several partitions have advanced, one after the other, is with the one that computed longest.
fn components(profile: &[PartProfile], wall: f64, simulated: f64) -> Vec<ComponentShare> {
    let mut by_path: BTreeMap<&str, (u64, usize, ComponentCost)> = BTreeMap::new();
    for (part, profiled) in profile.iter().enumerate() {
        for cost in &profiled.components {
            let (longest, of, sum) = by_path.entry(&cost.path).or_default();
            if *longest <= cost.computing {
                (*longest, *of) = (cost.computing, part);
            }
            sum.calls += cost.calls;
            sum.computing += cost.computing;
            if let Some((who, time)) = &cost.waited {
                sum.waited.get_or_insert_with(|| (who.clone(), 0)).1 += time;
            }
        }
    }
    let all = by_path.into_iter().map(|(path, (_, part, cost))| {
        let computing = cost.computing as f64 * 1e-9;
        ComponentShare {
            path: path.to_owned(),
            part,
            calls: cost.calls,
            computing,
            share: computing / wall,
            waited: cost.waited.map(|(who, time)| (who, time as f64 * 1e-9 / wall)),
            speed_alone: simulated / computing,
        }
    });
    let mut all: Vec<ComponentShare> = all.collect();
    all.sort_by(|a, b| b.computing.total_cmp(&a.computing));
    all
}

fn links(profile: &[PartProfile], wall: f64) -> Vec<LinkRate> {
    let mut sent: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for link in profile.iter().flat_map(|part| &part.links) {
        *sent.entry((&link.from, &link.to)).or_default() += link.sent;
    }
    let links = sent.into_iter().filter(|(_, sent)| *sent > 0);
    let mut links: Vec<LinkRate> = links
        .map(|((from, to), sent)| LinkRate {
            from: from.into(),
            to: to.into(),
            sent,
            per_second: sent as f64 / wall,
        })
        .collect();
    links.sort_by_key(|link| std::cmp::Reverse(link.sent));
    links
}

/// The way of the whole run: nanoseconds since 1970, and how far the last partition was then.
pub(crate) struct Way(Vec<(u64, Time)>);

impl Way {
    pub fn of(profile: &[PartProfile]) -> Self {
        // Where most is known of one that computed.
        let parts = || profile.iter().filter(|part| !part.components.is_empty());
        let Some(finest) = parts().max_by_key(|part| part.moments.len()) else {
            return Way(Vec::new());
        };
        let mut looks: Vec<u64> =
            finest.moments.iter().map(|moment| finest.began + moment.wall).collect();
        // A partition that rests is through a little later than the one that went on.
        let ends = parts().filter_map(|part| Some(part.began + part.moments.last()?.wall));
        looks.extend(ends.max().filter(|end| looks.last().is_some_and(|look| look < end)));
        let mut way: Vec<(u64, Time)> = Vec::new();
        for at in looks {
            let last = parts().map(|part| reached(part, at)).min().unwrap_or(Time::ZERO);
            let before = way.last().map_or(Time::ZERO, |(_, now)| *now);
            way.push((at, last.max(before)));
        }
        Way(way)
    }

    /// When the run was at an instant, in nanoseconds since 1970.
    pub fn when(&self, now: Time) -> Option<u64> {
        let next = self.0.partition_point(|(_, reached)| *reached < now);
        match (next.checked_sub(1).map(|before| self.0[before]), self.0.get(next)) {
            (Some((from, a)), Some(&(until, b))) => {
                let part = now.since(a).as_secs_f64() / b.since(a).as_secs_f64();
                Some(from + ((until - from) as f64 * part) as u64)
            }
            (before, after) => before.or(after.copied()).map(|(wall, _)| wall),
        }
    }

    /// Simulated seconds, and seconds on the wall for each simulated one from there on.
    pub fn slowdown(&self) -> Vec<(f64, f64)> {
        let count = self.0.len().saturating_sub(1).min(POINTS) as u64;
        let end = self.0.last().map_or(0, |(_, now)| now.as_ps());
        if count == 0 || end < count {
            return Vec::new();
        }
        // At even distances of simulated time: where it hardly moves, a ratio says nothing.
        let place = |number: u64| Time::from_ps(end / count * number);
        let wall = |number: u64| self.when(place(number)).unwrap_or(0);
        let step = place(1).as_secs_f64();
        let slowdown = |number| wall(number + 1).saturating_sub(wall(number)) as f64 * 1e-9 / step;
        let mut points: Vec<_> =
            (0..count).map(|n| (place(n).as_secs_f64(), slowdown(n))).collect();
        // The last value holds to the end.
        points.push((place(count).as_secs_f64(), slowdown(count - 1)));
        points
    }
}

/// How far a partition was at a time.
fn reached(part: &PartProfile, at: u64) -> Time {
    let next = part.moments.partition_point(|moment| part.began + moment.wall <= at);
    // Before its first moment it was nowhere, after its last it is through.
    match next.checked_sub(1) {
        None => Time::ZERO,
        Some(last) if next == part.moments.len() => part.moments[last].now,
        Some(before) => {
            let (a, b) = (&part.moments[before], &part.moments[next]);
            let passed = (at - part.began - a.wall) as f64 / (b.wall - a.wall).max(1) as f64;
            Time::from_ps(a.now.as_ps() + (b.now.since(a.now).as_ps() as f64 * passed) as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(began: u64, moments: &[(u64, u64)]) -> PartProfile {
        let moment = |&(wall, ms): &(u64, u64)| Moment {
            wall,
            now: Time::from_ps(ms * 1_000_000_000),
            ..Moment::default()
        };
        let components = vec![ComponentCost { path: "a".into(), ..ComponentCost::default() }];
        let moments = moments.iter().map(moment).collect();
        PartProfile { began, moments, components, ..PartProfile::default() }
    }

    #[test]
    fn a_run_is_where_its_last_partition_is() {
        let ahead = part(1_000, &[(0, 0), (10_000_000, 80), (20_000_000, 100), (30_000_000, 100)]);
        let behind = part(1_000, &[(0, 0), (30_000_000, 60)]);
        let way = Way::of(&[ahead, behind]);
        // 30 ms for 60 ms: half a second for each simulated one, all the way.
        for (_, slowdown) in way.slowdown() {
            assert!((slowdown - 0.5).abs() < 1e-9, "{slowdown}");
        }
        let twenty = Time::from_ps(20_000_000_000);
        assert_eq!(way.when(twenty), Some(1_000 + 10_000_000));
        assert_eq!(Way::of(&[]).when(twenty), None);
    }

    #[test]
    fn time_that_stands_still_lets_the_slowdown_rise() {
        let way = Way::of(&[part(0, &[(0, 0), (1_000_000, 1), (5_000_000, 1), (9_000_000, 2)])]);
        let slowdown = way.slowdown();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
        let all: f64 = slowdown[..3].iter().map(|(_, slowdown)| slowdown * 2e-3 / 3.0).sum();
        assert!(near(all, 9e-3), "nine milliseconds in all: {slowdown:?}");
        // A third of the way is quick, then it stands still for 4 ms, then it is slow.
        assert!(near(slowdown[0].1, 1.0) && near(slowdown[1].1, 8.5), "{slowdown:?}");
        assert!(near(slowdown[2].1, 4.0) && near(slowdown[3].1, 4.0), "{slowdown:?}");
    }
}
