//! A component that sends frames, and one that sends back what it gets.

use ironbird_component::{Component, Registry, RegistryError};
use ironbird_kernel::{Atomic, Context, Duration, EventIn, EventOut, Inputs, Outputs};
use ironbird_peers::EthernetFrame;

/// Sends a frame at every multiple of its period, zero included, up to a count.
#[derive(Component)]
#[component(type = "test.beacon", event_driven, cannot_save)]
pub struct Beacon {
    /// In ns.
    #[parameter(default = 1000, min = 1)]
    period: u64,
    /// How many.
    #[parameter(default = 10)]
    frames_in_all: u64,
    /// Bytes of each.
    #[parameter(default = 60)]
    length: u32,
    /// The frames.
    #[output]
    frames: EventOut<EthernetFrame>,
    #[skip]
    sent: u64,
}

impl Atomic for Beacon {
    fn time_advance(&self) -> Duration {
        match self.sent {
            sent if sent == self.frames_in_all => Duration::FOREVER,
            0 => Duration::ZERO,
            _ => Duration::from_ns(self.period),
        }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.send(self.frames, EthernetFrame::new(vec![self.sent as u8; self.length as usize]));
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.sent += 1;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

/// Sends back what it gets, at once.
#[derive(Component)]
#[component(type = "test.mirror", event_driven, cannot_save)]
pub struct Mirror {
    /// Frames.
    #[input]
    frames: EventIn<EthernetFrame>,
    /// The same.
    #[output]
    back: EventOut<EthernetFrame>,
    #[skip]
    kept: Vec<EthernetFrame>,
}

impl Atomic for Mirror {
    fn time_advance(&self) -> Duration {
        if self.kept.is_empty() { Duration::FOREVER } else { Duration::ZERO }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        self.kept.iter().for_each(|frame| out.send(self.back, frame.clone()));
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.kept.clear();
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.kept.extend(inputs.events(self.frames).cloned());
    }
}

pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Beacon>()?;
    registry.register::<Mirror>()
}
