//! Branches: runs that go on from a common part give the bits of whole runs, whatever the placement.

mod systems;

use std::sync::Arc;

use ironbird_experiment::commands::{CommandReader, TimedCommand};
use ironbird_experiment::{Experiment, Source};
use ironbird_kernel::{Duration, Sharing, Time};
use ironbird_runner::{How, Interrupt, Job, RunError, Trunk};
use systems::{experiment, registry, run_with};

/// Something of every kind: steps, messages, random numbers, calls, a trigger, faults and requirements.
const SYSTEM: &str = r#"
    duration = "1 s"
    seed = 5
    [system.dice]
    type = "test.dice"
    [system.counter]
    type = "test.counter"
    [system.mirror]
    type = "test.mirror"
    in.u = { from = "dice.number", latency = "3 ms" }
    [system.mixer]
    type = "test.mixer"
    in.u = { from = "mirror.y", latency = "2 ms" }
    in.v = { from = "counter.count", latency = "1 ms" }
    [system.messages]
    type = "test.messages"
    in.heard = { from = "counter.tenth", latency = "7 ms" }
    [system.tank]
    type = "test.tank"
    [system.pump]
    type = "test.pump"
    bind.fill = "tank.fill"
    [[fault]]
    name = "noise"
    signal = "mixer.u"
    noise = 0.1
    when = "command"
    [[fault]]
    name = "early"
    signal = "mirror.u"
    drop = 0.5
    from = "100 ms"
    until = "600 ms"
    [[at]]
    time = "200 ms"
    set = { counter.by = 2.0 }
    [[at]]
    time = "450 ms"
    set = { counter.by = 0.5 }
    [[at]]
    time = "800 ms"
    set = { counter.by = 3.0 }
    [[when]]
    name = "half full"
    condition = "counter.count > 700"
    set = { counter.by = 0.25 }
    [[require]]
    name = "counts"
    formula = "always (time > 500 ms implies counter.count > 400)"
    [[require]]
    name = "rolls high once"
    formula = "eventually dice.number > 0.99"
    [[record]]
    signals = ["*"]
"#;

const BRANCHED: Time = Time::from_ps(450_000_000_000);

fn commands(experiment: &Experiment, text: &str) -> Vec<TimedCommand> {
    let registry = registry();
    let reader = CommandReader::new(experiment, 0, &registry);
    reader.read_file(&Source::built_in("commands", text)).unwrap_or_else(|why| panic!("{why}"))
}

fn trunk(experiment: &Arc<Experiment>, at: Time, how: How) -> Result<Trunk, RunError> {
    let registry = registry();
    let (experiment, registry) = (experiment.clone(), &registry);
    let job = Job { experiment, registry, scenario: 0, repetition: 0, how };
    Trunk::grow(&job, at, &Interrupt::default(), &mut |_| ())
}

#[test]
fn branches_give_the_files_of_whole_runs_on_any_number_of_partitions() {
    let experiment = experiment(SYSTEM);
    let done = [
        "",
        "[[command]]\ntime = \"450 ms\"\nset = { counter.by = 9.0 }\n",
        "[[command]]\ntime = \"500.0005 ms\"\nfault = { noise = true }\n[[command]]\ntime = \"700 ms\"\nfault = { noise = false }\n",
        "[[command]]\ntime = \"600 ms\"\nend = true\n",
    ];
    let turns = Sharing::InTurns(std::time::Duration::from_micros(200));
    for (grown_on, gone_on, sharing) in [
        (1, 1, Sharing::Always),
        (3, 1, Sharing::Always),
        (1, 4, Sharing::Always),
        (2, 3, Sharing::Always),
        (1, 2, turns),
        (3, 1, turns),
        (2, 4, turns),
    ] {
        let how = |partitions| How { partitions, sharing, digest: true, ..How::default() };
        let trunk = Arc::new(trunk(&experiment, BRANCHED, how(grown_on)).unwrap());
        assert_eq!(trunk.time(), BRANCHED);
        let mut hashes = Vec::new();
        for text in done {
            let commands = commands(&experiment, text);
            let whole = How { commands: commands.clone(), ..how(1) };
            let whole = run_with(&experiment, 0, whole, 0);
            let branch = How { commands, trunk: Some(trunk.clone()), ..how(gone_on) };
            let branch = run_with(&experiment, 0, branch, 0);
            assert_eq!(branch.outcomes.hash, whole.outcomes.hash, "{text}");
            assert_eq!(branch.outcomes.digest, whole.outcomes.digest, "{text}");
            assert_eq!(branch.outcomes.verdicts, whole.outcomes.verdicts, "{text}");
            assert_eq!(branch.outcomes.events, whole.outcomes.events, "{text}");
            assert!(branch.file == whole.file, "the files differ: {text}");
            hashes.push(branch.outcomes.hash);
        }
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), done.len(), "what is done to them makes them differ");
    }
}

fn refused(at: Time, text: &str) -> String {
    let experiment = experiment(text);
    trunk(&experiment, at, How::default()).expect_err("it cannot branch").to_string()
}

#[test]
fn where_a_run_cannot_branch_it_says_why() {
    let end = Time::ZERO + Duration::from_secs(1);
    let inside = "runs branch after their first instant and before their end, at 1 s";
    assert_eq!(refused(Time::ZERO, SYSTEM), inside);
    assert_eq!(refused(end, SYSTEM), inside);
    let stopped =
        format!("{SYSTEM}\n[[stop]]\nname = \"enough\"\ncondition = \"counter.count > 100\"\n");
    assert_eq!(
        refused(BRANCHED, &stopped),
        "the run ends at 0.1 s, before it is to branch: a stop condition holds"
    );
    let started = format!("{SYSTEM}\n[program.beside]\ncommand = [\"true\"]\n");
    assert_eq!(
        refused(BRANCHED, &started),
        "the run cannot branch: it starts \"beside\", and programs cannot be copied with it"
    );
    let removed = format!("{SYSTEM}\n[[at]]\ntime = \"900 ms\"\nremove = \"messages\"\n");
    assert_eq!(
        refused(BRANCHED, &removed),
        "remove \"messages\" at 0.9 s: components cannot come and go in a run that branches"
    );
}

#[test]
fn what_is_common_to_branches_is_not_changed_by_one_of_them() {
    let experiment = experiment(SYSTEM);
    let trunk = Arc::new(trunk(&experiment, BRANCHED, How::default()).unwrap());
    let commands =
        commands(&experiment, "[[command]]\ntime = \"400 ms\"\nset = { counter.by = 9.0 }\n");
    let registry = registry();
    let how = How { commands, trunk: Some(trunk), ..How::default() };
    let job = Job { experiment, registry: &registry, scenario: 0, repetition: 0, how };
    let error = ironbird_runner::run(&job, &Interrupt::default(), &mut |_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "what is done to a branch at 0.4 s would change what it shares with the others, which is run to 0.45 s"
    );
}
