//! What ROS 2 users have at hand: traces of LTTng and architecture files of CARET, read and joined.
//!
//! ```text
//! trace folder ──► ctf::Trace ──────────────► Event, Event, … ──► ros2::Observed ─┐
//! text of babeltrace2 ─► read_babeltrace_text ──┘                                 ├─► measured::Measured
//! architecture.yaml ──────────────────────────► caret::Architecture ──────────────┘
//! ```
//!
//! | module | from | to |
//! |---|---|---|
//! | [`ctf`] | a trace in the Common Trace Format 1.8 | events in the order of time |
//! | [`ros2`] | events of ros2_tracing and CARET | nodes, callbacks, executions, publications |
//! | [`caret`] | an architecture file | executors, callback groups, named paths, checked |
//! | [`measured`] | both | periods, execution times, latencies of topics and of paths |
//!
//! All times are whole nanoseconds; those of a clock count from 1970.
//!
//! # A measured system
//!
//! ```no_run
//! use ironbird_traces::{caret::Architecture, ctf::Trace, measured::Measured, ros2::Observed};
//!
//! let trace = Trace::open("my-session".as_ref())?;
//! let architecture = Architecture::read("architecture.yaml".as_ref())?;
//! let measured = Measured::new(&architecture, &Observed::from_events(trace.events()));
//! for callback in &measured.callbacks {
//!     println!("{}: {}", callback.name, callback.execution_times);
//! }
//! for path in &measured.paths {
//!     println!("{}: {}", path.name, path.latency);
//! }
//! measured.warnings.iter().for_each(|warning| eprintln!("{warning}"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A trace alone
//!
//! ```
//! use ironbird_traces::{ctf::read_babeltrace_text, ros2::Observed};
//!
//! let text = "\
//! [1.000000000] (+?.?????????) pc ros2:callback_start: { cpu_id = 0 }, { vpid = 1, vtid = 2 }, { callback = 0x10 }
//! [1.000250000] (+0.000250000) pc ros2:callback_end: { cpu_id = 0 }, { vpid = 1, vtid = 2 }, { callback = 0x10 }";
//! let observed = Observed::from_events(read_babeltrace_text(text)?);
//! assert_eq!(observed.callbacks[0].execution_times().median(), Some(250_000));
//! assert!(observed.gaps.iter().any(|gap| {
//!     gap.to_string() == "no `ros2:rcl_timer_init` in the trace: periods of timers are unknown"
//! }));
//! # Ok::<(), ironbird_traces::ctf::TextError>(())
//! ```

pub mod caret;
pub mod ctf;
mod distribution;
pub mod measured;
pub mod ros2;

pub use distribution::Distribution;
