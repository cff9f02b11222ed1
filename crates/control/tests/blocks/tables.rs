//! Look-up tables, inline and in files.

use std::io::Write;

use ironbird_kernel::Rate;
use ironbird_test_rig::{Setting, seconds, text};
use tempfile::NamedTempFile;

use crate::{assert_close, at_each_step, rig, shown};

fn file(content: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(content.as_bytes()).unwrap();
    file
}

fn named(file: &NamedTempFile) -> Setting<'static> {
    ("file", text(file.path().to_str().unwrap()))
}

#[test]
fn a_table_is_straight_between_its_points() {
    let points = ("points", text("0 10, 1 20, 3 0"));
    let input = at_each_step(&[-1.0, 0.0, 0.25, 1.0, 2.0, 3.0, 4.0]);
    let edge = |name: &str| [points.clone(), ("edge", text(name))];
    let held = shown("block.lookup", &edge("hold"), &input);
    assert_close(&held, &[10.0, 10.0, 12.5, 20.0, 10.0, 0.0, 0.0]);
    let longer = shown("block.lookup", &edge("extrapolate"), &input);
    assert_close(&longer, &[0.0, 10.0, 12.5, 20.0, 10.0, 0.0, -10.0]);
}

#[test]
fn a_table_may_end_at_its_edges() {
    let mut rig = rig();
    rig.add("ramp", "block.ramp", &[]);
    rig.add("table", "block.lookup", &[("points", text("0 0, 0.5 1")), ("edge", text("fail"))]);
    rig.link("ramp.out", "table.in");
    let why = rig.failure(seconds(1.0));
    assert_eq!(
        why,
        "\"table\" failed at 0.51 s: the input is 0.51, and the table goes from 0 to 0.5"
    );
}

#[test]
fn a_table_comes_from_a_file() {
    let file = file("# lift\nalpha, CL\n0, 1\n2, 3\n");
    let settings = [named(&file), ("columns", text("alpha as in, CL as out"))];
    let out = shown("block.lookup-file", &settings, &at_each_step(&[1.0, 2.0]));
    assert_close(&out, &[2.0, 3.0]);
}

#[test]
fn a_table_of_two_numbers_is_straight_along_both() {
    let file = file("a,b,out\n0,10,0\n1,10,2\n1,20,6\n0,20,4\n");
    let mut rig = rig();
    rig.script("a", &[(seconds(0.0), 0.5), (seconds(0.1), 2.0)]);
    rig.script("b", &[(seconds(0.0), 15.0), (seconds(0.2), 12.5)]);
    rig.add_at("table", "block.lookup-2d", Some(Rate::hz(10)), &[named(&file)]);
    rig.link("a.out", "table.a");
    rig.link("b.out", "table.b");
    let out = rig.run(seconds(0.2), &["table.out"]).numbers("table.out");
    assert_close(&out, &[3.0, 4.0, 3.0]);
}

#[test]
fn bad_tables_are_refused_with_their_place() {
    let rig = rig();
    let inline = |points: &str| rig.refusal("block.lookup", &[("points", text(points))]);
    assert_eq!(inline("0 1"), "\"points\": a table needs at least two points");
    assert_eq!(
        inline("0 1, 0 2"),
        "\"points\": 0 does not come after 0: write points in rising order"
    );
    assert_eq!(inline("0 1, 2"), "\"points\": \"2\" must be two numbers, as in \"0.5 2\"");
    assert!(inline("0 1, NaN 2").contains("\"NaN\" is not a number"));

    let refusal = |block: &str, content: &str| {
        let file = file(content);
        let name = file.path().display().to_string();
        rig.refusal(block, &[named(&file)]).replace(&name, "FILE")
    };
    assert_eq!(
        refusal("block.lookup-file", "in,out\n0,1\n2,3\n1,4\n"),
        "FILE, line 4, column 1 (in): 1 does not come after 2: write points in rising order"
    );
    assert_eq!(
        refusal("block.lookup-file", "in,out\n0,1\n"),
        "FILE: a table needs at least two points"
    );
    let refused = refusal("block.lookup-file", "in,out\n0,1\n1,NaN\n");
    assert!(refused.starts_with("FILE, line 3, column 2"), "{refused}");
    let refused = refusal("block.lookup-file", "x,out\n0,1\n1,2\n");
    assert!(refused.contains("there is no column \"in\""), "{refused}");
    assert_eq!(
        refusal("block.lookup-2d", "a,b,out\n0,0,1\n0,1,1\n1,0,1\n"),
        "FILE: there is no line for a = 1, b = 1"
    );
    assert_eq!(
        refusal("block.lookup-2d", "a,b,out\n0,0,1\n0,1,1\n1,0,1\n0,1,2\n"),
        "FILE, line 5: a second value for a = 0, b = 1"
    );
    assert_eq!(
        refusal("block.lookup-2d", "a,b,out\n0,0,1\n0,1,1\n"),
        "FILE: a table needs at least two values of \"a\" and of \"b\""
    );
}
