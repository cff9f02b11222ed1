//! One mistake, one message: an array of 64 has the same mistake 64 times, all from one place.

use std::collections::BTreeMap;
use std::sync::Arc;

use ironbird_document::{Problem, Problems};

/// Where a problem is and what it says, without the names that differ between elements.
type Key = (usize, usize, usize, String);

/// Keeps the first of problems that say the same of the same place, and counts the others.
pub fn once_each(problems: Problems) -> Problems {
    let mut kept: Vec<(Problem, usize)> = Vec::new();
    let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
    for problem in problems.0 {
        let key = problem.place.as_ref().map(|(place, _)| {
            let source = Arc::as_ptr(&place.source) as usize;
            (source, place.span.start, place.span.end, without_paths(&problem.message))
        });
        match key.clone().and_then(|key| seen.get(&key)) {
            // A scenario repeats what the root says, to the letter: that is not worth a word.
            Some(&at) if kept[at].0.message == problem.message => {}
            Some(&at) => kept[at].1 += 1,
            None => {
                seen.extend(key.map(|key| (key, kept.len())));
                kept.push((problem, 0));
            }
        }
    }
    let counted = kept.into_iter().map(|(mut problem, others)| {
        if others > 0 {
            problem.message += &format!(" (and {others} more from this place)");
        }
        problem
    });
    Problems(counted.collect())
}

/// `"quad[3].imu"` becomes `"imu"`: elements of arrays and copies of templates differ only there.
fn without_paths(message: &str) -> String {
    let mut text = String::new();
    for (number, part) in message.split('"').enumerate() {
        let quoted = number % 2 == 1;
        let last = if quoted { part.rsplit('.').next().unwrap_or(part) } else { part };
        let name = if quoted { last.split('[').next().unwrap_or(last) } else { last };
        // Values by formula differ in their numbers.
        text.extend(name.chars().filter(|c| !c.is_ascii_digit()));
        text.push('"');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_document::{Place, Source};

    fn place(span: std::ops::Range<usize>, source: &Arc<Source>) -> Place {
        Place { source: source.clone(), span }
    }

    #[test]
    fn the_same_mistake_in_every_element_is_told_once_with_its_number() {
        let (name, folder, text) = ("x".into(), "".into(), "some text".into());
        let source = Arc::new(Source { name, folder, text });
        let mut problems = Problems::default();
        for index in 0..3 {
            let message = format!("\"quad[{index}].imu\" has no parameter \"gain\"");
            problems.push(Problem::new(message, &place(0..4, &source), ""));
        }
        problems.push(Problem::new("\"b\" has no parameter \"rate\"", &place(0..4, &source), ""));
        problems.push(Problem::new("\"b\" has no parameter \"rate\"", &place(0..4, &source), ""));
        let messages: Vec<String> =
            once_each(problems).0.into_iter().map(|problem| problem.message.clone()).collect();
        assert_eq!(
            messages,
            [
                "\"quad[0].imu\" has no parameter \"gain\" (and 2 more from this place)",
                "\"b\" has no parameter \"rate\""
            ]
        );
    }
}
