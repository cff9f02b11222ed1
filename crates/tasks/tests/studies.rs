//! The studies of the thesis' Figures 10 to 12, with fewer workloads.

use ironbird_tasks::study::{Generator, Study, StudyError, StudyResult, Vary};
use ironbird_tasks::{Policy, Reading};

fn study(vary: Vary, generator: Generator) -> Study {
    let policies = vec![
        Policy::Ours,
        Policy::AllSync,
        Policy::TrueTime(Reading::Published),
        Policy::TrueTime(Reading::Interaction),
        Policy::TrueTime(Reading::Timers),
    ];
    Study { workloads: 200, policies, ..Study::new(vary, generator) }
}

fn studied(vary: Vary, generator: Generator) -> StudyResult {
    study(vary, generator).run().expect("a result")
}

#[test]
fn ours_is_at_least_as_good_as_the_others_at_all_33_points_by_both_generators() {
    for generator in Generator::ALL {
        for vary in Vary::ALL {
            let result = studied(vary, generator);
            assert_eq!(result.points.len(), 11);
            for point in &result.points {
                let [ours, others @ ..] = &point.simulatable[..] else { panic!("no policies") };
                assert!(others.iter().all(|other| other <= ours), "{vary:?} {point:?}");
            }
        }
    }
}

#[test]
fn one_transaction_can_always_be_simulated_and_so_can_workloads_that_never_write() {
    for generator in Generator::ALL {
        for vary in [Vary::Transaction, Vary::Write] {
            let first = &studied(vary, generator).points[0];
            assert_eq!((first.ratio, &first.simulatable), (0, &vec![200; 5]), "{vary:?}");
        }
    }
}

#[test]
fn the_curves_fall_as_those_of_the_thesis_do() {
    let ends = |vary| {
        let points = studied(vary, Generator::AsPublished).points;
        (points[0].simulatable.clone(), points[10].simulatable.clone())
    };
    // Ours stays above 90 % throughout; AllSync and TrueTime fall below 50 %.
    for vary in [Vary::Transaction, Vary::Write] {
        let (_, last) = ends(vary);
        assert!(last[0] > 180 && last[1] < 100 && last[2] < 100, "{vary:?} {last:?}");
    }
    // The read ratio is nothing to AllSync.
    let (first, last) = ends(Vary::Read);
    assert_eq!(first[1], last[1]);
}

#[test]
fn about_a_quarter_of_the_workloads_as_published_is_feasible() {
    let acceptance = studied(Vary::Write, Generator::AsPublished).acceptance();
    assert!((0.2..0.3).contains(&acceptance), "{acceptance}");
    assert_eq!(studied(Vary::Write, Generator::AsWritten).acceptance(), 1.0);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let with = |threads| {
        let study = Study { threads, ..study(Vary::Transaction, Generator::AsPublished) };
        study.run().expect("a result").points
    };
    assert_eq!(with(1), with(7));
}

#[test]
fn the_seed_decides_what_is_drawn() {
    let with = |seed| {
        let study = Study { seed, ..study(Vary::Write, Generator::AsWritten) };
        study.run().expect("a result").points
    };
    assert_eq!(with(1), with(1));
    assert_ne!(with(1), with(2));
}

#[test]
fn the_parameters_are_printed_with_the_result() {
    let result = studied(Vary::Write, Generator::AsWritten);
    let csv = result.to_csv();
    for line in [
        "# vary: write ratio",
        "# ecus: U[3, 10]",
        "# transaction ratio: 50 %",
        "# write ratio: varied",
        "# read ratio: 30 %",
        "# simulation speed: 3.3 x ECU",
        "# horizon: 1000000 us",
        "# workloads: 200",
        "# seed: 1",
        "write_ratio_percent,drawn,ours,allsync,truetime (reads held),truetime (reads and writes held),\
         truetime (timers held)",
        "0,200,200,200,200,200,200",
    ] {
        assert!(csv.lines().any(|other| other == line), "{line}\n{csv}");
    }
    let json = result.to_json();
    assert_eq!(json["points"][0]["simulatable"]["ours"], 200);
    assert_eq!(json["horizon_us"], 1_000_000);
    let svg = result.to_svg();
    assert_eq!(svg.matches("stroke-width=\"2.2\" fill=\"none\"").count(), 5, "one curve each");
    assert!(svg.contains("write ratio [%]") && svg.contains("truetime (timers held)"));
}

#[test]
fn a_ratio_beyond_100_percent_is_refused() {
    let study = Study { points: vec![0, 110], ..study(Vary::Read, Generator::AsPublished) };
    assert_eq!(study.run(), Err(StudyError::Ratio(110)));
}
