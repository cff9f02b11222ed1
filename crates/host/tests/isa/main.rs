//! The processor against the specification of RISC-V (unprivileged 20191213, privileged 1.12), and against other
//! implementations of it.

mod assembler;
mod batch;
mod case;
mod cases_in_qemu;
mod computer;
mod control_registers;
mod cuts;
mod device_accesses;
mod differential;
mod directed;
mod elf;
mod encodings;
mod float_operations;
mod interrupts;
mod memory_and_code;
mod program;
mod qemu;
mod random;
mod reservations;
mod state;
mod timing;
mod user_level;
