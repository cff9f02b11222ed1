//! The processor against the specification of RISC-V (unprivileged 20191213, privileged 1.12), and against other
//! implementations of it.

mod assembler;
mod case;
mod cases_in_qemu;
mod computer;
mod directed;
mod elf;
mod qemu;
mod state;
