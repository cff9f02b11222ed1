//! The page of a long run stays small enough to be sent around, and keeps what matters.

use ironbird_record::report::{
    Drawing, Mark, Outline, OutlineKind, Plot, Report, Series, Space, SpacePose, SpaceTrack,
};

const SECONDS: u32 = 1_800;
const LARGEST: usize = 5_000_000;

/// A signal that never repeats itself, with 100 samples in a second.
fn signal(number: u32) -> Series {
    let pace = 0.7 + 0.013 * f64::from(number);
    let point = |k: u32| {
        let time = f64::from(k) / 100.0;
        (time, 1e3 * libm::sin(time * pace) + libm::sin(time * 917.3) * libm::sin(time * 1531.7))
    };
    let drawing = [Drawing::Line, Drawing::Steps, Drawing::Points][number as usize % 3];
    Series {
        name: format!("vehicle[{number}].some.signal"),
        points: (0..SECONDS * 100).map(point).collect(),
        drawing,
    }
}

/// A body whose pose is known 25 times in a second.
fn track(number: u32) -> SpaceTrack {
    let pose = |k: u32| {
        let time = f64::from(k) / 25.0;
        let (sine, cosine) = libm::sincos(time * 0.03 + f64::from(number));
        SpacePose {
            time,
            position: [500.0 * sine, 700.0 * cosine * sine, -30.0 - 10.0 * libm::sin(time * 0.5)],
            attitude: Some([cosine, 0.0, 0.0, sine]),
        }
    };
    let poses = (0..SECONDS * 25).map(pose).collect();
    SpaceTrack { name: format!("world.vehicle[{number}]"), poses }
}

fn long_run(signals: u32, bodies: u32) -> Report {
    let marks: Vec<Mark> = (0..2_000)
        .map(|k| Mark { time: f64::from(k) * 0.9, label: format!("waypoint {k}") })
        .collect();
    let plot = |first: u32| Plot {
        title: "some signals".into(),
        unit: "m".into(),
        series: (first..signals.min(first + 3)).map(signal).collect(),
        marks: marks.clone(),
        ..Plot::default()
    };
    let edge = |k: u32| Outline {
        kind: OutlineKind::Fixed,
        points: vec![[f64::from(k), 0.0, 0.0], [f64::from(k), 10.0, 0.0]],
    };
    Report {
        plots: (0..signals).step_by(3).map(plot).collect(),
        space: Some(Space {
            tracks: (0..bodies).map(track).collect(),
            ground: Some(0.0),
            sea: None,
            outlines: (0..1_000).map(edge).collect(),
        }),
        ..Report::default()
    }
}

#[test]
fn half_an_hour_of_sixty_signals_and_eight_bodies_takes_less_than_5_mb() {
    let page = long_run(60, 8).to_html();
    assert!(page.len() < LARGEST, "{}", page.len());
    // It is not small because something is left out.
    assert_eq!(page.matches("data-points=").count(), 60);
    assert_eq!(page.matches("data-poses=").count(), 8);
}

#[test]
fn ten_times_as_many_shorter_signals_take_less_than_5_mb_too() {
    let mut report = long_run(3, 40);
    for series in report.plots.iter_mut().flat_map(|plot| &mut plot.series) {
        series.points.truncate(20_000);
    }
    report.plots = vec![report.plots[0].clone(); 200];
    let page = report.to_html();
    assert!(page.len() < LARGEST, "{}", page.len());
    assert_eq!(page.matches("data-points=").count(), 600);
}
