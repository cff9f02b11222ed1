//! SDF files as the users of Gazebo have them: worlds and models, resolved, with the place of everything.
//!
//! ```text
//! file ──xml──▶ trees ──include──▶ one tree ──frames──▶ poses ──description──▶ Sdf { worlds, models, warnings }
//! ```
//!
//! Versions 1.4 to 1.12 are read. Nothing is computed here but poses: axes stay those of SDF, and what a plugin
//! or sensor does is for others to say. What is wrong is an [`SdfError`] with file, line and advice; what has no
//! effect is a [`Warning`]; only what is known to change looks alone is passed over.
//!
//! ```
//! let sdf = ironbird_sdf::parse(
//!     "<sdf version='1.9'>
//!        <model name='ball'>
//!          <pose>0 0 2 0 0 0</pose>
//!          <link name='body'>
//!            <inertial><mass>.5</mass></inertial>
//!            <collision name='c'><geometry><sphere><radius>.1</radius></sphere></geometry></collision>
//!          </link>
//!        </model>
//!      </sdf>",
//!     "ball.sdf",
//! )?;
//! assert_eq!(sdf.models[0].links[0].inertial.mass, 0.5);
//! assert_eq!(sdf.models[0].pose.translation.z, 2.0);
//! assert!(sdf.warnings.is_empty());
//! # Ok::<(), ironbird_sdf::SdfError>(())
//! ```

mod description;
mod error;
mod fields;
mod files;
mod frames;
mod include;
pub mod mesh;
mod search;
mod value;
mod versions;
mod xml;

use std::path::{Path, PathBuf};

pub use description::*;
pub use error::{Place, SdfError, Warning};
pub use files::{Disk, Files, Memory};
pub use value::Colour;
pub use xml::Element;

/// What a file describes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sdf {
    /// Its worlds.
    pub worlds: Vec<World>,
    /// Its models outside of worlds.
    pub models: Vec<Model>,
    /// What in it has no effect.
    pub warnings: Vec<Warning>,
}

/// Reads a file of the disk and what it includes. `search` names folders with models, as `GZ_SIM_RESOURCE_PATH`
/// does for Gazebo; folders near the file are looked into as well.
pub fn load(path: &Path, search: &[PathBuf]) -> Result<Sdf, SdfError> {
    load_from(&Disk, path, search)
}

/// Reads a text that includes nothing and has no meshes; `name` stands for its file in messages.
pub fn parse(text: &str, name: &str) -> Result<Sdf, SdfError> {
    let files = Memory([(PathBuf::from(name), text.as_bytes().to_vec())].into());
    load_from(&files, Path::new(name), &[])
}

/// Reads a file from wherever files are.
pub fn load_from(files: &dyn Files, path: &Path, search: &[PathBuf]) -> Result<Sdf, SdfError> {
    let search = search::Search { files, folders: search };
    let mut loader = include::Loader::new(search);
    let root = loader.load(path)?;
    let mut warnings = std::mem::take(&mut loader.warnings);
    let worlds = worlds(&root, search, &mut warnings)?;
    let frames = frames::Frames::of(&root)?;
    let models = models(&root, &frames, search, &mut warnings)?;
    let mut fields = fields::Fields::new(&root, &mut warnings);
    fields.ignore(&["world", "model"]);
    fields.finish();
    if worlds.is_empty() && models.is_empty() {
        return Err(loader.nothing_in(&root));
    }
    Ok(Sdf { worlds, models, warnings })
}
