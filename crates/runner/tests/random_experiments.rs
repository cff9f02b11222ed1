//! Random experiments give the same file on any number of partitions, from their resolved text too.

mod systems;

use std::fmt::Write;

use ironbird_kernel::{RandomStream, Sharing};
use ironbird_runner::How;
use systems::{experiment, run_with};

/// Writes one random experiment: a forest of components, links with and without latency, faults of all
/// kinds, timed actions, triggers, a stop condition, guests that come and go.
fn random_experiment(random: &mut RandomStream) -> String {
    let mut text = String::from("duration = \"60 ms\"\nseed = 11\n");
    let count = 3 + random.below(8);
    // Signals that may be read, and by whom they are shown; and what else links may carry: parts, also by way of an
    // adapter.
    let mut signals: Vec<String> = Vec::new();
    let mut parts: Vec<String> = Vec::new();
    for number in 0..count {
        let group =
            if random.chance(0.3) { format!("g{}.", random.below(3)) } else { String::new() };
        let name = format!("{group}c{number}");
        let rate = [1000, 500, 400, 250][random.below(4) as usize];
        let pick = |random: &mut RandomStream| {
            let number = random.below((signals.len() + parts.len()) as u64) as usize;
            signals.iter().chain(&parts).nth(number).cloned().unwrap_or_default()
        };
        let kind = if signals.is_empty() { 0 } else { random.below(6) };
        let _ = writeln!(text, "[system.{name}]");
        let link = |random: &mut RandomStream, from: String| {
            let via = match from.ends_with(".value") {
                true => format!(", via = \"test.length\", scale = 0.{}", 1 + random.below(9)),
                false => String::new(),
            };
            match random.below(4) {
                0 if via.is_empty() => format!("\"{from}\""),
                0 => format!("{{ from = \"{from}\"{via} }}"),
                1 => format!("{{ from = \"{from}\", value = \"previous\"{via} }}"),
                2 => {
                    let latency = 1 + random.below(5000);
                    format!("{{ from = \"{from}\", latency = \"{latency} us\"{via} }}")
                }
                _ => format!("{{ from = \"{from}\", latency = \"1 ms\"{via} }}"),
            }
        };
        match kind {
            0 | 1 => {
                let _ = writeln!(text, "type = \"test.counter\"\nrate = \"{rate} Hz\"");
                signals.push(format!("{name}.count"));
            }
            2 => {
                let _ = writeln!(text, "type = \"test.dice\"\nrate = \"{rate} Hz\"");
                signals.push(format!("{name}.number"));
            }
            3 => {
                let from = pick(random);
                let how = link(random, from);
                let _ =
                    writeln!(text, "type = \"test.sounder\"\nrate = \"{rate} Hz\"\nin.u = {how}");
                let fields = ["value.down", "value[1]", "value.north", "value"];
                parts.extend(fields.map(|field| format!("{name}.echo.{field}")));
            }
            4 => {
                let from = pick(random);
                let _ = writeln!(text, "type = \"test.mirror\"\nin.u = {}", link(random, from));
                signals.push(format!("{name}.y"));
            }
            _ => {
                let from = pick(random);
                let how = link(random, from);
                let _ =
                    writeln!(text, "type = \"test.sampler\"\nrate = \"{rate} Hz\"\nin.u = {how}");
                signals.push(format!("{name}.y"));
            }
        }
    }
    text.push_str("[system.tank]\ntype = \"test.tank\"\n");
    text.push_str("[system.guest]\ntype = \"test.dice\"\nenabled = false\n");
    let ms =
        |random: &mut RandomStream| format!("{}.{:03} ms", random.below(55), random.below(1000));
    let pick =
        |random: &mut RandomStream| signals[random.below(signals.len() as u64) as usize].clone();
    for number in 0..random.below(4) {
        let how = [
            "override = 3",
            "bias = -2",
            "scale = 0.5",
            "stuck = true",
            "delay = \"1.5 ms\"",
            "drop = 0.4",
            "noise = 1.0",
        ];
        let how = how[random.below(7) as usize];
        let (signal, from) = (pick(random), ms(random));
        let _ = writeln!(text, "[[fault]]\nname = \"f{number}\"\nsignal = \"{signal}\"\n{how}");
        match random.below(3) {
            0 => {
                let watched = pick(random);
                let _ = writeln!(text, "when = \"{watched} > {}\"", random.below(20));
            }
            _ => {
                let _ = writeln!(text, "from = \"{from}\"");
            }
        }
    }
    let counters = signals.iter().filter_map(|s| s.strip_suffix(".count"));
    for counter in counters.clone() {
        let at = ms(random);
        let _ = match random.below(4) {
            0 => writeln!(text, "[[at]]\ntime = \"{at}\"\nset.\"{counter}.by\" = 2.5"),
            1 => writeln!(text, "[[at]]\ntime = \"{at}\"\nstop = \"{counter}\""),
            2 => writeln!(text, "[[at]]\ntime = \"{at}\"\nset.\"{counter}.rate\" = \"300 Hz\""),
            _ => Ok(()),
        };
    }
    for number in 0..random.below(3) {
        let (signal, held) = (pick(random), random.below(10));
        let _ = writeln!(
            text,
            "[[when]]\nname = \"w{number}\"\ncondition = \"{signal} > {} for {held} ms\"\n\
             call = {{ service = \"tank.fill\", amount = \"1 l\" }}",
            random.below(15)
        );
    }
    if random.chance(0.3) {
        let (signal, limit) = (pick(random), 20 + random.below(30));
        let _ = writeln!(text, "[[stop]]\nname = \"enough\"\ncondition = \"{signal} > {limit}\"");
    }
    if random.chance(0.5) {
        text.push_str("[[at]]\ntime = \"20.5 ms\"\nspawn = \"guest\"\n");
        text.push_str("[[at]]\ntime = \"41 ms\"\nremove = \"guest\"\n");
    }
    for number in 0..1 + random.below(3) {
        let (signal, limit) = (pick(random), 20 + random.below(20));
        let _ = writeln!(
            text,
            "[[require]]\nname = \"small-{number}\"\nformula = \"always {signal} < {limit}\""
        );
    }
    text.push_str("[[record]]\nsignals = [\"*\"]\n");
    let _ = writeln!(text, "[[record]]\nsignals = [\"{}\"]\nevery = \"1.3 ms\"", pick(random));
    text
}

#[test]
fn a_random_experiment_gives_one_file_on_any_number_of_partitions() {
    let cases = std::env::var("IRONBIRD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut used = 0;
    for case in 0..cases {
        let mut random = RandomStream::from_key(case);
        let text = random_experiment(&mut random);
        let experiment = experiment(&text);
        let on = |partitions, sharing| {
            run_with(&experiment, 0, How { partitions, sharing, ..How::default() }, 0)
        };
        let one = on(1, Sharing::Always);
        let turns = Sharing::InTurns(std::time::Duration::from_micros(50));
        let always = Sharing::Always;
        for (partitions, sharing) in [(2, always), (3, always), (8, always), (2, turns), (8, turns)]
        {
            let several = on(partitions, sharing);
            used = used.max(several.outcomes.statistics.placement.partitions);
            assert_eq!(one.outcomes.verdicts, several.outcomes.verdicts, "case {case}\n{text}");
            assert_eq!(one.outcomes.events, several.outcomes.events, "case {case}\n{text}");
            assert!(
                one.file == several.file,
                "case {case} on {partitions} partitions, {sharing:?}\n{text}"
            );
        }
        let resolved =
            systems::experiment(experiment.resolved.trim_start_matches("ironbird = 1\n"));
        let again = run_with(&resolved, 0, How::default(), 0);
        assert_eq!(one.outcomes.hash, again.outcomes.hash, "case {case}, resolved\n{text}");
        assert_eq!(experiment.resolved, resolved.resolved, "case {case}");
    }
    assert!(used >= 3, "the experiments must really be spread");
}

/// The same in another order, as far as the book promises that it means the same: components, what stands in each, and
/// requirements.
fn shuffled(text: &str, random: &mut RandomStream) -> String {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        if line.starts_with('[') {
            blocks.push(Vec::new());
        }
        blocks.last_mut().expect("there is one").push(line);
    }
    let head = blocks.remove(0);
    let is_free = |block: &Vec<&str>| block[0].starts_with("[system.") || block[0] == "[[require]]";
    let (mut free, fixed): (Vec<_>, Vec<_>) = blocks.into_iter().partition(is_free);
    shuffle(&mut free, random);
    for block in &mut free {
        shuffle(&mut block[1..], random);
    }
    // What is fixed among itself stands anywhere among the others.
    let mut fixed = fixed.into_iter().rev().collect::<Vec<_>>();
    let mut lines = head;
    for block in free {
        while !fixed.is_empty() && random.chance(0.3) {
            lines.extend(fixed.pop().expect("there is one"));
        }
        lines.extend(block);
    }
    lines.extend(fixed.into_iter().rev().flatten());
    lines.join("\n")
}

fn shuffle<T>(items: &mut [T], random: &mut RandomStream) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u64 + 1) as usize);
    }
}

#[test]
fn the_order_of_components_links_and_requirements_in_the_file_does_not_matter() {
    let cases = std::env::var("IRONBIRD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    for case in 0..cases {
        let mut random = RandomStream::from_key(case);
        let text = random_experiment(&mut random);
        let run = |text: &str, partitions| {
            let how = How { digest: true, partitions, ..How::default() };
            let mut done = run_with(&experiment(text), 0, how, 0).outcomes;
            done.verdicts.sort_by(|a, b| a.name.cmp(&b.name));
            (done.hash, done.digest, done.verdicts, done.at, done.values)
        };
        let as_written = run(&text, 1);
        for partitions in [1, 3] {
            let other = shuffled(&text, &mut random);
            assert_eq!(as_written, run(&other, partitions), "case {case}\n{text}\n\n{other}");
        }
    }
}
