//! The satellite receiver, as somebody at the other end of its line sees it.

use ironbird_devices::{BusKind, FaultMode, Gnss, Quantity, SerialByte};
use ironbird_kernel::{Duration, Parameter, Time};
use ironbird_test_rig::{real, text};
use proptest::prelude::*;

use crate::bench::Bench;
use crate::nmea_parser::{degrees, sentences};

fn exact() -> Vec<(&'static str, Parameter)> {
    vec![
        ("error.horizontal", real(0.0)),
        ("error.vertical", real(0.0)),
        ("error.speed", real(0.0)),
        ("time_to_first_fix", real(0.0)),
        ("baud", Parameter::Integer(115_200)),
    ]
}

fn receiver(settings: &[(&str, Parameter)], place: [f64; 3], velocity: [f64; 3]) -> Bench<Gnss> {
    let mut gnss = Bench::<Gnss>::new(BusKind::Spi, 0, settings);
    gnss.reading(Quantity::Position, place);
    gnss.reading(Quantity::Velocity, velocity);
    gnss
}

fn said(gnss: &Bench<Gnss>) -> Vec<Vec<String>> {
    let bytes: Vec<u8> = gnss.sent.iter().map(|(_, byte)| byte.byte).collect();
    sentences(&bytes)
}

fn of_kind<'a>(all: &'a [Vec<String>], kind: &str) -> Vec<&'a Vec<String>> {
    all.iter().filter(|sentence| sentence[0][2..] == *kind).collect()
}

#[test]
fn every_sentence_has_its_fields() {
    let mut settings = exact();
    settings.push(("sentences", text("RMC GGA GSA GSV VTG")));
    settings.push(("geoid", real(47.0)));
    let mut gnss = receiver(&settings, [48.15, -11.583_333_333, 547.0], [3.0, -4.0, 0.5]);
    gnss.wait(Duration::from_ms(390));
    let all = said(&gnss);
    let rmc = of_kind(&all, "RMC")[0];
    assert_eq!(rmc[..3], ["GNRMC", "120000.200", "A"]);
    assert_eq!(rmc[3..7], ["4809.0000000", "N", "01135.0000000", "W"]);
    assert_eq!((rmc[7].as_str(), rmc[8].as_str()), ("9.719", "306.87"));
    assert_eq!((rmc[9].as_str(), rmc[12].as_str()), ("010626", "A"));
    let gga = of_kind(&all, "GGA")[0];
    assert_eq!(gga[6], "1");
    assert_eq!(gga[9..13], ["500.000", "M", "47.000", "M"]);
    let used: usize = gga[7].parse().unwrap();
    let mut numbers = 0;
    for gsa in of_kind(&all, "GSA") {
        assert_eq!((gsa[1..3].join(","), &gsa[16]), ("A,3".into(), &gga[8]), "and HDOP");
        numbers += gsa[3..15].iter().filter(|number| !number.is_empty()).count();
    }
    assert!(numbers == used && used >= 10, "{used}");
    let vtg = of_kind(&all, "VTG")[0];
    assert_eq!((vtg[1].as_str(), vtg[5].as_str(), vtg[7].as_str()), ("306.87", "9.719", "18.000"));
    let gsv = of_kind(&all, "GSV");
    let mut seen = 0;
    for talker in ["GPGSV", "GLGSV"] {
        let of_system: Vec<_> = gsv.iter().filter(|sentence| sentence[0] == talker).collect();
        assert_eq!(of_system[0][1], of_system.len().to_string());
        let satellites: usize = of_system.iter().map(|sentence| (sentence.len() - 4) / 4).sum();
        assert_eq!(satellites, of_system[0][3].parse::<usize>().unwrap());
        seen += satellites;
    }
    assert!(seen >= used);
}

#[test]
fn bytes_leave_at_the_rate_of_the_line() {
    let mut settings = exact();
    settings.push(("latency", real(0.05)));
    let mut gnss = receiver(&settings, [48.0, 11.0, 500.0], [0.0; 3]);
    gnss.wait(Duration::from_ms(399));
    let first = gnss.sent[0].0;
    // 0.2 s, the latency, ten bits.
    assert_eq!(first, Time::from_ps(250_000_000_000 + 1_000_000_000_000u64.div_ceil(11_520)));
    for (k, (time, byte)) in gnss.sent.iter().enumerate() {
        let bits = 1_000_000_000_000u64 * (k as u64 + 1);
        assert_eq!(time.as_ps(), 250_000_000_000 + bits.div_ceil(11_520));
        assert_eq!(byte.baud, 115_200);
    }
}

#[test]
fn there_is_no_fix_before_its_time() {
    let mut settings = exact();
    settings.push(("time_to_first_fix", real(3.0)));
    let mut gnss = receiver(&settings, [48.0, 11.0, 500.0], [0.0; 3]);
    gnss.wait(Duration::from_secs(5));
    let all = said(&gnss);
    let (rmc, gga) = (of_kind(&all, "RMC"), of_kind(&all, "GGA"));
    let without = rmc.iter().filter(|sentence| sentence[2] == "V").count();
    assert_eq!(without, 14, "0.2 to 2.8 s");
    assert_eq!(gga.iter().filter(|sentence| sentence[6] == "0").count(), 14);
    assert_eq!((gga[0][2].as_str(), gga[14][6].as_str()), ("", "1"));
}

#[test]
fn without_a_velocity_it_takes_that_of_its_places() {
    let mut gnss = Bench::<Gnss>::new(BusKind::Spi, 0, &exact());
    // 0.2 s at 10 m/s: along the equator to the east, over the date line.
    let step = (2.0f64 / 6_378_137.0).to_degrees();
    for k in 0..20 {
        let longitude = 179.9999 + step * f64::from(k);
        let longitude = if longitude > 180.0 { longitude - 360.0 } else { longitude };
        gnss.reading(Quantity::Position, [0.0, longitude, 0.0]);
        gnss.wait(Duration::from_ms(200));
    }
    let all = said(&gnss);
    for rmc in &of_kind(&all, "RMC")[1..] {
        let speed = rmc[7].parse::<f64>().unwrap() * 1852.0 / 3600.0;
        assert!((speed - 10.0).abs() < 0.001 && rmc[8] == "90.00", "{rmc:?}");
    }
}

#[test]
fn a_command_changes_the_rate_of_the_line_and_of_fixes() {
    for command in ["$PUBX,41,1,0007,0003,9600,0*10\r\n", "$PMTK251,9600*17\r\n"] {
        let mut gnss = receiver(&exact(), [48.0, 11.0, 500.0], [0.0; 3]);
        let tell = |gnss: &mut Bench<Gnss>, baud: u32, command: &str| {
            command.bytes().for_each(|byte| gnss.byte(SerialByte { byte, baud }));
        };
        tell(&mut gnss, 57_600, command);
        gnss.wait(Duration::from_ms(350));
        assert!(gnss.sent.iter().all(|(_, byte)| byte.baud == 115_200), "noise is no command");
        tell(&mut gnss, 115_200, &command.replace("*1", "*2"));
        gnss.wait(Duration::from_ms(200));
        assert!(gnss.sent.iter().all(|(_, byte)| byte.baud == 115_200), "a wrong sum");
        gnss.sent.clear();
        tell(&mut gnss, 115_200, command);
        gnss.wait(Duration::from_ms(400));
        assert!(gnss.sent.iter().all(|(_, byte)| byte.baud == 9600), "{command}");
        tell(&mut gnss, 9600, "$PMTK220,1000*1F\r\n");
        gnss.wait(Duration::from_ms(900));
        gnss.sent.clear();
        gnss.wait(Duration::from_secs(4));
        assert_eq!(of_kind(&said(&gnss), "RMC").len(), 4);
    }
}

/// Half of all fixes are within the CEP; most of the error stays from fix to fix.
#[test]
fn errors_have_their_size_and_their_slowness() {
    let settings = [
        ("error.horizontal", real(2.5)),
        ("error.vertical", real(4.0)),
        ("error.wander_time", real(5.0)),
        ("update_rate", real(1.0)),
        ("sentences", text("GGA")),
        ("time_to_first_fix", real(0.0)),
    ];
    let mut gnss = receiver(&settings, [0.0, 0.0, 0.0], [0.0; 3]);
    gnss.wait(Duration::from_secs(20_000));
    let all = said(&gnss);
    let metres = |angle: f64| angle.to_radians() * 6_378_137.0;
    let fixes: Vec<[f64; 3]> = all
        .iter()
        .map(|gga| {
            let (latitude, longitude) = (degrees(&gga[2], &gga[3]), degrees(&gga[4], &gga[5]));
            // A degree of latitude at the equator is shorter by e².
            [metres(latitude) * (1.0 - 0.006_694_38), metres(longitude), gga[9].parse().unwrap()]
        })
        .collect();
    let within = fixes.iter().filter(|[n, e, _]| libm::hypot(*n, *e) <= 2.5).count();
    let share = within as f64 / fixes.len() as f64;
    assert!((share - 0.5).abs() < 0.05, "{share}");
    let deviation = (fixes.iter().map(|f| f[2] * f[2]).sum::<f64>() / fixes.len() as f64).sqrt();
    assert!((deviation / 4.0 - 1.0).abs() < 0.1, "{deviation}");
    let product: f64 = fixes.windows(2).map(|pair| pair[0][0] * pair[1][0]).sum();
    let square: f64 = fixes.iter().map(|f| f[0] * f[0]).sum();
    // 95 % of the variance stays, by exp(-1/5) from fix to fix.
    let expected = 0.95 * libm::exp(-0.2);
    assert!((product / square - expected).abs() < 0.05, "{}", product / square);
}

#[test]
fn faults_take_height_satellites_or_the_fix() {
    let all_of = |fault: FaultMode, lost: i64| {
        let mut settings = exact();
        settings.push(("fault.satellites", Parameter::Integer(lost)));
        let mut gnss = receiver(&settings, [48.0, 11.0, 500.0], [0.0; 3]);
        gnss.wait(Duration::from_ms(390));
        gnss.fault = fault;
        gnss.reading(Quantity::Position, [48.0, 11.0, 600.0]);
        gnss.sent.clear();
        gnss.wait(Duration::from_ms(200));
        said(&gnss)
    };
    let number = |text: &str| text.parse::<f64>().unwrap();
    let well = all_of(FaultMode::None, 0);
    let (gga, gsa) = (of_kind(&well, "GGA")[0], of_kind(&well, "GSA")[0]);
    assert_eq!((gga[9].as_str(), gsa[2].as_str()), ("600.000", "3"));
    let flat = all_of(FaultMode::TwoDimensional, 0);
    assert_eq!(of_kind(&flat, "GSA")[0][2], "2");
    assert_eq!(of_kind(&flat, "GGA")[0][9], "500.000", "the last height that it knew");
    let few = all_of(FaultMode::SatellitesLost, 3);
    assert_eq!(number(&of_kind(&few, "GGA")[0][7]), number(&gga[7]) - 3.0);
    assert!(number(&of_kind(&few, "GGA")[0][8]) > number(&gga[8]));
    let none = all_of(FaultMode::SatellitesLost, 60);
    assert_eq!(
        (of_kind(&none, "GGA")[0][6].as_str(), of_kind(&none, "GSA")[0][2].as_str()),
        ("0", "1")
    );
    let lost = all_of(FaultMode::NoFix, 0);
    assert_eq!(
        (of_kind(&lost, "RMC")[0][2].as_str(), of_kind(&lost, "RMC")[0][12].as_str()),
        ("V", "N")
    );
    let stuck = all_of(FaultMode::Stuck, 0);
    assert_eq!(
        of_kind(&stuck, "GGA")[0][9],
        "600.000",
        "it is stuck where it was when it got stuck"
    );
}

proptest! {
    #[test]
    fn a_parser_finds_the_place_within_a_digit(
        latitude in -89.9..89.9f64,
        longitude in -180.0..180.0f64,
        height in -100.0..9000.0f64,
        velocity in prop::array::uniform2(-100.0..100.0f64),
        solution in 0usize..4,
    ) {
        let (name, quality) = [
            ("autonomous", "1"), ("differential", "2"), ("rtk-fixed", "4"), ("rtk-float", "5"),
        ][solution];
        let mut settings = exact();
        settings.push(("solution", text(name)));
        let [north, east] = velocity;
        let mut gnss = receiver(&settings, [latitude, longitude, height], [north, east, 0.0]);
        gnss.wait(Duration::from_ms(390));
        let all = said(&gnss);
        let (rmc, gga) = (of_kind(&all, "RMC")[0], of_kind(&all, "GGA")[0]);
        for fields in [&rmc[3..7], &gga[2..6]] {
            prop_assert!((degrees(&fields[0], &fields[1]) - latitude).abs() < 2e-9);
            prop_assert!((degrees(&fields[2], &fields[3]) - longitude).abs() < 2e-9);
        }
        prop_assert_eq!(gga[6].as_str(), quality);
        prop_assert!((gga[9].parse::<f64>().unwrap() - height).abs() <= 0.001);
        let speed = rmc[7].parse::<f64>().unwrap() * 1852.0 / 3600.0;
        prop_assert!((speed - libm::hypot(north, east)).abs() <= 0.0005);
        let course = rmc[8].parse::<f64>().unwrap().to_radians();
        prop_assert!((speed * libm::cos(course) - north).abs() < 0.03);
        prop_assert!((speed * libm::sin(course) - east).abs() < 0.03);
    }
}
