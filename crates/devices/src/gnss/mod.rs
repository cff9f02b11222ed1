//! A satellite receiver that speaks NMEA 0183 on a serial line.
//!
//! ```text
//! fix = truth + slow + white      slow: Gauss-Markov,  slow' = φ slow + √(1 - φ²) σ_slow n,  φ = exp(-T/τ)
//! σ of north and of east = CEP / √(2 ln 2)
//! ```

mod calendar;
mod line;
mod nmea;
mod parameters;
mod satellites;

use ironbird_kernel::{Duration, Grid, Rate, Time};
use ironbird_kinematics::{ECCENTRICITY_SQUARED, Geodetic, SEMI_MAJOR};
use serde::{Deserialize, Serialize};

pub use parameters::{GnssErrors, GnssFactors, GnssParameters, Solution, Talker};

use crate::SerialByte;
use crate::device::{Device, FaultMode, Line, Moment, Quantity, Shown};
use line::SerialOut;
use nmea::{Fix, Report};
use satellites::{Dilution, GLONASS, GPS, Satellite, System, in_view};

/// √(2 ln 2): half of a two-dimensional normal distribution is within so many deviations.
const CEP: f64 = 1.177_410_022_515_474_7;

/// The longest command that it reads.
const LONGEST: usize = 96;

/// A satellite receiver.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Gnss {
    /// Latitude and longitude in degrees, height in m; north, east, down in m/s.
    position: [f64; 3],
    velocity: Option<[f64; 3]>,
    /// Where it was at the last fix, and when.
    last: Option<([f64; 3], Time)>,
    /// What a stuck receiver repeats.
    held: Option<([f64; 3], [f64; 3])>,
    started: Time,
    /// Milliseconds since 1970 at the time 0 of the run.
    epoch: u64,
    /// The instants of its fixes; none before power is switched on.
    grid: Option<Grid>,
    tick: u64,
    next_fix: Time,
    /// The slow part of the error of north, east and down, in units of its deviation.
    wander: Option<[f64; 3]>,
    /// The last altitude that was known.
    altitude: f64,
    line: SerialOut,
    command: Vec<u8>,
}

impl Gnss {
    fn look_ahead(&mut self) {
        self.next_fix = self.grid.map_or(Time::NEVER, |grid| grid.tick(self.tick + 1));
    }

    /// From now on there are so many fixes per second.
    fn set_rate(&mut self, now: Time, numerator: u64, denominator: u64) {
        self.grid = Rate::new(numerator, denominator).ok().map(|rate| Grid::new(now, rate));
        self.tick = 0;
        self.look_ahead();
    }

    /// Makes a fix and writes what is to be said of it.
    fn make_fix(&mut self, moment: &mut Moment<'_, GnssParameters>) {
        // The next one; after a time in which the component was stopped, the last one that it missed.
        self.tick = self.grid.map_or(0, |grid| grid.count(moment.now));
        self.look_ahead();
        let parameters = moment.parameters;
        let errors = self.draw_errors(moment);
        let truth = (self.position, self.velocity(moment.now));
        let (position, velocity) = match moment.fault {
            FaultMode::Stuck => *self.held.get_or_insert(truth),
            _ => {
                self.held = None;
                truth
            }
        };
        let place = Geodetic::from_degrees(position[0], position[1], position[2]);
        let milliseconds = moment.now.as_ps() / 1_000_000_000;
        let time = self.epoch + milliseconds;
        let (talker, systems): (_, &[System]) = match parameters.talker {
            Talker::Several => ("GN", &[GPS, GLONASS]),
            Talker::Gps => ("GP", &[GPS]),
        };
        let mut seen = in_view(systems, place, time as f64 / 1000.0);
        if moment.has(FaultMode::SatellitesLost) {
            seen.drain(..seen.len().min(parameters.fault.satellites as usize));
        }
        let used: Vec<Satellite> = seen
            .iter()
            .copied()
            .filter(|satellite| satellite.elevation >= parameters.mask)
            .take(parameters.channels as usize)
            .collect();
        let is_early = moment.now.since(self.started).as_secs_f64() < parameters.time_to_first_fix;
        let is_received = place.is_on_earth() && !moment.has(FaultMode::NoFix);
        let has_fix = used.len() >= 3 && !is_early && is_received;
        let has_altitude = used.len() >= 4 && !moment.has(FaultMode::TwoDimensional);
        let fix = has_fix.then(|| {
            let [latitude, longitude, height] = displaced(place, errors.position);
            if has_altitude {
                self.altitude = height - parameters.geoid;
            }
            let [north, east] = [0, 1].map(|axis| velocity[axis] + errors.velocity[axis]);
            let course = libm::atan2(east, north).to_degrees();
            Fix {
                latitude,
                longitude,
                altitude: self.altitude,
                geoid: parameters.geoid,
                speed: libm::hypot(north, east),
                course: if course < 0.0 { course + 360.0 } else { course },
                has_altitude,
            }
        });
        let report = Report {
            talker,
            systems,
            time,
            mode: if has_fix { parameters.solution.mode() } else { 'N' },
            quality: if has_fix { parameters.solution.quality() } else { 0 },
            used: if has_fix { &used } else { &[] },
            seen: &seen,
            dilution: if has_fix { Dilution::of(&used) } else { Dilution::NONE },
            fix,
        };
        let mut said = Vec::with_capacity(512);
        for sentence in parameters.sentences.split_whitespace() {
            match sentence {
                "RMC" => report.rmc(&mut said),
                "GGA" => report.gga(&mut said),
                "GSA" => report.gsa(&mut said),
                "GSV" => report.gsv(&mut said),
                _ => report.vtg(&mut said),
            }
        }
        let latency = Duration::from_secs_f64_ceil(parameters.latency).unwrap_or(Duration::ZERO);
        self.line.say(moment.now + latency, said);
    }

    /// The velocity that is there, or that between the last fix and this one.
    fn velocity(&mut self, now: Time) -> [f64; 3] {
        let last = self.last.replace((self.position, now));
        match (self.velocity, last) {
            (Some(velocity), _) => velocity,
            (None, Some((before, then))) if then < now => {
                let [latitude, longitude, height] = before;
                let way = way(Geodetic::from_degrees(latitude, longitude, height), self.position);
                way.map(|part| part / now.since(then).as_secs_f64())
            }
            (None, _) => [0.0; 3],
        }
    }

    /// North, east, down of this fix in m and m/s.
    fn draw_errors(&mut self, moment: &mut Moment<'_, GnssParameters>) -> Drawn {
        let error = &moment.parameters.error;
        let period = self
            .grid
            .map_or(0.0, |Grid { rate, .. }| rate.denominator() as f64 / rate.numerator() as f64);
        let decay = libm::exp(-period / error.wander_time);
        let renewal = (1.0 - decay * decay).sqrt();
        let wander = match self.wander {
            Some(old) => old.map(|old| decay * old + renewal * moment.random.normal()),
            None => [(); 3].map(|()| moment.random.normal()),
        };
        self.wander = Some(wander);
        let factor = moment.noise_factor();
        let (slow, white) = ((1.0 - error.white).sqrt(), error.white.sqrt());
        let axis = error.horizontal / CEP;
        let deviations = [axis, axis, error.vertical];
        let position = std::array::from_fn(|i| {
            let drawn = slow * wander[i] + white * moment.random.normal();
            factor * deviations[i] * drawn
        });
        let velocity = [(); 3].map(|()| factor * error.speed * moment.random.normal());
        Drawn { position, velocity }
    }

    /// A line has come: `$PUBX,41` (u-blox) and `$PMTK251` (MediaTek) change the rate of the line, `$PMTK220` that of
    /// fixes. Others are not understood.
    fn obey(&mut self, now: Time, line: &[u8]) {
        let Some(content) = nmea::content(line) else { return };
        let fields: Vec<&str> = content.split(',').collect();
        match fields.as_slice() {
            ["PUBX", "41", "1", _, _, baud, _] | ["PMTK251", baud] => {
                let baud = baud.parse().ok().filter(|baud| parameters::BAUDS.contains(baud));
                if let Some(baud) = baud {
                    self.line.set_baud(now, baud);
                }
            }
            ["PMTK220", milliseconds] => {
                let milliseconds = milliseconds.parse().ok();
                let allowed = milliseconds.filter(|period| (50..=1000).contains(period));
                if let Some(milliseconds) = allowed {
                    self.set_rate(now, 1000, milliseconds);
                }
                let mut reply = Vec::new();
                // 3: done; 2: not possible.
                let done = if allowed.is_some() { 3 } else { 2 };
                nmea::frame(&format!("PMTK001,220,{done}"), &mut reply);
                self.line.say(now, reply);
            }
            _ => {}
        }
    }
}

struct Drawn {
    position: [f64; 3],
    velocity: [f64; 3],
}

/// Metres per radian of latitude and of longitude at a place.
fn metres_per_radian(place: Geodetic) -> [f64; 2] {
    let (sin, cos) = libm::sincos(place.latitude);
    let bent = 1.0 - ECCENTRICITY_SQUARED * sin * sin;
    let across = SEMI_MAJOR / bent.sqrt();
    let along = across * (1.0 - ECCENTRICITY_SQUARED) / bent;
    // At a pole no longitude is wrong.
    [along + place.height, ((across + place.height) * cos).max(1.0)]
}

/// A longitude within half a turn.
fn wrapped(longitude: f64) -> f64 {
    match longitude {
        l if l > 180.0 => l - 360.0,
        l if l < -180.0 => l + 360.0,
        l => l,
    }
}

/// A place so many metres north, east and down of another; latitude and longitude in degrees.
fn displaced(place: Geodetic, [north, east, down]: [f64; 3]) -> [f64; 3] {
    let [per_latitude, per_longitude] = metres_per_radian(place);
    let latitude = place.latitude.to_degrees() + (north / per_latitude).to_degrees();
    let longitude = place.longitude.to_degrees() + (east / per_longitude).to_degrees();
    [latitude.clamp(-90.0, 90.0), wrapped(longitude), place.height - down]
}

/// The way from one place to another near it, north, east and down.
fn way(from: Geodetic, [latitude, longitude, height]: [f64; 3]) -> [f64; 3] {
    let [per_latitude, per_longitude] = metres_per_radian(from);
    let north = latitude.to_radians() - from.latitude;
    let east = wrapped(longitude - from.longitude.to_degrees()).to_radians();
    [north * per_latitude, east * per_longitude, from.height - height]
}

impl Device for Gnss {
    type Parameters = GnssParameters;

    const TYPE: &'static str = "device.gnss";
    const DOC: &'static str = "\
A satellite receiver that sends NMEA 0183 sentences over a serial line.

Fixes err slowly and from fix to fix; satellites rise and set, and their geometry decides the dilutions. Bytes leave at the \
rate of the line. The commands $PUBX,41 and $PMTK251 change that rate, $PMTK220 that of fixes. `position` is where the \
antenna is (adapter.ned-to-geodetic makes it of a place in a world); without a `velocity` it takes that of its places.";
    const LINE: Line = Line::Serial;
    const MEASURES: &'static [Quantity] = &[Quantity::Position, Quantity::Velocity];
    const SHOWS: &'static [Shown] = &[];
    const FAULTS: &'static [FaultMode] = &[
        FaultMode::Dead,
        FaultMode::Stuck,
        FaultMode::Intermittent,
        FaultMode::BitFlips,
        FaultMode::Noise,
        FaultMode::TwoDimensional,
        FaultMode::SatellitesLost,
        FaultMode::NoFix,
    ];

    fn start(&mut self, moment: &mut Moment<'_, GnssParameters>) {
        let parameters = moment.parameters;
        *self = Gnss { started: moment.now, ..Gnss::default() };
        // The parameters have been checked.
        self.epoch = calendar::parse(&parameters.start).unwrap_or(0);
        let thousandths = (1000.0 * parameters.update_rate).round_ties_even() as u64;
        self.set_rate(moment.now, thousandths, 1000);
        self.line.set_baud(moment.now, parameters.baud);
    }

    fn reading(
        &mut self,
        _: &mut Moment<'_, GnssParameters>,
        quantity: Quantity,
        values: [f64; 3],
    ) {
        match quantity {
            Quantity::Position => self.position = values,
            _ => self.velocity = Some(values),
        }
    }

    fn byte(&mut self, moment: &mut Moment<'_, GnssParameters>, byte: SerialByte) {
        if moment.has(FaultMode::Dead) || !byte.is_readable_at(self.line.baud()) {
            self.command.clear();
            return;
        }
        if byte.byte == b'$' {
            self.command.clear();
        }
        self.command.push(byte.byte);
        if byte.byte == b'\n' {
            let line = std::mem::take(&mut self.command);
            self.obey(moment.now, &line);
        } else if self.command.len() > LONGEST {
            self.command.clear();
        }
    }

    fn next_event(&self) -> Time {
        self.next_fix.min(self.line.next_event())
    }

    fn act(&mut self, moment: &mut Moment<'_, GnssParameters>) -> Option<SerialByte> {
        let sent = self.line.act(moment.now);
        if self.next_fix <= moment.now {
            self.make_fix(moment);
        }
        sent
    }
}
