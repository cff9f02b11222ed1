//! `ironbird new`: begins something of the user's own.

use std::path::{Path, PathBuf};

use ironbird_component::skeleton::{Description, generate, project, starter};

use crate::arguments::{NewArguments, NewComponentArguments, NewWhat};
use crate::failure::Failure;
use crate::output::line;

/// The ending of description files.
const ENDING: &str = ".component.toml";

/// Begins what was asked for.
pub fn new(arguments: &NewArguments) -> Result<u8, Failure> {
    match &arguments.what {
        NewWhat::Component(arguments) => component(arguments),
    }
}

/// Writes the source file of a component type; what the user wrote in it stays.
fn component(arguments: &NewComponentArguments) -> Result<u8, Failure> {
    let given = Path::new(&arguments.description);
    let is_file = arguments.description.ends_with(".toml");
    let folder = match (&arguments.out, is_file) {
        (Some(folder), _) => folder.clone(),
        (None, true) => given.parent().map(Path::to_path_buf).unwrap_or_default(),
        (None, false) => PathBuf::new(),
    };
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(&folder)
            .map_err(|error| cannot("make the folder", &folder, &error))?;
    }
    let (shown, text) = match is_file {
        true => (given.to_path_buf(), read(given)?),
        false => begin(&arguments.description, &folder)?,
    };
    let description = Description::parse(&text)
        .map_err(|error| Failure::input(format!("{}: {error}", shown.display())))?;
    let name = module_name(&description.type_name);
    let source = match arguments.project {
        Some(_) => folder.join("src").join(format!("{name}.rs")),
        None => folder.join(format!("{name}.rs")),
    };
    let existing = match source.exists() {
        true => Some(read(&source)?),
        false => None,
    };
    let written = generate(&description, existing.as_deref())
        .map_err(|error| Failure::input(format!("{}: {error}", source.display())))?;
    if let Some(ironbird) = &arguments.project {
        let ironbird = ironbird.to_string_lossy();
        for (file, text) in project(&name, Some(&ironbird)) {
            let path = folder.join(file);
            // A project that is there already is the user's.
            if !path.exists() {
                write(&path, &text)?;
            }
        }
    }
    write(&source, &written)?;
    Ok(0)
}

/// Writes the description of a new type, and goes on from there.
fn begin(type_name: &str, folder: &Path) -> Result<(PathBuf, String), Failure> {
    let path = folder.join(format!("{}{ENDING}", module_name(type_name)));
    if path.exists() {
        let shown = path.display();
        let message = format!(
            "{shown} is there already: edit it, then type `ironbird new component {shown}`"
        );
        return Err(Failure::input(message));
    }
    let text = starter(type_name);
    Description::parse(&text).map_err(|error| Failure::input(error.to_string()))?;
    write(&path, &text)?;
    Ok((path, text))
}

/// The last word of a type's name, as a name of a file.
fn module_name(type_name: &str) -> String {
    type_name.rsplit('.').next().unwrap_or(type_name).replace('-', "_")
}

fn read(path: &Path) -> Result<String, Failure> {
    ironbird_files::read_text(path, ironbird_files::LARGEST_TEXT)
        .map_err(|error| Failure::input(format!("{} cannot be read: {error}", path.display())))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent)
            .map_err(|error| cannot("make the folder", parent, &error))?;
    }
    std::fs::write(path, text).map_err(|error| cannot("write", path, &error))?;
    line(path.display());
    Ok(())
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::Run(format!("cannot {what} {}: {error}", path.display()))
}
