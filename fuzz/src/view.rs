//! What clients of the live view send, and files of commands.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use ironbird::component::Registry;
use ironbird_experiment::commands::{Command, CommandReader};
use ironbird_experiment::{Experiment, Source, check, load_text};
use ironbird_runner::live::Wish;
use ironbird_view::protocol::{Ask, Asked};

static REGISTRY: LazyLock<Registry> =
    LazyLock::new(|| ironbird::registry().expect("all types have names of their own"));

/// Something with a parameter, a signal and a fault.
static EXPERIMENT: LazyLock<Experiment> = LazyLock::new(|| {
    let text = r#"
ironbird = 1
duration = "1 s"
[system.sticks]
type = "person.sticks"
[[fault]]
name = "radio"
signal = "sticks.roll"
stuck = true
when = "command"
"#;
    let root = load_text("system.toml", Path::new(""), text, &[]).expect("it can be read");
    check(&root, &REGISTRY).expect("it is right").0
});

/// A request becomes the command that it asks for, or none: whatever stands in its texts, it is never another one.
pub fn request(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(asked) = Asked::read(&text) else { return };
    let Ok(Some(Wish::Command(command))) = asked.ask.wish() else { return };
    let reader = CommandReader::new(&EXPERIMENT, 0, &REGISTRY);
    let Ok(read) = reader.read(&command) else { return };
    let is_the_same = match asked.ask {
        Ask::Fault { .. } => matches!(read, Command::Faults(faults) if faults.len() == 1),
        Ask::Set { .. } | Ask::Drive { .. } => matches!(read, Command::Set { .. }),
        Ask::Note { text } => matches!(read, Command::Note(note) if note == text),
        Ask::End => matches!(read, Command::End),
        _ => false,
    };
    assert!(is_the_same, "{command}");
}

/// Every command of a file can be given alone, too.
pub fn commands(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let source = Arc::new(Source { name: "given.toml".into(), folder: "".into(), text });
    let reader = CommandReader::new(&EXPERIMENT, 0, &REGISTRY);
    let Ok(commands) = reader.read_file(&source) else { return };
    for command in commands {
        assert!(reader.read(&command.text).is_ok(), "{}", command.text);
    }
}
