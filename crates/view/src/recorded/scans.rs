//! What sensors with beams measured, where that was recorded.

use ironbird_record::{RecordError, Recording};

/// What one sensor measured over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scans {
    times: Vec<f64>,
    distances: Vec<Vec<f32>>,
}

/// Reads what sensors measured; `sensors` are the channels of their distances, in the order of the scene.
pub fn read(recording: &Recording, sensors: &[String]) -> Result<Vec<Scans>, RecordError> {
    let mut scans = vec![Scans::default(); sensors.len()];
    let is_recorded = |name: &str| recording.channels.iter().any(|channel| channel.name == name);
    let recorded = sensors.iter().enumerate().filter(|(_, name)| is_recorded(name));
    let (numbers, names): (Vec<usize>, Vec<&str>) =
        recorded.map(|(number, name)| (number, name.as_str())).unzip();
    if names.is_empty() {
        return Ok(scans);
    }
    recording.contents_of(&names, |which, time, values, payloads| {
        let distances = match payloads.first() {
            Some(payload) => payload.chunks_exact(4).map(number_of).collect(),
            // One beam: the first number of the value.
            None => values.first().map(|distance| vec![*distance as f32]).unwrap_or_default(),
        };
        scans[numbers[which]].add(time.as_secs_f64(), distances);
    })?;
    Ok(scans)
}

fn number_of(word: &[u8]) -> f32 {
    word.try_into().map_or(f32::INFINITY, f32::from_le_bytes)
}

impl Scans {
    /// Adds a measurement; one like the last says nothing new.
    fn add(&mut self, time: f64, distances: Vec<f32>) {
        if self.distances.last() != Some(&distances) {
            self.times.push(time);
            self.distances.push(distances);
        }
    }

    /// What it had measured last at these times, which go forward. A scan holds until the next, and comes once.
    pub fn at(&self, times: impl Iterator<Item = f64>) -> Vec<(f64, &[f32])> {
        let last = |time: f64| self.times.partition_point(|known| *known <= time).checked_sub(1);
        let mut seen: Vec<usize> = times.filter_map(last).collect();
        seen.dedup();
        seen.into_iter().map(|scan| (self.times[scan], &*self.distances[scan])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_holds_until_the_next_and_comes_once() {
        let mut scans = Scans::default();
        for (time, distance) in [(0.0, 5.0), (1.0, 5.0), (2.0, 4.0), (3.0, 3.0), (4.0, 2.0)] {
            scans.add(time, vec![distance]);
        }
        let at = |times: &[f64]| scans.at(times.iter().copied());
        assert_eq!(at(&[2.5, 2.9, 3.0, 3.5]), [(2.0, &[4.0][..]), (3.0, &[3.0])]);
        assert_eq!(at(&[1.5, 1.7]), [(0.0, &[5.0][..])], "one like the last says nothing new");
        assert_eq!(at(&[0.0, 4.0]).len(), 2, "no more than there are frames");
        assert!(at(&[-1.0]).is_empty() && Scans::default().at([0.0].into_iter()).is_empty());
    }
}
