//! A fixed-wing UAV: the coverage mission with aircraft, feedback controllers, hybrid and discrete layer, recorded
//! at 50 Hz; and the aircraft alone. Whole missions are simulated seconds in a second of CPU time of all
//! threads: how much faster than real time on one core. (The paper has 50.) Beside them JSBSim flies
//! the aircraft alone, with steps of the same size.

use ironbird_kernel::{Duration, Rate};
use ironbird_solvers::{Method, Settings};

use crate::ours_fixed_wing as ours;
use crate::peers::jsbsim;
use crate::row::{Figure, Row, always_there};

/// Steps of the aircraft alone.
const STEPS: u64 = 200_000;

/// Whole missions, steps of the aircraft, and quantized states beside the classic methods.
pub fn rows() -> Vec<Row> {
    let mission = |name, ours| Row {
        name,
        peer: "jsbsim-aircraft",
        missing: jsbsim::missing,
        figure: Figure::PerSecond("simulated second"),
        ours,
        theirs: jsbsim::steps("v-tail", 0.01, 20_000, 0.01),
    };
    // JSBSim's integrators evaluate once a step, as Adams-Bashforth does; Runge-Kutta does it four times.
    let stepping = |name, settings| Row {
        name,
        peer: "jsbsim",
        missing: jsbsim::missing,
        figure: Figure::PerSecond("step"),
        ours: ours::steps("ultra-stick-25e", settings, STEPS, Duration::from_ms(5)),
        theirs: jsbsim::steps("ultra-stick-25e", 0.005, STEPS, 1.0),
    };
    let rk4 = |hz| Settings::new(Method::Rk4).step(Rate::hz(hz));
    let quantized = Settings::new(Method::Qss2).tolerance(1e-4, 1e-5);
    // Each errs about as much as the other, which is printed.
    let minutes = |peer, theirs| Row {
        name: "aircraft-qss2",
        peer,
        missing: always_there,
        figure: Figure::PerSecond("minute"),
        ours: ours::minutes("qss2", quantized),
        theirs: ours::minutes(peer, theirs),
    };
    vec![
        mission("whole-stack", ours::whole_stack()),
        mission("whole-stack-qss", ours::whole_stack_by("qss2", 3e-4, 3e-5, 1.0)),
        stepping("aircraft-step", Settings::new(Method::Adams3).step(Rate::hz(200))),
        stepping("aircraft-step-rk4", rk4(200)),
        minutes("rk4", rk4(20)),
        minutes("dopri5", Settings::new(Method::Dopri5).tolerance(1e-4, 1e-4)),
    ]
}
