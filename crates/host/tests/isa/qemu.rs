//! QEMU's machine `virt` as a reference: it runs an ELF file, and its RAM is a file that can be read afterwards.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A store of [`FINISHED`] here ends the run: the test finisher of `virt`. On our computer nothing is there, and a test stops it.
pub const FINISHER: u32 = 0x0010_0000;
/// The word that means success.
pub const FINISHED: u32 = 0x5555;

const PROGRAM: &str = "qemu-system-riscv32";
/// One hart with the extensions that our computer has, and no more.
const PROCESSOR: &str = "rv32,i=on,m=on,a=on,f=on,c=on,d=off,s=off,u=off,h=off,zba=off,zbb=off,zbc=off,zbs=off,\
                         sstc=off,mmu=off,pmp=on,debug=off,marchid=0,mimpid=0";
const PATIENCE: Duration = Duration::from_secs(120);

/// Whether there is a QEMU; says so if there is none.
pub fn is_missing() -> bool {
    let found =
        Command::new(PROGRAM).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let missing = !found.is_ok_and(|status| status.success());
    if missing {
        println!("skipped: there is no {PROGRAM}; Debian's package qemu-system-misc has it");
    }
    missing
}

/// Runs an ELF file until it stores to [`FINISHER`], and gives the first `bytes` of RAM.
pub fn run(elf: &[u8], bytes: usize) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (program, memory) = (folder.path().join("program.elf"), folder.path().join("memory"));
    std::fs::write(&program, elf).map_err(|error| error.to_string())?;
    let mut child = Command::new(PROGRAM)
        .args([
            "-machine",
            "virt,memory-backend=ram",
            "-cpu",
            PROCESSOR,
            "-accel",
            "tcg",
            "-bios",
            "none",
        ])
        .args([
            "-display",
            "none",
            "-serial",
            "none",
            "-monitor",
            "none",
            "-nodefaults",
            "-no-reboot",
        ])
        .args(["-object", &backend(&memory)])
        .arg("-kernel")
        .arg(&program)
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let started = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None if started.elapsed() > PATIENCE => {
                child.kill().map_err(|error| error.to_string())?;
                child.wait().map_err(|error| error.to_string())?;
                return Err(format!("{PROGRAM} did not end within {PATIENCE:?}"));
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    if !status.success() {
        return Err(format!("{PROGRAM} ended with {status}"));
    }
    let memory = std::fs::read(&memory).map_err(|error| error.to_string())?;
    memory
        .get(..bytes)
        .map(<[u8]>::to_vec)
        .ok_or_else(|| "the memory is smaller than what should be read".to_owned())
}

fn backend(file: &Path) -> String {
    format!("memory-backend-file,id=ram,size=64M,share=on,mem-path={}", file.display())
}
