//! Blocks: the parts of a controller that is drawn, not written.
//!
//! | type | out | unit of `out` |
//! |---|---|---|
//! | [`block.constant`](Constant) | a number | `unit` |
//! | [`block.step`](StepSource), [`block.ramp`](Ramp), [`block.sine`](Sine), [`block.square`](Square) | a signal of time | `unit` |
//! | [`block.gain`](Gain) | k a | `gain_unit` times `input_unit` |
//! | [`block.sum`](Sum) | a - b + … | `unit` |
//! | [`block.product`](Product) | a b / c … | the product of `units` |
//! | [`block.integrator`](Integrator) | ∫ a dt, in steps, with limits | `unit` times s |
//! | [`block.derivative`](Derivative) | da/dt behind a lag | `unit` per s |
//! | [`block.delay`](Delay) | a of n steps ago | `unit` |
//! | [`block.discrete-transfer-function`](DiscreteTransferFunction) | H(z) a | `output_unit` |
//! | [`block.lookup`](Lookup), [`block.lookup-file`](LookupFile), [`block.lookup-2d`](Lookup2d) | f(a), f(a, b) from a table | `output_unit` |
//! | [`block.saturation`](Saturation) | a between limits | `unit` |
//! | [`block.rate-limiter`](RateLimiter) | a, no faster than its limits | `unit` |
//! | [`block.dead-zone`](DeadZone) | a beyond a zone in which it is 0 | `unit` |
//! | [`block.hysteresis`](Hysteresis) | one of two numbers; `on` | `output_unit` |
//! | [`block.switch`](Switch) | a or b | `unit` |
//! | [`block.continuous-integrator`](ContinuousIntegrator) | ∫ a dt, by a solver | `unit` times s |
//! | [`block.transfer-function`](TransferFunction) | H(s) a, by a solver | `output_unit` |
//!
//! All but the last two are periodic: a chain of blocks of one rate is worked through from its beginning
//! to its end in every step, and a loop of them needs one link that reads the `previous` value.
//!
//! Numbers in parameters are plain; the parameters whose names end in `unit` say what the numbers at the
//! ports count (`block_type.rs`).

mod block_type;
mod coefficients;
mod constant;
mod continuous_integrator;
mod continuous_type;
mod dead_zone;
mod delay;
mod derivative;
mod discrete_transfer_function;
mod gain;
mod hysteresis;
mod integrator;
mod interpolation;
mod lookup;
mod lookup_2d;
mod product;
mod rate_limiter;
mod saturation;
mod sources;
mod sum;
mod switch;
mod transfer_function;
mod unit_algebra;

use ironbird_component::{Registry, RegistryError};

pub(crate) use block_type::{BlockType, Shape, ShapedBlock};
use continuous_type::ContinuousBlockType;

pub use constant::Constant;
pub use continuous_integrator::ContinuousIntegrator;
pub use dead_zone::DeadZone;
pub use delay::Delay;
pub use derivative::Derivative;
pub use discrete_transfer_function::DiscreteTransferFunction;
pub use gain::Gain;
pub use hysteresis::Hysteresis;
pub use integrator::Integrator;
pub use lookup::{Lookup, LookupFile};
pub use lookup_2d::Lookup2d;
pub use product::Product;
pub use rate_limiter::RateLimiter;
pub use saturation::Saturation;
pub use sources::{Ramp, Sine, Square, StepSource};
pub use sum::Sum;
pub use switch::Switch;
pub use transfer_function::TransferFunction;

/// Adds the blocks.
pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(BlockType::<Constant>::new()))?;
    registry.register_type(Box::new(BlockType::<StepSource>::new()))?;
    registry.register_type(Box::new(BlockType::<Ramp>::new()))?;
    registry.register_type(Box::new(BlockType::<Sine>::new()))?;
    registry.register_type(Box::new(BlockType::<Square>::new()))?;
    registry.register_type(Box::new(BlockType::<Gain>::new()))?;
    registry.register_type(Box::new(BlockType::<Sum>::new()))?;
    registry.register_type(Box::new(BlockType::<Product>::new()))?;
    registry.register_type(Box::new(BlockType::<Integrator>::new()))?;
    registry.register_type(Box::new(BlockType::<Derivative>::new()))?;
    registry.register_type(Box::new(BlockType::<Delay>::new()))?;
    registry.register_type(Box::new(BlockType::<DiscreteTransferFunction>::new()))?;
    registry.register_type(Box::new(BlockType::<Lookup>::new()))?;
    registry.register_type(Box::new(BlockType::<LookupFile>::new()))?;
    registry.register_type(Box::new(BlockType::<Lookup2d>::new()))?;
    registry.register_type(Box::new(BlockType::<Saturation>::new()))?;
    registry.register_type(Box::new(BlockType::<RateLimiter>::new()))?;
    registry.register_type(Box::new(BlockType::<DeadZone>::new()))?;
    registry.register_type(Box::new(BlockType::<Hysteresis>::new()))?;
    registry.register_type(Box::new(BlockType::<Switch>::new()))?;
    registry.register_type(Box::new(ContinuousBlockType::<ContinuousIntegrator>::new()))?;
    registry.register_type(Box::new(ContinuousBlockType::<TransferFunction>::new()))
}
