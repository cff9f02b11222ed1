//! Names of components, their order, and identities that do not depend on placement.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The identity of a component: a hash of its path, the same in every placement and every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ComponentId(pub u64);

impl ComponentId {
    /// The root of every system.
    pub const ROOT: ComponentId = ComponentId(0);

    /// The identity of the component at `path`.
    pub fn of(path: &str) -> Self {
        path.split('.').fold(ComponentId::ROOT, ComponentId::child)
    }

    /// The identity of the component `name` inside this one.
    pub fn child(self, name: &str) -> Self {
        ComponentId(xxh3_64_with_seed(name.as_bytes(), self.0))
    }
}

/// Splits `quad[12]` into its name and its index.
fn split_index(segment: &str) -> (&str, Option<u64>) {
    segment
        .strip_suffix(']')
        .and_then(|open| open.rsplit_once('['))
        .and_then(|(name, digits)| Some((name, Some(digits.parse().ok()?))))
        .unwrap_or((segment, None))
}

/// The order of two names of one level: by name, then by index as a number, so that `quad[9]`
/// comes before `quad[10]`. A name without index comes first.
pub fn compare_segments(a: &str, b: &str) -> Ordering {
    let ((name_a, index_a), (name_b, index_b)) = (split_index(a), split_index(b));
    name_a.cmp(name_b).then(index_a.cmp(&index_b)).then_with(|| a.cmp(b))
}

/// The order of two paths, level by level ([`compare_segments`]).
pub fn compare_paths(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        match (a.next(), b.next()) {
            (Some(x), Some(y)) => match compare_segments(x, y) {
                Ordering::Equal => continue,
                unequal => return unequal,
            },
            (x, y) => return x.is_some().cmp(&y.is_some()),
        }
    }
}

/// Whether `name` may name a component: letters, digits, `_` and `-`, and for arrays an
/// index in brackets at its end.
pub fn is_valid_name(name: &str) -> bool {
    let (stem, index) = split_index(name);
    // An index is written in one way only, so that two names never mean one element.
    let plain = index.is_none_or(|i| name.len() == stem.len() + 2 + i.to_string().len());
    plain && !stem.is_empty() && stem.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// Whether `name` may name a port: one name, or several joined by dots, so that a component that
/// holds many alike can call its ports `quad[3].position`.
pub fn is_valid_port_name(name: &str) -> bool {
    name.split('.').all(is_valid_name)
}

/// Whether a path fits a pattern in which `*` stands for any part of a name, and a last `*` for
/// everything below.
pub fn matches(pattern: &str, path: &str) -> bool {
    captures(pattern, path).is_some()
}

/// What the stars of a pattern stand for in a path that fits it ([`matches()`]), in their order.
pub fn captures<'p>(pattern: &str, path: &'p str) -> Option<Vec<&'p str>> {
    let (pattern, open) = match pattern.strip_suffix('*') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut captured = Vec::new();
    let (mut wanted, mut rest) = (pattern.split('.').peekable(), Some(path));
    while let Some(part) = wanted.next() {
        let below = rest?;
        let (name, after) = match below.split_once('.') {
            Some((name, after)) => (name, Some(after)),
            None => (below, None),
        };
        let is_last = wanted.peek().is_none();
        let left = fit(part, name, open && is_last, &mut captured)?;
        if is_last && open {
            captured.push(&below[name.len() - left.len()..]);
            return Some(captured);
        }
        if is_last {
            return after.is_none().then_some(captured);
        }
        rest = after;
    }
    None
}

/// One name: the pieces between stars must be found one after the other, the first at the start and
/// the last at the end, or anywhere if the name may go on. Gives what is left behind the last piece.
fn fit<'p>(
    pattern: &str,
    name: &'p str,
    open: bool,
    captured: &mut Vec<&'p str>,
) -> Option<&'p str> {
    let mut pieces = pattern.split('*').peekable();
    let mut rest = name.strip_prefix(pieces.next()?)?;
    if pieces.peek().is_none() {
        return (open || rest.is_empty()).then_some(rest);
    }
    while let Some(piece) = pieces.next() {
        let is_at_end = !open && pieces.peek().is_none();
        let at = if is_at_end { rest.strip_suffix(piece)?.len() } else { rest.find(piece)? };
        captured.push(&rest[..at]);
        rest = &rest[at + piece.len()..];
    }
    Some(rest)
}

/// The candidate that a user most likely meant by `typed`, if one is near.
pub fn nearest<'a>(typed: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|candidate| (edit_distance(typed, candidate), candidate))
        .min()
        .filter(|(distance, _)| *distance <= 1 + typed.chars().count() / 3)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance in characters.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn array_elements_are_ordered_by_number() {
        let mut paths = ["b", "a.quad[10].x", "a.quad[9].x", "a.quad", "a", "a.quad[9]"];
        paths.sort_by(|x, y| compare_paths(x, y));
        assert_eq!(paths, ["a", "a.quad", "a.quad[9]", "a.quad[9].x", "a.quad[10].x", "b"]);
    }

    #[test]
    fn names_are_plain_words_with_one_spelling_of_an_index() {
        for good in ["a", "dvl-2", "quad[0]", "größe", "x_1"] {
            assert!(is_valid_name(good), "{good}");
        }
        for bad in ["", "a.b", "quad[01]", "quad[+1]", "[3]", "a b", "a[b]", "a["] {
            assert!(!is_valid_name(bad), "{bad}");
        }
    }

    #[test]
    fn a_port_may_be_named_by_several_names_joined_by_dots() {
        for good in ["position", "quad[3].position", "rover.motors", "a[0].b[1].c"] {
            assert!(is_valid_port_name(good), "{good}");
        }
        for bad in ["", ".", "a.", ".a", "a..b", "quad[03].x", "quad[3]x", "a b.c"] {
            assert!(!is_valid_port_name(bad), "{bad}");
        }
    }

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        let names = ["velocity", "position", "out"];
        assert_eq!(nearest("velocty", names.into_iter()), Some("velocity"));
        assert_eq!(nearest("ouput", names.into_iter()), Some("out"));
        assert_eq!(nearest("temperature", names.into_iter()), None);
    }

    #[test]
    fn patterns_stand_for_parts_of_names_and_a_last_star_for_all_below() {
        assert!(matches("drone.*", "drone.body.pose"));
        assert!(matches("quad[*].pose", "quad[12].pose"));
        assert!(!matches("quad[*].pose", "quad[12].imu.pose"));
        assert!(matches("*.temperature", "room.temperature"));
        assert!(!matches("*.temperature", "house.room.temperature"));
        assert!(matches("*", "anything.at.all"));
        assert!(!matches("drone.*", "dron.body"));
    }

    #[test]
    fn stars_stand_for_what_is_found_in_their_place() {
        assert_eq!(captures("quad[*].pose", "quad[12].pose"), Some(vec!["12"]));
        assert_eq!(captures("*[*].x", "quad[12].x"), Some(vec!["quad", "12"]));
        assert_eq!(captures("quad[*].*", "quad[7].imu.rate"), Some(vec!["7", "imu.rate"]));
        assert_eq!(captures("a-*-b*", "a-1-b-2.c"), Some(vec!["1", "-2.c"]));
        assert_eq!(captures("plain", "plain"), Some(vec![]));
        assert_eq!(captures("quad[*].pose", "quad[12].imu.pose"), None);
        assert_eq!(captures("quad[*]", "quad"), None);
    }
}
