//! The outcomes as a table for people and as JSON for machines.

use serde::Serialize;

use crate::row::Outcome;

/// The outcomes as one JSON object: `{"rows":[{"name":…,"peer":…,"ours":…,…}]}`.
pub fn json(rows: &[Outcome]) -> String {
    #[derive(Serialize)]
    struct Report<'a> {
        rows: &'a [Outcome],
    }
    serde_json::to_string(&Report { rows }).expect("strings and numbers always serialise")
}

/// The outcomes as a table, with the legend below it.
pub fn table(rows: &[Outcome]) -> String {
    let mut lines = vec![
        ["name", "peer", "ours", "theirs", "unit", "ratio", "noise", "runs"].map(String::from),
    ];
    lines.extend(rows.iter().map(|row| {
        [
            row.name.to_string(),
            row.peer.to_string(),
            row.ours.map_or("failed".into(), short),
            row.theirs.map_or(if row.failed.is_some() { "-" } else { "missing" }.into(), short),
            row.unit.clone(),
            row.ratio.map_or("-".into(), |ratio| format!("{ratio:.2}")),
            format!("{:.0}%", row.noise * 100.0),
            row.repetitions.to_string(),
        ]
    }));
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(width);
    let mut text = String::new();
    for line in &lines {
        let mut cells = String::new();
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
            let is_number = matches!(column, 2 | 3 | 5..=7);
            cells +=
                &if is_number { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
        }
        text += cells.trim_end();
        text.push('\n');
    }
    for row in rows {
        if let Some(missing) = &row.missing {
            text += &format!("{} against {}: {missing}\n", row.name, row.peer);
        }
        if let Some(why) = &row.failed {
            text += &format!("{} against {} failed: {why}\n", row.name, row.peer);
        }
    }
    text + "ratio: above 1 we are better; noise: median against best run\n"
}

/// Four significant digits, with k, M or G from ten thousand on.
fn short(figure: f64) -> String {
    let (scaled, suffix) = match figure {
        _ if figure >= 1e9 => (figure / 1e9, " G"),
        _ if figure >= 1e6 => (figure / 1e6, " M"),
        _ if figure >= 1e4 => (figure / 1e3, " k"),
        _ => (figure, ""),
    };
    let decimals = match scaled {
        _ if scaled >= 1000.0 => 0,
        _ if scaled >= 100.0 => 1,
        _ if scaled >= 10.0 => 2,
        _ => 3,
    };
    format!("{scaled:.decimals$}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Figure;

    fn rows() -> [Outcome; 4] {
        let measured = Outcome {
            name: "devstone-hi-200",
            peer: "xdevs",
            ours: Some(37_500_000.0),
            theirs: Some(18_750_000.0),
            unit: "transitions/s".into(),
            repetitions: 5,
            ratio: Some(2.0),
            noise: 0.031,
            missing: None,
            failed: None,
        };
        let slower = Outcome {
            name: "hold",
            peer: "binaryheap",
            ours: Some(122.5),
            theirs: Some(61.25),
            unit: "ns/hold".into(),
            repetitions: 7,
            ratio: Some(0.5),
            noise: 0.0,
            missing: None,
            failed: None,
        };
        let alone = Outcome {
            name: "chain-8",
            peer: "mosaik",
            ours: Some(150.0),
            theirs: None,
            unit: "steps/s".into(),
            repetitions: 2,
            ratio: None,
            noise: 0.02,
            missing: Some("install it".into()),
            failed: None,
        };
        let broken = Outcome::failed("view", "none", Figure::PerSecond("frame"), "no port".into());
        [measured, slower, alone, broken]
    }

    #[test]
    fn the_table_aligns_numbers_to_the_right() {
        let expected = "\
name             peer           ours   theirs  unit           ratio  noise  runs
devstone-hi-200  xdevs       37.50 M  18.75 M  transitions/s   2.00     3%     5
hold             binaryheap    122.5    61.25  ns/hold         0.50     0%     7
chain-8          mosaik        150.0  missing  steps/s            -     2%     2
view             none         failed        -  frames/s           -     0%     0
chain-8 against mosaik: install it
view against none failed: no port
ratio: above 1 we are better; noise: median against best run
";
        assert_eq!(table(&rows()), expected);
    }

    #[test]
    fn json_has_one_object_a_row() {
        let value: serde_json::Value = serde_json::from_str(&json(&rows())).expect("valid JSON");
        let rows = value["rows"].as_array().expect("an array of rows");
        assert_eq!(rows[0]["name"], "devstone-hi-200");
        assert_eq!(rows[0]["peer"], "xdevs");
        assert_eq!(rows[0]["ours"], 37_500_000.0);
        assert_eq!(rows[0]["theirs"], 18_750_000.0);
        assert_eq!(rows[0]["unit"], "transitions/s");
        assert_eq!(rows[0]["ratio"], 2.0);
        assert!(rows[0].get("missing").is_none());
        assert!(rows[2]["theirs"].is_null());
        assert_eq!(rows[2]["missing"], "install it");
        assert!(rows[3]["ours"].is_null() && rows[2].get("failed").is_none());
        assert_eq!(rows[3]["failed"], "no port");
    }

    #[test]
    fn figures_have_four_digits() {
        for (figure, text) in [
            (0.5, "0.500"),
            (61.25, "61.25"),
            (1470.4, "1470"),
            (53_816.0, "53.82 k"),
            (18_800_000.0, "18.80 M"),
            (2.5e9, "2.500 G"),
        ] {
            assert_eq!(short(figure), text);
        }
    }
}
