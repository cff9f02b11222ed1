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

    /// What it measured within a span, and last before it.
    pub fn within(&self, from: f64, to: f64) -> (&[f64], &[Vec<f32>]) {
        let first = self.times.partition_point(|time| *time <= from).saturating_sub(1);
        let end = self.times.partition_point(|time| *time <= to).max(first);
        (&self.times[first..end], &self.distances[first..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_begins_with_what_was_measured_before_it() {
        let mut scans = Scans::default();
        for (time, distance) in [(0.0, 5.0), (1.0, 5.0), (2.0, 4.0), (3.0, 3.0), (4.0, 2.0)] {
            scans.add(time, vec![distance]);
        }
        let (times, distances) = scans.within(2.5, 3.5);
        assert_eq!((times, distances), (&[2.0, 3.0][..], &[vec![4.0], vec![3.0]][..]));
        assert_eq!(scans.within(1.5, 1.7).0, [0.0]);
        assert!(Scans::default().within(0.0, 1.0).0.is_empty());
    }
}
