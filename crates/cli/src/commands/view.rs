//! `ironbird view`: recordings in the browser.

use std::path::Path;

use ironbird_component::Registry;
use ironbird_experiment::{check, load_text};
use ironbird_record::Recording;
use ironbird_view::protocol::GraphShown;
use ironbird_view::{RecordedView, Show, graph_of};

use crate::arguments::ViewArguments;
use crate::commands::report::open_recording;
use crate::failure::Failure;
use crate::interrupt::interrupt;
use crate::viewing::{serve, until_interrupted};

/// Serves the page of one recording, or of two side by side, until Ctrl-C.
pub fn view(arguments: &ViewArguments, registry: &Registry) -> Result<u8, Failure> {
    let names: Vec<String> =
        arguments.recordings.iter().map(|path| path.display().to_string()).collect();
    let mut shows = Vec::new();
    for (run, path) in arguments.recordings.iter().enumerate() {
        let recording = open_recording(path)?;
        let graph = graph(&recording, &arguments.folder, registry);
        shows.push(Show::Recorded(RecordedView::with_graph(recording, run, names.clone(), graph)?));
    }
    let interrupt = interrupt()?;
    let server = serve(arguments.listen, shows)?;
    until_interrupted(&interrupt);
    drop(server);
    Ok(0)
}

/// The system of a recording; none where its experiment cannot be read here, because a file of it is elsewhere, for example.
fn graph(recording: &Recording, folder: &Path, registry: &Registry) -> GraphShown {
    let about = |key: &str| recording.metadata.get("ironbird")?.get(key).cloned();
    let known = about("experiment").and_then(|text| {
        let root = load_text("the experiment", folder, &text, &[]).ok()?;
        let (experiment, _) = check(&root, registry).ok()?;
        let wanted = about("scenario").unwrap_or_default();
        let names = experiment.scenarios.iter().map(|one| one.name.as_deref().unwrap_or_default());
        let scenario = names.into_iter().position(|name| name == wanted)?;
        Some(graph_of(&experiment, scenario))
    });
    known.unwrap_or_default()
}
