//! Sentences of NMEA 0183.

use std::fmt::Write;

use super::calendar;
use super::satellites::{Dilution, Satellite, System};

/// What a receiver has found out.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Two letters.
    pub talker: &'a str,
    /// The systems that it receives.
    pub systems: &'a [System],
    /// Milliseconds since 1970.
    pub time: u64,
    /// None without a fix.
    pub fix: Option<Fix>,
    /// The letter of the mode, and the quality of a fix in GGA.
    pub mode: char,
    pub quality: u8,
    /// Those that it uses, and those that it sees.
    pub used: &'a [Satellite],
    pub seen: &'a [Satellite],
    pub dilution: Dilution,
}

/// A place and a velocity.
#[derive(Clone, Copy, Debug)]
pub struct Fix {
    /// In degrees.
    pub latitude: f64,
    pub longitude: f64,
    /// Above the sea, and of the geoid above the ellipsoid, in m.
    pub altitude: f64,
    pub geoid: f64,
    /// Over ground, in m/s, and in degrees from north.
    pub speed: f64,
    pub course: f64,
    /// Whether the altitude is known.
    pub has_altitude: bool,
}

/// Metres per second in a knot.
const KNOT: f64 = 1852.0 / 3600.0;

/// Decimals of minutes: 0.2 mm.
const DECIMALS: u64 = 10_000_000;

/// Appends `$`, what stands between, `*`, the check sum, carriage return and line feed.
pub fn frame(content: &str, to: &mut Vec<u8>) {
    let sum = content.bytes().fold(0, |sum, byte| sum ^ byte);
    to.extend_from_slice(format!("${content}*{sum:02X}\r\n").as_bytes());
}

/// What stands between `$` and `*` of a line whose check sum is right.
pub fn content(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line).ok()?.trim_end();
    let (content, sum) = line.strip_prefix('$')?.rsplit_once('*')?;
    let sum = u8::from_str_radix(sum, 16).ok().filter(|_| sum.len() == 2)?;
    (content.bytes().fold(0, |sum, byte| sum ^ byte) == sum).then_some(content)
}

/// `ddmm.mmmmmmm,N`, with as many digits of degrees as asked for.
fn angle(degrees: f64, digits: usize, positive: char, negative: char) -> String {
    let steps = (degrees.abs() * 60.0 * DECIMALS as f64).round_ties_even() as u64;
    let (minutes, fraction) = (steps / DECIMALS, steps % DECIMALS);
    let sign = if degrees < 0.0 { negative } else { positive };
    format!("{:0digits$}{:02}.{fraction:07},{sign}", minutes / 60, minutes % 60)
}

impl Report<'_> {
    fn place(&self) -> String {
        match &self.fix {
            Some(fix) => {
                let latitude = angle(fix.latitude, 2, 'N', 'S');
                format!("{latitude},{}", angle(fix.longitude, 3, 'E', 'W'))
            }
            None => ",,,".into(),
        }
    }

    /// Recommended minimum: time, place, speed, course, date.
    pub fn rmc(&self, to: &mut Vec<u8>) {
        let (time, date) = (calendar::time_of_day(self.time), calendar::date(self.time));
        let (status, motion) = match &self.fix {
            Some(fix) => ('A', format!("{:.3},{:.2}", fix.speed / KNOT, course(fix.course))),
            None => ('V', ",".into()),
        };
        let (talker, place, mode) = (self.talker, self.place(), self.mode);
        frame(&format!("{talker}RMC,{time},{status},{place},{motion},{date},,,{mode}"), to);
    }

    /// Fix data: time, place, quality, satellites, dilution, altitude.
    pub fn gga(&self, to: &mut Vec<u8>) {
        let (talker, place, quality) = (self.talker, self.place(), self.quality);
        let (time, used) = (calendar::time_of_day(self.time), self.used.len().min(99));
        let horizontal = self.dilution.horizontal;
        let height = match &self.fix {
            Some(fix) => format!("{:.3},M,{:.3},M", fix.altitude, fix.geoid),
            None => ",M,,M".into(),
        };
        let content =
            format!("{talker}GGA,{time},{place},{quality},{used:02},{horizontal:.2},{height},,");
        frame(&content, to);
    }

    /// Satellites that are used, twelve at most of each system, and dilutions.
    pub fn gsa(&self, to: &mut Vec<u8>) {
        let kind = match &self.fix {
            Some(fix) if fix.has_altitude => 3,
            Some(_) => 2,
            None => 1,
        };
        let Dilution { horizontal, vertical } = self.dilution;
        let position = self.dilution.position();
        for system in self.systems {
            let mut content = format!("{}GSA,A,{kind}", self.talker);
            let mut used = self.used.iter().filter(|satellite| system.has(satellite));
            for _ in 0..12 {
                // Writing to a text cannot fail.
                let _ = match used.next() {
                    Some(satellite) => write!(content, ",{:02}", satellite.number),
                    None => write!(content, ","),
                };
            }
            let _ = write!(content, ",{position:.2},{horizontal:.2},{vertical:.2}");
            frame(&content, to);
        }
    }

    /// Satellites in view, four a sentence, each system with its own talker.
    pub fn gsv(&self, to: &mut Vec<u8>) {
        for system in self.systems {
            let seen: Vec<&Satellite> = self.seen.iter().filter(|one| system.has(one)).collect();
            let (talker, count) = (system.talker, seen.len().div_ceil(4).max(1));
            for number in 1..=count {
                let mut content = format!("{talker}GSV,{count},{number},{:02}", seen.len());
                for satellite in seen.iter().skip(4 * (number - 1)).take(4) {
                    let Satellite { number, elevation, azimuth } = satellite;
                    let (elevation, azimuth) = (*elevation as u32, *azimuth as u32 % 360);
                    let signal = satellite.signal();
                    let _ = write!(content, ",{number:02},{elevation:02},{azimuth:03},{signal:02}");
                }
                frame(&content, to);
            }
        }
    }

    /// Course and speed.
    pub fn vtg(&self, to: &mut Vec<u8>) {
        let motion = match &self.fix {
            Some(fix) => {
                let (knots, kilometres) = (fix.speed / KNOT, 3.6 * fix.speed);
                format!("{:.2},T,,M,{knots:.3},N,{kilometres:.3},K", course(fix.course))
            }
            None => ",T,,M,,N,,K".into(),
        };
        frame(&format!("{}VTG,{motion},{}", self.talker, self.mode), to);
    }
}

/// A course that is not rounded to 360.00.
fn course(degrees: f64) -> f64 {
    if degrees >= 359.995 { 0.0 } else { degrees }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_never_rounded_to_sixty() {
        assert_eq!(angle(47.999_999_999_999, 2, 'N', 'S'), "4800.0000000,N");
        assert_eq!(angle(-8.5, 3, 'E', 'W'), "00830.0000000,W");
    }

    #[test]
    fn a_line_is_taken_if_its_sum_is_right() {
        // The sum of this well-known command of MediaTek receivers.
        assert_eq!(content(b"$PMTK251,38400*27\r\n"), Some("PMTK251,38400"));
        assert_eq!(content(b"$PMTK251,38400*28\r\n"), None);
        assert_eq!(content(b"$PMTK251,38400\r\n"), None);
        assert_eq!(content(&[b'$', 0xFF, b'*', b'0', b'0']), None);
    }
}
