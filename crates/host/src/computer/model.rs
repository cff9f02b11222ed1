//! A computer that runs with the rest of the system.

use std::sync::Arc;

use ironbird_component::Parameters;
use ironbird_kernel::{
    Advance, Context, Inputs, LoadError, Model, Outputs, Parameter, ParameterError, Ports,
    RandomIn, RunAhead, SaveError, Start, StateReader, StateWriter, Time,
};

use super::parameters::{ComputerParameters, OnFault};
use super::ports::{AllPorts, ROOM_TEMPERATURE};
use super::report::Faults;
use super::{Computer, State};
use crate::cpu::Processor;
use crate::memory::MemoryState;
use crate::peripherals::Peripherals;
use crate::symbols::Symbols;

/// A computer and its ports.
pub struct ComputerModel {
    computer: Computer,
    parameters: ComputerParameters,
    symbols: Arc<Symbols>,
    temperature: f64,
    faults: Faults,
    ports: Option<(AllPorts, RandomIn)>,
}

impl ComputerModel {
    pub fn new(
        mut computer: Computer,
        parameters: ComputerParameters,
        symbols: Arc<Symbols>,
    ) -> Self {
        computer.set_upsets(parameters.upsets);
        let (temperature, faults) = (ROOM_TEMPERATURE, Faults::default());
        ComputerModel { computer, parameters, symbols, temperature, faults, ports: None }
    }

    /// The clock as offset and temperature make it, from `now` on.
    fn set_clock(&mut self, now: Time) {
        let ComputerParameters { clock_offset, clock_drift, .. } = self.parameters;
        let parts = 1.0 + clock_offset + clock_drift * (self.temperature - ROOM_TEMPERATURE);
        self.computer.set_clock_speed(now, parts);
    }

    /// Tells what software did wrong; whether the run is to end.
    fn tell_faults(&mut self, context: &mut Context<'_>) {
        let firmware = self.parameters.firmware.display();
        for trap in self.computer.peripherals.take_traps() {
            let Some(what) = self.faults.note(&trap, &self.computer.memory, &self.symbols) else {
                continue;
            };
            let at = self.computer.peripherals.clock.time_of(trap.cycle);
            if self.parameters.on_fault == OnFault::Stop {
                context.fail_at(at, format!("{firmware}: {what}"));
                return;
            }
            let (is_told, is_last) = self.faults.is_told();
            if is_told {
                let end = if is_last { "; further ones are counted, not told" } else { "" };
                eprintln!("ironbird: {firmware}: {what}, at {at}{end}");
            }
        }
    }
}

impl Model for ComputerModel {
    fn ports(&mut self, ports: &mut Ports) {
        let random = ports.random("upsets");
        self.ports = Some((AllPorts::declare(ports), random));
    }

    fn initialize(&mut self, start: &mut Start<'_>) {
        if let Some((_, random)) = self.ports {
            let entropy = start.random(random).bits();
            self.computer.peripherals.set_entropy(entropy);
        }
        self.set_clock(start.now());
        // Whether it is an address was checked when the component was made.
        if let Ok(Some(address)) = self.parameters.debugger() {
            let waits = self.parameters.gdb_waits;
            let firmware = self.parameters.firmware.display();
            let what = if waits { "waits for a debugger" } else { "lets a debugger connect" };
            eprintln!("ironbird: {firmware} {what} at {address}");
            if let Err(why) = self.computer.debug(address, waits) {
                start.fail(format!("no debugger can connect at {address}: {why}"));
            }
        }
    }

    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        self.parameters.set(name, &value)?;
        if name == "upsets" {
            self.computer.set_upsets(self.parameters.upsets);
        }
        self.set_clock(self.computer.time());
        Ok(())
    }

    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        if !self.computer.outbox.is_empty() {
            let why = "something is just leaving the computer".to_owned();
            return Err(SaveError::Failed(why));
        }
        self.parameters.save(state)?;
        state.put(&(self.temperature, self.faults.count()))?;
        state.put(&self.computer.processor)?;
        state.put(&self.computer.memory.save())?;
        state.put(&self.computer.peripherals)?;
        state.put(&self.computer.state)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.parameters.load(state)?;
        let (temperature, faults): (f64, u32) = state.get()?;
        let processor: Processor = state.get()?;
        let memory: MemoryState = state.get()?;
        let peripherals: Peripherals = state.get()?;
        let own: State = state.get()?;
        let restored = self.computer.memory.restore(memory);
        restored.map_err(|why| LoadError::Failed(why.to_string()))?;
        (self.temperature, self.computer.processor) = (temperature, processor);
        self.faults.set_count(faults);
        (self.computer.peripherals, self.computer.state) = (peripherals, own);
        Ok(())
    }
}

impl RunAhead for ComputerModel {
    fn advance(&mut self, context: &mut Context<'_>, until: Time) -> Advance {
        let Some((_, random)) = self.ports else { return Advance::Idle };
        let advance = self.computer.advance(until, context.random(random));
        self.tell_faults(context);
        advance
    }

    fn next_output(&self) -> Time {
        self.computer.next_output()
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        if let Some((ports, _)) = &self.ports {
            ports.show(&mut self.computer, &self.faults, out);
        }
    }

    fn input(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        let Some((ports, _)) = &self.ports else { return };
        if let Some(temperature) = ports.take(&mut self.computer, inputs) {
            self.temperature = temperature;
            self.set_clock(context.now());
        }
    }
}
