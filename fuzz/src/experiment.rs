//! Experiment files of any text: read, expanded, checked, and written as a flat file.

use std::path::Path;
use std::sync::LazyLock;

use ironbird::component::Registry;
use ironbird_experiment::{Problems, check, load_text};

static REGISTRY: LazyLock<Registry> =
    LazyLock::new(|| ironbird::registry().expect("all types have names of their own"));

/// What is wrong has its place in the text. What is right can be written as a flat file, which is right
/// as well and its own flat file.
pub fn experiment(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match flat(&text) {
        Err(problems) => points_into(&problems),
        Ok(once) => {
            let twice = flat(&once).unwrap_or_else(|problems| {
                panic!("a flat file is wrong:\n{}\n{once}", problems.render(false, 100))
            });
            assert_eq!(once, twice, "a flat file is not its own flat file");
        }
    }
}

fn flat(text: &str) -> Result<String, Problems> {
    // There are no files in that folder.
    let root = load_text("experiment.toml", Path::new("no-such-folder"), text, &[])?;
    let (experiment, warnings) = check(&root, &REGISTRY)?;
    points_into(&warnings);
    Ok(experiment.resolved)
}

fn points_into(problems: &Problems) {
    for problem in &problems.0 {
        for (place, _) in problem.place.iter().chain(&problem.related) {
            let shown = place.source.text.get(place.span.clone());
            assert!(shown.is_some(), "{}: {:?}", problem.message, place.span);
        }
    }
    // Many would only be slow.
    let first = Problems(problems.0.iter().take(20).cloned().collect());
    assert_eq!(first.render(false, 100).is_empty(), first.0.is_empty());
}
