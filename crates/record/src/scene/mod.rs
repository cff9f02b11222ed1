//! What a recording holds to be drawn: how things look, where they are, and what their sensors see.
//!
//! How things look stands twice in a file: as metadata in our own form, for our view, and as Foxglove's schemas, so that
//! other viewers show pictures. Nothing of it counts in the hash of a run: all of it follows from what does.
//!
//! | topic | schema | file |
//! |---|---|---|
//! | `/scene` | `foxglove.SceneUpdate` | `entities.rs` |
//! | `/tf` | `foxglove.FrameTransform` | `messages.rs`; which poses are worth it: `thinning.rs` |
//! | that of the sensor, and `/points` | `foxglove.PointCloud` | `messages.rs`; what the points are: `scan.rs` |

mod drawn_taps;
mod entities;
mod frames;
mod messages;
mod placing;
mod scan;
mod schemas;
mod thinning;
mod written;

use ironbird_component::scenery::Scenery;
use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

pub use drawn_taps::{Drawn, DrawnTaps};
pub use entities::entities;
use messages::read_transform;
pub use messages::{log, point_cloud, transform};
pub use placing::{Place, Placing};
pub use scan::{Ranges, ScanSource, Sensor, sensors};
pub use schemas::WellKnown;
pub(crate) use written::{SceneChannel, SceneChannels, SceneMessage};

/// The topic of where bodies are.
pub const TRANSFORMS_TOPIC: &str = "/tf";
/// The topic of how things look.
pub const SCENE_TOPIC: &str = "/scene";
/// The frame that all is in.
const ROOT: &str = "map";

/// The metadata that holds the scene.
pub(crate) const METADATA: &str = "scene";
/// Its only entry.
pub(crate) const PARTS: &str = "parts";

/// What one component looks like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenePart {
    /// Path of the component.
    pub component: String,
    /// What it looks like.
    pub scenery: Scenery,
}

/// Where a body is: its name in the scene, and its place and attitude as in [`ironbird_component::scenery`].
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// When.
    pub time: Time,
    /// Path of the component and name of the body.
    pub body: String,
    /// North, east, down.
    pub position: [f64; 3],
    /// From the body to north, east, down: w, x, y, z.
    pub attitude: [f64; 4],
}

impl Pose {
    /// Whether it is a place at all: no text holds a number that is none.
    pub fn is_somewhere(&self) -> bool {
        self.position.iter().chain(&self.attitude).all(|number| number.is_finite())
    }

    /// The pose in a message of the topic of transforms.
    pub(crate) fn from_json(json: &[u8]) -> Option<Self> {
        read_transform(json)
    }
}

/// The names of all bodies of a scene, in its order: path of the component and name of the body.
pub fn body_names(parts: &[ScenePart]) -> Vec<String> {
    let names = parts.iter().flat_map(|part| {
        part.scenery.bodies.iter().map(|body| body_name(&part.component, &body.name))
    });
    names.collect()
}

/// What a body is called in a scene; a component that is one body is called by its path.
fn body_name(component: &str, body: &str) -> String {
    if body.is_empty() { component.to_owned() } else { format!("{component}.{body}") }
}
