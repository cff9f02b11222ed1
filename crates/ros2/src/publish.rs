//! Components that publish a topic.
//!
//! They differ in the message that they make of their inputs at every step.

mod clock;
mod imu;
mod motion;
mod value;

use ironbird_component::{Registry, RegistryError};

pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    clock::register(registry)?;
    imu::register(registry)?;
    motion::register(registry)?;
    value::register(registry)
}

/// A component that sends the message that its function `message` makes.
macro_rules! publisher {
    (
        $(#[$doc:meta])*
        $name:ident = $type:tt sends $message:ty, topic[$($topic:tt)*] { $($fields:tt)* }
    ) => {
        $crate::topic::topic_component! {
            $(#[$doc])*
            $name = $type [] topic[$($topic)*], end $crate::publication::Publication<$message> {
                $($fields)*
            }
        }

        impl ironbird_kernel::Periodic for $name {
            fn step(&mut self, step: &mut ironbird_kernel::Step<'_>) {
                if let Err(why) = self.open() {
                    return step.fail(why);
                }
                let message = self.message(step);
                if let Some(publication) = self.end.get() {
                    // A subscriber that is too slow is no reason to end or to delay a run.
                    publication.send(message);
                }
            }
        }
    };
}

use publisher;
