//! The answer to a packet of servos: a line of text that looks like JSON.
//!
//! ArduPilot does not parse JSON. It takes what stands between the last two line ends, looks there for the name of a
//! section and behind it for that of a key as they stand in the text, skips two characters (`":`), and reads a number. So
//! a line end stands on both sides, nothing stands between a key and its colon, no name may stand earlier inside another
//! one (`velocity` comes before `velocity_wind`), and numbers are finite.

use ironbird_kinematics::{Attitude, Geodetic};

/// Where the vehicle is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Position {
    /// North, east and down of home, in m.
    Local([f64; 3]),
    /// On the Earth; the first one is home.
    Geodetic(Geodetic),
}

/// What ArduPilot is told. What is not finite among the optional numbers is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Physics {
    /// Time of the physics in s, which is ArduPilot's clock.
    pub timestamp: f64,
    /// In rad/s, body axes.
    pub gyro: [f64; 3],
    /// What an accelerometer feels, in m/s², body axes.
    pub accel_body: [f64; 3],
    /// Where it is.
    pub position: Position,
    /// From body axes to north, east, down.
    pub attitude: Attitude,
    /// North, east and down in m/s.
    pub velocity: [f64; 3],
    /// North, east and down in m/s.
    pub wind: [f64; 3],
    /// In m/s.
    pub airspeed: f64,
    /// Where the wind comes from as a wind vane feels it, in radians clockwise from the nose, and its speed in m/s.
    pub wind_vane: [f64; 2],
    /// Distances in m.
    pub ranges: [f64; 6],
    /// Channels of the remote control in µs.
    pub channels: [f64; 12],
    /// Volts and amperes.
    pub battery: [f64; 2],
    /// ArduPilot does not hold the simulation back to real time.
    pub no_time_sync: bool,
}

/// The numbers without which ArduPilot drops a line.
fn needed(physics: &Physics) -> Vec<f64> {
    let Attitude { w, x, y, z } = physics.attitude;
    let position = match physics.position {
        Position::Local(position) => position,
        Position::Geodetic(Geodetic { latitude, longitude, height }) => {
            [latitude, longitude, height]
        }
    };
    [
        &[physics.timestamp][..],
        &physics.gyro,
        &physics.accel_body,
        &position,
        &[w, x, y, z],
        &physics.velocity,
    ]
    .concat()
}

/// `[1.0,-2.5]`; numbers that are very large or small have exponents.
fn list(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    format!("[{}]", numbers.join(","))
}

/// `"rc":{"rc_1":1500.0}` of those that are finite; none without any.
fn section(name: &str, entries: &[(String, f64)]) -> Option<String> {
    let entries: Vec<String> = entries
        .iter()
        .filter(|(_, number)| number.is_finite())
        .map(|(key, number)| format!("\"{key}\":{number:?}"))
        .collect();
    (!entries.is_empty()).then(|| format!("\"{name}\":{{{}}}", entries.join(",")))
}

impl Physics {
    /// The line; none if a number that ArduPilot needs is not finite.
    pub fn text(&self) -> Option<String> {
        if !needed(self).iter().all(|number| number.is_finite()) {
            return None;
        }
        let Attitude { w, x, y, z } = self.attitude;
        let mut parts = vec![
            format!("\"timestamp\":{:?}", self.timestamp),
            format!(
                "\"imu\":{{\"gyro\":{},\"accel_body\":{}}}",
                list(&self.gyro),
                list(&self.accel_body)
            ),
        ];
        parts.push(match self.position {
            Position::Local(position) => format!("\"position\":{}", list(&position)),
            Position::Geodetic(Geodetic { latitude, longitude, height }) => format!(
                "\"latitude\":{:?},\"longitude\":{:?},\"altitude\":{height:?}",
                latitude.to_degrees(),
                longitude.to_degrees()
            ),
        });
        // Of both, the quaternion counts; with the quaternion alone, distances are not read (4.7.0).
        parts.push(format!("\"attitude\":{}", list(&self.attitude.to_euler())));
        parts.push(format!("\"quaternion\":{}", list(&[w, x, y, z])));
        parts.push(format!("\"velocity\":{}", list(&self.velocity)));
        if self.wind.iter().all(|part| part.is_finite()) {
            parts.push(format!("\"velocity_wind\":{}", list(&self.wind)));
        }
        if self.airspeed.is_finite() {
            parts.push(format!("\"airspeed\":{:?}", self.airspeed));
        }
        for (number, range) in self.ranges.iter().enumerate().filter(|(_, x)| x.is_finite()) {
            parts.push(format!("\"rng_{}\":{range:?}", number + 1));
        }
        let [direction, speed] = self.wind_vane;
        let wind_vane = [("direction".to_owned(), direction), ("speed".to_owned(), speed)];
        parts.extend(section("windvane", &wind_vane));
        let channels = self.channels.iter().enumerate();
        let channels: Vec<_> =
            channels.map(|(number, pulse)| (format!("rc_{}", number + 1), *pulse)).collect();
        parts.extend(section("rc", &channels));
        let [voltage, current] = self.battery;
        let battery = [("voltage".to_owned(), voltage), ("current".to_owned(), current)];
        parts.extend(section("battery", &battery));
        if self.no_time_sync {
            parts.push("\"no_time_sync\":true".into());
        }
        Some(format!("\n{{{}}}\n", parts.join(",")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn physics() -> Physics {
        Physics {
            timestamp: 12.5,
            gyro: [0.1, -0.2, 1e-20],
            accel_body: [0.0, 0.5, -9.81],
            position: Position::Local([1.0, 2.0, -3.0]),
            attitude: Attitude::default(),
            velocity: [0.0, -1.0, 0.25],
            wind: [f64::NAN; 3],
            airspeed: f64::NAN,
            wind_vane: [f64::NAN; 2],
            ranges: [f64::NAN; 6],
            channels: [f64::NAN; 12],
            battery: [f64::NAN; 2],
            no_time_sync: true,
        }
    }

    /// What ArduPilot reads: the section as it stands in the text, the key behind it, two characters, a number.
    fn read(line: &str, section: &str, key: &str) -> Option<f64> {
        let from = &line[line.find(section)?..];
        let after = &from[from.find(key)? + key.len() + 2..];
        let after = after.trim_start_matches('[');
        let end = after.find([',', ']', '}']).unwrap_or(after.len());
        after[..end].parse().ok()
    }

    #[test]
    fn a_line_has_what_is_needed_between_line_ends() {
        let text = physics().text().unwrap();
        assert_eq!(
            text,
            "\n{\"timestamp\":12.5,\"imu\":{\"gyro\":[0.1,-0.2,1e-20],\"accel_body\":[0.0,0.5,-9.81]},\
             \"position\":[1.0,2.0,-3.0],\"attitude\":[0.0,0.0,0.0],\"quaternion\":[1.0,0.0,0.0,0.0],\
             \"velocity\":[0.0,-1.0,0.25],\"no_time_sync\":true}\n"
        );
    }

    #[test]
    fn every_name_is_found_by_its_first_place_in_the_text() {
        let full = Physics {
            position: Position::Geodetic(Geodetic::from_degrees(47.0, 8.0, 488.0)),
            wind: [3.0, 4.0, 5.0],
            airspeed: 17.0,
            wind_vane: [0.75, 6.0],
            ranges: [1.5, f64::NAN, 2.5, f64::NAN, f64::NAN, f64::NAN],
            channels: std::array::from_fn(|i| 1001.0 + i as f64),
            battery: [12.25, 3.5],
            ..physics()
        };
        let text = full.text().unwrap();
        for (section, key, expected) in [
            ("", "timestamp", 12.5),
            ("imu", "gyro", 0.1),
            ("imu", "accel_body", 0.0),
            ("", "longitude", 8.0),
            ("", "altitude", 488.0),
            ("", "velocity", 0.0),
            ("", "velocity_wind", 3.0),
            ("", "airspeed", 17.0),
            ("windvane", "direction", 0.75),
            ("windvane", "speed", 6.0),
            ("", "rng_1", 1.5),
            ("", "rng_3", 2.5),
            ("rc", "rc_1", 1001.0),
            ("rc", "rc_12", 1012.0),
            ("battery", "voltage", 12.25),
            ("battery", "current", 3.5),
        ] {
            assert_eq!(read(&text, section, key), Some(expected), "{section} {key} in {text}");
        }
        assert!(!text.contains("rng_2") && !text.contains(" :") && !text.contains("position"));
    }

    #[test]
    fn numbers_that_are_none_make_no_line() {
        let mut broken = physics();
        broken.velocity[1] = f64::NAN;
        assert_eq!(broken.text(), None);
    }
}
