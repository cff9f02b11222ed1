//! Reads a file and puts what it includes in its place, so that one tree is left.
//!
//! An include brings the first model (or light, or actor) of the named file; its name, pose, `static`,
//! placement frame and further plugins can be given by the include. With `merge="true"` the links, joints,
//! frames and plugins of the model go into the model that includes it (SDF 1.9; the manner is that of
//! libsdformat: a frame stands for the merged model's own, and what was relative to that is relative to it).

use std::path::{Path, PathBuf};

use crate::error::{SdfError, Warning};
use crate::fields::Fields;
use crate::files::normal;
use crate::search::{Found, Search, listed, version};
use crate::versions;
use crate::xml::{self, Element, MAX_ELEMENTS};

/// Deepest nesting of models, through all files.
const MAX_NESTING: usize = 40;
/// Most includes, through all files.
const MAX_INCLUDES: usize = 10_000;

pub(crate) struct Loader<'a> {
    search: Search<'a>,
    pub(crate) warnings: Vec<Warning>,
    /// Of all files together, copies counted.
    elements: usize,
    includes: usize,
    /// How many models are around.
    depth: usize,
    /// The files that are being included.
    open: Vec<PathBuf>,
    /// The includes of models on other machines, which are left out.
    remote: Vec<Element>,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(search: Search<'a>) -> Self {
        let (warnings, open, remote) = (Vec::new(), Vec::new(), Vec::new());
        Self { search, warnings, elements: 0, includes: 0, depth: 0, open, remote }
    }

    /// The tree of a file, without includes.
    pub(crate) fn load(&mut self, path: &Path) -> Result<Element, SdfError> {
        let path = normal(path);
        let mut root = xml::parse(&path, &self.search.read(&path)?)?;
        if root.name != "sdf" {
            let what = format!("the outermost element is <{}>", root.name);
            let help = match root.name.as_str() {
                "robot" => "this is URDF: convert it with `gz sdf -p`",
                _ => "an SDF file begins with <sdf version=…>",
            };
            return Err(root.error(what, help));
        }
        self.check_version(&root)?;
        let version = version(&root);
        versions::update(&mut root, version, &mut self.warnings);
        self.elements += count(&root);
        if self.elements > MAX_ELEMENTS {
            let what = format!("with its includes it has more than {MAX_ELEMENTS} elements");
            return Err(root.error(what, "include less"));
        }
        self.open.push(path);
        self.expand(&mut root)?;
        self.open.pop();
        Ok(root)
    }

    /// Why a file has nothing in it: because all of it is on other machines, or because it says nothing.
    pub(crate) fn nothing_in(&self, root: &Element) -> SdfError {
        let Some(remote) = self.remote.first() else {
            let help = "add <world> or <model>";
            return root.error("the file has neither a world nor a model", help);
        };
        let uri = remote.text_of("uri").unwrap_or_default();
        let folder = uri.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let what = format!("all that the file has is {uri}, which is not on this machine");
        let help = format!(
            "a run does not depend on a network: download the model into a folder {folder} beside the other models, \
             and write <uri>model://{folder}</uri>"
        );
        remote.error(what, help)
    }

    fn check_version(&mut self, root: &Element) -> Result<(), SdfError> {
        let written = root.attribute("version").unwrap_or("");
        match version(root) {
            (0, _) => Err(root.error(
                format!("the version is `{written}`"),
                "write <sdf version=\"1.9\">, or the version that the file is written for",
            )),
            (1, 4..=12) => Ok(()),
            (1, ..=3) => Err(root.error(
                format!("version {written} is too old"),
                "versions 1.4 to 1.12 are read: convert it with `gz sdf -p`",
            )),
            _ => {
                let message = format!("version {written} is newer than this reader (1.12)");
                self.warnings.push(Warning::new(&root.place, message));
                Ok(())
            }
        }
    }

    /// Replaces the includes in a world or model, and in the models in it.
    fn expand(&mut self, element: &mut Element) -> Result<(), SdfError> {
        self.depth += 1;
        // A file counts as well as the model in it.
        if self.depth > 2 * MAX_NESTING {
            let what = format!("models are nested more than {MAX_NESTING} deep");
            return Err(element.error(what, "include models side by side"));
        }
        for mut child in std::mem::take(&mut element.children) {
            match child.name.as_str() {
                "include" => {
                    let included = self.include(&child, &element.name)?;
                    element.children.extend(included);
                }
                "model" | "world" => {
                    self.expand(&mut child)?;
                    element.children.push(child);
                }
                _ => element.children.push(child),
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn include(&mut self, include: &Element, into: &str) -> Result<Vec<Element>, SdfError> {
        let uri = include.text_of("uri").ok_or_else(|| {
            include.error("the include names nothing", "write <uri>model://name</uri> in it")
        })?;
        let found = match self.search.find(uri, &include.place.file) {
            Found::At(path) => path,
            Found::Remote => {
                let message = format!(
                    "{uri} is not on this machine, so the include has no effect; download the model and \
                     write model://…"
                );
                self.warnings.push(Warning::new(&include.place, message));
                self.remote.push(include.clone());
                return Ok(stand_in_for_remote(include).into_iter().collect());
            }
            Found::Nowhere(places) => {
                let what = format!("the include {uri} is not found");
                let help = format!("name its folder; it was looked for at{}", listed(&places));
                return Err(include.error(what, help));
            }
        };
        self.includes += 1;
        if self.includes > MAX_INCLUDES {
            let what = format!("there are more than {MAX_INCLUDES} includes");
            return Err(include.error(what, "include less"));
        }
        let file = self.search.model_file(found, &mut self.warnings)?;
        if let Some(first) = self.open.iter().position(|open| *open == file) {
            let files = self.open[first..].iter().chain([&file]);
            let cycle: Vec<_> = files.map(|file| file.display().to_string()).collect();
            let what = format!("files include each other: {}", cycle.join(" includes "));
            return Err(include.error(what, "take one of these includes away"));
        }
        let before = self.remote.len();
        let root = self.load(&file)?;
        let brings = |element: &Element| ["model", "light", "actor"].contains(&&*element.name);
        let Some(mut included) = root.children.into_iter().find(brings) else {
            if self.remote.len() > before {
                // The file only names a model that was left out: so is this one.
                return Ok(stand_in_for_remote(include).into_iter().collect());
            }
            let what = format!("{} has no model in it", file.display());
            return Err(include.error(what, "include a file with <model>"));
        };
        self.override_by(&mut included, include)?;
        let merge = include.attribute("merge").is_some_and(|merge| ["true", "1"].contains(&merge));
        match (merge, into, included.name.as_str()) {
            (true, "model", "model") => self.merged(included, include),
            (true, ..) => {
                let message = "merge only works for a model in a model; it is included as it is";
                self.warnings.push(Warning::new(&include.place, message));
                Ok(vec![included])
            }
            (false, ..) => Ok(vec![included]),
        }
    }

    /// What the include says in place of the model.
    fn override_by(&mut self, model: &mut Element, include: &Element) -> Result<(), SdfError> {
        let mut fields = Fields::new(include, &mut self.warnings);
        fields.one("uri");
        if let Some(name) = fields.text("name") {
            model.set_attribute("name", name);
        }
        let pose = fields.one("pose");
        for element in [pose, fields.one("static")].into_iter().flatten() {
            model.children.retain(|child| child.name != element.name);
            model.children.push(element.clone());
        }
        if let Some(frame) = fields.one("placement_frame") {
            if pose.is_none() {
                let what = "the include has a placement_frame, but no pose to put it at";
                return Err(frame.error(what, "add <pose> to the include"));
            }
            model.set_attribute("placement_frame", frame.text.as_str());
        }
        model.children.extend(fields.all("plugin").into_iter().cloned());
        fields.finish();
        Ok(())
    }

    /// The contents of a model, to be put into another.
    fn merged(&mut self, model: Element, include: &Element) -> Result<Vec<Element>, SdfError> {
        if model.flag("static")? == Some(true) {
            let message =
                "the merged model is static; whether the whole is says the model it goes into";
            self.warnings.push(Warning::new(&include.place, message));
        }
        let name = model.attribute("name").unwrap_or("");
        // The number makes it different where one model is merged twice.
        let stand_in = format!("_merged__{name}__model__{}", self.includes);
        let first_link = model.child("link").and_then(|link| link.attribute("name"));
        let canonical = model.attribute("canonical_link").filter(|link| !link.is_empty());
        let mut frame = Element::empty("frame", include);
        frame.set_attribute("name", stand_in.as_str());
        if let Some(link) = canonical.or(first_link) {
            frame.set_attribute("attached_to", link);
        }
        let placed = model.attribute("placement_frame").unwrap_or("");
        if !["", "__model__"].contains(&placed) {
            frame.set_attribute("placement_frame", placed);
        }
        let pose = model.child("pose").cloned();
        let mut pose = pose.unwrap_or_else(|| Element::empty("pose", include));
        if pose.attribute("relative_to").is_none_or(str::is_empty) {
            pose.set_attribute("relative_to", "__model__");
        }
        frame.children.push(pose);
        let mut contents = vec![frame];
        for mut child in model.children {
            match child.name.as_str() {
                "pose" | "static" | "self_collide" | "allow_auto_disable" | "enable_wind" => {
                    continue;
                }
                "link" | "model" | "frame" | "joint" | "gripper" => {
                    stand_in_for_model(&mut child, &stand_in);
                }
                _ => {}
            }
            contents.push(child);
        }
        Ok(contents)
    }
}

/// A frame at the place of a model on another machine, where it has a name: other poses may be relative to it.
fn stand_in_for_remote(include: &Element) -> Option<Element> {
    let mut frame = Element::empty("frame", include);
    frame.set_attribute("name", include.text_of("name")?);
    frame.children.extend(include.child("pose").cloned());
    Some(frame)
}

/// Makes an element of a merged model refer to the frame that stands for that model.
fn stand_in_for_model(element: &mut Element, stand_in: &str) {
    let by_default = match element.name.as_str() {
        "link" | "model" => true,
        // Without `attached_to` a frame is attached to its model.
        "frame" => {
            let free = element.attribute("attached_to").is_none_or(str::is_empty);
            if free {
                element.set_attribute("attached_to", stand_in);
            }
            free
        }
        _ => false,
    };
    if by_default {
        if element.child("pose").is_none() {
            let pose = Element::empty("pose", element);
            element.children.push(pose);
        }
        let poses = element.children.iter_mut().filter(|child| child.name == "pose");
        for pose in poses {
            if pose.attribute("relative_to").is_none_or(str::is_empty) {
                pose.set_attribute("relative_to", stand_in);
            }
        }
    }
    rename_model_frame(element, stand_in, true);
}

/// `__model__` as another name, everywhere but inside of nested models and plugins, where it means another.
fn rename_model_frame(element: &mut Element, to: &str, outermost: bool) {
    for (name, value) in &mut element.attributes {
        let refers = ["relative_to", "attached_to", "expressed_in"].contains(&name.as_str());
        if refers && value == "__model__" {
            *value = to.into();
        }
    }
    if ["parent", "child"].contains(&element.name.as_str()) && element.text == "__model__" {
        element.text = to.into();
    }
    let nested = element.name == "model" && outermost;
    for child in &mut element.children {
        let own_pose = nested && child.name == "pose";
        if own_pose || (element.name != "model" && child.name != "plugin") {
            rename_model_frame(child, to, false);
        }
    }
}

fn count(element: &Element) -> usize {
    1 + element.children.iter().map(count).sum::<usize>()
}
