//! Sensors and actuators of a device as users write them: items between commas, words between spaces.
//!
//! ```text
//! what [xN] [push F | poll F] [highest F] [polled] [factor N] [from A | from LOW to HIGH UNIT] [as NAME]
//! ```
//!
//! Which words are allowed depends on the side. `xN` stands for N of them; their ports have `_1`, `_2` … behind their
//! name. Parts of one kind are numbered from 0 in the order in which they are written.

use ironbird_simbricks::physical::{ActuatorKind, Metric};
use ironbird_units::{Quantity, Unit};

/// A sensor or an actuator.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part<K> {
    pub kind: K,
    /// Its number among parts of its kind.
    pub number: u32,
    /// Its port.
    pub name: String,
    /// How often its readings are to come, in Hz.
    pub push: Option<u32>,
    /// How often they are asked for, in Hz.
    pub poll: Option<u32>,
    /// How often it can be read at most, in Hz.
    pub highest: Option<u32>,
    /// Whether its readings only come when they are asked for.
    pub polled: bool,
    pub factor: Option<u32>,
    /// The port from which it is derived.
    pub derived_from: Option<String>,
    pub range: Option<(f64, f64)>,
}

/// What a part can be.
pub(super) trait Named: Copy + PartialEq + 'static {
    const ALL: &'static [Self];
    fn name(self) -> &'static str;
    /// The unit of its range, if it has one.
    fn range_unit(self) -> Option<&'static str>;
}

impl Named for Metric {
    const ALL: &'static [Self] = &Metric::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn range_unit(self) -> Option<&'static str> {
        None
    }
}

impl Named for ActuatorKind {
    const ALL: &'static [Self] = &ActuatorKind::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn range_unit(self) -> Option<&'static str> {
        Some(self.unit())
    }
}

/// Parts of one device at most.
const MOST: usize = 1000;

/// Reads parts; `allowed` are the words that may follow what a part is, besides `as`.
pub(super) fn read<K: Named>(text: &str, allowed: &[&str]) -> Result<Vec<Part<K>>, String> {
    let mut parts: Vec<Part<K>> = Vec::new();
    for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let (part, times) = read_item(item, allowed).map_err(|why| format!("\"{item}\": {why}"))?;
        let several = times.is_some();
        for nth in 1..=times.unwrap_or(1) {
            let same = parts.iter().filter(|other| other.kind == part.kind);
            let same = same.filter(|other| other.derived_from.is_none()).count();
            let number = u32::try_from(same).unwrap_or(u32::MAX);
            let name = if several { format!("{}_{nth}", part.name) } else { part.name.clone() };
            parts.push(Part { number, name, ..part.clone() });
            if parts.len() > MOST {
                return Err(format!("there are too many: {MOST} are allowed"));
            }
        }
    }
    Ok(parts)
}

fn read_item<K: Named>(item: &str, allowed: &[&str]) -> Result<(Part<K>, Option<u32>), String> {
    let mut words = item.split_whitespace().peekable();
    let what = words.next().unwrap_or_default();
    let kind = K::ALL.iter().copied().find(|kind| kind.name() == what).ok_or_else(|| {
        let names: Vec<_> = K::ALL.iter().map(|kind| kind.name()).collect();
        format!("there is no \"{what}\"; there are {}", names.join(", "))
    })?;
    let mut part = Part {
        kind,
        number: 0,
        name: what.to_owned(),
        push: None,
        poll: None,
        highest: None,
        polled: false,
        factor: None,
        derived_from: None,
        range: None,
    };
    let mut times = None;
    while let Some(word) = words.next() {
        if let Some(count) = word.strip_prefix('x').and_then(|count| count.parse().ok()) {
            times = Some(count);
            continue;
        }
        if word != "as" && !allowed.contains(&word) {
            let known: Vec<_> = allowed.iter().chain(&["as", "x2"]).copied().collect();
            return Err(format!("\"{word}\" means nothing here; there are {}", known.join(", ")));
        }
        let mut after =
            || words.next().ok_or_else(|| format!("something is missing behind \"{word}\""));
        match word {
            "as" => part.name = port_name(after()?)?,
            "factor" => {
                let text = after()?;
                let factor = text.parse().ok().filter(|factor| *factor > 0);
                let why = || format!("a factor is a whole number from 1 on, not \"{text}\"");
                part.factor = Some(factor.ok_or_else(why)?);
            }
            "polled" => part.polled = true,
            "from" => match kind.range_unit() {
                None => part.derived_from = Some(after()?.to_owned()),
                Some(unit) => {
                    let (low, to, high) = (after()?, after()?, after()?);
                    if to != "to" {
                        return Err("a range is written \"from 0 to 100\" and a unit".into());
                    }
                    let has_unit = unit != "1";
                    let written = if has_unit { after()? } else { "" };
                    let [low, high] =
                        [low, high].map(|end| quantity(&format!("{end} {written}"), unit));
                    part.range = Some((low?, high?));
                }
            },
            frequency => {
                let text = format!("{} {}", after()?, after()?);
                let found = quantity(&text, "Hz")?;
                if !(1.0..=f64::from(u32::MAX)).contains(&found) || found.fract() != 0.0 {
                    return Err(format!("a frequency is a whole number of Hz, not \"{text}\""));
                }
                let found = Some(found as u32);
                match frequency {
                    "push" => part.push = found,
                    "poll" => part.poll = found,
                    _ => part.highest = found,
                }
            }
        }
    }
    if part.push.is_some() && part.poll.is_some() {
        return Err("its readings are either pushed or polled".into());
    }
    Ok((part, times))
}

fn quantity(text: &str, unit: &str) -> Result<f64, String> {
    let unit: Unit = unit.parse().map_err(|error| format!("{error}"))?;
    let read: Quantity = text.trim().parse().map_err(|error| format!("{error}"))?;
    read.to(&unit).map_err(|error| error.to_string())
}

fn port_name(name: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(plain) {
        return Err(format!(
            "\"{name}\" cannot name a port: use letters, digits and _, and begin with a letter"
        ));
    }
    Ok(name.to_owned())
}

/// Refuses two ports of one name; `taken` are those that the component has anyway.
pub(super) fn refuse_twice<'a>(
    names: impl Iterator<Item = &'a str>,
    taken: &[&'a str],
) -> Result<(), String> {
    let mut seen: Vec<&str> = taken.to_vec();
    for name in names {
        if seen.contains(&name) {
            return Err(format!("there are two ports \"{name}\": name one by \"as\""));
        }
        seen.push(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_read_as_it_is_written() {
        let text = "angular_velocity push 500 Hz, altitude poll 1 kHz factor 10000 as height";
        let parts: Vec<Part<Metric>> = read(text, &["push", "poll", "factor"]).unwrap();
        assert_eq!(parts[0].push, Some(500));
        assert_eq!((parts[1].poll, parts[1].factor), (Some(1000), Some(10_000)));
        assert_eq!(parts[1].name, "height");
    }

    #[test]
    fn several_are_numbered() {
        let text = "share, rotor_speed x3 from 0 to 600 rad/s as motor, share from -1 to 1 as flap";
        let parts: Vec<Part<ActuatorKind>> = read(text, &["from"]).unwrap();
        let found: Vec<_> = parts.iter().map(|part| (part.name.as_str(), part.number)).collect();
        let expected = [("share", 0), ("motor_1", 0), ("motor_2", 1), ("motor_3", 2), ("flap", 1)];
        assert_eq!(found, expected);
        assert_eq!((parts[1].range, parts[4].range), (Some((0.0, 600.0)), Some((-1.0, 1.0))));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, message) in [
            ("hight", "\"hight\": there is no \"hight\"; there are altitude, "),
            ("altitude push 500", "\"altitude push 500\": something is missing behind \"push\""),
            ("altitude push 0.5 Hz", "a frequency is a whole number of Hz"),
            ("altitude push 3 m", "\"3 m\" is a length (m), expected"),
            ("altitude factor 0", "a factor is a whole number from 1 on, not \"0\""),
            ("altitude at noon", "\"at\" means nothing here; there are push, poll, factor, as, x2"),
            ("altitude push 5 Hz poll 5 Hz", "either pushed or polled"),
            ("altitude as 3", "\"3\" cannot name a port"),
            ("altitude x2000", "there are too many: 1000 are allowed"),
        ] {
            let refused = read::<Metric>(text, &["push", "poll", "factor"]).unwrap_err();
            assert!(refused.contains(message), "{text:?}: {refused}");
        }
        assert!(refuse_twice(["a", "b", "a"].into_iter(), &[]).is_err());
        assert!(refuse_twice(["ended"].into_iter(), &["ended"]).is_err());
    }
}
