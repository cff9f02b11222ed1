//! What surrounds random models: fields that answer queries, and disturbances on links.

use ironbird_kernel::{
    AnyValue, Duration, Interposer, LoadError, Parameter, ParameterError, Passage, Provider,
    RandomStream, SaveError, Scalar, StateReader, StateWriter, Time,
};

use super::behaviour::{mix, real_of};

/// Answers queries: a pure function of its parameter, the time and the argument.
#[derive(Clone, Debug)]
pub struct Field {
    pub strength: i64,
}

impl Provider<u64, f64> for Field {
    fn answer(&self, now: Time, argument: &u64) -> f64 {
        libm::sin(real_of(mix(*argument, now.as_ps())) * self.strength as f64)
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match value {
            Parameter::Integer(strength) if name == "gain" => self.strength = strength,
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.strength)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.strength = state.get()?;
        Ok(())
    }
}

/// Drops, delays and changes what passes.
#[derive(Clone, Debug)]
pub struct Disturbance {
    pub drop_percent: u64,
    pub delays: Vec<u64>,
    pub severity: i64,
    pub seen: u64,
}

impl Interposer for Disturbance {
    fn pass(&mut self, now: Time, value: &mut dyn AnyValue, random: &mut RandomStream) -> Passage {
        self.seen = mix(self.seen, now.as_ps());
        if random.below(100) < self.drop_percent {
            return Passage::Drop;
        }
        let changed = match value.leaf_at(0) {
            Some(Scalar::Unsigned(hash)) => Scalar::Unsigned(mix(hash, self.severity as u64)),
            Some(Scalar::Float(x)) => {
                Scalar::Float(libm::sin(x + real_of(self.seen) * self.severity as f64))
            }
            _ => return Passage::Deliver,
        };
        value.set_leaf_at(0, changed).expect("the leaf was just read");
        match self.delays[random.below(self.delays.len() as u64) as usize] {
            0 => Passage::Deliver,
            ps => Passage::Delay(Duration::from_ps(ps)),
        }
    }
    fn replicate(&self) -> Box<dyn Interposer> {
        Box::new(self.clone())
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match value {
            Parameter::Integer(severity) if name == "gain" => self.severity = severity,
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&(self.severity, self.seen))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        (self.severity, self.seen) = state.get()?;
        Ok(())
    }
}
