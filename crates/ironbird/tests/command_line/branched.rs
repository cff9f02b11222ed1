//! `ironbird branch`: one beginning, several ends.

use crate::program::{Place, example};

const PUSHED: &str = "[[command]]\ntime = \"3 s\"\nset = { \"world.wind[1]\" = \"9 m/s\" }\n";
const LATE: &str = "[[command]]\ntime = \"4 s\"\nset = { \"world.wind[1]\" = \"-1 m/s\" }\n";

fn place() -> (Place, String) {
    let place = Place::new();
    place.write("pushed.commands.toml", PUSHED);
    place.write("late.toml", LATE);
    (place, example("world/gust.toml"))
}

#[test]
fn branches_record_what_whole_runs_record() {
    let (place, gust) = place();
    let until = ["--until", "6 s"];
    let mut all = vec!["branch", &gust, "--at", "2.5 s", "--out", "b"];
    all.extend(until);
    all.extend(["--commands", "pushed.commands.toml", "--commands", "late.toml"]);
    let done = place.run(&all);
    assert!(done.status <= 1, "{}{}", done.out, done.err);
    for (name, commands) in
        [("as-it-is", None), ("pushed", Some("pushed.commands.toml")), ("late", Some("late.toml"))]
    {
        let mut whole = vec!["run", &gust, "--out", name];
        whole.extend(until);
        whole.extend(commands.iter().flat_map(|file| ["--commands", file]));
        assert!(place.run(&whole).status <= 1);
        let (part, whole) = (format!("b/{name}/recording.mcap"), format!("{name}/recording.mcap"));
        assert!(place.read(&part) == place.read(&whole), "{name}");
        assert!(place.path(&format!("b/{name}/report.html")).exists());
    }
    for line in [
        "pushed: parts from as-it-is at 3 s, first in world.",
        "late: parts from as-it-is at 4 s, first in world.",
        "as-it-is: 2.5 s to 6 s in ",
        "look ironbird view b/as-it-is/recording.mcap b/late/recording.mcap",
    ] {
        assert!(done.out.contains(line), "{line}: {}", done.out);
    }
    let replayed = place.run(&["replay", "b/pushed/recording.mcap", "--folder", &folder(&gust)]);
    assert_eq!(replayed.status, 0, "{}{}", replayed.out, replayed.err);
}

fn folder(file: &str) -> String {
    let folder = std::path::Path::new(file).parent().expect("a folder");
    folder.display().to_string()
}

#[test]
fn what_cannot_branch_is_refused_with_its_reason() {
    let (place, gust) = place();
    place.write("early.toml", "[[command]]\ntime = \"1 s\"\nnote = \"too early\"\n");
    let refused = |arguments: &[&str], why: &str| {
        let mut all = vec!["branch", &gust];
        all.extend(arguments);
        let done = place.run(&all);
        assert_eq!(done.status, 2, "{}{}", done.out, done.err);
        let text = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(why), "{text}");
    };
    refused(&["--at", "2 s"], "--commands <FILE>");
    refused(&["--at", "soon", "--commands", "late.toml"], "--at:");
    refused(&["--at", "0 s", "--commands", "late.toml"], "after their first instant");
    refused(&["--at", "2 s", "--commands", "none.toml"], "none.toml");
    refused(&["--at", "2 s", "--commands", "early.toml"], "would change what it shares");
    let twice = ["--at", "2 s", "--commands", "late.toml", "--commands", "late.toml"];
    refused(&twice, "two branches would be called \"late\"");
}
