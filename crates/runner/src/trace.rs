//! The trace of states of a component, folded so that people can read it.

use ironbird_kernel::Time;

/// The longest round of states that is found to repeat.
const LONGEST_ROUND: usize = 16;
/// Of a trace with many parts, this many are shown at the beginning and at the end.
const FIRST: usize = 8;
const LAST: usize = 4;

/// The states that a component entered, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Path of the component.
    pub component: String,
    /// When it entered which state. The last one is always the state that it ended in.
    pub entered: Vec<(Time, String)>,
    /// How many states before the last one are not kept, because there were too many.
    pub left_out: u64,
}

impl Trace {
    /// Adds a state; of more than `most`, only the last is kept.
    pub(crate) fn enter(&mut self, time: Time, state: String, most: usize) {
        if self.entered.len() >= most {
            self.entered.pop();
            self.left_out += 1;
        }
        self.entered.push((time, state));
    }

    /// In one line, with the time of the last state: `20 x (ask > asked > go > going) > home at 196.6 s`.
    pub fn text(&self) -> String {
        let Some(((at, last), before)) = self.entered.split_last() else { return String::new() };
        let names = |entered: &[(Time, String)]| -> Vec<String> {
            entered.iter().map(|(_, state)| state.clone()).collect()
        };
        let parts = match self.left_out {
            0 => parts(&names(&self.entered)),
            more => {
                let mut parts = parts(&names(before));
                parts.push(Part { text: left_out(more), states: more });
                parts.push(Part { text: last.clone(), states: 1 });
                parts
            }
        };
        format!("{} at {}", joined(parts), rounded(*at))
    }
}

/// States in one line, with rounds that repeat named once.
pub(crate) fn folded(states: &[String]) -> String {
    joined(parts(states))
}

/// A piece of a folded trace, and for how many states it stands.
struct Part {
    text: String,
    states: u64,
}

/// From each place on, the round that covers most is folded; of equal ones the shortest.
fn parts(states: &[String]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = states;
    while !rest.is_empty() {
        let (mut length, mut times) = (1, 1);
        for round in 1..=LONGEST_ROUND.min(rest.len() / 2) {
            let rounds = rest.chunks_exact(round);
            let equal = rounds.take_while(|other| *other == &rest[..round]).count();
            if equal > 1 && equal * round > length * times {
                (length, times) = (round, equal);
            }
        }
        let round = rest[..length].join(" > ");
        let text = match (length, times) {
            (_, 1) => round,
            (1, _) => format!("{times} x {round}"),
            _ => format!("{times} x ({round})"),
        };
        parts.push(Part { text, states: (length * times) as u64 });
        rest = &rest[length * times..];
    }
    parts
}

fn joined(mut parts: Vec<Part>) -> String {
    if parts.len() > FIRST + LAST + 1 {
        let end = parts.len() - LAST;
        let states = parts[FIRST..end].iter().map(|part| part.states).sum();
        parts.splice(FIRST..end, [Part { text: left_out(states), states }]);
    }
    let texts: Vec<String> = parts.into_iter().map(|part| part.text).collect();
    texts.join(" > ")
}

fn left_out(states: u64) -> String {
    format!("... {states} more ...")
}

/// Milliseconds are enough for people, unless all happens within a second.
fn rounded(time: Time) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 {
        return time.to_string();
    }
    let text = format!("{seconds:.3}");
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::Duration;

    fn states(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    fn trace(states: Vec<String>, most: usize) -> Trace {
        let mut trace = Trace::default();
        for (number, state) in states.into_iter().enumerate() {
            trace.enter(Time::ZERO + Duration::from_ms(1_500 * number as u64), state, most);
        }
        trace
    }

    #[test]
    fn rounds_that_repeat_are_named_once() {
        assert_eq!(folded(&states("on off on off on done")), "2 x (on > off) > on > done");
        assert_eq!(folded(&states("idle a a a b")), "idle > 3 x a > b");
        // The round that covers most, not the first that repeats.
        assert_eq!(folded(&states("a a b a a b a a b")), "3 x (a > a > b)");
        assert_eq!(folded(&states("a b c")), "a > b > c");
        assert_eq!(folded(&[]), "");
    }

    #[test]
    fn a_trace_tells_when_the_last_state_was_entered() {
        assert_eq!(trace(states("ask go ask go home"), 9).text(), "2 x (ask > go) > home at 6 s");
        assert_eq!(trace(states("ask"), 9).text(), "ask at 0 s");
        assert_eq!(Trace::default().text(), "");
    }

    #[test]
    fn a_long_trace_shows_its_beginning_and_its_end() {
        let many: Vec<String> = (0..40).map(|number| format!("s{number}")).collect();
        let text = folded(&many);
        assert!(text.starts_with("s0 > s1 > "), "{text}");
        assert!(text.ends_with("s7 > ... 28 more ... > s36 > s37 > s38 > s39"), "{text}");
    }

    #[test]
    fn of_too_many_states_the_last_is_known() {
        let kept = trace(states("a b a b c d e"), 5);
        assert_eq!((kept.entered.len(), kept.left_out), (5, 2));
        assert_eq!(kept.text(), "2 x (a > b) > ... 2 more ... > e at 9 s");
    }
}
