//! Transfers on buses that are under way: how long they take, and what they read.
//!
//! A chip answers when a transfer begins, with the state that it has then. The program's thread goes on when the last
//! bit is over. A request that nobody has answered by then reads ones on SPI; on I2C it ends, without an
//! acknowledgement, behind the address. All chips that answer at one instant are wired together.

use ironbird_devices::{BusReply, BusRequest, I2C_ADDRESSING, bit_time, i2c_bits};
use ironbird_kernel::{Duration, Payload, Time};
use ironbird_native_shim::protocol::Input;

use super::wiring::BusKind;

/// How fast buses are.
#[derive(Clone, Copy, Debug)]
pub struct BusTiming {
    /// Clock of SPI in Hz where the program does not say.
    pub spi_clock: u32,
    /// Selecting a chip on SPI.
    pub spi_setup: Duration,
    /// Clock of I2C in Hz.
    pub i2c_clock: u32,
    /// What a transfer on I2C takes beside its bits.
    pub i2c_setup: Duration,
}

/// A transfer that a program begins.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Which one it is to the program.
    pub transfer: u32,
    /// The place of the bus in the wiring.
    pub bus: u32,
    /// The chip.
    pub chip: u8,
    /// Clock in Hz, or 0.
    pub clock: u32,
    /// What is written.
    pub written: Vec<u8>,
    /// How many bytes are read after that (I2C).
    pub read: u32,
}

#[derive(Clone)]
struct UnderWay {
    bus: u32,
    transfer: u32,
    kind: BusKind,
    /// Bytes that are read.
    length: usize,
    /// Who has not answered by then does not.
    answered_by: Time,
    ends: Time,
    answer: Option<BusReply>,
}

/// All transfers of a program.
#[derive(Clone)]
pub struct Transfers {
    timing: BusTiming,
    under_way: Vec<UnderWay>,
}

impl Transfers {
    /// None yet.
    pub fn new(timing: BusTiming) -> Self {
        Transfers { timing, under_way: Vec::new() }
    }

    /// A program begins a transfer: what the chips on the bus see.
    pub fn begin(&mut self, now: Time, kind: BusKind, begun: Begun) -> BusRequest {
        let Begun { transfer, bus, chip, clock, written, read } = begun;
        let timing = self.timing;
        let sent = written.len() as u32;
        let (clock, length, answered_by, ends) = match kind {
            BusKind::Spi => {
                let clock = if clock == 0 { timing.spi_clock } else { clock };
                let ends = now + bit_time(8 * u64::from(sent), clock) + timing.spi_setup;
                (clock, sent, ends, ends)
            }
            BusKind::I2c => {
                let clock = timing.i2c_clock;
                let after = |bits| now + bit_time(bits, clock) + timing.i2c_setup;
                (clock, read, after(I2C_ADDRESSING), after(i2c_bits(sent, read)))
            }
        };
        let length = length as usize;
        let answer = None;
        let begun = UnderWay { bus, transfer, kind, length, answered_by, ends, answer };
        self.under_way.push(begun);
        let asks = if kind == BusKind::I2c { read } else { 0 };
        BusRequest { transfer, chip, clock, written: Payload::new(written), read: asks }
    }

    /// A chip answers.
    pub fn answer(&mut self, bus: u32, reply: &BusReply) {
        let meant = |one: &&mut UnderWay| one.bus == bus && one.transfer == reply.transfer;
        let Some(one) = self.under_way.iter_mut().find(meant) else { return };
        match &mut one.answer {
            None => one.answer = Some(reply.clone()),
            Some(answer) => answer.join(reply),
        }
    }

    /// Until when somebody must answer.
    pub fn next(&self) -> Time {
        self.under_way.iter().map(|one| one.answered_by).min().unwrap_or(Time::NEVER)
    }

    /// What the program is told at `now`: of transfers that are answered, or that nobody answers any more.
    pub fn settle(&mut self, now: Time) -> impl Iterator<Item = Input> {
        let is_settled = move |one: &mut UnderWay| one.answer.is_some() || one.answered_by <= now;
        self.under_way.extract_if(.., is_settled).map(UnderWay::into_input)
    }
}

impl UnderWay {
    fn into_input(self) -> Input {
        let (acknowledged, mut read) = match &self.answer {
            Some(reply) => (reply.acknowledged, reply.read.to_vec()),
            None => (self.kind == BusKind::Spi, Vec::new()),
        };
        // What nobody drives is high.
        read.resize(self.length, 0xFF);
        let ends = if acknowledged { self.ends } else { self.answered_by };
        Input::BusReply { transfer: self.transfer, acknowledged, read, ends: ends.as_ps() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transfers() -> Transfers {
        Transfers::new(BusTiming {
            spi_clock: 1_000_000,
            spi_setup: Duration::from_us(2),
            i2c_clock: 400_000,
            i2c_setup: Duration::from_us(5),
        })
    }

    fn begun(bus: u32, written: &[u8], read: u32) -> Begun {
        Begun { transfer: 7, bus, chip: 0x77, clock: 8_000_000, written: written.into(), read }
    }

    const BEGIN: Time = Time::from_ps(1_000_000_000);

    #[test]
    fn spi_takes_its_bits_and_reads_ones_where_nobody_answers() {
        let mut transfers = transfers();
        let request = transfers.begin(BEGIN, BusKind::Spi, begun(0, &[0x80, 0], 0));
        assert_eq!((request.clock, request.read), (8_000_000, 0));
        let ends = BEGIN + Duration::from_us(4);
        assert_eq!(transfers.next(), ends);
        assert_eq!(transfers.settle(BEGIN).count(), 0);
        let told: Vec<_> = transfers.settle(ends).collect();
        let (acknowledged, read) = (true, vec![0xFF, 0xFF]);
        assert_eq!(told, [Input::BusReply { transfer: 7, acknowledged, read, ends: ends.as_ps() }]);
        assert!(transfers.next().is_never());
    }

    #[test]
    fn i2c_ends_behind_the_address_where_nobody_answers() {
        let mut transfers = transfers();
        transfers.begin(BEGIN, BusKind::I2c, begun(1, &[0], 2));
        let ends = BEGIN + Duration::from_us(30);
        assert_eq!(transfers.next(), ends);
        let told: Vec<_> = transfers.settle(ends).collect();
        let (acknowledged, read) = (false, vec![0xFF, 0xFF]);
        assert_eq!(told, [Input::BusReply { transfer: 7, acknowledged, read, ends: ends.as_ps() }]);
    }

    #[test]
    fn an_answer_is_told_at_once_with_the_end_of_the_last_bit() {
        let mut transfers = transfers();
        transfers.begin(BEGIN, BusKind::I2c, begun(1, &[0], 2));
        let reply = BusReply { transfer: 7, acknowledged: true, read: Payload::new([1, 2]) };
        transfers.answer(0, &reply);
        assert_eq!(transfers.settle(BEGIN).count(), 0, "that was another bus");
        transfers.answer(1, &reply);
        let told: Vec<_> = transfers.settle(BEGIN).collect();
        let ends = (BEGIN + Duration::from_us(125)).as_ps();
        assert_eq!(
            told,
            [Input::BusReply { transfer: 7, acknowledged: true, read: vec![1, 2], ends }]
        );
    }
}
