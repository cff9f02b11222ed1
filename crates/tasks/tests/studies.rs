//! The studies of the thesis' Figures 10 to 12, with fewer workloads.

use ironbird_tasks::study::{Generator, Study, StudyResult, Vary};
use ironbird_tasks::{Policy, Reading};

fn studied(vary: Vary, generator: Generator) -> StudyResult {
    let policies = vec![
        Policy::Ours,
        Policy::AllSync,
        Policy::TrueTime(Reading::Published),
        Policy::TrueTime(Reading::Interaction),
        Policy::TrueTime(Reading::Timers),
    ];
    let study = Study { workloads: 200, policies, ..Study::new(vary, generator) };
    study.run().expect("a result")
}

#[test]
fn ours_is_at_least_as_good_as_the_others_at_all_points() {
    for generator in Generator::ALL {
        for vary in Vary::ALL {
            let result = studied(vary, generator);
            println!("{}", result.to_csv());
            for point in &result.points {
                let [ours, others @ ..] = &point.simulatable[..] else { panic!("no policies") };
                assert!(others.iter().all(|other| other <= ours), "{vary:?} {point:?}");
            }
        }
    }
}
