//! The model behind `plant.multirotor`: reads inputs, moves, shows how it moves.

use ironbird_component::Parameters;
use ironbird_kernel::{
    LoadError, Model, Parameter, ParameterError, Periodic, Ports, SaveError, SignalIn, SignalOut,
    Start, StateReader, StateWriter, Step, Time,
};
use ironbird_kinematics::{Attitude, Motion, RigidMotion};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::component::{Motors, MultirotorParameters};
use super::forces::Multirotor;
use crate::vehicle::integrate::{Acceleration, Held, SolvedInertia, acceleration, step as advance};
use crate::vehicle::{Surroundings, Vehicle};

/// The longest step of the Runge-Kutta method, also after a pause, over the shortest time constant of a motor: well
/// within its stability, which ends at 2.8.
const LONGEST_STEP: f64 = 0.5;

/// The handles of all ports.
struct Handles {
    commands: Vec<SignalIn<f64>>,
    wind: SignalIn<[f64; 3]>,
    density: SignalIn<f64>,
    rain: SignalIn<f64>,
    motion: SignalOut<Motion>,
    specific_force: SignalOut<[f64; 3]>,
    angles: [SignalOut<f64>; 3],
    states: Vec<SignalOut<f64>>,
}

pub(super) struct MultirotorModel {
    parameters: MultirotorParameters,
    craft: Multirotor,
    mass: SolvedInertia,
    handles: Option<Handles>,
    longest: f64,
    motion: RigidMotion,
    /// Speeds of the motors, and what else it has.
    own: Vec<f64>,
    distance: f64,
    last: Time,
    /// Read anew at every step.
    commands: Vec<f64>,
    around: Surroundings,
}

impl MultirotorModel {
    pub fn new(parameters: MultirotorParameters, craft: Multirotor, mass: SolvedInertia) -> Self {
        let lags = craft.parts().rotors.iter().map(|rotor| rotor.rise.min(rotor.fall));
        MultirotorModel {
            longest: LONGEST_STEP * lags.fold(f64::INFINITY, f64::min),
            own: vec![0.0; craft.states().len()],
            commands: vec![0.0; craft.commands().len()],
            parameters,
            craft,
            mass,
            handles: None,
            motion: RigidMotion::default(),
            distance: 0.0,
            last: Time::ZERO,
            around: Surroundings::default(),
        }
    }

    /// The inputs, by a function that reads signals; answers with the name of one that is no number.
    fn read(
        &mut self,
        number: impl Fn(SignalIn<f64>) -> f64,
        wind: [f64; 3],
    ) -> Result<(), String> {
        let Some(handles) = &self.handles else { return Ok(()) };
        let channels = self.craft.commands();
        for ((read, port), channel) in self.commands.iter_mut().zip(&handles.commands).zip(channels)
        {
            let value = number(*port);
            if value.is_nan() {
                return Err(format!("the input \"{}\" is NaN: it must be a number", channel.name));
            }
            *read = channel.limit(value);
        }
        let (density, rain) = (number(handles.density), number(handles.rain));
        let around = [("density", density), ("rain", rain), ("wind", wind.iter().sum())];
        if let Some((name, value)) = around.iter().find(|(_, value)| !value.is_finite()) {
            return Err(format!("the input \"{name}\" is {value}: it must be a number"));
        }
        self.around = Surroundings {
            wind: wind.into(),
            density: density.max(0.0),
            gravity: Vector3::new(0.0, 0.0, self.parameters.gravity),
            rain: rain.max(0.0),
            ..Surroundings::default()
        };
        self.measure_height();
        Ok(())
    }

    fn measure_height(&mut self) {
        if self.parameters.ground_effect {
            self.around.height = (-self.motion.position.z).max(0.0);
        }
    }

    fn advance(&mut self, seconds: f64) {
        // Rarely more than `sub_steps`; `as` saturates for a pause of years.
        let steps = self.parameters.sub_steps.max((seconds / self.longest).ceil() as u32);
        let h = seconds / f64::from(steps);
        let (craft, mass) = (&self.craft, &self.mass);
        for _ in 0..steps {
            let before = self.motion.position;
            let (motion, own) = (&mut self.motion, &mut self.own);
            let held = Held { commands: &self.commands, around: &self.around };
            advance(craft, mass, motion, own, &held, h, None);
            self.distance += (self.motion.position.xy() - before.xy()).norm();
            if self.parameters.ground_effect {
                self.around.height = (-self.motion.position.z).max(0.0);
            }
        }
    }

    fn accelerated(&self) -> Acceleration {
        let MultirotorModel { craft, mass, motion, own, commands, around, .. } = self;
        acceleration(craft, mass, motion, own, &Held { commands, around })
    }

    fn is_finite(&self) -> bool {
        let RigidMotion { position, velocity, attitude, rates } = &self.motion;
        let numbers = position.iter().chain(velocity).chain(&attitude.coords).chain(rates);
        numbers.chain(&self.own).all(|number| number.is_finite())
    }
}

/// What is shown at an instant.
struct Shown {
    motion: Motion,
    specific_force: [f64; 3],
    angles: [f64; 3],
}

impl MultirotorModel {
    fn shown(&self) -> Shown {
        let accelerated = self.accelerated();
        let attitude = Attitude::from(self.motion.attitude);
        let force = accelerated.specific_force(&self.motion, &self.around.gravity);
        Shown {
            motion: Motion {
                position: self.motion.position.into(),
                velocity: self.motion.velocity.into(),
                acceleration: accelerated.linear.into(),
                attitude,
                angular_velocity: self.motion.rates.into(),
                distance: self.distance,
            },
            specific_force: force.into(),
            angles: attitude.to_euler(),
        }
    }
}

/// Writes all outputs; `Start` and `Step` write alike, and share no trait.
macro_rules! show {
    ($model:expr, $to:expr) => {
        let shown = $model.shown();
        if let Some(handles) = &$model.handles {
            $to.write(handles.motion, shown.motion);
            $to.write(handles.specific_force, shown.specific_force);
            for (port, angle) in handles.angles.iter().zip(shown.angles) {
                $to.write(*port, angle);
            }
            for (port, value) in handles.states.iter().zip(&$model.own) {
                $to.write(*port, *value);
            }
        }
    };
}

impl Model for MultirotorModel {
    fn ports(&mut self, ports: &mut Ports) {
        let still = Surroundings::default();
        let commands = self.craft.commands().iter();
        self.handles = Some(Handles {
            commands: commands.map(|c| ports.signal_in_or(&c.name, c.rest)).collect(),
            wind: ports.signal_in_or("wind", [0.0; 3]),
            density: ports.signal_in_or("density", still.density),
            rain: ports.signal_in_or("rain", 0.0),
            motion: ports.signal_out("motion", Motion::default()),
            specific_force: ports.signal_out("specific_force", [0.0; 3]),
            angles: ["roll", "pitch", "yaw"].map(|name| ports.signal_out(name, 0.0)),
            states: self.craft.states().iter().map(|name| ports.signal_out(name, 0.0)).collect(),
        });
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        let initial = &self.parameters.initial;
        let [roll, pitch, yaw] = initial.attitude;
        self.motion = RigidMotion {
            position: initial.position.into(),
            velocity: initial.velocity.into(),
            attitude: Attitude::from_euler(roll, pitch, yaw).quaternion(),
            rates: initial.rates.into(),
        };
        let settled = initial.motors == Motors::Settled;
        // Behind the speeds of the motors; what does not grow warm has no such number.
        if let Some(warmth) = self.own.get_mut(self.craft.parts().rotors.len()) {
            *warmth = initial.warmth;
        }
        self.last = start.now();
        let wind = self.handles.as_ref().map_or([0.0; 3], |handles| *start.signal(handles.wind));
        // What is no number is refused at the first step, with its name.
        if self.read(|port| *start.signal(port), wind).is_ok() {
            if settled {
                self.craft.settled(&self.commands, &mut self.own);
            }
            show!(self, start);
        }
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        self.parameters.set(name, &value)
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let RigidMotion { position, velocity, attitude, rates } = &self.motion;
        let vectors: [[f64; 3]; 3] = [(*position).into(), (*velocity).into(), (*rates).into()];
        let turned: [f64; 4] = attitude.coords.into();
        state.put(&(vectors, turned, &self.own, self.distance, self.last))?;
        self.parameters.save(state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let (vectors, turned, own, distance, last): ([[f64; 3]; 3], [f64; 4], Vec<f64>, _, _) =
            state.get()?;
        if own.len() != self.own.len() {
            return Err(LoadError::Failed(format!("it has {} numbers of its own", self.own.len())));
        }
        let [position, velocity, rates] = vectors.map(Vector3::from);
        let attitude = UnitQuaternion::new_unchecked(Quaternion::from(turned));
        self.motion = RigidMotion { position, velocity, attitude, rates };
        (self.own, self.distance, self.last) = (own, distance, last);
        self.parameters.load(state)
    }
}

impl Periodic for MultirotorModel {
    fn step(&mut self, step: &mut Step<'_>) {
        let wind = self.handles.as_ref().map_or([0.0; 3], |handles| *step.signal(handles.wind));
        if let Err(why) = self.read(|port| *step.signal(port), wind) {
            return step.fail(why);
        }
        let now = step.now();
        if self.last < now {
            self.advance((now - self.last).as_secs_f64());
            self.last = now;
        }
        if !self.is_finite() {
            return step.fail(
                "the motion has grown beyond all numbers: check the inputs and the file, or raise \
                 \"sub_steps\"",
            );
        }
        show!(self, step);
    }
}
