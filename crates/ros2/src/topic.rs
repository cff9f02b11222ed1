//! What all components with a topic have in common.

use crate::endpoint::{Endpoint, EndpointError};

/// One end of a topic: a publication or a subscription.
pub(crate) trait Open: Sized {
    /// Opens it.
    fn open(endpoint: &Endpoint) -> Result<Self, EndpointError>;
}

/// The end of a topic that a component has; closed before the first step and after loading.
pub(crate) struct End<T>(Option<T>);

impl<T> Default for End<T> {
    fn default() -> Self {
        End(None)
    }
}

impl<T: Open> End<T> {
    pub fn is_closed(&self) -> bool {
        self.0.is_none()
    }

    /// Opens it.
    pub fn open(&mut self, endpoint: &Endpoint) -> Result<(), String> {
        self.0 = Some(T::open(endpoint).map_err(|why| why.to_string())?);
        Ok(())
    }

    /// What it is, if it is open.
    pub fn get(&mut self) -> Option<&mut T> {
        self.0.as_mut()
    }
}

/// A periodic component with one end of a topic, and a function `open` that opens it if it is closed. Its
/// first step does that, not its start: checking an experiment starts it, too, and touches no network.
macro_rules! topic_component {
    (
        $(#[$doc:meta])*
        $name:ident = $type:tt [$($flag:tt)*] topic[$($topic:tt)*], end $end:ty { $($fields:tt)* }
    ) => {
        $(#[$doc])*
        #[derive(ironbird_component::Component)]
        #[component(
            type = $type, periodic, rate = "100 Hz", check = Self::fits, $($flag)*
        )]
        pub(crate) struct $name {
            /// The topic, as in "/robot/imu".
            #[parameter(fixed $($topic)*)]
            topic: String,
            /// The DDS domain: what the other side has as ROS_DOMAIN_ID.
            #[parameter(default = 0, max = 231, fixed)]
            domain: u16,
            /// Which interfaces of this machine are used: "loopback", "all", or the IPv4 address of one.
            #[parameter(default = "loopback".to_owned(), fixed)]
            network: String,
            #[group]
            qos: $crate::endpoint::Qos,
            /// How many peers the run waits for, in real time, before it starts.
            #[parameter(default = 0, max = 1000, fixed)]
            wait_for: u32,
            /// How long it waits for them before it fails, in real time.
            #[parameter(unit = "s", default = 10.0, above = 0, max = 1e6, fixed)]
            patience: f64,
            $($fields)*
            #[skip]
            end: $crate::topic::End<$end>,
        }

        impl $name {
            fn endpoint(&self) -> Result<$crate::endpoint::Endpoint, String> {
                $crate::endpoint::Endpoint::new(
                    &self.topic, self.domain, &self.network, self.qos, self.wait_for, self.patience,
                )
            }

            fn fits(&self) -> Result<(), String> {
                self.endpoint().map(drop)
            }

            fn open(&mut self) -> Result<(), String> {
                if self.end.is_closed() {
                    self.end.open(&self.endpoint()?)?;
                }
                Ok(())
            }
        }
    };
}

pub(crate) use topic_component;
