//! PCA9685, sixteen pulses with one period (data sheet of NXP, revision 4).
//!
//! A counter of 12 bits counts at the oscillator's rate divided by PRE_SCALE + 1. A channel goes high when the counter is
//! at its ON value and low when it is at its OFF value (section 7.3.3). New values are taken over when the transfer
//! that wrote them begins; the data sheet has it at its end.

use ironbird_component::Parameters;
use ironbird_kernel::{Duration, Time};
use serde::{Deserialize, Serialize};

use crate::device::{
    Answer, BusKind, Device, DeviceParameters, Fault, FaultMode, Line, Moment, Quantity, Shown,
    Transfer,
};
use crate::{Pulse, SerialByte};

const CHANNELS: usize = 16;
/// Counts of a period.
const COUNTS: u64 = 4096;

const MODE1: u8 = 0x00;
const MODE2: u8 = 0x01;
const SUBADR1: u8 = 0x02;
const ALLCALLADR: u8 = 0x05;
const LED0_ON_L: u8 = 0x06;
const LED15_OFF_H: u8 = 0x45;
const ALL_LED_ON_L: u8 = 0xFA;
const ALL_LED_OFF_H: u8 = 0xFD;
const PRE_SCALE: u8 = 0xFE;

/// Bits of MODE1 (table 5).
const RESTART: u8 = 0x80;
const EXTCLK: u8 = 0x40;
const AUTO_INCREMENT: u8 = 0x20;
const SLEEP: u8 = 0x10;
const ALLCALL: u8 = 0x01;

/// The bit of LEDn_ON_H and LEDn_OFF_H for always on and always off.
const FULL: u8 = 0x10;
/// The lowest PRE_SCALE that the hardware takes.
const LEAST_PRE_SCALE: u8 = 3;
/// The oscillator needs so long after SLEEP was cleared (section 7.3.1.1).
const WAKING: Duration = Duration::from_us(500);

/// What can be set of a PCA9685.
#[derive(Clone, Debug, Parameters)]
pub struct Pca9685Parameters {
    /// Its address on I2C: 64 (0x40) and more, by its pins.
    #[parameter(default = 0x40, min = 0x40, max = 0x7F, fixed)]
    chip: u8,
    /// Rate of its own oscillator.
    #[parameter(unit = "Hz", default = 25e6, min = 1e6, max = 50e6, fixed)]
    oscillator: f64,
    /// Rate of the clock at its pin EXTCLK, taken when software says so.
    #[parameter(unit = "Hz", default = 24.576e6, min = 1e6, max = 50e6, fixed)]
    external_clock: f64,
    #[group]
    fault: Fault,
}

impl DeviceParameters for Pca9685Parameters {
    fn fault(&self) -> &Fault {
        &self.fault
    }

    fn factor(&self, _: Quantity, _: usize) -> u32 {
        0
    }

    fn bus(&self) -> BusKind {
        BusKind::I2c
    }
}

/// Sixteen pulses from registers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pca9685 {
    mode1: u8,
    mode2: u8,
    /// SUBADR1 to SUBADR3 and ALLCALLADR.
    addresses: [u8; 4],
    /// ON_L, ON_H, OFF_L, OFF_H of each channel.
    channels: [[u8; 4]; CHANNELS],
    pre_scale: u8,
    /// The register that is read or written next.
    register: u8,
    /// When the counter was at 0 for the first time; none while it stands.
    counts_from: Option<Time>,
    /// Rate of the counter's clock in Hz before it is divided.
    clock: u64,
    /// When pulses were looked at last.
    looked: Time,
    next: Time,
    #[serde(skip)]
    ended: Vec<(usize, Pulse)>,
}

impl Default for Pca9685 {
    fn default() -> Self {
        Pca9685 {
            mode1: SLEEP | ALLCALL,
            mode2: 0x04,
            addresses: [0xE2, 0xE4, 0xE8, 0xE0],
            channels: [[0, 0, 0, FULL]; CHANNELS],
            pre_scale: 0x1E,
            register: 0,
            counts_from: None,
            clock: 0,
            looked: Time::ZERO,
            next: Time::NEVER,
            ended: Vec::new(),
        }
    }
}

impl Pca9685 {
    /// When the counter has counted so far since it began.
    fn time_of(&self, from: Time, counts: u64) -> Time {
        let divided = u128::from(counts) * (u128::from(self.pre_scale) + 1) * 1_000_000_000_000;
        from + Duration::from_ps(divided.div_ceil(u128::from(self.clock.max(1))) as u64)
    }

    /// How far the counter has counted at an instant.
    fn counts_at(&self, from: Time, at: Time) -> u64 {
        let counted = u128::from(at.since(from).as_ps()) * u128::from(self.clock);
        (counted / ((u128::from(self.pre_scale) + 1) * 1_000_000_000_000)) as u64
    }

    /// ON and OFF of a channel; none where it is always on or off.
    fn pulse_of(&self, channel: usize) -> Option<(u64, u64)> {
        let [on_low, on_high, off_low, off_high] = self.channels[channel];
        let on = u64::from(on_low) | u64::from(on_high & 0x0F) << 8;
        let off = u64::from(off_low) | u64::from(off_high & 0x0F) << 8;
        ((on_high | off_high) & FULL == 0 && on != off).then_some((on, off))
    }

    /// The first end of a pulse of a channel after an instant, and how many counts the pulse lasts.
    fn next_end(&self, channel: usize, from: Time, after: Time) -> Option<(u64, u64)> {
        let (on, off) = self.pulse_of(channel)?;
        let width = (off + COUNTS - on) % COUNTS;
        let mut end =
            if after < from { 0 } else { self.counts_at(from, after) / COUNTS * COUNTS } + off;
        while self.time_of(from, end) <= after || end < width {
            end += COUNTS;
        }
        Some((end, width))
    }

    /// Finds out when the next pulse ends.
    fn look_ahead(&mut self) {
        self.next = Time::NEVER;
        let Some(from) = self.counts_from else { return };
        for channel in 0..CHANNELS {
            if let Some((end, _)) = self.next_end(channel, from, self.looked) {
                self.next = self.next.min(self.time_of(from, end));
            }
        }
    }

    fn write_mode1(&mut self, moment: &Moment<'_, Pca9685Parameters>, value: u8) {
        let (was_asleep, sleeps) = (self.mode1 & SLEEP != 0, value & SLEEP != 0);
        // RESTART is set by hardware, and cleared by writing 1 to it. EXTCLK can be set in sleep only, and stays.
        let mut restart = self.mode1 & RESTART;
        let runs = self.counts_from.is_some();
        if sleeps && !was_asleep && runs {
            restart = RESTART;
        }
        let clears = value & RESTART != 0 && !sleeps;
        let external = self.mode1 & EXTCLK | if was_asleep { value & EXTCLK } else { 0 };
        let kept = value & !(RESTART | EXTCLK);
        self.mode1 = kept | external | if clears { 0 } else { restart };
        if sleeps {
            self.counts_from = None;
        } else if was_asleep || (clears && self.counts_from.is_none()) {
            let Pca9685Parameters { oscillator, external_clock, .. } = moment.parameters;
            let rate = if external != 0 { external_clock } else { oscillator };
            self.clock = rate.round() as u64;
            let waits = if was_asleep { WAKING } else { Duration::ZERO };
            // Pulses that stood when it fell asleep begin again when they are restarted, or when a channel is written.
            if self.mode1 & RESTART == 0 {
                self.counts_from = Some(moment.now + waits);
            }
        }
    }

    fn write(&mut self, moment: &Moment<'_, Pca9685Parameters>, value: u8) {
        match self.register {
            MODE1 => self.write_mode1(moment, value),
            MODE2 => self.mode2 = value & 0x1F,
            SUBADR1..=ALLCALLADR => {
                self.addresses[usize::from(self.register - SUBADR1)] = value & 0xFE;
            }
            LED0_ON_L..=LED15_OFF_H => {
                let at = usize::from(self.register - LED0_ON_L);
                self.channels[at / 4][at % 4] = value & channel_bits(at % 4);
            }
            ALL_LED_ON_L..=ALL_LED_OFF_H => {
                let at = usize::from(self.register - ALL_LED_ON_L);
                let value = value & channel_bits(at);
                self.channels.iter_mut().for_each(|channel| channel[at] = value);
            }
            // Blocked while it is awake.
            PRE_SCALE if self.mode1 & SLEEP != 0 => self.pre_scale = value.max(LEAST_PRE_SCALE),
            _ => {}
        }
    }

    fn read(&self) -> u8 {
        match self.register {
            MODE1 => self.mode1,
            MODE2 => self.mode2,
            SUBADR1..=ALLCALLADR => self.addresses[usize::from(self.register - SUBADR1)],
            LED0_ON_L..=LED15_OFF_H => {
                let at = usize::from(self.register - LED0_ON_L);
                self.channels[at / 4][at % 4]
            }
            PRE_SCALE => self.pre_scale,
            // What is for all channels reads as 0.
            _ => 0,
        }
    }

    /// The register after this one, if software wants that; behind the last channel follows the first register.
    fn go_on(&mut self) {
        if self.mode1 & AUTO_INCREMENT != 0 {
            self.register = match self.register {
                LED15_OFF_H => MODE1,
                register => register.wrapping_add(1),
            };
        }
    }
}

/// The bits of one of the four registers of a channel.
fn channel_bits(register: usize) -> u8 {
    if register.is_multiple_of(2) { 0xFF } else { 0x1F }
}

impl Device for Pca9685 {
    type Parameters = Pca9685Parameters;

    const TYPE: &'static str = "device.pca9685";
    const DOC: &'static str = "\
A PCA9685: sixteen pulses from registers, over I2C.

Flight controllers on Linux drive servos and speed controllers with it. Pulses come out at `channel[0]` to \
`channel[15]`, each when it ends.";
    const LINE: Line = Line::Bus;
    const MEASURES: &'static [Quantity] = &[];
    const SHOWS: &'static [Shown] = &[Shown {
        name: "rate",
        unit: Some("Hz"),
        doc: "How often pulses begin; 0 while it sleeps.",
    }];
    const FAULTS: &'static [FaultMode] = &[
        FaultMode::None,
        FaultMode::Dead,
        FaultMode::Intermittent,
        FaultMode::Nack,
        FaultMode::BitFlips,
    ];
    const PULSES: usize = CHANNELS;

    fn start(&mut self, moment: &mut Moment<'_, Pca9685Parameters>) {
        *self = Pca9685 { looked: moment.now, ..Pca9685::default() };
    }

    fn transfer(
        &mut self,
        moment: &mut Moment<'_, Pca9685Parameters>,
        transfer: &Transfer<'_>,
        read: &mut Vec<u8>,
    ) -> Answer {
        let is_for_all = self.mode1 & ALLCALL != 0 && transfer.chip == self.addresses[3] >> 1;
        if transfer.chip != moment.parameters.chip && !is_for_all {
            return Answer::NotMeant;
        }
        if let Some((register, values)) = transfer.written.split_first() {
            self.register = *register;
            for value in values {
                self.write(moment, *value);
                self.go_on();
            }
        }
        for _ in 0..transfer.read {
            read.push(self.read());
            self.go_on();
        }
        self.looked = moment.now;
        self.look_ahead();
        Answer::Taken
    }

    fn next_event(&self) -> Time {
        self.next
    }

    fn act(&mut self, moment: &mut Moment<'_, Pca9685Parameters>) -> Option<SerialByte> {
        if let Some(from) = self.counts_from {
            for channel in 0..CHANNELS {
                let Some((end, width)) = self.next_end(channel, from, self.looked) else {
                    continue;
                };
                let ended = self.time_of(from, end);
                if ended <= moment.now {
                    let began = self.time_of(from, end - width);
                    self.ended.push((channel, Pulse { began, ended }));
                }
            }
        }
        self.looked = moment.now;
        self.look_ahead();
        None
    }

    fn take_pulses(&mut self) -> Vec<(usize, Pulse)> {
        std::mem::take(&mut self.ended)
    }

    fn show(&self, _: &Pca9685Parameters, _: FaultMode, _: usize) -> f64 {
        match self.counts_from {
            Some(_) => self.clock as f64 / (COUNTS as f64 * (f64::from(self.pre_scale) + 1.0)),
            None => 0.0,
        }
    }
}
