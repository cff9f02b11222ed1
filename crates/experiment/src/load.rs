//! From files to one merged tree: `extends`, and what the command line sets.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::merge::merge;
use ironbird_document::{Data, Entry, Item, Table};
use ironbird_document::{Place, Problem, Problems, Source};
use ironbird_document::{parse, parse_value};

/// Keys that may stand at the root of a file.
pub const ROOT_KEYS: [&str; 19] = [
    "ironbird", "extends", "title", "doc", "style", "duration", "seed", "timing", "program",
    "link", "system", "template", "scenario", "at", "when", "fault", "stop", "require", "record",
];

/// Reads an experiment, the files it extends, and what `--set` adds to it.
pub fn load(path: &Path, sets: &[String]) -> Result<Item, Problems> {
    let mut root = load_file(path, None, &mut Vec::new())?;
    for set in sets {
        apply_set(&mut root, set)?;
    }
    Ok(root)
}

/// Reads an experiment from a text; files in it start from `folder`.
pub fn load_text(name: &str, folder: &Path, text: &str, sets: &[String]) -> Result<Item, Problems> {
    let source = Source { name: name.into(), folder: folder.into(), text: text.into() };
    let mut root = load_source(source, &mut Vec::new())?;
    for set in sets {
        apply_set(&mut root, set)?;
    }
    Ok(root)
}

fn load_file(
    path: &Path,
    wanted: Option<&Place>,
    open: &mut Vec<PathBuf>,
) -> Result<Item, Problems> {
    let refuse = |message: String| match wanted {
        Some(place) => Problem::new(message, place, "named here"),
        None => Problem::somewhere(message),
    };
    let shown = path.display();
    let cannot = |error: std::io::Error| {
        let near = nearby(path).map(|near| format!("did you mean \"{near}\"?"));
        let problem = refuse(format!("\"{shown}\" cannot be read: {}", reason(&error)));
        match near {
            Some(near) if error.kind() == std::io::ErrorKind::NotFound => problem.help(near),
            _ => problem,
        }
    };
    let about = std::fs::metadata(path).map_err(cannot)?;
    // A pipe has no other name.
    let real = if about.is_file() { path.canonicalize().map_err(cannot)? } else { path.into() };
    if let Some(start) = open.iter().position(|other| *other == real) {
        let names: Vec<String> =
            open[start..].iter().chain([&real]).map(|file| file_name(file)).collect();
        let message = format!("the files extend each other in a circle: {}", names.join(" -> "));
        return Err(refuse(message).into());
    }
    if about.is_dir() {
        return Err(refuse(format!("\"{shown}\" is a folder, not an experiment file")).into());
    }
    // What a user names may be a pipe; what a file names may not, for nobody would write into it.
    if wanted.is_some() && !about.is_file() {
        return Err(refuse(format!("\"{shown}\" is not a file")).into());
    }
    let text =
        ironbird_files::read_text(&real, ironbird_files::LARGEST_TEXT).map_err(
            |error| match error.kind() {
                std::io::ErrorKind::FileTooLarge => {
                    refuse(format!("\"{shown}\" is too large for an experiment file: {error}"))
                }
                std::io::ErrorKind::InvalidData => {
                    cannot(error).help("save it as UTF-8 in your editor")
                }
                _ => cannot(error),
            },
        )?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let source = Source { name: shown.to_string(), folder, text };
    open.push(real);
    let root = load_source(source, open);
    open.pop();
    root
}

/// Seeds go further than numbers of TOML.
fn seeds_in_quotes(problem: Problem) -> Problem {
    let is_seed = problem.place.as_ref().is_some_and(|(place, _)| {
        let before = &place.source.text[..place.span.start];
        before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with("seed"))
    });
    match is_seed && problem.message.contains("integer number overflowed") {
        true => problem.help("write a seed above 9223372036854775807 in quotes"),
        false => problem,
    }
}

fn load_source(source: Source, open: &mut Vec<PathBuf>) -> Result<Item, Problems> {
    let folder = source.folder.clone();
    let mut root = parse(&Arc::new(source)).map_err(seeds_in_quotes)?;
    let Data::Table(table) = &mut root.data else { return Ok(root) };
    let stranger = table.0.iter().find(|entry| !ROOT_KEYS.contains(&entry.key.as_str()));
    if let Some(Entry { key, place, item: Item { data: Data::Table(_), .. } }) = stranger {
        let problem =
            Problem::new(format!("an experiment has no table [{key}]"), place, "not known");
        return Err(problem.help(format!("components stand in [system]: [system.{key}]")).into());
    }
    table.only(&ROOT_KEYS, "an experiment")?;
    let Some(extends) = table.remove("extends") else { return Ok(root) };
    let mut base: Option<Item> = None;
    for (name, place) in extends.item.texts()? {
        let file = load_file(&folder.join(name), Some(place), open)?;
        match &mut base {
            None => base = Some(file),
            Some(base) => merge(base, file),
        }
    }
    match base {
        Some(mut base) => {
            base.place = root.place.clone();
            merge(&mut base, root);
            Ok(base)
        }
        None => Ok(root),
    }
}

/// `path=value`: the path of a parameter, or of a root key; entries of lists go by their name.
fn apply_set(root: &mut Item, set: &str) -> Result<(), Problem> {
    let name = "--set".to_owned();
    let source = Arc::new(Source { name, folder: PathBuf::new(), text: set.into() });
    let whole = Place { source: source.clone(), span: 0..set.len() };
    let Some(equals) = set.find('=') else {
        let problem = Problem::new("--set needs path=value", &whole, "no = in it");
        return Err(problem.help("for example --set sensors.dvl.rate=\"5 Hz\""));
    };
    let key = Place { source: source.clone(), span: 0..equals };
    let mut names = split_path(set[..equals].trim());
    if names.is_empty() || names.iter().any(String::is_empty) {
        return Err(Problem::new("--set needs path=value", &key, "this is no path"));
    }
    if names[0] == "extends" {
        let problem = Problem::new("`extends` cannot be set", &key, "not here");
        return Err(problem.help("write it into the file"));
    }
    if names.len() == 1 && !ROOT_KEYS.contains(&names[0].as_str()) {
        let near = ironbird_kernel::path::nearest(&names[0], ROOT_KEYS.into_iter());
        let problem =
            Problem::new(format!("there is no \"{}\" to set", names[0]), &key, "set here");
        return Err(problem.help("write component.parameter=value").did_you_mean(near));
    }
    is_no_component_of_that_name(root, &names, &key)?;
    if !ROOT_KEYS.contains(&names[0].as_str()) {
        names.insert(0, "system".into());
    }
    let item = parse_value(&source, equals + 1..set.len());
    let last = names.pop().unwrap_or_default();
    let mut at = root;
    // Below a component there are parameters, which are checked later.
    let mut in_component = false;
    for (depth, name) in names.iter().enumerate() {
        // What an element of an array has of its own may be new at every level.
        let in_element = names[..depth].iter().any(|name| name.contains('['));
        if depth > 0 && names[0] == "system" && !in_element && !in_component {
            is_in_system(at, name, &key)?;
        }
        in_component |= matches!(&at.data, Data::Table(table) if table.get("type").is_some());
        at = descend(at, name, &key)?;
    }
    match &mut at.data {
        Data::Table(table) => {
            table.set(&last, &key, item);
            Ok(())
        }
        other => {
            let message = match other {
                Data::Array(_) => format!("\"{last}\" is an entry; name what to set in it"),
                _ => format!("there is no \"{last}\" in it to set: it is a value"),
            };
            Err(Problem::new(message, &key, "set here"))
        }
    }
}

/// A path that begins with the name of a section means the section. Where that has no such entry, but a component has the
/// section's name, the user means the component.
fn is_no_component_of_that_name(root: &Item, names: &[String], key: &Place) -> Result<(), Problem> {
    let [section, entry, ..] = names else { return Ok(()) };
    let (Data::Table(table), true) = (&root.data, ROOT_KEYS.contains(&section.as_str())) else {
        return Ok(());
    };
    let has = |item: Option<&Item>, name: &str| match item.map(|item| &item.data) {
        Some(Data::Table(table)) => table.get(name).is_some(),
        Some(Data::Array(items)) => items.iter().any(|item| name_of(item) == Some(name)),
        _ => false,
    };
    if has(table.get(section), entry) || !has(table.get("system"), section) {
        return Ok(());
    }
    let message = format!(
        "\"{section}.{entry}\" means [{section}] of the experiment, not the component \"{section}\""
    );
    let path = names.join(".");
    let help = format!("for the component write system.{path}=value");
    Err(Problem::new(message, key, "set here").help(help))
}

/// Where components are expected, only those that there are can be set; inside a component anything
/// may be new, and is checked later.
fn is_in_system(at: &Item, name: &str, key: &Place) -> Result<(), Problem> {
    let Data::Table(table) = &at.data else { return Ok(()) };
    let stem = name.split('[').next().unwrap_or(name);
    let known = |name: &str| table.get(name).is_some();
    if known("type") || known(name) || known(stem) {
        return Ok(());
    }
    let near = ironbird_kernel::path::nearest(name, table.0.iter().map(|e| e.key.as_str()));
    let message = format!("there is no component \"{name}\" to set anything in");
    Err(Problem::new(message, key, "set here").did_you_mean(near))
}

fn descend<'a>(at: &'a mut Item, name: &str, key: &Place) -> Result<&'a mut Item, Problem> {
    let missing =
        || Problem::new(format!("there is no \"{name}\" to set anything in"), key, "set here");
    match &mut at.data {
        Data::Table(table) => {
            if table.get(name).is_none() {
                let empty = Item { data: Data::Table(Table::default()), place: key.clone() };
                table.set(name, key, empty);
            }
            table.get_mut(name).ok_or_else(missing)
        }
        Data::Array(items) => {
            let names: Vec<String> = items.iter().filter_map(name_of).map(str::to_owned).collect();
            let found = items.iter_mut().find(|item| name_of(item) == Some(name));
            found.ok_or_else(|| match names.is_empty() {
                true => missing(),
                false => missing().help(format!("there are \"{}\"", names.join("\", \""))),
            })
        }
        _ => Err(missing()),
    }
}

/// The `name` of an entry of a list of tables.
pub(crate) fn name_of(item: &Item) -> Option<&str> {
    match &item.data {
        Data::Table(table) => match &table.get("name")?.data {
            Data::Text(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Splits `a."b c".d[3]` at its dots.
fn split_path(path: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut quoted = false;
    for c in path.chars() {
        match c {
            '"' => quoted = !quoted,
            '.' if !quoted => names.push(String::new()),
            c => names.last_mut().expect("there is one").push(c),
        }
    }
    names
}

/// The file in the same folder whose name is most like the one that was given.
fn nearby(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut names: Vec<String> = std::fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    let typed = path.file_name()?.to_str()?;
    let near = ironbird_kernel::path::nearest(typed, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).display().to_string())
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The cause without the number of the operating system.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}
