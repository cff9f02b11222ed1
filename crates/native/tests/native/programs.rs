//! Small programs of C, compiled for a test, and a system with one of them.

use std::path::PathBuf;
use std::process::Command;

use ironbird_kernel::{Parameter, Time};
use ironbird_native::Datagram;
use ironbird_test_rig::{Rig, Run, text};

/// What all programs begin with: a way to say something to the test, by a datagram to port 9000.
const PRELUDE: &str = r#"
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int said = -1;
static void say(const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (said < 0) said = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9000)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sendto(said, text, length, 0, (struct sockaddr *)&to, sizeof to);
}
static inline void pause_us(long us) {
    struct timespec span = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&span, NULL);
}
static inline uint64_t now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
"#;

/// A compiled program, in a folder that goes away.
pub struct Compiled {
    folder: tempfile::TempDir,
}

/// Compiles a program; none, with a word about it, where there is no compiler.
pub fn compile(source: &str) -> Option<Compiled> {
    compile_with(&format!("{PRELUDE}{source}"), &["-pthread"])
}

/// Compiles a program just as it is.
pub fn compile_with(source: &str, options: &[&str]) -> Option<Compiled> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, source).expect("a file");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-g", "-o"]).arg(folder.path().join("program")).arg(&file).args(options);
    match compiler.output() {
        Ok(output) if output.status.success() => Some(Compiled { folder }),
        Ok(output) => {
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(options.contains(&"-static"), "the program does not compile: {messages}");
            println!("skipped: a program cannot be linked statically here");
            None
        }
        Err(_) => {
            println!("skipped: there is no C compiler (cc)");
            None
        }
    }
}

impl Compiled {
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    pub fn command(&self) -> Parameter {
        text(self.path().to_str().expect("a plain name"))
    }
}

pub type Settings<'a> = &'a [(&'a str, Parameter)];

/// A system with the program as its component `computer`; what it says comes out at `udp[0].sent`.
pub fn rig(program: &Compiled, settings: Settings<'_>) -> Rig {
    let mut rig = Rig::of(&[ironbird_native::register, ironbird_devices::register]);
    let mut all =
        vec![("command", program.command()), ("sockets", text("udp remote 9000 = udp[0]"))];
    all.extend(settings.iter().cloned());
    rig.add("computer", "host.native", &all);
    rig
}

/// What the program has said, and when.
pub fn words(run: &Run) -> Vec<(Time, String)> {
    let packets = run.samples::<Datagram>("computer.udp[0].sent");
    let text = |packet: Datagram| String::from_utf8_lossy(&packet.bytes).into_owned();
    packets.into_iter().map(|(time, packet)| (time, text(packet))).collect()
}

/// Runs a program and listens to it.
pub fn run(program: &Compiled, settings: Settings<'_>, until: Time) -> Vec<(Time, String)> {
    words(&rig(program, settings).run(until, &["computer.udp[0].sent"]))
}
