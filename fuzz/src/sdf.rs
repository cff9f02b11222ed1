//! SDF files and meshes.

use std::path::Path;

use ironbird_sdf::{Memory, load_from, mesh};

/// A file, or several with a line of dashes between them: the first is read, and may include the others as `1`, `2`
/// and so on. What reads has finite poses, positive masses, and joints between links that are there.
pub fn sdf(bytes: &[u8]) {
    let line = b"\n---\n";
    let mut files = Memory::default();
    let mut rest = bytes;
    for number in 0..8 {
        let end = rest.windows(line.len()).position(|window| window == line);
        let (file, behind) =
            end.map_or((rest, &[][..]), |at| (&rest[..at], &rest[at + line.len()..]));
        files.0.insert(format!("{number}/model.sdf").into(), file.to_vec());
        rest = behind;
    }
    let Ok(sdf) = load_from(&files, Path::new("0/model.sdf"), &[]) else { return };
    for model in sdf.worlds.iter().flat_map(|world| &world.models).chain(&sdf.models) {
        for link in &model.links {
            assert!(link.pose.to_homogeneous().iter().all(|x| x.is_finite()), "{}", link.name);
            assert!(link.inertial.mass > 0.0, "{}", link.name);
        }
        for joint in &model.joints {
            for end in [&joint.parent, &joint.child] {
                assert!(end == "world" || model.link(end).is_some(), "{} joins {end}", joint.name);
            }
        }
    }
}

/// The bytes as a file of each format: what reads has finite vertices, and triangles over them.
pub fn mesh(bytes: &[u8]) {
    for name in ["fuzzed.stl", "fuzzed.obj", "fuzzed.dae"] {
        let Ok(read) = mesh::read(Path::new(name), bytes) else { continue };
        assert!(read.vertices.iter().all(|vertex| vertex.iter().all(|x| x.is_finite())));
        let count = read.vertices.len();
        assert!(read.triangles.iter().flatten().all(|corner| (*corner as usize) < count));
        assert!(read.parts.iter().all(|part| part.triangles.end <= read.triangles.len()));
    }
}
