//! The suites: one file each, listed here.

mod auv;
mod devs;
mod experiment;
mod fixed_wing;
mod full_system;
mod host;
mod native;
mod parallel;
mod processes;
mod qss;
mod tasks;
mod view;
mod world;

use crate::row::Row;

/// A named set of rows.
pub struct Suite {
    pub name: &'static str,
    pub about: &'static str,
    /// Its rows, none of which does anything before it is measured.
    pub rows: fn() -> Vec<Row>,
}

/// Every suite there is.
pub const SUITES: &[Suite] = &[
    Suite {
        name: "auv",
        about: "an underwater vehicle and its navigation, from the experiment file",
        rows: auv::rows,
    },
    Suite {
        name: "devs",
        about: "event-driven models, on one thread and on two",
        rows: devs::rows,
    },
    Suite {
        name: "experiment",
        about: "periodic components with timed events and recorded signals, on one thread",
        rows: experiment::rows,
    },
    Suite {
        name: "fixed-wing",
        about: "a fixed-wing UAV with three layers of control, and its aircraft alone",
        rows: fixed_wing::rows,
    },
    Suite {
        name: "full-system",
        about: "whole drones, from their firmware to the ground station",
        rows: full_system::rows,
    },
    Suite {
        name: "host",
        about: "the simulated processor with its timing model",
        rows: host::rows,
    },
    Suite {
        name: "native",
        about: "unmodified Linux programs in virtual time, on one core",
        rows: native::rows,
    },
    Suite {
        name: "processes",
        about: "processes that keep step over shared memory, with a core each and without",
        rows: processes::rows,
    },
    Suite {
        name: "qss",
        about: "differential equations by quantised states, on one thread",
        rows: qss::rows,
    },
    Suite {
        name: "tasks",
        about: "schedules of control computers, their simulation job by job, and studies of it",
        rows: tasks::rows,
    },
    Suite { name: "view", about: "a run that people watch in the browser", rows: view::rows },
    Suite {
        name: "world",
        about: "quadrotors in one world, in the air and on the ground",
        rows: world::rows,
    },
];

/// The suite of this name.
pub fn find(name: &str) -> Option<&'static Suite> {
    SUITES.iter().find(|suite| suite.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn name_and_peer_tell_rows_apart_and_suites_are_not_empty() {
        let mut keys = BTreeSet::new();
        for suite in SUITES {
            let rows = (suite.rows)();
            assert!(!rows.is_empty(), "{}", suite.name);
            for row in rows {
                assert!(
                    keys.insert((row.name, row.peer)),
                    "{} against {} twice",
                    row.name,
                    row.peer
                );
            }
        }
    }
}
