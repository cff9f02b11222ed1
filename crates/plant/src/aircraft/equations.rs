//! The derivative of each state of an aircraft, as solvers want it.

use ironbird_solvers::{Block, Number, Point, Values};

use super::dynamics::{Deflections, Situation, moved, turned};
use super::propulsion::Shaft;
use super::servos::{Commands, SERVOS};
use super::{
    AILERON, Aircraft, CHARGE, DOWN, ELEVATOR, FIRST_SERVO, FLAP, GUST, INPUTS, LEFT, MOTOR_SPEED,
    NORTH, P, Q, QW, QX, QY, QZ, R, RIGHT, RUDDER, STATES, THROTTLE, U, V, W, WIND,
};

impl Aircraft {
    fn command<N: Number>(&self, at: &impl Point<N>, input: usize) -> N {
        at.u(input) + self.offset[input]
    }

    fn servo_commands<N: Number>(&self, at: &impl Point<N>) -> [N; SERVOS] {
        self.craft.servos.commanded(&Commands {
            surfaces: Deflections {
                aileron: self.command(at, AILERON),
                elevator: self.command(at, ELEVATOR),
                rudder: self.command(at, RUDDER),
                flap: self.command(at, FLAP),
            },
            ruddervators: [self.command(at, LEFT), self.command(at, RIGHT)],
        })
    }

    fn situation<N: Number>(&self, at: &impl Point<N>) -> Situation<N> {
        let servos = &self.craft.servos;
        let positions = if servos.lags() {
            [0, 1, 2, 3].map(|k| at.x(FIRST_SERVO + k))
        } else {
            self.servo_commands(at)
        };
        Situation {
            down: at.x(DOWN),
            velocity: velocity(at),
            attitude: attitude(at),
            rates: rates(at),
            wind: wind(at),
            gust: [at.u(GUST), at.u(GUST + 1), at.u(GUST + 2)],
            deflections: servos.deflections(positions),
            shaft: self.shaft(at),
            gravity: self.gravity,
        }
    }

    fn shaft<N: Number>(&self, at: &impl Point<N>) -> Shaft<N> {
        let throttle = self.command(at, THROTTLE);
        Shaft {
            throttle: throttle.max(N::constant(0.0)).min(N::constant(1.0)),
            motor_speed: at.x(MOTOR_SPEED),
            charge: at.x(CHARGE),
            failed: self.engine_failed,
        }
    }

    /// All derivatives.
    #[inline]
    fn changes<N: Number>(&self, at: &impl Point<N>) -> [N; STATES] {
        let change = self.craft.airframe.change(&self.situation(at));
        let commands = self.servo_commands(at);
        let servos = &self.craft.servos;
        let servo = |k: usize| servos.rate(commands[k], at.x(FIRST_SERVO + k));
        let ([north, east, down], [u, v, w]) = (change.position, change.velocity);
        let ([qw, qx, qy, qz], [p, q, r]) = (change.attitude, change.rates);
        let [first, second, third, fourth] = [servo(0), servo(1), servo(2), servo(3)];
        let (motor_speed, charge) = (change.motor_speed, change.charge);
        [
            north,
            east,
            down,
            u,
            v,
            w,
            qw,
            qx,
            qy,
            qz,
            p,
            q,
            r,
            first,
            second,
            third,
            fourth,
            motor_speed,
            charge,
        ]
    }

    /// The derivative of one servo.
    fn servo_rate<N: Number>(&self, servo: usize, at: &impl Point<N>) -> N {
        let command = self.servo_commands(at)[servo];
        self.craft.servos.rate(command, at.x(FIRST_SERVO + servo))
    }
}

fn velocity<N: Number>(at: &impl Point<N>) -> [N; 3] {
    [at.x(U), at.x(V), at.x(W)]
}

fn attitude<N: Number>(at: &impl Point<N>) -> [N; 4] {
    [at.x(QW), at.x(QX), at.x(QY), at.x(QZ)]
}

fn rates<N: Number>(at: &impl Point<N>) -> [N; 3] {
    [at.x(P), at.x(Q), at.x(R)]
}

fn wind<N: Number>(at: &impl Point<N>) -> [N; 3] {
    [at.u(WIND), at.u(WIND + 1), at.u(WIND + 2)]
}

/// Whether the derivative of a state needs all forces.
fn is_accelerated(state: usize) -> bool {
    (U..=W).contains(&state) || (P..=R).contains(&state)
}

fn is_servo(state: usize) -> bool {
    (FIRST_SERVO..MOTOR_SPEED).contains(&state)
}

impl Block for Aircraft {
    fn states(&self) -> usize {
        STATES
    }

    fn inputs(&self) -> usize {
        INPUTS
    }

    fn initial(&self, state: usize) -> f64 {
        self.start[state]
    }

    /// Metres and metres per second, but angles to a few hundredths of a degree: an error of the attitude
    /// turns the velocity, and the place adds that up.
    fn scale(&self, state: usize) -> f64 {
        match state {
            NORTH..=DOWN => 10.0,
            QW..=QZ => 0.1,
            MOTOR_SPEED => 100.0,
            CHARGE => 1e-3,
            _ => 1.0,
        }
    }

    /// Each reads no more than it has to, so that a quantized solver evaluates no more than it has to.
    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        match state {
            NORTH..=DOWN => moved(attitude(at), velocity(at))[state],
            QW..=QZ => turned(attitude(at), rates(at))[state - QW],
            servo if is_servo(servo) => self.servo_rate(servo - FIRST_SERVO, at),
            MOTOR_SPEED | CHARGE => {
                let airframe = &self.craft.airframe;
                let (down, shaft) = (at.x(DOWN), self.shaft(at));
                let drive = airframe.drive(down, velocity(at), attitude(at), wind(at), shaft);
                if state == MOTOR_SPEED { drive.speed_rate } else { drive.charge_rate }
            }
            _ => {
                let change = self.craft.airframe.change(&self.situation(at));
                if state < QW { change.velocity[state - U] } else { change.rates[state - P] }
            }
        }
    }

    fn derivatives(&self, at: &Values<'_>, out: &mut [f64]) {
        out.copy_from_slice(&self.changes(at));
    }

    fn derivatives_of<N: Number>(&self, states: &[usize], at: &impl Point<N>, out: &mut [N]) {
        if states.iter().any(|state| is_accelerated(*state)) {
            let all = self.changes(at);
            for (state, slot) in states.iter().zip(out) {
                *slot = all[*state];
            }
        } else {
            for (state, slot) in states.iter().zip(out) {
                *slot = self.derivative(*state, at);
            }
        }
    }

    fn shares_work(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ironbird_component::{Place, Settings};
    use ironbird_kernel::Parameter;
    use ironbird_solvers::{Block, Number, Point, Series};

    use super::super::{Aircraft, CHARGE, INPUTS, MOTOR_SPEED, STATES};

    struct At<N> {
        states: [N; STATES],
        inputs: [N; INPUTS],
    }

    impl<N: Number> Point<N> for At<N> {
        fn x(&self, state: usize) -> N {
            self.states[state]
        }
        fn u(&self, input: usize) -> N {
            self.inputs[input]
        }
        fn time(&self) -> N {
            N::constant(0.0)
        }
    }

    fn aircraft(name: &str, is_ideal: bool) -> Aircraft {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fixed-wing/aircraft");
        let mut settings = Settings::default();
        settings.insert("file".into(), Parameter::Text(format!("{name}.toml")));
        settings.insert("ideal_servos".into(), Parameter::Bool(is_ideal));
        let place = Place { folder: Path::new(folder) };
        ironbird_component::derive::create(&settings, &place).unwrap()
    }

    /// Numbers from -1 to 1 that look random.
    fn numbers() -> impl FnMut() -> f64 {
        let mut seed = 1_u64;
        move || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    fn agree<N: Number>(craft: &Aircraft, of: impl Fn(f64) -> N) {
        let mut next = numbers();
        for _ in 0..200 {
            let mut states = std::array::from_fn(|_| next() * 20.0);
            states[MOTOR_SPEED] = next() * 600.0;
            states[CHARGE] = next();
            let inputs = std::array::from_fn(|_| next());
            let at = At { states: states.map(&of), inputs: inputs.map(&of) };
            let all = craft.changes(&at);
            let each: Vec<usize> = (0..STATES).collect();
            let mut several = [N::constant(0.0); STATES];
            craft.derivatives_of(&each, &at, &mut several);
            for state in each {
                let one = format!("{:?}", craft.derivative(state, &at));
                assert_eq!(one, format!("{:?}", all[state]), "state {state} of {states:?}");
                assert_eq!(one, format!("{:?}", several[state]), "state {state} of {states:?}");
                let mut alone = [N::constant(0.0)];
                craft.derivatives_of(&[state], &at, &mut alone);
                assert_eq!(one, format!("{:?}", alone[0]), "state {state} of {states:?}");
            }
        }
    }

    #[test]
    fn derivatives_one_by_one_and_all_at_once_have_the_same_bits() {
        for name in ["aerosonde", "rascal-110", "ultra-stick-25e", "v-tail"] {
            for is_ideal in [false, true] {
                let craft = aircraft(name, is_ideal);
                agree(&craft, |value| value);
                agree(&craft, |value| Series::<3>::constant(value) * 1.5 + 0.1);
            }
        }
    }
}
