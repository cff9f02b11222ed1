//! A chip on the bench, without a simulation: time goes on when a test says so.

use std::path::Path;

use ironbird_component::{Given, Parameters, Place, Settings};
use ironbird_devices::{
    Answer, BusKind, Device, FaultMode, Moment, Pulse, Quantity, SerialByte, Transfer,
};
use ironbird_kernel::{Duration, Parameter, RandomStream, Time};

pub struct Bench<D: Device> {
    pub device: D,
    pub parameters: D::Parameters,
    pub now: Time,
    pub fault: FaultMode,
    pub sent: Vec<(Time, SerialByte)>,
    random: RandomStream,
    bus: BusKind,
    chip: u8,
}

/// Nothing but what is set.
pub fn parameters<P: Parameters>(settings: &[(&str, Parameter)]) -> P {
    let settings: Settings =
        settings.iter().map(|(path, value)| ((*path).into(), value.clone())).collect();
    let place = Place { folder: Path::new(".") };
    P::read(&Given::new(&settings, &place)).expect("parameters that fit")
}

impl<D: Device> Bench<D> {
    /// Switches a chip on.
    pub fn new(bus: BusKind, chip: u8, settings: &[(&str, Parameter)]) -> Self {
        let mut bench = Bench {
            device: D::default(),
            parameters: parameters(settings),
            now: Time::ZERO,
            fault: FaultMode::None,
            sent: Vec::new(),
            random: RandomStream::from_key(7),
            bus,
            chip,
        };
        bench.on_device(|device, moment| device.start(moment));
        bench
    }

    fn on_device<R>(&mut self, act: impl FnOnce(&mut D, &mut Moment<'_, D::Parameters>) -> R) -> R {
        let mut moment = Moment {
            now: self.now,
            parameters: &self.parameters,
            random: &mut self.random,
            fault: self.fault,
        };
        act(&mut self.device, &mut moment)
    }

    pub fn reading(&mut self, quantity: Quantity, values: [f64; 3]) {
        self.on_device(|device, moment| device.reading(moment, quantity, values));
    }

    /// Lets time pass, with all that happens in it.
    pub fn wait(&mut self, span: Duration) {
        let until = self.now + span;
        while self.device.next_event() <= until {
            self.now = self.now.max(self.device.next_event());
            let sent = self.on_device(|device, moment| device.act(moment));
            self.sent.extend(sent.map(|byte| (self.now, byte)));
        }
        self.now = until;
    }

    pub fn wait_us(&mut self, microseconds: u64) {
        self.wait(Duration::from_us(microseconds));
    }

    /// What a transfer reads; none where nobody acknowledges.
    pub fn transfer(&mut self, chip: u8, written: &[u8], read: usize) -> Option<Vec<u8>> {
        let (bus, mut answer) = (self.bus, Vec::new());
        let transfer = Transfer { bus, chip, written, read };
        let taken =
            self.on_device(|device, moment| device.transfer(moment, &transfer, &mut answer));
        (taken == Answer::Taken).then_some(answer)
    }

    /// A frame on SPI.
    pub fn spi(&mut self, written: &[u8]) -> Vec<u8> {
        let answer = self.transfer(self.chip, written, 0).expect("SPI always answers");
        assert_eq!(answer.len(), written.len());
        answer
    }

    /// A transfer on I2C that must be acknowledged.
    pub fn i2c(&mut self, written: &[u8], read: usize) -> Vec<u8> {
        let answer = self.transfer(self.chip, written, read).expect("acknowledged");
        assert_eq!(answer.len(), read);
        answer
    }

    pub fn byte(&mut self, byte: SerialByte) {
        self.on_device(|device, moment| device.byte(moment, byte));
    }

    /// A pulse that ends now.
    pub fn pulse(&mut self, width: Duration) {
        let began = Time::from_ps(self.now.as_ps() - width.as_ps());
        let pulse = Pulse { began, ended: self.now };
        self.on_device(|device, moment| device.pulse(moment, pulse));
    }

    pub fn show(&self, output: usize) -> f64 {
        self.device.show(&self.parameters, self.fault, output)
    }
}
