//! A world that steps with the rest of the system.

use ironbird_environment::air::{SEA_LEVEL_PRESSURE, StandardAtmosphere, daylight};
use ironbird_environment::magnetic::LocalField;
use ironbird_kernel::{
    Duration, LoadError, Model, Parameter, ParameterError, Periodic, Ports, SaveError, SignalIn,
    SignalOut, Start, StateReader, StateWriter, Step, Time,
};
use nalgebra::Vector3;

use super::inputs::{Inputs, Reads, WAYS};
use super::measured::{Measured, heard};
use super::saved;
use super::truth::{Around, Truth};
use crate::scene::Scene;
use crate::sensor::{SensorPlan, Sound, View, air_at};
use crate::world::World;

/// What changes slowly is shown this often, in steps of 10 ms.
const SLOW: u64 = 10_000_000_000;

/// A world and its ports.
pub(super) struct WorldModel {
    pub world: World,
    /// Length of a step.
    step: Duration,
    /// Parameters: added to what the file says.
    pub wind: [f64; 3],
    pub rain: f64,
    /// Height of the sun above the horizon in rad, and how much of the sky is clouded.
    pub sun: f64,
    pub cloud: f64,
    /// As the file says.
    dry: f64,
    atmosphere: StandardAtmosphere,
    elevation: f64,
    magnetic_field: LocalField,
    sounds: Vec<Sound>,
    sensors: Vec<(usize, SensorPlan)>,
    ports: Option<AllPorts>,
    pub begin: Time,
}

struct AllPorts {
    wind: [SignalIn<f64>; 3],
    rain: SignalIn<f64>,
    light: SignalOut<f64>,
    inputs: Vec<Inputs>,
    truth: Vec<Truth>,
    measured: Vec<Measured>,
}

impl WorldModel {
    pub fn new(world: World, scene: Scene, step: Duration, field: LocalField) -> Self {
        let number = |name: &str| world.bodies().position(|body| body.name() == name);
        let mut sensors: Vec<(usize, SensorPlan)> = Vec::new();
        for vehicle in scene.vehicles {
            if let Some(body) = number(&vehicle.body.name) {
                sensors.extend(vehicle.sensors.into_iter().map(|sensor| (body, sensor)));
            }
        }
        WorldModel {
            dry: world.weather.rain,
            atmosphere: StandardAtmosphere::new(world.weather.warmer, SEA_LEVEL_PRESSURE),
            elevation: scene.origin.map_or(0.0, |origin| origin.height),
            magnetic_field: field,
            sounds: scene.sounds,
            world,
            step,
            wind: [0.0; 3],
            rain: 0.0,
            sun: 0.0,
            cloud: 0.0,
            sensors,
            ports: None,
            begin: Time::ZERO,
        }
    }

    /// What others can link to.
    pub fn describe(&self) -> Vec<ironbird_component::PortDescription> {
        let wind = "Velocity of the air, added to that of the file and of the parameter.";
        let rain = "Rain, added to that of the file and of the parameter.";
        let mut ports: Vec<_> = WAYS
            .iter()
            .map(|way| super::input::<f64>(&format!("wind.{way}"), "m/s", None, wind))
            .collect();
        ports.push(super::input::<f64>("rain", "mm/h", None, rain));
        let light = "Light from the sky on level ground, in lx.";
        ports.push(super::output::<f64>("light", "1", None, light));
        for body in self.world.bodies() {
            ports.extend(Inputs::describe(body));
        }
        for body in self.world.bodies() {
            ports.extend(Truth::describe(body));
        }
        for (body, plan) in &self.sensors {
            ports.push(Measured::describe(plan, self.world.body(*body).name()));
        }
        ports
    }

    /// Gives the world what is at the inputs.
    fn take(&mut self, from: &impl Reads) -> Result<(), String> {
        let Some(ports) = &self.ports else { return Ok(()) };
        let wind = Vector3::from(ports.wind.map(|port| from.number(port)));
        self.world.weather.more_wind = Vector3::from(self.wind) + wind;
        self.world.weather.rain = (self.dry + self.rain + from.number(ports.rain)).max(0.0);
        for (number, inputs) in ports.inputs.iter().enumerate() {
            inputs.take(self.world.body_mut(number), from)?;
        }
        Ok(())
    }
}

/// What sensors see of a world.
macro_rules! view {
    ($model:expr, $sounds:expr) => {
        View {
            world: &$model.world,
            atmosphere: &$model.atmosphere,
            elevation: $model.elevation,
            magnetic_field: &$model.magnetic_field,
            sounds: $sounds,
        }
    };
}

impl Model for WorldModel {
    fn ports(&mut self, ports: &mut Ports) {
        let bodies = || self.world.bodies();
        let wind = WAYS.map(|way| ports.signal_in_or(&format!("wind.{way}"), 0.0));
        let rain = ports.signal_in_or("rain", 0.0);
        let light = ports.signal_out("light", 0.0);
        let inputs = bodies().map(|body| Inputs::declare(body, ports)).collect();
        let truth = bodies().map(|body| Truth::declare(body, ports)).collect();
        let mut measured = Vec::new();
        for (body, plan) in &self.sensors {
            let owner = self.world.body(*body).name().to_owned();
            measured.push(Measured::declare(plan.clone(), *body, &owner, ports));
        }
        self.ports = Some(AllPorts { wind, rain, light, inputs, truth, measured });
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        self.begin = start.now();
        if let Err(why) = self.take(start) {
            return start.fail(why);
        }
        self.world.moved();
        self.world.feel();
        let sounds = heard(&self.sounds, &self.world);
        let light = daylight(self.sun, self.cloud);
        let view = view!(self, &sounds);
        let Some(ports) = &mut self.ports else { return };
        start.write(ports.light, light);
        for (number, truth) in ports.truth.iter_mut().enumerate() {
            let body = view.world.body(number);
            let around = around(&view, number);
            truth.show(body, Some(&around), start);
        }
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        let Parameter::Real(number) = value else {
            return Err(ParameterError::Unknown { name: name.into() });
        };
        match name {
            "wind[0]" => self.wind[0] = number,
            "wind[1]" => self.wind[1] = number,
            "wind[2]" => self.wind[2] = number,
            "rain" => self.rain = number,
            "sun" => self.sun = number,
            "cloud" => self.cloud = number,
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let ports = self.ports.as_ref();
        let measured = ports.map_or(&[][..], |ports| &ports.measured);
        let distances = ports.map_or(&[][..], |ports| &ports.truth);
        saved::save(self, measured, distances.iter().map(|truth| truth.distance), state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let Some(mut ports) = self.ports.take() else { return Err(LoadError::Unsupported) };
        let AllPorts { measured, truth, .. } = &mut ports;
        let loaded = saved::load(self, measured, truth, state);
        self.ports = Some(ports);
        loaded
    }
}

impl Periodic for WorldModel {
    fn step(&mut self, step: &mut Step<'_>) {
        if let Err(why) = self.take(step) {
            return step.fail(why);
        }
        let passed = step.now().since(self.begin);
        let due = passed.as_ps() / self.step.as_ps();
        let steps = due.saturating_sub(self.world.tally().steps);
        if let Err(error) = self.world.advance(u32::try_from(steps).unwrap_or(u32::MAX)) {
            return step.fail(error.to_string());
        }
        let slow = passed.as_ps().is_multiple_of(SLOW);
        let sounds =
            if self.sounds.is_empty() { Vec::new() } else { heard(&self.sounds, &self.world) };
        let begin = self.begin;
        let span = self.step.as_secs_f64() * steps as f64;
        let light = slow.then(|| daylight(self.sun, self.cloud));
        let view = view!(self, &sounds);
        let Some(ports) = &mut self.ports else { return };
        if let Some(light) = light {
            step.write(ports.light, light);
        }
        for (number, truth) in ports.truth.iter_mut().enumerate() {
            let body = view.world.body(number);
            truth.distance += body.state.motion.velocity.norm() * span;
            let around = slow.then(|| around(&view, number));
            truth.show(body, around.as_ref(), step);
        }
        for measured in &mut ports.measured {
            measured.measure(&view, step, begin);
        }
    }
}

fn around(view: &View<'_>, number: usize) -> Around {
    let body = view.world.body(number);
    let place = body.state.motion.position;
    Around {
        air: air_at(view.atmosphere, view.elevation - place.z),
        magnetic_field: view.magnetic_field.at(&place),
        sound: view.sound(&place),
    }
}
