//! The Aldebaran format `.aut` (manual page `aut` of CADP, version of 2014):
//!
//! ```text
//! des (0, 2, 3)
//! (0, "go.next", 1)
//! (1, "arrived", 2)
//! ```
//!
//! The first line has the number of the first state, of transitions and of states; each other line is a
//! transition. Labels need no quotes where they have no comma or parenthesis. A state without a way out is
//! final, as the format has no other word for it.

use super::draft::{Arrow, Draft, DraftState, Fault, Named};

/// More states than this nobody means.
const MOST: usize = 100_000;

pub(super) fn read(text: &str, controllable: &[String]) -> Result<Draft, Fault> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let Some((head_line, head)) = lines.next() else {
        return Err(Fault::whole("it is empty; expected \"des (first, transitions, states)\""));
    };
    let [first, transitions, count] = header(head).ok_or_else(|| {
        Fault::at(head_line, "expected \"des (first, transitions, states)\" with whole numbers")
    })?;
    if count > MOST {
        return Err(Fault::at(head_line, format!("{count} states; at most {MOST} are read")));
    }
    let mut states: Vec<DraftState> = (0..count)
        .map(|number| DraftState {
            name: Named { text: number.to_string(), line: head_line },
            is_final: true,
            arrows: Vec::new(),
            ignored: Vec::new(),
        })
        .collect();
    let known = |number: usize, line: usize| match number < count {
        true => Ok(number),
        false => Err(Fault::at(
            line,
            format!("there is no state {number}: line {head_line} says {count} states"),
        )),
    };
    known(first, head_line)?;
    let mut found = 0;
    for (line, content) in lines {
        let (from, label, to) = transition(content)
            .ok_or_else(|| Fault::at(line, "expected a transition: (from, \"label\", to)"))?;
        if label == "i" || label == "tau" {
            let what = format!("the hidden action \"{label}\" means nothing to a controller");
            return Err(Fault::at(line, what));
        }
        let (from, to) = (known(from, line)?, known(to, line)?.to_string());
        let state = &mut states[from];
        if state.arrows.is_empty() {
            state.name.line = line;
        }
        state.is_final = false;
        state.arrows.push(Arrow { label: Named { text: label, line }, to });
        found += 1;
    }
    if found != transitions {
        let what = format!("it announces {transitions} transitions, but the file has {found}");
        return Err(Fault::at(head_line, what));
    }
    let initial = Named { text: first.to_string(), line: head_line };
    Draft::synthesised(initial, states, controllable)
}

/// The three numbers of the first line.
fn header(line: &str) -> Option<[usize; 3]> {
    let inside = line.trim().strip_prefix("des")?.trim().strip_prefix('(')?.strip_suffix(')')?;
    let numbers: Option<Vec<usize>> = inside.split(',').map(|n| n.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

/// A label may hold commas, if it has quotes.
fn transition(line: &str) -> Option<(usize, String, usize)> {
    let inside = line.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (from, rest) = inside.split_once(',')?;
    let (label, to) = rest.rsplit_once(',')?;
    let label = label.trim();
    let label = match label.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"')?,
        None if label.contains([',', '(', ')', '"']) => return None,
        None => label,
    };
    if label.is_empty() {
        return None;
    }
    Some((from.trim().parse().ok()?, label.to_owned(), to.trim().parse().ok()?))
}
