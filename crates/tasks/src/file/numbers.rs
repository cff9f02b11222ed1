//! Whole numbers, ratios and words in files of tasks.

use ironbird_document::{Data, Item, Problem};
use ironbird_kernel::path::nearest;

use crate::fraction::{Fraction, NotAFraction};
use crate::system::Ticks;

/// The largest number that a file may hold: sums of times stay far from the end of 64 bits.
const LARGEST: u64 = 1_000_000_000_000_000;

/// A whole number in a range.
pub fn within(item: &Item, least: u64, most: u64) -> Result<u64, Problem> {
    match item.data {
        Data::Integer(number) if number >= 0 && (least..=most).contains(&(number as u64)) => {
            Ok(number as u64)
        }
        Data::Integer(number) => {
            let message = match () {
                () if number < 0 || (number as u64) < least => {
                    format!("must be at least {least}, not {number}")
                }
                () => format!("must be at most {most}, not {number}"),
            };
            Err(Problem::new(message, &item.place, "here"))
        }
        _ => {
            let message =
                format!("expected a whole number of time units or a count, found {}", item.kind());
            Err(Problem::new(message, &item.place, "here")
                .help("choose a smaller `time_unit` where times are no whole numbers"))
        }
    }
}

/// A whole number from 1.
pub fn positive(item: &Item) -> Result<Ticks, Problem> {
    within(item, 1, LARGEST)
}

/// A whole number from 0.
pub fn from_zero(item: &Item) -> Result<Ticks, Problem> {
    within(item, 0, LARGEST)
}

/// A ratio: a number, or a text such as "10/3".
pub fn fraction(item: &Item) -> Result<Fraction, Problem> {
    let text = match &item.data {
        Data::Text(text) => text.clone(),
        // The shortest decimal number that is this one: what was written.
        Data::Real(number) => number.to_string(),
        Data::Integer(number) => number.to_string(),
        _ => item.kind().into(),
    };
    text.parse().map_err(|error: NotAFraction| Problem::new(error.to_string(), &item.place, "here"))
}

/// The number of a name among others.
pub fn named<'a>(
    item: &Item,
    what: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, Problem> {
    let text = item.text()?;
    names.clone().position(|name| name == text).ok_or_else(|| {
        let problem =
            Problem::new(format!("there is no {what} \"{text}\""), &item.place, "not known");
        let near = nearest(text, names.clone());
        match near {
            Some(near) => problem.did_you_mean(Some(near)),
            None => problem.help(format!("there are {}", names.collect::<Vec<_>>().join(", "))),
        }
    })
}
