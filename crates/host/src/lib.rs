//! A simulated computer that runs firmware: processor, memory, peripherals.
