//! A world in a checkpoint: everything that decides its future, as numbers.

use ironbird_kernel::{LoadError, SaveError, StateReader, StateWriter, Time};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::measured::Measured;
use super::model::WorldModel;
use super::truth::Truth;
use crate::body_state::{BodyState, Reaction, Warm};
use crate::sensor::NoiseState;

/// One body: its numbers, those of its joints, its contacts.
type Saved = (Vec<f64>, Vec<f64>, Vec<SavedContact>, u32);

/// One contact: its key in two halves, its force and its speed, whether it sticks.
type SavedContact = (u64, u64, [f64; 3], [f64; 3], bool);

/// One sensor: biases, whether they were drawn, when it measured last, how often.
type Sensor = ([f64; 3], [bool; 3], Option<Time>, u64);

pub(super) fn save(
    model: &WorldModel,
    measured: &[Measured],
    distances: impl Iterator<Item = f64>,
    state: &mut StateWriter,
) -> Result<(), SaveError> {
    let bodies: Vec<Saved> = model.world.bodies().map(|body| flatten(&body.state)).collect();
    let sensors: Vec<Sensor> = measured
        .iter()
        .map(|sensor| {
            let (biases, begun) = (sensor.noise.map(|n| n.bias), sensor.noise.map(|n| n.begun));
            (biases, begun, sensor.last, sensor.count)
        })
        .collect();
    let light = [model.sun, model.cloud];
    state.put(&(model.wind, model.rain, light, model.begin, model.world.tally().steps))?;
    state.put(&bodies)?;
    state.put(&sensors)?;
    state.put(&distances.collect::<Vec<f64>>())
}

pub(super) fn load(
    model: &mut WorldModel,
    measured: &mut [Measured],
    truth: &mut [Truth],
    state: &mut StateReader<'_>,
) -> Result<(), LoadError> {
    let (wind, rain, light, begin, steps): ([f64; 3], f64, [f64; 2], Time, u64) = state.get()?;
    let bodies: Vec<Saved> = state.get()?;
    let sensors: Vec<Sensor> = state.get()?;
    let distances: Vec<f64> = state.get()?;
    let fits = bodies.len() == model.world.bodies().len()
        && sensors.len() == measured.len()
        && distances.len() == truth.len();
    if !fits {
        return Err(LoadError::Failed("the world has other bodies or sensors".into()));
    }
    (model.wind, model.rain, model.begin) = (wind, rain, begin);
    [model.sun, model.cloud] = light;
    for (number, saved) in bodies.iter().enumerate() {
        let state = &mut model.world.body_mut(number).state;
        unflatten(saved, state).ok_or_else(|| {
            LoadError::Failed("a body of the world has other numbers of its own".into())
        })?;
    }
    for (sensor, (biases, begun, last, count)) in measured.iter_mut().zip(sensors) {
        sensor.noise = [0, 1, 2].map(|n| NoiseState { bias: biases[n], begun: begun[n] });
        (sensor.last, sensor.count) = (last, count);
    }
    for (truth, distance) in truth.iter_mut().zip(distances) {
        truth.distance = distance;
    }
    model.world.go_to(steps);
    Ok(())
}

fn flatten(state: &BodyState) -> Saved {
    let m = &state.motion;
    let mut numbers = Vec::with_capacity(100);
    for vector in [m.position, m.velocity, m.rates, state.acceleration, state.angular_acceleration]
    {
        numbers.extend(vector.iter());
    }
    numbers.extend(m.attitude.coords.iter());
    numbers.extend(state.reaction.force.iter().chain(state.reaction.moment.iter()));
    numbers.push(state.reaction.overlap);
    for slice in [&state.own[..], &state.loop_own, &state.commands, &state.set_points] {
        numbers.extend(slice);
    }
    let warm = state.warm.iter().map(|&Warm { key, force, ended, sticks }| {
        ((key >> 64) as u64, key as u64, force, ended, sticks)
    });
    (numbers, state.joints.clone(), warm.collect(), state.reaction.points)
}

fn unflatten((numbers, joints, warm, points): &Saved, state: &mut BodyState) -> Option<()> {
    if joints.len() != state.joints.len() {
        return None;
    }
    state.joints.copy_from_slice(joints);
    let mut numbers = numbers.iter().copied();
    let mut vector = || Some(Vector3::new(numbers.next()?, numbers.next()?, numbers.next()?));
    state.motion.position = vector()?;
    state.motion.velocity = vector()?;
    state.motion.rates = vector()?;
    state.acceleration = vector()?;
    state.angular_acceleration = vector()?;
    let mut number = || numbers.next();
    let (i, j, k, w) = (number()?, number()?, number()?, number()?);
    state.motion.attitude = UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k));
    let mut vector = || Some(Vector3::new(numbers.next()?, numbers.next()?, numbers.next()?));
    let (force, moment) = (vector()?, vector()?);
    state.reaction = Reaction { force, moment, points: *points, overlap: numbers.next()? };
    for slice in
        [&mut state.own[..], &mut state.loop_own, &mut state.commands, &mut state.set_points]
    {
        for value in slice {
            *value = numbers.next()?;
        }
    }
    state.warm.clear();
    state.warm.extend(warm.iter().map(|&(high, low, force, ended, sticks)| Warm {
        key: u128::from(high) << 64 | u128::from(low),
        force,
        ended,
        sticks,
    }));
    numbers.next().is_none().then_some(())
}
