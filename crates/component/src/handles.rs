//! Types of fields that stand for ports, services and queries.
//!
//! The derive macro does not look at types; it asks these traits, so that aliases work and a wrong
//! type is an error that says what to write.

use ironbird_kernel::{
    CallIn, CallOut, EventIn, EventOut, PortKind, Ports, QueryIn, RandomIn, SignalIn, SignalOut,
    Value,
};

use crate::interface::{PortDescription, QuerySignature};
use crate::service_type::ServiceType;
use crate::value_type::ValueType;

/// A field marked `#[input]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no input",
    note = "an `#[input]` is a `SignalIn<T>` or an `EventIn<T>`; that of a continuous component is \
            `Held` or `Followed`"
)]
pub trait InputHandle: Sized {
    /// What others see.
    fn describe(name: &str) -> PortDescription;

    /// Declares it to the kernel; `waking` matters to signals.
    fn declare(ports: &mut Ports, name: &str, waking: bool) -> Self;
}

impl<T: Value> InputHandle for SignalIn<T> {
    fn describe(name: &str) -> PortDescription {
        PortDescription::input(name, PortKind::Signal, ValueType::of::<T>())
    }
    fn declare(ports: &mut Ports, name: &str, waking: bool) -> Self {
        if waking { ports.waking_signal_in(name) } else { ports.signal_in(name) }
    }
}

impl<T: Value> InputHandle for EventIn<T> {
    fn describe(name: &str) -> PortDescription {
        PortDescription::input(name, PortKind::Event, ValueType::of::<T>()).waking()
    }
    fn declare(ports: &mut Ports, name: &str, _: bool) -> Self {
        ports.event_in(name)
    }
}

/// A field marked `#[input(default = …)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have a default",
    note = "only a signal input, `SignalIn<T>`, has a value where nothing is linked"
)]
pub trait SignalInput: InputHandle {
    /// The type of its values.
    type Value: Value;

    /// Declares it to the kernel with the value that it has where nothing is linked.
    fn declare_or(ports: &mut Ports, name: &str, waking: bool, default: Self::Value) -> Self;
}

impl<T: Value> SignalInput for SignalIn<T> {
    type Value = T;
    fn declare_or(ports: &mut Ports, name: &str, waking: bool, default: T) -> Self {
        if waking {
            ports.waking_signal_in_or(name, default)
        } else {
            ports.signal_in_or(name, default)
        }
    }
}

/// A field marked `#[output]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no output",
    note = "an `#[output]` is an `EventOut<T>`, or a `SignalOut<T>` with `initial = …` or of a type \
            that has a default; that of a continuous component is `Shown` or `Announced`"
)]
pub trait OutputHandle: Sized {
    /// What others see.
    fn describe(name: &str) -> PortDescription;

    /// Declares it to the kernel.
    fn declare(ports: &mut Ports, name: &str) -> Self;
}

impl<T: Value + Default> OutputHandle for SignalOut<T> {
    fn describe(name: &str) -> PortDescription {
        <Self as SignalOutput>::describe(name)
    }
    fn declare(ports: &mut Ports, name: &str) -> Self {
        ports.signal_out(name, T::default())
    }
}

impl<T: Value> OutputHandle for EventOut<T> {
    fn describe(name: &str) -> PortDescription {
        PortDescription::output(name, PortKind::Event, ValueType::of::<T>())
    }
    fn declare(ports: &mut Ports, name: &str) -> Self {
        ports.event_out(name)
    }
}

/// A field marked `#[output(initial = …)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have an initial value",
    note = "only a signal output, `SignalOut<T>`, has a value at the start"
)]
pub trait SignalOutput: Sized {
    /// The type of its values.
    type Value: Value;

    /// What others see.
    fn describe(name: &str) -> PortDescription;

    /// Declares it to the kernel with its first value.
    fn declare_with(ports: &mut Ports, name: &str, initial: Self::Value) -> Self;
}

impl<T: Value> SignalOutput for SignalOut<T> {
    type Value = T;
    fn describe(name: &str) -> PortDescription {
        PortDescription::output(name, PortKind::Signal, ValueType::of::<T>())
    }
    fn declare_with(ports: &mut Ports, name: &str, initial: T) -> Self {
        ports.signal_out(name, initial)
    }
}

/// A field marked `#[service]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no service",
    note = "a `#[service]` that a component provides is a `CallIn<Argument, Reply>`"
)]
pub trait ServiceHandle: Sized {
    /// Its types.
    fn service_type() -> ServiceType;

    /// Declares it to the kernel.
    fn declare(ports: &mut Ports, name: &str) -> Self;
}

impl<A: Value, R: Value> ServiceHandle for CallIn<A, R> {
    fn service_type() -> ServiceType {
        ServiceType::of::<A, R>()
    }
    fn declare(ports: &mut Ports, name: &str) -> Self {
        ports.service(name)
    }
}

/// A field marked `#[requires]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no required service",
    note = "a service that a component `#[requires]` is a `CallOut<Argument, Reply>`"
)]
pub trait RequirementHandle: Sized {
    /// Its types.
    fn service_type() -> ServiceType;

    /// Declares it to the kernel.
    fn declare(ports: &mut Ports, name: &str) -> Self;
}

impl<A: Value, R: Value> RequirementHandle for CallOut<A, R> {
    fn service_type() -> ServiceType {
        ServiceType::of::<A, R>()
    }
    fn declare(ports: &mut Ports, name: &str) -> Self {
        ports.call(name)
    }
}

/// A field marked `#[query]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no query",
    note = "a `#[query]` is a `QueryIn<Argument, Answer>`"
)]
pub trait QueryHandle: Sized {
    /// Its types.
    fn signature() -> QuerySignature;

    /// Declares it to the kernel.
    fn declare(ports: &mut Ports, name: &str) -> Self;
}

impl<A: 'static, R: 'static> QueryHandle for QueryIn<A, R> {
    fn signature() -> QuerySignature {
        QuerySignature::of::<A, R>()
    }
    fn declare(ports: &mut Ports, name: &str) -> Self {
        ports.query(name)
    }
}

/// A field marked `#[random]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no random stream",
    note = "a `#[random]` stream is a `RandomIn`"
)]
pub trait RandomHandle: Sized {
    /// Declares it to the kernel.
    fn declare(ports: &mut Ports, name: &str) -> Self;
}

impl RandomHandle for RandomIn {
    fn declare(ports: &mut Ports, name: &str) -> Self {
        ports.random(name)
    }
}
