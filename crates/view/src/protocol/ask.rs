//! What a client asks for.

use std::collections::BTreeMap;

use ironbird_kernel::Duration;
use ironbird_runner::live::Wish;
use serde::Deserialize;

use super::{MOST_FRAMES, MOST_POINTS, MOST_SUBSCRIBED};

/// A request of a client.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Asked {
    /// Its number, for the answer.
    pub id: u32,
    /// What.
    #[serde(flatten)]
    pub ask: Ask,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Ask {
    Pause,
    Go,
    Step { by: Option<f64> },
    Speed { value: Option<f64> },
    Fault { name: String, active: bool },
    Set { component: String, parameter: String, value: String },
    Drive { component: String, axes: BTreeMap<String, f64> },
    Note { text: String },
    End,
    Subscribe { signals: Vec<u32> },
    Window { from: f64, to: f64, step: f64 },
    Series { signals: Vec<u32>, from: f64, to: f64, points: usize },
}

impl Asked {
    /// Reads a message of a client.
    pub fn read(text: &str) -> Result<Asked, String> {
        let asked: Asked = serde_json::from_str(text)
            .map_err(|error| format!("this is not understood: {error}"))?;
        if asked.id == 0 {
            return Err("the id of a request is above 0".into());
        }
        asked.ask.check()?;
        Ok(asked)
    }
}

impl Ask {
    fn check(&self) -> Result<(), String> {
        match self {
            Ask::Subscribe { signals } | Ask::Series { signals, .. }
                if signals.len() > MOST_SUBSCRIBED =>
            {
                Err(format!("at most {MOST_SUBSCRIBED} signals"))
            }
            Ask::Series { points, .. } if !(2..=MOST_POINTS).contains(points) => {
                Err(format!("2 to {MOST_POINTS} points"))
            }
            Ask::Window { from, to, step } => {
                let frames = (to - from) / step;
                match *from >= 0.0 && *step > 0.0 && (0.0..MOST_FRAMES as f64).contains(&frames) {
                    true => Ok(()),
                    false => {
                        Err(format!("a window goes forward and has at most {MOST_FRAMES} frames"))
                    }
                }
            }
            _ => Ok(()),
        }
    }

    /// What is asked of a live run; none where it is asked of the server alone.
    pub fn wish(&self) -> Result<Option<Wish>, String> {
        Ok(Some(match self {
            Ask::Pause => Wish::Pause,
            Ask::Go => Wish::Go,
            Ask::Step { by: None } => Wish::Step(None),
            Ask::Step { by: Some(seconds) } => {
                let by = Some(*seconds).filter(|seconds| *seconds > 0.0 && *seconds <= 1e6);
                let by = by.and_then(Duration::from_secs_f64_ceil);
                Wish::Step(Some(by.ok_or("a step is longer than 0 s and at most 1000000 s")?))
            }
            Ask::Speed { value } => Wish::Speed(*value),
            Ask::Fault { name, active } => {
                Wish::Command(format!("fault = {{ {} = {active} }}", quoted(name)))
            }
            Ask::Set { component, parameter, value } => {
                let key = quoted(&format!("{component}.{parameter}"));
                Wish::Command(format!("set = {{ {key} = {} }}", as_value(value)))
            }
            Ask::Drive { component, axes } => {
                let axes = axes.iter().map(|(parameter, value)| {
                    // A point makes it a real number, whatever it is.
                    format!("{} = {value:?}", quoted(&format!("{component}.{parameter}")))
                });
                let axes: Vec<String> = axes.collect();
                Wish::Command(format!("set = {{ {} }}", axes.join(", ")))
            }
            Ask::Note { text } => Wish::Command(format!("note = {}", quoted(text))),
            Ask::End => Wish::Command("end = true".into()),
            Ask::Subscribe { .. } | Ask::Window { .. } | Ask::Series { .. } => return Ok(None),
        }))
    }
}

/// As text of an experiment file.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What people write into a field: a number, a truth value or a list as it is, anything else as text.
fn as_value(text: &str) -> String {
    let text = text.trim();
    let plain = text.parse::<f64>().is_ok_and(f64::is_finite)
        || ["true", "false"].contains(&text)
        || (text.starts_with('[') && text.ends_with(']') && !text.contains(['\n', '#']));
    if plain { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(text: &str) -> Result<Option<Wish>, String> {
        Asked::read(text).and_then(|asked| asked.ask.wish())
    }

    fn command(text: &str) -> String {
        match wish(text) {
            Ok(Some(Wish::Command(text))) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn buttons_are_commands_of_experiments() {
        let text = r#"{"id":1,"do":"fault","name":"a \"b\"","active":true}"#;
        assert_eq!(command(text), r#"fault = { "a \"b\"" = true }"#);
        let set = |value: &str| {
            let text = format!(
                r#"{{"id":1,"do":"set","component":"p","parameter":"h","value":"{value}"}}"#
            );
            command(&text)
        };
        assert_eq!(set("3 m"), r#"set = { "p.h" = "3 m" }"#);
        assert_eq!(set(" 3 "), r#"set = { "p.h" = 3 }"#);
        assert_eq!(set("true"), r#"set = { "p.h" = true }"#);
        assert_eq!(set("[1, 2]"), r#"set = { "p.h" = [1, 2] }"#);
        assert_eq!(set("nan"), r#"set = { "p.h" = "nan" }"#);
        let text = r#"{"id":1,"do":"drive","component":"s","axes":{"roll":1,"pitch":-0.5}}"#;
        assert_eq!(command(text), r#"set = { "s.pitch" = -0.5, "s.roll" = 1.0 }"#);
        assert_eq!(command(r#"{"id":3,"do":"end"}"#), "end = true");
    }

    #[test]
    fn what_cannot_be_is_refused_with_a_sentence() {
        for (text, why) in [
            ("", "not understood"),
            (r#"{"id":1,"do":"fly"}"#, "not understood"),
            (r#"{"id":0,"do":"pause"}"#, "above 0"),
            (r#"{"id":1,"do":"step","by":-1}"#, "longer than 0 s"),
            (r#"{"id":1,"do":"window","from":0,"to":10,"step":0.001}"#, "at most 2000"),
            (r#"{"id":1,"do":"window","from":2,"to":1,"step":1}"#, "goes forward"),
            (r#"{"id":1,"do":"series","signals":[],"from":0,"to":1,"points":1}"#, "2 to 4000"),
        ] {
            let refused = wish(text).expect_err(text);
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
