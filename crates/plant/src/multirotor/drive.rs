//! From a command to the speed that a motor settles at.
//!
//! ```text
//! speed       ω = c                           c in rad/s
//! throttle    ω = a₀ + a₁ x + a₂ x²           x = c, from 0 to 1
//! pwm         ω = a₀ + a₁ x + a₂ x²           x = c / 65535 · (V₀ + f (V - V₀))
//! ```
//!
//! V is the voltage of the battery as it is logged. With f = 1, x is the mean voltage of a motor that is switched. A
//! logged voltage may sag more than motors slow down: on a stand those of the Crazyflie feel a third of what it sags
//! under their load (Bitcraze, PWM to Thrust, documentation of crazyflie-firmware: thrust fits the pulses better than
//! the mean voltage), in flight, where the battery empties too, some four fifths (examples/crazyflie/README.md).
//!
//! A command of zero is off. The thrust k_T ω² is thus quadratic in x where a₂ is zero, which is what thrust stands
//! show: W. Hönig, N. Ayanian, Flying Multiple UAVs Using ROS, 2017, for the Crazyflie; the data of
//! `propeller::fit` for others.

use ironbird_kinematics::Channel;

/// The most commands a motor can be given that is switched: 16 bits.
pub const FULL_PWM: f64 = 65_535.0;

/// What commands mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drive {
    /// Speeds in rad/s.
    Speed,
    /// From 0 to 1.
    Throttle {
        /// a₀, a₁, a₂ in rad/s.
        curve: [f64; 3],
    },
    /// From 0 to 65535, with the voltage of the battery as one more command.
    Pwm {
        /// a₀ in rad/s, a₁ in rad/s/V, a₂ in rad/s/V².
        curve: [f64; 3],
        /// V₀, and the voltage where nobody says otherwise, in V.
        voltage: f64,
        /// f: the part of a change of the voltage that motors feel, from 0 to 1.
        felt: f64,
    },
}

impl Drive {
    /// The voltage where nobody says otherwise; 1 where none counts.
    pub(super) fn rest_voltage(&self) -> f64 {
        if let Drive::Pwm { voltage, .. } = self { *voltage } else { 1.0 }
    }

    /// What the motors feel of the voltage of the battery; 1 where none counts.
    #[inline(always)]
    pub(super) fn felt(&self, battery: f64) -> f64 {
        match self {
            // In this form it is the battery's to the last bit where all is felt.
            Drive::Pwm { voltage, felt, .. } if battery > 0.0 => {
                (1.0 - felt) * voltage + felt * battery
            }
            Drive::Pwm { .. } => 0.0,
            _ => 1.0,
        }
    }

    /// As one polynomial: the factor that makes a command x (beside the voltage), and a₀, a₁, a₂.
    #[inline]
    pub(super) fn polynomial(&self) -> (f64, [f64; 3]) {
        match self {
            Drive::Speed => (1.0, [0.0, 1.0, 0.0]),
            Drive::Throttle { curve } => (1.0, *curve),
            Drive::Pwm { curve, .. } => (1.0 / FULL_PWM, *curve),
        }
    }

    /// The highest command; that of speeds is `fastest`.
    pub(super) fn most(&self, fastest: f64) -> f64 {
        match self {
            Drive::Speed => fastest,
            Drive::Throttle { .. } => 1.0,
            Drive::Pwm { .. } => FULL_PWM,
        }
    }

    /// The command at which a motor of this highest speed settles at `speed`, within the range of commands; `voltage`
    /// counts for [`Drive::Pwm`] only.
    #[inline]
    pub fn command(&self, speed: f64, fastest: f64, voltage: f64) -> f64 {
        if speed.is_nan() || speed <= 0.0 {
            return 0.0;
        }
        let (scale, [a0, a1, a2]) = self.polynomial();
        let scale = scale * self.felt(voltage);
        let above = speed - a0;
        // The root that is above / a₁ where a₂ is zero, in the form that does not divide by a₂.
        let under = (a1 * a1 + 4.0 * a2 * above).max(0.0);
        let x = 2.0 * above / (a1 + under.sqrt());
        (x / scale).max(0.0).min(self.most(fastest))
    }

    /// The channels of `count` motors of this highest speed.
    pub(super) fn channels(&self, fastest: impl Iterator<Item = f64>) -> Vec<Channel> {
        let (unit, doc) = match self {
            Drive::Speed => ("rad/s", "Speed that a motor is to have."),
            Drive::Throttle { .. } => ("1", "Throttle of a motor, from 0 to 1."),
            Drive::Pwm { .. } => ("1", "Part of the time that a motor is switched on, of 65535."),
        };
        let motor = |(number, fastest): (usize, f64)| Channel {
            name: format!("motor_{}", number + 1),
            unit,
            range: (0.0, self.most(fastest)),
            rest: 0.0,
            doc,
        };
        let mut channels: Vec<Channel> = fastest.enumerate().map(motor).collect();
        if let Drive::Pwm { voltage, .. } = self {
            channels.push(Channel {
                name: "voltage".into(),
                unit: "V",
                range: (0.0, 1000.0),
                rest: *voltage,
                doc: "Voltage of the battery.",
            });
        }
        channels
    }

    /// What is wrong with it, for motors of this highest speed.
    pub(super) fn check(&self) -> Result<(), String> {
        let (_, [a0, a1, a2]) = self.polynomial();
        if !(a0 >= 0.0 && a1 > 0.0 && [a0, a1, a2].iter().all(|a| a.is_finite())) {
            return Err("the speed over the command must begin at zero or more, and rise".into());
        }
        // The slope at the end, so that every speed has one command.
        let most = if let Drive::Speed = self { 0.0 } else { self.rest_voltage() };
        if a1 + 2.0 * a2 * most <= 0.0 {
            return Err("the speed must rise up to the highest command".into());
        }
        if !(self.rest_voltage() > 0.0 && self.rest_voltage() <= 1000.0) {
            return Err("\"voltage\" must be above zero, at most 1000 V".into());
        }
        if let Drive::Pwm { felt, .. } = self
            && !(0.0..=1.0).contains(felt)
        {
            return Err("\"felt\" must be from 0 to 1".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_speeds_are_inverse() {
        let curved = Drive::Throttle { curve: [50.0, 1000.0, -200.0] };
        for (x, speed) in [(0.25, 287.5), (1.0, 850.0)] {
            assert!((curved.command(speed, 2000.0, 0.0) - x).abs() < 1e-12);
        }
        let switched = Drive::Pwm { curve: [100.0, 500.0, 0.0], voltage: 4.0, felt: 1.0 };
        assert!((switched.command(1100.0, 3000.0, 4.0) - FULL_PWM / 2.0).abs() < 1e-9);
        assert!((switched.command(1100.0, 3000.0, 2.0) - FULL_PWM).abs() < 1e-9);
        assert_eq!(switched.command(3000.0, 3000.0, 4.0), FULL_PWM, "no more than all");
        assert_eq!(switched.command(0.0, 3000.0, 4.0), 0.0, "off");
        assert_eq!(Drive::Speed.command(800.0, 700.0, 1.0), 700.0);
    }
    #[test]
    fn motors_may_feel_a_part_of_a_change_of_the_voltage() {
        let drive = Drive::Pwm { curve: [100.0, 500.0, 0.0], voltage: 4.0, felt: 0.25 };
        drive.check().unwrap();
        for (battery, felt) in [(4.0, 4.0), (3.2, 3.8), (0.0, 0.0), (f64::NAN, 0.0)] {
            assert!((drive.felt(battery) - felt).abs() < 1e-12, "{battery} V");
        }
        // Half of 3.8 V.
        assert!((drive.command(1050.0, 3000.0, 3.2) - FULL_PWM / 2.0).abs() < 1e-9);
        let all = Drive::Pwm { curve: [100.0, 500.0, 0.0], voltage: 4.0, felt: 1.0 };
        assert_eq!(all.felt(3.3), 3.3);
        let more = Drive::Pwm { curve: [100.0, 500.0, 0.0], voltage: 4.0, felt: 1.1 };
        assert!(more.check().unwrap_err().contains("from 0 to 1"));
    }
}
