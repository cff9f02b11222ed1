//! Checks programs: what is written of each, and that every link has two ends.

use std::collections::BTreeMap;

use ironbird_component::ParameterKind;
use ironbird_document::{Entry, Place, Problem, Problems, Table};
use ironbird_kernel::path::nearest;
use ironbird_kernel::{Duration, Parameter};

use super::{End, Program, ProgramLink, Programs, Side, Word};
use crate::checked::Component;
use crate::values;

/// A link is the name of a socket, whose whole path has at most 107 bytes.
const LONGEST_NAME: usize = 40;
/// The latency, and the interval, where none is written: SimBricks' own.
const USUAL: Duration = Duration::from_ns(500);

/// Somebody who names a link.
struct Named<'a> {
    link: &'a str,
    end: End,
    /// What a component is, the program at the other end says.
    side: Option<Side>,
    place: &'a Place,
}

/// What `[program]` and `[link]` say, and which components speak with programs.
pub fn programs(root: &Table, components: &[Component], problems: &mut Problems) -> Programs {
    let mut list = Vec::new();
    let mut is_whole = true;
    for entry in entries(root, "program", problems) {
        let read = problems.take(program(entry));
        is_whole &= read.is_some();
        list.extend(read);
    }
    let mut times = BTreeMap::new();
    for entry in entries(root, "link", problems) {
        if let Some((latency, interval)) = problems.take(link(entry)) {
            times.insert(entry.key.as_str(), (latency, interval, &entry.place));
        }
    }
    let mut ends: BTreeMap<&str, Vec<Named<'_>>> = BTreeMap::new();
    for named in of_programs(&list).chain(of_components(components)) {
        ends.entry(named.link).or_default().push(named);
    }
    let mut links = Vec::new();
    let known: Vec<&str> = of_programs(&list).map(|named| named.link).collect();
    for (name, ends) in &ends {
        let (latency, interval, _) = times.remove(name).unwrap_or((USUAL, USUAL, ends[0].place));
        let joined = two_ends(name, ends, &known);
        // The other end may be one that is wrong in another way, which is told already.
        let joined = joined.map_err(|problem| problem.consequence(!is_whole));
        if let Some((listener, connecter)) = problems.take(joined) {
            let name = (*name).to_owned();
            links.push(ProgramLink { name, latency, interval, listener, connecter });
        }
    }
    for (name, (_, _, place)) in times {
        let message = format!("nobody speaks over the link \"{name}\"");
        let problem = Problem::new(message, place, "not used").warning();
        problems.push(problem.did_you_mean(nearest(name, ends.keys().copied())));
    }
    Programs { list, links }
}

fn entries<'a>(root: &'a Table, key: &str, problems: &mut Problems) -> &'a [Entry] {
    let table = root.get(key).and_then(|item| problems.take(item.table()));
    table.map_or(&[], |table| &table.0)
}

fn program(entry: &Entry) -> Result<Program, Problem> {
    name(entry, "a program")?;
    let table = entry.item.table()?;
    table.only(&["doc", "command", "environment", "may_end"], "a program")?;
    let item = table.need("command", &entry.place)?;
    let words = item.texts()?;
    if words.first().is_none_or(|(program, _)| program.is_empty()) {
        let problem = Problem::new("a program needs a command", &item.place, "nothing to start");
        return Err(
            problem.help("for example command = [\"python3\", \"world.py\", \"{listen:board}\"]")
        );
    }
    let command = words.into_iter().map(|(word, place)| Word::parse(word, place));
    let environment = match table.get("environment") {
        None => Vec::new(),
        Some(item) => {
            let pairs = item.table()?.0.iter().map(|pair| {
                Ok((pair.key.clone(), Word::parse(pair.item.text()?, &pair.item.place)?))
            });
            pairs.collect::<Result<_, Problem>>()?
        }
    };
    let may_end = table.get("may_end").map(|item| item.truth()).transpose()?.unwrap_or(false);
    Ok(Program {
        name: entry.key.clone(),
        command: command.collect::<Result<_, _>>()?,
        environment,
        folder: item.place.source.folder.clone(),
        may_end,
        place: entry.place.clone(),
    })
}

/// Names of programs and links are parts of names of files.
fn name(entry: &Entry, what: &str) -> Result<(), Problem> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let key = &entry.key;
    if key.is_empty() || key.len() > LONGEST_NAME || !key.chars().all(fits) {
        let message = format!("\"{key}\" is no name of {what}");
        let help = format!("up to {LONGEST_NAME} letters, digits, - and _");
        return Err(Problem::new(message, &entry.place, "here").help(help));
    }
    Ok(())
}

fn link(entry: &Entry) -> Result<(Duration, Duration), Problem> {
    name(entry, "a link")?;
    let table = entry.item.table()?;
    table.only(&["doc", "latency", "interval"], "a link")?;
    let time = |key: &str| {
        let Some(item) = table.get(key) else { return Ok(None) };
        let time = values::duration(item, &format!("`{key}`"))?;
        // What programs are told is in nanoseconds.
        if time == Duration::ZERO || time.as_ps() % 1_000 != 0 {
            let message = format!("`{key}` is at least 1 ns, in whole nanoseconds");
            return Err(Problem::new(message, &item.place, "not possible"));
        }
        Ok(Some((time, &item.place)))
    };
    let latency = time("latency")?.map_or(USUAL, |(latency, _)| latency);
    let interval = match time("interval")? {
        Some((interval, place)) if interval > latency => {
            let message = "`interval` is above `latency`: the other side would have to wait";
            return Err(Problem::new(message, place, "too long")
                .help("leave it out: then it is the latency"));
        }
        Some((interval, _)) => interval,
        None => latency,
    };
    Ok((latency, interval))
}

fn of_programs(list: &[Program]) -> impl Iterator<Item = Named<'_>> {
    list.iter().enumerate().flat_map(|(number, program)| {
        let words = program.command.iter().chain(program.environment.iter().map(|(_, word)| word));
        let mut found: Vec<Named<'_>> = Vec::new();
        for (link, side) in words.flat_map(Word::links) {
            let named = Named { link, end: End::Program(number), side, place: &program.place };
            // The socket and the memory of one side, say, are named one by one.
            match found.iter_mut().find(|other| other.link == link) {
                Some(other) if other.side.is_none() => other.side = side,
                Some(other) if side.is_none() || other.side == side => {}
                _ => found.push(named),
            }
        }
        found
    })
}

fn of_components(components: &[Component]) -> impl Iterator<Item = Named<'_>> {
    components.iter().enumerate().flat_map(|(number, component)| {
        links_of(component).map(move |(_, link)| Named {
            link,
            end: End::Component(number),
            side: None,
            place: &component.place,
        })
    })
}

/// The parameters of a component that name links, and the names.
pub fn links_of(component: &Component) -> impl Iterator<Item = (&str, &str)> {
    let parameters = component.description.parameters.iter();
    let links = parameters.filter(|parameter| parameter.kind == ParameterKind::Link);
    links.filter_map(|parameter| match component.settings.get(&parameter.path) {
        // What has a colon is a URL: somebody else has started what is there.
        Some(Parameter::Text(name)) if !name.contains(':') => {
            Some((parameter.path.as_str(), name.as_str()))
        }
        _ => None,
    })
}

/// Who listens, and who connects.
fn two_ends(name: &str, ends: &[Named<'_>], known: &[&str]) -> Result<(End, End), Problem> {
    let one = &ends[0];
    if ends.iter().all(|end| end.side.is_none()) {
        return Err(match one.end {
            End::Component(_) => {
                let message = format!("no program speaks over the link \"{name}\"");
                let problem = Problem::new(message, one.place, "of this component");
                let problem = problem.help(format!(
                    "let a [program] have \"{{listen:{name}}}\" in its command, or write a URL: connect:SOCKET"
                ));
                problem.did_you_mean(nearest(name, known.iter().copied()))
            }
            End::Program(_) => {
                let message = format!("the program does not say which side of \"{name}\" it is");
                let problem = Problem::new(message, one.place, "this program");
                problem.help(format!("{{listen:{name}}} or {{connect:{name}}}"))
            }
        });
    }
    let [a, b] = ends else {
        let message = match ends {
            [_] => format!("the link \"{name}\" has one end only"),
            more => format!("the link \"{name}\" has {} ends; a link has two", more.len()),
        };
        let problem = Problem::new(message, one.place, "one end");
        let problem =
            ends[1..].iter().fold(problem, |problem, end| problem.also(end.place, "another"));
        return Err(problem.help(format!(
            "let one component have link = \"{name}\", or one other program the other side of it"
        )));
    };
    match (a.side, b.side) {
        (Some(x), Some(y)) if x == y => {
            let message = format!("both ends of the link \"{name}\" {}", x.word());
            Err(Problem::new(message, a.place, "one end").also(b.place, "the other"))
        }
        (Some(Side::Listen), _) | (_, Some(Side::Connect)) => Ok((a.end, b.end)),
        _ => Ok((b.end, a.end)),
    }
}
