//! A job that has started and that higher priorities never let end.

use std::path::PathBuf;
use std::sync::Arc;

use ironbird_document::Source;
use ironbird_tasks::{Extreme, System, Timetable, TimetableError, parse};

/// Three priorities. The lowest starts at 0; from 1 on the others need all the time there is.
fn starving() -> System {
    let mut text =
        "[[ecu]]\nname = \"ecu\"\nexecutor = \"fixed-priority\"\noverrun = \"skip\"\n".to_owned();
    for (name, period, offset, execution) in
        [("high", 4, 1, 2), ("middle", 4, 3, 2), ("low", 8, 0, 2)]
    {
        text += &format!(
            "[[transaction]]\n[[transaction.task]]\nname = \"{name}\"\necu = \"ecu\"\n\
             period = {period}\noffset = {offset}\nexecution = {execution}\n"
        );
    }
    let source = Source { name: "starving".into(), folder: PathBuf::new(), text };
    parse(&Arc::new(source)).unwrap_or_else(|problems| panic!("{}", problems.render(false, 100)))
}

#[test]
fn the_task_that_starves_is_named_at_once() {
    let system = starving();
    let error = Timetable::until(&system, Extreme::worst(&system), 8).expect_err("low starves");
    assert_eq!(error.starved.as_deref(), Some("low"));
    assert!(
        error.to_string().starts_with("a job of task low has started and has not ended by time ")
    );
}

#[test]
fn a_schedule_that_would_repeat_but_for_a_starving_job_names_the_overloaded_ecu() {
    match Timetable::of(&starving()) {
        Err(TimetableError::DoesNotSettle { ecus, .. }) => assert_eq!(ecus, [("ecu".into(), 1.25)]),
        other => panic!("{other:?}"),
    }
}
