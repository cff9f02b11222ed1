//! Finds what a URI names: models of includes, meshes, height maps.
//!
//! | written | looked for |
//! |---|---|
//! | `model://x/rest`, `models://x/rest`, `package://x/rest` | `x/rest` in the search folders |
//! | `x/rest`, `meshes/a.dae` | beside the file that says it, then in the search folders |
//! | `file:///a/b`, `/a/b` | there |
//! | `http://…`, `https://…` | nowhere: a simulation does not depend on a network |
//!
//! Search folders are those that the caller names (as `GZ_SIM_RESOURCE_PATH` does for Gazebo), then, going up
//! from the folder of the file that says it, each folder and the folder `models` in it.

use std::path::{Path, PathBuf};

use crate::error::{SdfError, Warning};
use crate::files::{Files, normal};
use crate::xml::{self, Element};

/// How far up from a file its neighbours are looked for.
const LEVELS_UP: usize = 5;

/// What stands before a path in the search folders. Gazebo looks there whatever the scheme is called; `models` is found
/// in real files.
const OF_MODELS: [&str; 3] = ["model://", "models://", "package://"];

/// What a URI turned out to be.
pub(crate) enum Found {
    /// A file or a folder.
    At(PathBuf),
    /// On another machine.
    Remote,
    /// Not in any of these places.
    Nowhere(Vec<PathBuf>),
}

/// Where to look.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) folders: &'a [PathBuf],
}

impl Search<'_> {
    /// What a URI in a file names.
    pub(crate) fn find(&self, uri: &str, said_in: &Path) -> Found {
        let uri = percent_decoded(uri.trim());
        let lower = uri.to_ascii_lowercase();
        if lower.starts_with("http://") || lower.starts_with("https://") {
            return Found::Remote;
        }
        let beside = said_in.parent().unwrap_or(Path::new(""));
        let scheme = OF_MODELS.iter().find(|scheme| lower.starts_with(**scheme));
        let (rest, is_model) = match scheme {
            Some(scheme) => (&uri[scheme.len()..], true),
            None if lower.starts_with("file://") => (&uri["file://".len()..], false),
            None => (uri.as_str(), false),
        };
        let mut places = Vec::new();
        if !is_model {
            // An absolute path replaces the folder.
            places.push(normal(&beside.join(rest)));
        }
        if is_model || Path::new(rest).is_relative() {
            let rest = rest.trim_start_matches('/');
            let up = self.and_above(beside);
            let up = up.iter().flat_map(|up| [up.clone(), up.join("models")]);
            let folders = self.folders.iter().flat_map(|f| [f.clone(), f.join("models")]).chain(up);
            places.extend(folders.map(|folder| normal(&folder.join(rest))));
        }
        let mut tried: Vec<PathBuf> = Vec::new();
        for place in places {
            if !rest.is_empty() && (self.files.is_file(&place) || self.files.is_folder(&place)) {
                return Found::At(place);
            }
            if !tried.contains(&place) {
                tried.push(place);
            }
        }
        Found::Nowhere(tried)
    }

    /// A folder and those above it, whether its path begins in the current folder or at the root.
    fn and_above(&self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for up in folder.ancestors() {
            found.push(up.to_owned());
            // Above `..` there is more than its text says.
            if up.ends_with("..") {
                break;
            }
        }
        if let (true, Some(here)) = (folder.is_relative(), self.files.current_folder()) {
            let top = normal(&here.join(found.last().map_or(folder, PathBuf::as_path)));
            found.extend(top.ancestors().skip(1).map(Path::to_owned));
        }
        found.truncate(LEVELS_UP);
        found
    }

    /// The SDF file of a model: the file itself, what `model.config` in a folder names with the highest
    /// version, or `model.sdf` in it.
    pub(crate) fn model_file(
        &self,
        found: PathBuf,
        warnings: &mut Vec<Warning>,
    ) -> Result<PathBuf, SdfError> {
        if self.files.is_file(&found) {
            return Ok(found);
        }
        let config = found.join("model.config");
        if self.files.is_file(&config) {
            let tree = xml::parse(&config, &self.read(&config)?)?;
            let named = tree.children_named("sdf").filter(|sdf| !sdf.text.is_empty());
            // The last of those with the highest version.
            if let Some(sdf) = named.max_by_key(|sdf| version(sdf)) {
                let file = normal(&found.join(&sdf.text));
                if self.files.is_file(&file) {
                    return Ok(file);
                }
                let message = format!("there is no {}; model.sdf is tried", file.display());
                warnings.push(Warning::new(&sdf.place, message));
            }
        }
        let file = found.join("model.sdf");
        if self.files.is_file(&file) {
            return Ok(file);
        }
        let help = "put a model.sdf there, or a model.config that names the file";
        Err(SdfError::of_file(&found, "this folder has no model in it", help))
    }

    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, SdfError> {
        self.files.read(path).map_err(|error| {
            let what = format!("the file cannot be read: {error}");
            SdfError::of_file(path, what, "check its name and that it may be read")
        })
    }
}

/// The attribute `version` of an element, as two numbers that can be compared.
pub(crate) fn version(element: &Element) -> (u32, u32) {
    let mut parts = element.attribute("version").unwrap_or("").split('.');
    let mut part = || parts.next().and_then(|part| part.trim().parse().ok()).unwrap_or(0);
    (part(), part())
}

/// Places, one to a line, for a message.
pub(crate) fn listed(places: &[PathBuf]) -> String {
    places.iter().map(|place| format!("\n  {}", place.display())).collect()
}

/// `%20` and its like as what they stand for.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, behind @ ..] = rest {
        let code = behind.get(..2).filter(|code| code.iter().all(u8::is_ascii_hexdigit));
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) if *first == b'%' && byte != 0 => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| uri.to_owned())
}
