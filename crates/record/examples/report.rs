//! Writes the report of a made-up flight, to see what a report looks like.
//!
//! `cargo run -p ironbird-record --example report [file.html]`

use ironbird_kernel::{Duration, Time};
use ironbird_record::report::{
    Band, Drawing, Limit, Map, Mark, Plot, Report, Series, Space, SpacePose, SpaceTrack, TextTable,
    Track,
};
use ironbird_record::{Event, Status, Verdict};

fn series(name: &str, drawing: Drawing, f: impl Fn(f64) -> f64) -> Series {
    let points = (0..60_000).map(|k| f64::from(k) * 2e-3).map(|t| (t, f(t))).collect();
    Series { name: name.into(), points, drawing }
}

fn verdict(name: &str, formula: &str, status: Status, margin: &str, first: &str) -> Verdict {
    let (name, formula) = (name.into(), formula.into());
    Verdict { name, formula, status, margin: margin.into(), first_violation: first.into() }
}

fn event(seconds: u64, kind: &str, name: &str, text: &str) -> Event {
    let time = Time::ZERO + Duration::from_secs(seconds);
    Event { time, kind: kind.into(), name: name.into(), text: text.into() }
}

/// Noise that is the same every time.
fn noise(t: f64) -> f64 {
    libm::sin(t * 917.3) * libm::sin(t * 1531.7)
}

fn altitude() -> Plot {
    let height =
        |t: f64| 20.0 * (1.0 - libm::exp(-t / 6.0)) + if t > 90.0 { (90.0 - t) * 0.6 } else { 0.0 };
    Plot {
        title: "Height above the start".into(),
        unit: "m".into(),
        series: vec![
            series("drone.height", Drawing::Line, height),
            series("gnss.height", Drawing::Line, move |t| {
                let outage = (42.0..55.0).contains(&t);
                if outage { f64::NAN } else { height(t) + 0.6 * noise(t) }
            }),
            series("autopilot.setpoint", Drawing::Steps, |t| if t < 90.0 { 20.0 } else { 2.0 }),
        ],
        marks: vec![Mark { time: 90.0, label: "land".into() }],
        bands: vec![Band { from: 42.0, until: 55.0, label: "GNSS outage".into() }],
        limits: vec![Limit { value: 22.0, label: "ceiling".into() }],
        ..Plot::default()
    }
}

fn pressure() -> Plot {
    Plot {
        title: "Static pressure".into(),
        unit: "Pa".into(),
        series: vec![series("barometer.pressure", Drawing::Line, |t| {
            101_325.0 - 240.0 * (1.0 - libm::exp(-t / 6.0)) + 3.0 * noise(t)
        })],
        ..Plot::default()
    }
}

fn attitude() -> Plot {
    let gust =
        |t: f64| if (70.0..74.0).contains(&t) { 14.0 * libm::sin((t - 70.0) * 6.0) } else { 0.0 };
    Plot {
        title: "Attitude".into(),
        unit: "deg".into(),
        series: vec![
            series("roll", Drawing::Line, move |t| {
                4.0 * libm::sin(t * 0.2) + gust(t) + 0.3 * noise(t)
            }),
            series("pitch", Drawing::Line, |t| -3.0 + 2.0 * libm::cos(t * 0.2)),
        ],
        bands: vec![Band { from: 70.0, until: 74.0, label: "gust".into() }],
        limits: vec![
            Limit { value: 12.0, label: "12 deg".into() },
            Limit { value: -12.0, label: "−12 deg".into() },
        ],
        ..Plot::default()
    }
}

fn path() -> Map {
    let track = |name: &str, wobble: f64| Track {
        is_path: true,
        name: name.into(),
        points: (0..12_000)
            .map(|k| f64::from(k) * 0.01)
            .map(|t| {
                let radius = 40.0 + wobble * libm::sin(t * 3.0);
                (radius * libm::sin(t * 0.1) * 2.0, radius * libm::sin(t * 0.2))
            })
            .collect(),
    };
    Map {
        title: "Ground track".into(),
        x_label: "east".into(),
        y_label: "north".into(),
        unit: "m".into(),
        tracks: vec![track("flown", 1.5), track("planned", 0.0)],
    }
}

/// A figure of eight in the air, with a lean into each turn.
fn space() -> Space {
    let pose = |k: u32| {
        let t = f64::from(k) * 0.04;
        let height = 20.0 * (1.0 - libm::exp(-t / 6.0));
        let (north, east) = (40.0 * libm::sin(t * 0.2), 80.0 * libm::sin(t * 0.1));
        let heading = libm::atan2(8.0 * libm::cos(t * 0.1), 8.0 * libm::cos(t * 0.2));
        let (sine, cosine) = libm::sincos(heading / 2.0);
        SpacePose {
            time: t,
            position: [north, east, -height],
            attitude: Some([cosine, 0.0, 0.0, sine]),
        }
    };
    let track = SpaceTrack { name: "drone".into(), poses: (0..3_000).map(pose).collect() };
    Space { tracks: vec![track], ground: Some(0.0), ..Space::default() }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let default = std::env::temp_dir().join("ironbird-report.html");
    let path_of_page = std::env::args_os().nth(1).map_or(default, Into::into);
    let report = Report {
        title: "Survey flight with a GNSS outage".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        verdicts: vec![
            verdict("stays below the ceiling", "always drone.height <= 22 m", Status::Passed, "2.0 m", ""),
            verdict(
                "flies level",
                "always abs(drone.roll) <= 12 deg",
                Status::Failed,
                "−5.9 deg",
                "70.184 s: abs(drone.roll) <= 12 deg, which was 12.004 deg",
            ),
            verdict("comes home", "eventually drone.distance_to_start < 1 m", Status::Undecided, "", ""),
        ],
        outcome: "reached its end at 120 s".into(),
        seed: 7,
        scenario: "outage and gust".into(),
        repetition: 0,
        hash: "8f1d3c5e9a2b47706c1e5d4f3a2b1c0d".into(),
        duration: Duration::from_secs(120),
        wall_seconds: Some(0.84),
        placement: vec!["partition 0: drone, environment".into(), "partition 1: sensors, autopilot".into()],
        foreign: vec!["drone.battery (FMU battery.fmu)".into()],
        plots: vec![altitude(), attitude(), pressure()],
        relative_margins: vec![Some(0.09), Some(-0.49), None],
        key_plot: Some(Plot {
            title: "flies level: roll".into(),
            highlight: Some(Mark { time: 70.184, label: "first violated".into() }),
            ..attitude()
        }),
        space: Some(space()),
        maps: vec![path()],
        events: vec![
            event(42, "fault", "GNSS outage", "sensors.gnss.position drops all messages until 55 s"),
            event(70, "action", "gust", "environment.wind.gust starts"),
            event(90, "trigger", "mission complete", "autopilot.land was called"),
        ],
        timing: TextTable {
            columns: ["component", "steps", "time in ms", "share"].map(String::from).to_vec(),
            rows: [["drone", "120000", "412", "49 %"], ["sensors", "60000", "210", "25 %"], ["autopilot", "30000", "118", "14 %"]]
                .map(|row| row.map(String::from).to_vec())
                .to_vec(),
        },
        experiment: "ironbird = 1\nduration = \"120 s\"\nseed = 7\n\n[system.drone]\ntype = \"vehicle.quadrotor\"\n".into(),
        ..Report::default()
    };
    std::fs::write(&path_of_page, report.to_html())?;
    println!("{}", path_of_page.display());
    Ok(())
}
